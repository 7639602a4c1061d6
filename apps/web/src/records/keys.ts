import type { AnyListQuery } from '@ordinator/model/client'
import { type Linked, relationOf } from '@ordinator/model/entity'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { briefAt } from './declarations.ts'

/**
 * Keys of the query cache: `['records', path, 'list' | 'endless' | 'view' | 'history', ...]`. Realtime events invalidate
 * by path, and by the relations that a query expands.
 */
export const recordKeys = {
  all: (path: string) => ['records', path] as const,
  lists: (path: string) => ['records', path, 'list'] as const,
  list: (path: string, query: AnyListQuery) => ['records', path, 'list', query] as const,
  endless: (path: string, query: AnyListQuery) => ['records', path, 'list', query, 'endless'] as const,
  views: (path: string) => ['records', path, 'view'] as const,
  view: (path: string, id: number, query: { expand?: readonly string[]; fields?: readonly string[] } = {}) =>
    ['records', path, 'view', id, query] as const,
  /** Without a query: all pages of the record's history, for invalidation. */
  history: (path: string, id: number, query?: { limit: number; parts?: boolean; field?: string }) =>
    query === undefined
      ? (['records', path, 'history', id] as const)
      : (['records', path, 'history', id, query] as const),
}

/** True when a query's data may change with a record of `path`: its own entity, or one it expands. */
export function isAffectedBy(key: QueryKey, path: string): boolean {
  if (key[0] !== 'records' || typeof key[1] !== 'string') return false
  if (key[1] === path) return true
  const query = key.find((part): part is { expand?: unknown } => typeof part === 'object' && part !== null)
  const entity = briefAt(key[1])
  const names = query?.expand
  return entity !== undefined && Array.isArray(names) && names.some((name) => leadsTo(entity, String(name), path))
}

function leadsTo(from: Linked, dotted: string, path: string): boolean {
  let entity: Linked | undefined = from
  for (const step of dotted.split('.')) {
    const relation: { to: string } | undefined = entity && relationOf(entity, step)
    if (!relation) return false
    if (relation.to === path) return true
    entity = briefAt(relation.to)
  }
  return false
}

/** After a write to `path`: refetches everything that shows its records. */
export function invalidateRecords(cache: QueryClient, path: string): Promise<void> {
  return cache.invalidateQueries({ predicate: (query) => isAffectedBy(query.queryKey, path) })
}
