import { badRequest } from '#platform/errors.ts'

/** Limits of a list's query string. */
export const MAX_LIMIT = 500
const DEFAULT_LIMIT = 20
const MAX_PAGE = 1_000_000
const MAX_QUERY_KEYS = 200
const MAX_NAMES = 100

/** The parsed query string: a repeated key is a list. */
export type RawParams = Record<string, string | string[] | number | undefined>

/** A branch of `filter[..]`: nested brackets as nested maps. */
export type FilterTree = Map<string, FilterTree | string | string[]>

export interface ListQuery {
  filter: FilterTree
  sort: string | undefined
  limit: number
  page: number
  after: string | undefined
  fields: string[] | undefined
  expand: string[]
  /** `exact`: the full count, however long it takes. */
  count: boolean | 'exact'
  /** The trash instead of the living records. */
  deleted: boolean
  /** Words that must all occur in the searched fields, in any order; only in a plain list. */
  q?: string
}

const LIST_KEYS = new Set(['sort', 'limit', 'page', 'after', 'fields', 'expand', 'count', 'deleted'])
/** Of a plain list only: totals, exports and groups have no order by match. */
export const SOUGHT_KEYS: ReadonlySet<string> = new Set(['q'])
const MAX_SOUGHT = 200
const VIEW_KEYS = new Set(['fields', 'expand', 'deleted'])

/** @throws HttpError 400 that names an unknown or wrong key */
export function parseListQuery(raw: RawParams, more: ReadonlySet<string> = new Set()): ListQuery {
  const filter: FilterTree = new Map()
  const entries = Object.entries(raw)
  if (entries.length > MAX_QUERY_KEYS) throw badRequest(`Слишком много параметров: больше ${MAX_QUERY_KEYS}`)
  for (const [key, value] of entries) {
    if (value === undefined) continue
    if (key.startsWith('filter')) plant(filter, key, value)
    else if (!LIST_KEYS.has(key) && !more.has(key)) throw unknownKey(key)
  }
  const after = single(raw, 'after')
  if (after !== undefined && raw.page !== undefined) throw badRequest('Параметры page и after не сочетаются')
  const sought = more.has('q') ? single(raw, 'q')?.trim() : undefined
  if (sought && sought.length > MAX_SOUGHT) throw badRequest(`Параметр q длиннее ${MAX_SOUGHT} знаков`)
  if (sought && after !== undefined) throw badRequest('Параметры q и after не сочетаются')
  return {
    ...(sought && { q: sought }),
    filter,
    after,
    sort: single(raw, 'sort'),
    limit: whole(raw, 'limit', 0, MAX_LIMIT, DEFAULT_LIMIT),
    page: whole(raw, 'page', 1, MAX_PAGE, 1),
    fields: namesOf(raw, 'fields'),
    expand: namesOf(raw, 'expand') ?? [],
    count: raw.count === 'exact' ? 'exact' : flag(raw, 'count'),
    deleted: flag(raw, 'deleted'),
  }
}

/** @throws HttpError 400 that names an unknown or wrong key */
export function parseViewQuery(raw: RawParams): Pick<ListQuery, 'fields' | 'expand' | 'deleted'> {
  for (const key of Object.keys(raw)) if (!VIEW_KEYS.has(key)) throw unknownKey(key)
  return { fields: namesOf(raw, 'fields'), expand: namesOf(raw, 'expand') ?? [], deleted: flag(raw, 'deleted') }
}

/** @throws HttpError 400 that names a key the call does not accept */
export function refuseKeys(raw: RawParams, known: object = {}): void {
  for (const key of Object.keys(raw)) if (!Object.hasOwn(known, key)) throw unknownKey(key)
}

/** Parameters of a list that select the page and its form. */
const PAGE_KEYS: ReadonlySet<string> = new Set(['sort', 'limit', 'page', 'after', 'fields', 'expand', 'count'])

/**
 * The filter of a list, for totals over all of it: clients send the list's own parameters, and those of the page do not
 * affect totals.
 * @throws HttpError 400 that names an unknown or wrong key
 */
export const parseFilterQuery = (raw: RawParams): FilterTree =>
  parseListQuery(Object.fromEntries(Object.entries(raw).filter(([key]) => !PAGE_KEYS.has(key)))).filter

/** Shortens client input for an error text. */
export const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const unknownKey = (key: string) => badRequest(`Неизвестный параметр: ${shown(key)}`)

function single(raw: RawParams, key: string): string | undefined {
  const value = raw[key]
  if (Array.isArray(value)) throw badRequest(`Параметр ${key} указан несколько раз`)
  return value === undefined ? undefined : String(value)
}

function whole(raw: RawParams, key: string, min: number, max: number, byDefault: number): number {
  const text = single(raw, key)
  if (text === undefined) return byDefault
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw badRequest(`Параметр ${key} должен быть целым числом от ${min} до ${max}`)
  return value
}

function flag(raw: RawParams, key: string): boolean {
  const text = single(raw, key)
  if (text === undefined || text === '0' || text === 'false') return false
  if (text === '1' || text === 'true') return true
  throw badRequest(`Параметр ${key} должен быть 0 или 1`)
}

/** Names in a comma-separated parameter; undefined: not given. */
export function namesOf(raw: RawParams, key: string): string[] | undefined {
  const text = single(raw, key)
  if (text === undefined) return undefined
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (list.length > MAX_NAMES) throw badRequest(`Параметр ${key}: больше ${MAX_NAMES} имён`)
  return list
}

/** Adds `filter[a][b]=v` to the tree. */
function plant(tree: FilterTree, key: string, value: string | string[] | number): void {
  const brackets = /^filter((?:\[[^[\]]{1,200}\]){1,12})$/.exec(key)?.[1]
  if (!brackets) throw unknownKey(key)
  const segments = brackets.slice(1, -1).split('][')
  let node = tree
  for (const segment of segments.slice(0, -1)) {
    const next = node.get(segment) ?? new Map()
    if (!(next instanceof Map)) throw badRequest(`Фильтр ${shown(key)} противоречит другому`)
    node.set(segment, next)
    node = next
  }
  const last = segments.at(-1) as string
  if (node.has(last)) throw badRequest(`Фильтр ${shown(key)} противоречит другому`)
  node.set(last, typeof value === 'number' ? String(value) : value)
}
