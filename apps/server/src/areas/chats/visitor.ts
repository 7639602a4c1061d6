/** Visitor API: a site's key opens it; the visitor's own key gives access to their chat only. */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { allowed } from '@ordinator/model/access'
import {
  CLIENT_VERSION,
  chatCalls,
  type VisitorChat,
  type VisitorLine,
  type VisitorNews,
  type VisitorSession,
} from '@ordinator/model/areas/chats/calls'
import { CHAT_FILE_MAX, CHAT_FILE_TYPES, CHAT_FILES } from '@ordinator/model/areas/chats/chatFiles'
import type { ChatDomain, ChatSuggestion } from '@ordinator/model/areas/chats/chatSettings'
import { ChatFile, GUEST, LiveAssist, MAX_MESSAGE, Visitor } from '@ordinator/model/areas/chats/liveAssist'
import {
  domainOf,
  filledReply,
  opening,
  openPlace,
  robotAnswer,
  type SuggestionPlace,
  unreadOf,
} from '@ordinator/model/areas/chats/rules'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { dayIn } from '@ordinator/model/zone'
import type { FastifyRequest } from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { asPerson, keep, type Received, receive, withinQuota } from '#areas/files/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { disposition } from '#platform/disposition.ts'
import { badRequest, forbidden, HttpError, notFound, tooMany, unauthorized, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { SystemRecords } from '#records/records.ts'
import { wakeAssignment } from './assign.ts'
import { isReachable } from './availability.ts'
import { wakeDelivery } from './channels/delivery.ts'
import { addLine, type Chat, givenTo, lineOf, lockChat, workingOf } from './lines.ts'
import { createMarks, type Marks } from './marks.ts'
import { tellOperators } from './notices.ts'
import { createWaiters, type Waiters } from './waiters.ts'

const SHOWN = 50
/** Rate limits of one visitor, one address and one site. */
const MESSAGES_IN_10_S = 10
const MESSAGES_IN_10_MIN = 60
const CHATS_IN_12_H = 6
const VISITORS_OF_ADDRESS_IN_HOUR = 100
const CHATS_OF_SITE_IN_HOUR = 600
const FILES_OF_VISITOR_IN_DAY = 100 * 1024 * 1024

type Site = Row<typeof ChatDomain>

const waitersOf = new WeakMap<AppContext, Waiters>()
const marked = new WeakMap<AppContext, Marks>()
export function startWaiters(app: AppContext): void {
  const waiters = createWaiters(app.fanout)
  const marks = createMarks(app.fanout)
  waitersOf.set(app, waiters)
  marked.set(app, marks)
  app.onClose(() => {
    waiters.close()
    marks.close()
  })
}
export const marksOf = (app: AppContext): Marks => marked.get(app) as Marks

const hashed = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Rejects an outdated program before the body is read. */
function checkVersion({ headers }: FastifyRequest): void {
  const version = Number(headers['x-client-version'])
  if (!Number.isInteger(version) || version < CLIENT_VERSION)
    throw new HttpError(426, 'Обновите страницу: чат на ней устарел', { code: 'version' })
}

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

/** @throws HttpError 410 for an unknown key, 403 if the page is not the clinic's */
export async function siteOf(
  db: Queryable,
  key: string,
  host: string | null,
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
): Promise<Site> {
  const sites = await db.query<Site>(sql`select * from live_assist_domains where "active" and not "deleted" limit 1000`)
  const keyed = sites.find((site) => site.key === key)
  if (!keyed) throw new HttpError(410, 'Чат на этом сайте выключен', { code: 'off' })
  const origin = headers.origin === undefined ? undefined : hostOf(headers.origin)
  const ours = [hostOf(publicUrl), hostOf(`http://${headers.host ?? ''}`)]
  const from = origin !== undefined && !ours.includes(origin) ? origin : (host ?? undefined)
  if (from === undefined || ours.includes(from)) return keyed
  const site = domainOf(sites, from)
  if (!site) throw new HttpError(403, 'Этого сайта нет в карте доменов клиники', { code: 'origin' })
  return site
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '')

interface Entering {
  name?: string | null | undefined
  phone?: string | null | undefined
  email?: string | null | undefined
  token?: string | null | undefined
  responseId: string
  consent?: { version: number } | null | undefined
}

/**
 * Identifies the visitor by their key, or creates one after consent. The key is derived from the program's request, so
 * that a repeat gets the same key, and no key is stored.
 */
async function enter(app: AppContext, site: Site, { token, responseId, consent, ...said }: Entering, ip: string) {
  const agreed = consent?.version === site.consentVersion
  const known = token ? await visitorOf(app.db, token) : undefined
  if (token && known) {
    await saidAnew(app, known, said, agreed ? { version: site.consentVersion, ip } : undefined)
    return { token, idVisitor: known }
  }
  if (!agreed) return { token: null, idVisitor: undefined }
  const made = `v_${createHmac('sha256', app.config.secret).update(`chat:${site.key}:${responseId}`).digest('base64url')}`
  const idVisitor = await app.engine.for(systemActor).tx(async (inside, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${made}, 0))`)
    const repeated = await visitorOf(tx, made)
    if (repeated !== undefined) return repeated
    const { count } = (await tx.one<{ count: number }>(sql`select count(*)::int as count from (select 1
      from live_assist_visitors where network_of("consentIp") = network_of(${ip}) and "dateCreate" > now() - interval '1 hour'
      limit ${VISITORS_OF_ADDRESS_IN_HOUR}) found`)) as { count: number }
    if (count >= VISITORS_OF_ADDRESS_IN_HOUR)
      throw tooMany(3600, 'С вашего адреса начато слишком много чатов. Позвоните нам или напишите позже')
    const visitor = await inside.asSystem.create(Visitor, {
      name: said.name || GUEST,
      phone: said.phone || null,
      email: said.email || null,
      idDomain: site.id,
      consentVersion: site.consentVersion,
      consentAt: new Date().toISOString(),
      consentIp: ip,
    })
    await tx.query(sql`insert into live_assist_tokens (hash, "idVisitor") values (${hashed(made)}, ${visitor.id})`)
    return visitor.id
  })
  return { token: made, idVisitor }
}

const visitorOf = async (db: Queryable, token: string): Promise<number | undefined> =>
  (await db.one<{ idVisitor: number }>(sql`select "idVisitor" from live_assist_tokens where hash = ${hashed(token)}`))
    ?.idVisitor

/** Updates the visitor's contact data, also in the open chat; never in a patient's card. */
async function saidAnew(
  app: AppContext,
  id: number,
  said: Omit<Entering, 'token' | 'responseId' | 'consent'>,
  consent: { version: number; ip: string } | undefined,
): Promise<void> {
  const told = Object.fromEntries(
    Object.entries(said).filter(([name, value]) => value && ['name', 'phone', 'email'].includes(name)),
  )
  if (Object.keys(told).length === 0 && !consent) return
  await app.engine.for(systemActor).tx(async (inside) => {
    await inside.asSystem.update(Visitor, id, {
      ...told,
      ...(consent && { consentVersion: consent.version, consentAt: new Date().toISOString(), consentIp: consent.ip }),
    })
    if (Object.keys(told).length > 0)
      await inside.asSystem.updateWhere(
        LiveAssist,
        ({ row }) => sql`${row}."idVisitor" = ${id} and ${row}."status" = 'active'`,
        told,
      )
  })
}

interface Known {
  id: number
  site: Site
}

/** Where a visitor's chat begins. */
export type Origin = Pick<Chat, 'idDomain' | 'idChannel' | 'idFilial' | 'idGroup' | 'source' | 'sourceName'> & {
  robot: boolean
}

const originOf = ({ id, idFilial, idGroup, sourceName, robot }: Site): Origin => ({
  idDomain: id,
  idChannel: null,
  idFilial,
  idGroup,
  source: 'widget',
  sourceName,
  robot,
})

/** Authenticates `Authorization: Visitor v_…`, and checks the consent to the current text. */
async function known(app: AppContext, request: FastifyRequest, writes: boolean): Promise<Known> {
  checkVersion(request)
  const token = /^Visitor (v_[\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token) {
    if (writes && !request.headers.authorization) throw noConsent()
    throw unauthorized('Чат не найден: откройте его заново', 'visitor')
  }
  const row = await app.db.one<{
    id: number
    idDomain: number
    consentVersion: number
  }>(sql`select v."id", v."idDomain",
    v."consentVersion" from live_assist_tokens t join live_assist_visitors v on v."id" = t."idVisitor"
    where t.hash = ${hashed(token)}`)
  if (!row) throw unauthorized('Чат не найден: откройте его заново', 'visitor')
  const site = await app.db.one<Site>(
    sql`select * from live_assist_domains where "id" = ${row.idDomain} and "active" and not "deleted"`,
  )
  if (!site) throw new HttpError(410, 'Чат на этом сайте выключен', { code: 'off' })
  if (writes && row.consentVersion !== site.consentVersion) throw noConsent()
  return { id: row.id, site }
}

const noConsent = () =>
  new ValidationError([{ field: 'consent', message: 'Сначала согласитесь на обработку персональных данных' }])

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

interface Said {
  clientId: string
  text: string
  files?: readonly { id: number; name: string }[]
}

/** Adds a visitor's message to their chat, reopening or creating it. */
export async function receiveLine(app: AppContext, id: number, origin: Origin, said: Said) {
  return app.engine.for(systemActor).tx(async (inside, tx) => {
    const system = inside.asSystem
    // Messages of a visitor are serialized, so that two first ones begin one chat.
    await tx.query(sql`select 1 from live_assist_visitors where "id" = ${id} for update`)
    const last = await lastChat<Pick<Chat, 'id'>>(tx, id)
    let chat = last && (await lockChat(system, tx, last.id))
    const answered = chat && (await answeredIn(tx, id, chat, said))
    if (answered) return answered
    if (!chat || chat.status === 'archive') chat = await begin(system, tx, id, origin)
    const was = chat
    const made = await addLine(system, tx, chat, { kind: 'visitor', ...said }, await reopened(tx, chat))
    const after = await robot(system, tx, made.chat, said)
    if (was.queuedAt === null || was.handler !== after.handler)
      await tellOperators({ actor: systemActor, tx, records: inside }, after, said.text)
    await wakeAssignment(app, tx)
    await wakeDelivery(app, tx, after)
    marksOf(app).said(after.id, undefined)
    const { seq, dateCreate } = made.message
    return { repeated: false, line: { seq, clientId: said.clientId, dateCreate } }
  })
}

const lastChat = <T>(db: Queryable, idVisitor: number): Promise<T | undefined> =>
  db.one<T>(sql`select "id", "banned", "lastSeq" from live_assist
    where "idVisitor" = ${idVisitor} and not "deleted" order by "id" desc limit 1`)

/** Response to a visitor that needs no write, also for files. @throws HttpError 429 */
export async function answeredAtOnce(db: Queryable, idVisitor: number, said: Pick<Said, 'clientId' | 'text'>) {
  const chat = await lastChat<Pick<Chat, 'id' | 'banned' | 'lastSeq'>>(db, idVisitor)
  return chat && answeredIn(db, idVisitor, chat, said)
}

async function answeredIn(
  db: Queryable,
  idVisitor: number,
  chat: Pick<Chat, 'id' | 'banned' | 'lastSeq'>,
  { clientId, text }: Pick<Said, 'clientId' | 'text'>,
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
async function robot(system: SystemRecords, tx: Tx, chat: Chat, said: Said): Promise<Chat> {
  if (chat.handler !== 'robot') return chat
  const suggestions = await tx.query<Pick<Row<typeof ChatSuggestion>, 'words' | 'text'>>(
    sql`select "words", "text" from live_assist_suggestions where "words" <> '' and not "deleted" order by "id" limit 500`,
  )
  const found = said.files ? undefined : robotAnswer(said.text, chat.robotTurns, suggestions)
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
  return (await waited) ? newsOf(app, id, after, revision) : first
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
    messages: lines.map(told),
    cursor: Math.max(after, ...lines.map(({ seq }) => seq)),
    changed: changed.map(told),
    revision: chat.revision,
    typing: waitersOf.get(app)?.isTyping(idChat) ?? false,
  }
}

const told = ({ no: _no, ...line }: VisitorLine & { no: number }): VisitorLine => line

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
  if (chat && !chat.banned) marksOf(app).tell(chat.id, undefined, true)
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
