/**
 * The websocket of this tab, independent of any framework. It reconnects by itself, restores its subscriptions and
 * requests missed events.
 */
import { bareListener, type Subscription, Subscriptions } from './subscriptions.ts'
import { type Incoming, type Listener, type LiveEvent, type Outgoing, readEvent, readIncoming } from './wire.ts'

const HEARTBEAT_MS = 20_000
const PONG_WAIT_MS = 10_000
const OPEN_WAIT_MS = 10_000
const RECONNECT_MS = 2_000
/** A tab may have been closed meanwhile. */
const CROWDED_RECONNECT_MS = 30_000
const MAX_TRIES = 100
const QUEUE_MS = 100
const MAX_QUEUE = 100
/** Number of remembered event numbers, to recognise replayed ones. */
const MAX_SEQS = 10_000
/** Close code: the session has ended. */
const SESSION_ENDED = 4001
/** Close code: this person has too many open tabs. */
const TOO_MANY_SOCKETS = 4030

export type SocketState = 'connecting' | 'open' | 'closed'

export interface SocketOptions {
  /**
   * Called for each connection. `refused`: the last one was refused. Null: not signed in; an exception: retry later.
   */
  token(refused: boolean): Promise<string | null>
  url: string
  create?(url: string, protocols: string[]): WebSocket
}

export interface SocketHandlers {
  change(): void
  event(event: LiveEvent): void
  /** Displayed data of these paths may be stale and must be re-read. */
  reset(paths: string[]): void
  /** The user's rights may have changed. */
  rights(): void
  signOut(): void
  traffic(direction: 'in' | 'out', text: string): void
}

export class Socket {
  state: SocketState = 'closed'
  /** Number of reconnects since the start. */
  reconnects = 0
  /** The server has refused this tab because there are too many. */
  crowded = false
  /** Milliseconds from the last ping to its pong. */
  delay: number | undefined
  /** Time of the connection, ms since 1970. */
  openedAt: number | undefined
  readonly #options: SocketOptions
  readonly #handlers: { readonly [K in keyof SocketHandlers]: Set<SocketHandlers[K]> } = {
    change: new Set(),
    event: new Set(),
    reset: new Set(),
    rights: new Set(),
    signOut: new Set(),
    traffic: new Set(),
  }
  readonly #subscriptions = new Subscriptions({
    say: (message, keys) => this.#say(message, keys),
    lost: () => this.#lost(),
    changed: () => this.#emit('change'),
    reset: (paths) => this.#emit('reset', paths),
  })
  readonly #seqs = new Set<number>()
  #socket: WebSocket | undefined
  #attempt = 0
  #tries = 0
  #refused = false
  #broken = false
  #wanted = false
  #queue: Outgoing[] = []
  #pingAt = 0
  #heartbeat: Timer
  #retry: Timer
  #late: Timer
  #drain: Timer

  constructor(options: SocketOptions) {
    this.#options = options
  }

  /** True while reconnecting. */
  get retrying(): boolean {
    return this.state === 'connecting' || this.#retry !== undefined
  }

  get queued(): number {
    return this.#queue.length
  }

  get tries(): number {
    return this.#tries
  }

  subscriptions(): Subscription[] {
    return this.#subscriptions.list()
  }

  on<K extends keyof SocketHandlers>(kind: K, run: SocketHandlers[K]): () => void {
    const set: Set<SocketHandlers[K]> = this.#handlers[kind]
    set.add(run)
    return () => void set.delete(run)
  }

  /** @param since a cursor from before any displayed data were read; absent: the data are re-read */
  connect(since?: string): void {
    this.#wanted = true
    this.#subscriptions.startFrom(since)
    if (this.state === 'closed') this.#startOver()
  }

  /** Stays closed until `connect`, and forgets its cursor: another user may sign in. */
  disconnect(): void {
    this.#wanted = false
    this.#subscriptions.restart()
    this.#seqs.clear()
    this.#queue = []
    this.#drop()
    this.#broken = false
    this.#become('closed')
  }

  /** Closes the connection and reconnects at once. */
  reconnect(): void {
    if (!this.#wanted) return
    this.#startOver()
  }

  /** The page is visible again, or the network is back: reconnects at once, or checks an open connection. */
  wake(): void {
    if (!this.#wanted) return
    if (this.state === 'closed') this.#startOver()
    else if (this.state === 'open') this.ping()
  }

  send(message: Outgoing): void {
    if (this.state === 'open' && this.#queue.length === 0) this.#say(message)
    else {
      this.#queue.push(message)
      if (this.#queue.length > MAX_QUEUE) this.#queue.shift()
      this.#emit('change')
    }
  }

  ping(): void {
    if (this.state !== 'open') return
    this.#pingAt = Date.now()
    this.#say({ controller: 'system', action: 'ping' })
    this.#late ??= setTimeout(() => this.#startOver(), PONG_WAIT_MS)
  }

  /** Subscribes until `unlisten`, across reconnects. */
  listen(...listeners: Listener[]): void {
    const fresh = this.#subscriptions.add(listeners)
    if (this.state === 'open') this.#subscriptions.request(fresh)
    this.#emit('change')
  }

  unlisten(listener: Listener): void {
    const removed = this.#subscriptions.remove(listener)
    if (!removed) return
    if (this.state === 'open' && removed.state !== 'refused') {
      this.#say({ controller: 'system', action: 'removeListener', data: bareListener(listener) })
    }
    this.#emit('change')
  }

  /* ---- connection ---- */

  #startOver(): void {
    this.#tries = 0
    this.#drop()
    void this.#open()
  }

  async #open(): Promise<void> {
    const attempt = ++this.#attempt
    this.#become('connecting')
    let token: string | null
    try {
      token = await this.#options.token(this.#refused)
    } catch {
      if (attempt === this.#attempt) this.#lost()
      return
    }
    if (attempt !== this.#attempt) return
    if (token === null) return this.#become('closed')
    let socket: WebSocket
    try {
      const { url, create } = this.#options
      // Not in the URL, which is logged.
      const protocols = ['ordinator', `bearer.${token}`]
      socket = create?.(url, protocols) ?? new WebSocket(url, protocols)
    } catch {
      return this.#lost()
    }
    this.#socket = socket
    this.#refused = true
    this.#late = setTimeout(() => this.#lost(), OPEN_WAIT_MS)
    socket.onopen = () => this.#opened()
    socket.onmessage = (event) => this.#receive(event.data)
    socket.onclose = (event) => this.#lost(event.code)
  }

  #opened(): void {
    clearTimeout(this.#late)
    this.#late = undefined
    this.#refused = false
    this.#tries = 0
    if (this.#broken) this.reconnects++
    this.#broken = false
    this.openedAt = Date.now()
    this.#heartbeat = setInterval(() => this.ping(), HEARTBEAT_MS)
    this.#become('open')
    this.#subscriptions.requestAll()
    this.#drainQueue()
    this.ping()
  }

  #lost(code?: number): void {
    this.#drop()
    this.crowded = code === TOO_MANY_SOCKETS
    this.#become('closed')
    if (code === SESSION_ENDED) {
      this.#wanted = false
      return
    }
    if (!this.#wanted || this.#tries >= MAX_TRIES) return
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        this.#tries++
        void this.#open()
      },
      this.crowded ? CROWDED_RECONNECT_MS : RECONNECT_MS,
    )
    this.#emit('change')
  }

  #drop(): void {
    this.#attempt++
    for (const timer of [this.#heartbeat, this.#retry, this.#late, this.#drain]) clearTimeout(timer)
    this.#heartbeat = this.#retry = this.#late = this.#drain = undefined
    this.#subscriptions.dropRequests()
    this.openedAt = undefined
    const socket = this.#socket
    this.#socket = undefined
    if (!socket) return
    if (this.state === 'open') this.#broken = true
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #become(state: SocketState): void {
    this.state = state
    this.#emit('change')
  }

  /** @param keys of the requested subscriptions; the server answers such messages in order */
  #say(message: Outgoing, keys: string[] = []): void {
    if (message.action === 'addListener' || message.action === 'addListeners') this.#subscriptions.sent(keys)
    const text = JSON.stringify(message)
    this.#socket?.send(text)
    this.#emit('traffic', 'out', text)
  }

  #drainQueue(): void {
    const message = this.#queue.shift()
    if (!message) return
    this.#say(message)
    this.#emit('change')
    this.#drain = setTimeout(() => this.#drainQueue(), QUEUE_MS)
  }

  /* ---- messages ---- */

  #receive(text: unknown): void {
    const message = readIncoming(text)
    if (!message) return
    this.#emit('traffic', 'in', text as string)
    if (message.controller === 'system') {
      this.#system(message)
      return
    }
    const event = readEvent(message)
    if (!event) return
    this.#subscriptions.move(message.meta.cursor)
    if (this.#seqs.has(event.seq)) return
    this.#seqs.add(event.seq)
    if (this.#seqs.size > MAX_SEQS) this.#seqs.delete(this.#seqs.values().next().value as number)
    this.#emit('event', event)
  }

  #system(message: Incoming): void {
    switch (message.action) {
      case 'pong':
        clearTimeout(this.#late)
        this.#late = undefined
        this.delay = Date.now() - this.#pingAt
        this.crowded = false
        this.#emit('change')
        return
      case 'addListener':
      case 'addListeners':
        this.#subscriptions.answered(message)
        return
      case 'reset':
        this.#subscriptions.rightsChanged(Array.isArray(message.data.paths) ? (message.data.paths as string[]) : [])
        this.#emit('rights')
        return
      case 'signOut':
        this.#wanted = false
        this.#emit('signOut')
    }
  }

  #emit<K extends keyof SocketHandlers>(kind: K, ...values: Parameters<SocketHandlers[K]>): void {
    for (const run of this.#handlers[kind]) (run as (...given: unknown[]) => void)(...values)
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined
