/** Doubts about visits to come: another visit of the doctor or in the room at the time, no shift, a closed day. */
import { clockOf, minutesOf } from '@ordinator/model/areas/visits/clock'
import sql, { raw } from 'sql-template-tag'
import { plainName, readDay } from '#areas/imports/index.ts'
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
  const { tx, file } = context
  const texts = [...new Set(groups.flatMap(({ rows }) => rows.map(({ cells }) => cells.Дата ?? '')))]
  const days = [...new Set(texts.flatMap((text) => readDay(text) ?? []))]
  const doctors = new Map(
    groups.flatMap(({ rows }) => rows.map(({ row, cells }) => [row, plainName(cells.Врач ?? '')])),
  )
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
  /** Rows of the file by doctor and day. */
  const takenTimes = new Map<string, Taken[]>()
  for (const { row, day, time, doctor, minutes, status } of rows) {
    const start = clockIn(time) ?? clockIn(day)
    if (!start || (pastStatusOf(status) ?? 'held') !== 'held') continue
    const key = `${plainName(doctor)} ${readDay(day)}`
    const from = minutesOf(start) as number
    takenTimes.set(key, [
      ...(takenTimes.get(key) ?? []),
      { row, from, to: from + (Number.parseInt(minutes, 10) || USUAL) },
    ])
  }
  const visits = await tx.query<{
    id: number
    idUser: number
    idRoom: number | null
    day: string
    from: string
    minutes: number
  }>(sql`
    select a."id"::int as id, c."idUser"::int as "idUser", c."idRoom"::int as "idRoom", to_char(c."localDate", 'YYYY-MM-DD') as day, c."localStart" as from,
      c."minutes"
    from coupons c join appointments a on a."id" = c."idAppointment"
    where c."localDate" = any (${days}::date[]) and not c."cancelled" and not c."deleted" and not a."deleted"
      and a."visitStatus" not in ('cancelled', 'moved', 'noShow')`)
  const rooms = new Map(
    (
      await tx.query<{ id: number; name: string; capacity: number }>(
        sql`select "id"::int as id, "name", "capacity" from filials_rooms where not "deleted"`,
      )
    ).map((one) => [one.id, one]),
  )
  /** Rooms that the file's own rows take, by room and day, as they are gone through. */
  const inRooms = new Map<string, Taken[]>()
  const shifts = await tx.query<{
    idUser: number
    idFilial: number
    idRoom: number | null
    day: string
    from: string
    to: string
  }>(sql`
    select "idUser"::int as "idUser", "idFilial"::int as "idFilial", "idRoom"::int as "idRoom", to_char("localDate", 'YYYY-MM-DD') as day,
      "localFrom" as from, "localTo" as to
    from staff_events where "type" = 'shift' and "localDate" = any (${days}::date[]) and not "deleted"`)
  const closed = await tx.query<{ idFilial: number; day: string; reason: string }>(sql`
    select "idFilial"::int as "idFilial", to_char("day", 'YYYY-MM-DD') as day, "reason" from filials_holidays
    where "day" = any (${days}::date[]) and coalesce("start", '') = '' and not "deleted"`)
  return {
    of(row, { idUser, idFilial, localDate, localStart, idRoom, minutes = USUAL }, idOwn) {
      const from = minutesOf(localStart) as number
      const to = from + minutes
      const reasons: string[] = []
      const above = (takenTimes.get(`${doctors.get(row)} ${localDate}`) ?? []).find(
        (one) => one.row < row && one.from < to && from < one.to,
      )
      const there = visits.find((one) => {
        const start = minutesOf(one.from) as number
        return (
          one.id !== idOwn && one.idUser === idUser && one.day === localDate && start < to && from < start + one.minutes
        )
      })
      if (above) reasons.push(`у врача в это время запись из строки ${above.row}`)
      else if (there) reasons.push(`у врача уже есть запись в ${there.from}`)
      const day = closed.find((one) => one.idFilial === idFilial && one.day === localDate)
      if (day) reasons.push(`филиал в этот день закрыт: ${day.reason}`)
      const shift = shifts.find((one) => {
        const end = minutesOf(one.to) as number
        const start = minutesOf(one.from) as number
        return (
          one.idUser === idUser &&
          one.idFilial === idFilial &&
          one.day === localDate &&
          start <= from &&
          (end <= start || to <= end)
        )
      })
      if (!day && !shift) reasons.push(`${clockOf(from)} — вне смен врача`)
      const room = rooms.get(idRoom ?? shift?.idRoom ?? 0)
      if (!room) return reasons
      const key = `${room.id} ${localDate}`
      const inFile = (inRooms.get(key) ?? []).filter((one) => one.row !== row && one.from < to && from < one.to)
      inRooms.set(key, [...(inRooms.get(key) ?? []), { row, from, to }])
      // The doctor's own overlaps are reported above.
      const others = visits.filter((one) => {
        const start = minutesOf(one.from) as number
        return (
          one.id !== idOwn &&
          one.idRoom === room.id &&
          one.idUser !== idUser &&
          one.day === localDate &&
          start < to &&
          from < start + one.minutes
        )
      })
      const besides = inFile.filter((one) => doctors.get(one.row) !== doctors.get(row))
      if (others.length + besides.length >= room.capacity)
        reasons.push(
          besides[0]
            ? `кабинет «${room.name}» в это время занят записью из строки ${besides[0].row}`
            : `кабинет «${room.name}» в это время занят записью в ${others[0]?.from}`,
        )
      return reasons
    },
  }
}
