/** Inventories: the snapshot, the counts of each person, differences. */
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, MAX_LINES, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { InventoryCount } from '@ordinator/model/areas/warehouse/inventory'
import { ofThousandths, sumOf, thousandths } from '@ordinator/model/areas/warehouse/rules'
import { formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { DocumentRow } from './documents.ts'
import { pauseLedger } from './ledger.ts'
import { goodOf, readCode } from './lines.ts'
import { assertStatus, heldDocument } from './posting.ts'
import { assertMine } from './scope.ts'

export const counts = records(InventoryCount)

function assertInventory({ kind }: Pick<DocumentRow, 'kind'>): void {
  if (kind !== 'inventory') throw new HttpError(409, 'Это не инвентаризация', { code: 'transition' })
}

export const countStart = operation(warehouseCalls.countStart, ({ records, params }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    assertInventory(document)
    if (document.status === 'counting') return document
    return beginCount(inside, tx, document)
  }),
)

/** Takes the snapshot of the stock, and opens counting. @throws HttpError 409 if another count is in progress there */
export async function beginCount(inside: Records, tx: Tx, document: DocumentRow): Promise<DocumentRow> {
  assertStatus(document, 'draft')
  if (document.idFrom === null) throw new ValidationError([{ field: 'idFrom', message: 'Выберите склад' }])
  await assertMine(tx, inside.actor, [document.idFrom])
  const other = await tx.one<{
    number: string | null
  }>(sql`select "number" from warehouse_documents where "kind" = 'inventory'
    and "status" in ('counting', 'checked') and "idFrom" = ${document.idFrom} and "id" <> ${document.id} and not "deleted"
    and ("idGroup" is null or ${document.idGroup}::bigint is null or "idGroup" = ${document.idGroup}) limit 1`)
  if (other) throw new HttpError(409, 'На этом складе уже идёт инвентаризация: закончите её', { code: 'counting' })
  const at = await pauseLedger(tx)
  await tx.query(sql`delete from warehouse_books where "idDocument" = ${document.id}`)
  await tx.query(sql`insert into warehouse_books ("idDocument", "idBatch", "idProduct", "qty", "cost")
    select ${document.id}, s."idBatch", s."idProduct", s."qty", coalesce(round(v."cost" / nullif(v."qty", 0), 2), 0)
    from warehouse_stock s join services p on p."id" = s."idProduct"
    join warehouse_values v on v."idWarehouse" = s."idWarehouse" and v."idProduct" = s."idProduct"
    where s."idWarehouse" = ${document.idFrom} and s."qty" > 0
      and (${document.idGroup}::bigint is null or p."idGroup" = ${document.idGroup})`)
  return inside.asSystem.update(WarehouseDocument, document.id, {
    status: 'counting',
    dateSnapshot: at,
  })
}

export const count = operation(warehouseCalls.count, ({ records, actor, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await inside.row(WarehouseDocument, params.id)
    const locked = await tx.one<{ status: DocumentRow['status'] }>(
      sql`select "status" from warehouse_documents where "id" = ${params.id} for share`,
    )
    assertInventory(document)
    assertStatus({ status: locked?.status ?? document.status }, 'counting')
    const { idProduct, name, unit, series } = body.code
      ? await scanned(tx, body.code)
      : await chosen(tx, body.idProduct)
    const idBatch = body.idBatch ?? (await batchOf(tx, params.id, idProduct, series))
    const byCode = body.code !== undefined && body.qty === undefined
    const qty = byCode ? 1 : body.qty
    if (qty === undefined) throw new ValidationError([{ field: 'qty', message: 'Сколько насчитано?' }])
    const adds = byCode || body.add
    const made = await tx.one<{ id: number; qty: number }>(sql`
      insert into warehouse_counts ("idDocument", "idProduct", "idBatch", "qty", "round", "idUser", "dateChange")
      values (${params.id}, ${idProduct}, ${idBatch}, ${qty}, coalesce((select "round" from warehouse_rounds
        where "idDocument" = ${params.id} and "idProduct" = ${idProduct}), 1), ${actor.id}, clock_timestamp())
      on conflict ("idDocument", "idUser", "idProduct", "idBatch", "round") do update
        set "qty" = case when ${adds} then warehouse_counts."qty" else 0 end + excluded."qty", "dateChange" = clock_timestamp(),
          "_version" = warehouse_counts."_version" + 1
      returning "id", "qty"::float8 as qty`)
    const count = await inside.asSystem.row(InventoryCount, made?.id as number)
    return { count, message: `${name}: ${formatNumber(count.qty)} ${unit ?? ''}`.trim() }
  }),
)

interface Counted {
  idProduct: number
  name: string
  unit: string | null
  series: string | null
}

async function scanned(tx: Queryable, raw: string): Promise<Counted> {
  const code = readCode(raw)
  if (code.kind === 'box')
    throw new ValidationError([{ field: 'code', message: 'Это короб: вскройте его и считайте пачки' }])
  const good = await goodOf(tx, code)
  return { idProduct: good.id, name: good.name, unit: good.unit, series: code.series ?? null }
}

async function chosen(tx: Queryable, idProduct: number | undefined): Promise<Counted> {
  const good = await tx.one<{
    id: number
    name: string
    unit: string | null
  }>(sql`select "id", "nameService" as name, "unit"
    from services where "id" = ${idProduct ?? null} and "serviceCategory" = 1`)
  if (!good) throw new ValidationError([{ field: 'idProduct', message: 'Выберите товар' }])
  return { idProduct: good.id, name: good.name, unit: good.unit, series: null }
}

/** The batch of a series, or the only one of the good. */
async function batchOf(
  tx: Queryable,
  idDocument: number,
  idProduct: number,
  series: string | null,
): Promise<number | null> {
  const batches = await tx.query<{ idBatch: number; series: string | null }>(sql`
    select k."idBatch", b."series" from warehouse_books k join warehouse_batches b on b."id" = k."idBatch"
    where k."idDocument" = ${idDocument} and k."idProduct" = ${idProduct} order by b."expiry" nulls last, b."id"`)
  const same = series === null ? batches : batches.filter((one) => one.series === series)
  return same.length === 1 || series !== null ? (same[0]?.idBatch ?? null) : null
}

interface Cell {
  idProduct: number
  name: string
  unit: string | null
  idBatch: number | null
  series: string | null
  expiry: string | null
  /** Book quantity with the moves up to the count. */
  book: number
  cost: number
  fact: number | null
  mine: number | null
  counters: number
  recount: boolean
}

/** Book and counted quantities by batch. A move after the count changes neither. */
const cellsOf = (db: Queryable, { id, idFrom, dateSnapshot }: DocumentRow, me: number) =>
  db.query<Cell>(sql`
    with latest as (select c.* from warehouse_counts c left join warehouse_rounds r
        on r."idDocument" = c."idDocument" and r."idProduct" = c."idProduct"
        where c."idDocument" = ${id} and c."round" = coalesce(r."round", 1)),
      sums as (select "idProduct", "idBatch", sum("qty") as fact, sum("qty") filter (where "idUser" = ${me}) as mine,
        count(distinct "idUser") as counters, max("dateChange") as at from latest group by 1, 2),
      keys as (select "idProduct", "idBatch" from warehouse_books where "idDocument" = ${id}
        union select "idProduct", "idBatch" from sums)
    select k."idProduct", p."nameService" as name, p."unit", k."idBatch", b."series", b."expiry"::text as expiry,
      (coalesce(w."qty", 0) + coalesce((select sum(m."qty") from warehouse_moves m where m."idWarehouse" = ${idFrom}
        and m."idBatch" = k."idBatch" and m."dateCreate" > ${dateSnapshot}::timestamptz
        and m."dateCreate" <= coalesce(s.at, now())), 0))::float8 as book,
      coalesce(w."cost", (select round(v."cost" / nullif(v."qty", 0), 2) from warehouse_values v
        where v."idWarehouse" = ${idFrom} and v."idProduct" = k."idProduct"), b."cost", 0)::float8 as cost,
      s.fact::float8 as fact, s.mine::float8 as mine, coalesce(s.counters, 0)::int as counters,
      r."round" is not null and s.fact is null as recount
    from keys k join services p on p."id" = k."idProduct" left join warehouse_batches b on b."id" = k."idBatch"
    left join warehouse_books w on w."idDocument" = ${id} and w."idBatch" = k."idBatch"
    left join sums s on s."idProduct" = k."idProduct" and s."idBatch" is not distinct from k."idBatch"
    left join warehouse_rounds r on r."idDocument" = ${id} and r."idProduct" = k."idProduct"
    order by p."nameService", b."expiry" nulls last, k."idBatch" nulls last limit ${MAX_LINES * 2}`)

export const sheet = operation(warehouseCalls.sheet, async ({ app, records, actor, params }) => {
  const document = await records.row(WarehouseDocument, params.id)
  assertInventory(document)
  const cells = await cellsOf(app.db.reads, document, actor.id)
  const hidden = document.blind && document.status === 'counting'
  return {
    items: cells.map(({ cost, book, ...cell }) => {
      const difference = cell.fact === null || hidden ? null : ofThousandths(thousandths(cell.fact) - thousandths(book))
      return {
        ...cell,
        // A sum over all counters would reveal the counts of others.
        book: hidden ? null : book,
        difference,
        differenceCost: difference === null ? null : Math.sign(difference) * sumOf(Math.abs(difference), cost),
      }
    }),
  }
})

export const recount = operation(warehouseCalls.recount, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    assertInventory(document)
    assertStatus(document, 'counting', 'checked')
    if (document.status === 'checked') await reopen(inside, document)
    const rows = await tx.query(sql`insert into warehouse_rounds ("idDocument", "idProduct", "round")
      select ${params.id}, p, 2 from unnest(${[...new Set(body.idProducts)]}::bigint[]) p
      on conflict ("idDocument", "idProduct") do update set "round" = warehouse_rounds."round" + 1 returning 1`)
    return { count: rows.length }
  }),
)

async function reopen(inside: Records, document: DocumentRow): Promise<DocumentRow> {
  await inside.asSystem.deleteWhere(DocumentLine, ({ row }) => sql`${row}."idDocument" = ${document.id}`, {
    pastHooks: 'They are made anew by the next check',
  })
  return inside.asSystem.update(WarehouseDocument, document.id, { status: 'counting' })
}

export const check = operation(warehouseCalls.check, ({ records, actor, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    assertInventory(document)
    if (body.back) {
      assertStatus(document, 'checked')
      return reopen(inside, document)
    }
    assertStatus(document, 'counting')
    const cells = await cellsOf(tx, document, actor.id)
    const found = differencesOf(cells)
    const open = cells.filter(({ fact, idProduct }) => fact === null && !found.pooled.has(idProduct))
    if (open.length > 0 && !body.uncounted)
      throw new HttpError(409, `Не подсчитано: ${open.length}. Первое — «${open[0]?.name}»`, { code: 'uncounted' })
    await inside.asSystem.createMany(
      DocumentLine,
      found.lines.map((line) => ({ ...line, idDocument: document.id })),
      {
        pastHooks: 'The count makes them',
      },
    )
    return inside.asSystem.update(WarehouseDocument, document.id, { status: 'checked' })
  }),
)

interface DifferenceLine {
  idProduct: number
  idBatch: number | null
  side: 'in' | 'out'
  qty: number
  price: number
  sum: number
  book: number
  fact: number
}

/** Distributes counts without a series to the batches that expire first, up to their book quantity. */
function differencesOf(cells: readonly Cell[]): { lines: DifferenceLine[]; pooled: Set<number> } {
  const lines: DifferenceLine[] = []
  const pooled = new Set<number>()
  const byProduct = Map.groupBy(cells, ({ idProduct }) => idProduct)
  for (const [idProduct, own] of byProduct) {
    const pool = own.find(({ idBatch }) => idBatch === null)
    let loose = thousandths(pool?.fact ?? 0)
    if (pool) pooled.add(idProduct)
    for (const cell of own) {
      if (cell.idBatch === null) continue
      const book = thousandths(cell.book)
      const given = cell.fact === null ? Math.min(loose, Math.max(0, book)) : thousandths(cell.fact)
      if (cell.fact === null) loose -= given
      push(cell, book, given)
    }
    if (pool && loose > 0) push(own.findLast(({ idBatch }) => idBatch !== null) ?? pool, 0, loose)
  }
  return { lines, pooled }

  function push(cell: Cell, book: number, fact: number): void {
    const difference = fact - book
    if (difference === 0) return
    const qty = ofThousandths(Math.abs(difference))
    lines.push({
      idProduct: cell.idProduct,
      idBatch: cell.idBatch,
      side: difference > 0 ? 'in' : 'out',
      qty,
      price: cell.cost,
      sum: sumOf(qty, cell.cost),
      book: ofThousandths(book),
      fact: ofThousandths(fact),
    })
  }
}
