import pg from 'pg'

/**
 * Prepared statements that one connection keeps, and the characters of all of them: their plans take its backend some
 * 160 bytes of memory for each character (measured).
 */
export const MAX_PREPARED = 200
export const MAX_PREPARED_TEXT = 250_000

/** What of pg is used beyond its types: the texts that its connection holds prepared. */
interface Inside {
  connection: { parsedStatements: Record<string, string> }
}
type AnyQuery = (...args: unknown[]) => unknown

/** A connection that lets go of the prepared statement used longest ago, when there are too many. */
export class BoundedClient extends pg.Client {
  /** The lengths of their texts by name, the latest used last. */
  readonly #used = new Map<string, number>()
  #text = 0

  override query = ((...args: unknown[]) => {
    const [asked] = args as [{ name?: unknown; text?: string } | undefined]
    const ask = () => (super.query as AnyQuery)(...args)
    if (typeof asked?.name !== 'string') return ask()
    const gone = this.#use(asked.name, asked.text?.length ?? 0)
    if (gone.length === 0) return ask()
    // One after another: pg gives up its queue of queries.
    const released = gone.reduce((before, one) => before.then(() => this.#release(...one)), Promise.resolve())
    return typeof args.at(-1) === 'function' ? void released.then(ask) : released.then(ask)
  }) as pg.Client['query']

  /** Returns the names to be let go, with the lengths of their texts. */
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
      // In a transaction that has failed nothing is released.
      ;(super.query as AnyQuery)(`DEALLOCATE "${name}"`, (error: Error | null) => {
        if (!error) delete (this as unknown as Inside).connection.parsedStatements[name]
        else if (!this.#used.has(name)) this.#remember(name, length)
        done()
      })
    })
  }
}
