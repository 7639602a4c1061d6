import pg from 'pg'

/**
 * Prepared statements kept per connection, and their total length in characters: their plans take about 160 bytes of the
 * backend's memory per character (measured).
 */
export const MAX_PREPARED = 200
export const MAX_PREPARED_TEXT = 250_000

/** Internals of pg used beyond its types: the prepared texts of a connection. */
interface Inside {
  connection: { parsedStatements: Record<string, string> }
}
type AnyQuery = (...args: unknown[]) => unknown

/** A connection that deallocates its least recently used prepared statements above the limits. */
export class BoundedClient extends pg.Client {
  /** Text lengths by statement name, the most recently used last. */
  readonly #used = new Map<string, number>()
  #text = 0

  override query = ((...args: unknown[]) => {
    const [asked] = args as [{ name?: unknown; text?: string } | undefined]
    const ask = () => (super.query as AnyQuery)(...args)
    if (typeof asked?.name !== 'string') return ask()
    const gone = this.#use(asked.name, asked.text?.length ?? 0)
    if (gone.length === 0) return ask()
    // Sequentially: pg deprecates its queue of queries.
    const released = gone.reduce((before, one) => before.then(() => this.#release(...one)), Promise.resolve())
    return typeof args.at(-1) === 'function' ? void released.then(ask) : released.then(ask)
  }) as pg.Client['query']

  /** Marks a statement as used; returns the names to deallocate, with their lengths. */
  #use(name: string, length: number): [string, number][] {
    this.#forget(name)
    const gone: [string, number][] = []
    for (const oldest of this.#used.keys()) {
      if (this.#used.size < MAX_PREPARED && this.#text + length <= MAX_PREPARED_TEXT) break
      gone.push([oldest, this.#forget(oldest)])
    }
    this.#remember(name, length)
    return gone
  }

  #remember(name: string, length: number): void {
    this.#used.set(name, length)
    this.#text += length
  }

  #forget(name: string): number {
    const length = this.#used.get(name) ?? 0
    if (this.#used.delete(name)) this.#text -= length
    return length
  }

  #release(name: string, length: number): Promise<void> {
    return new Promise((done) => {
      // Inside a failed transaction nothing is deallocated.
      ;(super.query as AnyQuery)(`DEALLOCATE "${name}"`, (error: Error | null) => {
        if (!error) delete (this as unknown as Inside).connection.parsedStatements[name]
        else if (!this.#used.has(name)) this.#remember(name, length)
        done()
      })
    })
  }
}
