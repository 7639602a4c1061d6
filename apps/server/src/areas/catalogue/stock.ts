/** SQL of the free stock of a product, from the warehouse balances. */
import { MOST_SHOWN } from '@ordinator/model/areas/catalogue/inStock'
import { PRODUCT } from '@ordinator/model/areas/catalogue/service'
import sql, { empty, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import { publicFilial } from './shown.ts'

/**
 * Issuable batches: neither reserved, nor blocked, nor in quarantine. `t` is the balance, `w` its warehouse.
 * @param more conditions, after `and`
 */
export const freeStock = (row: Sql, more: Sql = empty): Sql => sql`from warehouse_stock t
  join warehouse_batches b on b."id" = t."idBatch" and b."state" = 'free'
    and (b."expiry" is null or b."expiry" >= ${clinicToday})
  join warehouses w on w."id" = t."idWarehouse" and w."kind" <> 'quarantine' and not w."deleted"
  where t."idProduct" = ${row}."id" and t."qty" > 0 and t."qty" > t."reserved"${more}`

/** Sales warehouse of a branch: the one of the settings, else its main ones. */
const sellsFrom = (w: Sql): Sql => sql`${w}."active" and not ${w}."deleted" and coalesce(
  ${w}."id" = (select (c."value" ->> ${w}."idFilial"::text)::bigint from common_settings c where c."name" = 'defaultWarehouses'),
  ${w}."kind" = 'main')`

/**
 * By visible branches: `[{ idFilial, filial, free }]`, `free` in whole units up to MOST_SHOWN. Empty for a service, for
 * a product without stock records, and for a branch without a sales warehouse.
 */
export const publicStock = (row: Sql, filialName: Sql): Sql => sql`case when ${row}."serviceCategory" = ${PRODUCT}
    and exists (select 1 from warehouse_stock k where k."idProduct" = ${row}."id" and not k."deleted") then
  coalesce((select json_agg(json_build_object('idFilial', f."id", 'filial', ${filialName},
      'free', least(floor(coalesce((select sum(t."qty" - t."reserved") ${freeStock(row)}
        and w."idFilial" = f."id" and ${sellsFrom(sql`w`)}), 0)), ${MOST_SHOWN}::int)::int) order by f."nameFilial", f."id")
    from filials f where ${publicFilial(sql`f`)}
      and exists (select 1 from warehouses o where o."idFilial" = f."id" and ${sellsFrom(sql`o`)})), '[]')
  else '[]' end`
