/**
 * A call that is not one of the engine's, declared once: the server implements it, OpenAPI describes it, the web asks it
 * typed. Each area declares its own in `areas/<area>/calls.ts`, and `calls.ts` gathers them. The web takes nothing but
 * types from here: the validator stays out of its bundle.
 */
import { z } from 'zod'
import type { Allowed, Gate } from './access.ts'
import type { AnyFilter } from './client.ts'
import type { Entity, Row } from './entity.ts'
import { isCalendarDate } from './fields/dateTime.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export interface Call {
  method: Method
  /** With the parameters' names: `/tasks-management/boards/:id/tasks`. */
  path: string
  /** One Russian line for the API's readers. */
  summary: string
  /** `public`: no sign-in. */
  access: Allowed | 'public'
  /** A `public` call that whoever is signed in may ask as oneself: the handler has the actor then. */
  signedIn?: 'optional'
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
  /** Status of a good answer, where it is not the usual one (`goodStatus`). */
  status?: number
  /** Other statuses of the same good answer: 200 for what was there already beside 201, 206 for a part of a file. */
  also?: readonly (200 | 201 | 206)[]
  /** Shape of a good answer; neither this nor `file`: 204. */
  answer?: z.ZodType
  /** The answer is not JSON but a file of this type; with `answer`, where it is asked for as one. */
  file?: string
  /** Statuses by which it refuses besides those that every call may answer. */
  refusals?: readonly (410 | 416 | 426)[]
  /** Requests a minute of one person, or of one address without a sign-in; none: its line alone bounds it. */
  limit?: number
  /** Open to whoever has to set a password of their own first; every other call that asks who is there refuses them. */
  withTemporaryPassword?: true
  /** It is grave: whoever gave the password longer than a quarter of an hour ago is asked for it again (403 `proof`). */
  fresh?: true
  /** Kept apart from all other calls, so that these never wait for them: of sign-in. */
  aside?: true
  /** Seconds for which the answer to who is not signed in is kept, as it is the same for all of them. Only of a GET. */
  kept?: number
  /** It waits for news, and so takes no place among those that work; its handler bounds how many wait. */
  waits?: true
}

/** Declares a call: what it is stays in its type, to the letter. */
export const call = <const C extends Call>(declared: C & Record<Exclude<keyof C, keyof Call>, never>): C => declared

/** Of a call that gives what is stored, whole or in parts (Range, RFC 9110). */
export const inParts = { also: [206], refusals: [416] } as const

/** The status of a good answer. */
export const goodStatus = ({ status, answer, file }: Call): number => status ?? (answer || file ? 200 : 204)

type Input<S> = S extends z.ZodType ? z.input<S> : never
type Part<C, K extends 'params' | 'query'> = C extends { [P in K]: z.ZodType }
  ? // An optional part may be left out as a whole.
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

/** What one asks a call with. */
export type Asked<C> = Part<C, 'params'> & Part<C, 'query'> & BodyPart<C>

/** The body that a call takes. */
export type BodyOf<C> = C extends { body: infer S extends z.ZodType } ? z.input<S> : never
/** What a call answers; undefined for 204. */
export type Answered<C> = C extends { answer: z.ZodType } ? z.output<C['answer']> : undefined

const MAX_ID = Number.MAX_SAFE_INTEGER

/** An id in a body or an answer. */
export const id = z.int().positive().max(MAX_ID)
/** An id in an address. */
export const idText = z.coerce.number<number>().int().positive().max(MAX_ID)
/** `:id` of a path. */
export const idParams = z.object({ id: idText })
/** A day, `YYYY-MM-DD`. */
export const day = z
  .string()
  .refine(
    (text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) && isCalendarDate(...(text.split('-').map(Number) as [number, number, number])),
    'Нужна дата',
  )
/** A record of some entity, by field. */
export const anyRow = z.record(z.string(), z.unknown())

/** The filter of a list, as the web's client writes it: `filter[…]=…` of the engine, which checks it. */
export const listFilter = z.custom<AnyFilter>().optional().describe('Как у списка: filter[поле][оператор]=значение')

const names = z.union([z.string(), z.array(z.string())]).optional()
/** What the engine takes at the view of a record, for a call that hands it on; the engine checks it. */
export const viewQuery = { fields: names, expand: names, deleted: z.string().optional() }

/** The values of labels, as a choice. */
export const oneOf = <K extends string>(labels: Readonly<Record<K, unknown>>) =>
  z.enum(Object.keys(labels) as [K, ...K[]])

/**
 * A record of an entity in an answer; the document names the entity's own schema.
 * @param More relations that the call expands
 */
export const rowOf = <E extends Entity, More = unknown>(entity: E) =>
  z.custom<Row<E> & More>().meta({ [ROW]: entity.path })

/** The key under which a schema says whose record it is. */
export const ROW = 'x-entity'

/** An object of which the document says no more than its type does. */
export const shapeOf = <T extends object>() => z.custom<T>().meta({ type: 'object' })
