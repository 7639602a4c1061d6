/**
 * Derives calls from the events of an exchange. All channels of one conversation are one call: they are joined by
 * Linkedid, by transfers and by the two halves of a Local channel; the oldest names it. It is answered when a path of
 * bridges and Local channels connects the other side with an employee, and over when all have hung up.
 */
import { type CallType, INCOMING, INTERNAL, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { type Channel, type ChannelKind, Conversations } from './conversations.ts'
import { type DialPlan, employeeOf, PLAIN } from './dialPlan.ts'
import type { PbxEvent } from './exchange.ts'

/** Milliseconds for which a call without channels may continue: a transfer may be in progress. */
const LINGERS_MS = 2_000
export interface TrackedLeg {
  uniqueid: string
  party: 'external' | 'operator'
  sipPhone: string | null
  ringAt: number
  answerAt: number | null
  endAt: number | null
  dialStatus: string | null
}

export interface TrackedCall {
  session: string
  type: CallType
  contactPhone: string | null
  localPhone: string | null
  destPhone: string | null
  begin: number
  answer: number | null
  /** Null: in progress. */
  end: number | null
  waitS: number | null
  queue: string | null
  legs: TrackedLeg[]
}

const given = (value: string | undefined): string | null =>
  value && !/^(<unknown>|s|unknown|anonymous)$/i.test(value) ? value : null

/** Classifies a channel: of an employee, a half of a `Local/201@queue-1;2`, or outside. */
export function kindOf(name: string, plan: DialPlan = PLAIN): { kind: ChannelKind; sip: string | null } {
  if (name.startsWith('Local/')) return { kind: 'local', sip: null }
  const sip = employeeOf(name, plan)
  return sip ? { kind: 'operator', sip } : { kind: 'external', sip: null }
}

type Act = (event: PbxEvent, at: number) => string | undefined

/** Reports the calls of an exchange from its events. */
export class CallTracker {
  readonly #conversations: Conversations
  readonly #onCall: (call: TrackedCall) => void
  readonly #plan: DialPlan
  /** Reported conversations. */
  readonly #reported = new Set<string>()

  /**
   * @param onCall called when a call begins, changes or ends
   * @param merged called when a reported session turns out to be part of another call: a consultation before a transfer
   */
  constructor(
    onCall: (call: TrackedCall) => void,
    merged: (session: string) => void = () => {},
    plan: DialPlan = PLAIN,
  ) {
    this.#onCall = onCall
    this.#plan = plan
    this.#conversations = new Conversations((_, lost) => {
      if (this.#reported.delete(lost)) merged(lost)
    })
  }

  event(event: PbxEvent, at: number): void {
    const name = event.Event ?? ''
    const changed = Object.hasOwn(this.#acts, name) ? this.#acts[name]?.(event, at) : undefined
    if (changed !== undefined) this.#report(changed)
  }

  /** Whether the conversation begun by this channel is in progress. */
  follows(id: string): boolean {
    return this.#conversations.has(id)
  }

  /** After a reconnect: ends channels that are no longer live. */
  living(uniqueids: ReadonlySet<string>, at: number): void {
    for (const channel of this.#conversations.all())
      if (channel.end === null && !uniqueids.has(channel.id)) {
        channel.end = at
        channel.bridge = null
        this.#report(channel.id)
      }
  }

  /** Ends calls that have had no channels for long enough; called about every second. */
  tick(at: number): void {
    const calls = this.#conversations
    for (const key of new Set(calls.all().map(({ id }) => calls.of(id)))) {
      const last = Math.max(...calls.members(key).map(({ end }) => end ?? Number.POSITIVE_INFINITY))
      if (last + LINGERS_MS > at) continue
      calls.facts(key).gone = last
      this.#report(key)
      calls.forget(key)
      this.#reported.delete(key)
    }
  }

  /** What an event changes, by its name. @returns a channel of the changed call */
  readonly #acts: Record<string, Act> = {
    Newchannel: (event, at) => this.#channelOf(event, at)?.id,
    /** For trunks that report the number after the channel. */
    NewCallerid: ({ Uniqueid, CallerIDNum }) => {
      const channel = this.#conversations.get(Uniqueid)
      const number = given(CallerIDNum)
      if (!channel || number === null || channel.kind !== 'external' || channel.number === number) return undefined
      channel.number = number
      return channel.id
    },
    CoreShowChannel: (event, at) => {
      const channel = this.#channelOf(event, at)
      if (channel && event.BridgeId) {
        channel.bridge = event.BridgeId
        this.#entered(channel, at)
      }
      return channel?.id
    },
    DialEnd: ({ DestUniqueid, DialStatus }) => {
      const channel = this.#conversations.get(DestUniqueid)
      if (channel) channel.status = given(DialStatus)
      return channel?.id
    },
    BridgeEnter: (event, at) => {
      const channel = this.#channelOf(event, at)
      if (!channel || !event.BridgeUniqueid) return undefined
      const calls = this.#conversations
      channel.bridge = event.BridgeUniqueid
      if (event.Linkedid && calls.knows(event.Linkedid)) calls.join(event.Linkedid, channel.id)
      for (const one of calls.all())
        if (one.end === null && one.bridge === channel.bridge) calls.join(one.id, channel.id)
      this.#entered(channel, at)
      return channel.id
    },
    BridgeLeave: ({ Uniqueid }) => {
      const channel = this.#conversations.get(Uniqueid)
      if (channel) channel.bridge = null
      return undefined
    },
    QueueCallerJoin: ({ Uniqueid = '', Queue }) => {
      if (!this.#conversations.has(Uniqueid) || !Queue) return undefined
      this.#conversations.facts(Uniqueid).queue = Queue
      return Uniqueid
    },
    AgentConnect: ({ Uniqueid, HoldTime }) => this.#held(Uniqueid, HoldTime),
    QueueCallerAbandon: ({ Uniqueid, HoldTime }) => this.#held(Uniqueid, HoldTime),
    BlindTransfer: ({ TransfererUniqueid, TransfereeUniqueid }) => this.#joined(TransfererUniqueid, TransfereeUniqueid),
    AttendedTransfer: ({ OrigTransfererUniqueid, SecondTransfererUniqueid }) =>
      this.#joined(OrigTransfererUniqueid, SecondTransfererUniqueid),
    Hangup: ({ Uniqueid }, at) => {
      const channel = this.#conversations.get(Uniqueid)
      if (!channel || channel.end !== null) return undefined
      channel.end = at
      channel.bridge = null
      return channel.id
    },
  }

  /** The channel of an event, added if it is new. */
  #channelOf(event: PbxEvent, at: number): Channel | undefined {
    const { Uniqueid: id, Channel: name, Linkedid } = event
    const known = this.#conversations.get(id)
    if (known || !id || !name) return known
    const { CallerIDNum, Exten } = event
    const facts = { id, ...kindOf(name, this.#plan), name, number: given(CallerIDNum), exten: given(Exten), born: at }
    return this.#conversations.add(facts, Linkedid)
  }

  /** Marks a call answered when a bridge has connected the other side with an employee. */
  #entered(channel: Channel, at: number): void {
    const ends = this.#conversations.reachable(channel)
    const outside = ends.some(({ kind }) => kind === 'external')
    const inside = ends.filter(({ kind }) => kind === 'operator')
    const meets = outside ? inside.length > 0 : inside.length > 1
    if (!meets) return
    for (const one of ends) one.answer ??= at
    const isInternal = this.#conversations.members(channel.id).every(({ kind }) => kind !== 'external')
    if (outside || isInternal) this.#conversations.facts(channel.id).answer ??= at
  }

  #held(id = '', hold: string | undefined): string | undefined {
    const known = seconds(hold)
    if (!this.#conversations.has(id) || known === undefined) return undefined
    this.#conversations.facts(id).hold = known
    return id
  }

  #joined(one = '', two = ''): string | undefined {
    if (!this.#conversations.has(one) || !this.#conversations.has(two)) return undefined
    this.#conversations.join(one, two)
    return one
  }

  #report(id: string): void {
    const call = this.#callOf(id)
    if (!call) return
    this.#reported.add(call.session)
    this.#onCall(call)
  }

  /** The call of a channel; undefined while it has only Local halves. */
  #callOf(id: string): TrackedCall | undefined {
    const all = this.#conversations.members(id)
    const ends = all.filter(({ kind }) => kind !== 'local')
    const [first] = ends
    if (!first) return undefined
    const { queue, hold, answer = null, gone } = this.#conversations.facts(id)
    const external = ends.find(({ kind }) => kind === 'external')
    const over = gone !== undefined && all.every(({ end }) => end !== null)
    const end = over ? Math.max(...all.map((one) => one.end ?? 0)) : null
    const isIncoming = first.kind === 'external'
    const type = isIncoming ? (answer === null && over ? MISSED : INCOMING) : external ? OUTGOING : INTERNAL
    const operators = ends.filter(({ kind }) => kind === 'operator')
    const last = operators
      .filter((one) => one.answer !== null)
      .sort((a, b) => (a.answer ?? 0) - (b.answer ?? 0))
      .at(-1)
    const waited = isIncoming ? (hold ?? Math.round(((answer ?? end ?? first.born) - first.born) / 1000)) : null
    return {
      session: this.#conversations.of(id),
      type,
      contactPhone: isIncoming ? first.number : external ? (first.exten ?? external.exten ?? external.number) : null,
      // The employee of the call: the caller of an internal one; else the last participant.
      localPhone: (type === INTERNAL ? first : (last ?? (isIncoming ? undefined : first)))?.sip ?? null,
      destPhone: first.exten,
      begin: first.born,
      answer,
      end,
      waitS: answer !== null || over ? waited : null,
      queue: queue ?? null,
      legs: ends.map((one) => ({
        uniqueid: one.id,
        party: one.kind === 'external' ? 'external' : 'operator',
        sipPhone: one.sip,
        ringAt: one.born,
        answerAt: one.answer,
        endAt: one.end,
        dialStatus: one.status,
      })),
    }
  }
}

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
