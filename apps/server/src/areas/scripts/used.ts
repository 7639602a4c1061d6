import { can } from '@ordinator/model/access'
import { RegulationStep } from '@ordinator/model/areas/regulations/step'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import { scriptCalls } from '@ordinator/model/areas/scripts/calls'
import { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Entity, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { funnelsWith, stepsWith } from './uses.ts'

/** Maximum number of named places of each kind; the others are counted. */
const MAX_NAMED = 200

/** Uses of a script: visible ones by name, the rest as a number. */
export const used = operation(scriptCalls.used, async ({ app, records, params }) => {
  await records.row(OldScript, params.id)
  const idScript = sql`${params.id}::bigint`
  const [funnels, steps] = await Promise.all([
    app.db.query<{ id: number }>(sql`select uf."id" ${funnelsWith(idScript)} order by uf."order", uf."id"`),
    app.db.query<{ id: number }>(sql`select ut."id" ${stepsWith(idScript)} order by ur."name", ut."order", ut."id"`),
  ])
  const visibleFunnels = await visibleRecords(records, Funnel, funnels, {})
  const visibleSteps = await visibleRecords(records, RegulationStep, steps, { expand: 'regulation' })
  return {
    funnels: visibleFunnels.map(({ id, name }) => ({ id, name })),
    steps: visibleSteps.map((step) => ({
      id: step.id,
      title: step.title,
      idRegulation: step.idRegulation,
      regulation: (step as unknown as { regulation: { name: string } | null }).regulation?.name ?? '',
    })),
    hidden: { funnels: funnels.length - visibleFunnels.length, steps: steps.length - visibleSteps.length },
  }
})

/** The records in the user's scope, in the given order. */
async function visibleRecords<E extends Entity>(
  records: Records,
  entity: E,
  all: readonly { id: number }[],
  query: Record<string, string>,
): Promise<Row<E>[]> {
  const asked = all.slice(0, MAX_NAMED).map((one) => one.id)
  if (asked.length === 0 || !can(records.actor, 'view', entity)) return []
  const rows = await records.rows(entity, { ...query, 'filter[id][in]': asked.join(), limit: MAX_NAMED })
  const byId = new Map<number, Row<E>>(rows.map((row) => [row.id, row]))
  return asked.flatMap((one) => byId.get(one) ?? [])
}
