/** Settling of attempts and answers, in one transaction with the area's own record. */
import type { OutboxAdapter } from './outboxAdapter.ts'
import { fateOf, type Tried } from './outboxFate.ts'
import type { Answer, Fate, Message, Outcome } from './outboxMessage.ts'
import { type Claimed, type Ended, settle } from './outboxSql.ts'
import type { Tx } from './queries.ts'

/** The jobs that follow: of stored answers, and of a lane whose next message may be sent. */
interface Following {
  applyAnswers(tx: Tx): Promise<unknown>
  wake(lane: string): Promise<unknown> | undefined
}

/** @param token the claim of the attempts; null: an answer, which counts whatever the state of the attempt */
export async function settleAll<W extends { tx: Tx }>(
  following: Following,
  adapter: OutboxAdapter<W>,
  work: W,
  tried: readonly Tried[],
  token: string | null,
): Promise<void> {
  const ended = tried.map(
    ({ one, outcome, durationMs }): Ended => ({ ...fateOf(adapter, one, outcome), id: one.id, durationMs }),
  )
  const kept = await settle(work.tx, ended, token)
  const settled: { message: Message; fate: Fate }[] = []
  for (const [at, { state, error, reasons, isUnchanged }] of ended.entries()) {
    const { one, outcome } = tried[at] as Tried
    if (!kept.has(one.id)) continue
    const fate = { state, error, reasons, result: outcome.result }
    settled.push({ message: one, fate })
    if (!isUnchanged) await adapter.settled?.(work, one, fate)
    if (outcome.correlationId) await following.applyAnswers(work.tx)
    // The next message of the same subject may be sent now; the pass of a batch continues with it.
    const letsOn =
      state === 'done' || state === 'refused' || state === 'dead' || (state === 'awaiting' && adapter.overtakes)
    if (!adapter.settledMany && letsOn)
      work.tx.afterCommit(() => void (one.subject && following.wake(one.lane)?.catch(() => undefined)))
  }
  if (settled.length > 0) await adapter.settledMany?.(work, settled)
}

/** @returns the outcome of an answer, or why it cannot be read */
export async function readAnswer<W>(
  adapter: OutboxAdapter<W>,
  answer: Answer,
  message: Claimed,
): Promise<Outcome | string> {
  try {
    return (await adapter.read?.(answer, message)) ?? 'Ответ не читается'
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 500) : 'Ответ не читается'
  }
}
