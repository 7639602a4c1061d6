/** Order proposals, and draft receipts created from them. */
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { orderOf, sumOf } from '@ordinator/model/areas/warehouse/rules'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { isLimited } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import { turnsAt } from './balances.ts'
import { assertMine, visibleTo } from './scope.ts'

const MAX_ORDER = 500

const day = (text: string): Sql => sql`${text}::date`

interface Orderable {
  idProduct: number
  name: string
  unit: string | null
  stock: number
  inTransit: number
  minStock: number
  maxStock: number | null
  used: number
  idSupplier: number | null
  supplier: string | null
  price: number | null
}

interface Proposed extends Orderable {
  qty: number
}

/** Goods below their minimum, with the quantity up to the maximum and the last supplier. */
async function proposal(db: Queryable, actor: ServerActor, idWarehouse: number | null): Promise<Proposed[]> {
  const today = dayIn(actor.timeZone, Date.now())
  const at = (row: string) => sql`${visibleTo(actor, sql`${raw(row)}."idWarehouse"`)}
    and (${idWarehouse}::bigint is null or ${raw(row)}."idWarehouse" = ${idWarehouse})`
  const rows = await db.query<Orderable>(sql`
    select p."id"::int as "idProduct", p."nameService" as name, p."unit", coalesce(s.qty, 0)::float8 as stock,
      coalesce(w.qty, 0)::float8 as "inTransit", p."minStock"::float8 as "minStock", p."maxStock"::float8 as "maxStock",
      coalesce(u.qty, 0)::float8 as used, l."idSupplier", l."shortName" as supplier, l."price"::float8 as price
    from services p
    left join (select s."idProduct", sum(s."qty" - s."reserved") as qty from warehouse_stock s where s."qty" > 0 and ${at('s')} group by 1) s on s."idProduct" = p."id"
    left join (select l."idProduct", sum(l."qty") as qty from warehouse_lines l join warehouse_documents d on d."id" = l."idDocument"
      where ((d."status" = 'inTransit' and (${idWarehouse}::bigint is null or d."idTo" = ${idWarehouse})) or (d."status" = 'draft' and d."kind" = 'receipt'))
        and not d."deleted" ${isLimited(actor) ? sql`and (d."idTo" is null or ${visibleTo(actor, sql`d."idTo"`)})` : empty} group by 1) w on w."idProduct" = p."id"
    left join (select m."idProduct", sum(m."used") as qty from (
        select * from (${turnsAt(day(today))}) now union all
        select "idWarehouse", "idProduct", -"qty", -"cost", -"came", -"went", -"wentCost", -"used" from (${turnsAt(day(plusDays(today, -30)))}) ago) m
      where ${at('m')} group by 1) u
      on u."idProduct" = p."id"
    left join lateral (select b."idSupplier", o."shortName", b."cost" as "price" from warehouse_batches b join organizations o on o."id" = b."idSupplier"
      where b."idProduct" = p."id" order by b."id" desc limit 1) l on true
    where p."serviceCategory" = 1 and not p."deleted" and p."active" and p."minStock" > coalesce(s.qty, 0)
    order by l."shortName" nulls last, p."nameService" limit ${MAX_ORDER}`)
  return rows
    .map((row) => ({
      ...row,
      qty: orderOf({ stock: row.stock, inTransit: row.inTransit, min: row.minStock, max: row.maxStock }),
    }))
    .filter(({ qty }) => qty > 0)
}

export const order = operation(warehouseCalls.order, async ({ app, actor, query }) => ({
  items: await proposal(app.db.reads, actor, query.idWarehouse ?? null),
}))

export const orderDrafts = operation(warehouseCalls.orderDrafts, ({ records, actor, body }) =>
  records.tx(async (inside, tx) => {
    await assertMine(tx, actor, [body.idWarehouse])
    // Serializes concurrent requests: the second finds the drafts of the first, and orders only the rest.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('warehouse order', 0))`)
    const items = await proposal(tx, actor, null)
    if (items.length === 0) throw new HttpError(409, 'Заказывать нечего: всего хватает', { code: 'enough' })
    const today = dayIn(actor.timeZone, Date.now())
    const documents: number[] = []
    for (const [idSupplier, own] of Map.groupBy(items, (one) => one.idSupplier)) {
      const { id } = await inside.create(WarehouseDocument, {
        kind: 'receipt',
        localDate: today,
        idTo: body.idWarehouse,
        idSupplier,
        comment: 'Заказ по минимальному остатку',
      })
      await inside.asSystem.createMany(
        DocumentLine,
        own.map(({ idProduct, qty, price }) => ({
          idDocument: id,
          idProduct,
          qty,
          price,
          sum: price === null ? null : sumOf(qty, price),
        })),
        { pastHooks: 'Goods of the catalogue, into a draft made here' },
      )
      documents.push(id)
    }
    return { documents }
  }),
)
