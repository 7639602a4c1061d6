/** One attempt of a message: sent, or its unknown result queried. */
import type { Lane } from './db.ts'
import type { Logger } from './log.ts'
import type { OutboxAdapter } from './outboxAdapter.ts'
import { type Tried, UNKNOWN } from './outboxFate.ts'
import type { Outcome, Try } from './outboxMessage.ts'
import { type Claimed, extend, remember } from './outboxSql.ts'

/** Seconds until a claim that is not extended expires, and the interval of extensions in milliseconds. */
export const CLAIM_S = 60
const EXTEND_MS = 20_000

/** Sends or queries a message; never fails. */
export async function attempt<W>(
  { db, log }: { db: Lane; log: Pick<Logger, 'warn'> },
  adapter: OutboxAdapter<W>,
  one: Claimed,
  stopping?: AbortSignal,
): Promise<Tried> {
  const lost = new AbortController()
  const timer = setInterval(() => {
    extend(db, one, CLAIM_S).then(
      (isMine) => isMine || lost.abort(),
      () => undefined,
    )
  }, EXTEND_MS)
  const began = performance.now()
  try {
    const signal = stopping ? AbortSignal.any([stopping, lost.signal]) : lost.signal
    const by: Try = { signal, remember: (memo) => remember(db, one, memo) }
    const outcome = await guarded(log, () => sendOne(adapter, one, by))
    return { one, outcome, durationMs: Math.round(performance.now() - began) }
  } finally {
    clearInterval(timer)
  }
}

async function sendOne<W>(adapter: OutboxAdapter<W>, one: Claimed, by: Try): Promise<Outcome> {
  if (one.isAwaiting) return (await adapter.ask?.(one, by)) ?? { kind: 'accepted' }
  if (!one.mustAsk || adapter.isRepeatable?.(one)) return adapter.send(one, by)
  const found = (await adapter.ask?.(one, by)) ?? { kind: 'unknown', error: UNKNOWN, isAlone: true }
  return found.kind === 'absent' ? adapter.send(one, by) : found
}

/** An exception of an adapter does not show whether the message arrived. */
async function guarded(log: Pick<Logger, 'warn'>, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    log.warn({ err: error }, 'outbox: a try has failed')
    return { kind: 'unknown', error: 'Сбой при отправке: неизвестно, дошло ли' }
  }
}
