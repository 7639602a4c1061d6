import type { Actor } from '@ordinator/model/access'
import type { AnyFilter, AnyListQuery } from '@ordinator/model/client'
import { type AnyField, declaredAt, type Entity, isVisible } from '@ordinator/model/entity'
import { isReadable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { conditionText, type FieldCondition, filterOf, parseConditions } from './conditions.ts'

/** State of a list in the URL: `?q=…&sort=-name&filter=importance.gte.5&page=2&limit=50&view=…`. */
export interface ListState {
  search: string
  /** `-dateCreate`; '' is the entity's default order. */
  sort: string
  conditions: FieldCondition[]
  page: number
  limit: number
  /** Key of the open saved view. */
  view: string
}

export const pageSizes = [20, 50, 100, 200, 500] as const
const MAX_PAGE = 100_000
const MAX_TEXT = 200

export type ListDefaults = Partial<Omit<ListState, 'page' | 'view'>>

/** URL parameters of one list; `prefix` separates two lists on a page. */
export type Search = Record<string, unknown>

export const standardState = (defaults: ListDefaults): ListState => ({
  search: '',
  sort: '',
  conditions: [],
  limit: 20,
  ...defaults,
  page: 1,
  view: '',
})

/**
 * Parses the list's part of the URL. Accepts anything: an unknown or invalid value becomes the default, and the page still
 * opens.
 */
export function readListState(
  entity: Entity,
  search: Search,
  defaults: ListDefaults = {},
  prefix = '',
  actor?: Actor,
): ListState {
  const base = standardState(defaults)
  const given = (name: string) => (Object.hasOwn(search, prefix + name) ? search[prefix + name] : undefined)
  const conditions = given('filter') === undefined ? base.conditions : parseConditions(entity, given('filter'))
  return {
    search: given('q') === undefined ? base.search : textOf(given('q')),
    sort: sortOf(entity, given('sort'), actor) ?? base.sort,
    conditions: actor ? conditions.filter((c) => visible(entity, c.field, actor)) : conditions,
    page: wholeOf(given('page'), MAX_PAGE) ?? 1,
    limit: pageSizes.find((size) => size === wholeOf(given('limit'), MAX_PAGE)) ?? base.limit,
    view: textOf(given('view')),
  }
}

/** The parameters to set; values equal to the default are undefined and leave the URL. */
export function writeListState(state: ListState, defaults: ListDefaults = {}, prefix = ''): Search {
  const base = standardState(defaults)
  const conditions = state.conditions.map(conditionText)
  const same = conditions.join('\n') === base.conditions.map(conditionText).join('\n')
  const values: Search = {
    q: state.search === base.search ? undefined : state.search,
    sort: state.sort === base.sort ? undefined : state.sort,
    // An empty list means that the default filter was removed.
    filter: same ? undefined : conditions.length === 1 ? conditions[0] : conditions,
    page: state.page === 1 ? undefined : state.page,
    limit: state.limit === base.limit ? undefined : state.limit,
    view: state.view || undefined,
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))
}

function textOf(value: unknown): string {
  const text =
    typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return text.slice(0, MAX_TEXT)
}

function wholeOf(value: unknown, max: number): number | undefined {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,9}$/.test(value)
        ? Number(value)
        : Number.NaN
  return Number.isInteger(number) && number >= 1 && number <= max ? number : undefined
}

function sortOf(entity: Entity, value: unknown, actor?: Actor): string | undefined {
  if (typeof value !== 'string') return undefined
  if (value === '') return ''
  const field = value.replace(/^-/, '')
  return isSortable(entity, field) && (!actor || visible(entity, field, actor)) ? value : undefined
}

export function isSortable(entity: Entity, field: string): boolean {
  const f = fieldOf(entity, field)
  return f !== undefined && isReadable(f) && !f.unsortable && !f.long
}

/** A field of the entity, or by dots of its parent: `task.dateEnd`. */
function fieldOf(entity: Entity, field: string): AnyField | undefined {
  if (Object.hasOwn(entity.all, field)) return entity.all[field]
  const [as, own = ''] = field.split('.')
  const reference = entity.within ? entity.fields[entity.within] : undefined
  const parent = reference && isRef(reference) && reference.as === as ? declaredAt(reference.to) : undefined
  return parent && Object.hasOwn(parent.all, own) ? parent.all[own] : undefined
}

const visible = (entity: Entity, field: string, actor: Actor) => {
  const f = fieldOf(entity, field)
  return f !== undefined && isVisible(f, actor)
}

/** The server query of a list in this state. `fixed` is the screen's own filter, invisible to the user. */
export function listQueryOf(entity: Entity, state: ListState, fixed?: AnyFilter): AnyListQuery {
  const own = filterOf(entity, state.search, state.conditions)
  const filter = fixed && own ? { and: [fixed, own] } : (fixed ?? own)
  return { filter, sort: state.sort || undefined, limit: state.limit, page: state.page, count: true }
}
