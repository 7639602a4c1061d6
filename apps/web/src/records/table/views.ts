import type { Entity } from '@ordinator/model/entity'
import { MAX_VIEW_NAME, type NamedView } from '#base/namedView.ts'
import { conditionText, parseConditions } from '../conditions.ts'
import type { ListState } from '../listState.ts'

/** A user's named filter, sorting and columns. */
export interface SavedView extends NamedView {
  search: string
  sort: string
  /** As in the URL: `importance.gte.5`. */
  filter: string[]
  columns: string[]
}

export const MAX_VIEWS = 50

/** Parses stored views; invalid ones are dropped. `contents` parses the content of one. */
export function readNamedViews<C extends object>(
  value: unknown,
  contents: (stored: Record<string, unknown>) => C,
): (C & NamedView)[] {
  const items = (value as { items?: unknown } | null)?.items
  if (!Array.isArray(items)) return []
  return items
    .filter((view) => typeof view === 'object' && view !== null)
    .flatMap((view: Record<string, unknown>) => {
      const { key, name } = view
      if (typeof key !== 'string' || typeof name !== 'string' || !key || !name) return []
      return [{ ...contents(view), key, name: name.slice(0, MAX_VIEW_NAME) }]
    })
    .slice(0, MAX_VIEWS)
}

const texts = (list: unknown) => (Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [])

/** The content of one stored view of a list. */
export const readView = (view: Record<string, unknown>): ViewContents => ({
  search: typeof view.search === 'string' ? view.search : '',
  sort: typeof view.sort === 'string' ? view.sort : '',
  filter: texts(view.filter),
  columns: texts(view.columns),
})

export const readViews = (value: unknown): { items: SavedView[] } => ({
  items: readNamedViews(value, readView),
})

/** The content of a view, without its name. */
export type ViewContents = Omit<SavedView, 'key' | 'name'>

export function contentsOf(state: ListState, columns: readonly string[]): ViewContents {
  return { search: state.search, sort: state.sort, filter: state.conditions.map(conditionText), columns: [...columns] }
}

/** The list state of a view. */
export function stateOfView(
  entity: Entity,
  view: SavedView,
): Pick<ListState, 'search' | 'sort' | 'conditions' | 'view'> {
  return { search: view.search, sort: view.sort, conditions: parseConditions(entity, view.filter), view: view.key }
}

export const isSame = (a: ViewContents, b: ViewContents): boolean =>
  JSON.stringify([a.search, a.sort, a.filter, a.columns]) === JSON.stringify([b.search, b.sort, b.filter, b.columns])

/** Parses a stored selection of columns, made without a view. */
export function readColumns(value: unknown): { shown: string[] } {
  const shown = (value as { shown?: unknown } | null)?.shown
  return { shown: Array.isArray(shown) ? shown.filter((key) => typeof key === 'string').slice(0, 100) : [] }
}
