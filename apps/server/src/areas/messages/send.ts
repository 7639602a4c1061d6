/**
 * Messages go out in the hours in which patients may be written to, by the branch's clock. Each goes by one way, the first
 * in the clinic's order by which the patient can be reached and for which there are words; what refuses it hands it on to
 * the next, and what may have carried it ends the matter: nobody is written the same twice.
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

/** Messages that one run looks at, and that it sends: the next minute goes on. */
const AT_ONCE = 1000
const SENT_AT_ONCE = 100
/** As the journal of exchange names them. */
const OPERATION = 'Сообщение пациенту'
/** Messages to which the gateway, or the post, falls silent before it is left alone until the next run. */
const SILENT_AT_ONCE = 3

/** Minutes after which a message at which the server itself failed is tried again. */
const FAILED_PAUSE_MIN = 10
/** Minutes of the longest pause before the post is tried again. */
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
  /** Why it is of no use any more. */
  stale: string | null
  /** When patients may next be written to, by the branch's clock. */
  nextHours: string
  /** Ways by which this patient has agreed to be sent advertising. */
  agreed: MessageWay[]
  /** Ways by which this patient has asked not to be written to. */
  refused: MessageWay[]
  /** Of the branch's clock. */
  clock: string
}

/** What becomes of a message at once: it is done with, it waits, or it is to be tried by this way outside. */
interface Step {
  letter?: { to: string; subject: string; text: string }
  /** Of a provider that knows no keys: marked before it goes. */
  sms?: { to: string; key: string; text: string }
  devices?: Device[]
  /** It was given to somebody, or everything was tried: only such count. */
  isTried?: true
  /** The gateway did not say a word of it. */
  isSilent?: true
}

/** The job `messages.send`; whoever has just made a message may call it too. Each message is sent by one of them. */
export async function sendQueued(app: AppContext): Promise<void> {
  const ways = await waysOf(app)
  const { messageHours, smsPrice } = await readCommonSettings(app.db)
  // What an answer is awaited of comes last, and not always the same of it first.
  const queued = await app.db.query<{ id: number }>(sql`
    select m."id" from messages m where m."status" = 'queued' and (m."dateDue" is null or m."dateDue" <= now())
    order by ${awaited}, case when ${awaited} then random() end, m."id" limit ${AT_ONCE}`)
  let sent = 0
  const silent = { sms: 0, email: 0 }
  const system = app.engine.for(systemActor)
  const failed = await oneByOne(app, 'messages.send', queued, async ({ id }) => {
    if (sent === SENT_AT_ONCE) return
    const step = await system.tx(async (own, tx): Promise<Step> => {
      // Whoever sends holds the row: no other server sends it, and one that is killed leaves it as it was. The gateway
      // knows the key of what has gone out already.
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
  // What could not be worked on does not stand before the others for ever.
  const dateDue = new Date(Date.now() + FAILED_PAUSE_MIN * 60_000).toISOString()
  const postpone = ({ id }: { id: number }) => system.asSystem.update(Message, id, { dateDue })
  await oneByOne(
    app,
    'messages.send',
    failed.map((id) => ({ id })),
    postpone,
  )
}

/** SQL of whether the text message `m` may be out: the gateway said neither yes nor no. */
const mayHaveGone = raw(`(m."channel" is not distinct from 'sms' and not 'sms' = any (m."tried"))`)

/** SQL of whether message `m` was given to the gateway or a messenger, which have not said what became of it. */
const awaited = sql`(${mayHaveGone} or (m."channel" is not distinct from 'messenger' and m."idLine" is not null))`

const zone = sql`coalesce(nullif(f."timeZone", ''), ${clinicZone})`

/** A message that nobody else is at just now. */
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

/** Goes on with a message: asks what its messenger has made of it, or tries the ways that are left, one after another. */
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
  // What may have gone out by a text message goes by nothing else until the gateway has refused it.
  if (row.mayHaveGone && !ways.sms) return {}
  const order = row.mayHaveGone ? (['sms', ...ways.order.filter((one) => one !== 'sms')] as const) : ways.order
  const speech = await speechOf(app, tx, row)
  /** The words for a way, unless they are advertising that the patient has not agreed to. */
  const wordsBy = (way: MessageWay, chatKind?: string): Words | undefined => {
    const words = speech.by(way, chatKind)
    if (!words?.text) return undefined
    if (!(words.advertising || row.advertising) || row.agreed.includes(way)) return words
    reason = 'Нет действующего согласия на рекламу'
    return undefined
  }
  for (const channel of order) {
    if (tried.has(channel)) continue
    // What may have gone out already is only asked about.
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
    // Without words the gateway cannot be asked again, and another way could be the second.
    if (row.mayHaveGone && channel === 'sms' && !(words && phone)) {
      await update({ status: 'unknown', dateSent: dateSent() })
      return {}
    }
    if (!words) continue
    if (channel === 'push') {
      const devices = await devicesOf(tx, [idCustomer])
      if (devices.length === 0) continue
      // A device asks at once for what it was woken for: it stands there before.
      await update({ ...kept, ...told(words), status: 'unknown', dateSent: dateSent() })
      return { devices }
    }
    if (channel === 'email') {
      if (!email) continue
      if (ways.isSilent.email) return {}
      // Marked before it goes: a server that is killed meanwhile leaves what nobody knows, and no second letter.
      await update({ ...kept, ...told(words), status: 'unknown', dateSent: dateSent() })
      return { letter: { to: email, subject: letterSubjects[row.event], text: words.text } }
    }
    if (!phone || !ways.sms) continue
    if (ways.isSilent.sms) return {}
    const key = `${row.key}${row.repeats ? `-${row.repeats}` : ''}`
    const { parts } = smsSize(words.text)
    const sent = { ...kept, ...told(words), parts, cost: Math.round(parts * ways.smsPrice * 100) / 100 }
    if (!ways.sms.knowsKeys) {
      // Marked before it goes: a server that is killed meanwhile leaves what nobody knows, and no second message.
      await update({ ...sent, status: 'unknown', dateSent: dateSent() })
      return { sms: { to: phone, key, text: words.text } }
    }
    const answer = await sendSms(app, ways.sms, OPERATION, { to: phone, key, text: words.text })
    if (answer.outcome === 'accepted')
      await update({ ...sent, status: 'accepted', idGateway: answer.id, dateSent: dateSent() })
    // Of a silent gateway nothing is known: the same key is sent again as long as it tells of what is so.
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
 * Wakes the patient's devices, past any transaction. Where none could be, the message goes on by the next way: whatever
 * wakes up all the same finds it gone by another, and does not show it.
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

/** A message of a provider that knows no keys goes out once, past any transaction. */
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

/** A letter goes out past any transaction: it takes long, and cannot be called back. */
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
    // The longer it waits, the seldomer it is tried.
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
    // With nothing left to try, what is not taken now is tried again as long as it tells of what is so.
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
