import type { Call } from '@ordinator/model/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Records } from './records.ts'

type Out<S> = S extends z.ZodType ? z.output<S> : undefined

export interface OperationContext<C> {
  app: AppContext
  /** The engine with the asking actor's rights. */
  records: Records
  actor: C extends { access: 'public' } ? ServerActor | undefined : ServerActor
  params: C extends { params: infer P } ? Out<P> : undefined
  query: C extends { query: infer Q } ? Out<Q> : undefined
  body: C extends { body: infer B } ? Out<B> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** What a handler answers: the shape declared, its JSON as PostgreSQL made it, or the reply that it has sent itself. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler of a 204 may end without a return
type Handled<C> = (C extends { answer: z.ZodType } ? z.input<C['answer']> | string : void) | FastifyReply

/** A declared call and what it does. */
export interface Operation extends Call {
  /** Before anything of what is asked is read: for a call whose door is its own. */
  before?(app: AppContext, request: FastifyRequest): Promise<void>
  handler(context: OperationContext<Required<Call>>): unknown
}

/** Implements a call. What it is given is checked before: wrong input is answered by 422 and names the field. */
export function operation<C extends Call>(
  call: C,
  handler: (context: OperationContext<C>) => Handled<C> | Promise<Handled<C>>,
): Operation {
  return { ...call, handler: handler as Operation['handler'] }
}
