/**
 * Spool of journal lines: lines are appended to a file of this process before the answer is sent, one write for all
 * concurrent lines, and moved from there to the table in large batches. The position up to which a file was moved is in
 * `access_spools` and is advanced by the statement that adds the lines, so that each is added exactly once, whichever
 * process moves it and wherever a process is killed.
 */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { appendFile, mkdir, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { OPENED_HOURS } from '@ordinator/model/sealed'
import type { Lane, Queryable } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'

/** A line in the order of INSERT's columns, beginning with its time. */
export type SpooledLine = readonly unknown[]

export interface Spool {
  /**
   * Resolves when the lines are in the file.
   * @throws when they are not: the disk is full or refuses, or too many spooled bytes await the table
   */
  add(lines: readonly SpooledLine[]): Promise<void>
  /** Moves all lines spooled by this process to the table. */
  drain(): Promise<void>
  /** The same for files left by other processes. */
  sweep(): Promise<void>
  /** Drains for the last time; later lines are refused. */
  close(): Promise<void>
}

export interface SpoolOptions {
  /** Created when needed; other processes may use it too. */
  dir: string
  db: Lane
  log: Pick<Logger, 'warn' | 'error'>
}

/** How long a line waits in the file to be batched. */
const DRAIN_MS = 1_000
const SWEEP_MS = 60_000
/** A file is closed after this time or size, so that one unchanged for LEFT_MS has no owner any more. */
const OPEN_MS = 5 * 60_000
const OPEN_BYTES = 8 * 1024 * 1024
const LEFT_MS = 15 * 60_000
/** Maximum bytes awaiting the table. */
const MOST_BEHIND = 64 * 1024 * 1024
/** Bytes per statement, some 3,000 lines. */
const PIECE = 512 * 1024
const SUFFIX = '.lines'
/** Minimum days for which a file's position is kept after the file is removed. */
export const MARKS_DAYS = 90
/** Lines the table refused, for a person to examine. */
const REFUSED = 'refused.json'

/** The reason of an opened card is looked up inline: calling `opened_because` per line costs as much as the line itself. */
const INSERT = `insert into access_log (dt, "idUser", ip, action, "entityType", "idEntity", "idCustomer", fields, basis, "requestId")
  select e.dt, e."idUser", e.ip, e.action, e."entityType", e."idEntity", e."idCustomer", e.fields,
    nullif(concat_ws('; ', e.basis, opened.basis), ''), e."requestId"
  from (select (l->>0)::timestamptz as dt, (l->>1)::bigint as "idUser", l->>2 as ip, l->>3 as action, l->>4 as "entityType",
      (l->>5)::bigint as "idEntity", (l->>6)::bigint as "idCustomer",
      case when jsonb_typeof(l->7) = 'array' then array(select jsonb_array_elements_text(l->7)) end as fields,
      l->>8 as basis, l->>9 as "requestId"
    from jsonb_array_elements($1::jsonb) l) e
  left join lateral (select o.basis from access_log o
    where o."idCustomer" = e."idCustomer" and o."idUser" = e."idUser" and o.action = 'open'
      and o.dt > e.dt - interval '${OPENED_HOURS} hours' and o.dt < e.dt + interval '1 second'
    order by o.dt desc limit 1) opened on e.action <> 'open'`

/** Advances a file's position from $3 to $4 unless another process has; returns whether it did. */
const MOVE = `insert into access_spools as s (name, bytes) values ($2, $4)
  on conflict (name) do update set bytes = excluded.bytes, dt = now() where s.bytes = $3 returning 1`
const TAKE = `with moved as (${MOVE}), added as (${INSERT} where exists (select from moved)) select 1 from moved`

/** Creates a file for appending only. */
const appending = fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_APPEND | fs.constants.O_WRONLY
const [openFile, writeFile, syncFile, closeFile] = [
  promisify(fs.open),
  promisify(fs.write),
  promisify(fs.fdatasync),
  promisify(fs.close),
]

interface OpenFile {
  name: string
  descriptor: number
  since: number
  size: number
}

/** Opens a spool. Nothing is created or read before the first line or sweep. */
export function openSpool({ dir, db, log }: SpoolOptions): Spool {
  const pathOf = (name: string) => join(dir, name)
  /** The file being written; full files of ours; how far each has been moved to the table. */
  let current: OpenFile | undefined
  let full: OpenFile[] = []
  const taken = new Map<string, number>()

  let waiting: { lines: readonly SpooledLine[]; done(): void; failed(error: unknown): void }[] = []
  let writing: Promise<void> | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function writeAll(): Promise<void> {
    // Batches everything added in this turn of the event loop.
    await turn()
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      try {
        await write(`${some.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line))).join(',')}\n`)
        for (const { done } of some) done()
      } catch (error) {
        for (const { failed } of some) failed(error)
      }
    }
    writing = undefined
  }

  /** One block: without its line end it is ignored, so that an interrupted write counts as none. */
  async function write(block: string): Promise<void> {
    if (Date.now() < refusedUntil) throw new Error('the spool has just been refused')
    const bytes = Buffer.from(block)
    try {
      const file = await fileFor(bytes.length)
      const { bytesWritten } = await writeFile(file.descriptor, bytes)
      if (bytesWritten < bytes.length) throw new Error('the disk took a part')
      file.size += bytes.length
    } catch (error) {
      log.error({ err: error }, 'lines of the journal of access go to the table at once: their file takes none')
      refusedUntil = Date.now() + DRAIN_MS
      // An interrupted block must be the last of its file.
      retire()
      throw error
    } finally {
      arm()
    }
  }

  async function fileFor(length: number): Promise<OpenFile> {
    const behind = [...full, ...(current ? [current] : [])].reduce((sum, one) => sum + one.size - takenOf(one), 0)
    if (behind + length > MOST_BEHIND) throw new Error('too much waits for the table')
    if (current && (Date.now() - current.since > OPEN_MS || current.size > OPEN_BYTES)) retire()
    if (!current) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const name = `${randomUUID()}${SUFFIX}`
      const descriptor = await openFile(pathOf(name), appending, 0o600)
      current = { name, descriptor, since: Date.now(), size: 0 }
    }
    return current
  }

  /** After an error the disk is not retried for a moment. */
  let refusedUntil = 0
  function arm(): void {
    if (!isClosed) timer ??= setTimeout(() => void drain().catch(() => {}), DRAIN_MS).unref()
  }

  const takenOf = ({ name }: OpenFile) => taken.get(name) ?? 0
  function retire(): void {
    if (current) full.push(current)
    current = undefined
  }

  /** Drains run one after another; callers meanwhile share the next one. */
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  function drain(): Promise<void> {
    next ??= running
      .catch(() => {})
      .then(async () => {
        next = undefined
        await (running = drainOwn())
      })
    return next
  }

  async function drainOwn(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (current && Date.now() - current.since > OPEN_MS) retire()
    const failures: unknown[] = []
    // An unreadable file does not delay the others.
    for (const file of full)
      await takeOwn(file).then(
        async () => {
          full = full.filter((one) => one !== file)
          await closeFile(file.descriptor)
          await remove(file.name).catch((error) => log.warn({ err: error }, 'a file of the journal of access stays'))
        },
        (error) => failures.push(error),
      )
    if (current && current.size > takenOf(current)) await takeOwn(current).catch((error) => failures.push(error))
    if (failures.length === 0) return
    log.warn({ err: failures[0] }, 'the journal of access waits in its file')
    // Lines that wait longer than usual must survive a power failure.
    if (current) await syncFile(current.descriptor).catch(() => {})
    arm()
    throw failures[0]
  }

  /** Moves an own file; if another server has already moved it (having found it idle), nothing is left. */
  async function takeOwn(file: OpenFile): Promise<void> {
    try {
      await take(file.name, file.size)
    } catch (error) {
      ifThere(error as NodeJS.ErrnoException)
      const mark = await markOf(db, file.name)
      if (mark < file.size) log.error({ bytes: file.size - mark }, 'a file of the journal of access is gone with lines')
      if (file === current) retire()
      taken.set(file.name, file.size)
    }
  }

  /** Moves the current content of a file beyond its position to the table; later lines wait for the next time. */
  async function take(name: string, size: number): Promise<void> {
    let from = taken.get(name) ?? (await markOf(db, name))
    while (from < size) {
      const piece = await readBlocks(pathOf(name), from)
      if (!piece) break
      const to = from + piece.bytes
      try {
        const moved = await db.query({ name: 'journal spool', text: TAKE, values: [`[${piece.text}]`, name, from, to] })
        // Another process has moved some of it, or the last statement did but its answer was lost.
        from = moved.length > 0 ? to : await markOf(db, name)
      } catch (error) {
        if (!isOfALine(error)) throw error
        await takeOneByOne(name, from, to, JSON.parse(`[${piece.text}]`))
        from = await markOf(db, name)
      }
      taken.set(name, from)
    }
  }

  /** Lines refused by the table are put aside and logged, and do not delay others. */
  async function takeOneByOne(name: string, from: number, to: number, lines: SpooledLine[]): Promise<void> {
    const refused: SpooledLine[] = []
    await db.tx(async (tx) => {
      refused.length = 0
      const moved = await tx.query({
        text: MOVE.replaceAll('$2', '$1').replaceAll('$3', '$2').replaceAll('$4', '$3'),
        values: [name, from, to],
      })
      if (moved.length === 0) return
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
      if (refused.length > 0) await appendFile(pathOf(REFUSED), `${JSON.stringify(refused)}\n`, { mode: 0o600 })
    })
    if (refused.length > 0)
      log.error({ lines: refused.length, file: REFUSED }, 'the journal of access could not take lines')
  }

  /** The position is kept (for MARKS_DAYS): another process that has just read the file must find it. */
  async function remove(name: string): Promise<void> {
    taken.delete(name)
    await unlink(pathOf(name)).catch(ifThere)
  }

  async function sweepOnce(): Promise<void> {
    const own = new Set([...full, ...(current ? [current] : [])].map(({ name }) => name))
    const names = await readdir(dir).catch(() => [])
    for (const name of names) {
      if (!name.endsWith(SUFFIX) || own.has(name)) continue
      // Before reading: a write meanwhile makes the file recent again.
      const touched = await stat(pathOf(name)).catch(ifThere)
      if (!touched) continue
      try {
        await take(name, touched.size)
        if (Date.now() - touched.mtimeMs > LEFT_MS) await remove(name)
        // Read the position again next time, since the file belongs to another process.
        taken.delete(name)
      } catch (error) {
        taken.delete(name)
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }

  let sweeper: NodeJS.Timeout | undefined
  return {
    async add(lines) {
      if (isClosed) throw new Error('the spool is closed')
      return new Promise((done, failed) => {
        waiting.push({ lines, done, failed })
        writing ??= writeAll()
      })
    },
    drain,
    async sweep() {
      sweeper ??= setInterval(
        () => void sweepOnce().catch((error) => log.warn({ err: error }, 'files of the journal of access wait')),
        SWEEP_MS,
      ).unref()
      await sweepOnce()
    },
    async close() {
      isClosed = true
      clearInterval(sweeper)
      await writing
      retire()
      try {
        await drain()
      } finally {
        for (const { descriptor } of full) await closeFile(descriptor)
      }
    },
  }
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

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
