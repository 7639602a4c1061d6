/** What follows from the outcome of an attempt: the next state of its message. */

import { RETRY_MINUTES } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { OutboxAdapter } from './outboxAdapter.ts'
import type { Outcome, Reason } from './outboxMessage.ts'
import { type Claimed, reportedAs, type Settled } from './outboxSql.ts'

/** Reasons of a refusal in one line, for the journal. */
export const wordsOf = (reasons: readonly Reason[]): string =>
  reasons.map(({ code, message }) => (code ? `${code}: ${message}` : message)).join('; ') || 'Отказано без причины'

export interface Tried {
  one: Claimed
  outcome: Outcome
  durationMs: number | null
}

/** Whether the receiver works, as far as this attempt shows. */
export const isThrough = ({ outcome }: Tried): boolean =>
  outcome.kind === 'failed' || outcome.kind === 'unknown' ? outcome.isAlone === true : true

export const isAccepted = ({ outcome: { kind } }: Tried): boolean => kind === 'done' || kind === 'accepted'

export const UNKNOWN = 'Неизвестно, дошло ли: проверьте во внешней системе, затем повторите или отметьте отправленным'

/** The message's next state after the outcome of an attempt. */
export function fateOf<W>(adapter: OutboxAdapter<W>, one: Claimed, outcome: Outcome): Settled {
  const base = {
    error: null as string | null,
    reasons: [] as readonly Reason[],
    attempts: one.attempts,
    mustAsk: one.mustAsk,
    isUnchanged: false,
    dueSeconds: null as number | null,
    code: outcome.code ?? null,
    sent: outcome.sent ?? null,
    received: outcome.received ?? null,
    correlationId: outcome.correlationId ?? null,
    isAnswered: outcome.kind === 'failed' && outcome.isAnswered === true,
  }
  const unlessUnchanged = (settled: Settled): Settled => ({ ...settled, isUnchanged: one.told === reportedAs(settled) })
  switch (outcome.kind) {
    case 'done':
      return { ...base, state: 'done', error: outcome.note ?? null }
    case 'accepted': {
      const asks = adapter.ask && adapter.askMinutes
      return unlessUnchanged({ ...base, state: 'awaiting', mustAsk: false, dueSeconds: asks ? asks * 60 : null })
    }
    case 'refused':
      return { ...base, state: 'refused', reasons: outcome.reasons, error: wordsOf(outcome.reasons), mustAsk: false }
    case 'later':
      return unlessUnchanged({
        ...base,
        state: one.isAwaiting ? 'awaiting' : 'waiting',
        error: outcome.error ?? null,
        dueSeconds: Math.max(1, outcome.seconds),
      })
    default: {
      // An accepted message without news stays accepted.
      const error = outcome.kind === 'absent' ? 'Другая сторона такого сообщения не знает' : outcome.error
      const mayRepeat = adapter.isRepeatable?.(one) ?? false
      const isForPerson = outcome.kind === 'unknown' && outcome.isForPerson === true
      const isLost = outcome.kind === 'unknown' && (!mayRepeat || isForPerson)
      const minutes = adapter.retryMinutes ?? RETRY_MINUTES
      if (one.isAwaiting && outcome.kind !== 'absent')
        return unlessUnchanged({ ...base, state: 'awaiting', error, dueSeconds: (adapter.askMinutes ?? 60) * 60 })
      if (isLost && (isForPerson || !adapter.ask))
        return unlessUnchanged({ ...base, state: 'unknown', error, mustAsk: true })
      const wait = outcome.kind === 'failed' && outcome.isLast ? undefined : minutes[one.attempts]
      const asked = outcome.kind === 'failed' ? outcome.seconds : undefined
      const tried = { ...base, attempts: one.attempts + 1, error, mustAsk: one.mustAsk || isLost }
      return wait === undefined
        ? { ...tried, state: 'dead' }
        : unlessUnchanged({ ...tried, state: 'waiting', dueSeconds: asked ?? wait * 60 })
    }
  }
}
