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

export const createOutbox = <W extends { tx: Tx }>(deps: OutboxDeps<W>): Outbox<W> => new LaneOutbox(deps)

class LaneOutbox<W extends { tx: Tx }> implements Outbox<W> {
  readonly #deps: OutboxDeps<W>
  readonly #adapters = new Map<string, OutboxAdapter<W>>()
  readonly #following = {
    wake: (lane: string) => this.#wake(lane),
    applyAnswers: (tx?: Queryable) => this.#deps.jobs.send(ANSWERS, {}, { key: 'answers', ...(tx && { tx }) }),
  }

  constructor(deps: OutboxDeps<W>) {
    this.#deps = deps
    const { db, jobs, life } = deps
    jobs.register<{ lane: string }>(SEND, { concurrency: 8, handler: ({ lane }, { signal }) => this.run(lane, signal) })
    jobs.register('outbox.sweep', { cron: '* * * * *', handler: () => this.sweep() })
    jobs.register(ANSWERS, { handler: () => this.applyAnswers() })
    life.onDeath(async (dead) => {
      await releaseClaims(db, dead)
      // Its jobs are lost too: whatever is due is woken.
      await this.sweep()
    })
  }

  adapters(): OutboxAdapter<W>[] {
    return [...this.#adapters.values()]
  }

  register<P>(adapter: OutboxAdapter<W, P>): void {
    this.#adapters.set(adapter.lane ?? adapter.code, adapter as unknown as OutboxAdapter<W>)
  }

  async add(tx: Tx, message: Outgoing): Promise<{ id: number; isNew: boolean }> {
    const added = await addMessage(tx, message)
    if (added.isNew) await this.#wake(message.lane ?? message.adapter, tx)
    return added
  }

  async addLines(tx: Tx, ids: readonly number[], lines: Lines): Promise<number> {
    const lanes = await addLines(tx, ids, lines)
    for (const lane of new Set(lanes)) await this.#wake(lane, tx)
    return lanes.length
  }

  async receive(answer: Answer): Promise<boolean> {
    const isNew = await addAnswer(this.#deps.db, answer)
    if (isNew) await this.#following.applyAnswers()
    return isNew
  }

  repeat(ids: readonly number[]): Promise<number> {
    return this.#byPerson(
      async (tx) => {
        const again = (await awaitingOf(tx, ids)).filter((one) => this.#isSafeAgain(one))
        return requeue(
          tx,
          ids,
          again.map(({ id }) => id),
        )
      },
      { state: 'waiting', error: null, reasons: [], result: undefined },
      (tx, { lane }) => this.#wake(lane, tx),
    )
  }

  cancel(ids: readonly number[], reason: string): Promise<number> {
    const fate: Fate = { state: 'dead', error: reason, reasons: [], result: undefined }
    return this.#byPerson((tx) => stop(tx, ids, reason), fate)
  }

  settleAsDone(ids: readonly number[]): Promise<number> {
    return this.#byPerson((tx) => finish(tx, ids), { state: 'done', error: null, reasons: [], result: undefined })
  }

  async resume(tx: Tx): Promise<void> {
    for (const lane of await resume(tx)) await this.#wake(lane, tx)
  }

  async run(lane: string, signal?: AbortSignal): Promise<void> {
    const { db, life } = this.#deps
    const adapter = this.#adapterOf(lane)
    if (!adapter) return
    const usual = adapter.atOnce ?? AT_ONCE
    let limit = usual
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (signal?.aborted) return
      const pause = await secondsPaused(db, lane)
      if (pause > 0) return void (await this.#wake(lane, undefined, pause))
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
      const tried = await this.#tryAll(adapter, claimed, token, signal)
      await pauseLane(db, lane, tried.some(isThrough))
      limit = tried.every(isAccepted) ? (adapter.mostAtOnce ?? usual) : usual
    }
    await this.#wake(lane)
  }

  async sweep(): Promise<void> {
    for (const lane of await lanesDue(this.#deps.db)) await this.#wake(lane)
    await this.applyAnswers()
  }

  async applyAnswers(): Promise<void> {
    const { db, log, transact } = this.#deps
    for (const { id } of await answersToApply(db, MANY_ANSWERS)) {
      try {
        await transact((work) => this.#applyAnswer(work, id))
      } catch (error) {
        log.error({ err: error, id }, 'outbox: an answer was not applied')
      }
    }
  }

  /** Attempts the claimed messages at once, and settles each as it ends, or all together where the adapter does so. */
  async #tryAll(
    adapter: OutboxAdapter<W>,
    claimed: readonly Claimed[],
    token: string,
    signal?: AbortSignal,
  ): Promise<Tried[]> {
    const tried = await Promise.all(
      claimed.map(async (one) => {
        const done = await attempt(this.#deps, adapter, one, signal)
        if (!adapter.settledMany) await this.#settle(adapter, [done], token)
        return done
      }),
    )
    if (adapter.settledMany) await this.#settle(adapter, tried, token)
    return tried
  }

  /** Settles attempts. If it fails, the claims expire, and the next worker queries first. */
  async #settle(adapter: OutboxAdapter<W>, tried: readonly Tried[], token: string): Promise<void> {
    const { log, transact } = this.#deps
    try {
      await transact((work) => settleAll(this.#following, adapter, work, tried, token))
    } catch (error) {
      log.error({ err: error, adapter: adapter.code, ids: tried.map(({ one }) => one.id) }, 'outbox: not settled')
      for (const one of tried) one.outcome = { kind: 'unknown', error: UNKNOWN }
    }
  }

  async #applyAnswer(work: W, id: number): Promise<void> {
    const held = await holdForAnswer(work.tx, id)
    if (!held) return
    const { answer, message, reason } = held
    if (!message) return void (reason && (await leaveAnswer(work.tx, id, 'unmatched', reason)))
    const adapter = this.#adapterOf(message.lane)
    if (!adapter?.read) return void (await leaveAnswer(work.tx, id, 'unread', 'Эту систему об ответах не спрашивают'))
    const outcome = await readAnswer(adapter, answer, message)
    if (typeof outcome === 'string') return void (await leaveAnswer(work.tx, id, 'unread', outcome))
    await leaveAnswer(work.tx, id, 'applied', null, message.id)
    await settleAll(this.#following, adapter, work, [{ one: message, outcome, durationMs: null }], null)
  }

  /** Informs the areas of a person's actions on messages. */
  async #byPerson(
    change: (tx: Tx) => Promise<Claimed[]>,
    fate: Fate,
    after?: (tx: Tx, one: Claimed) => Promise<unknown>,
  ): Promise<number> {
    return this.#deps.transact(async (work) => {
      const changed = await change(work.tx)
      for (const one of changed) {
        await this.#adapterOf(one.lane)?.settled?.(work, one, fate)
        await after?.(work.tx, one)
      }
      return changed.length
    })
  }

  /** An accepted message may be sent again: the other side knows its key. */
  #isSafeAgain(one: Claimed): boolean {
    return this.#adapterOf(one.lane)?.isRepeatable?.(one) ?? false
  }

  #adapterOf(lane: string): OutboxAdapter<W> | undefined {
    return this.#adapters.get(lane.split(':', 1)[0] as string)
  }

  #wake(lane: string, tx?: Queryable, startAfter = 0) {
    return this.#deps.jobs.send(
      SEND,
      { lane },
      { key: `${lane}:${startAfter > 0}`, ...(startAfter > 0 && { startAfter }), ...(tx && { tx }) },
    )
  }
}
