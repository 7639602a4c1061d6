/** Moves lines of spool files to the table of the journal, each exactly once, whichever process moves it. */
import { appendFile, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { OPENED_HOURS } from '@ordinator/model/sealed'
import type { Lane, Queryable } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'

/** A line in the order of INSERT's columns, beginning with its time. */
export type SpooledLine = readonly unknown[]

/** Bytes per statement, some 3,000 lines. */
const PIECE = 512 * 1024
/** Lines the table refused, for a person to examine. */
const REFUSED = 'refused.json'

/**
 * Adds lines to the journal. The reason of an opened card is looked up inline: calling `opened_because` per line costs as
 * much as the line itself.
 * @param lines SQL of their array, jsonb
 */
export const insertOf = (
  lines: string,
): string => `insert into access_log (dt, "idUser", ip, action, "entityType", "idEntity", "idCustomer", fields, basis, "requestId")
  select e.dt, e."idUser", e.ip, e.action, e."entityType", e."idEntity", e."idCustomer", e.fields,
    nullif(concat_ws('; ', e.basis, opened.basis), ''), e."requestId"
  from (select (l->>0)::timestamptz as dt, (l->>1)::bigint as "idUser", l->>2 as ip, l->>3 as action, l->>4 as "entityType",
      (l->>5)::bigint as "idEntity", (l->>6)::bigint as "idCustomer",
      case when jsonb_typeof(l->7) = 'array' then array(select jsonb_array_elements_text(l->7)) end as fields,
      l->>8 as basis, l->>9 as "requestId"
    from jsonb_array_elements(${lines}) l) e
  left join lateral (select o.basis from access_log o
    where o."idCustomer" = e."idCustomer" and o."idUser" = e."idUser" and o.action = 'open'
      and o.dt > e.dt - interval '${OPENED_HOURS} hours' and o.dt < e.dt + interval '1 second'
    order by o.dt desc limit 1) opened on e.action <> 'open'`
const INSERT = insertOf('$1::jsonb')

/** Advances a file's position from $3 to $4 unless another process has; returns whether it did. */
const MOVE = `insert into access_spools as s (name, bytes) values ($2, $4)
  on conflict (name) do update set bytes = excluded.bytes, dt = now() where s.bytes = $3 returning 1`
const TAKE = `with moved as (${MOVE}), added as (${INSERT} where exists (select from moved)) select 1 from moved`

/** Where a spool is, and its table. */
export interface SpoolPlace {
  dir: string
  db: Lane
  log: Pick<Logger, 'warn' | 'error'>
  /** Spools to the base, and to the folder while that takes nothing (journalBlocks.ts). */
  inBase?: boolean
}

export class SpoolMover {
  readonly #place: SpoolPlace
  /** How far each file has been moved, as far as this process knows. */
  readonly #taken = new Map<string, number>()

  constructor(place: SpoolPlace) {
    this.#place = place
  }

  /** Bytes of a file that are known to be in the table. */
  takenOf(name: string): number {
    return this.#taken.get(name) ?? 0
  }

  /** Moves the current content of a file beyond its position to the table; later lines wait for the next time. */
  async take(name: string, size: number): Promise<void> {
    const { db } = this.#place
    let from = this.#taken.get(name) ?? (await this.markOf(name))
    while (from < size) {
      const piece = await readBlocks(this.pathOf(name), from)
      if (!piece) break
      const to = from + piece.bytes
      try {
        const moved = await db.query({ name: 'journal spool', text: TAKE, values: [`[${piece.text}]`, name, from, to] })
        // Another process has moved some of it, or the last statement did but its answer was lost.
        from = moved.length > 0 ? to : await this.markOf(name)
      } catch (error) {
        if (!isOfALine(error)) throw error
        await this.#takeOneByOne(name, from, to, JSON.parse(`[${piece.text}]`))
        from = await this.markOf(name)
      }
      this.#taken.set(name, from)
    }
  }

  /** The position of a file in the table. */
  markOf(name: string): Promise<number> {
    return markOf(this.#place.db, name)
  }

  /** Takes a file that another process has moved whole as moved. */
  skip(name: string, size: number): void {
    this.#taken.set(name, size)
  }

  /** Reads the position again next time: the file belongs to another process. */
  forget(name: string): void {
    this.#taken.delete(name)
  }

  /** Deletes a file. Its position is kept (for MARKS_DAYS): another process that has just read the file must find it. */
  async remove(name: string): Promise<void> {
    this.forget(name)
    await unlink(this.pathOf(name)).catch(ifThere)
  }

  pathOf(name: string): string {
    return join(this.#place.dir, name)
  }

  /** Lines refused by the table are put aside and logged, and do not delay others. */
  async #takeOneByOne(name: string, from: number, to: number, lines: SpooledLine[]): Promise<void> {
    const { db, log } = this.#place
    const refused: SpooledLine[] = []
    await db.tx(async (tx) => {
      refused.length = 0
      const moved = await tx.query({
        text: MOVE.replaceAll('$2', '$1').replaceAll('$3', '$2').replaceAll('$4', '$3'),
        values: [name, from, to],
      })
      if (moved.length === 0) return
      refused.push(...(await addOneByOne(tx, lines)))
      await putAside(this.#place, refused)
    })
    if (refused.length > 0)
      log.error({ lines: refused.length, file: REFUSED }, 'the journal of access could not take lines')
  }
}

/** Adds lines each by itself. @returns those that the table refuses */
export async function addOneByOne(tx: Queryable, lines: readonly SpooledLine[]): Promise<SpooledLine[]> {
  const refused: SpooledLine[] = []
  for (const line of lines) {
    await tx.query({ text: 'savepoint line' })
    try {
      await tx.query({ text: INSERT, values: [JSON.stringify([line])] })
    } catch (error) {
      if (!isOfALine(error)) throw error
      await tx.query({ text: 'rollback to savepoint line' })
      refused.push(line)
    }
  }
  return refused
}

/** Keeps refused lines in a file, for a person to examine. */
export async function putAside({ dir }: Pick<SpoolPlace, 'dir'>, refused: readonly SpooledLine[]): Promise<void> {
  if (refused.length === 0) return
  await mkdir(dir, { recursive: true })
  await appendFile(join(dir, REFUSED), `${JSON.stringify(refused)}\n`, { mode: 0o600 })
}

/** Whole blocks from a file offset, joined by commas; undefined: the file does not exist. */
async function readBlocks(path: string, from: number): Promise<{ text: string; bytes: number } | undefined> {
  const file = await open(path, 'r')
  try {
    for (let length = PIECE; ; length *= 2) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from)
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n')
      if (end >= 0) return { text: buffer.toString('utf8', 0, end).replaceAll('\n', ','), bytes: end + 1 }
      if (bytesRead < length) return undefined
    }
  } finally {
    await file.close()
  }
}

async function markOf(db: Queryable, name: string): Promise<number> {
  const mark = await db.one<{ bytes: number }>({
    text: 'select bytes from access_spools where name = $1',
    values: [name],
  })
  return mark?.bytes ?? 0
}

/** An invalid value (SQLSTATE classes 22 and 23) is the fault of one line. */
export const isOfALine = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code))

/** Ignores that a file does not exist. */
export function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
