/** Types shared by the outbox and its adapters. */
import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { Sql } from 'sql-template-tag'

/** One reason of a refusal, as given by the other side. */
export interface Reason {
  code?: string
  message: string
}

/** A message to be queued. */
export interface Outgoing {
  adapter: AdapterCode
  /** The adapter's name of the operation: `register`. */
  operation: string
  /** In Russian, for the exchange journal: «Регистрация документа». */
  title: string
  /** Idempotency key: adding the same key again is the same message of the adapter. */
  key: string
  /** Messages of one subject are sent one after another, in the order they were added. */
  subject?: string
  /** Receiver, when the adapter has several that fail independently: `webhooks:5`. Absent: the adapter's lane. */
  lane?: string
  /** The record shown in the journal. */
  about?: { path: string; id: number }
  payload: unknown
  /** Our number of the message, which a later answer refers to. */
  correlationId?: string
  /** Not before this time. */
  dateDue?: Date
}

/** A message as passed to an adapter. */
export interface Message<P = unknown> {
  id: number
  operation: string
  title: string
  key: string
  subject: string | null
  about: { path: string; id: number } | null
  payload: P
  correlationId: string | null
  /** Failed attempts before this one. */
  attempts: number
  /** Value stored by `Try.remember` in an earlier attempt. */
  memo: unknown
}

interface Spoken {
  /** Texts sent and received, for the journal: stored separately, and opened only with a reason. */
  sent?: string | undefined
  received?: string | undefined
  /** The other side's code: HTTP status, or its own. */
  code?: string | undefined
  /** Passed to `settled`. */
  result?: unknown
  /** The correlation number of the later answer, when the other side assigns it. */
  correlationId?: string | undefined
}

interface Alone {
  /** The receiver is not at fault: only this message fails, or no call was made. Its lane is not paused. */
  isAlone?: boolean
}

interface Failure extends Alone {
  /** The other side has answered: the journal shows a refusal instead of a failed connection. */
  isAnswered?: boolean
  /** No more retries. */
  isLast?: boolean
  /** Seconds until the next attempt, as the other side asks; absent: by the adapter's list. */
  seconds?: number | undefined
}

/**
 * Outcome of an attempt.
 * - `done`: accepted, and nothing more comes; or there was nothing left to send, recorded in the journal by `note`.
 * - `accepted`: accepted; the result comes later as an answer, or by `ask`.
 * - `refused`: the content is refused, with every reason. Final.
 * - `failed`: it has not arrived. Retried by the adapter's list of minutes, then a dead letter.
 * - `unknown`: it may have arrived. `isForPerson`: the other side cannot be queried, so a person decides.
 * - `later`: the other side asks to retry after so many seconds. Does not count as an attempt.
 * - `absent`: only from `ask`: the other side does not have it, so it is sent.
 */
export type Outcome =
  | ({ kind: 'done'; note?: string } & Spoken)
  | ({ kind: 'accepted' } & Spoken)
  | ({ kind: 'refused'; reasons: readonly Reason[] } & Spoken)
  | ({ kind: 'failed'; error: string } & Failure & Spoken)
  | ({ kind: 'unknown'; error: string; isForPerson?: true } & Alone & Spoken)
  | ({ kind: 'later'; seconds: number; error?: string } & Spoken)
  | ({ kind: 'absent' } & Spoken)

/** Seconds until a receiver that is switched off is looked at again; a changed setting makes its messages due at once. */
const OFF_S = 900

/** The exchange is switched off or lacks settings: the message waits, whatever the time. @param error in Russian */
export const switchedOff = (error: string): Outcome => ({ kind: 'later', seconds: OFF_S, error })

/** State of a message after an attempt, a person's action, or an answer. */
export interface Fate {
  /**
   * `waiting`: will be retried; `awaiting`: accepted, its answer is pending; `unknown`: a person decides; `dead`: no more
   * retries.
   */
  state: 'waiting' | 'awaiting' | 'unknown' | 'done' | 'refused' | 'dead'
  /** In Russian. */
  error: string | null
  reasons: readonly Reason[]
  result: unknown
}

/** Lane, order and payload of messages with existing journal lines, as SQL on the line `m`. */
export type Lines = Record<'lane' | 'subject' | 'payload', Sql>

/** Context of an attempt. */
export interface Try {
  /** Aborted when the claim is lost or the server stops. */
  signal: AbortSignal
  /** Stores, before sending, the value that a later `ask` needs to find this attempt: the number of the next receipt. */
  remember(memo: unknown): Promise<void>
}

/** An answer that arrived by itself. */
export interface Answer {
  adapter: AdapterCode
  /** In Russian, for the journal. */
  title: string
  /** Its own number: a repeated number is a duplicate. */
  key: string
  /** Correlation number of the message it answers. */
  relatesTo: string
  body: string
}
