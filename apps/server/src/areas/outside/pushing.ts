/**
 * Sends sellers what has changed: every half a minute what a channel offers is compared with what the seller has taken,
 * and the difference goes through the outbox. The body is built when it is sent, so that after an outage the seller gets
 * the present state once, and not every change of the past.
 */
import { createHash } from 'node:crypto'
import { BookingChannel } from '@ordinator/model/areas/outside/channel'
import sql from 'sql-template-tag'
import type { Answered } from '#platform/outbound.ts'
import type { OutboxAdapter, Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf, type Remote, remote } from '#platform/remote.ts'
import type { AppContext, Work } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { type Channel, channelById, keyedChannels, sellerKey } from './channels.ts'
import { offeredBy } from './offered.ts'
import { type Call, isPushed, type Part, wires } from './wires.ts'

export const PUSH = 'outside.push'
/** Seconds between two passes. */
const PASS_S = 30
/** Minutes for which a part is left that the seller has refused or that was given up. */
const LEFT_MINUTES = 10
const TIMEOUT_MS = 30_000
const NO_KEY = 'Нет ключа, который дала площадка: впишите его в карточку площадки'

export const laneOf = (idChannel: number): string => `sellers:${idChannel}`

interface Payload {
  idChannel: number
}
interface Push extends Payload {
  part: string
  /** Changed pieces; null: the whole part. */
  changed: string[] | null
}
type Hashes = Record<string, string>

interface Row {
  part: string
  known: Hashes
  isQueued: boolean
  isLeft: boolean
  wholeMinutes: number | null
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
const hashesOf = (part: Part, offered: Parameters<Part['pieces']>[0]): Hashes =>
  Object.fromEntries(Object.entries(part.pieces(offered)).map(([key, value]) => [key, hashOf(value)]))

export function startPushing(app: AppContext): void {
  app.jobs.register<{ isHalf?: true }>(PUSH, {
    cron: '* * * * *',
    async handler({ isHalf }, { signal }) {
      const channels = await keyedChannels(app.db, Object.keys(wires) as (keyof typeof wires)[])
      if (channels.length === 0) return
      if (!isHalf) await app.jobs.send(PUSH, { isHalf: true }, { startAfter: PASS_S, key: 'half' })
      await oneByOne(app, PUSH, channels, (channel) => queueChanges(app, channel), signal)
    },
  })
}

/** Queues what the seller does not know yet. */
async function queueChanges(app: AppContext, channel: Channel): Promise<void> {
  if (!isPushed(channel.kind)) return
  const { parts } = wires[channel.kind]
  const rows = await app.db.query<Row>(sql`
    select "part", "known", "isQueued", coalesce("dateFailed" > now() - make_interval(mins => ${LEFT_MINUTES}), false) as "isLeft",
      (extract(epoch from now() - "dateWhole") / 60)::float8 as "wholeMinutes"
    from booking_pushes where "idChannel" = ${channel.id}`)
  const of = new Map(rows.map((row) => [row.part, row]))
  const waiting = Object.entries(parts).filter(([name]) => !of.get(name)?.isQueued && !of.get(name)?.isLeft)
  if (waiting.length === 0) return
  const offered = await offeredBy(app.db, channel, { withTaken: true })
  for (const [name, part] of waiting) {
    const { known = {}, wholeMinutes = null } = of.get(name) ?? {}
    const now = hashesOf(part, offered)
    const changed = [...new Set([...Object.keys(now), ...Object.keys(known)])].filter((key) => now[key] !== known[key])
    const isFresh = wholeMinutes !== null && wholeMinutes < part.everyMinutes
    if (isFresh && changed.length === 0) continue
    const isFew = isFresh && part.few?.(offered, changed) !== undefined
    await queue(app, channel, name, part.title, isFew ? changed : null)
  }
}

async function queue(
  app: AppContext,
  { id, name }: Channel,
  part: string,
  title: string,
  changed: string[] | null,
): Promise<void> {
  await app.db.tx(async (tx) => {
    const row = await tx.one<{ serial: number }>(sql`
      insert into booking_pushes as p ("idChannel", "part", "serial", "isQueued") values (${id}, ${part}, 1, true)
      on conflict ("idChannel", "part") do update set "serial" = p."serial" + 1, "isQueued" = true where not p."isQueued"
      returning "serial"`)
    if (!row) return
    await app.outbox.add(tx, {
      ...{ adapter: 'sellers', operation: 'push', title: `${name}: ${title}`, lane: laneOf(id) },
      ...{ key: `push-${id}-${part}-${row.serial}`, subject: `push-${id}-${part}` },
      about: { path: BookingChannel.path, id },
      payload: { idChannel: id, part, changed } satisfies Push,
    })
  })
}

/** The seller's address with its key; undefined: the channel has none. */
export async function wireOf(app: AppContext, channel: Channel): Promise<Remote | undefined> {
  const key = await sellerKey(app.db, channel.id)
  if (!key || !isPushed(channel.kind)) return undefined
  const { address, authorization } = wires[channel.kind]
  return remote(app, {
    ...{ adapter: 'sellers', url: address(app.config), isOwn: true, timeout: TIMEOUT_MS },
    auth: () => ({ authorization: authorization(key), accept: 'application/json' }),
    stranger: 'Ключ площадки не подошёл (401): проверьте его в карточке площадки',
  })
}

export const posted = (wire: Remote, { path, body }: Call): Promise<Answered> =>
  wire.quietly({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  })

/**
 * Messages to all sellers.
 * @param others operations besides `push`
 */
export function sellersAdapter(
  app: AppContext,
  others: Readonly<Record<string, (channel: Channel, payload: never) => Promise<Outcome>>>,
): OutboxAdapter<Work, Payload> {
  return {
    code: 'sellers',
    // What is sent is the state of the moment: a repetition changes nothing.
    isRepeatable: () => true,
    atOnce: 1,
    retryMinutes: [1, 1, 2, 5, 5, 5, 15, 15, 30, 60],
    async send({ operation, payload }) {
      const channel = await channelById(app.db, payload.idChannel)
      if (!channel) return { kind: 'done', note: 'Площадка выключена' }
      try {
        const other = others[operation]
        return await (other ? other(channel, payload as never) : push(app, channel, payload as Push))
      } catch (error) {
        return outcomeOf(error)
      }
    },
    async settled({ tx }, { operation, payload }, { state, error, reasons, result }) {
      if (operation !== 'push') return
      const { idChannel, part } = payload as Push
      const { known = null, isWhole = false } = (result ?? {}) as { known?: Hashes; isWhole?: boolean }
      const isOver = state === 'done' || state === 'refused' || state === 'dead'
      const words = reasons.map(({ message }) => message).join('; ') || error
      await tx.query(sql`update booking_pushes set "isQueued" = ${!isOver},
        "known" = case when ${known === null} then "known" when ${isWhole} then ${JSON.stringify(known)}::jsonb
          else "known" || ${JSON.stringify(known)}::jsonb end,
        "dateWhole" = case when ${isWhole} then now() else "dateWhole" end,
        "datePushed" = case when ${known !== null} then now() else "datePushed" end,
        "dateFailed" = case when ${state === 'refused' || state === 'dead'} then now() end,
        "error" = ${state === 'done' ? null : (words?.slice(0, 500) ?? null)}
        where "idChannel" = ${idChannel} and "part" = ${part}`)
    },
  }
}

async function push(app: AppContext, channel: Channel, { part: name, changed }: Push): Promise<Outcome> {
  const part = isPushed(channel.kind) ? (wires[channel.kind].parts as Record<string, Part>)[name] : undefined
  if (!part) return { kind: 'done', note: 'Площадка теперь другого вида' }
  const wire = await wireOf(app, channel)
  if (!wire) return switchedOff(NO_KEY)
  const offered = await offeredBy(app.db, channel, { withTaken: true })
  const few = changed && part.few?.(offered, changed)
  const now = hashesOf(part, offered)
  for (const call of few ?? [part.whole(offered)]) {
    const outcome = judged(await posted(wire, call))
    if (outcome.kind !== 'done') return outcome
  }
  // Only of the pieces that were sent: others may have changed meanwhile.
  const known = few ? Object.fromEntries((changed as string[]).map((key) => [key, now[key] as string])) : now
  return { kind: 'done', result: { known, isWhole: !few } }
}

/** The seller's answer: their words, when they refuse. */
export function judged({ status, bytes }: Answered): Outcome {
  const code = String(status)
  const received = bytes.subarray(0, 2_000).toString('utf8')
  if (status < 300) return { kind: 'done', code }
  return { kind: 'refused', code, received, reasons: [{ code, message: wordsOf(received) }] }
}

/** The message of a refusal in the forms that sellers use: `detail`, `message`, `errors`. */
function wordsOf(received: string): string {
  try {
    const parsed = JSON.parse(received) as Record<string, unknown>
    for (const name of ['detail', 'message', 'error']) if (typeof parsed[name] === 'string') return parsed[name]
    if (parsed.errors) return JSON.stringify(parsed.errors).slice(0, 300)
  } catch {
    // Not JSON: only the code is known.
  }
  return 'Площадка не приняла данные'
}
