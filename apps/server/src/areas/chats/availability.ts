/** Who is there to answer: what each operator has chosen, and for how long nothing has been heard of them. */
import { ONLINE_MS } from '@ordinator/model/areas/staff/user'
import sql, { type Sql } from 'sql-template-tag'
import { holdsSql } from '#auth/index.ts'
import type { Queryable } from '#platform/db.ts'

/** Who passes over that a chat is another's, or another group's. */
export const SUPERVISES = 'superviseLiveAssist'

/** Seconds without a sign of the program: it speaks every 30, and a browser lets a hidden tab speak once a minute. */
const UNHEARD_S = 90
/** Seconds in which nobody has moved or typed. */
const IDLE_S = 600
/** Seconds unheard after which what nobody has answered goes to others: a reload or a short break of the line is none. */
export const LOST_S = 180

/** SQL: the state of an operator's row `o`. */
export const stateSql = (o: Sql): Sql => sql`(case
  when ${o}."status" is null or ${o}."status" = 'offline' then 'offline'
  when ${o}."status" = 'away' or ${o}."dateSeen" < now() - make_interval(secs => ${UNHEARD_S})
    or ${o}."dateActive" < now() - make_interval(secs => ${IDLE_S}) then 'away'
  else 'online' end)`

/** SQL: since when the operator of row `o` stands so: as chosen, or from the last sign of who has gone without a word. */
export const sinceSql = (o: Sql): Sql => sql`(case when ${o}."status" = 'online' and ${stateSql(o)} = 'away'
  then least(${o}."dateSeen", ${o}."dateActive") else ${o}."dateStatus" end)`

/** SQL: user `u` may have chats of visitors. */
export const answersSql = (u: Sql): Sql =>
  sql`(not ${u}."deleted" and not ${u}."isBlocked" and ${holdsSql(sql`${u}."id"`, 'supportOperator')})`

/**
 * SQL: what waits for group `idGroup` waits for the user too: it is of no group, or of theirs, or of one in which nobody
 * of the clinic is left.
 */
export const servesSql = (idUser: Sql, idGroup: Sql): Sql => sql`(not exists (select from live_assist_groups g
  where g."id" = ${idGroup} and not g."deleted" and ${idUser} <> all (g."users")
    and exists (select from users m where m."id" = any (g."users") and not m."deleted" and not m."isBlocked")))`

/** SQL: the chat is an operator's, and wants something of them. */
export const openSql = (c: Sql): Sql => sql`(${c}."status" = 'active' and ${c}."handler" = 'human'
  and not ${c}."deleted" and (${c}."snoozedUntil" is null or ${c}."snoozedUntil" < now()))`

/** Whether an operator can be spoken to: in the program, and not gone by an own choice. */
export const isReachable = async (tx: Queryable, idUser: number): Promise<boolean> =>
  (await tx.one(sql`select 1 from users u left join live_assist_operators o on o."idUser" = u."id"
    where u."id" = ${idUser} and not u."deleted" and not u."isBlocked"
    and u."lastActive" > now() - make_interval(secs => ${ONLINE_MS / 1000})
    and (o."status" is null or o."status" = 'online')`)) !== undefined

/** An unread chat that is one's own, or nobody's and may be: not one that is put off. */
export const awaitsSql = ({ row, me }: { row: Sql; me: Sql }): Sql => sql`(${row}."status" = 'active'
  and ${row}."inCount" > ${row}."readIn"
  and (${row}."handler" = 'none' and ${servesSql(me, sql`${row}."idGroup"`)} or ${row}."idUser" = ${me})
  and (${row}."snoozedUntil" is null or ${row}."snoozedUntil" < now()))`
