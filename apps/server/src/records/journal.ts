import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { OPENED_HOURS } from '@ordinator/model/sealed'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from './actor.ts'
import { isOfALine, Spool, type SpooledLine, type SpoolPlace } from './journalSpool.ts'

export type JournalAction =
  | 'login'
  | 'refused'
  | 'logout'
  | 'password'
  | 'view'
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'print'
  | 'export'
  | 'sign'
  | 'search'
  | 'listen'
  /** A sealed record, for the reason in `basis`. */
  | 'open'

/** One line of the access journal. Never a token, a password or text typed as a login. */
export interface JournalEntry {
  action: JournalAction
  idUser?: number
  ip?: string
  /** Path of the entity, or `auth`. */
  entityType?: string
  idEntity?: number
  /** The patient whose data was accessed. */
  idCustomer?: number
  fields?: readonly string[]
  /** Reason, in Russian: why it was refused, what the export is for. */
  basis?: string
  requestId?: string
}

/** The reason of an opened card is looked up inline: calling `opened_because` per line costs as much as the line itself. */
const INSERT = `insert into access_log ("idUser", ip, action, "entityType", "idEntity", "idCustomer", fields, basis, "requestId")
  select e."idUser", e.ip, e.action, e."entityType", e."idEntity", e."idCustomer", e.fields,
    nullif(concat_ws('; ', e.basis, opened.basis), ''), e."requestId"
  from jsonb_to_recordset($1::jsonb) as e("idUser" bigint, ip text, action text, "entityType" text, "idEntity" bigint,
    "idCustomer" bigint, fields text[], basis text, "requestId" text)
  left join lateral (select l.basis from access_log l
    where l."idCustomer" = e."idCustomer" and l."idUser" = e."idUser" and l.action = 'open'
      and l.dt > now() - interval '${OPENED_HOURS} hours' order by l.dt desc limit 1) opened on e.action <> 'open'`

/**
 * Adds lines to the journal; a line about a patient whose sealed card was opened gets the reason. Pass a transaction when
 * the lines must be committed with what they record.
 */
export async function journal(db: Queryable, ...entries: JournalEntry[]): Promise<void> {
  if (entries.length === 0) return
  await db.query({ name: 'journal', text: INSERT, values: [JSON.stringify(entries.map(fit))] })
}

const fit = (e: JournalEntry): JournalEntry => ({
  ...e,
  ip: e.ip !== undefined && isIP(e.ip) ? e.ip : undefined,
  basis: e.basis?.slice(0, 500).replaceAll('\0', '').toWellFormed(),
  requestId: e.requestId?.slice(0, 100),
})

/** Frequent reads, which no right depends on. Other actions, rarer and more important, are committed at once. */
const LOOKS: ReadonlySet<JournalAction> = new Set(['view', 'search'])

/** Adds journal lines; resolves once they survive a kill of the server. */
export interface Journal {
  (...entries: JournalEntry[]): Promise<void>
  /** Flushes all lines of this process to the table, before the journal is read. */
  settle(): Promise<void>
  /** Takes over spools left by earlier servers, now and periodically. */
  start(): Promise<void>
  close(): Promise<void>
}

/** A journal that spools reads, and writes directly to the table when the spool fails. */
export function createJournal(options: SpoolPlace): Journal {
  const spool = new Spool(options)
  const atOnce = journalTogether(options.db)
  async function add(...entries: JournalEntry[]): Promise<void> {
    if (entries.length === 0) return
    const looks = entries.filter(({ action }) => LOOKS.has(action))
    if (looks.length < entries.length) await atOnce(...entries.filter(({ action }) => !LOOKS.has(action)))
    if (looks.length > 0) await spool.add(looks.map(spooled)).catch(() => atOnce(...looks))
  }
  return Object.assign(add, {
    settle: () => spool.drain(),
    start: () => spool.sweep(),
    close: () => spool.close(),
  })
}

function spooled(entry: JournalEntry): SpooledLine {
  const { idUser, ip, action, entityType, idEntity, idCustomer, fields, basis, requestId } = fit(entry)
  const dt = new Date().toISOString()
  return [dt, idUser, ip, action, entityType, idEntity, idCustomer, fields, basis, requestId]
}

/** Lines per statement. */
const MOST_TOGETHER = 500
/** Milliseconds to batch lines under load: in a batch they cost a tenth of single inserts. */
const GATHER_MS = 2

interface Waiting {
  entries: JournalEntry[]
  done(): void
  failed(error: unknown): void
}

/**
 * Batches lines of concurrent callers: those that arrive during a write go together with the next, so that a busy hour
 * costs one statement for many lines. A caller waits until its lines are written; a line that cannot be written fails
 * only its own caller.
 */
export function journalTogether(db: Queryable): (...entries: JournalEntry[]) => Promise<void> {
  let waiting: Waiting[] = []
  let isWriting = false
  async function write(some: Waiting[]): Promise<void> {
    try {
      await journal(db, ...some.flatMap(({ entries }) => entries))
      for (const { done } of some) done()
    } catch (error) {
      // A failure of the database itself would fail each line in turn.
      if (some.length > 1 && isOfALine(error)) for (const one of some) await write([one])
      else for (const { failed } of some) failed(error)
    }
  }
  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      let lines = 0
      const next = waiting.findIndex(({ entries }, at) => (lines += entries.length) > MOST_TOGETHER && at > 0)
      const some = next < 0 ? waiting : waiting.slice(0, next)
      waiting = next < 0 ? [] : waiting.slice(next)
      await write(some)
      // A single caller does not wait: only after a batch are more callers expected.
      if (some.length > 1) await sleep(GATHER_MS)
    }
    isWriting = false
  }
  return async (...entries) => {
    if (entries.length === 0) return
    return new Promise((done, failed) => {
      waiting.push({ entries, done, failed })
      if (!isWriting) void writeAll()
    })
  }
}

/** The fields of an entry that identify the user. */
export const journalActor = (actor: ServerActor): Pick<JournalEntry, 'idUser' | 'ip' | 'requestId'> => ({
  ...(actor.id > 0 ? { idUser: actor.id } : {}),
  ...(actor.ip === undefined ? {} : { ip: actor.ip }),
  ...(actor.requestId === undefined ? {} : { requestId: actor.requestId }),
})
