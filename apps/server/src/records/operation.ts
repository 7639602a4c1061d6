import type { Call } from '@ordinator/model/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Tx } from '#platform/db.ts'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import { findOutcome, type Keyed, type Outcome, once } from './once.ts'
import type { Records } from './records.ts'

type Out<S> = S extends z.ZodType ? z.output<S> : undefined

export interface OperationContext<C> {
  app: AppContext
  /** The engine with the rights of the requesting actor. */
  records: Records
  actor: C extends { access: 'public' } ? ServerActor | undefined : ServerActor
  params: C extends { params: infer P } ? Out<P> : undefined
  query: C extends { query: infer Q } ? Out<Q> : undefined
  body: C extends { body: infer B } ? Out<B> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** Result of a handler: the declared shape, its JSON text from PostgreSQL, or the reply it has sent itself. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler of a 204 may end without a return
type Handled<C> = (C extends { answer: z.ZodType } ? z.input<C['answer']> | string : void) | FastifyReply

/** A declared call with its handler. */
export interface Operation extends Call {
  /** Runs before the body is read, for calls with their own authentication. */
  before?(app: AppContext, request: FastifyRequest): Promise<void>
  handler(context: OperationContext<Required<Call>>): unknown
  /** For a cached answer (`kept`) that depends on the client beyond params and query: a part of the cache key. */
  keptBy?(app: AppContext, request: FastifyRequest): Promise<string | number | null>
}

/** The parts of a call that is executed once by its key. */
interface Once<C, P> {
  /** Runs before the transaction, if the key is new: queries a slow device, for example. */
  prepare?(context: OperationContext<C>): Promise<P>
  /**
   * Runs in one transaction with the key.
   * @returns id of what it makes, for `answer`; undefined if nothing
   */
  once(context: OperationContext<C> & { tx: Tx; prepared: P }): Promise<number | undefined>
  /** Answers the first request and each repeat, after the commit; checks the rights of the requester itself. */
  answer(context: OperationContext<C> & Outcome): Handled<C> | Promise<Handled<C>>
}

/** Handler of a call without an idempotency key. */
export type Handler<C> = (context: OperationContext<C>) => Handled<C> | Promise<Handled<C>>

/** A call without an idempotency key. */
export type PlainCall = Call & { once?: never }

/** A declared call with an idempotency key. */
type KeyedCall = Call & { once: true; body: z.ZodType<{ key?: string | undefined }> }

/**
 * Implements a call. Input is validated before the handler: an error answers 422 and names the field. A call declared
 * `once` is given in parts: what is executed once, and what answers also each repeat.
 */
export function operation<C extends KeyedCall, P = undefined>(call: C, parts: Once<C, P>): Operation
export function operation<C extends PlainCall>(
  call: C,
  handler: Handler<C>,
  options?: Pick<Operation, 'keptBy'>,
): Operation
export function operation<C extends Call>(
  call: C,
  handler: Handler<C> | Once<C, unknown>,
  options: Pick<Operation, 'keptBy'> = {},
): Operation {
  const whole = typeof handler === 'function' ? handler : executedOnce(call, handler)
  return { ...call, ...options, handler: whole as Operation['handler'] }
}

/** A request without a key (where the call allows it) is executed each time. */
const executedOnce =
  <C extends Call>(call: C, { prepare, once: run, answer }: Once<C, unknown>): Handler<C> =>
  async (context) => {
    const asked = { ...Object(context.params), ...Object(context.body) } as { key?: string }
    const keyed: Keyed = { call, key: asked.key ?? crypto.randomUUID(), asked }
    const isRepeat = prepare && (await findOutcome(context.app.db, keyed))
    const prepared = isRepeat ? undefined : await prepare?.(context)
    const outcome = await once(context.records, keyed, (records, tx) => run({ ...context, records, tx, prepared }))
    return answer({ ...context, ...outcome })
  }
