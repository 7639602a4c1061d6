/** What history does not hold: that some have to read again. Whoever was away when it was said is told when he is back. */
import type { Feed } from './feed.ts'
import type { Wish } from './messages.ts'

/** Of those who were away for no longer than this. */
const RECALL_MS = 5 * 60_000

interface Word {
  at: number
  /** Absent: all. */
  idUsers?: readonly number[]
  /** Absent: whatever they listen to. */
  paths?: readonly string[]
  /** Whoever has a cursor from here on has read after the change. Absent: it could not be asked, or not yet. */
  xmax?: bigint
  /** When that has been asked. */
  placed?: Promise<void>
}

export class Words {
  readonly #feed: Pick<Feed, 'here'>
  #words: Word[] = []

  constructor(feed: Pick<Feed, 'here'>) {
    this.#feed = feed
  }

  add(said: Pick<Word, 'idUsers' | 'paths'>): void {
    const at = Date.now()
    const word: Word = { at, ...said }
    this.#words = this.#words.filter((one) => at - one.at < RECALL_MS)
    this.#words.push(word)
    word.placed = this.#feed.here().then(
      ({ xmax }) => {
        word.xmax = BigInt(xmax)
      },
      () => {},
    )
  }

  /** Settles when it is known of each from where it counts. */
  async placed(): Promise<void> {
    await Promise.all(this.#words.map(({ placed }) => placed))
  }

  /** The paths of those listeners that have a cursor from before a word to them. */
  lost(idUser: number, wishes: readonly Wish[]): string[] {
    const now = Date.now()
    const said = this.#words.filter(({ at, idUsers }) => now - at < RECALL_MS && (!idUsers || idUsers.includes(idUser)))
    const isNews = (since: bigint, path: string) =>
      said.some(({ xmax, paths }) => (xmax === undefined || since < xmax) && (!paths || paths.includes(path)))
    const lost = wishes.filter(({ since, path }) => since !== undefined && isNews(since, path))
    return [...new Set(lost.map(({ path }) => path))]
  }
}
