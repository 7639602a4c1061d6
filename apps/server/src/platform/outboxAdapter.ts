import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { Answer, Fate, Message, Outcome, Try } from './outboxMessage.ts'

/** Sends the messages of one outside system. */
export interface OutboxAdapter<W, P = unknown> {
  code: AdapterCode
  /** Name of its lanes, when several areas send through one system: `mail.unread`; absent: the code. */
  lane?: string
  /** Sends a message. An exception counts as `unknown`. */
  send(message: Message<P>, run: Try): Promise<Outcome>
  /** Queries the result of an attempt with an unknown outcome, or of an accepted message with a late answer. */
  ask?(message: Message<P>, run: Try): Promise<Outcome>
  /** The other side deduplicates by the message's key, so sending it again is safe. */
  isRepeatable?(message: Message<P>): boolean
  /** Operations that do not wait until an accepted message of their subject is answered: a cancellation. */
  overtakes?: readonly string[]
  /** Parses an answer that arrived by itself. @throws Error when it cannot be read: it is kept for people */
  read?(answer: Answer, message: Message<P>): Outcome | Promise<Outcome>
  /** Updates the area's own record in the transaction that settles the message. Not called when nothing has changed. */
  settled?(work: W, message: Message<P>, fate: Fate): Promise<void>
  /**
   * Instead of `settled`: settles the messages of a pass in one transaction, unchanged ones included. For many small
   * messages, which are sent in less time than a claim lasts.
   */
  settledMany?(work: W, ended: readonly { message: Message<P>; fate: Fate }[]): Promise<void>
  /** Minutes after each failed attempt; absent: 1, 5, 15, 60, 360. */
  retryMinutes?: readonly number[]
  /** Minutes after which an accepted message without an answer is queried; absent, or without `ask`: never. */
  askMinutes?: number
  /** Messages of one lane sent concurrently; absent: 4. */
  atOnce?: number
  /** The same after a pass in which all were accepted; absent: not more. */
  mostAtOnce?: number
}
