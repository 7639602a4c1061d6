/** Assignment of waiting chats: oldest first, each to the online operator with the fewest waiting chats. */
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { oncePerSender } from '#platform/webhook.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import type { Records } from '#records/records.ts'
import { answersSql, LOST_S, openSql, servesSql, stateSql } from './availability.ts'
import { givenTo, lockChat } from './lines.ts'
import { supervisors } from './notices.ts'

const JOB = 'chats.assign'
/** Seconds between checks of time limits and silences while chats wait. */
const AGAIN_S = 15
/** Maximum number of chats returned to the queue at once. */
const MOST_BACK = 100
/** Maximum number of chats assigned per run; the next run continues. */
const MOST_GIVEN = 200
/** Number of operators in a row who left a chat unanswered, after which supervisors are notified. */
const ALERT_AT = 3

/** Triggers an assignment run after this transaction commits: a chat joined the queue, or an operator has capacity. */
export async function wakeAssignment(app: AppContext, tx: Queryable): Promise<void> {
  const { liveAssistAutomatic } = await readCommonSettings(tx)
  if (liveAssistAutomatic) await app.jobs.send(JOB, {}, { key: 'now', tx })
}

export function startAssignment(app: AppContext): void {
  app.jobs.register(JOB, { cron: '* * * * *', handler: () => assignWaiting(app) })
}

/** Safe on any number of servers: each step takes one lock and reads the state anew. */
async function assignWaiting(app: AppContext): Promise<void> {
  const { liveAssistAutomatic, liveAssistLimit, liveAssistSilence } = await readCommonSettings(app.db)
  if (!liveAssistAutomatic) return
  const engine = app.engine.for(systemActor)
  const alone = <T>(step: (inside: Records, tx: Tx) => Promise<T>): Promise<T> =>
    engine.tx(async (inside, tx) => {
      await oncePerSender(tx, JOB)
      return step(inside, tx)
    })
  const forgotten = await app.db.query<{ id: number }>(
    sql`select c."id" from ${forgottenSql(liveAssistLimit, liveAssistSilence)} order by c."queuedAt", c."id" limit ${MOST_BACK}`,
  )
  await oneByOne(app, JOB, forgotten, ({ id }) =>
    alone((inside, tx) => takeBack(inside, tx, id, forgottenSql(liveAssistLimit, liveAssistSilence))),
  )
  /** Chats that could not be assigned: the ones behind them are still tried. */
  const left: number[] = []
  for (let given = 0; given < MOST_GIVEN; given++) {
    const oldest = await app.db.one<{ id: number }>(oldestSql(left, liveAssistLimit))
    if (!oldest) break
    const give = async ({ id }: { id: number }) => {
      if (!(await alone((inside, tx) => giveChat(inside, tx, id, liveAssistLimit)))) left.push(id)
    }
    left.push(...(await oneByOne(app, JOB, [oldest], give)))
  }
  const waits = await app.db.one(sql`select 1 from live_assist
    where "status" = 'active' and "handler" <> 'robot' and "queuedAt" is not null and not "deleted" limit 1`)
  if (waits) await app.jobs.send(JOB, {}, { key: 'again', startAfter: AGAIN_S })
}

/** SQL of online operators with capacity, each with the number of their chats. */
const free = (limit: number) => sql`(
  select o."idUser", o."dateGiven", held.open, held.waiting
  from live_assist_operators o join users u on u."id" = o."idUser"
  cross join lateral (select count(*)::int as open, count(c."queuedAt")::int as waiting from live_assist c
    where c."idUser" = o."idUser" and ${openSql(sql`c`)}) held
  where ${stateSql(sql`o`)} = 'online' and ${answersSql(sql`u`)} and held.open < ${limit})`

/**
 * Returns unanswered chats to the queue with their age: of an operator who has gone since the assignment or is
 * unreachable, and of one silent past the time limit while another of the group could answer. An operator without a set
 * status who took the chat, or got it from a colleague, has the full time limit.
 */
const forgottenSql = (
  limit: number,
  silence: number,
): Sql => sql`live_assist c left join live_assist_operators o on o."idUser" = c."idUser"
    where ${openSql(sql`c`)} and c."queuedAt" is not null
      and (o."status" in ('away', 'offline') and o."dateStatus" > coalesce(c."dateAssigned", c."queuedAt")
        or coalesce(greatest(o."dateSeen", c."dateAssigned"), c."queuedAt") < now() - make_interval(secs => ${LOST_S})
        or greatest(c."queuedAt", c."dateAssigned") < now() - make_interval(secs => ${silence})
          and exists (select 1 from ${free(limit)} other
            where other."idUser" <> c."idUser" and ${servesSql(sql`other."idUser"`, sql`c."idGroup"`)}))`

async function takeBack(inside: Records, tx: Tx, id: number, forgotten: Sql): Promise<void> {
  const still = await tx.one(sql`select 1 from ${forgotten} and c."id" = ${id} for update of c skip locked`)
  if (!still) return
  const chat = await lockChat(inside.asSystem, tx, id)
  const returns = chat.returns + 1
  await inside.asSystem.update(LiveAssist, id, { handler: 'none', idUser: null, lastUser: chat.idUser, returns })
  if (returns !== ALERT_AT) return
  await notify({ actor: systemActor, tx, records: inside }, await supervisors(tx), {
    kind: 'chat.unanswered',
    title: `Никто не отвечает: ${chat.name}`,
    text: `Чат уже ${ALERT_AT} раза вернулся в очередь`,
    path: LiveAssist.path,
    idEntity: id,
    link: `/live-assist?chat=${id}`,
  })
}

/** SQL condition: a chat waits for an operator. */
const isWaiting = raw(`"status" = 'active' and "handler" = 'none' and "queuedAt" is not null
  and not "deleted" and not "banned" and ("snoozedUntil" is null or "snoozedUntil" < now())`)

/** The longest-waiting chat that can be assigned now. */
const oldestSql = (but: readonly number[], limit: number): Sql => sql`
  with ready as materialized (select "idUser" from ${free(limit)} one)
  select c."id" from live_assist c where ${isWaiting} and c."id" <> all (${but}::bigint[])
    and exists (select 1 from ready where ${servesSql(sql`ready."idUser"`, sql`c."idGroup"`)})
  order by c."queuedAt", c."id" limit 1`

/**
 * Assigns a chat to the operator of its group with the fewest waiting chats, then the one idle longest.
 * @returns whether it was assigned: not if it is being taken, or no one has capacity
 */
async function giveChat(inside: Records, tx: Tx, id: number, limit: number): Promise<boolean> {
  const still = await tx.one(sql`select 1 from live_assist where "id" = ${id} and ${isWaiting} for update skip locked`)
  if (!still) return false
  const chat = await lockChat(inside.asSystem, tx, id)
  const to = await tx.one<{ idUser: number }>(sql`
    select one."idUser" from ${free(limit)} one where ${servesSql(sql`one."idUser"`, sql`${chat.idGroup}::bigint`)}
    order by (${chat.returns} > 0 and one."idUser" = ${chat.lastUser}) nulls first, one.waiting, one."dateGiven" nulls first,
      one."idUser" limit 1`)
  if (!to) return false
  await inside.asSystem.update(LiveAssist, chat.id, givenTo(chat, to.idUser))
  await tx.query(sql`update live_assist_operators set "dateGiven" = clock_timestamp() where "idUser" = ${to.idUser}`)
  await notify({ actor: systemActor, tx, records: inside }, [to.idUser], {
    kind: 'chat.assigned',
    title: `Вам достался чат: ${chat.name}`,
    text: (chat.lastMessage ?? '').slice(0, 300),
    path: LiveAssist.path,
    idEntity: chat.id,
    link: `/live-assist?chat=${chat.id}`,
  })
  return true
}
