/** Who of the people on the screen is in the net: asked each three minutes while the page is looked at, oneself among them. */

const EVERY_MS = 180_000
/** New faces on the screen are asked for together. */
const GATHER_MS = 200
const MAX_USERS = 500

export interface PresenceOptions {
  /** POST /users/is-online: whether each of the users is in the net. */
  ask(users: number[]): Promise<Record<string, boolean>>
  visible(): boolean
}

export class Presence {
  readonly #options: PresenceOptions
  readonly #watched = new Map<number, number>()
  readonly #listeners = new Set<() => void>()
  #online: ReadonlyMap<number, boolean> = new Map()
  #running = false
  /** Who asks. */
  me = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined
  #gather: ReturnType<typeof setTimeout> | undefined

  constructor(options: PresenceOptions) {
    this.#options = options
  }

  /** @param me whom each question tells of; the reading of the account has told of that one just now */
  start(me: number): void {
    if (this.#running) return
    this.#running = true
    this.me = me
    this.#online = new Map([[me, true]])
    this.#changed()
    this.#askedAt = Date.now()
    this.#timer = setTimeout(() => this.#running && void this.#tell(), EVERY_MS)
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

  /** The page is shown or hidden. */
  seen(): void {
    if (this.#running && this.#options.visible()) void this.#tell()
  }

  /** Keeps the users' marks fresh until the answer is called. */
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

  /** A new map with each change. Who is not in it has not been asked for yet. */
  online = (): ReadonlyMap<number, boolean> => this.#online

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Asks for those of whom nothing is known yet. */
  #askSoon(): void {
    const unknown = () => [...this.#watched.keys()].filter((id) => !this.#online.has(id))
    if (unknown().length === 0) return
    this.#gather ??= setTimeout(() => {
      this.#gather = undefined
      void this.#ask(unknown())
    }, GATHER_MS)
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#running && void this.#tell(), EVERY_MS)
    if (!this.#options.visible()) return
    // Looking away and back again is no reason to ask anew.
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
        // The marks stay as they were until the next time.
        return
      }
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
