/** Answers on their way into messengers: those of one chat one after another, each once. */
import { buffer } from 'node:stream/consumers'
import { chatCalls } from '@ordinator/model/areas/chats/calls'
import { type ChannelKind, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import { ChatMessage, LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import type { Queryable } from '../../../platform/db.ts'
import { HttpError } from '../../../platform/errors.ts'
import { systemActor } from '../../../records/actor.ts'
import type { AppContext } from '../../../records/context.ts'
import { operation } from '../../../records/operation.ts'
import type { Chat } from '../lines.ts'
import type { Outgoing, Sent } from './adapter.ts'
import { adapters } from './adapters.ts'
import { secretOf } from './secrets.ts'

const JOB = 'chats.deliver'
/** Seconds after which what a messenger did not take is tried again; after the last it is told to the operator. */
const AGAIN_S = [2, 10, 30, 120]
/** Lines that one run sends; the next goes on. */
const MOST = 50
/** Seconds that a line may be on its way: longer than a messenger may be silent. */
const SENDING_S = 60

/** The chat has something to send, once the transaction is committed. */
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
}

interface Next {
  id: number
  no: number
  message: string
  kind: ChannelKind
  idChannel: number
  to: string
  files: { name: string; key: string }[]
}

/** Sends the first line that has not gone: alone in its chat, however many servers there are. */
async function sendNext(app: AppContext, idChat: number, tries: number): Promise<'more' | 'none'> {
  const engine = app.engine.for(systemActor)
  const next = await engine.tx((_inside, tx) => claim(tx, idChat))
  if (!next) return 'none'
  if (next.taken === 'now') {
    await app.jobs.send(JOB, { id: idChat }, { key: `taken${idChat}`, startAfter: SENDING_S })
    return 'none'
  }
  const sent: Sent = next.taken === 'before' ? { outcome: 'unknown' } : await deliver(app, next)
  return engine.tx(async (inside, tx) => {
    const system = inside.asSystem
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
    } else await system.update(ChatMessage, next.id, { failure: failureOf(sent, next.kind) })
    return 'more'
  })
}

/**
 * Marks the first line that has not gone as being sent. `taken`: by who asks, by another right now, or by one who has
 * never said what became of it.
 */
async function claim(tx: Queryable, idChat: number) {
  await tx.query(sql`select 1 from live_assist where "id" = ${idChat} for update`)
  const next = await tx.one<Next & { since: boolean | null }>(sql`
    select m."id", m."no", m."message", ch."kind", ch."id" as "idChannel", v."idExternal" as "to",
      d."dateCreate" > now() - make_interval(secs => ${SENDING_S}) as since,
      (select coalesce(jsonb_agg(jsonb_build_object('name', f."name", 'key', f."key") order by mf."id"), '[]')
        from live_assist_message_files mf join live_assist_files f on f."id" = mf."idFile"
        where mf."idMessage" = m."id" and not mf."deleted") as files
    from live_assist_messages m join live_assist c on c."id" = m."idLiveAssist"
    join live_assist_channels ch on ch."id" = c."idChannel" join live_assist_visitors v on v."id" = c."idVisitor"
    left join live_assist_deliveries d on d."idMessage" = m."id"
    where m."idLiveAssist" = ${idChat} and m."kind" in ('staff', 'robot') and m."idExternal" is null
      and m."failure" is null and not m."deleted"
    order by m."seq" limit 1`)
  if (!next) return undefined
  if (next.since !== null) return { ...next, taken: next.since ? ('now' as const) : ('before' as const) }
  await tx.query(sql`insert into live_assist_deliveries ("idMessage") values (${next.id})`)
  return { ...next, taken: 'mine' as const }
}

async function deliver(app: AppContext, next: Next): Promise<Sent> {
  const secret = await secretOf(app.db, next.idChannel)
  const adapter = adapters[next.kind]
  if (!secret) return { outcome: 'refused', reason: 'Канал не подключён: у него нет токена' }
  if (next.message.length > adapter.maxText) return { outcome: 'refused', reason: 'Сообщение слишком длинное' }
  if (next.files.length > 0 && next.message.length > adapter.maxCaption)
    return { outcome: 'refused', reason: `К файлам можно написать не больше ${adapter.maxCaption} знаков` }
  const message: Outgoing = { to: next.to, text: next.message, files: [] }
  for (const { name, key } of next.files) message.files.push({ name, bytes: await buffer(await app.files.get(key)) })
  return adapter.send(app.config, secret.token, message)
}

const failureOf = (sent: Sent, kind: ChannelKind): string =>
  sent.outcome === 'refused'
    ? sent.reason
    : sent.outcome === 'later'
      ? `${channelKinds[kind]} не принимает сообщения`
      : `Неизвестно, дошло ли: ${channelKinds[kind]} не ответил`

const resend = operation(chatCalls.resend, ({ app, records, params }) =>
  records.tx(async (inside, tx) => {
    const message = await inside.row(ChatMessage, params.id)
    if (message.failure === null) throw new HttpError(409, 'Это сообщение уже отправляется', { code: 'sent' })
    await tx.query(sql`delete from live_assist_deliveries where "idMessage" = ${message.id}`)
    await inside.asSystem.update(ChatMessage, message.id, { failure: null })
    await wakeDelivery(app, tx, await inside.row(LiveAssist, message.idLiveAssist))
    return inside.row(ChatMessage, message.id)
  }),
)

export const deliveryCalls = [resend]
