/**
 * The exchange journal: one line per message between the server and an outside system. Adapters have their own queues;
 * here they only record the result of an attempt, so that one page shows what was sent, what fails and since when.
 */
import type { AdapterCode, ExchangeStatus } from '@ordinator/model/areas/exchange/exchangeMessage'
import sql from 'sql-template-tag'
import type { Queryable } from './db.ts'
import type { Logger } from './log.ts'

/** One attempt of a message, without its content: the adapter keeps that. */
export interface Exchanged {
  adapter: AdapterCode
  /** In Russian: «Напоминание о визите». */
  operation: string
  direction?: 'out' | 'in'
  /** Unique to the message: another attempt is counted in the same line. */
  key?: string
  /** The record it refers to. */
  about?: { path: string; id: number }
  status: Extract<ExchangeStatus, 'accepted' | 'done' | 'rejected' | 'network_error'>
  /** In Russian; never patients' data or a secret. */
  error?: string | undefined
  code?: string | undefined
  durationMs?: number
}

const MAX_WORDS = 200
const MAX_ERROR = 500

/** A writer that never throws: a failure to write the journal must not affect the exchange. */
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

/** Cleans a text for its column. */
export const clean = (text: string | undefined | null, most: number): string | null =>
  text === undefined || text === null || text === '' ? null : text.replaceAll('\0', '').toWellFormed().slice(0, most)
