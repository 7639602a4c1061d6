/**
 * Chooses the channel of messages in the allowed hours of the branch's time zone. Each uses one channel, the first in
 * the clinic's order by which the patient is reachable and that has a template; a refusal falls back to the next
 * channel, and a possible delivery ends it: no patient gets a message twice. SMS and mail go by the outbox
 * (`outgoing.ts`), messengers by the patient's chat, a push wakes the patient's devices.
 */
import type { MessageWay } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import { mayWrite } from '@ordinator/model/areas/visits/reminders'
import sql, { raw } from 'sql-template-tag'
import { fateOf, messagePatient } from '#areas/chats/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import type { Records } from '#records/records.ts'
import { type Current, currentSql } from './current.ts'
import { type Device, devicesOf, wakeAll } from './devices.ts'
import { leaveParts, queuePart, sendParts } from './outgoing.ts'
import { speechOf, type Words } from './texts.ts'
import { type Ways, waysOf } from './ways.ts'

/** Maximum number of messages read per pass: the next one continues. */
const AT_ONCE = 1000
/** Channels of a message, each tried once. */
const MOST_PASSES = 4
/** Minutes until a message is retried after an error of the server itself. */
const FAILED_PAUSE_MIN = 10

/** Next step of a message: by its channel, or by these devices; absent: it waits. */
interface Step {
  devices?: Device[]
  isMoved?: true
}

/**
 * The job `messages.send`; also callable after creating a message. Chooses channels and sends what is due; what was
 * refused meanwhile gets its next channel.
 */
export async function sendQueued(app: AppContext): Promise<void> {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const moved = await chooseAll(app)
    await sendParts(app)
    if (moved === 0) return
  }
}

/** SQL condition: message `m` is on the outbox, which settles it. */
const isOnOutbox = raw(`(coalesce(m."channel" in ('sms', 'email'), false) and not m."channel" = any (m."tried"))`)

/** SQL condition: message `m` was given to a messenger, and its outcome is unknown. */
const awaited = raw(`(m."channel" is not distinct from 'messenger' and m."idLine" is not null)`)

/** @returns the number of messages that were given to a channel, or ended */
async function chooseAll(app: AppContext): Promise<number> {
  const ways = await waysOf(app)
  await endCutOff(app, ways)
  const { messageHours } = await readCommonSettings(app.db)
  // Messages waiting for an outcome come last, and in rotation.
  const queued = await app.db.query<{ id: number }>(sql`
    select m."id" from messages m where m."status" = 'queued' and (m."dateDue" is null or m."dateDue" <= now()) and not ${isOnOutbox}
    order by ${awaited}, case when ${awaited} then random() end, m."id" limit ${AT_ONCE}`)
  const system = app.engine.for(systemActor)
  let moved = 0
  const failed = await oneByOne(app, 'messages.send', queued, async ({ id }) => {
    const step = await system.tx(async (own, tx): Promise<Step> => {
      // Of two servers one chooses; a killed one leaves the message as it was.
      const row = await tx.one<Current>(sql`${currentSql(messageHours)}
        where m."id" = ${id} and m."status" = 'queued' and not ${isOnOutbox} for update of m skip locked`)
      if (!row) return {}
      if (row.stale !== null) {
        await own.asSystem.update(Message, id, { status: 'failed', reason: row.stale })
        return {}
      }
      if (!mayWrite(row.clock, messageHours)) {
        await own.asSystem.update(Message, id, { dateDue: row.nextHours })
        return {}
      }
      return tryNext(app, own, tx, row, ways)
    })
    if (step.devices) await wakeFor(app, ways, id, step.devices)
    if (step.isMoved || step.devices) moved++
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
  return moved
}

/** Advances a message: queries its messenger, or gives it to the next channel in order. */
async function tryNext(app: AppContext, own: Records, tx: Tx, row: Current, { order }: Ways): Promise<Step> {
  const { id, idCustomer } = row
  const update = (value: Parameters<typeof own.asSystem.update<typeof Message>>[2]) =>
    own.asSystem.update(Message, id, value)
  const dateSent = () => new Date().toISOString()
  const tried = new Set(row.tried)
  let reason = row.reason ?? 'Нечем написать'
  if (row.channel === 'messenger' && row.idLine !== null) {
    const outcome = await fateOf(tx, row.idLine)
    if (outcome.fate === 'waits') return {}
    if (outcome.fate !== 'refused') {
      await update({ status: outcome.fate === 'sent' ? 'accepted' : 'unknown', dateSent: dateSent(), reason: null })
      return {}
    }
    tried.add('messenger')
    reason = outcome.reason
  }
  const speech = await speechOf(app, tx, row)
  /** The template for a channel, unless it is advertising without the patient's consent. */
  const wordsBy = (way: MessageWay, chatKind?: string): Words | undefined => {
    const words = speech.by(way, chatKind)
    if (!words?.text) return undefined
    if (!(words.advertising || row.advertising) || row.agreed.includes(way)) return words
    reason = 'Нет действующего согласия на рекламу'
    return undefined
  }
  /** Former channels are over as soon as another one has the message. */
  const giveTo = async (value: Parameters<typeof update>[0]) => {
    await leaveParts(tx, id)
    await update(value)
  }
  for (const channel of order) {
    if (tried.has(channel)) continue
    if (row.refused.includes(channel)) {
      reason = 'Клиент просил так не писать'
      continue
    }
    const kept = { channel, tried: [...tried] }
    if (channel === 'messenger') {
      const clientId = `message-${id}${row.repeats ? `-${row.repeats}` : ''}`
      let words: Words | undefined
      const textFor = (kind: string) => {
        words = wordsBy(channel, kind)
        return words?.text
      }
      const line = await messagePatient(app, own, tx, { idCustomer, clientId, textFor })
      if (!line || !words) continue
      await giveTo({ ...kept, idLine: line.id, ...contentOf(words) })
      return { isMoved: true }
    }
    const words = wordsBy(channel)
    if (!words) continue
    if (channel === 'push') {
      const devices = await devicesOf(tx, [idCustomer])
      if (devices.length === 0) continue
      // A woken device requests its message at once: store it before.
      await giveTo({ ...kept, ...contentOf(words), status: 'unknown', dateSent: dateSent() })
      return { devices }
    }
    if (!(channel === 'sms' ? row.phoneNow : row.email)) continue
    await giveTo({ ...kept, ...contentOf(words) })
    await queuePart(app, tx, row, channel)
    return { isMoved: true }
  }
  await update({ status: 'failed', tried: [...tried], reason: reason.slice(0, 500) })
  return { isMoved: true }
}

const contentOf = ({ idTemplate, text, advertising }: Words) => ({
  idTemplate,
  text,
  ...(advertising && { advertising }),
})

/**
 * Wakes the patient's devices, outside of any transaction. If none could be woken, the message falls back to the next
 * channel: a device that wakes later finds that and does not show it.
 */
async function wakeFor(app: AppContext, ways: Ways, id: number, devices: readonly Device[]): Promise<void> {
  await pushed(app, ways, id, await wakeAll(app, devices))
}

/** Milliseconds after which a push without an outcome was cut off: devices are woken in seconds. */
const CUT_OFF_MS = 3 * 60_000

/** Ends the pushes whose server was killed before it woke a device: they fall back to the next channel. */
async function endCutOff(app: AppContext, ways: Ways): Promise<void> {
  const cut = await app.db.query<{ id: number }>(sql`select "id" from messages where "status" = 'unknown'
    and "channel" = 'push' and not 'push' = any ("tried") and "dateSent" < now() - make_interval(secs => ${CUT_OFF_MS / 1000})
    order by "id" limit ${AT_ONCE}`)
  await oneByOne(app, 'messages.send', cut, ({ id }) => pushed(app, ways, id, false))
}

async function pushed(app: AppContext, { order }: Ways, id: number, isWoken: boolean): Promise<void> {
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
