/**
 * A call other than generic CRUD, declared once: the server implements it, OpenAPI describes it, the web calls it with
 * types. Each area declares its calls in `areas/<area>/calls.ts`, and `calls.ts` collects them. The web imports only types
 * from here: the validator stays out of its bundle.
 */
import { z } from 'zod'
import type { Allowed, Gate } from './access.ts'
import type { AnyFilter } from './client.ts'
import type { Entity, Row } from './entity.ts'
import { isCalendarDate } from './fields/dateTime.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export interface Call {
  method: Method
  /** With parameter names: `/tasks-management/boards/:id/tasks`. */
  path: string
  /** One Russian line for the API documentation. */
  summary: string
  /** `public`: no sign-in. */
  access: Allowed | 'public'
  /** A `public` call that uses the session if there is one: the handler then gets the actor. */
  signedIn?: 'optional'
  gate?: Gate
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /**
   * `form` accepts urlencoded and JSON; `multipart` leaves the body to the handler; `raw` passes the bytes unchanged,
   * whatever their type (`request.body` is a Buffer, or undefined), and its `body` is only for the documentation.
   */
  bodyType?: 'json' | 'form' | 'multipart' | 'raw'
  /** Bytes; absent: the default. Only for `raw`. */
  bodyLimit?: number
  /** Status of a successful answer, if not the default (`goodStatus`). */
  status?: number
  /** Other success statuses: 200 for an existing record beside 201, 206 for a part of a file. */
  also?: readonly (200 | 201 | 206)[]
  /** Shape of a successful answer; without this and `file`: 204. */
  answer?: z.ZodType
  /** The answer is a file of this type instead of JSON; with `answer`, only on request. */
  file?: string
  /** Refusal statuses besides those common to all calls. */
  refusals?: readonly (410 | 416 | 426)[]
  /** Requests per minute of one person, or one address without a sign-in; absent: limited only by its queue. */
  limit?: number
  /** Allowed while a temporary password must still be changed; every other authenticated call is refused then. */
  withTemporaryPassword?: true
  /** Critical: a password entered more than 15 minutes ago must be entered again (403 `proof`). */
  fresh?: true
  /** Uses a separate queue, so that sign-in never waits for other calls. */
  aside?: true
  /** Seconds for which the answer is cached for clients without a sign-in, for whom it is the same. Only for a GET. */
  kept?: number
  /**
   * Executed once by `key` of its body (`onceKey`): a repeat answers with the outcome of the first request, the same key
   * with another input answers 409 `key`. Implemented by `operation()`, described in OpenAPI.
   */
  once?: true
  /**
   * Long polling: its handler waits by `request.waitAside`, which frees its slot of the admission queue, and limits the
   * number of waiting requests.
   */
  waits?: true
}

/** Declares a call, keeping its literal type. */
export const call = <const C extends Call>(declared: C & Record<Exclude<keyof C, keyof Call>, never>): C => declared

/** For a call that returns a stored file, whole or in parts (Range, RFC 9110). */
export const inParts = { also: [206], refusals: [416] } as const

/** Status of a successful answer. */
export const goodStatus = ({ status, answer, file }: Call): number => status ?? (answer || file ? 200 : 204)

type Input<S> = S extends z.ZodType ? z.input<S> : never
type Part<C, K extends 'params' | 'query'> = C extends { [P in K]: z.ZodType }
  ? // An optional part may be omitted as a whole.
    object extends Input<C[K]>
    ? { [P in K]?: Input<C[K]> }
    : { [P in K]: Input<C[K]> }
  : unknown
type BodyPart<C> = C extends { bodyType: 'multipart' }
  ? { body: FormData | File }
  : C extends { bodyType: 'raw' }
    ? { body: Blob }
    : C extends { body: z.ZodType }
      ? object extends Input<C['body']>
        ? { body?: Input<C['body']> }
        : { body: Input<C['body']> }
      : unknown

/** The input of a call. */
export type Asked<C> = Part<C, 'params'> & Part<C, 'query'> & BodyPart<C>

/** The body of a call. */
export type BodyOf<C> = C extends { body: infer S extends z.ZodType } ? z.input<S> : never
/** The answer of a call; undefined for 204. */
export type Answered<C> = C extends { answer: z.ZodType } ? z.output<C['answer']> : undefined

const MAX_ID = Number.MAX_SAFE_INTEGER

/** An id in a body or an answer. */
export const id = z.int().positive().max(MAX_ID)
/** An id in a URL. */
export const idText = z.coerce.number<number>().int().positive().max(MAX_ID)
/** `:id` of a path. */
export const idParams = z.object({ id: idText })
/** In an answer of figures: the id of the run that counts them in the background. There are none yet: repeat the request. */
export const counting = { run: id.optional() }
/** A day, `YYYY-MM-DD`. */
export const day = z
  .string()
  .refine(
    (text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) && isCalendarDate(...(text.split('-').map(Number) as [number, number, number])),
    'Нужна дата',
  )
/** Idempotency key of a call that is executed `once`; generated by the client, a UUID for example. */
export const onceKey = z
  .string({ error: 'Нужен ключ операции' })
  .regex(/^[\w-]{8,64}$/, 'Ключ операции: от 8 до 64 латинских букв, цифр и дефисов')
/** A record of some entity, by field. */
export const anyRow = z.record(z.string(), z.unknown())

/** The filter of a list in the form of the web's client: `filter[…]=…`, which the engine validates. */
export const listFilter = z.custom<AnyFilter>().optional().describe('Как у списка: filter[поле][оператор]=значение')

const names = z.union([z.string(), z.array(z.string())]).optional()
/** Query parameters of viewing a record, for a call that passes them on; the engine validates them. */
export const viewQuery = { fields: names, expand: names, deleted: z.string().optional() }

/** A choice of the keys of the labels. */
export const oneOf = <K extends string>(labels: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(labels) as [K, ...K[]])

/**
 * A record of an entity in an answer; the documentation refers to the entity's schema.
 * @param More relations that the call expands
 */
export const rowOf = <E extends Entity, More = unknown>(entity: E) =>
  z.custom<Row<E> & More>().meta({ [ROW]: entity.path })

/** Schema key with the path of the record's entity. */
export const ROW = 'x-entity'

/** An object documented only as an object. */
export const shapeOf = <T extends object>() => z.custom<T>().meta({ type: 'object' })
