const SMALL = 256
const CR = 0x0d
const LF = 0x0a

/**
 * A growing list of bytes. Its buffer doubles, so that collecting n bytes copies fewer than 3n, however they are cut into
 * chunks.
 */
export class Bytes {
  /** Bytes copied by all lists so far: the cost, for tests. */
  static copied = 0
  length = 0
  #held = new Uint8Array(SMALL)
  #read = 0
  #line = 0
  #isBetween = true

  push(byte: number): void {
    this.#reserve(1)
    this.#held[this.length++] = byte
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#held.set(bytes, this.length)
    this.length += bytes.length
    Bytes.copied += bytes.length
  }

  at(index: number): number | undefined {
    return index < this.length ? this.#held[index] : undefined
  }

  /** Start of the last line that is not empty. Each byte is examined once, over all calls. */
  lastLine(): number {
    for (; this.#read < this.length; this.#read++) {
      const byte = this.#held[this.#read]
      const isEnd = byte === CR || byte === LF
      if (!isEnd && this.#isBetween) this.#line = this.#read
      this.#isBetween = isEnd
    }
    return this.#line
  }

  /** The bytes themselves, valid until the next change. */
  view(from = 0, to = this.length): Uint8Array {
    return this.#held.subarray(from, to)
  }

  /** Returns the bytes and empties the list. */
  take(): Uint8Array {
    const taken = this.#held.subarray(0, this.length)
    this.clear()
    return taken
  }

  /** Releases the buffer too. */
  clear(): void {
    this.#held = new Uint8Array(SMALL)
    this.length = 0
    this.#read = 0
    this.#line = 0
    this.#isBetween = true
  }

  #reserve(more: number): void {
    const wanted = this.length + more
    if (wanted <= this.#held.length) return
    const larger = new Uint8Array(Math.max(wanted, this.#held.length * 2))
    larger.set(this.view())
    Bytes.copied += this.length
    this.#held = larger
  }
}

/** Milliseconds of silence inside a message, and of one message altogether. */
const SILENT_MS = 60_000
const MESSAGE_MS = 10 * 60_000

/**
 * Whether an unfinished message has waited too long, so that its connection ends.
 * @param since its beginning @param receivedAt its last byte; in milliseconds like `now`
 */
export const isTooLong = (now: number, since: number, receivedAt: number): boolean =>
  now - receivedAt > SILENT_MS || now - since > MESSAGE_MS
