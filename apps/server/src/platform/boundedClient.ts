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
    if (typeof asked?.name === 'string') this.#use(asked.name, asked.text?.length ?? 0)
    return (super.query as AnyQuery)(...args)
  }) as pg.Client['query']

  #use(name: string, length: number): void {
    this.#forget(name)
    for (const oldest of this.#used.keys()) {
      if (this.#used.size < MAX_PREPARED && this.#text + length <= MAX_PREPARED_TEXT) break
      this.#release(oldest, this.#forget(oldest))
    }
    this.#remember(name, length)
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

  #release(name: string, length: number): void {
    // A callback, since pg calls it before it sends what comes next. In a transaction that has failed nothing is released.
    const released = (error: Error | null) => {
      if (!error) delete (this as unknown as Inside).connection.parsedStatements[name]
      else if (!this.#used.has(name)) this.#remember(name, length)
    }
    ;(super.query as AnyQuery)(`DEALLOCATE "${name}"`, released)
  }
}
