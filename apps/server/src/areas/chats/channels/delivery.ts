/** Delivery of replies to messengers: in order within a chat, each once. */
import { blob } from 'node:stream/consumers'
import { type ChannelKind, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { moduleLabels } from '@ordinator/model/tariff'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type Chat, lockChat, unsentSql } from '../lines.ts'
import { type Outgoing, type Sent, UNKNOWN } from './adapter.ts'
import { adapters } from './adapters.ts'
import { takeEarlyReceipts } from './changes.ts'
import { secretOf } from './secrets.ts'
import { answerSeconds } from './wire.ts'

const JOB = 'chats.deliver'
/** Seconds until each retry of a line that a messenger did not accept; after the last the operator sees the failure. */
const AGAIN_S = [2, 10, 30, 120]
/** Maximum number of lines per run; the next run continues. */
const MOST = 50
/** Seconds to read a line from our own storage and send it, beyond the messenger's own time. */
const READING_S = 45
/** Minutes after which an unsent line is looked for, and days after which it is too late. */
const LEFT_MIN = 10
const LATE_DAYS = 2
/** Maximum number of chats woken at once. */
const MOST_LEFT = 500
const MEBIBYTE = 1024 * 1024

/** Triggers the delivery of a chat after the transaction commits. */
export async function wakeDelivery(
  app: AppContext,
  tx: Queryable,
  chat: Pick<Chat, 'id' | 'idChannel'>,
): Promise<void> {
  if (chat.idChannel !== null) await app.jobs.send(JOB, { id: chat.id }, { key: `chat${chat.id}`, tx })
}

export function startDelivery(app: AppContext): void {
  app.jobs.register<{ id: number; tries?: number }>(JOB, {
    concurrency: 4,
    handler: async ({ id, tries = 0 }) => {
      for (let at = 0; at < MOST; at++) {
        const done = await sendNext(app, id, at === 0 ? tries : 0)
        if (done !== 'more') return
      }
      await app.jobs.send(JOB, { id }, { key: `chat${id}` })
    },
  })
  app.jobs.register('chats.deliverLeft', {
    cron: '*/5 * * * *',
    handler: async () => {
      const left = await app.db.query<Pick<Chat, 'id' | 'idChannel'>>(sql`
        select c."id", c."idChannel" from live_assist c
        where c."idChannel" is not null and not c."deleted" and c."dateLast" > now() - make_interval(days => ${LATE_DAYS})
          and exists (select from live_assist_messages m where m."idLiveAssist" = c."id" and ${unsentSql(sql`m`)}
            and m."dateCreate" < now() - make_interval(mins => ${LEFT_MIN}))
        order by c."dateLast" limit ${MOST_LEFT}`)
      for (const chat of left) await wakeDelivery(app, app.db, chat)
    },
  })
}

interface Next {
  id: number
  no: number
  message: string
  kind: ChannelKind
  idChannel: number
  /** The channel exists and is enabled. */
  isOn: boolean
  to: string
  files: { name: string; key: string; size: number }[]
}

/** Sends the first unsent line: exclusive within its chat, with any number of servers. */
async function sendNext(app: AppContext, idChat: number, tries: number): Promise<'more' | 'none'> {
  const engine = app.engine.for(systemActor)
  const next = await engine.tx((_inside, tx) => claim(tx, idChat))
  if (!next) return 'none'
  if (next.taken === 'now') {
    await app.jobs.send(JOB, { id: idChat }, { key: `taken${idChat}`, startAfter: READING_S })
    return 'none'
  }
  const start = performance.now()
  const sent = asRepeatable(next.kind, next.taken === 'before' ? { outcome: 'unknown' } : await deliver(app, next))
  await app.exchanged({
    adapter: next.kind,
    operation: 'Ответ в чате',
    key: `chat-message-${next.id}`,
    about: { path: ChatMessage.path, id: next.id },
    status: sent.outcome === 'sent' ? 'done' : sent.outcome === 'refused' ? 'rejected' : 'network_error',
    error: sent.outcome === 'sent' ? undefined : failureOf(sent, next.kind),
    durationMs: performance.now() - start,
  })
  return engine.tx(async (inside, tx) => {
    const system = inside.asSystem
    // An arriving receipt waits for the lock, until the id is stored.
    await lockChat(system, tx, idChat)
    if (sent.outcome === 'later' && tries < AGAIN_S.length) {
      await tx.query(sql`delete from live_assist_deliveries where "idMessage" = ${next.id}`)
      const startAfter = sent.after ?? AGAIN_S[tries]
      await app.jobs.send(JOB, { id: idChat, tries: tries + 1 }, { key: `later${idChat}`, startAfter, tx })
      return 'none'
    }
    if (sent.outcome === 'sent') {
      await system.update(ChatMessage, next.id, { idExternal: sent.id || '-' })
      await system.updateWhere(
        LiveAssist,
        ({ row }) => sql`${row}."id" = ${idChat}`,
        ({ row }) => ({ deliveredOut: sql`greatest(${row}."deliveredOut", ${next.no}::int)` }),
      )
    } else {
      const gone = sent.outcome === 'refused' && sent.id ? { idExternal: sent.id } : {}
      await system.update(ChatMessage, next.id, { failure: failureOf(sent, next.kind), ...gone })
    }
    const secret = await secretOf(tx, next.idChannel)
    if (secret) await takeEarlyReceipts(system, tx, next, adapters[next.kind].botOf(secret, {}))
    return 'more'
  })
}

/**
 * Marks the first unsent line as being sent. `taken`: by the caller, by another process now, or by one that never
 * stored the outcome.
 */
async function claim(tx: Queryable, idChat: number) {
  await tx.query(sql`select 1 from live_assist where "id" = ${idChat} for update`)
  const next = await tx.one<Next & { age: number | null }>(sql`
    select m."id", m."no", m."message", ch."kind", ch."id" as "idChannel", v."idExternal" as "to",
      ch."active" and not ch."deleted" as "isOn", extract(epoch from now() - d."dateCreate")::float8 as age,
      (select coalesce(jsonb_agg(jsonb_build_object('name', f."name", 'key', f."key", 'size', f."size") order by mf."id"), '[]')
        from live_assist_message_files mf join live_assist_files f on f."id" = mf."idFile"
        where mf."idMessage" = m."id" and not mf."deleted") as files
    from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
    join live_assist_channels ch on ch."id" = c."idChannel" join live_assist_visitors v on v."id" = c."idVisitor"
    left join live_assist_deliveries d on d."idMessage" = m."id"
    where m."idLiveAssist" = ${idChat} and ${unsentSql(sql`m`)}
    order by m."seq" limit 1`)
  if (!next) return undefined
  const { age } = next
  if (age !== null)
    return { ...next, taken: age < READING_S + sendingSeconds(next) ? ('now' as const) : ('before' as const) }
  await tx.query(sql`insert into live_assist_deliveries ("idMessage") values (${next.id})`)
  return { ...next, taken: 'mine' as const }
}

/** Seconds that the messenger may take for the line, with all its requests. */
const sendingSeconds = (next: Next): number =>
  answerSeconds(bytesOf(next)) + next.files.length * (adapters[next.kind].asksPerFile ?? 0) * answerSeconds(0)

const bytesOf = ({ files }: Next): number => files.reduce((sum, { size }) => sum + size, 0)

async function deliver(app: AppContext, next: Next): Promise<Sent> {
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
  return adapter.send(app.config, secret, message)
}

/** An idempotent messenger is sent the line again after no reply, up to a limit. */
const asRepeatable = (kind: ChannelKind, sent: Sent): Sent =>
  sent.outcome === 'unknown' && adapters[kind].takesOnce ? { outcome: 'later', reason: failureOf(sent, kind) } : sent

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
  await tx.query(sql`delete from live_assist_deliveries where "idMessage" = ${idMessage}`)
  await inside.asSystem.update(ChatMessage, idMessage, { failure: null })
  await wakeDelivery(app, tx, chat)
}
