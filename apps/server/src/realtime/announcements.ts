/** Reset messages, which are not in history: a client that was disconnected gets them on reconnect. */
import type { Feed } from './feed.ts'
import type { Wish } from './messages.ts'

/** Only for clients disconnected for no longer than this. */
const RECALL_MS = 5 * 60_000

interface Word {
  at: number
  /** Absent: all. */
  idUsers?: readonly number[]
  /** Absent: all their subscriptions. */
  paths?: readonly string[]
  /** A client with a cursor at or above this has read after the change. Absent: not known yet, or the query failed. */
  xmax?: bigint
  /** Resolves when it is known. */
  placed?: Promise<void>
}

export class Words {
  readonly #feed: Pick<Feed, 'here'>
  #words: Word[] = []

  constructor(feed: Pick<Feed, 'here'>) {
    this.#feed = feed
  }

  add(announced: Pick<Word, 'idUsers' | 'paths'>): void {
    const at = Date.now()
    const word: Word = { at, ...announced }
    this.#words = this.#words.filter((one) => at - one.at < RECALL_MS)
    this.#words.push(word)
    word.placed = this.#feed.here().then(
      ({ xmax }) => {
        word.xmax = BigInt(xmax)
      },
      () => {},
    )
  }

  /** Resolves when `xmax` of each message is known. */
  async placed(): Promise<void> {
    await Promise.all(this.#words.map(({ placed }) => placed))
  }

  /** Paths of subscriptions whose cursor is older than a reset message to them. */
  lost(idUser: number, wishes: readonly Wish[]): string[] {
    const now = Date.now()
    const announced = this.#words.filter(
      ({ at, idUsers }) => now - at < RECALL_MS && (!idUsers || idUsers.includes(idUser)),
    )
    const isNews = (since: bigint, path: string) =>
      announced.some(({ xmax, paths }) => (xmax === undefined || since < xmax) && (!paths || paths.includes(path)))
    const lost = wishes.filter(({ since, path }) => since !== undefined && isNews(since, path))
    return [...new Set(lost.map(({ path }) => path))]
  }
}
