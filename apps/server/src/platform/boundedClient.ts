import pg from 'pg'

/** Prepared statements that one connection keeps; each costs its process some hundred kilobytes of plans. */
export const MAX_PREPARED = 200

/** What of pg is used beyond its types: the texts that its connection holds prepared. */
interface Inside {
  connection: { parsedStatements: Record<string, string> }
}
type AnyQuery = (...args: unknown[]) => unknown

/** A connection that lets go of the prepared statement used longest ago, when there are too many. */
export class BoundedClient extends pg.Client {
  readonly #used = new Set<string>()

  override query = ((...args: unknown[]) => {
    const [asked] = args as [{ name?: unknown } | undefined]
    if (typeof asked?.name === 'string') this.#use(asked.name)
    return (super.query as AnyQuery)(...args)
  }) as pg.Client['query']

  #use(name: string): void {
    if (!this.#used.delete(name) && this.#used.size >= MAX_PREPARED) {
      const [oldest] = this.#used as unknown as [string]
      this.#used.delete(oldest)
      this.#release(oldest)
    }
    this.#used.add(name)
  }

  #release(name: string): void {
    // A callback, since pg calls it before it sends what comes next. In a transaction that has failed nothing is released.
    const released = (error: Error | null) => {
      if (error) this.#used.add(name)
      else delete (this as unknown as Inside).connection.parsedStatements[name]
    }
    ;(super.query as AnyQuery)(`DEALLOCATE "${name}"`, released)
  }
}
