import type { Entity } from '@ordinator/model/entity'
import { conditionText, parseConditions } from '../conditions.ts'
import type { ListState } from '../listState.ts'

/** A named set of filter, sort and columns of one person. */
export interface SavedView {
  key: string
  name: string
  search: string
  sort: string
  /** As in the address: `importance.gte.5`. */
  filter: string[]
  columns: string[]
}

export const MAX_VIEWS = 50
export const MAX_VIEW_NAME = 64

/** Reads what was stored; a view that is not sound is left out. */
export function readViews(value: unknown): { items: SavedView[] } {
  const items = (value as { items?: unknown } | null)?.items
  if (!Array.isArray(items)) return { items: [] }
  return {
    items: items
      .map(soundView)
      .filter((view) => view !== undefined)
      .slice(0, MAX_VIEWS),
  }
}

function soundView(value: unknown): SavedView | undefined {
  const view = (value ?? {}) as Record<string, unknown>
  if (
    typeof view !== 'object' ||
    typeof view.key !== 'string' ||
    typeof view.name !== 'string' ||
    !view.key ||
    !view.name
  )
    return undefined
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [])
  return {
    key: view.key,
    name: view.name.slice(0, MAX_VIEW_NAME),
    search: typeof view.search === 'string' ? view.search : '',
    sort: typeof view.sort === 'string' ? view.sort : '',
    filter: texts(view.filter),
    columns: texts(view.columns),
  }
}

/** What a view keeps of the list, besides its name. */
export type ViewContents = Omit<SavedView, 'key' | 'name'>

export function contentsOf(state: ListState, columns: readonly string[]): ViewContents {
  return { search: state.search, sort: state.sort, filter: state.conditions.map(conditionText), columns: [...columns] }
}

/** The state that a view opens. */
export function stateOfView(
  entity: Entity,
  view: SavedView,
): Pick<ListState, 'search' | 'sort' | 'conditions' | 'view'> {
  return { search: view.search, sort: view.sort, conditions: parseConditions(entity, view.filter), view: view.key }
}

export const isSame = (a: ViewContents, b: ViewContents): boolean =>
  JSON.stringify([a.search, a.sort, a.filter, a.columns]) === JSON.stringify([b.search, b.sort, b.filter, b.columns])

/** Reads a stored choice of columns, made without a view. */
export function readColumns(value: unknown): { shown: string[] } {
  const shown = (value as { shown?: unknown } | null)?.shown
  return { shown: Array.isArray(shown) ? shown.filter((key) => typeof key === 'string').slice(0, 100) : [] }
}
