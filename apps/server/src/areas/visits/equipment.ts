/** What services are done with: so many pieces of a kind in a branch, each taken by one visit at a time. */
import { Equipment, EquipmentKind, ServiceEquipment } from '@ordinator/model/areas/visits/equipment'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { records, type WriteContext } from '../../records/define.ts'
import { equipmentResource, equipmentSql, lockResources, settle } from './occupancy.ts'
import { flagVisits } from './shifts.ts'

export const equipmentKinds = records(EquipmentKind)

export const equipment = records(Equipment, {
  hooks: {
    beforeUpdate: async ({ tx }, _, { id }) => lockResources(tx, [equipmentResource(id)]),
    afterUpdate: (context, { id, capacity }) => fit(context, id, capacity),
    beforeDelete: async ({ tx }, { id }) => lockResources(tx, [equipmentResource(id)]),
    afterDelete: (context, { id }) => fit(context, id, 0),
    afterRestore: (context, { id, capacity }) => fit(context, id, capacity),
  },
})

export const serviceEquipment = records(ServiceEquipment)

/** There is more of it or less: visits that it is no more enough for hang in the air, and say so. */
async function fit(context: WriteContext, id: number, capacity: number): Promise<void> {
  await settle(context.tx, equipmentResource(id), capacity)
  await flagVisits(
    context,
    sql`exists (select 1 from visit_occupancy o where o."idCoupon" = c."id" and o."resource" = ${equipmentResource(id)})`,
  )
}

/** Of a branch: how much there is of a kind. */
export interface Gear {
  idKind: number
  name: string
  /** Null: the branch has none of it. */
  id: number | null
  capacity: number
  cleaning: number
}

/** What each of the services needs, as the branch has it. */
export async function gearOf(
  db: Queryable,
  idFilial: number,
  idServices: readonly number[],
): Promise<Map<number, Gear[]>> {
  const rows = await db.query<Gear & { idService: number }>(sql`
    select n."idService", n."idKind", k."name", e."id", coalesce(e."capacity", 0) as "capacity",
      coalesce(e."cleaning", 0) as "cleaning"
    from service_equipment n join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
      left join filials_equipment e on e."idKind" = n."idKind" and e."idFilial" = ${idFilial} and not e."deleted"
    where n."idService" = any (${idServices}::bigint[]) and not n."deleted" order by n."idKind"`)
  return Map.groupBy(rows, ({ idService }) => idService)
}

/** One piece of each kind, whichever of the services need it. */
export const gearOfAll = (known: ReadonlyMap<number, readonly Gear[]>, idServices: readonly number[]): Gear[] => [
  ...new Map(idServices.flatMap((id) => known.get(id) ?? []).map((gear) => [gear.idKind, gear])).values(),
]

/** SQL of the names of what the coupon takes of the branch. */
export const namesOfGear = (row: Sql): Sql => sql`coalesce((select string_agg(k."name", ', ' order by k."name")
  from visit_occupancy o join filials_equipment e on ${equipmentSql(raw('e."id"'))} = o."resource"
    join equipment_kinds k on k."id" = e."idKind" where o."idCoupon" = ${row}."id"), '')`
