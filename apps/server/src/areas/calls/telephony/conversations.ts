/** The channels of an exchange, joined to conversations; the oldest channel names its conversation. */

/** Maximum number of tracked channels; calls that ended before the connection are unknown. */
const MAX_CHANNELS = 10_000

export type ChannelKind = 'external' | 'operator' | 'local'

export interface Channel {
  id: string
  order: number
  kind: ChannelKind
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

/** What is known of a conversation besides its channels. */
interface Facts {
  queue?: string
  /** Seconds of waiting in the queue. */
  hold?: number
  answer?: number
  /** When its last channel ended. */
  gone?: number
}

/** Name of a Local channel without its half. */
const wholeOf = (name: string): string => name.slice(0, -2)

export class Conversations {
  readonly #channels = new Map<string, Channel>()
  readonly #parents = new Map<string, string>()
  readonly #facts = new Map<string, Facts>()
  /** Channels by the name of their Local pair. */
  readonly #locals = new Map<string, string>()
  readonly #merged: (kept: string, lost: string) => void
  #order = 0

  /** @param merged called when two conversations turn out to be one */
  constructor(merged: (kept: string, lost: string) => void) {
    this.#merged = merged
  }

  get(id: string | undefined): Channel | undefined {
    return this.#channels.get(id ?? '')
  }

  has(id: string): boolean {
    return this.#channels.has(id)
  }

  all(): Channel[] {
    return [...this.#channels.values()]
  }

  /**
   * Adds a channel and joins it to the conversation of its `linked` id and of the other half of its Local pair.
   * @returns undefined when too many are tracked
   */
  add(made: Omit<Channel, 'order' | 'answer' | 'end' | 'status' | 'bridge'>, linked?: string): Channel | undefined {
    if (this.#channels.size >= MAX_CHANNELS) return undefined
    const { id, name } = made
    const channel = { ...made, order: this.#order++, answer: null, end: null, status: null, bridge: null }
    this.#channels.set(id, channel)
    this.#parents.set(id, id)
    if (linked && linked !== id) {
      if (!this.knows(linked)) this.#parents.set(linked, linked)
      this.join(linked, id)
    }
    const pair = /^(Local\/.+);[12]$/.exec(name)?.[1]
    const other = pair && this.#locals.get(pair)
    if (pair && other) this.join(other, id)
    else if (pair) this.#locals.set(pair, id)
    return channel
  }

  /** Whether a channel, or one that named it as linked, has this id. */
  knows(id: string): boolean {
    return this.#parents.has(id)
  }

  /** The id of a channel's conversation. */
  of(id: string): string {
    const parent = this.#parents.get(id)
    if (parent === undefined || parent === id) return id
    const top = this.of(parent)
    this.#parents.set(id, top)
    return top
  }

  join(a: string, b: string): void {
    const [one, two] = [this.of(a), this.of(b)]
    if (one === two) return
    const orderOf = (id: string) => this.#channels.get(id)?.order ?? 0
    const [kept, lost] = orderOf(one) <= orderOf(two) ? [one, two] : [two, one]
    this.#parents.set(lost, kept)
    this.#merged(kept, lost)
    this.#facts.set(kept, { ...this.#facts.get(lost), ...this.#facts.get(kept) })
    this.#facts.delete(lost)
  }

  /** The facts of a channel's conversation, to read and to change. */
  facts(id: string): Facts {
    const key = this.of(id)
    const known = this.#facts.get(key) ?? {}
    this.#facts.set(key, known)
    return known
  }

  /** Channels of a channel's conversation, oldest first. */
  members(id: string): Channel[] {
    const key = this.of(id)
    return this.all()
      .filter((one) => this.of(one.id) === key)
      .sort((a, b) => a.order - b.order)
  }

  /** Channels reachable by a path of bridges and Local halves, without these halves. */
  reachable(channel: Channel): Channel[] {
    const all = this.members(channel.id).filter((one) => one.end === null)
    const found = new Set([channel])
    for (const one of found)
      for (const next of all) {
        const together = one.bridge !== null && next.bridge === one.bridge
        const halves = one.kind === 'local' && next.kind === 'local' && wholeOf(one.name) === wholeOf(next.name)
        if (together || halves) found.add(next)
      }
    return [...found].filter((one) => one.kind !== 'local')
  }

  /** Forgets a conversation with its channels. */
  forget(conversation: string): void {
    for (const { id, name } of this.members(conversation)) {
      this.#channels.delete(id)
      this.#parents.delete(id)
      this.#locals.delete(wholeOf(name))
    }
    this.#parents.delete(conversation)
    this.#facts.delete(conversation)
  }
}
