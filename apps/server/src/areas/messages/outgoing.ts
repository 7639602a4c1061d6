/**
 * Messages by SMS and mail on the outbox: a message of the outbox for each channel that is tried. A refusal returns the
 * message to `send.ts` for the next channel; a possible delivery ends it.
 */
import { letterSubjects, type MessageWay } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { smsSize } from '@ordinator/model/areas/messages/words'
import { mayWrite } from '@ordinator/model/areas/visits/reminders'
import sql from 'sql-template-tag'
import { readCommonSettings, smsOf } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { mailed } from '#platform/mail.ts'
import type { OutboxAdapter, Message as Queued } from '#platform/outbox.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import { forget, stop } from '#platform/outboxSql.ts'
import { isBusy, texted } from '#platform/sms.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { escaped } from '#records/sanitize.ts'
import { type Current, currentSql } from './current.ts'
import { waysOf } from './ways.ts'

/** Channels on the outbox. */
const lanes = { sms: 'sms', email: 'mail.messages' } as const
type Way = keyof typeof lanes
const adapters = { sms: 'sms', email: 'mail' } as const
/** As named in the journal of exchange. */
const TITLE = 'Сообщение пациенту'
/** Attempts go on while the message is valid, for two days at most. */
const RETRY_MINUTES = [1, 1, 2, 5, 10, 30, ...Array<number>(48).fill(60)]
/** Seconds until a disconnected gateway is looked for again. */
const DISCONNECTED_S = 600
const UNKNOWN = 'Неизвестно, дошло ли: шлюз не ответил'

/** Names a message, and which of its manual resends. */
interface Part {
  id: number
  repeats: number
}

/** Written down before a message is given away. */
interface Given {
  /** The gateway; null: a mail server, or the gateway before this queue. */
  gateway: string | null
  /** Failed attempts before this one. */
  attempts?: number
}

/** What an outcome means to the message. Absent: a person has decided. */
type Meaning =
  | { is: 'sent'; idGateway?: string; parts?: number; cost?: number }
  /** Not by this channel: the next one. */
  | { is: 'refused'; reason: string }
  /** `isShown`: staff see it as unknown meanwhile. */
  | { is: 'maybe'; isShown: boolean }
  | { is: 'waiting' }

export function startSending(app: AppContext): void {
  app.outbox.register(bySms(app))
  app.outbox.register(byMail(app))
}

/** Queues a message by a channel. */
export const queuePart = (app: AppContext, tx: Tx, { id, repeats }: Part, way: Way): Promise<unknown> =>
  app.outbox.add(tx, {
    adapter: adapters[way],
    lane: lanes[way],
    operation: 'patient',
    title: TITLE,
    key: `message-${id}-${repeats}`,
    subject: subjectOf(id),
    about: { path: Message.path, id },
    payload: { id, repeats },
  })

/** Sends what is due, here and now. */
export async function sendParts(app: AppContext): Promise<void> {
  for (const lane of Object.values(lanes)) await app.outbox.run(lane)
}

const subjectOf = (id: number): string => `message-${id}`

/** Ends the former channels of a message that goes on by another one: sent again from the journal, they would send nothing. */
export const leaveParts = (tx: Tx, id: number): Promise<unknown> => forget(tx, Object.values(adapters), subjectOf(id))

/** Ends the attempts of a message that a person sends again. */
export async function stopParts(tx: Tx, id: number): Promise<void> {
  const left = await tx.query<{ id: number }>(sql`select "id"::float8 as id from outbox
    where "adapter" = any (${Object.values(adapters)}::text[]) and "subject" = ${subjectOf(id)}`)
  const ids = left.map((one) => one.id)
  await stop(tx, ids, 'Отправлено заново')
  await leaveParts(tx, id)
}

const refused = (reason: string): Outcome => ({
  kind: 'refused',
  reasons: [{ message: reason }],
  result: { is: 'refused', reason } satisfies Meaning,
})

const bySms = (app: AppContext): OutboxAdapter<Work, Part> => ({
  code: adapters.sms,
  retryMinutes: RETRY_MINUTES,
  async send(message, run) {
    const { sms, gateway, smsPrice } = await gatewayOf(app)
    const now = await ready(app, message, 'sms', message.memo !== null)
    if ('kind' in now) return now
    if (!sms) return message.memo ? later(DISCONNECTED_S) : refused('Шлюз СМС не подключён')
    if (!now.phone) return refused('Нечем написать')
    await run.remember({ gateway } satisfies Given)
    const { outcome, answer } = await texted(sms, { to: now.phone, key: gatewayKey(now), text: now.text })
    if (isBusy(answer)) return { ...outcome, result: meaning({ is: 'waiting' }) }
    if (answer.outcome === 'failed') return { ...outcome, result: meaning({ is: 'refused', reason: answer.reason }) }
    if (answer.outcome === 'unknown')
      return {
        ...unknown(sms.find !== undefined || sms.knowsKeys),
        result: meaning({ is: 'maybe', isShown: !sms.knowsKeys }),
      }
    const { parts } = smsSize(now.text)
    const cost = Math.round(parts * smsPrice * 100) / 100
    return { ...outcome, result: meaning({ is: 'sent', idGateway: answer.id, parts, cost }) }
  },
  async ask({ payload, memo }) {
    const given = memo as Given | null
    if (!given) return { kind: 'absent' }
    const { sms, gateway } = await gatewayOf(app)
    if (!sms) return later(DISCONNECTED_S)
    if ((given.gateway ?? gateway) !== gateway) return maybe(false)
    // The same key is the same message, however often it is sent.
    if (sms.knowsKeys) return { kind: 'absent' }
    const now = await currentOf(app.db, payload, 'sms')
    if (!now?.phone || !sms.find) return maybe(false)
    const found = await sms.find({ to: now.phone, key: gatewayKey(now) })
    if (found === 'absent') return { kind: 'absent' }
    return found ? { kind: 'done', result: meaning({ is: 'sent', idGateway: found.id }) } : maybe(true)
  },
  settled: settledBy(app, 'sms'),
})

const byMail = (app: AppContext): OutboxAdapter<Work, Part> => ({
  code: adapters.email,
  lane: lanes.email,
  retryMinutes: RETRY_MINUTES,
  async send(message, run) {
    const { mailer, order } = await waysOf(app)
    const now = await ready(app, message, 'email', false)
    if ('kind' in now) return now
    if (!mailer) return refused('Почта не подключена')
    if (!now.email) return refused('Нечем написать')
    await run.remember({ gateway: null, attempts: message.attempts } satisfies Given)
    const outcome = await mailed(app.log, mailer, letterOf(now.email, now))
    if (outcome.kind === 'done') return { ...outcome, result: meaning({ is: 'sent' }) }
    if (outcome.kind === 'unknown')
      return { ...outcome, isForPerson: true, result: meaning({ is: 'maybe', isShown: true }) }
    // A temporary refusal is retried by the last channel only.
    if (outcome.kind === 'failed' && order.at(-1) === 'email') return { ...outcome, result: meaning({ is: 'waiting' }) }
    const reason = meaning({ is: 'refused', reason: 'Почта не приняла письмо' })
    return { ...outcome, ...(outcome.kind === 'failed' && { isLast: true }), result: reason }
  },
  // A mail server cannot be queried; what it has refused it does not have.
  ask: async ({ memo, attempts }) =>
    (memo as Given | null)?.attempts === attempts ? maybe(false) : { kind: 'absent' },
  settled: settledBy(app, 'email'),
})

const meaning = (one: Meaning): Meaning => one
const later = (seconds: number): Outcome => ({ kind: 'later', seconds, result: meaning({ is: 'waiting' }) })
const unknown = (canAsk: boolean): Outcome & { kind: 'unknown' } => ({
  kind: 'unknown',
  error: UNKNOWN,
  ...(!canAsk && { isForPerson: true }),
})
/** @param canAsk it is asked about again; otherwise a person decides, without a call of the receiver */
const maybe = (canAsk: boolean): Outcome => ({
  ...unknown(canAsk),
  ...(!canAsk && { isAlone: true }),
  result: meaning({ is: 'maybe', isShown: true }),
})

async function gatewayOf(app: AppContext) {
  const { smsMode, smsProvider, smsAddress, smsPrice } = await readCommonSettings(app.db)
  return { sms: await smsOf(app), gateway: [smsMode, smsProvider, smsAddress].join(' '), smsPrice }
}

/** The key that the gateway knows: that of the event, with the number of the resend. */
const gatewayKey = ({ key, repeats }: Current): string => `${key}${repeats ? `-${repeats}` : ''}`

/** The message while it is tried by this channel. */
async function currentOf(db: Queryable, { id, repeats }: Part, way: Way): Promise<Current | undefined> {
  const { messageHours } = await readCommonSettings(db)
  return db.one<Current>(sql`${currentSql(messageHours)} where m."id" = ${id} and m."repeats" = ${repeats}
    and m."channel" = ${way} and m."status" in ('queued', 'unknown')`)
}

/** @returns the message to be sent now, or why it is not. One that may have gone already is only settled. */
async function ready(
  app: AppContext,
  { payload }: Queued<Part>,
  way: Way,
  mayHaveGone: boolean,
): Promise<Current | Outcome> {
  const now = await currentOf(app.db, payload, way)
  if (!now) return { kind: 'done', note: 'Сообщение удалено или отправлено иначе' }
  if (now.stale !== null) return mayHaveGone ? ({ ...maybe(false), error: now.stale } as Outcome) : refused(now.stale)
  const { messageHours } = await readCommonSettings(app.db)
  if (!mayWrite(now.clock, messageHours))
    return later(Math.ceil((new Date(now.nextHours).getTime() - Date.now()) / 1000))
  if (mayHaveGone) return now
  if (now.refused.includes(way)) return refused('Клиент просил так не писать')
  if (now.advertising && !now.agreed.includes(way)) return refused('Нет действующего согласия на рекламу')
  // The card was corrected meanwhile: a message with a patient's data does not go to the former number.
  const { id, phoneNow: phone } = now
  if (phone !== now.phone) await app.engine.for(systemActor).asSystem.update(Message, id, { phone })
  return { ...now, phone }
}

const letterOf = (to: string, { event, text }: Current) => ({
  to,
  subject: letterSubjects[event],
  text,
  html: `<p>${escaped(text)
    .replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll('\n', '<br>')}</p>`,
})

/** Updates the message by an outcome, or by what a person has decided in the journal. */
const settledBy =
  (app: AppContext, way: Way): NonNullable<OutboxAdapter<Work, Part>['settled']> =>
  async ({ records, tx }, { payload: { id, repeats }, memo }, { state, error, result }) => {
    const row = await tx.one<{ tried: MessageWay[]; status: string }>(sql`select "tried", "status" from messages
      where "id" = ${id} and "repeats" = ${repeats} and "channel" = ${way}
        and "status" in ('queued', 'unknown', 'failed') for update`)
    // It was sent again meanwhile, or by another channel.
    if (!row) return
    const update = (value: Parameters<typeof records.asSystem.update<typeof Message>>[2]) =>
      records.asSystem.update(Message, id, value)
    const dateSent = new Date().toISOString()
    const means = result as Meaning | undefined
    if (means?.is === 'refused') {
      const tried = [...row.tried.filter((one) => one !== way), way]
      await update({ tried, status: 'queued', reason: means.reason.slice(0, 500), dateSent: null })
      await app.jobs.send('messages.send', {}, { key: 'next', tx })
    } else if (state === 'done') {
      const { is: _is, ...sent } = means?.is === 'sent' ? means : { is: 'sent' as const }
      await update({ ...sent, status: 'accepted', dateSent, reason: null })
    } else if (state === 'waiting') {
      if (means?.is === 'maybe' && means.isShown) await update({ status: 'unknown', dateSent })
      if (!means && row.status !== 'queued')
        await update({ status: 'queued', tried: row.tried.filter((one) => one !== way), reason: null, dateSent: null })
    } else {
      // Stopped by a person, an SMS that a gateway may have stays unknown.
      const isGiven = !means && way === 'sms' && memo !== null
      const mayHaveGone = state === 'unknown' || means?.is === 'maybe' || row.status === 'unknown' || isGiven
      if (mayHaveGone) await update({ status: 'unknown', dateSent })
      else await update({ status: 'failed', tried: [...row.tried, way], reason: error })
    }
  }
