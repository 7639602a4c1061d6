import { Select } from '@mantine/core'
import { can } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import { eventTypes, StaffEvent } from '@ordinator/model/areas/visits/shift'
import { formatDay } from '@ordinator/model/format'
import { IconCalendarPlus, IconCalendarWeek } from '@tabler/icons-react'
import { useState } from 'react'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { today } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { mondayOf } from '../day.ts'
import { FillDialog } from './FillDialog.tsx'
import { HangingDialog } from './HangingDialog.tsx'

const SHOWN = 14

interface Props {
  idUser: number
  /** Branches of the employee; none: all. */
  filials: readonly number[]
}

/** The timetable of one employee, in the card: what is ahead, and shifts over a period. */
export default function UserSchedule({ idUser, filials }: Props) {
  const day = today()
  const actor = useActor()
  const events = useList(
    StaffEvent,
    {
      filter: { idUser, localDate: { gte: day } },
      sort: 'dateFrom',
      limit: SHOWN,
      expand: ['filial', 'room'],
    },
    { forbidden: 'silent' },
  )
  const places = useList(
    Filial,
    { filter: { active: true }, sort: 'nameFilial', limit: 200, fields: ['nameFilial'] },
    { staleTime: 60_000 },
  )
  const [chosen, setChosen] = useState<number>()
  const [filling, setFilling] = useState(false)
  const [hits, setHits] = useState<readonly Hit[]>([])
  const own = (places.data?.items ?? []).filter(({ id }) => filials.length === 0 || filials.includes(id))
  const idFilial = chosen ?? own[0]?.id
  const mayFill = can(actor, 'create', StaffEvent)
  const fill = mayFill && idFilial !== undefined && (
    <ActionButton label="Заполнить период…" icon={IconCalendarPlus} onClick={() => setFilling(true)} />
  )
  return (
    <VStack gap={12}>
      <HStack wrap gap={8}>
        {mayFill && own.length > 1 && (
          <Select
            aria-label="Филиал"
            data={own.map(({ id, nameFilial }) => ({ value: String(id), label: nameFilial }))}
            value={idFilial === undefined ? null : String(idFilial)}
            onChange={(value) => setChosen(value ? Number(value) : undefined)}
            allowDeselect={false}
          />
        )}
        {fill}
        {idFilial !== undefined && (
          <ActionButton
            label="Открыть в расписании"
            variant="default"
            icon={IconCalendarWeek}
            renderRoot={(props) => (
              <PageLink {...props} page="calendar" search={{ filial: idFilial, user: idUser, view: 'week' }} />
            )}
          />
        )}
      </HStack>
      {events.isError ? (
        <ErrorState title="Смены не загрузились" error={events.error} onRetry={() => void events.refetch()} />
      ) : !events.data ? (
        <LinesSkeleton lines={4} />
      ) : events.data.items.length === 0 ? (
        <EmptyState
          title="Смен впереди нет"
          text={
            own.length === 0
              ? 'Сначала нужен филиал, в котором сотрудник работает.'
              : 'Пока их нет, к сотруднику никого не записать.'
          }
        />
      ) : (
        <VStack gap={4} component="ul" m={0} pl={0} style={{ listStyle: 'none' }}>
          {events.data.items.map(({ id, localDate, localFrom, localTo, type, filial, room }) => (
            <li key={id}>
              {formatDay(localDate)}, {type === 'shift' ? `${localFrom}–${localTo}` : eventTypes[type].toLowerCase()}{' '}
              <Muted component="span">{[filial?.nameFilial, room?.name].filter(Boolean).join(', ')}</Muted>
            </li>
          ))}
        </VStack>
      )}
      {filling && idFilial !== undefined && (
        <FillDialog
          idFilial={idFilial}
          monday={mondayOf(day)}
          today={day}
          who={[idUser]}
          onHit={setHits}
          onClose={() => setFilling(false)}
        />
      )}
      {hits.length > 0 && <HangingDialog hits={hits} doctors={[]} onClose={() => setHits([])} />}
    </VStack>
  )
}
