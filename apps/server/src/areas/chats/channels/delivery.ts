/**
 * Delivery of replies to messengers over the outbox: a lane for each channel, the lines of a chat in order, each once.
 */
import { blob } from 'node:stream/consumers'
import { type ChannelKind, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { moduleLabels } from '@ordinator/model/tariff'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import type { AppContext, Work } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type Chat, lockChat, unsentSql } from '../lines.ts'
import { type Outgoing, type Sent, UNKNOWN } from './adapter.ts'
import { adapters } from './adapters.ts'
import { takeEarlyReceipts } from './changes.ts'
import { type ChannelSecret, secretOf } from './secrets.ts'

/** Minutes until each retry of a line that a messenger did not accept; after the last the operator sees the failure. */
const AGAIN_MIN = [2, 10, 30, 120].map((seconds) => seconds / 60)
/** Days after which an unsent line is too late. */
const LATE_DAYS = 2
const MEBIBYTE = 1024 * 1024

/** A line of a chat. */
interface Line {
  id: number
  idChat: number
}

export function startDelivery(app: AppContext): void {
  for (const kind of Object.keys(adapters) as ChannelKind[]) app.outbox.register(repliesBy(app, kind))
}

const subjectOf = (idChat: number): string => `chat-${idChat}`

/** Queues the unsent lines of a chat; the caller's transaction holds it. */
export async function wakeDelivery(app: AppContext, tx: Tx, chat: Pick<Chat, 'id' | 'idChannel'>): Promise<void> {
  if (chat.idChannel === null) return
  const lines = await tx.query<{ id: number }>(sql`
    select m."id" from live_assist_messages m where m."idLiveAssist" = ${chat.id} and ${unsentSql(sql`m`)}
      and m."dateCreate" > now() - make_interval(days => ${LATE_DAYS})
      and not exists (select from outbox o where o."subject" = ${subjectOf(chat.id)} and o."state" <> 'dead'
        and o."payload" ->> 'id' = m."id"::text)
    order by m."seq"`)
  for (const { id } of lines) await queueLine(app, tx, chat, id)
}

async function queueLine(
  app: AppContext,
  tx: Tx,
  { id: idChat, idChannel }: Pick<Chat, 'id' | 'idChannel'>,
  id: number,
): Promise<void> {
  const channel = await tx.one<{ kind: ChannelKind }>(
    sql`select "kind" from live_assist_channels where "id" = ${idChannel}`,
  )
  if (!channel) return
  const lane = `${channel.kind}:${idChannel}`
  const payload: Line = { id, idChat }
  const queued = await app.outbox.add(tx, {
    adapter: channel.kind,
    lane,
    operation: 'reply',
    title: 'Ответ в чате',
    key: `chat-message-${id}`,
    subject: subjectOf(idChat),
    about: { path: ChatMessage.path, id },
    payload,
  })
  // A line that is sent again.
  if (!queued.isNew)
    await app.outbox.addLines(tx, [queued.id], {
      lane: sql`${lane}::text`,
      subject: sql`${subjectOf(idChat)}::text`,
      payload: sql`${JSON.stringify(payload)}::jsonb`,
    })
}

const repliesBy = (app: AppContext, kind: ChannelKind): OutboxAdapter<Work, Line> => ({
  code: kind,
  retryMinutes: AGAIN_MIN,
  isRepeatable: () => adapters[kind].takesOnce === true,
  async send({ payload: { id } }, run) {
    const next = await unsent(app.db, id)
    if (!next) return { kind: 'done', note: 'Сообщение удалено или уже отправлено' }
    const ready = await prepare(app, next)
    if ('outcome' in ready) return outcomeOf(kind, ready, true)
    await run.remember({ isGiven: true })
    const sent = await adapters[kind].send(app.config, ready.secret, ready.message).catch((error): Sent => {
      app.log.warn({ err: error, idMessage: id }, 'chats: a messenger has failed')
      return { outcome: 'unknown' }
    })
    return outcomeOf(kind, sent, false)
  },
  // A messenger cannot be queried.
  ask: async ({ memo }) => (memo ? outcomeOf(kind, { outcome: 'unknown' }, true) : { kind: 'absent' }),
  async settled({ records, tx }, { payload: { id, idChat } }, { state, error, result }) {
    const sent = result as Sent | undefined
    // It is tried again, or there was nothing left to send.
    if (sent ? state === 'waiting' : state === 'done') return
    const system = records.asSystem
    // An arriving receipt waits for the lock, until the id is stored.
    await lockChat(system, tx, idChat)
    const line = await tx.one<{ no: number; idChannel: number; to: string; isOpen: boolean }>(sql`
      select m."no", c."idChannel", v."idExternal" as "to", m."idExternal" is null and m."dateRemoved" is null as "isOpen"
      from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
      join live_assist_visitors v on v."id" = c."idVisitor" where m."id" = ${id} and not m."deleted"`)
    if (!line) return
    if (sent?.outcome === 'sent') {
      await system.update(ChatMessage, id, { idExternal: sent.id || '-' })
      await system.updateWhere(
        LiveAssist,
        ({ row }) => sql`${row}."id" = ${idChat}`,
        ({ row }) => ({ deliveredOut: sql`greatest(${row}."deliveredOut", ${line.no}::int)` }),
        { pastHooks: 'The patient of the chat stays' },
      )
    } else if (sent) {
      const gone = sent.outcome === 'refused' && sent.id ? { idExternal: sent.id } : {}
      await system.update(ChatMessage, id, { failure: failureOf(sent, kind), ...gone })
    }
    // A person has repeated or stopped it in the journal of exchange.
    else if (line.isOpen) await system.update(ChatMessage, id, { failure: state === 'waiting' ? null : error })
    const secret = await secretOf(tx, line.idChannel)
    if (secret) await takeEarlyReceipts(system, tx, { ...line, id }, adapters[kind].botOf(secret, {}))
  },
})

/**
 * A line that may have gone ends as a dead letter: the operator sees that in the chat, and its next lines do not wait.
 * @param isAlone the messenger was not called
 */
function outcomeOf(kind: ChannelKind, sent: Sent, isAlone: boolean): Outcome {
  const error = failureOf(sent, kind)
  switch (sent.outcome) {
    case 'sent':
      return { kind: 'done', result: sent }
    case 'refused':
      return { kind: 'refused', reasons: [{ message: error }], result: sent }
    case 'later':
      return { kind: 'failed', error, isAlone, seconds: sent.after, result: sent }
    default:
      if (adapters[kind].takesOnce) return { kind: 'unknown', error, result: sent }
      return { kind: 'failed', error, isAlone, isLast: true, result: sent }
  }
}

interface Next {
  id: number
  message: string
  kind: ChannelKind
  idChannel: number
  /** The channel exists and is enabled. */
  isOn: boolean
  to: string
  files: { name: string; key: string; size: number }[]
}

const unsent = (db: Queryable, id: number): Promise<Next | undefined> =>
  db.one<Next>(sql`
    select m."id", m."message", ch."kind", ch."id" as "idChannel", v."idExternal" as "to",
      ch."active" and not ch."deleted" as "isOn",
      (select coalesce(jsonb_agg(jsonb_build_object('name', f."name", 'key', f."key", 'size', f."size") order by mf."id"), '[]')
        from live_assist_message_files mf join live_assist_files f on f."id" = mf."idFile"
        where mf."idMessage" = m."id" and not mf."deleted") as files
    from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
    join live_assist_channels ch on ch."id" = c."idChannel" join live_assist_visitors v on v."id" = c."idVisitor"
    where m."id" = ${id} and ${unsentSql(sql`m`)}`)

const bytesOf = ({ files }: Next): number => files.reduce((sum, { size }) => sum + size, 0)

/** @returns the message for the messenger, or why it is not sent */
async function prepare(app: AppContext, next: Next): Promise<Sent | { secret: ChannelSecret; message: Outgoing }> {
  const secret = await secretOf(app.db, next.idChannel)
  const adapter = adapters[next.kind]
  if (!next.isOn) return { outcome: 'refused', reason: 'Канал выключен' }
  if (!(await readCommonSettings(app.db)).additionalServices.includes('omnichannel'))
    return { outcome: 'refused', reason: `Канал выключен вместе с модулем «${moduleLabels.omnichannel}»` }
  if (!secret) return { outcome: 'refused', reason: 'Канал не подключён: у него нет токена' }
  if (next.message.length > adapter.maxText) return { outcome: 'refused', reason: 'Сообщение слишком длинное' }
  if (next.files.length > 0 && next.message.length > adapter.maxCaption)
    return { outcome: 'refused', reason: `К файлам можно написать не больше ${adapter.maxCaption} знаков` }
  const message: Outgoing = { key: next.id, to: next.to, text: next.message, files: [] }
  if (bytesOf(next) > adapter.maxBytes)
    return { outcome: 'refused', reason: `Файлы одного сообщения вместе — не больше ${adapter.maxBytes / MEBIBYTE} МБ` }
  for (const { name, key } of next.files)
    try {
      message.files.push({ name, content: (await blob(await app.files.get(key))) as Blob })
    } catch (error) {
      app.log.warn({ err: error, idMessage: next.id }, 'chats: a file of an answer cannot be read')
      return { outcome: 'later', reason: `Не удалось прочитать файл «${name}»` }
    }
  return { secret, message }
}

const failureOf = (sent: Sent, kind: ChannelKind): string =>
  sent.outcome === 'refused'
    ? sent.reason
    : sent.outcome === 'later'
      ? (sent.reason ?? `${channelKinds[kind]} не принимает сообщения`)
      : `${UNKNOWN}: ${channelKinds[kind]} не ответил`

/** Resends an unsent line; the caller's transaction holds the chat. */
export async function sendAgain(
  app: AppContext,
  inside: Records,
  tx: Tx,
  chat: Chat,
  idMessage: number,
): Promise<void> {
  await inside.asSystem.update(ChatMessage, idMessage, { failure: null })
  await queueLine(app, tx, chat, idMessage)
}
