/** Presence of the people on the screen: requested every three minutes while the page is visible, including oneself. */

const EVERY_MS = 180_000
/** New people on the screen are requested together. */
const GATHER_MS = 200
const MAX_USERS = 500

export interface PresenceOptions {
  /** POST /users/is-online: whether each of the users is online. */
  ask(users: number[]): Promise<Record<string, boolean>>
  visible(): boolean
}

export class Presence {
  readonly #options: PresenceOptions
  readonly #watched = new Map<number, number>()
  readonly #listeners = new Set<() => void>()
  #online: ReadonlyMap<number, boolean> = new Map()
  #running = false
  /** The signed-in user. */
  me = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #gather: ReturnType<typeof setTimeout> | undefined

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  /** @param me included in each request; reading the account has just reported this user's presence */
  start(me: number): void {
    if (this.#running) return
    this.#running = true
    this.me = me
    this.#online = new Map([[me, true]])
    this.#changed()
    this.#askedAt = Date.now()
    this.#timer = setTimeout(() => this.#running && void this.#report(), EVERY_MS)
    this.#askSoon()
  }

  stop(): void {
    this.#running = false
    this.#askedAt = Number.NEGATIVE_INFINITY
    clearTimeout(this.#timer)
    clearTimeout(this.#gather)
    this.#timer = this.#gather = undefined
    this.#online = new Map()
    this.#changed()
  }

  /** The page was shown or hidden. */
  visibilityChanged(): void {
    if (this.#running && this.#options.visible()) void this.#report()
  }

  /** Keeps these users' presence up to date until the returned function is called. */
  watch(ids: readonly number[]): () => void {
    for (const id of ids) this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1)
    if (this.#running) this.#askSoon()
    return () => {
      for (const id of ids) {
        const left = (this.#watched.get(id) ?? 0) - 1
        if (left > 0) this.#watched.set(id, left)
        else this.#watched.delete(id)
      }
    }
  }

  /** A new map with each change. Users who are not in it have not been requested yet. */
  online = (): ReadonlyMap<number, boolean> => this.#online

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Requests users whose presence is unknown. */
  #askSoon(): void {
    const unknown = () => [...this.#watched.keys()].filter((id) => !this.#online.has(id))
    if (unknown().length === 0) return
    this.#gather ??= setTimeout(() => {
      this.#gather = undefined
      void this.#ask(unknown())
    }, GATHER_MS)
  }

  async #report(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#running && void this.#report(), EVERY_MS)
    if (!this.#options.visible()) return
    // Switching tabs back and forth is no reason for a new request.
    if (Date.now() - this.#askedAt < GATHER_MS) return
    this.#askedAt = Date.now()
    await this.#ask([...new Set([this.me, ...this.#watched.keys()])])
  }

  async #ask(ids: number[]): Promise<void> {
    for (let i = 0; i < ids.length; i += MAX_USERS) {
      try {
        const answer = await this.#options.ask(ids.slice(i, i + MAX_USERS))
        if (!this.#running) return
        const next = new Map(this.#online)
        for (const [id, online] of Object.entries(answer ?? {})) next.set(Number(id), online === true)
        this.#online = next
        this.#changed()
      } catch {
        // Keep the previous state until the next time.
        return
      }
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
