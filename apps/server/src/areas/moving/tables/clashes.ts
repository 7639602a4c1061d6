/** Doubts about visits to come: another visit of the doctor or in the room at the time, no shift, a closed day. */
import { clockOf, minutesOf } from '@ordinator/model/areas/visits/clock'
import sql, { raw } from 'sql-template-tag'
import { takesTimeSql } from '#areas/counted/index.ts'
import { plainName, readDay } from '#areas/imports/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Group, MovingContext } from '../table.ts'
import { clockIn, pastStatusOf } from './words.ts'

/** Minutes of a visit of unknown length. */
const USUAL = 30

interface Planned {
  idUser: number
  idFilial: number
  localDate: string
  localStart: string
  /** Absent: that of the shift. */
  idRoom?: number | undefined
  minutes?: number | undefined
}

export interface Clashes {
  /** @param idOwn the visit that the row changes @returns reasons in words */
  of(row: number, visit: Planned, idOwn: number | undefined): string[]
}

interface Taken {
  row: number
  from: number
  to: number
}

/** Loads shifts, visits and the file's own rows of the days of a portion. */
export async function openClashes(context: MovingContext, groups: readonly Group[]): Promise<Clashes> {
  const { tx } = context
  const texts = [...new Set(groups.flatMap(({ rows }) => rows.map(({ cells }) => cells.Дата ?? '')))]
  const days = [...new Set(texts.flatMap((text) => readDay(text) ?? []))]
  const doctors = new Map(
    groups.flatMap(({ rows }) => rows.map(({ row, cells }) => [row, plainName(cells.Врач ?? '')])),
  )
  const inFile = await rowsOf(context, texts)
  const visits = await visitsOf(tx, days)
  const rooms = await roomsOf(tx)
  const shifts = await shiftsOf(tx, days)
  const closed = await closedDaysOf(tx, days)
  /** Rooms that the file's own rows take, by room and day, as they are gone through. */
  const inRooms = new Map<string, Taken[]>()
  /** Why the doctor has no time: another row above, or a visit. */
  const busyDoctor = (row: number, time: Time, idOwn: number | undefined): string | undefined => {
    const above = (inFile.get(`${doctors.get(row)} ${time.localDate}`) ?? []).find(
      (one) => one.row < row && overlap(one, time),
    )
    if (above) return `у врача в это время запись из строки ${above.row}`
    const there = visits.find((one) => one.id !== idOwn && one.idUser === time.idUser && isAt(one, time))
    return there && `у врача уже есть запись в ${there.from}`
  }
  /** Why the room has no place; the doctor's own overlaps are reported by `busyDoctor`. */
  const busyRoom = (row: number, room: Room, time: Time, idOwn: number | undefined): string | undefined => {
    const key = `${room.id} ${time.localDate}`
    const { from, to } = time
    const rows = inRooms.get(key) ?? []
    inRooms.set(key, [...rows, { row, from, to }])
    const besides = rows.filter(
      (one) => one.row !== row && overlap(one, time) && doctors.get(one.row) !== doctors.get(row),
    )
    const others = visits.filter(
      (one) => one.id !== idOwn && one.idRoom === room.id && one.idUser !== time.idUser && isAt(one, time),
    )
    if (others.length + besides.length < room.capacity) return undefined
    return besides[0]
      ? `кабинет «${room.name}» в это время занят записью из строки ${besides[0].row}`
      : `кабинет «${room.name}» в это время занят записью в ${others[0]?.from}`
  }
  return {
    of(row, { idUser, idFilial, localDate, localStart, idRoom, minutes = USUAL }, idOwn) {
      const from = minutesOf(localStart) as number
      const time = { idUser, localDate, from, to: from + minutes }
      const day = closed.find((one) => one.idFilial === idFilial && one.day === localDate)
      const shift = shifts.find((one) => one.idFilial === idFilial && covers(one, time))
      const room = rooms.get(idRoom ?? shift?.idRoom ?? 0)
      return [
        busyDoctor(row, time, idOwn),
        day && `филиал в этот день закрыт: ${day.reason}`,
        !day && !shift && `${clockOf(from)} — вне смен врача`,
        room && busyRoom(row, room, time, idOwn),
      ].filter((reason) => typeof reason === 'string')
    },
  }
}

/** A planned time in minutes of its day. */
interface Time {
  idUser: number
  localDate: string
  from: number
  to: number
}

interface Range {
  from: number
  to: number
}
const overlap = (one: Range, other: Range): boolean => one.from < other.to && other.from < one.to

const isAt = ({ day, from, minutes }: Visit, time: Time): boolean => {
  const start = minutesOf(from) as number
  return day === time.localDate && overlap({ from: start, to: start + minutes }, time)
}

/** The doctor's shift of the day has the whole time; one that ends before it begins goes on after midnight. */
const covers = ({ idUser, day, from, to }: Shift, time: Time): boolean => {
  const [start, end] = [minutesOf(from) as number, minutesOf(to) as number]
  return idUser === time.idUser && day === time.localDate && start <= time.from && (end <= start || time.to <= end)
}

/** Rows of the file that take time, by doctor and day. @param texts of the day's column */
async function rowsOf({ tx, file }: MovingContext, texts: readonly string[]): Promise<Map<string, Taken[]>> {
  const cell = (name: string) => {
    const at = file.mapping[name]
    return at === undefined ? raw(`''`) : raw(`coalesce(r."cells"->>${at}, '')`)
  }
  const rows = await tx.query<{
    row: number
    day: string
    time: string
    doctor: string
    minutes: string
    status: string
  }>(sql`
    select r."row", ${cell('Дата')} as day, ${cell('Время')} as time, ${cell('Врач')} as doctor,
      ${cell('Длительность, мин')} as minutes, ${cell('Состояние')} as status
    from moving_rows r where r."idFile" = ${file.id} and btrim(${cell('Дата')}) = any (${texts.map((one) => one.trim())}::text[])`)
  const taken = new Map<string, Taken[]>()
  for (const { row, day, time, doctor, minutes, status } of rows) {
    const start = clockIn(time) ?? clockIn(day)
    if (!start || (pastStatusOf(status) ?? 'held') !== 'held') continue
    const key = `${plainName(doctor)} ${readDay(day)}`
    const from = minutesOf(start) as number
    taken.set(key, [...(taken.get(key) ?? []), { row, from, to: from + (Number.parseInt(minutes, 10) || USUAL) }])
  }
  return taken
}

interface Visit {
  id: number
  idUser: number
  idRoom: number | null
  day: string
  from: string
  minutes: number
}

const visitsOf = (tx: Tx, days: readonly string[]): Promise<Visit[]> =>
  tx.query<Visit>(sql`
    select a."id"::int as id, c."idUser"::int as "idUser", c."idRoom"::int as "idRoom", to_char(c."localDate", 'YYYY-MM-DD') as day, c."localStart" as from,
      c."minutes"
    from coupons c join appointments a on a."id" = c."idAppointment"
    where c."localDate" = any (${days}::date[]) and ${takesTimeSql}`)

interface Room {
  id: number
  name: string
  capacity: number
}

const roomsOf = async (tx: Tx): Promise<Map<number, Room>> => {
  const rooms = await tx.query<Room>(
    sql`select "id"::int as id, "name", "capacity" from filials_rooms where not "deleted"`,
  )
  return new Map(rooms.map((one) => [one.id, one]))
}

interface Shift {
  idUser: number
  idFilial: number
  idRoom: number | null
  day: string
  from: string
  to: string
}

const shiftsOf = (tx: Tx, days: readonly string[]): Promise<Shift[]> =>
  tx.query<Shift>(sql`
    select "idUser"::int as "idUser", "idFilial"::int as "idFilial", "idRoom"::int as "idRoom", to_char("localDate", 'YYYY-MM-DD') as day,
      "localFrom" as from, "localTo" as to
    from staff_events where "type" = 'shift' and "localDate" = any (${days}::date[]) and not "deleted"`)

const closedDaysOf = (tx: Tx, days: readonly string[]) =>
  tx.query<{ idFilial: number; day: string; reason: string }>(sql`
    select "idFilial"::int as "idFilial", to_char("day", 'YYYY-MM-DD') as day, "reason" from filials_holidays
    where "day" = any (${days}::date[]) and coalesce("start", '') = '' and not "deleted"`)
