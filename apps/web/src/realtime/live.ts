import type { Socket } from './socket.ts'
import { type Listener, type LiveEvent, listenerKey } from './wire.ts'

/** Events are delivered in batches, so that a burst is one piece of work; the first one after a pause waits less. */
const [FIRST_MS, BATCH_MS] = [16, 40]
/** Subscriptions outlive their screen for a moment, since the next screen often needs the same. */
const LINGER_MS = 2_000

export interface LiveTarget {
  /** Only this record. */
  id?: number
  filter?: Record<string, unknown>
}

interface Subscriber extends Listener {
  key: string
  onEvents(batch: LiveEvent[]): void
  onReset?: () => void
}

/** Shares the socket's subscriptions among all parts of the page. */
export class Live {
  readonly #socket: Socket
  readonly #subscribers = new Set<Subscriber>()
  readonly #counts = new Map<string, number>()
  #batch: LiveEvent[] = []
  #wished: Listener[] = []
  #flushedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('event', (event) => {
      this.#batch.push(event)
      const isFirst = Date.now() - this.#flushedAt > BATCH_MS
      this.#timer ??= setTimeout(() => this.#flush(), isFirst ? FIRST_MS : BATCH_MS)
    })
    socket.on('reset', (paths) => {
      for (const subscriber of [...this.#subscribers]) if (paths.includes(subscriber.path)) subscriber.onReset?.()
    })
  }

  /**
   * Subscribes to changes at a path. The filter limits the events the server sends for this subscription; events of wider
   * subscriptions to the same path are delivered as well.
   * @param onReset the displayed data may be stale and must be re-read
   * @returns unsubscribes
   */
  subscribe(
    path: string,
    target: LiveTarget,
    onEvents: (batch: LiveEvent[]) => void,
    onReset?: () => void,
  ): () => void {
    const listener: Listener = { path, id: target.id, filter: target.filter }
    const subscriber: Subscriber = { ...listener, key: listenerKey(listener), onEvents, onReset }
    this.#subscribers.add(subscriber)
    this.#count(subscriber, 1)
    return () => {
      if (!this.#subscribers.delete(subscriber)) return
      setTimeout(() => this.#count(subscriber, -1), LINGER_MS)
    }
  }

  #count({ key, path, id, filter }: Subscriber, by: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + by
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
    if (count === 0) this.#socket.unlisten({ path, id, filter })
    else if (count === 1 && by === 1) this.#wish({ path, id, filter })
  }

  /** A new screen subscribes to many at once: they are sent in one message. */
  #wish(listener: Listener): void {
    if (this.#wished.push(listener) > 1) return
    queueMicrotask(() => this.#socket.listen(...this.#wished.splice(0)))
  }

  #flush(): void {
    this.#timer = undefined
    this.#flushedAt = Date.now()
    const batch = this.#batch
    this.#batch = []
    for (const subscriber of [...this.#subscribers]) {
      const own = batch.filter(
        (event) => event.path === subscriber.path && (subscriber.id === undefined || event.id === subscriber.id),
      )
      if (own.length > 0 && this.#subscribers.has(subscriber)) subscriber.onEvents(own)
    }
  }
}
