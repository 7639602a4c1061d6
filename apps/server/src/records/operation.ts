import type { Call } from '@ordinator/model/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
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

/** Implements a call. Input is validated before the handler: an error answers 422 and names the field. */
export function operation<C extends Call>(
  call: C,
  handler: (context: OperationContext<C>) => Handled<C> | Promise<Handled<C>>,
  options: Pick<Operation, 'keptBy'> = {},
): Operation {
  return { ...call, ...options, handler: handler as Operation['handler'] }
}
