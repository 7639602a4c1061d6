/**
 * The spool of the journal in the base, for servers whose base is on another machine: a block of lines is a row of
 * `access_blocks` before the answer is sent, and any process moves blocks to the journal. So lines survive the loss of the
 * server's machine with its disk. A block is moved in one statement, whole and once; only one whose insert was lost with
 * the connection may also be in the file that it went to then.
 */
import { addOneByOne, insertOf, isOfALine, putAside, type SpooledLine, type SpoolPlace } from './journalSpoolMover.ts'

/** Blocks per statement. */
const MOST = 200

// The answer waits for no disk: the loss is that of the server's machine, not of the base's.
const ADD = `with soon as (select set_config('synchronous_commit', 'off', true))
  insert into access_blocks ("lines") select $1::text from soon`
const TAKEN = `delete from access_blocks
  where "id" in (select "id" from access_blocks order by "id" limit ${MOST} for update) returning "lines"`
const TAKE = `with taken as (${TAKEN}),
  added as (${insertOf(`coalesce((select '[' || string_agg("lines", ',') || ']' from taken), '[]')::jsonb`)})
  select count(*)::int as n from taken`

export class JournalBlocks {
  readonly #place: SpoolPlace

  constructor(place: SpoolPlace) {
    this.#place = place
  }

  /** @param lines JSON, joined by commas @throws errors of PostgreSQL */
  async add(lines: string): Promise<void> {
    await this.#place.db.query({ name: 'journal block', text: ADD, values: [lines] })
  }

  /** Moves the blocks of all servers to the journal. */
  async drain(): Promise<void> {
    for (;;) {
      const moved = await this.#take()
      if (moved < MOST) return
    }
  }

  async #take(): Promise<number> {
    try {
      const [taken] = await this.#place.db.query<{ n: number }>({ name: 'journal blocks', text: TAKE })
      return taken?.n ?? 0
    } catch (error) {
      if (!isOfALine(error)) throw error
      return this.#takeOneByOne()
    }
  }

  async #takeOneByOne(): Promise<number> {
    const { moved, refused } = await this.#place.db.tx(async (tx) => {
      const taken = await tx.query<{ lines: string }>({ text: TAKEN })
      const lines: SpooledLine[] = taken.flatMap((block) => JSON.parse(`[${block.lines}]`))
      const refused = await addOneByOne(tx, lines)
      await putAside(this.#place, refused)
      return { moved: taken.length, refused }
    })
    if (refused.length > 0)
      this.#place.log.error({ lines: refused.length }, 'the journal of access could not take lines')
    return moved
  }
}
