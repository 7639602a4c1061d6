/** Handover at the end of a shift: current work goes to a colleague with one note, completely or not at all. */
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { Call } from '@ordinator/model/areas/calls/call'
import { centreCalls, HANDOVER_UNDO_MIN, type HandoverPart, handoverParts } from '@ordinator/model/areas/centre/calls'
import { ChatNote, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import { ONLINE_MS } from '@ordinator/model/areas/staff/user'
import { Executor } from '@ordinator/model/areas/tasks/task'
import { counted } from '@ordinator/model/format'
import type { Permission } from '@ordinator/model/permissions'
import { dayIn, midnightIn } from '@ordinator/model/zone'
import sql, { join, type Sql } from 'sql-template-tag'
import { givenTo, lockChat, lockDialog, owesStep } from '#areas/chats/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'

const PEOPLE = 200
/** Maximum number of records of each kind; larger amounts are handed over in parts. */
const MOST = 500
const RECEIVED = 5
const SHOWN_HOURS = 12

/** Permissions required of the receiver. */
const needs: Record<HandoverPart, Permission> = {
  chats: 'supportOperator',
  online: 'onlineChat',
  calls: 'viewCallJournal',
  appeals: 'editAppeals',
  tasks: 'viewTasksManagement',
}
const words: Record<HandoverPart, readonly [string, string, string]> = {
  chats: ['чат', 'чата', 'чатов'],
  online: ['диалог с пациентом', 'диалога с пациентами', 'диалогов с пациентами'],
  calls: ['звонок', 'звонка', 'звонков'],
  appeals: ['обращение', 'обращения', 'обращений'],
  tasks: ['задача', 'задачи', 'задач'],
}
const parts = Object.keys(handoverParts) as HandoverPart[]

/** Moved parts of a chat: its operator, and the owner of its promised step. */
interface MovedChat {
  id: number
  talk: boolean
  step: boolean
}
/** Moved records, for the undo. */
interface Moved {
  chats: MovedChat[]
  /** Dialogues with patients; absent in older handovers. */
  online?: number[]
  calls: { id: number; before: number | null }[]
  appeals: number[]
  tasks: { idTask: number; from: number; to: number; isAdded: boolean }[]
}
const countsOf = (moved: { [P in HandoverPart]?: readonly unknown[] }): Record<HandoverPart, number> => ({
  chats: moved.chats?.length ?? 0,
  online: moved.online?.length ?? 0,
  calls: moved.calls?.length ?? 0,
  appeals: moved.appeals?.length ?? 0,
  tasks: moved.tasks?.length ?? 0,
})

/** SQL of the employee's current work. */
const ownChats = (me: number): Sql => sql`select c."id"::int as id from live_assist c where not c."deleted" and (
  c."status" = 'active' and c."handler" = 'human' and c."idUser" = ${me}
  or c."dateNextStep" is not null and c."idOutcome" is null and coalesce(c."idOwner", c."idUser", c."lastUser") = ${me})
  order by c."id" limit ${MOST}`
const ownDialogs = (me: number): Sql => sql`select d."id"::int as id from service_online d
  where d."idUser" = ${me} and d."status" <> 'closed' and not d."deleted" order by d."id" limit ${MOST}`
/** The outcome of a conversation is known to its participant: that stays. */
const ownCalls = (me: number): Sql => sql`select c."id"::int as id, c."idOwner"::int as before from calls c where
  (c."recall" and c."contactPhone" is not null and coalesce(c."idOwner", c."idFirstUser") = ${me}
    or c."dateNextStep" is not null and c."idOutcome" is null and coalesce(c."idOwner", c."idUser") = ${me})
  order by c."id" limit ${MOST}`
const ownAppeals = (me: number): Sql => sql`select a."id"::int as id from appeals a
  where a."idOwner" = ${me} and a."outcome" is null and (a."status" <> 'closed' or a."dateNextStep" is not null)
    and not a."deleted" order by a."id" limit ${MOST}`
/** Open tasks of today and overdue ones, with the receiver's membership in the same workspace. */
const ownTasks = (me: ServerActor, to: number | null): Sql => {
  const tomorrow = midnightIn(me.timeZone, dayIn(me.timeZone, new Date()), 1)
  return sql`select t."id"::int as "idTask", min(e."id")::int as "idExecutor", min(e."idMember")::int as from,
      min(theirs."id")::int as to
    from tasks_management_tasks t
    join tasks_management_executors e on e."idTask" = t."id"
    join tasks_management_members m on m."id" = e."idMember" and m."idUser" = ${me.id} and not m."deleted"
    left join tasks_management_members theirs on theirs."idBoard" = m."idBoard" and theirs."idUser" = ${to}
      and not theirs."deleted"
    where not t."deleted" and not t."isCompleted" and not t."isArchive" and not t."isTemplate"
      and t."dateEnd" < ${tomorrow}::timestamptz
    group by t."id" order by t."id" limit ${MOST}`
}
interface OwnTask {
  idTask: number
  idExecutor: number
  from: number
  to: number | null
}

const namesOf = (db: Queryable, ids: readonly number[]) =>
  db.query<{ id: number; name: string }>(
    sql`select u."id"::int as id, ${shortFioSql(sql`u`)} as name from users u where u."id" = any(${ids}::bigint[])`,
  )

const handover = operation(centreCalls.handover, async ({ app, actor, query }) => {
  const db = app.db.reads
  const to = query.to === undefined ? null : Number(query.to)
  const [chats, online, calls, appeals, tasks, people, rights, received, given] = await Promise.all([
    db.query(ownChats(actor.id)),
    db.query(ownDialogs(actor.id)),
    db.query(ownCalls(actor.id)),
    db.query(ownAppeals(actor.id)),
    db.query<OwnTask>(ownTasks(actor, to)),
    db.query<{ id: number; shortFio: string; isOnline: boolean }>(sql`
      select u."id"::int as id, ${shortFioSql(sql`u`)} as "shortFio",
        coalesce(u."lastActive" > now() - make_interval(secs => ${ONLINE_MS / 1000}), false) as "isOnline"
      from users u where u."id" <> ${actor.id} and not u."deleted" and not u."isBlocked"
        and (${join(
          Object.values(needs).map((permission) => holdsSql(sql`u."id"`, permission)),
          ' or ',
        )})
      order by 3 desc, ${holdsSql(sql`u."id"`, 'supportOperator')} desc, u."surname", u."id" limit ${PEOPLE}`),
    to === null ? undefined : rightsOf(db, to),
    db.query<{ id: number; from: string; note: string; dateCreate: string; moved: Moved }>(sql`
      select h."id"::int as id, ${shortFioSql(sql`u`)} as from, h."note", h."dateCreate", h."moved"
      from shift_handovers h join users u on u."id" = h."idUser"
      where h."idTo" = ${actor.id} and h."dateUndone" is null
        and h."dateCreate" > now() - make_interval(hours => ${SHOWN_HOURS})
      order by h."dateCreate" desc limit ${RECEIVED}`),
    db.one<{ id: number; to: string; dateCreate: string }>(sql`
      select h."id"::int as id, ${shortFioSql(sql`u`)} as to, h."dateCreate"
      from shift_handovers h join users u on u."id" = h."idTo"
      where h."idUser" = ${actor.id} and h."dateUndone" is null
        and h."dateCreate" > now() - make_interval(mins => ${HANDOVER_UNDO_MIN}) order by h."id" desc limit 1`),
  ])
  const moving = to === null ? tasks : tasks.filter((task) => task.to !== null)
  return {
    counts: countsOf({ chats, online, calls, appeals, tasks: moving }),
    staying: tasks.length - moving.length,
    closed: rights ? parts.filter((part) => !rights.has(part)) : [],
    people,
    received: received.map(({ moved, ...line }) => ({ ...line, counts: countsOf(moved) })),
    given: given ?? null,
  }
})

/** Parts that the employee may receive; none for an inactive one. */
async function rightsOf(db: Queryable, idUser: number): Promise<Set<HandoverPart>> {
  const row = await db.one<Record<HandoverPart, boolean>>(sql`
    select ${join(parts.map((part) => sql`${holdsSql(sql`u."id"`, needs[part])} as ${sqlName(part)}`))}
    from users u where u."id" = ${idUser} and not u."deleted" and not u."isBlocked"`)
  return new Set(parts.filter((part) => row?.[part]))
}
const sqlName = (part: HandoverPart): Sql =>
  ({ chats: sql`chats`, online: sql`online`, calls: sql`calls`, appeals: sql`appeals`, tasks: sql`tasks` })[part]

const handOver = operation(centreCalls.handOver, ({ records, actor, body: { idUser, note, parts: asked } }) =>
  records.tx(async (inner, tx) => {
    if (idUser === actor.id) throw wrong('idUser', 'Себе смену не передают: выберите коллегу')
    // Serializes concurrent requests.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`handover ${actor.id}`}, 0))`)
    const rights = await rightsOf(tx, idUser)
    if (rights.size === 0) throw wrong('idUser', 'Этому сотруднику передать нечего: у него нет прав или он не работает')
    for (const part of asked)
      if (!rights.has(part))
        throw wrong('parts', `У сотрудника нет права на раздел «${handoverParts[part]}»: снимите отметку`)
    const wants = (part: HandoverPart) => asked.includes(part)
    const moved: Moved & { online: number[] } = { chats: [], online: [], calls: [], appeals: [], tasks: [] }
    if (wants('chats'))
      for (const { id } of await tx.query<{ id: number }>(ownChats(actor.id))) {
        const given = await giveChat(inner, tx, { id, talk: true, step: true }, actor.id, idUser)
        if (!given) continue
        await inner.create(ChatNote, { idLiveAssist: id, text: `Передача смены. ${note}` })
        moved.chats.push(given)
      }
    if (wants('online'))
      for (const { id } of await tx.query<{ id: number }>(ownDialogs(actor.id)))
        if (await giveDialog(inner, tx, id, actor.id, idUser)) moved.online.push(id)
    if (wants('calls')) {
      moved.calls = await tx.query<Moved['calls'][number]>(sql`${ownCalls(actor.id)} for update`)
      await ownersOf(inner, moved.calls, idUser)
    }
    if (wants('appeals'))
      for (const { id } of await tx.query<{ id: number }>(sql`${ownAppeals(actor.id)} for update`)) {
        await inner.update(Appeal, id, { idOwner: idUser })
        moved.appeals.push(id)
      }
    if (wants('tasks'))
      for (const { idTask, idExecutor, from, to } of await tx.query<OwnTask>(ownTasks(actor, idUser))) {
        if (to === null) continue
        const isThere = await seatOf(tx, idTask, to)
        if (!isThere) await inner.create(Executor, { idTask, idMember: to })
        await inner.remove(Executor, idExecutor)
        moved.tasks.push({ idTask, from, to, isAdded: !isThere })
      }
    const counts = countsOf(moved)
    const named = parts.filter((part) => counts[part] > 0).map((part) => counted(counts[part], words[part]))
    if (named.length === 0) throw new HttpError(409, 'Передавать нечего: у вас ничего не осталось', { code: 'empty' })
    const made = await tx.one<{ id: number }>(sql`insert into shift_handovers ("idUser", "idTo", "note", "moved")
      values (${actor.id}, ${idUser}, ${note}, ${JSON.stringify(moved)}::jsonb) returning "id"::int as id`)
    const [me] = await namesOf(tx, [actor.id])
    await notify({ actor, tx, records: inner }, [idUser], {
      kind: 'shift.handover',
      title: `${me?.name ?? 'Коллега'} передаёт вам смену: ${named.join(', ')}`.slice(0, 255),
      text: note.slice(0, 1000),
      link: '/journal/promises?mine=1',
    })
    return { id: made?.id ?? 0, counts }
  }),
)

const undo = operation(centreCalls.undoHandover, ({ records, actor, params }) =>
  records.tx(async (inner, tx) => {
    const kept = await tx.one<{ idTo: number; moved: Moved; isLate: boolean; isUndone: boolean }>(sql`
      select "idTo"::int as "idTo", "moved", "dateUndone" is not null as "isUndone",
        "dateCreate" < now() - make_interval(mins => ${HANDOVER_UNDO_MIN}) as "isLate"
      from shift_handovers where "id" = ${params.id} and "idUser" = ${actor.id} for update`)
    if (!kept) throw notFound()
    if (kept.isUndone) throw new HttpError(409, 'Смена уже возвращена', { code: 'undone' })
    if (kept.isLate)
      throw new HttpError(409, `Прошло больше ${HANDOVER_UNDO_MIN} минут: попросите коллегу передать обратно`, {
        code: 'late',
      })
    const { idTo, moved } = kept
    const back: Moved & { online: number[] } = { chats: [], online: [], calls: [], appeals: [], tasks: [] }
    for (const chat of moved.chats) {
      await lockChat(inner.asSystem, tx, chat.id)
      // A chat answered since belongs to the other.
      const answered = await tx.one(sql`select 1 from live_assist_messages m
        where m."idLiveAssist" = ${chat.id} and m."idUser" = ${idTo}
          and m."dateCreate" > (select "dateCreate" from shift_handovers where "id" = ${params.id}) limit 1`)
      const given = answered ? undefined : await giveChat(inner, tx, chat, idTo, actor.id)
      if (given) back.chats.push(given)
    }
    for (const id of moved.online ?? []) {
      const answered = await tx.one(sql`select 1 from service_online_messages m
        where m."idDialog" = ${id} and m."idUser" = ${idTo}
          and m."dateCreate" > (select "dateCreate" from shift_handovers where "id" = ${params.id}) limit 1`)
      if (!answered && (await giveDialog(inner, tx, id, idTo, actor.id))) back.online.push(id)
    }
    const calls = await tx.query<{ id: number }>(sql`select "id"::int as id from calls
      where "id" = any(${moved.calls.map(({ id }) => id)}::bigint[]) and "idOwner" = ${idTo}
        and ("recall" or "dateNextStep" is not null and "idOutcome" is null) order by "id" for update`)
    back.calls = moved.calls.filter(({ id }) => calls.some((one) => one.id === id))
    for (const { id, before } of back.calls) await inner.asSystem.update(Call, id, { idOwner: before })
    const appeals = await tx.query<{ id: number }>(sql`select "id"::int as id from appeals
      where "id" = any(${moved.appeals}::bigint[]) and "idOwner" = ${idTo} and not "deleted"
      order by "id" for update`)
    for (const { id } of appeals) {
      await inner.update(Appeal, id, { idOwner: actor.id })
      back.appeals.push(id)
    }
    for (const task of moved.tasks) {
      const seat = await seatOf(tx, task.idTask, task.to)
      if (!seat) continue
      if (!(await seatOf(tx, task.idTask, task.from)))
        await inner.asSystem.create(Executor, { idTask: task.idTask, idMember: task.from })
      if (task.isAdded) await inner.asSystem.remove(Executor, seat.id)
      back.tasks.push(task)
    }
    await tx.query(sql`update shift_handovers set "dateUndone" = now() where "id" = ${params.id}`)
    const [me] = await namesOf(tx, [actor.id])
    await notify({ actor, tx, records: inner }, [idTo], {
      kind: 'shift.handover',
      title: `${me?.name ?? 'Коллега'} забирает смену обратно`,
      link: '/journal/promises?mine=1',
    })
    return { counts: countsOf(back) }
  }),
)

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

const seatOf = (tx: Queryable, idTask: number, idMember: number) =>
  tx.one<{ id: number }>(sql`select "id"::int as id from tasks_management_executors
    where "idTask" = ${idTask} and "idMember" = ${idMember}`)

const ownersOf = (inner: Records, calls: Moved['calls'], idOwner: number) =>
  inner.asSystem.updateWhere(
    Call,
    ({ row }) => sql`${row}."id" = any(${calls.map(({ id }) => id)}::bigint[])`,
    { idOwner },
    { pastHooks: 'no number is written' },
  )

/**
 * Moves the parts of a chat that are still with `from`: its operator, and the owner of its promised step.
 * @returns the moved parts; undefined if none
 */
export async function giveChat(
  inner: Records,
  tx: Tx,
  { id, ...parts }: MovedChat,
  from: number,
  to: number,
): Promise<MovedChat | undefined> {
  const chat = await lockChat(inner.asSystem, tx, id)
  const talk = parts.talk && chat.status === 'active' && chat.handler === 'human' && chat.idUser === from
  const step = parts.step && owesStep(chat) && (chat.idOwner ?? chat.idUser ?? chat.lastUser) === from
  if (!talk && !step) return undefined
  await inner.asSystem.update(LiveAssist, id, { ...(talk && givenTo(chat, to)), ...(step && { idOwner: to }) })
  return { id, talk, step }
}

/** Moves a dialogue with a patient that is still with `from`. @returns whether it was moved */
export async function giveDialog(inner: Records, tx: Tx, id: number, from: number, to: number): Promise<boolean> {
  const { idUser, status } = await lockDialog(inner.asSystem, tx, id)
  if (idUser !== from || status === 'closed') return false
  await inner.asSystem.update(OnlineDialog, id, { idUser: to, dateAssigned: new Date().toISOString() })
  return true
}

export const handoverCalls = [handover, handOver, undo]
