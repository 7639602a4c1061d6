/** Remembers which filters took too long, so that each costs that much but now and then. */

/** A filter that all who listen by its shape are asked for at once takes no longer, else each is asked for alone. */
export const SHARED_MS = 250
const MEMORY_MS = 60_000
const MAX_REMEMBERED = 10_000

export class SlowFilters {
  readonly #until = new Map<string, number>()

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > Date.now()
  }

  add(key: string): void {
    this.#until.delete(key)
    if (this.#until.size >= MAX_REMEMBERED) this.#until.delete(this.#until.keys().next().value as string)
    this.#until.set(key, Date.now() + MEMORY_MS)
  }
}
