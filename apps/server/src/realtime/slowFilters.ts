/** Remembers slow filters, so that each is tried only now and then. */

/** A filter shape is evaluated for all subscribers at once up to this time, else for each person alone. */
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
