/** Visitor API: a site's key opens it; the visitor's own key gives access to their chat only. */

import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { allowed } from '@ordinator/model/access'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { CHAT_FILE_MAX, CHAT_FILE_TYPES, CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import { ChatFile, LiveAssist, MAX_MESSAGE } from '@ordinator/model/areas/chats/liveAssist'
import { opening, unreadOf } from '@ordinator/model/areas/chats/rules'
import type { VisitorChat, VisitorLine, VisitorNews, VisitorSession } from '@ordinator/model/areas/chats/visitorCalls'
import sql, { type Sql } from 'sql-template-tag'
import { receive } from '#areas/files/index.ts'
import type { Queryable } from '#platform/db.ts'
import { disposition } from '#platform/disposition.ts'
import { badRequest, forbidden, HttpError, notFound, unauthorized } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { type Chat, lockChat, workingOf } from './lines.ts'
import { marksOf, waitersOf } from './live.ts'
import { checkVersion, enter, known, originOf, siteOf } from './visitorEntry.ts'
import { answeredAtOnce, keepFile, lastChat, receiveLine } from './visitorLines.ts'

const SHOWN = 50

const open = operation(chatCalls.open, async ({ app, actor, records, query, body, request, reply }) => {
  const siteKey = query.token
  if (siteKey === undefined) {
    if (!actor) throw unauthorized()
    if (!allowed(actor, LiveAssist.access.update)) throw forbidden()
    const { name, phone, email, idCustomer } = body
    const chat = await records.asSystem.create(LiveAssist, {
      name: name ?? '',
      phone: phone || null,
      email: email || null,
      idCustomer: idCustomer ?? null,
      handler: 'human',
      idUser: actor.id,
      lastUser: actor.id,
      source: 'operator',
      sourceName: 'Оператор',
    })
    return reply.code(201).send(chat)
  }
  if (actor) throw badRequest('Ключ сайта и вход сотрудника вместе не бывают')
  checkVersion(request)
  const site = await siteOf(app.db, siteKey, body.host ?? null, request, app.config.publicUrl)
  const responseId = body.responseId ?? randomUUID()
  const { token, idVisitor } = await enter(app, site, { ...body, responseId }, request.ip)
  const news = await newsOf(app, idVisitor, 0)
  const { time } = await workingOf(app.db, originOf(site))
  const { open: isOpen, opensAt } = opening(Date.now(), time)
  return {
    responseId,
    token,
    mode: isOpen ? 'online' : site.robot ? 'robot' : 'offline',
    opensAt: opensAt === null ? null : new Date(opensAt).toISOString(),
    greeting: isOpen ? site.greeting : (await hasPhone(app.db, idVisitor)) ? PHONE_KNOWN : site.offlineText,
    consent: { version: site.consentVersion, text: site.consentText },
    limits: { text: MAX_MESSAGE, files: CHAT_FILES, fileSize: CHAT_FILE_MAX, fileTypes: CHAT_FILE_TYPES },
    ...news,
  } satisfies VisitorSession
})

/** Replaces the text that asks for a phone, if it is known. */
const PHONE_KNOWN = 'Сейчас мы закрыты. Ваш телефон у нас есть: напишите вопрос, мы ответим, как откроемся.'

const hasPhone = async (db: Queryable, idVisitor: number | undefined): Promise<boolean> =>
  idVisitor !== undefined &&
  (await db.one(sql`select 1 from live_assist_visitors where "id" = ${idVisitor} and "phone" is not null`)) !==
    undefined

const say = operation(chatCalls.say, async ({ app, request, reply, body }) => {
  const visitor = await known(app, request, true)
  const { line, repeated } = await receiveLine(app, visitor.id, originOf(visitor.site), {
    clientId: body.clientId,
    text: body.text,
  })
  return reply.code(repeated ? 200 : 201).send(line)
})

const sendFile = operation(chatCalls.sendFile, async ({ app, request, reply, query: { clientId } }) => {
  const visitor = await known(app, request, true)
  const upload = { ...ChatFile.upload, maxSize: CHAT_FILE_MAX } as NonNullable<typeof ChatFile.upload>
  const origin = originOf(visitor.site)
  const { line, repeated } = await app.scratch.use(async (folder) => {
    const received = await receive(request, join(folder, 'file'), { upload })
    const answered = await answeredAtOnce(app.db, visitor.id, { clientId, text: '' })
    if (answered) return answered
    const files = [await keepFile(app, visitor.id, origin, visitor.site.idUser, received)]
    return receiveLine(app, visitor.id, origin, { clientId, text: '', files })
  })
  return reply.code(repeated ? 200 : 201).send(line)
})

const news = operation(chatCalls.news, async ({ app, request, reply, query: { after, wait, revision } }) => {
  const { id } = await known(app, request, false)
  const idChat = wait === 0 ? undefined : await chatOf(app.db, id)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  // Subscribe before reading, so that no event in between is missed.
  const waited = idChat === undefined ? undefined : waitersOf.get(app)?.wait(idChat, wait * 1000, gone.signal)
  const first = await newsOf(app, id, after, revision)
  if (!waited || first.messages.length > 0 || first.changed.length > 0 || first.typing) {
    gone.abort()
    return first
  }
  return (await request.waitAside(waited)) ? newsOf(app, id, after, revision) : first
})

const chatOf = async (db: Queryable, idVisitor: number): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(
      sql`select "id" from live_assist where "idVisitor" = ${idVisitor} and not "deleted" order by "id" desc limit 1`,
    )
  )?.id

/**
 * The lines of a visitor's chat after `after`, the last ones, and earlier ones changed since `revision`; marks our new
 * lines as delivered.
 */
async function newsOf(
  app: AppContext,
  idVisitor: number | undefined,
  after: number,
  revision = Number.MAX_SAFE_INTEGER,
): Promise<VisitorNews> {
  const idChat = idVisitor === undefined ? undefined : await chatOf(app.db, idVisitor)
  if (idChat === undefined) return { chat: null, messages: [], cursor: 0, changed: [], revision: 0, typing: false }
  const chat = await app.engine.for(systemActor).asSystem.row(LiveAssist, idChat)
  const lines = await linesOf(app, chat, sql`m."seq" > ${after}`)
  const changed =
    chat.revision > revision ? await linesOf(app, chat, sql`m."seq" <= ${after} and m."revision" > ${revision}`) : []
  const delivered = Math.max(0, ...lines.filter(({ kind }) => kind === 'staff' || kind === 'robot').map(({ no }) => no))
  if (delivered > chat.deliveredOut) await reached(app, idChat, { deliveredOut: delivered })
  return {
    chat: publicChat(chat),
    messages: lines.map(shownLine),
    cursor: Math.max(after, ...lines.map(({ seq }) => seq)),
    changed: changed.map(shownLine),
    revision: chat.revision,
    typing: waitersOf.get(app)?.isTyping(idChat) ?? false,
  }
}

const shownLine = ({ no: _no, ...line }: VisitorLine & { no: number }): VisitorLine => line

/** The last lines that match `which`, in order. */
const linesOf = async (app: AppContext, chat: Chat, which: Sql) =>
  (
    await app.db.reads.query<VisitorLine & { no: number }>(sql`
    select m."seq", m."no", m."kind", case when m."kind" = 'visitor' then m."clientId" end as "clientId",
      m."message" as text, case when m."kind" = 'staff' then u."name" end as author, m."dateCreate",
      m."dateEdited" is not null as edited, m."dateRemoved" is not null as removed,
      case when m."kind" <> 'visitor' or m."no" <= ${chat.readIn} then 'read' else 'delivered' end as state,
      coalesce((select jsonb_agg(jsonb_build_object('id', f."id", 'name', f."name", 'size', f."size",
          'picture', f."meta" ->> 'category' = 'image',
          'sound', case when f."meta" ->> 'category' = 'audio' then f."meta" ->> 'type' end) order by f."id")
        from live_assist_message_files mf join live_assist_files f on f."id" = mf."idFile"
        where mf."idMessage" = m."id" and not mf."deleted"), '[]') as files
    from live_assist_messages m left join users u on u."id" = m."idUser"
    where m."idLiveAssist" = ${chat.id} and ${which} and not m."deleted"
    order by m."seq" desc limit ${SHOWN}`)
  ).reverse()

const publicChat = (chat: Chat): VisitorChat => ({
  publicId: createHash('sha256').update(`chat:${chat.id}`).digest('hex').slice(0, 12),
  status: chat.banned ? 'active' : chat.status,
  unread: unreadOf({ inCount: chat.outCount, readIn: chat.readOut }),
  mayRate: chat.status === 'completed' && chat.answerCount > 0 && chat.rating === null && !chat.banned,
})

/** Updates the delivered and read positions; they only grow, up to the last line. */
async function reached(
  app: AppContext,
  idChat: number,
  to: { deliveredOut?: number; readOut?: number },
): Promise<void> {
  const { deliveredOut = 0, readOut = 0 } = to
  await app.engine.for(systemActor).asSystem.updateWhere(
    LiveAssist,
    ({ row }) => sql`${row}."id" = ${idChat}`,
    ({ row }) => ({
      deliveredOut: sql`greatest(${row}."deliveredOut", least(${Math.max(deliveredOut, readOut)}::int, ${row}."outCount"))`,
      readOut: sql`greatest(${row}."readOut", least(${readOut}::int, ${row}."outCount"))`,
    }),
    { pastHooks: 'The patient of the chat stays' },
  )
}

const seen = operation(chatCalls.seen, async ({ app, request, body }) => {
  const { id } = await known(app, request, false)
  const idChat = await chatOf(app.db, id)
  if (idChat === undefined) return
  const upTo = await app.db.one<{ no: number | null }>(sql`select max("no") as no from live_assist_messages
    where "idLiveAssist" = ${idChat} and "seq" <= ${body.seq} and "kind" in ('staff', 'robot')`)
  if (upTo?.no) await reached(app, idChat, { readOut: upTo.no })
})

const writes = operation(chatCalls.writes, async ({ app, request }) => {
  const { id } = await known(app, request, true)
  const chat = await lastChat<Pick<Chat, 'id' | 'banned' | 'lastSeq'>>(app.db, id)
  if (chat && !chat.banned) marksOf(app).typing(chat.id, undefined, true)
})

const rate = operation(chatCalls.rate, async ({ app, request, body }) => {
  const { id } = await known(app, request, false)
  const idChat = await chatOf(app.db, id)
  if (idChat === undefined) throw notFound()
  await app.engine.for(systemActor).tx(async (inside, tx) => {
    const chat = await lockChat(inside.asSystem, tx, idChat)
    if (!publicChat(chat).mayRate)
      throw new HttpError(409, 'Оценить можно один раз, когда разговор завершён', { code: 'rated' })
    await inside.asSystem.update(LiveAssist, idChat, { rating: body.rating })
  })
})

const file = operation(chatCalls.file, async ({ app, request, reply, params }) => {
  const { id } = await known(app, request, false)
  const idChat = await chatOf(app.db, id)
  const found = await app.db.one<{ name: string; key: string }>(sql`select f."name", f."key" from live_assist_files f
    join live_assist_message_files mf on mf."idFile" = f."id" and not mf."deleted"
    join live_assist_messages m on m."id" = mf."idMessage" and not m."deleted"
    where f."id" = ${params.id} and m."idLiveAssist" = ${idChat ?? 0} and not f."deleted"`)
  if (!found) throw notFound('Файл не найден')
  return reply
    .header('content-disposition', disposition('attachment', found.name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type('application/octet-stream')
    .send(await app.files.get(found.key))
})

export const visitorCalls = [open, say, sendFile, file, news, seen, writes, rate]
