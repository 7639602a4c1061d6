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
import { type AdapterCode, RETRY_MINUTES } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { Lane, Queryable, Tx } from './db.ts'
import type { Jobs } from './jobs.ts'
import type { Life } from './life.ts'
import type { Logger } from './log.ts'
import type { Answer, Fate, Lines, Message, Outcome, Outgoing, Reason, Try } from './outboxMessage.ts'
import {
  addAnswer,
  addLines,
  addMessage,
  answersToApply,
  awaitingOf,
  type Claimed,
  claim,
  type Ended,
  extend,
  finish,
  holdForAnswer,
  lanesDue,
  leaveAnswer,
  pauseLane,
  releaseClaims,
  remember,
  requeue,
  resume,
  type Settled,
  secondsPaused,
  settle,
  stop,
  toldAs,
} from './outboxSql.ts'

/** Sends the messages of one outside system. */
export interface OutboxAdapter<W, P = unknown> {
  code: AdapterCode
  /** Name of its lanes, when several areas send through one system: `mail.unread`; absent: the code. */
  lane?: string
  /** Sends a message. An exception counts as `unknown`. */
  send(message: Message<P>, run: Try): Promise<Outcome>
  /** Queries the result of an attempt with an unknown outcome, or of an accepted message whose answer is late. */
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
  /** Queues messages whose journal lines exist already: just inserted ones, or ones to be sent again. @returns how many */
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

export type { Answer, Fate, Lines, Message, Outcome, Outgoing, Reason, Try }

const SEND = 'outbox.send'
const ANSWERS = 'outbox.answers'
const AT_ONCE = 4
/** Batches per run; the next run continues. */
const MOST_ROUNDS = 50
/** Seconds until a claim that is not extended expires, and the interval of extensions in milliseconds. */
const CLAIM_S = 60
const EXTEND_MS = 20_000
const MANY_ANSWERS = 200

/** Reasons of a refusal in one line, for the journal. */
export const wordsOf = (reasons: readonly Reason[]): string =>
  reasons.map(({ code, message }) => (code ? `${code}: ${message}` : message)).join('; ') || 'Отказано без причины'

export function createOutbox<W extends { tx: Tx }>({ db, jobs, life, log, transact }: OutboxDeps<W>): Outbox<W> {
  const adapters = new Map<string, OutboxAdapter<W>>()
  const adapterOf = (lane: string) => adapters.get(lane.split(':', 1)[0] as string)
  const wake = (lane: string, tx?: Queryable, startAfter = 0) =>
    jobs.send(
      SEND,
      { lane },
      { key: `${lane}:${startAfter > 0}`, ...(startAfter > 0 && { startAfter }), ...(tx && { tx }) },
    )

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
          const done = await attempt(adapter, one, signal)
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

  /** Sends or queries a message; never fails. */
  async function attempt(adapter: OutboxAdapter<W>, one: Claimed, stopping?: AbortSignal): Promise<Tried> {
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
      const outcome = await guarded(() => carryOut(adapter, one, by))
      return { one, outcome, durationMs: Math.round(performance.now() - began) }
    } finally {
      clearInterval(timer)
    }
  }

  /** Settles attempts. If it fails, the claims expire, and the next worker queries first. */
  async function settled(adapter: OutboxAdapter<W>, tried: readonly Tried[], token: string): Promise<void> {
    try {
      await transact((work) => settleAll(adapter, work, tried, token))
    } catch (error) {
      log.error({ err: error, adapter: adapter.code, ids: tried.map(({ one }) => one.id) }, 'outbox: not settled')
      for (const one of tried) one.outcome = { kind: 'unknown', error: UNKNOWN }
    }
  }

  async function carryOut(adapter: OutboxAdapter<W>, one: Claimed, by: Try): Promise<Outcome> {
    if (one.isAwaiting) return (await adapter.ask?.(one, by)) ?? { kind: 'accepted' }
    if (!one.mustAsk || adapter.isRepeatable?.(one)) return adapter.send(one, by)
    const found = (await adapter.ask?.(one, by)) ?? { kind: 'unknown', error: UNKNOWN, isAlone: true }
    return found.kind === 'absent' ? adapter.send(one, by) : found
  }

  /** An exception of an adapter does not say whether the message arrived. */
  async function guarded(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'outbox: a try has failed')
      return { kind: 'unknown', error: 'Сбой при отправке: неизвестно, дошло ли' }
    }
  }

  /** @param token the claim of the attempts; null: an answer, which counts whatever the state of the attempt */
  async function settleAll(
    adapter: OutboxAdapter<W>,
    work: W,
    tried: readonly Tried[],
    token: string | null,
  ): Promise<void> {
    const ended = tried.map(
      ({ one, outcome, durationMs }): Ended => ({ ...fateOf(adapter, one, outcome), id: one.id, durationMs }),
    )
    const kept = await settle(work.tx, ended, token)
    const told: { message: Message; fate: Fate }[] = []
    for (const [at, { state, error, reasons, isTold }] of ended.entries()) {
      const { one, outcome } = tried[at] as Tried
      if (!kept.has(one.id)) continue
      const fate = { state, error, reasons, result: outcome.result }
      told.push({ message: one, fate })
      if (!isTold) await adapter.settled?.(work, one, fate)
      if (outcome.correlationId) await jobs.send(ANSWERS, {}, { key: 'answers', tx: work.tx })
      // The next message of the same subject may be sent now; the pass of a batch continues with it.
      const letsOn =
        state === 'done' || state === 'refused' || state === 'dead' || (state === 'awaiting' && adapter.overtakes)
      if (!adapter.settledMany && letsOn)
        work.tx.afterCommit(() => void (one.subject && wake(one.lane)?.catch(() => undefined)))
    }
    if (told.length > 0) await adapter.settledMany?.(work, told)
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
          await settleAll(adapter, work, [{ one: message, outcome, durationMs: null }], null)
        })
      } catch (error) {
        log.error({ err: error, id }, 'outbox: an answer was not applied')
      }
    }
  }

  async function readAnswer(adapter: OutboxAdapter<W>, answer: Answer, message: Claimed): Promise<Outcome | string> {
    try {
      return (await adapter.read?.(answer, message)) ?? 'Ответ не читается'
    } catch (error) {
      return error instanceof Error ? error.message.slice(0, 500) : 'Ответ не читается'
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
      if (isNew) await jobs.send(ANSWERS, {}, { key: 'answers' })
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

interface Tried {
  one: Claimed
  outcome: Outcome
  durationMs: number | null
}

/** Whether the receiver works, as far as this attempt shows. */
const isThrough = ({ outcome }: Tried): boolean =>
  outcome.kind === 'failed' || outcome.kind === 'unknown' ? outcome.isAlone === true : true

const isAccepted = ({ outcome: { kind } }: Tried): boolean => kind === 'done' || kind === 'accepted'

const UNKNOWN = 'Неизвестно, дошло ли: проверьте во внешней системе, затем повторите или отметьте отправленным'

/** The message's next state after the outcome of an attempt. */
function fateOf<W>(adapter: OutboxAdapter<W>, one: Claimed, outcome: Outcome): Settled {
  const base = {
    error: null as string | null,
    reasons: [] as readonly Reason[],
    attempts: one.attempts,
    mustAsk: one.mustAsk,
    isTold: false,
    dueSeconds: null as number | null,
    code: outcome.code ?? null,
    sent: outcome.sent ?? null,
    received: outcome.received ?? null,
    correlationId: outcome.correlationId ?? null,
    isAnswered: outcome.kind === 'failed' && outcome.isAnswered === true,
  }
  const unlessTold = (settled: Settled): Settled => ({ ...settled, isTold: one.told === toldAs(settled) })
  switch (outcome.kind) {
    case 'done':
      return { ...base, state: 'done', error: outcome.note ?? null }
    case 'accepted': {
      const asks = adapter.ask && adapter.askMinutes
      return unlessTold({ ...base, state: 'awaiting', mustAsk: false, dueSeconds: asks ? asks * 60 : null })
    }
    case 'refused':
      return { ...base, state: 'refused', reasons: outcome.reasons, error: wordsOf(outcome.reasons), mustAsk: false }
    case 'later':
      return unlessTold({
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
        return unlessTold({ ...base, state: 'awaiting', error, dueSeconds: (adapter.askMinutes ?? 60) * 60 })
      if (isLost && (isForPerson || !adapter.ask))
        return unlessTold({ ...base, state: 'unknown', error, mustAsk: true })
      const wait = outcome.kind === 'failed' && outcome.isLast ? undefined : minutes[one.attempts]
      const asked = outcome.kind === 'failed' ? outcome.seconds : undefined
      const tried = { ...base, attempts: one.attempts + 1, error, mustAsk: one.mustAsk || isLost }
      return wait === undefined
        ? { ...tried, state: 'dead' }
        : unlessTold({ ...tried, state: 'waiting', dueSeconds: asked ?? wait * 60 })
    }
  }
}
