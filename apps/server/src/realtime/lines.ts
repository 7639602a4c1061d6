/**
 * A message queue per person. Pending filter results or missed events of a person delay only that person's later
 * messages.
 */
export class Lines {
  readonly #lines = new Map<number, { tail: Promise<void>; cursor: string }>()
  readonly #fail: (error: unknown) => void

  /** @param fail called with errors of `send` */
  constructor(fail: (error: unknown) => void) {
    this.#fail = fail
  }

  /**
   * Sends at once when the queue is empty, else after all earlier messages and once `owed` has resolved.
   * @param cursors the cursors before and after the messages
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

  /** Cursor of a person whose queue is not empty. */
  cursorOf(idUser: number): string | undefined {
    return this.#lines.get(idUser)?.cursor
  }
}
