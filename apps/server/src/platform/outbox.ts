/**
 * One outgoing queue for all outside systems. A message is added in the transaction that causes it (`add`), so neither
 * exists without the other. A worker claims it, sends it through its adapter, and settles the result together with the
 * area's own record, again in one transaction.
 *
 * Nothing is lost: a claim ends with its process (life.ts), and another worker continues. Nothing is sent twice: an attempt with
 * an unknown result is queried before the next one, repeated only when the other side knows the message's idempotency
 * key, and stopped for a person when it supports neither. Only transport failures are retried; a refusal of the content
 * is final at once. docs/recipes/outbox.md shows an adapter.
 */
import { randomUUID } from 'node:crypto'
import type { Lane, Queryable, Tx } from './db.ts'
import type { Jobs } from './jobs.ts'
import type { Life } from './life.ts'
import type { Logger } from './log.ts'
import type { OutboxAdapter } from './outboxAdapter.ts'
import { attempt, CLAIM_S } from './outboxAttempt.ts'
import { isAccepted, isThrough, type Tried, UNKNOWN } from './outboxFate.ts'
import type { Answer, Fate, Lines, Message, Outcome, Outgoing, Reason, Try } from './outboxMessage.ts'
import { readAnswer, settleAll } from './outboxSettle.ts'
import {
  addAnswer,
  addLines,
  addMessage,
  answersToApply,
  awaitingOf,
  type Claimed,
  claim,
  finish,
  holdForAnswer,
  lanesDue,
  leaveAnswer,
  pauseLane,
  releaseClaims,
  requeue,
  resume,
  secondsPaused,
  stop,
} from './outboxSql.ts'

export interface Outbox<W = unknown> {
  /** Called once, when the area starts. */
  register<P>(adapter: OutboxAdapter<W, P>): void
  /** Those registered, for a test over all of them. */
  adapters(): readonly OutboxAdapter<W>[]
  /**
   * Adds a message to the queue; it is sent after the commit.
   * @returns its id (also the id of its journal line), and whether it is new
   */
  add(tx: Tx, message: Outgoing): Promise<{ id: number; isNew: boolean }>
  /** Queues messages with existing journal lines: just inserted ones, or ones to be sent again. @returns how many */
  addLines(tx: Tx, ids: readonly number[], lines: Lines): Promise<number>
  /** Stores an answer; acknowledge it to the sender only afterwards. @returns false if it is a duplicate */
  receive(answer: Answer): Promise<boolean>
  /**
   * Sends stopped messages again on a person's request, counting attempts anew; accepted ones without an answer too if
   * that is safe. @returns how many
   */
  repeat(ids: readonly number[]): Promise<number>
  /** Cancels messages on a person's request: queued, unknown or without an answer; those being sent stay. @returns how many */
  cancel(ids: readonly number[], reason: string): Promise<number>
  /** Marks messages of an unknown result as delivered, as a person has found out. @returns how many */
  settleAsDone(ids: readonly number[]): Promise<number>
  /** Messages that wait after a failure are due at once: their receiver may have been switched on, or its key replaced. */
  resume(tx: Tx): Promise<void>
  /** Sends the due messages of a lane. Called by jobs and tests. */
  run(lane: string, signal?: AbortSignal): Promise<void>
  /** Wakes every lane with due messages, and applies stored answers. */
  sweep(): Promise<void>
  /** Applies stored answers to their messages. */
  applyAnswers(): Promise<void>
}

export interface OutboxDeps<W extends { tx: Tx }> {
  db: Lane
  jobs: Pick<Jobs, 'register' | 'send'>
  life: Pick<Life, 'id' | 'onDeath'>
  log: Pick<Logger, 'warn' | 'error'>
  /** Runs a transaction shared with the areas' `settled`. */
  transact<T>(run: (work: W) => Promise<T>): Promise<T>
}

export { wordsOf } from './outboxFate.ts'
export type { Answer, Fate, Lines, Message, OutboxAdapter, Outcome, Outgoing, Reason, Try }

const SEND = 'outbox.send'
const ANSWERS = 'outbox.answers'
const AT_ONCE = 4
/** Batches per run; the next run continues. */
const MOST_ROUNDS = 50
const MANY_ANSWERS = 200

export function createOutbox<W extends { tx: Tx }>({ db, jobs, life, log, transact }: OutboxDeps<W>): Outbox<W> {
  const adapters = new Map<string, OutboxAdapter<W>>()
  const adapterOf = (lane: string) => adapters.get(lane.split(':', 1)[0] as string)
  const wake = (lane: string, tx?: Queryable, startAfter = 0) =>
    jobs.send(
      SEND,
      { lane },
      { key: `${lane}:${startAfter > 0}`, ...(startAfter > 0 && { startAfter }), ...(tx && { tx }) },
    )
  const following = {
    wake: (lane: string) => wake(lane),
    applyAnswers: (tx?: Queryable) => jobs.send(ANSWERS, {}, { key: 'answers', ...(tx && { tx }) }),
  }

  jobs.register<{ lane: string }>(SEND, { concurrency: 8, handler: ({ lane }, { signal }) => run(lane, signal) })
  jobs.register('outbox.sweep', { cron: '* * * * *', handler: () => sweep() })
  jobs.register(ANSWERS, { handler: () => applyAnswers() })
  life.onDeath(async (dead) => {
    await releaseClaims(db, dead)
    // Its jobs are lost too: whatever is due is woken.
    await sweep()
  })

  async function sweep(): Promise<void> {
    for (const lane of await lanesDue(db)) await wake(lane)
    await applyAnswers()
  }

  async function run(lane: string, signal?: AbortSignal): Promise<void> {
    const adapter = adapterOf(lane)
    if (!adapter) return
    const usual = adapter.atOnce ?? AT_ONCE
    let limit = usual
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (signal?.aborted) return
      const pause = await secondsPaused(db, lane)
      if (pause > 0) return void (await wake(lane, undefined, pause))
      const token = randomUUID()
      const claimed = await claim(db, {
        lane,
        claim: token,
        life: life.id,
        seconds: CLAIM_S,
        limit,
        overtakes: adapter.overtakes ?? [],
      })
      if (claimed.length === 0) return
      const tried = await Promise.all(
        claimed.map(async (one) => {
          const done = await attempt({ db, log }, adapter, one, signal)
          if (!adapter.settledMany) await settled(adapter, [done], token)
          return done
        }),
      )
      if (adapter.settledMany) await settled(adapter, tried, token)
      await pauseLane(db, lane, tried.some(isThrough))
      limit = tried.every(isAccepted) ? (adapter.mostAtOnce ?? usual) : usual
    }
    await wake(lane)
  }

  /** Settles attempts. If it fails, the claims expire, and the next worker queries first. */
  async function settled(adapter: OutboxAdapter<W>, tried: readonly Tried[], token: string): Promise<void> {
    try {
      await transact((work) => settleAll(following, adapter, work, tried, token))
    } catch (error) {
      log.error({ err: error, adapter: adapter.code, ids: tried.map(({ one }) => one.id) }, 'outbox: not settled')
      for (const one of tried) one.outcome = { kind: 'unknown', error: UNKNOWN }
    }
  }

  async function applyAnswers(): Promise<void> {
    for (const { id } of await answersToApply(db, MANY_ANSWERS)) {
      try {
        await transact(async (work) => {
          const held = await holdForAnswer(work.tx, id)
          if (!held) return
          const { answer, message, reason } = held
          if (!message) return void (reason && (await leaveAnswer(work.tx, id, 'unmatched', reason)))
          const adapter = adapterOf(message.lane)
          if (!adapter?.read)
            return void (await leaveAnswer(work.tx, id, 'unread', 'Эту систему об ответах не спрашивают'))
          const outcome = await readAnswer(adapter, answer, message)
          if (typeof outcome === 'string') return void (await leaveAnswer(work.tx, id, 'unread', outcome))
          await leaveAnswer(work.tx, id, 'applied', null, message.id)
          await settleAll(following, adapter, work, [{ one: message, outcome, durationMs: null }], null)
        })
      } catch (error) {
        log.error({ err: error, id }, 'outbox: an answer was not applied')
      }
    }
  }

  /** Informs the areas of a person's actions on messages. */
  async function byPerson(
    change: (tx: Tx) => Promise<Claimed[]>,
    fate: Fate,
    after?: (tx: Tx, one: Claimed) => Promise<unknown>,
  ): Promise<number> {
    return transact(async (work) => {
      const changed = await change(work.tx)
      for (const one of changed) {
        await adapterOf(one.lane)?.settled?.(work, one, fate)
        await after?.(work.tx, one)
      }
      return changed.length
    })
  }

  /** An accepted message may be sent again: the other side knows its key. */
  const isSafeAgain = (one: Claimed): boolean => adapterOf(one.lane)?.isRepeatable?.(one) ?? false

  return {
    adapters: () => [...adapters.values()],
    register: (adapter) => void adapters.set(adapter.lane ?? adapter.code, adapter as unknown as OutboxAdapter<W>),
    async add(tx, message) {
      const added = await addMessage(tx, message)
      if (added.isNew) await wake(message.lane ?? message.adapter, tx)
      return added
    },
    async addLines(tx, ids, lines) {
      const lanes = await addLines(tx, ids, lines)
      for (const lane of new Set(lanes)) await wake(lane, tx)
      return lanes.length
    },
    async receive(answer) {
      const isNew = await addAnswer(db, answer)
      if (isNew) await following.applyAnswers()
      return isNew
    },
    repeat: (ids) =>
      byPerson(
        async (tx) =>
          requeue(
            tx,
            ids,
            (await awaitingOf(tx, ids)).filter(isSafeAgain).map(({ id }) => id),
          ),
        { state: 'waiting', error: null, reasons: [], result: undefined },
        (tx, { lane }) => wake(lane, tx),
      ),
    cancel: (ids, reason) =>
      byPerson((tx) => stop(tx, ids, reason), { state: 'dead', error: reason, reasons: [], result: undefined }),
    settleAsDone: (ids) =>
      byPerson((tx) => finish(tx, ids), { state: 'done', error: null, reasons: [], result: undefined }),
    async resume(tx) {
      for (const lane of await resume(tx)) await wake(lane, tx)
    },
    run,
    sweep,
    applyAnswers,
  }
}
