/**
 * A simulated call as events of an exchange: AMI blocks, mixed with noise and split at any place, parsed and tracked by
 * the code for real exchanges.
 */
import { blockReader, CallTracker, type TrackedCall } from '#areas/calls/index.ts'
import type { CallStep } from './plan.ts'

const HANGS_UP_MS = 3_000
/** Characters per chunk. */
const PIECE = 37

/** Short numbers of the first called employee, and of the target of a transfer. */
export interface Called {
  session: string
  phone: string
  line: string
  sip: string | null
  other: string | null
}

interface AmiEvent {
  /** Milliseconds since the ring. */
  at: number
  event: string
  fields: Record<string, string>
}

/** All events of a call up to a step. */
function eventsOf(step: CallStep, { session, phone, line, sip, other }: Called): AmiEvent[] {
  const [a, b, c, d] = [session, `${session}-1`, `${session}-2`, `${session}-3`]
  const channel = (Uniqueid: string, Channel: string, Linkedid: string, more: Record<string, string> = {}) => ({
    Uniqueid,
    Channel,
    Linkedid,
    ...more,
  })
  const events: AmiEvent[] = [
    { at: 0, event: 'Newchannel', fields: channel(a, 'PJSIP/training-0a', a, { CallerIDNum: phone, Exten: line }) },
    { at: 0, event: 'QueueCallerJoin', fields: { Uniqueid: a, Queue: 'Учебная линия' } },
  ]
  if (sip) events.push({ at: 0, event: 'Newchannel', fields: channel(b, `PJSIP/${sip}-0b`, a) })
  const isAnswered = sip !== null && (step.does === 'answer' || (step.does === 'hangUp' && step.talkedMs !== null))
  const bridge = (at: number, Uniqueid: string, BridgeUniqueid: string, Linkedid = a): AmiEvent => ({
    at,
    event: 'BridgeEnter',
    fields: { Uniqueid, BridgeUniqueid, Linkedid },
  })
  const gone = (at: number, Uniqueid: string): AmiEvent => ({ at, event: 'Hangup', fields: { Uniqueid, Cause: '16' } })
  if (step.does !== 'ring' && isAnswered)
    events.push(bridge(step.rangMs, a, `${a}-X`), bridge(step.rangMs, b, `${a}-X`))
  if (step.does !== 'hangUp') return events
  const { rangMs } = step
  const end = rangMs + (step.talkedMs ?? 0)
  if (!isAnswered) {
    if (sip) events.push(gone(end, b))
    const HoldTime = String(Math.round(rangMs / 1_000))
    return [...events, { at: end, event: 'QueueCallerAbandon', fields: { Uniqueid: a, HoldTime } }, gone(end, a)]
  }
  if (step.course !== 'transfer' || other === null || other === sip) return [...events, gone(end, b), gone(end, a)]
  // The first consults a colleague by a call of its own, and transfers.
  const asks = rangMs + Math.round((end - rangMs) / 2)
  return [
    ...events,
    { at: asks, event: 'Newchannel', fields: channel(c, `PJSIP/${sip}-0c`, c, { Exten: other }) },
    { at: asks, event: 'Newchannel', fields: channel(d, `PJSIP/${other}-0d`, c) },
    bridge(asks, c, `${a}-Y`, c),
    bridge(asks, d, `${a}-Y`, c),
    {
      at: asks + 1_000,
      event: 'AttendedTransfer',
      fields: { OrigTransfererUniqueid: b, SecondTransfererUniqueid: c },
    },
    gone(asks + 1_000, b),
    gone(asks + 1_000, c),
    bridge(asks + 1_000, d, `${a}-X`),
    gone(end, d),
    gone(end, a),
  ]
}

/**
 * The call's state after a step.
 * @param begin time of the ring, milliseconds
 */
export function callAfter(step: CallStep, called: Called, begin: number): TrackedCall | undefined {
  let state: TrackedCall | undefined
  const tracker = new CallTracker((call) => {
    state = call
  })
  let at = begin
  const read = blockReader((block) => tracker.event(block, at))
  read('Asterisk Call Manager/9.0.0\r\n')
  for (const { at: after, event, fields } of eventsOf(step, called)) {
    at = begin + after
    const rows = Object.entries({ Event: event, ...fields }).map(([key, value]) => `${key}: ${value}`)
    const text = `${rows.join('\r\n')}\r\n\r\nEvent: VarSet\r\nUniqueid: ?\r\n\r\n??\r\n\r\n`
    for (let from = 0; from < text.length; from += PIECE) read(text.slice(from, from + PIECE))
  }
  if (step.does === 'hangUp') tracker.tick(at + HANGS_UP_MS)
  return state
}
