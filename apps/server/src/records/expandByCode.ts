/**
 * Names of `expand` that are computed by code instead of SQL (`expandByCode` of a definition), added to each record.
 */
import { badRequest } from '#platform/errors.ts'
import type { Definition, ExpandByCode } from './define.ts'
import type { ListQuery } from './params.ts'

/** Maximum records per answer for such values. */
const MAX_BY_CODE = 50

interface Shown extends Pick<ListQuery, 'fields' | 'expand'> {
  limit?: number
}

/**
 * Splits a query into the part for SQL and the names that `addByCode` adds to the answer.
 * @throws HttpError 400 when there may be too many records
 */
export function splitByCode<Q extends Shown>(d: Definition, q: Q): { q: Q; names: string[] } {
  const names = q.expand.filter((name) => d.expandByCode && Object.hasOwn(d.expandByCode, name))
  if (names.length === 0) return { q, names }
  if (q.limit !== undefined && q.limit > MAX_BY_CODE)
    throw badRequest(`С expand=${names.join()} параметр limit должен быть не больше ${MAX_BY_CODE}`)
  const rest = (asked: readonly string[]) => asked.filter((name) => !names.includes(name))
  return { q: { ...q, expand: rest(q.expand), fields: q.fields && rest(q.fields) }, names }
}

/** JSON text of the records with the computed values added. */
export async function addByCode(
  d: Definition,
  names: readonly string[],
  text: string,
  context: Parameters<ExpandByCode>[0],
): Promise<string> {
  const items = JSON.parse(text) as ({ id: number } & Record<string, unknown>)[]
  const ids = items.map(({ id }) => id)
  for (const name of names) {
    const values = await d.expandByCode?.[name]?.(context, ids)
    for (const item of items) item[name] = values?.get(item.id) ?? null
  }
  return JSON.stringify(items)
}
