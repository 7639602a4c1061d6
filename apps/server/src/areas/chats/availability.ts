/** Availability of operators: their chosen status, and the time since their last signal. */
import { ONLINE_MS } from '@ordinator/model/areas/staff/user'
import sql, { type Sql } from 'sql-template-tag'
import { holdsSql } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'

/** The right to act on chats of other operators and groups. */
export const SUPERVISES = 'superviseLiveAssist'

/** Seconds without a signal: the program sends one every 30, and a browser lets a hidden tab send one a minute. */
const SILENT_S = 90
/** Seconds without movement or typing. */
const IDLE_S = 600
/** Seconds without a signal after which unanswered chats are reassigned: longer than a reload or a short disconnect. */
export const LOST_S = 180

/** SQL of the state of an operator's row `o`. */
export const stateSql = (o: Sql): Sql => sql`(case
  when ${o}."status" is null or ${o}."status" = 'offline' then 'offline'
  when ${o}."status" = 'away' or ${o}."dateSeen" < now() - make_interval(secs => ${SILENT_S})
    or ${o}."dateActive" < now() - make_interval(secs => ${IDLE_S}) then 'away'
  else 'online' end)`

/** SQL of the start of the state of row `o`: the choice, or the last signal of an operator who disconnected. */
export const sinceSql = (o: Sql): Sql => sql`(case when ${o}."status" = 'online' and ${stateSql(o)} = 'away'
  then least(${o}."dateSeen", ${o}."dateActive") else ${o}."dateStatus" end)`

/** SQL condition: user `u` may handle chats. */
export const answersSql = (u: Sql): Sql =>
  sql`(not ${u}."deleted" and not ${u}."isBlocked" and ${holdsSql(sql`${u}."id"`, 'supportOperator')})`

/**
 * SQL condition: a chat of the group `idGroup` also waits for the user: it has no group, or one of theirs, or one
 * without staff.
 */
export const servesSql = (idUser: Sql, idGroup: Sql): Sql => sql`(not exists (select from live_assist_groups g
  where g."id" = ${idGroup} and not g."deleted" and ${idUser} <> all (g."users")
    and exists (select from users m where m."id" = any (g."users") and not m."deleted" and not m."isBlocked")))`

/** SQL condition: the chat is an operator's, and needs their action. */
export const openSql = (c: Sql): Sql => sql`(${c}."status" = 'active' and ${c}."handler" = 'human'
  and not ${c}."deleted" and (${c}."snoozedUntil" is null or ${c}."snoozedUntil" < now()))`

/** Whether an operator can be reached: connected, and not set to offline. */
export const isReachable = async (tx: Queryable, idUser: number): Promise<boolean> =>
  (await tx.one(sql`select 1 from users u left join live_assist_operators o on o."idUser" = u."id"
    where u."id" = ${idUser} and not u."deleted" and not u."isBlocked"
    and u."lastActive" > now() - make_interval(secs => ${ONLINE_MS / 1000})
    and (o."status" is null or o."status" = 'online')`)) !== undefined

/** An unread chat that is one's own, or unassigned and available to the user; not a snoozed one. */
export const awaitsSql = ({ row, me }: { row: Sql; me: Sql }): Sql => sql`(${row}."status" = 'active'
  and ${row}."inCount" > ${row}."readIn"
  and (${row}."handler" = 'none' and ${servesSql(me, sql`${row}."idGroup"`)} or ${row}."idUser" = ${me})
  and (${row}."snoozedUntil" is null or ${row}."snoozedUntil" < now()))`
