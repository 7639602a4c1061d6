import { type Incoming, type Listener, listenerKey, type Outgoing } from './wire.ts'

/** Subscriptions per message, which is limited to 64 kB. */
const LISTENERS_AT_ONCE = 100

export interface Subscription extends Listener {
  state: 'waiting' | 'on' | 'refused'
  /** Reason of the refusal. */
  message?: string
}

interface Entry extends Subscription {
  /** Cursor of the subscription; once active, the shared one is used. */
  since?: string
}

/** The connection that the subscriptions are requested by. */
interface Connection {
  /** @param keys of the requested subscriptions; the server answers such messages in order */
  say(message: Outgoing, keys: string[]): void
  /** The server cannot answer now: reconnects. */
  lost(): void
  changed(): void
  /** Displayed data of these paths may be stale. */
  reset(paths: string[]): void
}

/** The subscriptions of a socket. They survive reconnects, and are requested from their last cursor. */
export class Subscriptions {
  /** Cursor of the last event or answer. */
  cursor: string | undefined
  readonly #connection: Connection
  readonly #entries = new Map<string, Entry>()
  /** Keys of subscriptions awaiting their answers, in the order of sending. */
  #asked: string[][] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  list(): Subscription[] {
    return [...this.#entries.values()].map(({ since: _, ...subscription }) => subscription)
  }

  /** @param since a cursor from before any displayed data were read */
  startFrom(since: string | undefined): void {
    if (this.cursor !== undefined) return
    this.cursor = since
    for (const entry of this.#entries.values()) entry.since ??= since
  }

  /** Forgets the cursor: the next connection starts anew. */
  restart(): void {
    this.cursor = undefined
    for (const entry of this.#entries.values()) renew(entry)
  }

  move(cursor: unknown): void {
    if (typeof cursor === 'string') this.cursor = cursor
  }

  /** Adds subscriptions; returns the keys of the new ones. */
  add(listeners: readonly Listener[]): string[] {
    const fresh: string[] = []
    for (const listener of listeners) {
      const key = listenerKey(listener)
      if (this.#entries.has(key)) continue
      this.#entries.set(key, { ...listener, state: 'waiting', since: this.cursor })
      fresh.push(key)
    }
    return fresh
  }

  /** Removes a subscription and returns it. */
  remove(listener: Listener): Subscription | undefined {
    const key = listenerKey(listener)
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    return entry
  }

  /* ---- requests ---- */

  requestAll(): void {
    this.request([...this.#entries.keys()])
  }

  /** Requests subscriptions, each from its last cursor. */
  request(keys: readonly string[]): void {
    const bySince = Map.groupBy(keys, (key) => this.#sinceOf(key))
    for (const [since, group] of bySince) this.#requestFrom(group, since)
  }

  /** Called for each sent request. */
  sent(keys: string[]): void {
    this.#asked.push(keys)
  }

  /** The connection has ended: no answers will come. */
  dropRequests(): void {
    this.#asked = []
  }

  #requestFrom(keys: readonly string[], since: string | undefined): void {
    for (let i = 0; i < keys.length; i += LISTENERS_AT_ONCE)
      this.#requestAtOnce(keys.slice(i, i + LISTENERS_AT_ONCE), since)
  }

  #requestAtOnce(keys: string[], since: string | undefined): void {
    const entries = keys.flatMap((key) => this.#entries.get(key) ?? [])
    const [first] = entries
    if (!first) return
    const from = since === undefined ? {} : { since }
    const [action, data] =
      entries.length === 1
        ? ['addListener', { ...bareListener(first), ...from }]
        : ['addListeners', { listeners: entries.map(bareListener), ...from }]
    this.#connection.say({ controller: 'system', action, data }, keys)
  }

  #sinceOf(key: string): string | undefined {
    const entry = this.#entries.get(key)
    return entry?.state === 'on' ? this.cursor : entry?.since
  }

  /* ---- answers ---- */

  answered({ data, isError }: Incoming): void {
    const keys = this.#asked.shift() ?? []
    if (isError) {
      this.#refused(keys, data)
      return
    }
    const stale = new Set<string>()
    for (const key of keys) {
      const entry = this.#entries.get(key)
      if (!entry) continue
      // Without a cursor earlier events are missed: data read until now may be stale.
      if (data.reset === true || (entry.state !== 'on' && entry.since === undefined)) stale.add(entry.path)
      entry.state = 'on'
      entry.since = undefined
      entry.message = undefined
    }
    this.move(data.cursor)
    this.#connection.changed()
    if (stale.size > 0) this.#connection.reset([...stale])
  }

  #refused(keys: string[], { status, message }: Record<string, unknown>): void {
    if (typeof status !== 'number' || status >= 500) {
      this.#connection.lost()
      return
    }
    // One of them is invalid: find it by halving.
    if (keys.length > 1) {
      const middle = keys.length >> 1
      this.request(keys.slice(0, middle))
      this.request(keys.slice(middle))
      return
    }
    const entry = this.#entries.get(keys[0] ?? '')
    if (!entry) return
    entry.state = 'refused'
    entry.since = undefined
    entry.message = String(message)
    this.#connection.changed()
  }

  /** Rights may have changed: the server has dropped forbidden subscriptions, and may accept refused ones. */
  rightsChanged(paths: string[]): void {
    const again: string[] = []
    for (const [key, entry] of this.#entries) {
      if (entry.state !== 'refused' && !paths.includes(entry.path)) continue
      if (entry.state === 'refused') renew(entry)
      again.push(key)
    }
    // Active ones have missed nothing, so they send no cursor.
    this.#requestFrom(again, undefined)
    if (paths.length > 0) this.#connection.reset(paths)
  }
}

export const bareListener = ({ path, id, filter }: Listener): Listener => ({
  path,
  ...(id === undefined ? {} : { id }),
  ...(filter ? { filter } : {}),
})

function renew(entry: Entry): void {
  entry.state = 'waiting'
  entry.since = undefined
  entry.message = undefined
}
