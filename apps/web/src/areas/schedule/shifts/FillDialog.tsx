import { Chip, Select, TextInput } from '@mantine/core'
import { FilialRoom } from '@ordinator/model/areas/filials/filial'
import { User } from '@ordinator/model/areas/staff/user'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { patternCycles } from '@ordinator/model/areas/visits/pattern'
import { type EventType, eventTypes, ShiftPattern } from '@ordinator/model/areas/visits/shift'
import { messages } from '@ordinator/model/messages'
import { plusDays } from '@ordinator/model/zone'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Body } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, Tiles } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { RefMultiSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { readDaysAgain, weekdayWord } from '../day.ts'
import { FillPreview, useFillPreview } from './FillPreview.tsx'
import { filledText } from './filledText.ts'

type FillBody = Body<'POST /staff-events/fill'>

interface Props {
  idFilial: number
  monday: string
  today: string
  /** «Отсутствие»: people and period; otherwise shifts by a pattern. */
  absence?: boolean
  /** Employees chosen already. */
  who?: readonly number[]
  /** Called with the visits left without a doctor. */
  onHit: (hits: readonly Hit[]) => void
  onClose: () => void
}

const WEEK = 'week'
const OWN = 'pattern:'
const WORKDAYS = ['0', '1', '2', '3', '4']
const absences = ['sick', 'vacation', 'training', 'meeting'] as const satisfies readonly EventType[]

/** Shifts over a period by a pattern, or an absence, with a preview. */
export function FillDialog({ idFilial, monday, today, absence = false, who = [], onHit, onClose }: Props) {
  const cache = useQueryClient()
  const patterns = useList(ShiftPattern, { limit: 200 }, { enabled: !absence, forbidden: 'silent' })
  const [users, setUsers] = useState<number[]>([...who])
  const [type, setType] = useState<EventType>(absence ? 'sick' : 'shift')
  const [from, setFrom] = useState<string | null>(absence || monday < today ? today : monday)
  const [to, setTo] = useState<string | null>(absence ? today : plusDays(monday, 27))
  const [way, setWay] = useState<string>(WEEK)
  const keepPattern = useSave(ShiftPattern, { toast: false })
  const removePattern = useRemove(ShiftPattern, { message: 'Шаблон смен удалён' })
  const [days, setDays] = useState(WORKDAYS)
  const [start, setStart] = useState('09:00')
  const [end, setEnd] = useState('15:00')
  const [keptAs, setKeptAs] = useState('')
  const rooms = useList(FilialRoom, { filter: { idFilial }, limit: 200 }, { enabled: !absence, forbidden: 'silent' })
  const [room, setRoom] = useState<number | null>()
  const [onlyRoom, other] = rooms.data?.items ?? []
  // A default room only for a single doctor: two at once do not fit.
  const idRoom = room === undefined ? (onlyRoom && !other && users.length < 2 ? onlyRoom.id : null) : room
  const times = minutesOf(start) !== undefined && minutesOf(end) !== undefined
  const cycle = way === 'two' || way === 'parity' ? way : WEEK
  const rows = {
    week: () => days.map((day) => ({ day: Number(day), from: start, to: end })),
    two: () => [0, 1].map((day) => ({ day, from: start, to: end })),
    parity: () => [{ day: 0, from: start, to: end }],
  }[cycle]()
  const body: FillBody = {
    idUsers: users,
    type,
    from: from ?? '',
    to: to ?? '',
    ...(absence
      ? {
          cycle: WEEK,
          rows: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '00:00', to: '24:00' })),
          holidays: false,
        }
      : {
          idFilial,
          idRoom,
          ...(way.startsWith(OWN) ? { idPattern: Number(way.slice(OWN.length)) } : { cycle, rows }),
        }),
  }
  const sound =
    users.length > 0 && isDay(from) && isDay(to) && from <= to && (way.startsWith(OWN) || times) && rows.length > 0
  const preview = useFillPreview('POST /staff-events/fill', sound ? body : undefined)
  return (
    <ActionDialog
      title={absence ? 'Отсутствие' : 'Заполнить период сменами'}
      size={600}
      action={absence ? 'Отметить' : 'Заполнить'}
      faults={{
        idUsers: users.length === 0 && 'Выберите сотрудников',
        from: !isDay(from) && 'Укажите день',
        to: isDay(to) ? isDay(from) && to < from && 'Не раньше начала' : 'Укажите день',
        rows: !absence && cycle === WEEK && !way.startsWith(OWN) && days.length === 0 && 'Выберите дни недели',
        times: !absence && !way.startsWith(OWN) && !times && messages.clock,
      }}
      onClose={onClose}
      run={async () => {
        let filled = body
        const name = keptAs.trim()
        if (name && !absence && !way.startsWith(OWN)) {
          const { id } = await keepPattern.mutateAsync({ name, cycle, rows })
          // A retry does not save the pattern a second time.
          setWay(`${OWN}${id}`)
          filled = { ...body, idPattern: id, cycle: undefined, rows: undefined }
        }
        const { made, skipped, hit } = await api('POST /staff-events/fill', { body: filled }, { forbidden: 'toast' })
        await readDaysAgain(cache)
        notify.success(filledText(made, skipped.length))
        onHit(hit)
      }}
    >
      {(errorOf) => (
        <>
          <RefMultiSelect
            to={User.path}
            label="Сотрудники"
            required
            value={users}
            error={errorOf('idUsers')}
            onChange={setUsers}
          />
          {absence && (
            <Select
              label="Вид"
              data={absences.map((value) => ({ value, label: eventTypes[value] }))}
              value={type}
              onChange={(value) => setType(value as EventType)}
            />
          )}
          <Tiles tile={150} fit gap={12}>
            <DateField label="С" value={from} error={errorOf('from')} onChange={setFrom} />
            <DateField label="По" value={to} error={errorOf('to')} onChange={setTo} />
          </Tiles>
          {!absence && (
            <Select
              label="Как работает"
              data={[
                { value: WEEK, label: patternCycles.week },
                { value: 'two', label: patternCycles.two },
                { value: 'parity', label: 'Чётные дни месяца' },
                ...(patterns.data?.items ?? []).map(({ id, name }) => ({
                  value: `${OWN}${id}`,
                  label: `Шаблон «${name}»`,
                })),
              ]}
              value={way}
              onChange={(value) => setWay(value ?? WEEK)}
            />
          )}
          {way.startsWith(OWN) && (
            <ActionButton
              label="Удалить шаблон"
              variant="subtle"
              color="red"
              size="compact-sm"
              icon={IconTrash}
              style={{ alignSelf: 'flex-start' }}
              onClick={() => {
                removePattern.mutate(Number(way.slice(OWN.length)))
                setWay(WEEK)
              }}
            />
          )}
          {!absence && (rooms.data?.items.length ?? 0) > 0 && (
            <Select
              label="Кабинет"
              placeholder="Без кабинета"
              clearable
              searchable
              data={(rooms.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={idRoom === null ? null : String(idRoom)}
              onChange={(value) => setRoom(value === null ? null : Number(value))}
            />
          )}
          {!absence && way === WEEK && (
            <Chip.Group multiple value={days} onChange={setDays}>
              <HStack wrap gap={6} role="group" aria-label="Дни недели">
                {[0, 1, 2, 3, 4, 5, 6].map((day) => (
                  <Chip key={day} value={String(day)} size="sm" radius="sm">
                    {weekdayWord(plusDays('2024-01-01', day))}
                  </Chip>
                ))}
              </HStack>
            </Chip.Group>
          )}
          {!absence && !way.startsWith(OWN) && (
            <Tiles tile={150} fit gap={12}>
              <TimeField label="Начало" value={start} error={errorOf('times')} onChange={setStart} />
              <TimeField label="Конец" untilMidnight value={end} onChange={setEnd} />
            </Tiles>
          )}
          {!absence && !way.startsWith(OWN) && (
            <TextInput
              label="Запомнить как шаблон"
              description="Под этим названием его можно будет выбрать в следующий раз"
              maxLength={128}
              value={keptAs}
              error={errorOf('name')}
              onChange={(input) => setKeptAs(input.currentTarget.value)}
            />
          )}
          <FillPreview preview={preview} />
        </>
      )}
    </ActionDialog>
  )
}
