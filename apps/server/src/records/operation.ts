import type { Allowed, Gate } from '@ordinator/model/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ServerActor } from './actor.ts'
import type { AppContext } from './context.ts'
import type { Records } from './records.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Shape = z.ZodType | undefined
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

export interface OperationContext<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  A extends ServerActor | undefined,
> {
  app: AppContext
  /** The engine with the asking actor's rights. */
  records: Records
  actor: A
  params: Out<P>
  query: Out<Q>
  body: Out<B>
  request: FastifyRequest
  reply: FastifyReply
}

/** A call that is not one of the engine's. Everything of it stands in the OpenAPI document. */
export interface Operation {
  method: Method
  /** With fastify's parameters: `/tasks-management/boards/:id/tasks`. */
  path: string
  /** One Russian line for the API's readers. */
  summary: string
  /** `public`: no sign-in. */
  access: Allowed | 'public'
  gate?: Gate
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /**
   * `form` takes urlencoded and JSON alike; `multipart` leaves the body to the handler; `raw` gives it the bytes as they
   * came, whatever their type (`request.body` is a Buffer, or undefined), and its `body` is for the document only.
   */
  bodyType?: 'json' | 'form' | 'multipart' | 'raw'
  /** Bytes; absent: the house's. Only for `raw`. */
  bodyLimit?: number
  /** Status of a good answer (200) and its shape; none: 204 or a stream. */
  status?: number
  answer?: z.ZodType
  /** Requests a minute from one address; none: the house's. */
  limit?: number
  handler(context: OperationContext<z.ZodType, z.ZodType, z.ZodType, ServerActor>): unknown
}

/** Declares an operation with its types inferred from its schemas. Wrong input is answered by 422 and names the field. */
export function operation<
  const A extends Allowed | 'public',
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  own: Omit<Operation, 'handler' | 'access' | 'params' | 'query' | 'body'> & {
    access: A
    params?: P
    query?: Q
    body?: B
    handler(context: OperationContext<P, Q, B, A extends 'public' ? ServerActor | undefined : ServerActor>): unknown
  },
): Operation {
  return own as unknown as Operation
}
