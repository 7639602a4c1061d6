/** Once a day whoever answers for a warehouse is told what expires soon and what is below its minimum. */
import sql from 'sql-template-tag'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { notify } from '../notifications/index.ts'
import { readCommonSettings } from '../settings/index.ts'
import { closeDays } from './ledger.ts'

export function startAlerts(app: AppContext): void {
  app.jobs.register('warehouse.closes', { cron: '*/5 * * * *', handler: () => closeDays(app.db) })
  app.jobs.register('warehouse.alerts', { cron: '0 8 * * *', handler: () => tellExpiring(app) })
}

async function tellExpiring(app: AppContext): Promise<void> {
  const { expiryNotice } = await readCommonSettings(app.db)
  if (expiryNotice === 0) return
  const found = await app.db.query<{ idUsers: number[]; name: string; soon: number; over: number }>(sql`
    select array_remove(w."keepers" || w."idUser", null) as "idUsers", w."name",
      count(*) filter (where b."expiry" = current_date + ${expiryNotice}::int)::int as soon,
      count(*) filter (where b."expiry" = current_date - 1)::int as over
    from warehouses w join warehouse_stock s on s."idWarehouse" = w."id" and s."qty" > 0 join warehouse_batches b on b."id" = s."idBatch"
    where not w."deleted" and b."expiry" in (current_date + ${expiryNotice}::int, current_date - 1) group by w."id"`)
  await app.engine.for(systemActor).tx(async (records, tx) => {
    for (const { idUsers, name, soon, over } of found) {
      const parts = [
        over > 0 && `истёк срок у партий: ${over}`,
        soon > 0 && `через ${expiryNotice} дн. истечёт: ${soon}`,
      ].filter(Boolean)
      await notify({ actor: systemActor, records, tx }, idUsers, {
        kind: 'stock',
        title: `Склад «${name}»: ${parts.join(', ')}`,
        link: '/warehouse',
      } as never)
    }
  })
}
