import { visitKinds } from '@ordinator/model/areas/catalogue/performer'
import { takesTime, visitStatuses } from '@ordinator/model/areas/visits/rules'
import { type EventType, eventTypes } from '@ordinator/model/areas/visits/shift'
import { plusDays } from '@ordinator/model/zone'
import type { GridColumn, GridGround, GridItem, GridPlace } from '#kit/dayGrid/grid.ts'
import { hoursOf, type Span, spanText } from '#kit/dayGrid/scale.ts'
import { type Day, type DayEvent, type DayGroup, type DayVisit, spanOf, startOf } from '../day.ts'
import { isExpected } from '../statuses.ts'
import type { Layer, Layers } from '../useLayers.ts'

/** A visit in the grid. */
export interface VisitItem extends GridItem {
  visit: DayVisit
  /** Expected, and its time has passed. */
  late: boolean
}

/** A group visit in the grid. */
export interface GroupItem extends GridItem {
  group: DayGroup
  /** Participants. */
  members: DayVisit[]
}

export type SheetItem = VisitItem | GroupItem

/** Meaning of columns: doctors of a day, its rooms, or days of a doctor. */
export type ColumnKind = 'doctors' | 'rooms' | 'days'

/** Key of the column without a room. */
export const NO_ROOM = '0'

/** Column of a visit, shift or hold. */
export const columnOf = (
  kind: ColumnKind,
  { idUser, idRoom, localDate }: { idUser: number; idRoom: number | null; localDate: string },
): string => (kind === 'doctors' ? String(idUser) : kind === 'rooms' ? String(idRoom ?? NO_ROOM) : localDate)

interface Now {
  today: string
  minute: number
}

/** True when a group can move: as a whole; cancelled participants are ignored. */
export function movesWhole(members: readonly DayVisit[], movable: (visit: DayVisit) => boolean): boolean {
  const coming = members.filter(({ visitStatus }) => takesTime(visitStatus))
  return coming.length > 0 && coming.every(movable)
}

/** Grid items of visits. @param movable true for visits that the user may move */
export function itemsOf(day: Day, kind: ColumnKind, now: Now, movable: (visit: DayVisit) => boolean): SheetItem[] {
  const members = Map.groupBy(day.visits, ({ idGroup }) => idGroup)
  const groups = day.groups.map((group): GroupItem => {
    const from = startOf(group)
    const span = { from, to: from + group.minutes }
    const own = members.get(group.id) ?? []
    return {
      // Negative, to differ from coupon ids.
      id: -group.id,
      column: columnOf(kind, group),
      ...span,
      name: [spanText(span), group.service, placesText(group)].join(', '),
      movable: movesWhole(own, movable),
      fixed: true,
      group,
      members: own,
    }
  })
  const grouped = new Set(day.groups.map(({ id }) => id))
  const single = day.visits.filter(({ idGroup }) => idGroup === null || !grouped.has(idGroup))
  const visits = single.map((visit): VisitItem => {
    const from = startOf(visit)
    const span = { from, to: from + visit.minutes }
    const late = isLate(visit, now)
    return {
      id: visit.id,
      column: columnOf(kind, visit),
      ...span,
      name: nameOf(visit, span, late),
      movable: movable(visit),
      visit,
      late,
    }
  })
  return [...visits, ...groups]
}

/** '3 из 8', with bookings in progress. */
export const placesText = ({ taken, capacity, held }: DayGroup): string =>
  `${taken} из ${capacity}${held > 0 ? `, записывают ${held}` : ''}`

/** True for an expected patient whose time has passed. */
export const isLate = (
  visit: Pick<DayVisit, 'visitStatus' | 'localDate' | 'localStart'>,
  { today, minute }: Now,
): boolean =>
  isExpected(visit.visitStatus) && (visit.localDate < today || (visit.localDate === today && startOf(visit) < minute))

/** Accessible label: time, patient, services, status. */
const nameOf = (visit: DayVisit, span: Span, late: boolean): string =>
  [
    spanText(span),
    visit.patient ?? 'Пациент',
    visit.services,
    visitStatuses[visit.visitStatus],
    late && 'опаздывает',
    visit.needsRebook && 'требует переноса',
    visit.overbooked && 'сверх расписания',
    visit.kind && visitKinds[visit.kind].toLowerCase(),
    paidWord(visit),
  ]
    .filter(Boolean)
    .join(', ')

const layerOf = {
  shift: 'shifts',
  block: 'shifts',
  vacation: 'absences',
  sick: 'absences',
  training: 'events',
  meeting: 'events',
} as const satisfies Record<EventType, Layer>

/** Visible layers of a day. Without the shift layer everything looks open, as closed times are unknown. */
export function layersOf(day: Day, shown: Layers): Day {
  return {
    ...day,
    events: day.events.filter(({ type }) => shown[layerOf[type]]),
    ...(!shown.special && { special: [] }),
    ...(!shown.visits && { visits: [], groups: [], holds: [] }),
  }
}

/** Open background for columns without displayed shifts. */
export const openGrounds = (columns: readonly { key: string }[]): GridGround[] =>
  columns.map(({ key }) => ({ key: `o${key}`, column: key, from: 0, to: 2 * 1_440, kind: 'open' }))

/**
 * Special days of the branch as the lowest layer: shifts on them stay open.
 * @param keys of the columns
 */
export const specialGrounds = (
  { special }: Pick<Day, 'special'>,
  kind: ColumnKind,
  keys: readonly string[],
): GridGround[] =>
  special.flatMap(({ date, reason, start, end }) => {
    const spans =
      start && end
        ? [
            { from: 0, to: spanOf({ localFrom: start, localTo: end }).from },
            { from: spanOf({ localFrom: start, localTo: end }).to, to: 1_440 },
          ]
        : [{ from: 0, to: 1_440 }]
    return keys
      .filter((key) => kind !== 'days' || key === date)
      .flatMap((column) =>
        spans
          .filter(({ from, to }) => from < to)
          .map((span) => ({
            key: `s${column} ${date} ${span.from}`,
            column,
            ...span,
            kind: 'off' as const,
            word: reason,
          })),
      )
  })

/** Background: shifts as open, other events as closed with a label, and holds. */
export function groundsOf(day: Day, kind: ColumnKind): GridGround[] {
  const events = day.events.flatMap((event): GridGround[] => {
    const isShift = event.type === 'shift'
    // An absence has no room: ignored in columns of rooms.
    if (kind === 'rooms' && (!isShift || event.idRoom === null)) return []
    return [
      {
        key: `e${event.id} ${event.localDate}`,
        column: columnOf(kind, event),
        ...spanOf(event),
        kind: isShift ? 'open' : 'shut',
        word: isShift ? undefined : wordOf(event),
      },
    ]
  })
  const holds = day.holds.map((hold): GridGround => {
    const from = startOf(hold)
    return {
      key: `h${hold.id}`,
      column: columnOf(kind, hold),
      from,
      to: from + hold.minutes,
      kind: 'hold',
      word: hold.mine ? 'Вы записываете' : hold.author ? `Записывает ${hold.author}` : 'Предложено из листа ожидания',
    }
  })
  return [...events.sort((a, b) => Number(a.kind === 'shut') - Number(b.kind === 'shut')), ...holds]
}

const wordOf = ({ type, comment }: DayEvent): string => (comment ? `${eventTypes[type]}: ${comment}` : eventTypes[type])

/** Splits events that span midnight into both days; only parts on the given days are kept. */
export function byDays(events: readonly DayEvent[], days: readonly string[]): DayEvent[] {
  return events
    .flatMap((event): DayEvent[] => {
      if (event.localTo > event.localFrom) return [event]
      const next = { ...event, localDate: plusDays(event.localDate, 1), localFrom: '00:00' }
      return [{ ...event, localTo: '24:00' }, ...(event.localTo > '00:00' ? [next] : [])]
    })
    .filter(({ localDate }) => days.includes(localDate))
}

/** True when a column is open at a minute; gaps shorter than any service do not count. */
export const isOpen = (grounds: readonly GridGround[], column: string, minute: number): boolean => {
  const here = grounds.filter(
    (one) => one.kind !== 'off' && one.column === column && one.from <= minute && one.to > minute,
  )
  return here.some(({ kind }) => kind === 'open') && here.every(({ kind }) => kind === 'open')
}

/** Minutes of shifts, minus closed times, and of visits that take time. */
export interface Load {
  shift: number
  booked: number
}

/** Load by column. */
export function loadsOf(day: Pick<Day, 'events' | 'visits' | 'groups'>, kind: ColumnKind): Map<string, Load> {
  const loads = new Map<string, Load>()
  const at = (column: string): Load => {
    const load = loads.get(column) ?? { shift: 0, booked: 0 }
    loads.set(column, load)
    return load
  }
  const shifts = day.events.filter(({ type }) => type === 'shift')
  for (const shift of shifts) {
    const shut = day.events.filter(
      ({ type, idUser, localDate }) => type !== 'shift' && idUser === shift.idUser && localDate === shift.localDate,
    )
    at(columnOf(kind, shift)).shift += minutesLess(spanOf(shift), shut.map(spanOf))
  }
  // A group time counts once.
  const single = day.visits.filter(({ idGroup, visitStatus }) => idGroup === null && takesTime(visitStatus))
  for (const one of [...single, ...day.groups]) at(columnOf(kind, one)).booked += one.minutes
  return loads
}

/** Minutes of an interval not covered by the others. */
export function minutesLess({ from, to }: Span, others: readonly Span[]): number {
  let free = 0
  let at = from
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.from > at) free += Math.min(other.from, to) - at
    at = Math.max(at, Math.min(to, other.to))
    if (at >= to) break
  }
  return free + Math.max(0, to - at)
}

/** Whole percent; undefined without a shift, which is not 0 %. */
export const percentOf = (load: Load | undefined): number | undefined =>
  load && load.shift > 0 ? Math.round((load.booked / load.shift) * 100) : undefined

/** Displayed interval of the day: all its events, else the branch's hours, else a default working day. */
export function spanShown(day: Day): Span {
  const spans = [
    ...day.events.filter(({ type }) => type === 'shift').map(spanOf),
    ...day.visits.map((visit) => ({ from: startOf(visit), to: startOf(visit) + visit.minutes })),
    ...day.holds.map((hold) => ({ from: startOf(hold), to: startOf(hold) + hold.minutes })),
  ]
  const [hours] = day.hours
  const usual = hours ? spanOf({ localFrom: hours.start, localTo: hours.end }) : { from: 480, to: 1_200 }
  return hoursOf(spans, usual)
}

/** First visible minute today: an hour before now, with at least an hour of the sheet. */
export const firstSeen = ({ from, to }: Span, minute: number): number => Math.max(from, Math.min(minute, to) - 60)

/** Payment state of a visit; undefined if nothing is due, or without the right. */
export function paidWord({
  due,
  paid,
  visitStatus,
}: Pick<DayVisit, 'due' | 'paid' | 'visitStatus'>): 'оплачено' | 'не оплачено' | undefined {
  if (due === null || due === 0 || !takesTime(visitStatus)) return undefined
  return (paid ?? 0) >= due ? 'оплачено' : 'не оплачено'
}

const folded = (text: string): string => text.toLocaleLowerCase('ru').replaceAll('ё', 'е')

/** True when a visit matches the search, by part of the name or digits of the phone. */
export function isSought({ patient, phone }: Pick<DayVisit, 'patient' | 'phone'>, text: string): boolean {
  const asked = folded(text.trim())
  const digits = asked.replace(/\D/g, '')
  return folded(patient ?? '').includes(asked) || (digits.length > 2 && (phone ?? '').includes(digits))
}

/** Dims the items that do not match the search. */
export function soughtOf(items: SheetItem[], text: string): SheetItem[] {
  if (!text.trim()) return items
  const isHere = (item: SheetItem) => ('visit' in item ? [item.visit] : item.members).some((one) => isSought(one, text))
  return items.map((item) => (isHere(item) ? item : { ...item, dim: true }))
}

const meets = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to
const spanOfVisit = (visit: Pick<DayVisit, 'localStart' | 'minutes'>): Span => ({
  from: startOf(visit),
  to: startOf(visit) + visit.minutes,
})

/** Why a visit or a group (negative id) cannot move to a place, as far as the loaded day shows. */
export function refusalOf(day: Day, kind: ColumnKind, id: number, place: GridPlace): string | undefined {
  const visit = day.visits.find((one) => one.id === id)
  const group = day.groups.find((one) => one.id === -id)
  const thing = visit ?? group
  if (!thing) return undefined
  const idUser = kind === 'doctors' ? Number(place.column) : thing.idUser
  const localDate = kind === 'days' ? place.column : thing.localDate
  const idRoom = kind === 'rooms' ? Number(place.column) || null : null
  const performs = new Map(day.performs.map((one) => [one.idService, one.idUsers]))
  const idServices = visit?.idServices ?? (group ? [group.idService] : [])
  // Services of a group without visits are unknown.
  if (idServices.some((one) => performs.has(one) && !performs.get(one)?.includes(idUser))) return 'не оказывает услугу'
  const events = day.events.filter((one) => one.idUser === idUser && one.localDate === localDate)
  if (events.some((one) => one.type !== 'shift' && meets(spanOf(one), place))) return 'врач отсутствует'
  const within = (one: DayEvent) => spanOf(one).from <= place.from && spanOf(one).to >= place.to
  if (!events.some((one) => one.type === 'shift' && within(one))) return 'вне смены'
  const others = [
    ...day.visits.filter(
      (one) =>
        one.id !== id &&
        takesTime(one.visitStatus) &&
        (one.idGroup === null || !day.groups.some((g) => g.id === one.idGroup)),
    ),
    ...day.groups.filter((one) => one.id !== -id),
    ...day.holds.filter(({ mine }) => !mine),
  ].filter((one) => one.localDate === localDate && meets(spanOfVisit(one), place))
  if (others.some((one) => one.idUser === idUser)) return 'занято'
  const room = day.rooms.find((one) => one.id === idRoom)
  if (room && others.filter((one) => one.idRoom === room.id).length >= room.capacity) return 'кабинет занят'
  return undefined
}

/** Gaps in shifts shorter than the doctor's shortest service. */
export function shortGrounds(day: Day): GridGround[] {
  return day.doctors.flatMap(({ idUser, shortest }) => {
    if (!shortest) return []
    const column = String(idUser)
    const mine = (one: { idUser: number }) => one.idUser === idUser
    const taken = [
      ...day.visits.filter((one) => mine(one) && takesTime(one.visitStatus)).map(spanOfVisit),
      ...day.groups.filter(mine).map(spanOfVisit),
      ...day.holds.filter(mine).map(spanOfVisit),
      ...day.events.filter((one) => mine(one) && one.type !== 'shift').map(spanOf),
    ]
    return day.events
      .filter((one) => mine(one) && one.type === 'shift')
      .flatMap((shift) => restOf(spanOf(shift), taken))
      .filter(({ from, to }) => to - from < shortest)
      .map((span) => ({ key: `n${column} ${span.from}`, column, ...span, kind: 'short' as const }))
  })
}

/** Parts of an interval not covered by the others. */
function restOf({ from, to }: Span, others: readonly Span[]): Span[] {
  const rest: Span[] = []
  let at = from
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.from > at && at < to) rest.push({ from: at, to: Math.min(other.from, to) })
    at = Math.max(at, other.to)
  }
  if (at < to) rest.push({ from: at, to })
  return rest
}

/** Hour at which the column's shift begins, else that of the sheet. */
export function firstHour(day: Day, kind: ColumnKind, column: string | undefined): number {
  const shifts = day.events.filter((one) => one.type === 'shift' && columnOf(kind, one) === column)
  return shifts.length > 0 ? Math.min(...shifts.map((one) => spanOf(one).from)) : spanShown(day).from
}

/** Index of the column working now; otherwise of the first to begin. */
export function workingColumn(day: Day, kind: ColumnKind, columns: readonly GridColumn[], now: Now): number {
  const at = (one: DayEvent) => columns.findIndex(({ key }) => key === columnOf(kind, one))
  const shifts = day.events
    .filter((one) => one.type === 'shift' && at(one) >= 0)
    .sort((a, b) => spanOf(a).from - spanOf(b).from || at(a) - at(b))
  const isNow = (one: DayEvent) =>
    one.localDate === now.today && spanOf(one).from <= now.minute && spanOf(one).to > now.minute
  const best = shifts.find(isNow) ?? shifts.find((one) => one.localDate !== now.today || spanOf(one).from > now.minute)
  return Math.max(0, best ? at(best) : 0)
}
