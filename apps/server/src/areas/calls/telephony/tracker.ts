/**
 * Derives calls from the events of an exchange. All channels of one conversation are one call: they are joined by
 * Linkedid, by transfers and by the two halves of a Local channel; the oldest names it. It is answered when a path of
 * bridges and Local channels connects the other side with an employee, and over when all have hung up.
 */
import { type CallType, INCOMING, INTERNAL, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { type DialPlan, employeeOf, PLAIN } from './dialPlan.ts'
import type { PbxEvent } from './exchange.ts'

/** Milliseconds for which a call without channels may continue: a transfer may be in progress. */
const LINGERS_MS = 2_000
/** Maximum number of tracked channels; calls that ended before the connection are unknown. */
const MAX_CHANNELS = 10_000

type Kind = 'external' | 'operator' | 'local'

interface Channel {
  id: string
  order: number
  kind: Kind
  name: string
  /** Short number of an employee. */
  sip: string | null
  number: string | null
  exten: string | null
  born: number
  answer: number | null
  end: number | null
  status: string | null
  bridge: string | null
}

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
export function kindOf(name: string, plan: DialPlan = PLAIN): { kind: Kind; sip: string | null } {
  if (name.startsWith('Local/')) return { kind: 'local', sip: null }
  const sip = employeeOf(name, plan)
  return sip ? { kind: 'operator', sip } : { kind: 'external', sip: null }
}

/**
 * @param tell called when a call begins, changes or ends
 * @param merged called when a reported session turns out to be part of another call: a consultation before a transfer
 */
export function trackCalls(
  tell: (call: TrackedCall) => void,
  merged: (session: string) => void = () => {},
  plan: DialPlan = PLAIN,
) {
  const channels = new Map<string, Channel>()
  const parents = new Map<string, string>()
  const facts = new Map<string, { queue?: string; hold?: number; answer?: number; gone?: number }>()
  const locals = new Map<string, string>()
  /** Reported sessions. */
  const told = new Set<string>()
  let order = 0

  const root = (id: string): string => {
    const parent = parents.get(id)
    if (parent === undefined || parent === id) return id
    const top = root(parent)
    parents.set(id, top)
    return top
  }
  const join = (a: string, b: string): void => {
    const [one, two] = [root(a), root(b)]
    if (one === two) return
    const [older, younger] =
      (channels.get(one)?.order ?? 0) <= (channels.get(two)?.order ?? 0) ? [one, two] : [two, one]
    parents.set(younger, older)
    if (told.delete(younger)) merged(younger)
    facts.set(older, { ...facts.get(younger), ...facts.get(older) })
    facts.delete(younger)
  }
  const factsOf = (id: string) => {
    const key = root(id)
    const known = facts.get(key) ?? {}
    facts.set(key, known)
    return known
  }
  const members = (id: string): Channel[] => {
    const key = root(id)
    return [...channels.values()].filter((one) => root(one.id) === key).sort((a, b) => a.order - b.order)
  }

  function know(event: PbxEvent, at: number): Channel | undefined {
    const id = event.Uniqueid
    if (!id || !event.Channel) return channels.get(id ?? '')
    const there = channels.get(id)
    if (there) return there
    if (channels.size >= MAX_CHANNELS) return
    const made: Channel = {
      id,
      order: order++,
      ...kindOf(event.Channel, plan),
      name: event.Channel,
      number: given(event.CallerIDNum),
      exten: given(event.Exten),
      born: at,
      answer: null,
      end: null,
      status: null,
      bridge: null,
    }
    channels.set(id, made)
    parents.set(id, id)
    if (event.Linkedid && event.Linkedid !== id) {
      if (!parents.has(event.Linkedid)) parents.set(event.Linkedid, event.Linkedid)
      join(event.Linkedid, id)
    }
    const half = /^(Local\/.+);[12]$/.exec(event.Channel)?.[1]
    const other = half && locals.get(half)
    if (half && other) join(other, id)
    else if (half) locals.set(half, id)
    return made
  }

  /** Channels reachable by a path of bridges and Local halves. */
  function heardBy(channel: Channel): Channel[] {
    const all = members(channel.id).filter((one) => one.end === null)
    const found = new Set([channel])
    for (const one of found)
      for (const next of all) {
        const together = one.bridge !== null && next.bridge === one.bridge
        const halves = one.kind === 'local' && next.kind === 'local' && one.name.slice(0, -2) === next.name.slice(0, -2)
        if (together || halves) found.add(next)
      }
    return [...found].filter((one) => one.kind !== 'local')
  }

  function entered(channel: Channel, at: number): void {
    const ends = heardBy(channel)
    const outside = ends.some(({ kind }) => kind === 'external')
    const inside = ends.filter(({ kind }) => kind === 'operator')
    const meets = outside ? inside.length > 0 : inside.length > 1
    if (!meets) return
    for (const one of ends) one.answer ??= at
    const isInternal = members(channel.id).every(({ kind }) => kind !== 'external')
    if (outside || isInternal) factsOf(channel.id).answer ??= at
  }

  function report(id: string): void {
    const all = members(id)
    const ends = all.filter(({ kind }) => kind !== 'local')
    const [first] = ends
    if (!first) return
    const { queue, hold, answer = null, gone } = factsOf(id)
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
    told.add(root(id))
    tell({
      session: root(id),
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
    })
  }

  const seconds = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined

  const acts: Record<string, (event: PbxEvent, at: number) => string | undefined> = {
    Newchannel: (event, at) => know(event, at)?.id,
    /** For trunks that report the number after the channel. */
    NewCallerid({ Uniqueid = '', CallerIDNum }) {
      const channel = channels.get(Uniqueid)
      const number = given(CallerIDNum)
      if (!channel || number === null || channel.kind !== 'external' || channel.number === number) return
      channel.number = number
      return Uniqueid
    },
    CoreShowChannel(event, at) {
      const channel = know(event, at)
      if (!channel) return
      if (event.BridgeId) {
        channel.bridge = event.BridgeId
        entered(channel, at)
      }
      return channel.id
    },
    DialEnd({ DestUniqueid, DialStatus }) {
      const channel = channels.get(DestUniqueid ?? '')
      if (!channel) return
      channel.status = given(DialStatus)
      return channel.id
    },
    BridgeEnter(event, at) {
      const channel = know(event, at)
      if (!channel || !event.BridgeUniqueid) return
      channel.bridge = event.BridgeUniqueid
      if (event.Linkedid && parents.has(event.Linkedid)) join(event.Linkedid, channel.id)
      for (const one of channels.values())
        if (one.end === null && one.bridge === channel.bridge) join(one.id, channel.id)
      entered(channel, at)
      return channel.id
    },
    BridgeLeave({ Uniqueid }) {
      const channel = channels.get(Uniqueid ?? '')
      if (channel) channel.bridge = null
      return undefined
    },
    QueueCallerJoin({ Uniqueid = '', Queue }) {
      if (!channels.has(Uniqueid) || !Queue) return
      factsOf(Uniqueid).queue = Queue
      return Uniqueid
    },
    AgentConnect: ({ Uniqueid = '', HoldTime }) => held(Uniqueid, HoldTime),
    QueueCallerAbandon: ({ Uniqueid = '', HoldTime }) => held(Uniqueid, HoldTime),
    BlindTransfer: ({ TransfererUniqueid, TransfereeUniqueid }) => together(TransfererUniqueid, TransfereeUniqueid),
    AttendedTransfer: ({ OrigTransfererUniqueid, SecondTransfererUniqueid }) =>
      together(OrigTransfererUniqueid, SecondTransfererUniqueid),
    Hangup({ Uniqueid = '' }, at) {
      const channel = channels.get(Uniqueid)
      if (!channel || channel.end !== null) return
      channel.end = at
      channel.bridge = null
      return Uniqueid
    },
  }
  function held(id: string, hold: string | undefined): string | undefined {
    const known = seconds(hold)
    if (!channels.has(id) || known === undefined) return
    factsOf(id).hold = known
    return id
  }
  function together(one = '', two = ''): string | undefined {
    if (!channels.has(one) || !channels.has(two)) return
    join(one, two)
    return one
  }

  return {
    event(event: PbxEvent, at: number): void {
      const about = Object.hasOwn(acts, event.Event ?? '') ? acts[event.Event ?? '']?.(event, at) : undefined
      if (about !== undefined) report(about)
    },
    /** Whether the conversation begun by this channel is in progress. */
    follows: (id: string): boolean => channels.has(id),
    /** After a reconnect: ends channels that are no longer live. */
    living(uniqueids: ReadonlySet<string>, at: number): void {
      for (const channel of channels.values())
        if (channel.end === null && !uniqueids.has(channel.id)) {
          channel.end = at
          channel.bridge = null
          report(channel.id)
        }
    },
    /** Ends calls that have had no channels for long enough; called about every second. */
    tick(at: number): void {
      const seen = new Set<string>()
      for (const { id } of [...channels.values()]) {
        const key = root(id)
        if (seen.has(key)) continue
        seen.add(key)
        const all = members(key)
        const last = Math.max(...all.map(({ end }) => end ?? Number.POSITIVE_INFINITY))
        if (last + LINGERS_MS > at) continue
        factsOf(key).gone = last
        report(key)
        for (const one of all) {
          channels.delete(one.id)
          parents.delete(one.id)
          locals.delete(one.name.slice(0, -2))
        }
        parents.delete(key)
        facts.delete(key)
        told.delete(key)
      }
    },
  }
}
