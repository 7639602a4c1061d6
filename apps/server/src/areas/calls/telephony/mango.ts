/**
 * Mango Office: events by POST, signed with the exchange's key and salt. A conversation has one `entry_id` with a
 * `call_id` per leg; `seq` orders the states of a leg.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { INCOMING, INTERNAL, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { type CloudEvent, type CloudSecret, secondsWaited } from './cloudEvent.ts'
import { OWN_SESSION } from './session.ts'
import type { TrackedCall, TrackedLeg } from './tracker.ts'

const EMPLOYEE = 'abonent'
const CONNECTED = 'Connected'
const OVER = 'Disconnected'

interface Side {
  number?: string
  extension?: string
  line_number?: string
  acd_group?: string
}
interface MangoEvent {
  entry_id?: string
  call_id?: string
  command_id?: string
  seq?: number
  /** Seconds since 1970. */
  timestamp?: number
  call_state?: string
  location?: string
  from?: Side
  to?: Side
  /** Of a summary. */
  call_direction?: number
  create_time?: number
  talk_time?: number
  end_time?: number
  line_number?: string
}

export const mangoSign = (json: string, { key, secret }: CloudSecret): string =>
  createHash('sha256').update(`${key}${json}${secret}`).digest('hex')

/** Signed URL of a recording, valid until the time in seconds of the epoch. */
export const mangoRecording = (recording: string, until: number, { key, secret }: CloudSecret): string => {
  const sign = createHash('sha256').update(`${key}${until}${recording}${secret}`).digest('hex')
  return `/queries/recording/link/${encodeURIComponent(recording)}/download/${encodeURIComponent(key)}/${until}/${sign}`
}

/** The event of a signed form; undefined if the signature is invalid. */
export function readMango(
  kind: string,
  form: Readonly<Record<string, string>>,
  secret: CloudSecret,
): CloudEvent | 'other' | undefined {
  const { vpbx_api_key: key = '', sign = '', json = '' } = form
  const [wanted, given] = [Buffer.from(mangoSign(json, secret)), Buffer.from(sign)]
  if (key !== secret.key || wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined
  let event: MangoEvent
  try {
    event = JSON.parse(json) as MangoEvent
  } catch {
    return 'other'
  }
  if (typeof event.entry_id !== 'string' || !['call', 'summary', 'recording'].includes(kind)) return 'other'
  const mark =
    kind === 'call'
      ? `${event.entry_id}/${event.call_id}/${event.seq}/${event.call_state}`
      : `${event.entry_id}/${kind}`
  const { recording_id: id, recording_state: state } = event as { recording_id?: unknown; recording_state?: unknown }
  // Also sent when the recording starts: there is nothing to fetch then.
  const isThere = kind === 'recording' && typeof id === 'string' && state !== 'Started'
  return {
    entry: event.entry_id,
    mark: (kind === 'recording' ? `${mark}/${String(id)}/${String(state ?? '')}` : mark).slice(0, 300),
    body: { kind, ...event },
    ...(isThere && { recording: id }),
  }
}

const ms = (seconds: number | undefined): number | null => (seconds ? seconds * 1000 : null)
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !/^(?:anonymous|unknown)$/i.test(value) ? value.slice(0, 32) : null

/** The call from the events of an entry; undefined if there is not enough data yet. */
export function mangoCall(entry: string, events: readonly CloudEvent[]): TrackedCall | undefined {
  const all = events.map(({ body }) => body as MangoEvent & { kind: string })
  const states = all
    .filter(({ kind, call_id }) => kind === 'call' && call_id)
    .sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0) || (a.timestamp ?? 0) - (b.timestamp ?? 0))
  const summary = all.find(({ kind }) => kind === 'summary')
  const first = states.toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0))[0] ?? summary
  if (!first) return undefined
  const [from, to] = [first.from ?? {}, first.to ?? {}]
  const isOut = summary?.call_direction === 2 || (summary === undefined && !!from.extension && !to.extension)
  const isInner = summary?.call_direction === 0 || (!!from.extension && !!to.extension && summary === undefined)
  const begin = ms(summary?.create_time ?? first.timestamp) ?? Date.now()
  const byLeg = Map.groupBy(states, ({ call_id }) => call_id as string)
  const legs: TrackedLeg[] = []
  for (const [uniqueid, own] of byLeg) {
    const last = own.at(-1) as MangoEvent
    const sipPhone = text(isOut ? (last.from?.extension ?? from.extension) : last.to?.extension)
    if (!sipPhone || (!isOut && last.location && last.location !== EMPLOYEE)) continue
    legs.push({
      uniqueid: `${entry}/${uniqueid}`.slice(0, 120),
      party: 'operator',
      sipPhone,
      ringAt: ms(own[0]?.timestamp) ?? begin,
      answerAt: ms(own.find(({ call_state }) => call_state === CONNECTED)?.timestamp),
      endAt: ms(own.find(({ call_state }) => call_state === OVER)?.timestamp),
      dialStatus: null,
    })
  }
  const answers = legs.flatMap(({ answerAt }) => (answerAt === null ? [] : [answerAt]))
  const talk = ms(summary?.talk_time)
  const answer = answers.length ? Math.min(...answers) : talk
  const isOver = byLeg.size > 0 && [...byLeg.values()].every((own) => own.some(({ call_state }) => call_state === OVER))
  const end =
    ms(summary?.end_time) ?? (isOver ? Math.max(...states.map(({ timestamp }) => (timestamp ?? 0) * 1000)) : null)
  const talker = legs
    .filter(({ answerAt }) => answerAt !== null)
    .sort((a, b) => (a.answerAt ?? 0) - (b.answerAt ?? 0))
    .at(-1)
  const command = all.find(({ command_id: id }) => id?.startsWith(OWN_SESSION))?.command_id
  const line = text(first.to?.line_number ?? first.line_number ?? summary?.line_number)
  const queue = states.find(({ location }) => location === 'queue')
  return {
    session: command ?? entry,
    type: isInner ? INTERNAL : isOut ? OUTGOING : answer === null && end !== null ? MISSED : INCOMING,
    contactPhone: isInner ? null : text(isOut ? to.number : from.number),
    localPhone: talker?.sipPhone ?? (isOut || isInner ? text(from.extension) : null),
    destPhone: isOut ? text(to.number) : line,
    begin,
    answer,
    end,
    waitS: secondsWaited({ isOut, begin, answer, end }),
    queue: queue ? text(queue.to?.acd_group ?? queue.to?.number) : null,
    legs,
  }
}
