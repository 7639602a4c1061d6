import {
  type Call,
  type CallType,
  INCOMING,
  INTERNAL,
  MISSED,
  OUTGOING,
  RECALLED,
} from '@ordinator/model/areas/calls/call'
import type { Row } from '@ordinator/model/entity'
import { seeded } from '#platform/seeded.ts'

const HOW_MANY = 1_500
const SECOND = 1000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
/** Days over which the calls came in. */
const SPAN = 92
/** Every this many conversations one is recorded. */
const RECORDED = 3
/** Number of demo recordings; calls share them. */
export const RECORDINGS = 12
/** Seconds of the shortest recording, and the increment of each next one. */
const SHORTEST = 16
const LONGER = 3

export const recordingSeconds = (at: number): number => SHORTEST + at * LONGER
export const recordingKey = (at: number): string => `calls/demo-${at}.wav`
/** The clinic's line, of an unassigned range. */
const LINE = '+79000000700'
/** Cumulative shares of the kinds of calls, up to 1. */
const KINDS = [
  [INCOMING, 0.52],
  [OUTGOING, 0.77],
  [MISSED, 0.91],
  [RECALLED, 0.97],
  [INTERNAL, 1],
] as const

export type DemoCall = Omit<Row<typeof Call>, 'id' | '_version' | 'duration' | 'talkS' | 'hasRecord'> & {
  /** The deal to which the operator linked it. */
  idLead?: number
}

export interface DemoWorld {
  operators: readonly { id: number; sipPhone: string }[]
  customers: readonly { id: number; phone: string }[]
  /** Deals with the phone of their contact; `created` in milliseconds. */
  filials: readonly number[]
  /** Outcomes of conversations, the usual ones first. */
  outcomes: readonly number[]
  deals: readonly { idLead: number; phone: string; created: number }[]
}

/** Three months of calls of the demo clinic, deterministic for a moment: patients, strangers, and contacts of deals. */
export function demoCalls({ operators, customers, deals, filials, outcomes }: DemoWorld, now = Date.now()): DemoCall[] {
  const random = seeded(20_261_120)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const calls = Array.from({ length: HOW_MANY - deals.length }, () => {
    const isKnown = random() < 0.7 && customers.length > 0
    const customer = isKnown ? pick(customers) : undefined
    const stranger = `+7900003${String(Math.floor(random() * 10_000)).padStart(4, '0')}`
    return call(openHour(now - random() * SPAN * DAY, now), customer?.phone ?? stranger, customer?.id ?? null)
  })
  const ofDeals = deals.map(({ idLead, phone, created }, at) => {
    const since = Math.max(created, now - SPAN * DAY)
    const made = call(openHour(since + random() * (now - since), now), phone, null, at % 3 === 1 ? OUTGOING : INCOMING)
    // The others are to be found by their number.
    return at % 3 === 2 || Date.parse(made.dateCreate) < created ? made : { ...made, idLead }
  })
  return [...calls, ...ofDeals].sort((a, b) => a.dateCreate.localeCompare(b.dateCreate))

  function call(begin: number, phone: string, idCustomer: number | null, kind?: CallType): DemoCall {
    const share = random()
    const callType = kind ?? KINDS.find(([, upTo]) => share < upTo)?.[0] ?? INCOMING
    const operator = pick(operators)
    const isMissed = callType === MISSED
    const isInternal = callType === INTERNAL
    const waitS = Math.round(isMissed ? 8 + random() * 40 : 2 + random() ** 2 * 50)
    const isRecorded = !isMissed && !isInternal && random() < 1 / RECORDED
    const recording = Math.floor(random() * RECORDINGS)
    // The recording is as long as the call.
    const talk = isMissed ? 0 : isRecorded ? recordingSeconds(recording) : 15 + random() ** 2 * 600
    const end = Math.min(now, begin + Math.round(waitS + talk) * SECOND)
    const recallS = callType === RECALLED ? Math.round(60 + random() ** 2 * 7_200) : null
    const short = pick(operators).sipPhone
    const isTalk = callType === INCOMING || callType === OUTGOING
    // Some conversations of the last hours lack an outcome.
    const isOwed = isTalk && now - begin < DAY && random() < 0.2
    return {
      dateCreate: new Date(begin).toISOString(),
      dateEnd: new Date(end).toISOString(),
      dateAnswer: isMissed || callType === RECALLED ? null : new Date(begin + waitS * SECOND).toISOString(),
      callType,
      contactPhone: isInternal ? null : phone,
      localPhone: isMissed ? null : operator.sipPhone,
      destPhone: isInternal ? short : callType === OUTGOING || callType === RECALLED ? phone : LINE,
      idCustomer: isInternal ? null : idCustomer,
      isPrimaryCustomer: !isInternal && idCustomer === null && random() < 0.4,
      idUser: isMissed ? null : operator.id,
      idFirstUser: operator.id,
      idFilial: isInternal || filials.length === 0 ? null : pick(filials),
      state: 'ended',
      waitS: isInternal ? null : waitS,
      queue: null,
      recallS,
      recallTries: recallS === null ? 0 : 1,
      gaveUp: false,
      idTask: null,
      recallDueAt: isMissed ? new Date(begin + 15 * 60 * SECOND).toISOString() : null,
      idOutcome: isTalk && !isOwed ? (outcomes[Math.floor(random() ** 2 * outcomes.length)] ?? null) : null,
      nextStep: null,
      dateNextStep: null,
      idOwner: null,
      needsEnd: isOwed,
      // From fifteen seconds to three minutes, by the second of the call.
      dateReady:
        isTalk && !isOwed ? new Date(end + (15 + (Math.round(begin / SECOND) % 160)) * SECOND).toISOString() : null,
      training: false,
      source: 'ami',
      pbx: 'demo',
      fileLink: isRecorded ? recordingKey(recording) : null,
      // Recently missed calls still need a call back.
      recall: isMissed && now - begin < 3 * DAY,
      idCallSession: Math.floor(random() * 2 ** 48).toString(16),
    }
  }
}

/** The same day between 8:00 and 20:00 Moscow time, and not after `now`. */
function openHour(moment: number, now: number): number {
  const day = Math.floor(moment / DAY) * DAY
  const within = day + 5 * HOUR + (moment - day) / 2
  return Math.min(within > now ? within - DAY : within, now - HOUR)
}
