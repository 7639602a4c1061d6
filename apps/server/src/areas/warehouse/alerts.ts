/** Daily alerts to storekeepers: expiring batches, and goods below their minimum. */
import { counted } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { holdsSql } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { closeDays } from './ledger.ts'

const MAX_RECIPIENTS = 50
const MOST_NAMED = 5
const GOODS = ['товар', 'товара', 'товаров'] as const

export function startAlerts(app: AppContext): void {
  app.jobs.register('warehouse.closes', { cron: '*/5 * * * *', handler: async () => void (await closeDays(app.db)) })
  app.jobs.register('warehouse.alerts', {
    cron: '0 8 * * *',
    handler: () =>
      app.engine.for(systemActor).tx(async (records, tx) => {
        for (const { idUsers, ...notice } of [...(await expiring(tx)), ...(await fallen(tx))])
          await notify({ actor: systemActor, records, tx }, idUsers, notice)
      }),
  })
}

interface Alert {
  idUsers: number[]
  kind: 'stock.expiry' | 'stock.low'
  title: string
  text?: string
  link: string
}

/** Batches whose notice is due today, and those that expired yesterday; by warehouse. */
async function expiring(tx: Tx): Promise<Alert[]> {
  const { expiryNotice } = await readCommonSettings(tx)
  if (expiryNotice === 0) return []
  const found = await tx.query<{ idUsers: number[]; name: string; soon: number; over: number }>(sql`
    with today as (select ${clinicToday} as "day")
    select array_remove(w."keepers" || w."idUser", null)::float8[] as "idUsers", w."name",
      count(*) filter (where b."expiry" = "day" + ${expiryNotice}::int)::int as soon,
      count(*) filter (where b."expiry" = "day" - 1)::int as over
    from today, warehouses w join warehouse_stock s on s."idWarehouse" = w."id" and s."qty" > 0
      join warehouse_batches b on b."id" = s."idBatch"
    where not w."deleted" and b."expiry" in ("day" + ${expiryNotice}::int, "day" - 1) group by w."id" order by w."id"`)
  const everybody = await storekeepers(tx)
  return found.map(({ idUsers, name, soon, over }) => ({
    idUsers: idUsers.length > 0 ? idUsers : everybody,
    kind: 'stock.expiry',
    title: `Склад «${name}»: ${[
      over > 0 && `истёк срок у партий: ${over}`,
      soon > 0 && `через ${expiryNotice} дн. истечёт: ${soon}`,
    ]
      .filter(Boolean)
      .join(', ')}`,
    link: over > 0 ? '/warehouse/goods?only=expired' : '/warehouse/goods?only=expiring',
  }))
}

/** Goods that have fallen below their minimum since yesterday morning. */
async function fallen(tx: Tx): Promise<Alert[]> {
  const goods = await tx.query<{ name: string }>(sql`
    select p."nameService" as name from services p
    cross join lateral (select coalesce(sum(s."qty"), 0) as "now" from warehouse_stock s
      where s."idProduct" = p."id" and s."qty" > 0) s
    where p."serviceCategory" = 1 and not p."deleted" and p."active" and s."now" < p."minStock"
      and s."now" - coalesce((select sum(m."qty") from warehouse_moves m where m."idProduct" = p."id"
        and m."localDate" >= ${clinicToday} - 1), 0) >= p."minStock"
    order by p."nameService" limit 1000`)
  if (goods.length === 0) return []
  const named = goods.slice(0, MOST_NAMED).map(({ name }) => name)
  return [
    {
      idUsers: await storekeepers(tx),
      kind: 'stock.low',
      title: `Ниже минимума: ${counted(goods.length, GOODS)}`,
      text: `${named.join(', ')}${goods.length > MOST_NAMED ? ` и ещё ${goods.length - MOST_NAMED}` : ''}`.slice(
        0,
        500,
      ),
      link: '/warehouse/goods?only=low',
    },
  ]
}

/** Responsible employees and users of a warehouse; if none is named, users with the right to edit its documents. */
async function storekeepers(tx: Tx): Promise<number[]> {
  const named = await tx.query<{ id: number }>(sql`select distinct u."id"::float8 as id from warehouses w
    cross join lateral unnest(w."keepers" || w."idUser") as k("id") join users u on u."id" = k."id" and not u."deleted" and not u."isBlocked"
    where not w."deleted" limit ${MAX_RECIPIENTS}`)
  if (named.length > 0) return named.map(({ id }) => id)
  const holders = await tx.query<{ id: number }>(sql`select u."id"::float8 as id from users u
    where not u."deleted" and not u."isBlocked" and ${holdsSql(raw('u."id"'), 'editWarehouse')} order by u."id" limit ${MAX_RECIPIENTS}`)
  return holders.map(({ id }) => id)
}
