import { Filial } from '@ordinator/model/areas/filials/filial'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment, Coupon, GroupVisit } from '@ordinator/model/areas/visits/visit'
import sql, { raw } from 'sql-template-tag'
import { couponCountsSql } from '#areas/counted/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { endSql, momentSql, zoneSql } from './times.ts'

const JOB = 'visits.zones'
/** Time zone of records without a branch. */
const NO_BRANCH = 0
const pastHooks = { pastHooks: 'The wall clock stays, only its moments are computed anew' }
/** Rows per statement. */
const AT_ONCE = raw('20000')

/**
 * Recomputes moments when a branch's time zone, or PostgreSQL's zone data, change: future times keep the wall clock.
 * Past times stay.
 */
export function followZones(app: AppContext): void {
  app.jobs.register(JOB, { cron: '*/10 * * * *', handler: () => rederive(app) })
}

export async function rederive(app: AppContext): Promise<void> {
  try {
    await rederiveOf(app)
  } catch {
    // An employee of two branches could be in both at once under the new zone: that branch is skipped, the others
    // follow.
    const branches = await app.db.query<{ id: number }>(sql`select "id"::int as id from filials order by "id"`)
    await oneByOne(app, JOB, [...branches, { id: NO_BRANCH }], ({ id }) => rederiveOf(app, id))
  }
}

/** @param idFilial absent: all branches */
const rederiveOf = (app: AppContext, idFilial?: number): Promise<void> =>
  app.engine.for(systemActor).tx((records, tx) => rederiveIn(records, tx, idFilial))

async function rederiveIn(records: Records, tx: Tx, idFilial?: number): Promise<void> {
  const of = (row: string) =>
    idFilial === undefined ? raw('true') : sql`coalesce(${raw(row)}."idFilial", ${NO_BRANCH}) = ${idFilial}`
  const zone = zoneSql(raw('f'))
  const moments = ({ picked }: { picked: ReturnType<typeof raw> }) => ({
    dateFrom: sql`${picked}."from"`,
    dateTo: sql`${picked}."to"`,
  })
  await records.asSystem.updateWhere(
    StaffEvent,
    {
      rows: sql`select e."id", m."from", m."to" from staff_events e left join filials f on f."id" = e."idFilial"
        cross join lateral (select ${momentSql(raw('e."localDate"'), raw('e."localFrom"'), zone)} as "from",
          ${endSql(raw('e."localDate"'), raw('e."localFrom"'), raw('e."localTo"'), zone)} as "to") m
        where ${of('e')} and e."dateFrom" > now() and not e."deleted" and (e."dateFrom", e."dateTo") <> (m."from", m."to")
        order by e."id" limit ${AT_ONCE}`,
    },
    moments,
    pastHooks,
  )
  for (const [entity, key] of [
    [Coupon, 'idCoupon'],
    [GroupVisit, 'idGroup'],
  ] as const) {
    const table = raw(entity.table)
    await records.asSystem.updateWhere(
      entity,
      {
        rows: sql`select x."id", m."from", m."from" + make_interval(mins => x."minutes") as "to"
          from ${table} x join filials f on f."id" = x."idFilial"
          cross join lateral (select ${momentSql(raw('x."localDate"'), raw('x."localStart"'), zone)} as "from") m
          where ${of('x')} and x."dateFrom" > now() and not x."deleted" and x."dateFrom" <> m."from" order by x."id" limit ${AT_ONCE}`,
      },
      moments,
      pastHooks,
    )
    await tx.query(sql`update visit_occupancy o
      set "during" = tstzrange(x."dateFrom", x."dateFrom" + (upper(o."during") - lower(o."during")))
      from ${table} x where ${of('x')} and x."id" = o.${raw(`"${key}"`)} and lower(o."during") > now() and lower(o."during") <> x."dateFrom"`)
  }
  await records.asSystem.updateWhere(
    Appointment,
    {
      rows: sql`select a."id", min(c."dateFrom") as "from", max(c."dateTo") as "to"
        from appointments a join coupons c on c."idAppointment" = a."id" and not c."deleted"
        where ${of('a')} and a."dateFrom" > now() - interval '2 days' and (c."dateFrom" > now() or a."dateFrom" > now()) and not a."deleted"
        group by a."id" having a."dateFrom" <> min(c."dateFrom") or a."dateTo" <> max(c."dateTo")
        order by a."id" limit ${AT_ONCE}`,
    },
    moments,
    pastHooks,
  )
}

/**
 * Changes the time zone of a branch: future times keep the wall clock and get new moments at once.
 * Without `confirmed` nothing is changed, and the number of affected records is returned.
 * @throws HttpError 409 if an employee of two branches would be in both at once
 */
export const changeZone = operation(visitCalls.changeZone, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from filials where "id" = ${id} for update`)
    const counts = (await tx.one<{ visits: number; shifts: number }>(sql`select
      (select count(distinct c."idAppointment")::int from coupons c join appointments a on a."id" = c."idAppointment"
        where c."idFilial" = ${id} and c."dateFrom" > now() and ${couponCountsSql()} and not a."deleted") as visits,
      (select count(*)::int from staff_events e where e."idFilial" = ${id} and e."dateFrom" > now() and not e."deleted") as shifts`)) ?? {
      visits: 0,
      shifts: 0,
    }
    if (!body.confirmed && counts.visits + counts.shifts > 0) return { ...counts, changed: false }
    await inside.update(Filial, id, { timeZone: body.timeZone })
    await rederiveIn(inside, tx, id).catch((error: { code?: string }) => {
      if (error.code !== '23P01') throw error
      throw new HttpError(
        409,
        'Чей-то приём или смена в другом филиале пришлись бы на то же время: сначала перенесите их',
        {
          code: 'taken',
        },
      )
    })
    return { ...counts, changed: true }
  }),
)
