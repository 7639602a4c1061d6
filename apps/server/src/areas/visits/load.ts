/** Load of a branch's days by doctor: one statement per month. */
import { MAX_DAY_SPAN, visitCalls } from '@ordinator/model/areas/visits/calls'
import type { Answered } from '@ordinator/model/call'
import sql, { raw, type Sql } from 'sql-template-tag'
import { couponCountsSql, takesTimeSql, visitCountsSql } from '#areas/counted/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { reaches } from './scope.ts'

type Load = Answered<typeof visitCalls.load>
const DAY_MS = 86_400_000

/** SQL of the minutes of shift `s` less the union of the same person's breaks and absences; the load report uses it, too. */
export const openMinutesSql = (
  s: Sql,
): Sql => sql`coalesce((select sum(extract(epoch from upper(free) - lower(free)) / 60)
  from unnest(tstzmultirange(tstzrange(${s}."dateFrom", ${s}."dateTo")) - coalesce((
    select range_agg(tstzrange(e."dateFrom", e."dateTo")) from staff_events e
    where e."idUser" = ${s}."idUser" and e."type" <> 'shift' and not e."deleted" and e."dateFrom" < e."dateTo"
      and e."dateFrom" < ${s}."dateTo" and e."dateTo" > ${s}."dateFrom"), '{}'::tstzmultirange)) free), 0)`

/** SQL: coupon `c` takes time. Those who come to one time together take it once. */
export const isFirstOfGroupSql = (c: Sql): Sql => sql`(${c}."idGroup" is null or not exists (select from coupons z
  join appointments y on y."id" = z."idAppointment" where z."idGroup" = ${c}."idGroup" and z."id" < ${c}."id"
    and z."idUser" = ${c}."idUser" and z."localDate" = ${c}."localDate" and ${couponCountsSql(raw('z'))} and ${visitCountsSql(raw('y'))}))`

export const load = operation(visitCalls.load, async ({ app, actor, query }): Promise<Load> => {
  const { idFilial, from, to } = query
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1) throw new ValidationError([{ field: 'to', message: 'Конец раньше начала' }])
  if (days > MAX_DAY_SPAN) throw new ValidationError([{ field: 'to', message: `Не больше ${MAX_DAY_SPAN} дней` }])
  const within = (row: string) => {
    const t = raw(row)
    return sql`not ${t}."deleted" and ${t}."localDate" between ${from}::date and ${to}::date
      and ${t}."idFilial" = ${idFilial} and ${reaches(actor, sql`${t}."idUser"`, sql`${t}."idFilial"`)}`
  }
  // Shift time less the union of the same person's breaks and absences.
  const items = await app.db.reads.query<Load['items'][number]>(sql`
    with open as (
      select s."idUser", s."localDate", sum(${openMinutesSql(raw('s'))})::int as minutes
      from staff_events s where s."type" = 'shift' and ${within('s')} group by 1, 2
    ), taken as (
      select c."idUser", c."localDate", sum(c."minutes")::int as minutes
      from coupons c join appointments a on a."id" = c."idAppointment"
      where ${takesTimeSql} and ${within('c')}
        and ${isFirstOfGroupSql(raw('c'))}
      group by 1, 2
    )
    select coalesce(o."idUser", t."idUser") as "idUser", coalesce(o."localDate", t."localDate") as "localDate",
      coalesce(o.minutes, 0) as shift, coalesce(t.minutes, 0) as booked
    from open o full join taken t on t."idUser" = o."idUser" and t."localDate" = o."localDate"
    order by 1, 2`)
  const doctors = await app.db.reads.query<Load['doctors'][number]>(sql`
    select u."id" as "idUser", ${shortFioSql(raw('u'))} as "shortFio", u."post"
    from users u where u."id" = any (${[...new Set(items.map(({ idUser }) => idUser))]}::bigint[])
    order by u."surname", u."name", u."id"`)
  return { doctors, items }
})
