import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { OPENED_HOURS } from '@ordinator/model/sealed'
import type { Queryable } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'
import { isOfALine, openSpool, type SpooledLine, type SpoolOptions } from './journalSpool.ts'

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
  /** Of a sealed record, for the reason that `basis` gives. */
  | 'open'

/** One line of the journal of access. Never a token, a password or what somebody typed for a login. */
export interface JournalEntry {
  action: JournalAction
  idUser?: number
  ip?: string
  /** Path of the entity, or `auth`. */
  entityType?: string
  idEntity?: number
  /** The patient whose data it was. */
  idCustomer?: number
  fields?: readonly string[]
  /** Why, in Russian: what was refused, what an export was made for. */
  basis?: string
  requestId?: string
}

/** The reason of an opened card is sought in line, and not by `opened_because`: a call of it for each line costs as much as the line. */
const INSERT = `insert into access_log ("idUser", ip, action, "entityType", "idEntity", "idCustomer", fields, basis, "requestId")
  select e."idUser", e.ip, e.action, e."entityType", e."idEntity", e."idCustomer", e.fields,
    nullif(concat_ws('; ', e.basis, opened.basis), ''), e."requestId"
  from jsonb_to_recordset($1::jsonb) as e("idUser" bigint, ip text, action text, "entityType" text, "idEntity" bigint,
    "idCustomer" bigint, fields text[], basis text, "requestId" text)
  left join lateral (select l.basis from access_log l
    where l."idCustomer" = e."idCustomer" and l."idUser" = e."idUser" and l.action = 'open'
      and l.dt > now() - interval '${OPENED_HOURS} hours' order by l.dt desc limit 1) opened on e.action <> 'open'`

/**
 * Adds lines to the journal, those on a patient whose sealed card somebody has opened with the reason of it; give it a transaction when they must
 * stand or fall with what they tell of.
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

/** Looks: what people ask for all day, and what no right depends on. The rest, rarer and weightier, is committed at once. */
const LOOKS: ReadonlySet<JournalAction> = new Set(['view', 'search'])

/** How the rooms of a server add lines; it settles once they are where a killed server does not lose them. */
export interface Journal {
  (...entries: JournalEntry[]): Promise<void>
  /** Before the journal is read: all lines that this process has taken stand in the table. */
  settle(): Promise<void>
  /** Takes what servers before this one have left, and goes on looking for it. */
  start(): Promise<void>
  close(): Promise<void>
}

/** A journal whose looks go by a spool, and to the table at once where that takes none. */
export function createJournal(options: SpoolOptions): Journal {
  const spool = openSpool(options)
  const atOnce = journalTogether(options.db)
  async function add(...entries: JournalEntry[]): Promise<void> {
    if (entries.length === 0) return
    const looks = entries.filter(({ action }) => LOOKS.has(action))
    if (looks.length < entries.length) await atOnce(...entries.filter(({ action }) => !LOOKS.has(action)))
    if (looks.length > 0) await spool.add(looks.map(spooled)).catch(() => atOnce(...looks))
  }
  return Object.assign(add, { settle: spool.drain, start: spool.sweep, close: spool.close })
}

function spooled(entry: JournalEntry): SpooledLine {
  const { idUser, ip, action, entityType, idEntity, idCustomer, fields, basis, requestId } = fit(entry)
  const dt = new Date().toISOString()
  return [dt, idUser, ip, action, entityType, idEntity, idCustomer, fields, basis, requestId]
}

/** Lines of one statement. */
const MOST_TOGETHER = 500
/** Milliseconds for which a busy hour gathers lines: so many at once cost a tenth of what they cost one by one. */
const GATHER_MS = 2

interface Waiting {
  entries: JournalEntry[]
  done(): void
  failed(error: unknown): void
}

/**
 * A way to add lines that many use at once: those that come while others are written go together with the next, so that
 * a busy hour costs a statement for many lines. Whoever adds waits until theirs stand; what cannot be written fails for
 * its own alone.
 */
export function journalTogether(db: Queryable): (...entries: JournalEntry[]) => Promise<void> {
  let waiting: Waiting[] = []
  let isWriting = false
  async function write(some: Waiting[]): Promise<void> {
    try {
      await journal(db, ...some.flatMap(({ entries }) => entries))
      for (const { done } of some) done()
    } catch (error) {
      // Where it is the database that fails, it would fail for each of them in turn.
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
      // Whoever comes alone does not wait: only where several came at once are more expected.
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

/** The part of an entry that names who asked. */
export const journalActor = (actor: ServerActor): Pick<JournalEntry, 'idUser' | 'ip' | 'requestId'> => ({
  ...(actor.id > 0 ? { idUser: actor.id } : {}),
  ...(actor.ip === undefined ? {} : { ip: actor.ip }),
  ...(actor.requestId === undefined ? {} : { requestId: actor.requestId }),
})
