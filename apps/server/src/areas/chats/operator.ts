/** Operator operations on a chat. Each call locks its row, so that concurrent calls run one after another. */
import { randomUUID } from 'node:crypto'
import { holds } from '@ordinator/model/access'
import type { End } from '@ordinator/model/areas/appeals/endBody'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { ChatFile, ChatMessage, ChatMessageFile, ChatNote, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { readTo } from '@ordinator/model/areas/chats/rules'
import sql from 'sql-template-tag'
import { appealOfComplaint, draftOf, endOf, outcomeOf } from '#areas/appeals/index.ts'
import { notify } from '#areas/notifications/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import { wakeAssignment } from './assign.ts'
import { awaitsSql, isReachable, SUPERVISES, servesSql } from './availability.ts'
import { sendAgain, wakeDelivery } from './channels/delivery.ts'
import { COUNTED, countIn, type Held as HeldIn, holdingOf, mayServe, nameOf, refuseOther } from './held.ts'
import { addLine, type Chat, filesOf, givenTo, lineOf, lockChat, NEWS, owesStep } from './lines.ts'
import { marksOf } from './live.ts'
import { notifyOperators, ringingSql } from './notices.ts'

type Held = HeldIn<'chat', Chat>

const holding = holdingOf(LiveAssist, 'chat', lockChat)

const isTaken = ({ status, handler, idUser }: Chat, by: ServerActor): boolean =>
  status === 'active' && handler === 'human' && idUser !== by.id

/** @throws HttpError 409 `archived` */
function refuseArchived({ status }: Chat): void {
  if (status === 'archive') throw new HttpError(409, 'Чат в архиве: его можно только читать', { code: 'archived' })
}

/** @throws HttpError 409 `taken` if the chat is another operator's */
async function refuseTaken(tx: Queryable, chat: Chat, actor: ServerActor): Promise<void> {
  if (isTaken(chat, actor)) throw await taken(tx, chat.idUser)
}

async function taken(tx: Queryable, idUser: number | null): Promise<HttpError> {
  const name = await nameOf(tx, idUser)
  return new HttpError(409, name ? `Этот чат ведёт ${name}` : 'Этот чат уже ни за кем', { code: 'taken' })
}

const send = operation(chatCalls.send, async ({ app, records, actor, body, reply }) => {
  const { repeated, message } = await holding(records, body.idLiveAssist, async ({ inside, tx, system, chat }) => {
    const { clientId, message, files, seenNo } = body
    const known = await lineOf(tx, chat.id, clientId)
    if (known) {
      refuseOther({ ...known, text: known.message }, { idUser: actor.id, text: message })
      return { repeated: true, message: await inside.row(ChatMessage, known.id) }
    }
    refuseArchived(chat)
    await refuseTaken(tx, chat, actor)
    if (message === '' && files.length === 0) throw wrong('message', 'Напишите сообщение или приложите файл')
    const made = await addLine(
      system,
      tx,
      chat,
      {
        kind: 'staff',
        clientId,
        text: message,
        idUser: actor.id,
        files: await filesOf(tx, ChatFile, ChatMessageFile, files, actor.id),
      },
      {
        ...givenTo(chat, actor.id),
        snoozedUntil: null,
        snoozeHard: false,
        readIn: readTo(chat, seenNo ?? chat.inCount),
        ...(chat.status === 'completed' ? { dateCompleted: null, idOutcome: null } : {}),
      },
    )
    if (chat.status === 'completed') await withoutOutcome({ system, tx, chat })
    if (chat.answerCount === 0) await draftOf(system, tx, 'live-assist', chat.id, actor.id)
    await wakeDelivery(app, tx, chat)
    marksOf(app).stopTyping(chat.id, actor.id)
    return { repeated: false, message: await inside.row(ChatMessage, made.message.id) }
  })
  // Respond only after the commit.
  return reply.code(repeated ? 200 : 201).send(message)
})

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

const take = operation(chatCalls.take, ({ records, actor, params, body }) =>
  holding(records, params.id, async ({ tx, system, chat }) => {
    refuseArchived(chat)
    const now = chat.status === 'active' && chat.handler === 'human' ? chat.idUser : null
    if (now === actor.id) return chat
    if (now !== body.from) throw await taken(tx, now)
    if (now !== null && !holds(actor, SUPERVISES) && (await isReachable(tx, now)))
      throw forbidden('Коллега на месте: чат забирает он сам или старший')
    return system.update(LiveAssist, chat.id, {
      ...givenTo(chat, actor.id),
      ...(chat.status === 'completed' ? { dateCompleted: null, idOutcome: null } : {}),
    })
  }),
)

const transfer = operation(chatCalls.transfer, ({ app, records, actor, params, body }) =>
  holding(records, params.id, async ({ inside, tx, system, chat }) => {
    if (chat.status !== 'active') throw new HttpError(409, 'Передать можно только активный чат', { code: 'closed' })
    if (!holds(actor, SUPERVISES)) await refuseTaken(tx, chat, actor)
    const { idUser, idGroup, note } = body
    if (idUser !== null) await assertOperator(tx, idUser)
    if (
      idGroup !== undefined &&
      !(await tx.one(sql`select 1 from live_assist_groups where "id" = ${idGroup} and not "deleted"`))
    )
      throw wrong('idGroup', 'Этой группы больше нет')
    if (note) await inside.create(ChatNote, { idLiveAssist: chat.id, text: note })
    const next = await system.update(
      LiveAssist,
      chat.id,
      idUser !== null
        ? givenTo(chat, idUser)
        : {
            handler: 'none',
            idUser: null,
            lastUser: chat.idUser,
            queuedAt: chat.queuedAt ?? new Date().toISOString(),
            ...(idGroup !== undefined && { idGroup }),
          },
    )
    await wakeAssignment(app, tx)
    if (idUser === null) await notifyOperators({ actor, tx, records: inside }, next, note ?? next.lastMessage ?? '')
    else
      await notify({ actor, tx, records: inside }, [idUser], {
        kind: 'chat.transfer',
        title: 'Вам передали чат',
        text: [chat.name, note].filter(Boolean).join(': ').slice(0, 300),
        path: LiveAssist.path,
        idEntity: chat.id,
        link: `/live-assist?chat=${chat.id}`,
      })
    return next
  }),
)

async function assertOperator(tx: Queryable, idUser: number): Promise<void> {
  if (!(await mayServe(tx, idUser, 'supportOperator')))
    throw wrong('idUser', 'Этот сотрудник не отвечает в чате поддержки')
}

/** Completes a locked chat, or updates the outcome of a completed one; for an archived one, only its open step. */
async function completeChat({ tx, system, chat, actor }: Held, end: End): Promise<Chat> {
  if (!owesStep(chat)) refuseArchived(chat)
  if (!holds(actor, SUPERVISES)) await refuseTaken(tx, chat, actor)
  const outcome = await endOf(tx, end)
  if (chat.status === 'archive' && outcome.nextStep !== null) throw wrong('nextStep', 'Чат в архиве: укажите итог')
  // The author of a step owns it; a step set by a supervisor in another's chat belongs to its operator.
  const keeper = (isTaken(chat, actor) ? chat.idUser : null) ?? actor.id
  const kept = { ...outcome, idOwner: outcome.nextStep === null ? null : keeper }
  await appealOfComplaint(system, tx, {
    ...{ source: 'live-assist', id: chat.id, idOutcome: kept.idOutcome, idBefore: chat.idOutcome },
  })
  if (chat.answerCount > 0) await draftOf(system, tx, 'live-assist', chat.id, chat.idUser)
  if (chat.status !== 'active') return system.update(LiveAssist, chat.id, kept)
  const idUser = chat.idUser ?? actor.id
  const line = { kind: 'system', clientId: randomUUID(), text: 'Разговор завершён', idUser: actor.id } as const
  const closed = await addLine(system, tx, chat, line, {
    status: 'completed',
    handler: 'human',
    idUser,
    lastUser: idUser,
    ...kept,
    dateCompleted: new Date().toISOString(),
    readIn: chat.inCount,
    queuedAt: null,
    nextDueAt: null,
    snoozedUntil: null,
    snoozeHard: false,
  })
  return closed.chat
}

const complete = operation(chatCalls.complete, ({ app, records, params, body }) =>
  holding(records, params.id, async (held) => {
    const chat = await completeChat(held, body)
    await wakeAssignment(app, held.tx)
    return chat
  }),
)

/** All or none: chats that cannot be completed are named. */
const completeMany = operation(chatCalls.completeMany, ({ app, records, actor, body: { ids, ...end } }) =>
  records.tx(async (inside, tx) => {
    const all = [...new Set(ids)].sort((a, b) => a - b)
    for (const id of all) {
      await inside.row(LiveAssist, id)
      const chat = await lockChat(inside.asSystem, tx, id)
      await completeChat({ inside, tx, system: inside.asSystem, chat, actor }, end).catch((error: unknown) => {
        throw error instanceof HttpError && error.status === 409
          ? new HttpError(409, `«${chat.name}»: ${error.message}. Снимите чат с выбора`, { code: 'refused' })
          : error
      })
    }
    await wakeAssignment(app, tx)
    return { completed: all.length }
  }),
)

const archive = operation(chatCalls.archive, ({ records, params }) =>
  holding(records, params.id, async ({ system, chat }) => {
    if (chat.status === 'active') throw new HttpError(409, 'Сначала завершите чат: с итогом', { code: 'active' })
    if (owesStep(chat))
      throw new HttpError(409, 'У чата назначен следующий шаг: сначала запишите итог', { code: 'promised' })
    return system.update(LiveAssist, chat.id, { status: 'archive' })
  }),
)

/** The conversation goes on: what its outcome has caused is taken back with it. */
const withoutOutcome = ({ system, tx, chat }: Pick<Held, 'system' | 'tx' | 'chat'>): Promise<void> =>
  appealOfComplaint(system, tx, {
    ...{ source: 'live-assist', id: chat.id, idOutcome: null, idBefore: chat.idOutcome },
  })

const reopen = operation(chatCalls.reopen, ({ records, actor, params }) =>
  holding(records, params.id, async ({ system, tx, chat }) => {
    refuseArchived(chat)
    if (chat.status === 'active') return chat
    await withoutOutcome({ system, tx, chat })
    return system.update(LiveAssist, chat.id, { ...givenTo(chat, actor.id), dateCompleted: null, idOutcome: null })
  }),
)

const ban = operation(chatCalls.ban, ({ app, records, actor, params, body: { banned } }) =>
  holding(records, params.id, async ({ tx, system, chat }) => {
    await wakeAssignment(app, tx)
    return system.update(LiveAssist, chat.id, {
      banned,
      ...(banned && {
        status: 'archive',
        handler: 'human',
        idUser: chat.idUser ?? actor.id,
        idOutcome: await outcomeOf(tx, 'spam'),
        nextStep: null,
        dateNextStep: null,
        idOwner: null,
        readIn: chat.inCount,
        queuedAt: null,
        nextDueAt: null,
      }),
    })
  }),
)

const snooze = operation(chatCalls.snooze, ({ app, records, actor, params, body: { until, hard = false } }) =>
  holding(records, params.id, async ({ tx, system, chat }) => {
    if (chat.status !== 'active') throw new HttpError(409, 'Отложить можно только активный чат', { code: 'closed' })
    await refuseTaken(tx, chat, actor)
    if (until !== null && Date.parse(until) <= Date.now()) throw wrong('until', 'Это время уже прошло')
    await wakeAssignment(app, tx)
    return system.update(LiveAssist, chat.id, { snoozedUntil: until, snoozeHard: until !== null && hard })
  }),
)

const read = operation(chatCalls.read, async ({ records, actor, params, body }) => {
  const { idUser, handler } = await records.row(LiveAssist, params.id)
  // A viewer changes nothing.
  if (handler !== 'human' || idUser !== actor.id) return
  await records.asSystem.updateWhere(
    LiveAssist,
    ({ row }) => sql`${row}."id" = ${params.id} and ${row}."idUser" = ${actor.id}`,
    ({ row }) => ({ readIn: sql`greatest(${row}."readIn", least(${body.no}::int, ${row}."inCount"))` }),
    { pastHooks: 'The patient of the chat stays' },
  )
})

const marks = operation(chatCalls.marks, async ({ app, records, actor, params: { id }, body: { writes } }) => {
  const { handler, idUser, status } = await records.row(LiveAssist, id)
  // A viewer's typing is not shown to the visitor.
  const mayAnswer = status !== 'archive' && (status !== 'active' || handler !== 'human' || idUser === actor.id)
  const isWriting = writes && mayAnswer
  if (isWriting) app.fanout.publish(NEWS, `t${id}`)
  marksOf(app).typing(id, { id: actor.id, name: (await nameOf(app.db, actor.id)) ?? '' }, isWriting)
  return marksOf(app).of(id, actor.id)
})

const lookers = operation(chatCalls.lookers, ({ app, actor, query: { ids } }) => ({
  items: [...new Set(ids)]
    .map((id) => ({ id, people: marksOf(app).of(id, actor.id).people }))
    .filter(({ people }) => people.length > 0),
}))

/** Resends a line that the messenger did not accept, with the right to answer in the chat. */
const resend = operation(chatCalls.resend, async ({ app, records, actor, params }) => {
  const { idLiveAssist } = await records.row(ChatMessage, params.id)
  return holding(records, idLiveAssist, async ({ inside, tx, chat }) => {
    refuseArchived(chat)
    await refuseTaken(tx, chat, actor)
    const { id, failure, dateRemoved, idExternal } = await inside.row(ChatMessage, params.id)
    if (dateRemoved !== null) throw new HttpError(409, 'Сообщение удалено', { code: 'removed' })
    if (failure === null) throw new HttpError(409, 'Это сообщение уже отправляется', { code: 'sent' })
    if (idExternal !== null)
      throw new HttpError(409, 'Часть сообщения уже у посетителя: отправьте остальное новым сообщением', {
        code: 'half',
      })
    await sendAgain(app, inside, tx, chat, id)
    return inside.row(ChatMessage, id)
  })
})

const counts = operation(chatCalls.counts, async ({ app, actor }) => {
  const of = countIn(sql`live_assist where "status" = 'active' and ${inOwnBranch(actor, sql`"idFilial"`)}`)
  const own = sql`"handler" = 'human' and "idUser" = ${actor.id}`
  const forMe = holds(actor, SUPERVISES) ? sql`true` : servesSql(sql`${actor.id}::bigint`, sql`"idGroup"`)
  const row = await app.db.reads.one<{
    mine: number
    unassigned: number
    robot: number
    active: number
    unread: number
    awaits: number
    ringing: number
  }>(sql`
    select ${of(own)} as mine, ${of(sql`"handler" = 'none' and ${forMe}`)} as unassigned, ${of(sql`"handler" = 'robot'`)} as robot,
      ${of(sql`"handler" = 'human'`)} as active, ${of(sql`${own} and "inCount" > "readIn"`)} as unread,
      ${of(awaitsSql({ row: sql`live_assist`, me: sql`${actor.id}::bigint` }))} as awaits,
      ${ringingSql(actor.id, COUNTED)} as ringing`)
  if (!row) throw notFound()
  return row
})

export const operatorCalls = [
  send,
  take,
  transfer,
  complete,
  completeMany,
  archive,
  reopen,
  ban,
  snooze,
  read,
  marks,
  lookers,
  resend,
  counts,
]
