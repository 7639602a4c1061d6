/** What the outbox and its adapters tell each other. */
import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'

/** One reason of a refusal, as the other side gave it. */
export interface Reason {
  code?: string
  message: string
}

/** A message as it is put into the queue. */
export interface Outgoing {
  adapter: AdapterCode
  /** The name that the adapter knows it by: `register`. */
  operation: string
  /** In Russian, for the journal of exchange: «Регистрация документа». */
  title: string
  /** The idempotency key: the same key is one message of the adapter, however often it is added. */
  key: string
  /** Messages of one subject are sent in the order in which they were added, one after another. */
  subject?: string
  /** Which receiver it goes to, where the adapter has several that fail apart: `webhooks:5`. Absent: the adapter's name. */
  lane?: string
  /** The record that the journal names. */
  about?: { path: string; id: number }
  payload: unknown
  /** Our own number of the message, which the other side's later answer names. */
  correlationId?: string
  /** Not before this time. */
  dateDue?: Date
}

/** A message as an adapter gets it. */
export interface Message<P = unknown> {
  id: number
  operation: string
  title: string
  key: string
  subject: string | null
  about: { path: string; id: number } | null
  payload: P
  correlationId: string | null
  /** Tries that have failed before this one. */
  attempts: number
  /** What `Try.remember` has kept of an earlier try. */
  memo: unknown
}

interface Spoken {
  /** What was said, for the journal: bodies stand apart and are opened for a reason. */
  sent?: string | undefined
  received?: string | undefined
  /** The other side's code: of HTTP, or its own. */
  code?: string | undefined
  /** Handed to `settled`. */
  result?: unknown
  /** The number under which the other side's later answer will come, where it is theirs. */
  correlationId?: string | undefined
}

/**
 * What came of a try.
 * - `done`: taken, and nothing more comes.
 * - `accepted`: taken; what became of it is told later by an answer, or by `ask`.
 * - `refused`: the content is refused, with every reason. Final.
 * - `failed`: it has not arrived. Tried again by the adapter's list of minutes, then a dead letter.
 * - `unknown`: it may have arrived.
 * - `later`: the other side asks to come back in so many seconds. Not counted as a try.
 * - `absent`: of `ask` alone: the other side does not have it, so it is sent.
 */
export type Outcome =
  | ({ kind: 'done' } & Spoken)
  | ({ kind: 'accepted' } & Spoken)
  | ({ kind: 'refused'; reasons: readonly Reason[] } & Spoken)
  | ({ kind: 'failed'; error: string } & Spoken)
  | ({ kind: 'unknown'; error: string } & Spoken)
  | ({ kind: 'later'; seconds: number; error?: string } & Spoken)
  | ({ kind: 'absent' } & Spoken)

/** Where a message stands after a try, a click of a person, or an answer. */
export interface Fate {
  /**
   * `waiting`: will be tried again; `awaiting`: taken, its answer is to come; `unknown`: a person decides; `dead`: nobody
   * tries any more.
   */
  state: 'waiting' | 'awaiting' | 'unknown' | 'done' | 'refused' | 'dead'
  /** In Russian. */
  error: string | null
  reasons: readonly Reason[]
  result: unknown
}

/** What a try may use. */
export interface Try {
  /** Aborted when the claim is lost or the server stops. */
  signal: AbortSignal
  /** Writes down, before the send, what a later `ask` needs to find this try: the number of the next receipt. */
  remember(memo: unknown): Promise<void>
}

/** An answer that came by itself. */
export interface Answer {
  adapter: AdapterCode
  /** In Russian, for the journal. */
  title: string
  /** Its own number: the same one is the same answer. */
  key: string
  /** The correlation of the message that it answers. */
  relatesTo: string
  body: string
}
