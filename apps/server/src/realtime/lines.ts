/**
 * Each person's messages in their order. What a person's own filters or missed events have yet to say keeps that person
 * waiting, and nobody else.
 */
export class Lines {
  readonly #lines = new Map<number, { tail: Promise<void>; cursor: string }>()
  readonly #fail: (error: unknown) => void

  /** @param fail is told what `send` throws */
  constructor(fail: (error: unknown) => void) {
    this.#fail = fail
  }

  /**
   * Sends at once when there is nothing to wait for, else when all before it is sent and `owed` has come.
   * @param cursors the place of what has been sent before and after
   */
  put(
    idUser: number,
    owed: Promise<unknown> | undefined,
    cursors: { before: string; after: string },
    send: () => unknown,
  ): void {
    const line = this.#lines.get(idUser) ?? { tail: Promise.resolve(), cursor: cursors.before }
    if (!owed && !this.#lines.has(idUser)) {
      const sent = async () => void (await send())
      sent().catch(this.#fail)
      return
    }
    this.#lines.set(idUser, line)
    const tail: Promise<void> = line.tail
      .then(() => owed)
      .then(send)
      .catch(this.#fail)
      .then(() => {
        line.cursor = cursors.after
        if (line.tail === tail) this.#lines.delete(idUser)
      })
    line.tail = tail
  }

  /** The place of somebody who has not been sent everything yet. */
  cursorOf(idUser: number): string | undefined {
    return this.#lines.get(idUser)?.cursor
  }
}
