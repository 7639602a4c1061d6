import { Select, TextInput } from '@mantine/core'
import { User } from '@ordinator/model/areas/staff/user'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { type EventType, eventTypes, StaffEvent } from '@ordinator/model/areas/visits/shift'
import { messages } from '@ordinator/model/messages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { Tiles } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { retries } from '#records/reads.ts'
import { useRemove } from '#records/writes.ts'
import { type DayEvent, dayPaths, readDaysAgain } from '../day.ts'
import { Hits } from './Hits.tsx'

export type ShiftDraft = Pick<DayEvent, 'type' | 'localDate' | 'localFrom' | 'localTo' | 'comment' | 'idRoom'> & {
  id?: number
  idUser: number | null
}

interface Props {
  idFilial: number
  rooms: readonly { id: number; name: string }[]
  draft: ShiftDraft
  /** Called with the visits left without a doctor. */
  onHit: (hits: readonly Hit[]) => void
  onClose: () => void
}

const quiet = recordsWith({ forbidden: 'toast' })

/** A shift, break or absence of a day: create, change, delete; affected visits are shown first. */
export function ShiftDialog({ idFilial, rooms, draft, onHit, onClose }: Props) {
  const cache = useQueryClient()
  const [event, setEvent] = useState(draft)
  const [removing, setRemoving] = useState(false)
  const remove = useRemove(StaffEvent)
  const change = (patch: Partial<ShiftDraft>) => setEvent({ ...event, ...patch })
  const { id, type, idUser, localDate, localFrom, localTo, idRoom, comment } = event
  // Shifts and breaks belong to a branch, absences to all.
  const ofFilial = type === 'shift' || type === 'block'
  const body = {
    type,
    idUser: idUser as number,
    idFilial: ofFilial ? idFilial : null,
    localDate,
    localFrom,
    localTo,
  }
  const sound =
    idUser !== null && isDay(localDate) && minutesOf(localFrom) !== undefined && minutesOf(localTo) !== undefined
  const asked = removing ? { id, remove: true } : { id, ...body }
  const hits = useQuery({
    queryKey: ['staff-events/hits', asked],
    queryFn: ({ signal }) => api('POST /staff-events/hits', { body: asked }, { signal, forbidden: 'silent' }),
    enabled: sound && (type !== 'shift' || id !== undefined),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: dayPaths },
  })
  const run = async () => {
    const values = { ...body, idRoom: type === 'shift' ? idRoom : null, comment: comment?.trim() || null }
    if (removing && id !== undefined) await remove.mutateAsync(id)
    else if (id === undefined) await quiet.create(StaffEvent, values)
    else await quiet.update(StaffEvent, id, values)
    await readDaysAgain(cache)
    onHit(hits.data?.items ?? [])
  }
  const word = eventTypes[type].toLowerCase()
  return (
    <ActionDialog
      title={removing ? `Убрать: ${word}` : id === undefined ? 'Новая смена или отсутствие' : `Изменить: ${word}`}
      action={removing ? 'Убрать' : 'Сохранить'}
      danger={removing}
      faults={{
        idUser: idUser === null && 'Выберите сотрудника',
        localDate: !isDay(localDate) && 'Укажите день',
        localFrom: minutesOf(localFrom) === undefined && messages.clock,
        localTo: minutesOf(localTo) === undefined && messages.clock,
      }}
      more={
        id !== undefined &&
        !removing && (
          <ActionButton label="Убрать…" variant="subtle" color="red" mr="auto" onClick={() => setRemoving(true)} />
        )
      }
      onClose={onClose}
      run={run}
    >
      {(errorOf) => (
        <>
          {!removing && (
            <>
              <Select
                label="Вид"
                data={Object.entries(eventTypes).map(([value, label]) => ({ value, label }))}
                value={type}
                error={errorOf('type')}
                onChange={(value) => change({ type: value as EventType })}
              />
              <RefSelect
                to={User.path}
                label="Сотрудник"
                required
                value={idUser}
                error={errorOf('idUser')}
                onChange={(value) => change({ idUser: value })}
              />
              <DateField
                label="День"
                value={localDate}
                error={errorOf('localDate')}
                onChange={(value) => change({ localDate: value ?? '' })}
              />
              <Tiles tile={130} fit gap={12}>
                <TimeField
                  label="С"
                  value={localFrom}
                  error={errorOf('localFrom')}
                  onChange={(value) => change({ localFrom: value })}
                />
                <TimeField
                  label="До"
                  untilMidnight
                  value={localTo}
                  error={errorOf('localTo')}
                  description={type === 'shift' && localTo <= localFrom ? 'Следующего дня' : undefined}
                  onChange={(value) => change({ localTo: value })}
                />
              </Tiles>
              {type === 'shift' && rooms.length > 0 && (
                <Select
                  label="Кабинет"
                  clearable
                  data={rooms.map((room) => ({ value: String(room.id), label: room.name }))}
                  value={idRoom === null ? null : String(idRoom)}
                  error={errorOf('idRoom')}
                  onChange={(value) => change({ idRoom: value ? Number(value) : null })}
                />
              )}
              <TextInput
                label="Примечание"
                maxLength={500}
                value={comment ?? ''}
                onChange={(input) => change({ comment: input.currentTarget.value })}
              />
            </>
          )}
          {hits.data && <Hits hits={hits.data.items} />}
        </>
      )}
    </ActionDialog>
  )
}
