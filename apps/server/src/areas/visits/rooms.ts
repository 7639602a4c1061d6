/** Rooms of a branch as resources of visits, with a capacity. */
import { FilialRoom } from '@ordinator/model/areas/filials/filial'
import sql, { raw } from 'sql-template-tag'
import { records, type WriteContext } from '#records/define.ts'
import { lockGear, lockResources, ofCoupon, roomResource, settle } from './occupancy.ts'
import { flagVisits } from './shifts.ts'

export const filialRooms = records(FilialRoom, {
  found: {
    on: 'calendar',
    group: 'Кабинеты',
    by: ['name', 'equipment'],
    opens: ({ row }) => sql`'/calendar?filial=' || ${row}."idFilial" || '&by=rooms'`,
    hint: ({ row }) =>
      sql`(select coalesce(f."shortFilialName", f."nameFilial") from filials f where f."id" = ${row}."idFilial")`,
  },
  hooks: {
    afterUpdate: (context, { id, capacity }, before) =>
      capacity === before.capacity ? undefined : refit(context, id, capacity),
    afterDelete: (context, { id, capacity }) => refit(context, id, capacity),
    afterRestore: (context, { id, capacity }) => refit(context, id, capacity),
  },
})

/** On a change of places or a delete, marks the visits that no longer fit as uncovered. */
async function refit(context: WriteContext, id: number, capacity: number): Promise<void> {
  const resource = roomResource(id)
  // Bookings read the capacity under this lock.
  await lockGear(context.tx, false)
  await lockResources(context.tx, [resource])
  await settle(context.tx, resource, capacity)
  await flagVisits(
    context,
    sql`exists (select 1 from visit_occupancy o where ${ofCoupon(raw('c'))} and o."resource" = ${resource})`,
  )
}
