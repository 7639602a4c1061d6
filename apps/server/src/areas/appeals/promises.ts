/**
 * «Никто не забыт»: what is promised to patients and not yet kept. A promise is what its record says of itself: a missed
 * call that waits for one in return (a conversation with that number ends it), a chat that waits for an answer, an appeal
 * with a dated next step or without an outcome. So it cannot be forgotten, and closes by itself with what was promised.
 */
import { can } from '@ordinator/model/access'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { appealCalls, type OpenPromise } from '@ordinator/model/areas/appeals/calls'
import { Call, RECALL_WAITS_DAYS } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Holiday, WorkingHours } from '@ordinator/model/hours'
import { ALWAYS, addWorkingMinutes, timeOfBranch, type WorkingTime } from '@ordinator/model/workingTime'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { operation } from '../../records/operation.ts'
import { clinicZone } from '../settings/index.ts'
import { fioSql, ifFound, shortFioSql } from '../staff/index.ts'

/** Promises of one kind that a board shows: no kind pushes out another. */
const MOST = 100
/** Working minutes within which a missed call is answered by one. */
const CALL_BACK_MIN = 15

type Found = OpenPromise & { idFilial: number | null }

export const promises = operation(appealCalls.promises, async ({ app, actor, query }) => {
  const sees = (entity: Parameters<typeof can>[2]) => can(actor, 'view', entity)
  const patient = sees(Customer) ? ifFound(raw('p'), fioSql) : raw('null')
  const parts: Sql[] = []
  if (sees(Call))
    // One promise a number: its oldest missed call of those that wait.
    parts.push(sql`(select 'callBack', c."id", ${patient}, c."contactPhone", null, c.since, c."idFirstUser", c."idFilial"
      from (select distinct on ("contactPhone") *, "dateCreate" as since from calls
        where "recall" and "contactPhone" is not null
          and "dateCreate" > now() - make_interval(days => ${RECALL_WAITS_DAYS})
        order by "contactPhone", "dateCreate") c
      left join customers p on p."id" = c."idCustomer")`)
  if (sees(LiveAssist))
    parts.push(sql`(select 'answer', c."id", c."name", c."phone", c."lastMessage", coalesce(c."nextDueAt", c."queuedAt"),
        c."idUser", c."idFilial" from live_assist c
      where c."status" = 'active' and c."handler" <> 'robot' and c."queuedAt" is not null and not c."deleted")`)
  if (sees(Appeal))
    for (const [kind, due, isSo] of [
      ['next', sql`a."dateNextStep"`, sql`a."dateNextStep" is not null`],
      ['outcome', sql`coalesce(a."deadline", a."dateStart")`, sql`a."dateNextStep" is null`],
    ] as const)
      parts.push(sql`(select ${kind}, a."id", a."customerFullName", a."customerPhone",
          coalesce(a."nextStep", a."description"), ${due}, a."idOwner", a."idFilial" from appeals a
        where a."outcome" is null and (a."status" <> 'closed' or a."dateNextStep" is not null) and not a."deleted" and ${isSo})`)
  const urgent = (part: Sql) => sql`(select * from ${part} f(what, "id", who, phone, about, due, "idOwner", "idFilial")
    where (${query.mine ?? null}::text is null or f."idOwner" = ${actor.id} or f."idOwner" is null)
      and (${query.filial ?? null}::bigint is null or f."idFilial" = ${query.filial ?? null}::bigint)
    order by f.due, f."id" limit ${MOST + 1})`
  const rows = await app.db.query<Found>(sql`
    select f.what as kind, f."id"::int as id, f.who, f.phone, left(f.about, 200) as about, f.due as "dueAt",
      f."idOwner"::int as "idOwner", ${ifFound(sql`u`, shortFioSql)} as owner, f."idFilial"::int as "idFilial",
      b."nameFilial" as filial
    from (${join(parts.map(urgent), ' union all ')}) f
    left join users u on u."id" = f."idOwner" left join filials b on b."id" = f."idFilial"
    order by f.due, f.what, f."id"`)
  const times = await workingTimes(app.db)
  const kept = [...Map.groupBy(rows, ({ kind }) => kind).values()].flatMap((ones) => ones.slice(0, MOST))
  const items = kept.map(({ idFilial, dueAt, ...found }) => {
    if (found.kind !== 'callBack') return { ...found, dueAt }
    const due = addWorkingMinutes(Date.parse(dueAt), CALL_BACK_MIN, times.get(idFilial ?? 0) ?? ALWAYS)
    return { ...found, dueAt: due === undefined ? dueAt : new Date(due).toISOString() }
  })
  return {
    items: items.sort((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt)),
    more: items.length < rows.length,
  }
})

/** When each branch works; of one without a week nothing is said. */
async function workingTimes(db: Queryable): Promise<Map<number, WorkingTime>> {
  const rows = await db.query<{ id: number; week: WorkingHours; timeZone: string; days: Holiday[] }>(sql`
    select f."id"::int as id, f."workingHours" as week, coalesce(f."timeZone", ${clinicZone}) as "timeZone",
      coalesce((select jsonb_agg(jsonb_build_object('day', h."day", 'start', h."start", 'end', h."end"))
        from filials_holidays h where h."idFilial" = f."id" and not h."deleted" and h."day" >= current_date - 31), '[]') as days
    from filials f where f."workingHours" is not null and not f."deleted"`)
  return new Map(rows.map(({ id, week, timeZone, days }) => [id, timeOfBranch(week, days, timeZone)]))
}
