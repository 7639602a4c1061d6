import type { EntityAt } from './entities.ts'
import type { Create, Entity, Row, Update } from './entity.ts'
import type { HistoryEntry, HistoryQuery, RecordNames } from './history.ts'

/**
 * The typed client of the records engine (docs/architecture.md, `openapi.json`). Framework-independent: it builds requests
 * and leaves sending them to the caller, so that the web, the tests and scripts share it.
 */

/** A longer id list does not fit in a URL; callers must split it. */
export const maxIdsInFilter = 200

export type Scalar = string | number | boolean

/** Comparisons of one field. `null: true` matches empty values. */
export interface Comparison<T = Scalar> {
  eq?: T
  neq?: T
  in?: readonly T[]
  nin?: readonly T[]
  lt?: T
  lte?: T
  gt?: T
  gte?: T
  /** A pattern with % and _. */
  like?: string
  /** Contains, ignoring case; % and _ are literal. */
  ilike?: string
  null?: boolean
}

/** A plain value means `eq`; null means «is empty». */
export type Condition<T> = T | null | Comparison<T>

type RefTo<A extends string = string> = { to: string; as: A }
interface One<T extends Entity, N extends boolean> {
  entity: T
  several: false
  empty: N
}
interface Several<T extends Entity> {
  entity: T
  several: true
}
/** Whether an expanded reference may be null: not for the parent record. */
type MayBeEmpty<E extends Entity, K, X> = K extends E['within'] ? (X extends { nullable: true } ? true : false) : true

/** Targets of the names in `expand`, and of those before a dot. */
export type Relations<E extends Entity> = {
  [K in keyof E['fields'] as E['fields'][K] extends RefTo<infer A> ? A : never]: E['fields'][K] extends {
    to: infer P extends string
  }
    ? One<EntityAt<P>, MayBeEmpty<E, K, E['fields'][K]>>
    : never
} & {
  [K in keyof E['many'] & string]: Several<EntityAt<E['many'][K]['to']>>
}
export type RelationName<E extends Entity> = keyof Relations<E> & string
type Related<E extends Entity, H> = H extends keyof Relations<E>
  ? Relations<E>[H] extends { entity: infer T extends Entity }
    ? T
    : never
  : never

/** A field behind one relation: `task.name`. */
type FieldBehind<E extends Entity> = {
  [H in RelationName<E>]: `${H}.${keyof Row<Related<E, H>> & string}`
}[RelationName<E>]
type ValueBehind<E extends Entity, K> = K extends `${infer H}.${infer N}`
  ? N extends keyof Row<Related<E, H>>
    ? Row<Related<E, H>>[N]
    : never
  : never
type Asked<T> = Condition<Extract<NonNullable<T>, Scalar>>

/**
 * A filter; all its parts must hold. Through a relation: `{ 'task.name': 'x' }`; behind several relations only the first
 * name is typed: `{ 'executors.member.idUser': 5 }`.
 */
export type Filter<E extends Entity = Entity> = string extends E['path'] ? AnyFilter : KnownFilter<E>

type KnownFilter<E extends Entity> = {
  [K in keyof Row<E>]?: Asked<Row<E>[K]>
} & {
  [K in FieldBehind<E>]?: Asked<ValueBehind<E, K>>
} & {
  [K in `${RelationName<E>}.${string}.${string}`]: Condition<Scalar>
} & {
  or?: readonly Filter<E>[]
  and?: readonly Filter<E>[]
  not?: Filter<E>
}

type Parent<E extends Entity> = {
  [K in keyof E['fields']]: K extends E['within']
    ? E['fields'][K] extends { to: infer P extends string; as: infer A extends string }
      ? `${A}.${keyof Row<EntityAt<P>> & string}`
      : never
    : never
}[keyof E['fields']]

/** A field, with `-` in descending order; a field of the parent record by dots: `task.dateEnd`. */
export type SortKey<E extends Entity> = `${'' | '-'}${(keyof E['fields'] & string) | 'id' | Parent<E>}`

/** A relation of the entity, and nested ones by dots: `executors.member.user`. */
export type ExpandName<E extends Entity> = RelationName<E> | `${RelationName<E>}.${string}`

/** The part of a name before its first dot, and the rest after `H.`. */
type Head<X> = X extends `${infer H}.${string}` ? H : X
type Tail<X, H extends string> = X extends `${H}.${infer T}` ? T : never

/** The names of `X` that are paths of relations; any other becomes `never`. */
type ExpandPath<E extends Entity, X extends string> = X extends `${infer H}.${infer T}`
  ? `${H}.${ExpandPath<Related<E, H>, T>}`
  : X extends RelationName<E>
    ? X
    : never
/** The same for fields, which may be behind relations: `stages.name`. */
type FieldPath<E extends Entity, F extends string> = string extends F
  ? F
  : F extends `${infer H}.${infer T}`
    ? `${H}.${FieldPath<Related<E, H>, T>}`
    : F extends keyof Row<E> | RelationName<E>
      ? F
      : never

/** Fields behind a relation, in the form of `fields`: `behind('task.tags', ['name', 'color'])`. */
export const behind = <const P extends string, const F extends string>(path: P, fields: readonly F[]) =>
  fields.map((field): `${P}.${F}` => `${path}.${field}`)

/**
 * A record as returned: with the relations of `X` to any depth, as `'executors.member.user' | 'tags'`, and only the fields
 * of `F` if given, as `'name' | 'tags.color'`; `id` and `_version` are always included. A to-one relation is null when
 * there is no record or it is not visible.
 */
export type Expanded<E extends Entity, X extends string = never, F extends string = string> = string extends E['path']
  ? Row<E>
  : (string extends F ? Row<E> : Pick<Row<E>, Extract<keyof Row<E>, F | 'id' | '_version'>>) &
      ([X] extends [never]
        ? unknown
        : { [H in Head<X> & RelationName<E>]: Behind<Relations<E>[H], Tail<X, H>, Inner<F, H>> })

type Behind<R, X extends string, F extends string> = R extends { entity: infer T extends Entity; several: infer S }
  ? S extends true
    ? Expanded<T, X, F>[]
    : Expanded<T, X, F> | (R extends { empty: true } ? null : never)
  : never
/** Without named fields a relation has all of them. */
type Inner<F extends string, H extends string> = [Tail<F, H>] extends [never] ? string : Tail<F, H>

export interface ViewQuery<E extends Entity, X extends ExpandName<E> = never, F extends string = string> {
  fields?: readonly (F & FieldPath<E, F>)[]
  expand?: readonly (X & ExpandPath<E, X>)[]
}

export interface ListQuery<E extends Entity = Entity, X extends ExpandName<E> = never, F extends string = string>
  extends ViewQuery<E, X, F> {
  filter?: Filter<E>
  /** Words to seek in the searched fields: all of them, in any order, endings and mistakes forgiven; best match first. */
  q?: string
  /** `-dateCreate` or several keys. */
  sort?: SortKey<E> | readonly SortKey<E>[]
  /** Default 20, at most 500. */
  limit?: number
  page?: number
  /** `_meta.next` of the previous page, for infinite lists; instead of `page`. */
  after?: string
  /** Counts only on request: up to 10 000, or `exact`, whose cost grows with the number of records. */
  count?: boolean | 'exact'
  /** Deleted records instead of living ones (the trash). */
  deleted?: boolean
}

export interface ListMeta {
  currentPage: number
  perPage: number
  hasMore: boolean
  totalCount?: number
  /** There are more than `totalCount`, not counted further: `pageCount` is then absent. */
  totalIsMore?: true
  pageCount?: number
  /** Cursor of the next page. */
  next?: string
}

/** The total: Infinity above the counting limit; undefined when not requested or not loaded yet. */
export const totalOf = (meta: Pick<ListMeta, 'totalCount' | 'totalIsMore'> | undefined): number | undefined =>
  meta?.totalIsMore ? Number.POSITIVE_INFINITY : meta?.totalCount

export interface List<T> {
  items: T[]
  _meta: ListMeta
}

export interface GroupedQuery<E extends Entity = Entity, X extends ExpandName<E> = never, F extends string = string>
  extends Omit<ListQuery<E, X, F>, 'page' | 'after' | 'deleted' | 'q'> {
  /** A filter of the records that define the groups; at most 50 records per group are returned. */
  group?: AnyFilter
}

export interface Grouped<T> {
  groups: ({ key: number; items: T[] } & Pick<ListMeta, 'hasMore' | 'totalCount' | 'totalIsMore' | 'next'>)[]
}

/** Target of a move in an ordered group; `to` moves to another group. */
export interface MovePlace {
  before?: number
  after?: number
  at?: 'first' | 'last'
  to?: Record<string, number>
}

export interface BatchBody<E extends Entity> {
  create?: readonly Create<E>[]
  update?: readonly (Update<E> & { id: number })[]
  delete?: readonly number[]
  /** Also records in use: otherwise they are refused by 409 `asks` with the numbers. */
  sure?: boolean
}
export interface BatchAnswer<E extends Entity> {
  create: Row<E>[]
  update: Row<E>[]
  delete: number[]
}

export interface History extends List<HistoryEntry> {
  names: RecordNames
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With the query string. */
  path: string
  body?: unknown
  signal?: AbortSignal
}

export interface CallOptions {
  signal?: AbortSignal
}

export type ExportFormat = 'csv' | 'xlsx'

/**
 * @param send sends a request and returns the parsed body; throws for a refusal
 */
export function recordsClient(send: (request: Request) => Promise<unknown>) {
  const get = async <T>(path: string, options?: CallOptions) => (await send({ method: 'GET', path, ...options })) as T
  return {
    list: <E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
      entity: E,
      query: ListQuery<E, X, F> = {},
      options?: CallOptions,
    ): Promise<List<Expanded<E, X, F>>> => get(listPath(entity, query as AnyListQuery), options),

    /** The first records of each group of the entity's positions; `next` continues like `after` of a list. */
    grouped: <E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
      entity: E,
      query: GroupedQuery<E, X, F> = {},
      options?: CallOptions,
    ): Promise<Grouped<Expanded<E, X, F>>> =>
      get(`/${entity.path}/grouped${queryText(query as AnyListQuery)}`, options),

    view: <E extends Entity, X extends ExpandName<E> = never, const F extends string = string>(
      entity: E,
      id: number,
      query: ViewQuery<E, X, F> = {},
      options?: CallOptions,
    ): Promise<Expanded<E, X, F>> => get(`${recordPath(entity, id)}${queryText(query as AnyListQuery)}`, options),

    create: async <E extends Entity>(entity: E, body: Create<E>, options?: CallOptions) =>
      (await send({ method: 'POST', path: `/${entity.path}`, body, ...options })) as Row<E>,

    /** A partial update. With `_version` a stale write is refused by 409 with the current record. */
    update: async <E extends Entity>(entity: E, id: number, body: Update<E>, options?: CallOptions) =>
      (await send({ method: 'PUT', path: recordPath(entity, id), body, ...options })) as Row<E>,

    /** `sure`: also a record in use, which is otherwise refused by 409 `asks` with the numbers. */
    remove: async (
      entity: Entity,
      id: number,
      { sure, ...options }: CallOptions & { sure?: boolean } = {},
    ): Promise<void> => {
      await send({ method: 'DELETE', path: `${recordPath(entity, id)}${sure ? '?sure=1' : ''}`, ...options })
    },

    restore: async <E extends Entity>(entity: E, id: number, options?: CallOptions) =>
      (await send({ method: 'POST', path: `${recordPath(entity, id)}/restore`, body: {}, ...options })) as Row<E>,

    move: async <E extends Entity>(entity: E, id: number, place: MovePlace, options?: CallOptions) =>
      (await send({ method: 'POST', path: `${recordPath(entity, id)}/move`, body: place, ...options })) as Row<E>,

    /** All or nothing. */
    batch: async <E extends Entity>(entity: E, body: BatchBody<E>, options?: CallOptions) =>
      (await send({ method: 'POST', path: `/${entity.path}/batch`, body, ...options })) as BatchAnswer<E>,

    history: (entity: Entity, id: number, query: HistoryQuery = {}, options?: CallOptions) =>
      get<History>(`${recordPath(entity, id)}/history${historyText(query)}`, options),
  }
}

const historyText = ({ parts, field, ...pages }: HistoryQuery): string => {
  const more = [parts && 'parts=1', field && `field=${field}`].filter(Boolean).join('&')
  const text = queryText(pages)
  return more ? `${text ? `${text}&` : '?'}${more}` : text
}

export type RecordsClient = ReturnType<typeof recordsClient>

/** An untyped filter. */
export interface AnyFilter {
  [name: string]: Condition<Scalar> | AnyFilter | readonly AnyFilter[] | undefined
}

/** An untyped list query, for generic code. */
export interface AnyListQuery extends Omit<ListQuery, 'filter' | 'sort' | 'fields' | 'expand'> {
  filter?: AnyFilter
  group?: AnyFilter
  sort?: string | readonly string[]
  fields?: readonly string[]
  expand?: readonly string[]
}

/** `/tasks-management/tasks?filter[...]…` */
export function listPath(entity: Entity, query: AnyListQuery = {}): string {
  return `/${entity.path}${queryText(query)}`
}

/**
 * The export of a list with its filter, order and fields; references by their titles, all pages.
 * @param titles names of the columns, in the order of `query.fields`; absent: the fields' own labels
 */
export function exportPath(
  entity: Entity,
  format: ExportFormat,
  query: AnyListQuery = {},
  titles?: readonly string[],
): string {
  const { filter, sort, fields, deleted } = query
  const text = queryText({ filter, sort, fields, deleted })
  const named = titles ? `&titles=${encodeURIComponent(titles.join())}` : ''
  return `/${entity.path}/export?format=${format}${named}${text && `&${text.slice(1)}`}`
}

const recordPath = (entity: Entity, id: number) => `/${entity.path}/${id}`

/** `?filter[name][ilike]=x&sort=-id`, or '' without parameters. */
export function queryText(query: AnyListQuery): string {
  const parts: string[] = []
  const put = (key: string, value: Scalar | undefined) => {
    if (value !== undefined) parts.push(`${key}=${encodeURIComponent(scalarText(value))}`)
  }
  if (query.group) writeFilter(parts, 'group', query.group)
  if (query.filter) writeFilter(parts, 'filter', query.filter)
  put('q', query.q)
  put('sort', joined(query.sort))
  put('limit', query.limit)
  put('page', query.page)
  put('after', query.after)
  put('fields', joined(query.fields))
  put('expand', joined(query.expand))
  if (query.count) put('count', query.count === 'exact' ? 'exact' : 1)
  if (query.deleted) put('deleted', 1)
  return parts.length ? `?${parts.join('&')}` : ''
}

const joined = (value: string | readonly string[] | undefined): string | undefined =>
  (typeof value === 'string' ? value : value?.join(',')) || undefined

const scalarText = (value: Scalar) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value))

function writeFilter(parts: string[], prefix: string, filter: AnyFilter): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (condition === undefined) continue
    const key = `${prefix}[${encodeURIComponent(name)}]`
    if ((name === 'or' || name === 'and') && Array.isArray(condition)) {
      for (const [i, part] of condition.entries()) writeFilter(parts, `${key}[${i}]`, part as AnyFilter)
    } else if (name === 'not') {
      writeFilter(parts, key, condition as AnyFilter)
    } else if (condition === null) {
      parts.push(`${key}[null]=1`)
    } else if (typeof condition === 'object') {
      writeComparison(parts, key, condition as Comparison)
    } else {
      parts.push(`${key}=${encodeURIComponent(scalarText(condition as Scalar))}`)
    }
  }
}

function writeComparison(parts: string[], key: string, comparison: Comparison): void {
  for (const [op, value] of Object.entries(comparison)) {
    if (value === undefined) continue
    const name = `${key}[${op}]`
    if (!Array.isArray(value)) parts.push(`${name}=${encodeURIComponent(scalarText(value as Scalar))}`)
    // Lists are joined by commas; a list with a comma in a value repeats the key instead.
    else if (value.some((v) => String(v).includes(',')))
      for (const v of value) parts.push(`${name}=${encodeURIComponent(scalarText(v))}`)
    else parts.push(`${name}=${value.map((v) => encodeURIComponent(scalarText(v))).join(',')}`)
  }
}
