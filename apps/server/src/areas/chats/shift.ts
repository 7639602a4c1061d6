/** The shift: status of each operator, and the supervisor's view of all. */
import {
  chatCalls,
  type Presence,
  type Shift,
  type ShiftChat,
  type ShiftOperator,
} from '@ordinator/model/areas/chats/calls'
import type { OperatorState } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { ifFound, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { notFound } from '#platform/errors.ts'
import { inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import { wakeAssignment } from './assign.ts'
import { answersSql, openSql, sinceSql, stateSql } from './availability.ts'

const OPERATORS = 200
const WAITING = 20
const COUNTED = 1_000

const presence = operation(chatCalls.presence, ({ app, actor, body: { status, active } }) =>
  app.db.tx(async (tx): Promise<Presence> => {
    const before = await stateOf(tx, actor.id)
    const isActive = active || status !== undefined
    await tx.query(sql`
      insert into live_assist_operators as o ("idUser", "status", "dateStatus")
      values (${actor.id}, ${status ?? null}, ${status ? sql`now()` : null})
      on conflict ("idUser") do update set "dateSeen" = now(),
        "dateActive" = case when ${isActive} then now() else o."dateActive" end,
        "dateStatus" = case when ${status ?? null}::text is distinct from o."status" and ${status ?? null}::text is not null
          then now() else o."dateStatus" end,
        "status" = coalesce(${status ?? null}, o."status")`)
    const now = await stateOf(tx, actor.id)
    if (now?.state !== before?.state) await wakeAssignment(app, tx)
    const { liveAssistAutomatic, liveAssistLimit } = await readCommonSettings(tx)
    if (!now) throw notFound()
    return { ...now, limit: liveAssistLimit, automatic: liveAssistAutomatic }
  }),
)

const stateOf = (tx: Queryable, idUser: number) =>
  tx.one<Pick<Presence, 'status' | 'state' | 'open'>>(sql`
    select coalesce(o."status", ${'offline' satisfies OperatorState}) as status, ${stateSql(sql`o`)} as state,
      (select count(*)::int from live_assist c where c."idUser" = o."idUser" and ${openSql(sql`c`)}) as open
    from live_assist_operators o where o."idUser" = ${idUser}`)

/** Viewing changes nothing and notifies no one. */
const shift = operation(chatCalls.shift, async ({ app, actor }): Promise<Shift> => {
  const db = app.db.reads
  const active = sql`"status" = 'active' and not "deleted" and ${inOwnBranch(actor, sql`"idFilial"`)}`
  const own = inOwnBranch(actor, sql`c."idFilial"`)
  const counted = (condition: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (select 1 from live_assist where ${active} and ${condition} limit ${COUNTED}) found)`
  const [settings, sums, operators, waiting] = await Promise.all([
    readCommonSettings(db),
    db.one<{ count: number; oldest: string | null; robot: number; late: number }>(sql`
      select ${counted(sql`"handler" = 'none'`)} as count,
        (select min("queuedAt") from live_assist where ${active} and "handler" = 'none') as oldest,
        ${counted(sql`"handler" = 'robot'`)} as robot,
        ${counted(sql`"handler" <> 'robot' and "nextDueAt" < now()`)} as late`),
    db.query<ShiftOperator>(sql`
      select u."id", ${shortFioSql(sql`u`)} as "shortFio", coalesce(${stateSql(sql`o`)}, 'offline') as state,
        ${sinceSql(sql`o`)} as since, held.*
      from users u left join live_assist_operators o on o."idUser" = u."id"
      cross join lateral (select count(*)::int as open, count(c."queuedAt")::int as waiting, min(c."queuedAt") as oldest,
          count(*) filter (where c."nextDueAt" < now())::int as late
        from live_assist c where c."idUser" = u."id" and ${openSql(sql`c`)} and ${own}) held
      where ${answersSql(sql`u`)} and (u."isLiveAssist" or o."status" is not null or held.open > 0)
      order by array_position(array['online', 'away', 'offline'], coalesce(${stateSql(sql`o`)}, 'offline')), held.open desc,
        u."surname", u."id" limit ${OPERATORS}`),
    db.query<ShiftChat>(sql`
      select c."id", c."name", c."source", c."sourceName", c."queuedAt", c."nextDueAt", ${ifFound(sql`u`, shortFioSql)} as operator,
        (select g."name" from live_assist_groups g where g."id" = c."idGroup" and not g."deleted") as "group"
      from live_assist c left join users u on u."id" = c."idUser"
      where c."status" = 'active' and c."handler" <> 'robot' and c."queuedAt" is not null and not c."deleted" and ${own}
      order by c."queuedAt", c."id" limit ${WAITING}`),
  ])
  if (!sums) throw notFound()
  const { count, oldest, robot, late } = sums
  const { liveAssistAutomatic: automatic, liveAssistLimit: limit } = settings
  return { automatic, limit, queue: { count, oldest }, robot, late, operators, waiting }
})

export const shiftCalls = [presence, shift]
