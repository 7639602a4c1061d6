import { useMediaQuery } from '@mantine/hooks'
import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { plusDays, zoneFor } from '@ordinator/model/zone'
import { IconCalendarOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useActor } from '#base/session.ts'
import { zoneNow } from '#kit/clock.ts'
import { DayGrid } from '#kit/dayGrid/DayGrid.tsx'
import type { GridColumn, GridPlace } from '#kit/dayGrid/grid.ts'
import { clockOf } from '#kit/dayGrid/scale.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { HStack } from '#kit/Stacks.tsx'
import type { CalendarAddress, SetCalendarAddress } from '../address.ts'
import { BookingHost } from '../booking/BookingHost.tsx'
import type { BookingStart } from '../booking/booking.ts'
import classes from '../Calendar.module.css'
import { type Day, type DayVisit, mondayOf, specialWords, useWallNow, weekOf } from '../day.ts'
import { NoShifts } from '../NoShifts.tsx'
import { DayPrint } from '../print/DayPrint.tsx'
import { useScheduleRights } from '../rights.ts'
import { useDay } from '../useDay.ts'
import { useLayers } from '../useLayers.ts'
import { useStep } from '../useStep.ts'
import { useVisitActs } from '../visit/acts/useVisitActs.ts'
import { GroupPanel } from '../visit/GroupPanel.tsx'
import { MoveDialog } from '../visit/MoveDialog.tsx'
import { SheetFace } from '../visit/VisitFace.tsx'
import { SheetHint } from '../visit/VisitHint.tsx'
import { type MenuAt, VisitMenu } from '../visit/VisitMenu.tsx'
import { GridSkeleton } from './GridSkeleton.tsx'
import { ColumnSwitch, DoctorSelect } from './Switches.tsx'
import {
  byDays,
  type ColumnKind,
  columnOf,
  firstHour,
  firstSeen,
  groundsOf,
  isOpen,
  isSought,
  itemsOf,
  layersOf,
  openGrounds,
  refusalOf,
  shortGrounds,
  soughtOf,
  spanShown,
  specialGrounds,
  workingColumn,
} from './sheet.ts'
import { TaskMarks } from './TaskMarks.tsx'
import { useSheetColumns } from './useSheetColumns.tsx'
import { marksOf, useTasks } from './useTasks.ts'

interface Props {
  filial: Pick<Row<typeof Filial>, 'id' | 'timeZone'>
  day: string
  address: CalendarAddress
  setAddress: SetCalendarAddress
  /** Part of a patient's name or phone. */
  sought: string
}

/** The grid: a day by doctors or rooms, or a doctor's week. */
export function DayView({ filial, day, address, setAddress, sought }: Props) {
  const actor = useActor()
  const isWeek = address.view === 'week'
  const monday = mondayOf(day)
  // The doctor is chosen among those of the branch's week.
  const week = useDay(
    isWeek ? { idFilial: filial.id, date: monday, to: plusDays(monday, 6), cancelled: address.cancelled } : undefined,
  )
  const single = useDay(isWeek ? undefined : { idFilial: filial.id, date: day, cancelled: address.cancelled })
  const answer = isWeek ? week : single
  const idUser =
    address.user ??
    answer.data?.doctors.find((doctor) => doctor.idUser === actor.id)?.idUser ??
    answer.data?.doctors[0]?.idUser
  if (answer.isError && !answer.data)
    return (
      <ErrorState
        title="Расписание не загрузилось"
        error={answer.error}
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      />
    )
  if (!answer.data) return <GridSkeleton />
  if (answer.data.doctors.length === 0)
    return (
      <NoShifts
        idFilial={filial.id}
        after={isWeek ? plusDays(monday, 6) : day}
        when={isWeek ? 'На этой неделе' : 'В этот день'}
        special={isWeek ? undefined : answer.data.special[0]}
        onDay={(next, idFilial) => setAddress({ day: next, filial: idFilial })}
        onMake={() => setAddress({ view: 'shifts' })}
      />
    )
  return (
    <Sheet
      day={day}
      data={isWeek ? ofDoctor(answer.data, idUser) : answer.data}
      doctors={answer.data.doctors}
      idUser={isWeek ? idUser : undefined}
      busy={answer.isFetching}
      filial={filial}
      address={address}
      setAddress={setAddress}
      sought={sought}
    />
  )
}

const ofDoctor = (day: Day, idUser: number | undefined): Day => ({
  ...day,
  events: day.events.filter((one) => one.idUser === idUser),
  visits: day.visits.filter((one) => one.idUser === idUser),
  groups: day.groups.filter((one) => one.idUser === idUser),
  holds: day.holds.filter((one) => one.idUser === idUser),
})

/** Tasks beside the columns of doctors, or of a doctor's days; not for rooms. */
function useMarks(kind: ColumnKind, data: Day, day: string, idUser: number | undefined, on: boolean) {
  const timeZone = data.timeZone
  const idUsers = useMemo(
    () => (kind === 'rooms' ? [] : kind === 'days' ? [idUser as number] : data.doctors.map((doctor) => doctor.idUser)),
    [kind, idUser, data.doctors],
  )
  const days = kind === 'days' ? weekOf(day) : [day]
  const tasks = useTasks({ idUsers, from: days[0] as string, to: days.at(-1) as string, timeZone }, on)
  return useMemo(
    () => (on ? marksOf(tasks, idUsers, timeZone, (id, date) => (kind === 'days' ? date : String(id))) : noMarks),
    [on, tasks, idUsers, timeZone, kind],
  )
}
const noMarks: never[] = []

interface PlacesOf {
  data: Day
  kind: ColumnKind
  day: string
  idUser: number | undefined
  acts: ReturnType<typeof useVisitActs>
  setBooking: (start: BookingStart) => void
}

/** Moves a visit or a group to a place of the grid, and books at one. */
function placesOf({ data, kind, day, idUser, acts, setBooking }: PlacesOf) {
  const move = (id: number, place: GridPlace) => {
    const visit = data.visits.find((one) => one.id === id)
    const group = data.groups.find((one) => one.id === -id)
    const thing = visit ?? group
    if (!thing) return
    const to = {
      idUser: kind === 'doctors' ? Number(place.column) : thing.idUser,
      idRoom: kind === 'rooms' ? Number(place.column) || null : thing.idRoom,
      localDate: kind === 'days' ? place.column : thing.localDate,
      localStart: clockOf(place.from),
      minutes: place.to - place.from,
    }
    if (visit) void acts.move(visit, to)
    else if (group) void acts.moveGroup(group, to)
  }
  const book = (column: string, minute: number) => {
    const shift = data.events.find((one) => one.type === 'shift' && columnOf(kind, one) === column)
    setBooking({
      day: kind === 'days' ? column : day,
      localStart: clockOf(minute),
      idUser: kind === 'doctors' ? Number(column) : (idUser ?? shift?.idUser),
      idRoom: kind === 'rooms' ? Number(column) || null : undefined,
    })
  }
  return { move, book }
}

interface DrawnOf {
  data: Day
  kind: ColumnKind
  columns: GridColumn[]
  sought: string
  now: { today: string; minute: number }
}

/** What the chosen layers show: visits, and the grounds under them. */
function useDrawn({ data, kind, columns, sought, now: { today, minute } }: DrawnOf) {
  const rights = useScheduleRights()
  const [layers] = useLayers()
  const drawn = useMemo(() => layersOf(data, layers), [data, layers])
  const items = useMemo(
    () => soughtOf(itemsOf(drawn, kind, { today, minute }, rights.moves), sought),
    [drawn, kind, today, minute, rights.moves, sought],
  )
  const grounds = useMemo(
    () => [
      ...(layers.shifts ? [] : openGrounds(columns)),
      ...specialGrounds(
        drawn,
        kind,
        columns.map(({ key }) => key),
      ),
      ...groundsOf(drawn, kind),
      ...(kind === 'doctors' ? shortGrounds(drawn) : []),
    ],
    [drawn, kind, layers.shifts, columns],
  )
  return { layers, drawn, items, grounds }
}

interface SheetProps extends Props {
  data: Day
  doctors: Day['doctors']
  /** Doctor of the week. */
  idUser: number | undefined
  busy: boolean
}

function Sheet({ filial, day, data: answer, doctors, idUser, busy, address, setAddress, sought }: SheetProps) {
  const rights = useScheduleRights()
  const acts = useVisitActs()
  const [{ step, whole }] = useStep()
  const now = useWallNow(answer.timeZone || zoneFor(zoneNow(), filial.timeZone))
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [menu, setMenu] = useState<MenuAt>()
  const [moving, setMoving] = useState<DayVisit>()
  const [booking, setBooking] = useState<BookingStart>()
  const [picked, setPicked] = useState<number>()
  const kind: ColumnKind = idUser !== undefined ? 'days' : address.by === 'rooms' ? 'rooms' : 'doctors'

  const data = useMemo(
    () => ({ ...answer, events: byDays(answer.events, kind === 'days' ? weekOf(day) : [day]) }),
    [answer, kind, day],
  )
  const all = useSheetColumns({ data, kind, day, today: now.today, wanted: address.doctors?.join() })
  // On a phone only one column is shown.
  const [first] = all
  const found = useMemo(() => data.visits.filter((visit) => isSought(visit, sought)), [data, sought])
  const foundAt =
    sought.trim() && found[0] ? all.findIndex(({ key }) => key === columnOf(kind, found[0] as DayVisit)) : -1
  // Default column: the one working now, else the first to begin.
  const firstAt = workingColumn(data, kind, all, now)
  const at = Math.min(foundAt >= 0 ? foundAt : (picked ?? firstAt), Math.max(0, all.length - 1))
  const columns = useMemo(() => (narrow && first ? [all[at] as GridColumn] : all), [narrow, first, all, at])
  const { today, minute } = now
  const { layers, drawn, items, grounds } = useDrawn({ data, kind, columns, sought, now: { today, minute } })
  const marks = useMarks(kind, data, day, idUser, layers.tasks)
  const scale = useMemo(() => ({ ...spanShown(data), step }), [data, step])
  const isToday = kind === 'days' ? weekOf(day).includes(now.today) : day === now.today

  // Fixed while the day is shown: passing time must not scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another day alone
  const start = useMemo(
    () => (isToday ? firstSeen(scale, now.minute) : narrow ? firstHour(data, kind, columns[0]?.key) : scale.from),
    [day, kind, isToday, narrow, columns[0]?.key],
  )

  const visitOf = (id: number) => data.visits.find((visit) => visit.id === id)
  const open = (visit: DayVisit) => setAddress({ visit: visit.idAppointment, group: undefined })
  const openGroup = (id: number) => id < 0 && setAddress({ group: -id, visit: undefined })
  const { move, book } = placesOf({ data, kind, day, idUser, acts, setBooking })
  return (
    <div className={classes.area}>
      {kind === 'days' && (
        <HStack>
          <DoctorSelect doctors={doctors} idUser={idUser} onChange={(user) => setAddress({ user })} />
        </HStack>
      )}
      {narrow && all.length > 1 && <ColumnSwitch columns={all} at={at} onChange={setPicked} />}
      {kind !== 'days' && drawn.special[0] && (
        <HStack gap={6} className={classes.special}>
          <IconCalendarOff size={16} aria-hidden />
          {specialWords(drawn.special[0])}
        </HStack>
      )}
      <div className={classes.grid} aria-busy={busy || undefined}>
        <DayGrid
          label="Сетка записей"
          scale={scale}
          columns={columns}
          grounds={grounds}
          items={items}
          face={SheetFace}
          hint={SheetHint}
          marks={marks}
          mark={TaskMarks}
          now={isToday ? { minute: now.minute, column: kind === 'days' ? now.today : undefined } : undefined}
          start={start}
          whole={whole}
          sought={sought.trim() ? found[0]?.id : undefined}
          refuses={(id, place) => refusalOf(data, kind, id, place)}
          freeWord={(column, minute) => (isOpen(grounds, column, minute) ? 'свободно' : 'нет приёма')}
          onFree={rights.book ? book : undefined}
          onOpen={(id) => {
            const visit = visitOf(id)
            if (visit) open(visit)
            else openGroup(id)
          }}
          onMenu={(id, rect) => {
            const visit = visitOf(id)
            if (visit) setMenu({ visit, rect })
            else openGroup(id)
          }}
          onMove={rights.edit ? move : undefined}
        />
      </div>
      <VisitMenu
        at={menu}
        today={now.today}
        acts={acts}
        onOpen={open}
        onMove={setMoving}
        onClose={() => setMenu(undefined)}
      />
      {address.group !== undefined && (
        <GroupPanel
          id={address.group}
          data={data}
          today={now.today}
          acts={acts}
          onOpen={open}
          onBook={setBooking}
          onClose={() => setAddress({ group: undefined })}
        />
      )}
      {moving && <MoveDialog visit={moving} doctors={doctors} acts={acts} onClose={() => setMoving(undefined)} />}
      {booking && <BookingHost filial={filial} start={booking} onClose={() => setBooking(undefined)} />}
      {acts.dialog}
      <DayPrint data={data} day={day} columns={kind === 'doctors' ? columns : all} kind={kind} />
    </div>
  )
}
