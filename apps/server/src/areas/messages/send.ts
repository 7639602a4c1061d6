/**
 * Sends messages in the allowed hours of the branch's time zone. Each uses one channel, the first in the clinic's order
 * by which the patient is reachable and that has a template; a refusal falls back to the next channel, and a possible
 * delivery ends it: no patient gets a message twice.
 */
import { letterSubjects, type MessageStatus, type MessageWay } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { smsSize } from '@ordinator/model/areas/messages/words'
import { mayWrite } from '@ordinator/model/areas/visits/reminders'
import sql, { raw } from 'sql-template-tag'
import { fateOf, tellPatient } from '#areas/chats/index.ts'
import { mayAdvertiseSql } from '#areas/consents/index.ts'
import { clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { type Mailer, type MailOutcome, sendLetter as tellByMail } from '#platform/mail.ts'
import { type SmsGateway, type SmsOutcome, sendSms } from '#platform/sms.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import type { Records } from '#records/records.ts'
import { escaped } from '#records/sanitize.ts'
import { LATE_DAYS, stillSql } from './collect.ts'
import { type Device, devicesOf, wakeAll } from './devices.ts'
import { type About, speechOf, type Words } from './texts.ts'
import { refusedSql, type Ways, waysOf } from './ways.ts'

/** Maximum number of messages read and sent per run: the next minute continues. */
const AT_ONCE = 1000
const SENT_AT_ONCE = 100
/** As named in the journal of exchange. */
const OPERATION = 'Сообщение пациенту'
/** Number of missing replies after which the gateway, or the mail server, is skipped until the next run. */
const SILENT_AT_ONCE = 3

/** Minutes until a message is retried after an error of the server itself. */
const FAILED_PAUSE_MIN = 10
/** Maximum minutes of the pause before the mail server is retried. */
const LONGEST_PAUSE = 60

interface Queued extends About {
  id: number
  key: string
  repeats: number
  phone: string | null
  email: string | null
  channel: MessageWay | null
  tried: MessageWay[]
  idLine: number | null
  mayHaveGone: boolean
  advertising: boolean
  /** Reason why it is outdated. */
  stale: string | null
  /** The next allowed time in the branch's time zone. */
  nextHours: string
  /** Channels with the patient's consent to advertising. */
  agreed: MessageWay[]
  /** Channels refused by the patient. */
  refused: MessageWay[]
  /** In the branch's time zone. */
  clock: string
}

/** Next step of a message: done, waiting, or an attempt by this outside channel. */
interface Step {
  letter?: { to: string; subject: string; text: string }
  /** For a provider without idempotency keys: marked before sending. */
  sms?: { to: string; key: string; text: string }
  devices?: Device[]
  /** It was sent, or all channels were tried: only such count. */
  isTried?: true
  /** The gateway did not reply. */
  isSilent?: true
}

/** The job `messages.send`; also callable after creating a message. Each message is sent by one caller. */
export async function sendQueued(app: AppContext): Promise<void> {
  const ways = await waysOf(app)
  const { messageHours, smsPrice } = await readCommonSettings(app.db)
  // Messages waiting for an outcome come last, and in rotation.
  const queued = await app.db.query<{ id: number }>(sql`
    select m."id" from messages m where m."status" = 'queued' and (m."dateDue" is null or m."dateDue" <= now())
    order by ${awaited}, case when ${awaited} then random() end, m."id" limit ${AT_ONCE}`)
  let sent = 0
  const silent = { sms: 0, email: 0 }
  const system = app.engine.for(systemActor)
  const failed = await oneByOne(app, 'messages.send', queued, async ({ id }) => {
    if (sent === SENT_AT_ONCE) return
    const step = await system.tx(async (own, tx): Promise<Step> => {
      // The sender locks the row: no other server sends it, and a killed one leaves it unchanged. The gateway
      // recognizes the key of a message sent already.
      const row = await heldOf(tx, id, messageHours)
      if (!row) return {}
      if (row.stale !== null) {
        await own.asSystem.update(Message, id, { status: 'failed', reason: row.stale })
        return {}
      }
      if (!mayWrite(row.clock, messageHours)) {
        await own.asSystem.update(Message, id, { dateDue: row.nextHours })
        return {}
      }
      const isSilent = { sms: silent.sms >= SILENT_AT_ONCE, email: silent.email >= SILENT_AT_ONCE }
      return tryNext(app, own, tx, row, { ...ways, isSilent, smsPrice })
    })
    if (step.letter && ways.mailer) {
      const outcome = await sendLetter(app, ways, id, step.letter)
      if (outcome === 'later' || outcome === 'unknown') silent.email++
    }
    if (step.sms && ways.sms) {
      const outcome = await sendOnce(app, ways, id, step.sms)
      if (outcome === 'unknown') silent.sms++
    }
    if (step.devices) await wakeFor(app, ways, id, step.devices)
    if (step.isSilent) silent.sms++
    if (step.isTried || step.letter || step.sms || step.devices) sent++
  })
  // A failing message must not block the others forever.
  const dateDue = new Date(Date.now() + FAILED_PAUSE_MIN * 60_000).toISOString()
  const postpone = ({ id }: { id: number }) => system.asSystem.update(Message, id, { dateDue })
  await oneByOne(
    app,
    'messages.send',
    failed.map((id) => ({ id })),
    postpone,
  )
}

/** SQL condition: the SMS of message `m` may have been sent: the gateway neither accepted nor refused it. */
const mayHaveGone = raw(`(m."channel" is not distinct from 'sms' and not 'sms' = any (m."tried"))`)

/** SQL condition: message `m` was given to the gateway or a messenger, and its outcome is unknown. */
const awaited = sql`(${mayHaveGone} or (m."channel" is not distinct from 'messenger' and m."idLine" is not null))`

const zone = sql`coalesce(nullif(f."timeZone", ''), ${clinicZone})`

/** A message not locked by another process. */
const heldOf = (tx: Tx, id: number, { start, end }: { start: string; end: string }): Promise<Queued | undefined> =>
  tx.one(sql`
    select m."id", m."key", m."repeats", m."event", m."idCustomer", m."idAppointment", m."idFilial", m."sum"::float8 as sum,
      m."phone", m."email", m."channel", m."tried", m."idLine", ${mayHaveGone} as "mayHaveGone", m."advertising", m."idTemplate",
      case when p."deleted" or p."dateDeath" is not null then 'Карта клиента удалена, или он умер'
        when not ${stillSql} then case when m."dateFrom" is null then 'Это уже не так' else 'Визит изменился раньше' end
        when m."repeats" = 0 and m."dateFrom" is null and m."dateCreate" < now() - make_interval(days => ${LATE_DAYS})
          then 'Писать об этом уже поздно' end as stale,
      ((now() at time zone ${zone})::date + ${start}::time
        + case when to_char(now() at time zone ${zone}, 'HH24:MI') > ${end} then interval '1 day' else interval '0' end)
        at time zone ${zone} as "nextHours",
      array(select way from unnest(array['messenger', 'sms', 'email']) way
        where ${mayAdvertiseSql(raw('m."idCustomer"'), raw('way'))}) as agreed, ${refusedSql} as refused,
      to_char(now() at time zone ${zone}, 'HH24:MI') as clock
    from messages m join customers p on p."id" = m."idCustomer" left join appointments a on a."id" = m."idAppointment" left join filials f on f."id" = m."idFilial"
    where m."id" = ${id} and m."status" = 'queued' for update of m skip locked`)

/** Advances a message: queries its messenger, or tries the remaining channels in order. */
async function tryNext(
  app: AppContext,
  own: Records,
  tx: Tx,
  row: Queued,
  ways: Ways & { isSilent: Record<'sms' | 'email', boolean>; smsPrice: number },
): Promise<Step> {
  const { id, idCustomer, phone, email } = row
  const update = (value: Parameters<typeof own.asSystem.update<typeof Message>>[2]) =>
    own.asSystem.update(Message, id, value)
  const dateSent = () => new Date().toISOString()
  const tried = new Set(row.tried)
  let reason = 'Нечем написать'
  if (row.channel === 'messenger' && row.idLine !== null) {
    const told = await fateOf(tx, row.idLine)
    if (told.fate === 'waits') return {}
    if (told.fate !== 'refused') {
      await update({ status: told.fate === 'sent' ? 'accepted' : 'unknown', dateSent: dateSent() })
      return {}
    }
    tried.add('messenger')
    reason = told.reason
  }
  // A message that may have gone as SMS uses no other channel until the gateway has refused it.
  if (row.mayHaveGone && !ways.sms) return {}
  const order = row.mayHaveGone ? (['sms', ...ways.order.filter((one) => one !== 'sms')] as const) : ways.order
  const speech = await speechOf(app, tx, row)
  /** The template for a channel, unless it is advertising without the patient's consent. */
  const wordsBy = (way: MessageWay, chatKind?: string): Words | undefined => {
    const words = speech.by(way, chatKind)
    if (!words?.text) return undefined
    if (!(words.advertising || row.advertising) || row.agreed.includes(way)) return words
    reason = 'Нет действующего согласия на рекламу'
    return undefined
  }
  for (const channel of order) {
    if (tried.has(channel)) continue
    // A message that may have been sent is only queried.
    if (row.refused.includes(channel) && !(row.mayHaveGone && channel === 'sms')) {
      reason = 'Клиент просил так не писать'
      continue
    }
    const kept = { channel, tried: [...tried] }
    if (channel === 'messenger') {
      const clientId = `message-${id}${row.repeats ? `-${row.repeats}` : ''}`
      let said: Words | undefined
      const textFor = (kind: string) => {
        said = wordsBy(channel, kind)
        return said?.text
      }
      const line = await tellPatient(app, own, tx, { idCustomer, clientId, textFor })
      if (!line || !said) continue
      await update({ ...kept, idLine: line.id, ...told(said) })
      return { isTried: true }
    }
    const words = wordsBy(channel)
    // Without a template the gateway cannot be queried, and another channel could deliver twice.
    if (row.mayHaveGone && channel === 'sms' && !(words && phone)) {
      await update({ status: 'unknown', dateSent: dateSent() })
      return {}
    }
    if (!words) continue
    if (channel === 'push') {
      const devices = await devicesOf(tx, [idCustomer])
      if (devices.length === 0) continue
      // A woken device requests its message at once: store it before.
      await update({ ...kept, ...told(words), status: 'unknown', dateSent: dateSent() })
      return { devices }
    }
    if (channel === 'email') {
      if (!email) continue
      if (ways.isSilent.email) return {}
      // Marked before sending: after a kill the outcome is unknown, and no second mail is sent.
      await update({ ...kept, ...told(words), status: 'unknown', dateSent: dateSent() })
      return { letter: { to: email, subject: letterSubjects[row.event], text: words.text } }
    }
    if (!phone || !ways.sms) continue
    if (ways.isSilent.sms) return {}
    const key = `${row.key}${row.repeats ? `-${row.repeats}` : ''}`
    const { parts } = smsSize(words.text)
    const sent = { ...kept, ...told(words), parts, cost: Math.round(parts * ways.smsPrice * 100) / 100 }
    if (!ways.sms.knowsKeys) {
      // Marked before sending: after a kill the outcome is unknown, and no second message is sent.
      await update({ ...sent, status: 'unknown', dateSent: dateSent() })
      return { sms: { to: phone, key, text: words.text } }
    }
    const answer = await sendSms(app, ways.sms, OPERATION, { to: phone, key, text: words.text })
    if (answer.outcome === 'accepted')
      await update({ ...sent, status: 'accepted', idGateway: answer.id, dateSent: dateSent() })
    // Without a reply the outcome is unknown: the same key is sent again while the message is valid.
    if (answer.outcome === 'unknown') {
      await update({ ...kept, ...told(words) })
      return { isTried: true, isSilent: true }
    }
    if (answer.outcome === 'accepted') return { isTried: true }
    tried.add('sms')
    reason = answer.reason
  }
  await update({ status: 'failed', tried: [...tried], reason: reason.slice(0, 500) })
  return { isTried: true }
}

const told = ({ idTemplate, text, advertising }: Words) => ({
  idTemplate,
  text,
  ...(advertising && { advertising }),
})

/**
 * Wakes the patient's devices, outside of any transaction. If none could be woken, the message falls back to the next
 * channel: a device that wakes later finds that and does not show it.
 */
async function wakeFor(app: AppContext, { order }: Ways, id: number, devices: readonly Device[]): Promise<void> {
  const isWoken = await wakeAll(app, devices)
  await app.engine.for(systemActor).tx(async (own, tx) => {
    const row = await tx.one<{ tried: MessageWay[] }>(
      sql`select "tried" from messages where "id" = ${id} and "status" = 'unknown' for update`,
    )
    // A device has fetched it meanwhile.
    if (!row) return
    if (isWoken) {
      await own.asSystem.update(Message, id, { status: 'accepted' })
      return
    }
    const isOver = order.at(-1) === 'push'
    await own.asSystem.update(Message, id, {
      tried: [...row.tried, 'push' as const],
      dateSent: null,
      status: isOver ? 'failed' : 'queued',
      ...(isOver && { reason: 'Устройство пациента не приняло уведомление' }),
    })
  })
}

/** Sends a message once through a provider without idempotency keys, outside of any transaction. */
async function sendOnce(
  app: AppContext,
  ways: Ways,
  id: number,
  message: NonNullable<Step['sms']>,
): Promise<SmsOutcome['outcome']> {
  const gateway = ways.sms as SmsGateway
  let answer = await sendSms(app, gateway, OPERATION, message)
  if (answer.outcome === 'unknown') {
    const found = await gateway.find?.(message)
    if (found && found !== 'absent') answer = { outcome: 'accepted', id: found.id }
    else if (found === 'absent') answer = { outcome: 'failed', reason: 'Провайдер не получил сообщение' }
  }
  if (answer.outcome === 'unknown') return 'unknown'
  await app.engine.for(systemActor).tx(async (own, tx) => {
    const row = await tx.one<{ tried: MessageWay[] }>(
      sql`select "tried" from messages where "id" = ${id} and "status" = 'unknown' for update`,
    )
    if (!row) return
    if (answer.outcome === 'accepted') {
      await own.asSystem.update(Message, id, { status: 'accepted', idGateway: answer.id })
      return
    }
    const isOver = ways.order.at(-1) === 'sms'
    await own.asSystem.update(Message, id, {
      tried: [...row.tried, 'sms' as const],
      dateSent: null,
      parts: null,
      cost: null,
      status: isOver ? 'failed' : 'queued',
      ...(isOver && { reason: (answer as { reason: string }).reason.slice(0, 500) }),
    })
  })
  return answer.outcome
}

/** Sends a mail outside of any transaction: it is slow, and cannot be recalled. */
async function sendLetter(
  app: AppContext,
  ways: Ways,
  id: number,
  letter: NonNullable<Step['letter']>,
): Promise<MailOutcome> {
  const html = `<p>${escaped(letter.text)
    .replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll('\n', '<br>')}</p>`
  const { outcome, error } = await tellByMail(
    app,
    ways.mailer as Mailer,
    { operation: OPERATION, key: `message-${id}`, about: { path: Message.path, id } },
    { ...letter, html },
  )
  if (outcome === 'unknown') return outcome
  await app.engine.for(systemActor).tx(async (own, tx) => {
    // Retry intervals grow with the waiting time.
    const row = await tx.one<{ tried: MessageWay[]; next: string }>(
      sql`select "tried", now() + least(greatest(now() - "dateCreate", interval '1 minute'),
        make_interval(mins => ${LONGEST_PAUSE})) as next from messages where "id" = ${id} and "status" = 'unknown' for update`,
    )
    if (!row) return
    if (outcome === 'sent') {
      await own.asSystem.update(Message, id, { status: 'accepted' })
      return
    }
    app.log.warn({ err: error, idMessage: id, outcome }, 'messages: a letter was not taken')
    // On the last channel, a temporary refusal is retried while the message is valid.
    const isLast = ways.order.at(-1) === 'email'
    const again = outcome === 'later' && isLast
    const isOver = isLast && !again
    const status: MessageStatus = isOver ? 'failed' : 'queued'
    await own.asSystem.update(Message, id, {
      tried: again ? row.tried : [...row.tried, 'email' as const],
      dateSent: null,
      status,
      ...(again && { dateDue: row.next }),
      ...(isOver && { reason: 'Почта не приняла письмо' }),
    })
  })
  return outcome
}
