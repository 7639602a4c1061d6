import type { Registry } from './define.ts'
import type { Records } from './records.ts'
import { mayDo } from './scope.ts'

/** Counting stops here: above it a badge shows «99+». */
const MOST = 100

/** Number of records awaiting the actor, by menu page; pages with none are left out. */
export async function badgesOf({ definitions }: Registry, records: Records): Promise<Record<string, number>> {
  const { actor } = records
  const asked = definitions.flatMap(({ entity, awaiting }) =>
    awaiting && mayDo(actor, 'view', entity) ? [{ entity, awaiting }] : [],
  )
  const counted = await Promise.all(
    asked.map(async ({ entity, awaiting: { page, of } }) => {
      const rows = await records.rows(entity, { ...of(actor.id), fields: 'id', sort: 'id', limit: MOST })
      return [page, rows.length] as const
    }),
  )
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}
