/** A call whose answer is figures that a request counts, or the background if that takes too long. */
import type { Call } from '@ordinator/model/call'
import type { z } from 'zod'
import type { Lane, Queryable } from '#platform/db.ts'
import type { ServerActor } from './actor.ts'
import type { OperationContext, PlainCall } from './operation.ts'
import type { PageCount } from './pageCount.ts'

/** Listed in `counts` of its area; the operation is derived (`withReports`). */
export interface CountedCall extends PageCount<object> {
  call: PlainCall
  /** @throws HttpError for what cannot be counted, before anything is queued */
  asked(context: OperationContext<Required<Call>>): object | Promise<object>
  /** The answer while the background counts. */
  empty(asked: object): object
}

type AnswerOf<C> = C extends { answer: infer A extends z.ZodType } ? z.output<A> : never

/** @param call its answer has `counting` of the model */
export const countedCall = <C extends PlainCall, Asked extends object>(
  call: C,
  parts: {
    asked(context: OperationContext<C>): Asked | Promise<Asked>
    count(db: Queryable | Lane, asked: Asked, actor: ServerActor): Promise<AnswerOf<C>>
    empty(asked: Asked): AnswerOf<C>
  },
): CountedCall => ({ call, key: call.path.slice(1), ...(parts as unknown as Omit<CountedCall, 'call' | 'key'>) })
