/** Who gets the chats that wait: oldest first, each to the operator who is there and has the fewest that wait. */
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
/** Seconds after which terms and silences are looked at again, while somebody waits. */
const AGAIN_S = 15
/** Chats that go back to the queue at once. */
const MOST_BACK = 100
/** Chats that one run gives out; the next goes on. */
const MOST_GIVEN = 200
/** So many operators in turn have let a chat lie: whoever supervises is told. */
const ALERT_AT = 3

/** A chat has come to the queue, or an operator has room: looked at once this transaction is committed. */
export async function wakeAssignment(app: AppContext, tx: Queryable): Promise<void> {
  const { liveAssistAutomatic } = await readCommonSettings(tx)
  if (liveAssistAutomatic) await app.jobs.send(JOB, {}, { key: 'now', tx })
}

export function startAssignment(app: AppContext): void {
  app.jobs.register(JOB, { cron: '* * * * *', handler: () => assignWaiting(app) })
}

/** Any number of servers may do this at once: each step is alone under one lock, and looks anew. */
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
  /** Chats that could not be given: those behind them are. */
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

/** SQL: the operators who are there and have room, each with what they have. */
const free = (limit: number) => sql`(
  select o."idUser", o."dateGiven", held.open, held.waiting
  from live_assist_operators o join users u on u."id" = o."idUser"
  cross join lateral (select count(*)::int as open, count(c."queuedAt")::int as waiting from live_assist c
    where c."idUser" = o."idUser" and ${openSql(sql`c`)}) held
  where ${stateSql(sql`o`)} = 'online' and ${answersSql(sql`u`)} and held.open < ${limit})`

/**
 * What nobody has answered goes back to the queue, its age kept: of an operator who has gone since it came to them or is
 * heard of no more, and of one who is silent past the term while another of its group could answer. Who has said nothing of being
 * there and has taken it all the same, or was given it by a colleague, has the time to answer.
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

/** SQL: a chat waits for an operator. */
const isWaiting = raw(`"status" = 'active' and "handler" = 'none' and "queuedAt" is not null
  and not "deleted" and not "banned" and ("snoozedUntil" is null or "snoozedUntil" < now())`)

/** Which waits longest of those that somebody could be given now. */
const oldestSql = (but: readonly number[], limit: number): Sql => sql`
  with ready as materialized (select "idUser" from ${free(limit)} one)
  select c."id" from live_assist c where ${isWaiting} and c."id" <> all (${but}::bigint[])
    and exists (select 1 from ready where ${servesSql(sql`ready."idUser"`, sql`c."idGroup"`)})
  order by c."queuedAt", c."id" limit 1`

/**
 * Gives a chat to the operator of its group with the fewest that wait, who has been given none for longest.
 * @returns whether it is given: not where somebody is taking it, and where nobody has room
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
