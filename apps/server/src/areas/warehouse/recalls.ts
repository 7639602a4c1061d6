/** A recall holds a series: in all warehouses, in any spelling, and in what comes later. */
import { seriesKey } from '@ordinator/model/areas/warehouse/series'
import { Batch } from '@ordinator/model/areas/warehouse/stock'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

type BatchRow = Row<typeof Batch>
type Held = Pick<BatchRow, 'state' | 'stateReason'>

/** Goods that are one: the same card, or another card of the same GTIN. */
const sameGoods = (idProduct: Sql): Sql => sql`(select o."id" from services o where o."id" = ${idProduct}
  or o."gtin" = (select g."gtin" from services g where g."id" = ${idProduct}))`

/** Carries a recall, its reason and its end over to all batches of the series. */
export async function holdSeries(inside: Records, tx: Tx, row: BatchRow, before: BatchRow): Promise<void> {
  const { state, stateReason, series } = row
  const isChanged = state !== before.state || stateReason !== before.stateReason
  if (!isChanged || series === null || (state !== 'recalled' && before.state !== 'recalled')) return
  const others = await tx.query<Pick<BatchRow, 'id' | 'series' | 'state'>>(sql`
    select "id", "series", "state" from warehouse_batches where "id" <> ${row.id} and "series" is not null and not "deleted"
      and "idProduct" in ${sameGoods(sql`${row.idProduct}::bigint`)}`)
  const key = seriesKey(series)
  const ids = others
    .filter((one) => seriesKey(one.series as string) === key && (state === 'recalled' || one.state === 'recalled'))
    .map(({ id }) => id)
  if (ids.length > 0)
    await inside.asSystem.updateWhere(
      Batch,
      ({ row: batch }) => sql`${batch}."id" = any (${ids}::bigint[])`,
      { state, stateReason },
      { pastHooks: 'The recall of the series was carried over here' },
    )
}

/** The recall that a new batch falls under, by its good and series. */
export async function recalledSeries(
  tx: Queryable,
  idProducts: readonly number[],
): Promise<(idProduct: number, series: string | null) => Partial<Held>> {
  const rows = await tx.query<Held & { idProduct: number; series: string }>(sql`
    select distinct p."id" as "idProduct", b."series", b."state", b."stateReason"
    from unnest(${idProducts}::bigint[]) p("id") join warehouse_batches b on b."idProduct" in ${sameGoods(sql`p."id"`)}
    where b."state" = 'recalled' and b."series" is not null and not b."deleted"`)
  const held = new Map(
    rows.map(({ idProduct, series, ...state }) => [`${idProduct} ${seriesKey(series)}`, state] as const),
  )
  return (idProduct, series) => (series === null ? {} : (held.get(`${idProduct} ${seriesKey(series)}`) ?? {}))
}
