/** Messages and files of a visitor: taken once, within limits; the robot answers first. */

import { randomUUID } from 'node:crypto'
import type { ChatSuggestion } from '@ordinator/model/areas/chats/chatSettings'
import { ChatFile, GUEST, LiveAssist, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import { filledReply, openPlace, robotAnswer, type SuggestionPlace } from '@ordinator/model/areas/chats/rules'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { asPerson, keep, type Received, withinQuota } from '#areas/files/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, tooMany } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { SystemRecords } from '#records/records.ts'
import { wakeAssignment } from './assign.ts'
import { isReachable } from './availability.ts'
import { wakeDelivery } from './channels/delivery.ts'
import { addLine, type Chat, givenTo, lineOf, lockChat } from './lines.ts'
import { marksOf } from './live.ts'
import { notifyOperators } from './notices.ts'
import type { Origin } from './visitorEntry.ts'

/** Rate limits of one visitor, one address and one site. */
const MESSAGES_IN_10_S = 10
const MESSAGES_IN_10_MIN = 60
const CHATS_IN_12_H = 6
const CHATS_OF_SITE_IN_HOUR = 600
const FILES_OF_VISITOR_IN_DAY = 100 * 1024 * 1024

/**
 * Stores a visitor's file, within the daily limits of a visitor and of a site or channel.
 * @throws HttpError 429 `uploadQuota`
 */
export async function keepFile(
  app: AppContext,
  idVisitor: number,
  { idDomain, idChannel }: Pick<Origin, 'idDomain' | 'idChannel'>,
  idKeeper: number,
  received: Received,
): Promise<{ id: number; name: string }> {
  const instead = 'Напишите нам словами или отправьте его завтра'
  const all = {
    ...asPerson(app, { id: idKeeper }),
    who: idChannel ? `channel:${idChannel}` : `site:${idDomain}`,
    instead,
  }
  const own = { who: `visitor:${idVisitor}`, most: Math.min(all.most, FILES_OF_VISITOR_IN_DAY), instead }
  const keeper = app.engine.for({ ...systemActor, id: idKeeper })
  const file = await withinQuota(app, [own, all], received.size, () => keep(ChatFile, app, keeper, received, true))
  return { id: file.id as number, name: String(file.name) }
}

interface VisitorMessage {
  clientId: string
  text: string
  files?: readonly { id: number; name: string }[]
}

/** Adds a visitor's message to their chat, reopening or creating it. */
export async function receiveLine(app: AppContext, id: number, origin: Origin, message: VisitorMessage) {
  return app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    // Messages of a visitor are serialized, so that two first ones begin one chat.
    await tx.query(sql`select 1 from live_assist_visitors where "id" = ${id} for update`)
    const last = await lastChat<Pick<Chat, 'id'>>(tx, id)
    let chat = last && (await lockChat(system, tx, last.id))
    const answered = chat && (await answeredIn(tx, id, chat, message))
    if (answered) return answered
    if (!chat || chat.status === 'archive') chat = await begin(system, tx, id, origin)
    const was = chat
    const made = await addLine(system, tx, chat, { kind: 'visitor', ...message }, await reopened(tx, chat))
    const after = await robot(system, tx, made.chat, message)
    if (was.queuedAt === null || was.handler !== after.handler)
      await notifyOperators({ actor: systemActor, tx, records: inside }, after, message.text)
    await wakeAssignment(app, tx)
    await wakeDelivery(app, tx, after)
    marksOf(app).stopTyping(after.id, undefined)
    const { seq, dateCreate } = made.message
    return { repeated: false, line: { seq, clientId: message.clientId, dateCreate } }
  })
}

export const lastChat = <T>(db: Queryable, idVisitor: number): Promise<T | undefined> =>
  db.one<T>(sql`select "id", "banned", "lastSeq" from live_assist
    where "idVisitor" = ${idVisitor} and not "deleted" order by "id" desc limit 1`)

/** Response to a visitor that needs no write, also for files. @throws HttpError 429 */
export async function answeredAtOnce(
  db: Queryable,
  idVisitor: number,
  message: Pick<VisitorMessage, 'clientId' | 'text'>,
) {
  const chat = await lastChat<Pick<Chat, 'id' | 'banned' | 'lastSeq'>>(db, idVisitor)
  return chat && answeredIn(db, idVisitor, chat, message)
}

async function answeredIn(
  db: Queryable,
  idVisitor: number,
  chat: Pick<Chat, 'id' | 'banned' | 'lastSeq'>,
  { clientId, text }: Pick<VisitorMessage, 'clientId' | 'text'>,
) {
  const first = await lineOf(db, chat.id, clientId)
  if (first) {
    if (first.message !== text)
      throw new HttpError(409, 'С этим ключом уже отправлено другое сообщение', { code: 'repeated' })
    return { repeated: true, line: { seq: first.seq, clientId, dateCreate: first.dateCreate } }
  }
  // A banned visitor gets a normal response.
  if (chat.banned)
    return { repeated: false, line: { seq: chat.lastSeq, clientId, dateCreate: new Date().toISOString() } }
  await refuseFlood(db, idVisitor)
  return undefined
}

/** @throws HttpError 429 */
async function refuseFlood(tx: Queryable, idVisitor: number): Promise<void> {
  const sent = await tx.one<{ seconds: number; minutes: number }>(sql`
    select count(*) filter (where "dateCreate" > now() - interval '10 seconds')::int as seconds,
      count(*) filter (where "dateCreate" > now() - interval '10 minutes')::int as minutes
    from (select m."dateCreate" from live_assist_messages m
      where m."idLiveAssist" = (select max("id") from live_assist where "idVisitor" = ${idVisitor}) and m."kind" = 'visitor'
      order by m."seq" desc limit ${MESSAGES_IN_10_MIN}) last`)
  if ((sent?.seconds ?? 0) >= MESSAGES_IN_10_S)
    throw tooMany(10, 'Слишком много сообщений сразу. Подождите несколько секунд')
  if ((sent?.minutes ?? 0) >= MESSAGES_IN_10_MIN) throw tooMany(120, 'Слишком много сообщений. Подождите пару минут')
}

async function begin(system: SystemRecords, tx: Tx, idVisitor: number, origin: Origin): Promise<Chat> {
  const { robot, ...from } = origin
  const begun = await tx.one<{ own: number; all: number }>(sql`select
    (select count(*)::int from live_assist where "idVisitor" = ${idVisitor} and "dateCreate" > now() - interval '12 hours') as own,
    (select count(*)::int from (select 1 from live_assist where ("idDomain" = ${origin.idDomain} or "idChannel" = ${origin.idChannel})
      and "dateCreate" > now() - interval '1 hour' limit ${CHATS_OF_SITE_IN_HOUR}) found) as all`)
  if ((begun?.own ?? 0) >= CHATS_IN_12_H)
    throw tooMany(3600, 'За последние часы вы начали слишком много чатов. Позвоните нам')
  if ((begun?.all ?? 0) >= CHATS_OF_SITE_IN_HOUR)
    throw tooMany(600, 'Сейчас нам пишут слишком многие. Позвоните нам или напишите позже')
  const { name, phone, email, training } = await system.row(Visitor, idVisitor)
  return system.create(LiveAssist, {
    name,
    training,
    phone,
    email,
    idVisitor,
    ...from,
    handler: robot ? 'robot' : 'none',
  })
}

/** Effect of a visitor's message on a completed chat: it returns to its operator if they are online. */
async function reopened(tx: Queryable, chat: Chat): Promise<Partial<Chat>> {
  const awake = chat.snoozedUntil !== null && !chat.snoozeHard ? { snoozedUntil: null } : {}
  if (chat.status !== 'completed') return awake
  const back = { ...awake, status: 'active', dateCompleted: null, idOutcome: null, rating: null } as const
  if (chat.idUser !== null && (await isReachable(tx, chat.idUser))) return { ...back, ...givenTo(chat, chat.idUser) }
  return { ...back, handler: 'none', idUser: null, lastUser: chat.idUser }
}

/** Known values for the placeholders of a canned reply. */
async function placesOf(system: SystemRecords, chat: Chat): Promise<Partial<Record<SuggestionPlace, string>>> {
  const filial = chat.idFilial === null ? undefined : await system.row(Filial, chat.idFilial)
  const known = {
    имя: chat.name === GUEST ? undefined : chat.name,
    дата: formatDay(dayIn(filial?.timeZone ?? system.actor.timeZone, Date.now())),
    филиал: filial?.nameFilial,
    'телефон филиала': filial?.filialPhone ? phoneText(filial.filialPhone) : undefined,
  }
  return Object.fromEntries(Object.entries(known).filter(([, text]) => text))
}

/** Lets the robot answer, or leaves the chat to people. The chat is locked, so it is still unassigned. */
async function robot(system: SystemRecords, tx: Tx, chat: Chat, message: VisitorMessage): Promise<Chat> {
  if (chat.handler !== 'robot') return chat
  const suggestions = await tx.query<Pick<Row<typeof ChatSuggestion>, 'words' | 'text'>>(
    sql`select "words", "text" from live_assist_suggestions where "words" <> '' and not "deleted" order by "id" limit 500`,
  )
  const found = message.files ? undefined : robotAnswer(message.text, chat.robotTurns, suggestions)
  // A text with an unknown placeholder is not sent: a person answers instead.
  const answer = found && filledReply(found.text, await placesOf(system, chat))
  if (!answer || openPlace(answer)) {
    const line = {
      kind: 'robot',
      clientId: randomUUID(),
      text: 'Передаю ваш вопрос сотруднику, он ответит здесь.',
    } as const
    return (await addLine(system, tx, chat, line, { handler: 'none' })).chat
  }
  const line = { kind: 'robot', clientId: randomUUID(), text: answer } as const
  return (await addLine(system, tx, chat, line, { robotTurns: chat.robotTurns + 1 })).chat
}
