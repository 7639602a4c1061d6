/**
 * The journal of exchange: a line for each message between the house and an outside system. Adapters have queues of
 * their own; here they only tell what came of a try, so that one place shows what goes out, what fails and since when.
 */
import type { AdapterCode, ExchangeStatus } from '@ordinator/model/areas/exchange/exchangeMessage'
import sql from 'sql-template-tag'
import type { Queryable } from './db.ts'
import type { Logger } from './log.ts'

/** One try of a message, without what was said in it: that is the adapter's own to keep. */
export interface Exchanged {
  adapter: AdapterCode
  /** In Russian: «Напоминание о визите». */
  operation: string
  direction?: 'out' | 'in'
  /** Of the message alone: another try of it is counted in the same line. */
  key?: string
  /** The record it is about. */
  about?: { path: string; id: number }
  status: Extract<ExchangeStatus, 'accepted' | 'done' | 'rejected' | 'network_error'>
  /** In Russian; never a patient's data or a secret. */
  error?: string | undefined
  code?: string | undefined
  durationMs?: number
}

const MAX_WORDS = 200
const MAX_ERROR = 500

/** A writer of lines that never fails: what was sent is sent, whether or not it could be written down. */
export function exchangeJournal(db: Queryable, log: Pick<Logger, 'warn'>): (line: Exchanged) => Promise<void> {
  return async (line) => {
    const { adapter, operation, direction = 'out', key, about, status, error, code, durationMs } = line
    try {
      await db.query(sql`
        insert into exchange_messages ("dateCreate", "dateLast", "adapter", "direction", "operation", "entityType",
          "idEntity", "idempotencyKey", "status", "attempts", "errorText", "errorCode", "durationMs")
        values (now(), now(), ${adapter}, ${direction}, ${clean(operation, MAX_WORDS)}, ${about?.path ?? null},
          ${about?.id ?? null}, ${key ?? null}, ${status}, 1, ${clean(error, MAX_ERROR)}, ${clean(code, 64)},
          ${durationMs === undefined ? null : Math.round(durationMs)})
        on conflict ("adapter", "idempotencyKey") where "idempotencyKey" is not null do update
          set "dateLast" = now(), "status" = excluded."status", "attempts" = exchange_messages."attempts" + 1,
            "errorText" = excluded."errorText", "errorCode" = excluded."errorCode", "durationMs" = excluded."durationMs",
            "_version" = exchange_messages."_version" + 1`)
    } catch (failure) {
      log.warn({ err: failure, adapter }, 'exchange: a line was not written')
    }
  }
}

/** Text as a column takes it. */
export const clean = (text: string | undefined | null, most: number): string | null =>
  text === undefined || text === null || text === '' ? null : text.replaceAll('\0', '').toWellFormed().slice(0, most)
