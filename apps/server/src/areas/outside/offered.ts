/** Current offer of a channel: branch, doctors, services with prices, and every time, free or taken. */
import { clockOf, minutesOf } from '@ordinator/model/areas/visits/clock'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { takesTimeSql } from '#areas/counted/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import { bookedPriceSql, type GridTime, onlineDays, onlineGrid, USUAL_MINUTES } from '#areas/visits/index.ts'
import type { Queryable } from '#platform/db.ts'
import { daysOf } from './book.ts'
import { type Channel, outerNameSql, simplestSql, soldSql } from './channels.ts'

const MOST_PAIRS = 5_000

interface OfferedDoctor {
  id: number
  surname: string
  name: string
  middleName: string
  fio: string
  speciality: string | null
  /** The simplest service that they give: sellers who name a doctor alone book it. */
  idService: number
  services: number[]
}

interface OfferedService {
  id: number
  name: string
  /** Code of order 804н. */
  code: string | null
  group: string | null
  minutes: number
  /** Rubles, the price of the list; null: the channel or the clinic shows none. */
  price: number | null
}

interface OfferedTime extends GridTime {
  localEnd: string
  isFree: boolean
}

export interface Offered {
  branch: { id: number; name: string; city: string | null; address: string | null; phone: string | null }
  doctors: OfferedDoctor[]
  services: OfferedService[]
  /** Every day that is shown, also those without a time. */
  days: string[]
  /** In the order of doctor, day and clock. */
  times: OfferedTime[]
}

interface Span {
  first: string
  last: string
}

interface Pair extends Omit<OfferedService, 'id' | 'name'>, Omit<OfferedDoctor, 'id' | 'services'> {
  idUser: number
  service: string
  hasGear: boolean
}

/** @param withTaken taken times too, without whose they are */
export async function offeredBy(db: Queryable, channel: Channel, { withTaken = false } = {}): Promise<Offered> {
  const branch = (await db.one<Offered['branch']>(sql`
    select "id"::int as id, "nameFilial" as name, "cityName" as city, "filialPhone" as phone,
      coalesce(nullif("filialAddressFact", ''), "filialAddress") as address from filials where "id" = ${channel.idFilial}`)) as Offered['branch']
  const span = await daysOf(db, channel)
  const pairs = await pairsOf(db, channel, span)
  const services = [...Map.groupBy(pairs, ({ idService }) => idService)].map(([id, [pair]]): OfferedService => {
    const { service: name, code, group, minutes, price } = pair as Pair
    return { id, name, code, group, minutes, price }
  })
  const doctors = [...Map.groupBy(pairs, ({ idUser }) => idUser).values()].flatMap((own): OfferedDoctor[] => {
    // The simplest first; equipment is found by a search of its own.
    const simple = own.find(({ hasGear }) => !hasGear)
    if (!simple) return []
    const { idUser: id, idService, surname, name, middleName, fio, speciality } = simple
    return [{ id, surname, name, middleName, fio, speciality, idService, services: own.map((one) => one.idService) }]
  })
  const days: string[] = []
  for (let day = span.first; day <= span.last; day = plusDays(day, 1)) days.push(day)
  return { branch, doctors, services, days, times: await timesOf(db, channel, doctors, { ...span, withTaken }) }
}

/** Doctors with shifts in the branch in these days: others work elsewhere, or are away. */
const pairsOf = (db: Queryable, channel: Channel, { first, last }: Span): Promise<Pair[]> =>
  db.query(sql`
    select s."id"::int as "idService", ${outerNameSql(channel, raw('s'))} as service, nullif(s."medicalCode", '') as code,
      (select g."nameServiceGroup" from services_groups g where g."id" = s."idGroup" and not g."deleted") as "group",
      coalesce((select d."minutes" from service_durations d where d."idService" = s."id" and d."idUser" is null
        and d."idFilial" is null and d."visit" is null and not d."deleted" limit 1), ${USUAL_MINUTES})::int as minutes,
      case when ${channel.showPrice} and not s."hidePrice" then (${bookedPriceSql(raw('s'), {
        day: clinicToday,
        idFilial: sql`${channel.idFilial}::bigint`,
      })})::float8 end as price,
      exists (select 1 from service_equipment n where n."idService" = s."id" and not n."deleted") as "hasGear",
      u."id"::int as "idUser", coalesce(u."surname", '') as surname, coalesce(u."name", '') as name, coalesce(u."middleName", '') as "middleName",
      concat_ws(' ', nullif(u."surname", ''), nullif(u."name", ''), nullif(u."middleName", '')) as fio,
      (select n."name" from specialities n where n."id" = u."idSpeciality" and not n."deleted") as speciality
    from ${soldSql(channel)} and exists (select from staff_events e where e."type" = 'shift' and e."idUser" = u."id"
      and e."idFilial" = ${channel.idFilial} and not e."deleted" and e."localDate" between ${first}::date and ${last}::date)
    order by u."id", ${simplestSql} limit ${MOST_PAIRS}`)

async function timesOf(
  db: Queryable,
  channel: Channel,
  doctors: readonly OfferedDoctor[],
  { first, last, withTaken }: Span & { withTaken: boolean },
): Promise<OfferedTime[]> {
  const { leadHours } = await onlineDays(db)
  if (doctors.length === 0) return []
  const free = await onlineGrid(db, {
    ...{ idFilial: channel.idFilial, from: first, to: last, leadHours: Math.max(leadHours, channel.leadHours) },
    pairs: doctors.map(({ id: idUser, idService }) => ({ idUser, idService })),
  })
  const taken = withTaken
    ? await db.query<GridTime>(sql`
        select c."idUser"::int as "idUser", c."localDate"::text as "localDate", c."localStart", c."minutes"
        from coupons c join appointments a on a."id" = c."idAppointment" 
        where c."idFilial" = ${channel.idFilial} and c."idUser" = any (${doctors.map(({ id }) => id)}::bigint[])
          and c."localDate" between ${first}::date and ${last}::date and ${takesTimeSql}`)
    : []
  return [...free.map((time) => ({ ...time, isFree: true })), ...taken.map((time) => ({ ...time, isFree: false }))]
    .map((time) => ({ ...time, localEnd: clockOf((minutesOf(time.localStart) as number) + time.minutes) }))
    .sort(
      (a, b) =>
        a.idUser - b.idUser ||
        a.localDate.localeCompare(b.localDate) ||
        a.localStart.localeCompare(b.localStart) ||
        Number(b.isFree) - Number(a.isFree),
    )
}
