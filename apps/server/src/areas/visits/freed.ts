/** Handles freed time: an overbooked visit moves under the capacity and is no longer uncovered. */
import { Coupon } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { WriteContext } from '#records/define.ts'
import { dropEmpty } from './groups.ts'
import { EQUIPMENT, type Freed, ofCoupon, ROOMS, settle } from './occupancy.ts'
import { flagVisits } from './shifts.ts'

/** Runs after the new time is taken. Needs the locks of the freed resources. */
export async function settleFreed(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  { times, idGroups }: Freed,
): Promise<void> {
  const freed = [...times, ...(await dropEmpty(context, idGroups))]
  const capacities = await capacitiesOf(context.tx, [...new Set(freed.map(({ resource }) => resource))])
  for (const [resource, capacity] of capacities) await settle(context.tx, resource, capacity)
  const doctors = freed.filter(({ resource }) => resource < ROOMS)
  if (doctors.length > 0)
    await context.records.asSystem.updateWhere(
      Coupon,
      ({ row }) => sql`${row}."overbooked" and exists (select 1 from visit_occupancy o where ${ofCoupon(row)}
        and o."resource" = ${row}."idUser" and o."lane" = 0 and ${nearAny(doctors)})`,
      { overbooked: false },
      { pastHooks: 'Who stood in the way is gone' },
    )
  const things = freed.filter(({ resource }) => resource >= ROOMS)
  if (things.length > 0)
    await flagVisits(
      context,
      sql`exists (select 1 from visit_occupancy o where ${ofCoupon(raw('c'))} and ${nearAny(things)})`,
    )
}

/** SQL condition: the row `o` takes a freed resource near that time; lanes are reassigned over touching times. */
const nearAny = (freed: Freed['times']): Sql => sql`exists (
  select 1 from jsonb_to_recordset(${JSON.stringify(freed)}::jsonb) as t("resource" bigint, "from" timestamptz, "to" timestamptz)
  where t."resource" = o."resource"
    and o."during" && tstzrange(t."from" - interval '1 day', t."to" + interval '1 day'))`

async function capacitiesOf(tx: Tx, resources: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ resource: number; capacity: number }>(sql`
    select r as resource, case when r < ${ROOMS} then 1
      when r < ${EQUIPMENT} then (select f."capacity" from filials_rooms f where f."id" = r - ${ROOMS})
      else (select q."capacity" from filials_equipment q where q."id" = r - ${EQUIPMENT}) end as capacity
    from unnest(${resources}::bigint[]) r order by r`)
  return new Map(rows.map(({ resource, capacity }) => [resource, capacity ?? 1]))
}
