/**
 * Costs after a cancelled arrival: what it priced is priced again, as if it had never come. The differences are moves
 * without a quantity that correct the original ones, and follow goods through transfers and disassembly.
 */
import { formatDay } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql, { type Sql } from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { type Books, enter, kopecks, noBooks, pricesInTurn, revalued, rubles } from './costing.ts'

export interface Pair {
  idWarehouse: number
  idProduct: number
}

/** A good in a warehouse, from a move on. */
export interface Start extends Pair {
  from: number
}

/** A move that corrects the cost of another one. */
export interface Correction extends Pair {
  idCorrects: number
  idBatch: number
  localDate: string
  cost: string
}

interface Standing extends Pair {
  id: number
  localDate: string
  kind: string
  idBatch: number
  idDocument: number
  idLine: number | null
  qty: bigint
  cost: bigint
  byBatch: boolean | null
  /** Kopecks: the new price of a revaluation. */
  price: bigint | null
}

/** More moves are not priced again: the cancellation is refused. */
const MOST_MOVES = 20_000

const keyOf = ({ idWarehouse, idProduct }: Pair): string => `${idWarehouse}:${idProduct}`
const columnsOf = (starts: readonly Start[]): Sql => sql`unnest(${starts.map((one) => one.idWarehouse)}::bigint[],
  ${starts.map((one) => one.idProduct)}::bigint[], ${starts.map((one) => one.from)}::bigint[]) as s("idWarehouse", "idProduct", "from")`
/** True for a move `m` that is an original one and not reversed. */
const stands = sql`m."idReverses" is null and m."idCorrects" is null
  and not exists (select 1 from warehouse_moves r where r."idReverses" = m."id")`
/** Cost of a move `m` with its corrections. */
export const correctedCost: Sql = sql`(m."cost" + coalesce((select sum(c."cost") from warehouse_moves c
  where c."idCorrects" = m."id" and c."idReverses" is null), 0))`

/** All goods that the price of these reaches: through later transfers, disassembly and re-sorting. */
export async function reachedBy(tx: Tx, starts: readonly Start[]): Promise<Start[]> {
  const reached = new Map<string, Start>()
  const add = (start: Start): boolean => {
    const known = reached.get(keyOf(start))
    if (known && known.from <= start.from) return false
    reached.set(keyOf(start), start)
    return true
  }
  for (const start of starts) add(start)
  for (let next = [...reached.values()]; next.length > 0; ) {
    const onward = await tx.query<Start>(sql`
      select i."idWarehouse", i."idProduct", min(i."id") as "from" from ${columnsOf(next)}
      join warehouse_moves m on m."idWarehouse" = s."idWarehouse" and m."idProduct" = s."idProduct" and m."id" >= s."from"
        and m."qty" < 0 and m."kind" in ('transfer', 'disassembly', 'resort') and ${stands}
      join warehouse_moves i on i."idDocument" = m."idDocument" and i."qty" > 0 and i."idReverses" is null
        and (m."kind" <> 'transfer' or i."idLine" is not distinct from m."idLine")
        and not exists (select 1 from warehouse_moves r where r."idReverses" = i."id")
      group by 1, 2`)
    next = onward.map(({ from, ...pair }) => ({ ...pair, from: Number(from) })).filter(add)
  }
  return [...reached.values()]
}

/**
 * Prices the moves of goods again; the caller has reversed the cancelled ones and holds the locks.
 * @returns corrections to write, in the order of moves
 * @throws HttpError 409 naming the document whose price cannot be taken back
 */
export async function repriced(tx: Tx, starts: readonly Start[], idCancelled: number): Promise<Correction[]> {
  const rows = await readMoves(tx, starts)
  if (rows.length === 0) return []
  if (rows.length > MOST_MOVES) throw await usedBy(tx, rows.at(-1) as Standing)
  const books = await booksBefore(tx, starts, rows)
  const { costMethod, closedUntil } = await readCommonSettings(tx)
  const costs = replay(rows, books, costMethod === 'fifo')
  for (const [key, { qty, cost }] of books)
    if (cost < 0n || (qty === 0n && cost !== 0n))
      throw await usedBy(tx, rows.findLast((one) => keyOf(one) === key && one.idDocument !== idCancelled) ?? rows[0])
  const firstOpen = closedUntil ? plusDays(closedUntil, 1) : ''
  return rows.flatMap((row): Correction[] => {
    const difference = (costs.get(row.id) ?? row.cost) - row.cost
    if (difference === 0n) return []
    const { id, idWarehouse, idProduct, idBatch } = row
    const localDate = row.localDate > firstOpen ? row.localDate : firstOpen
    return [{ idCorrects: id, idWarehouse, idProduct, idBatch, localDate, cost: rubles(difference) }]
  })
}

async function readMoves(tx: Tx, starts: readonly Start[]): Promise<Standing[]> {
  const rows = await tx.query<Omit<Standing, 'qty' | 'cost' | 'price'> & { qty: string; cost: string; price: string }>(
    sql`select m."id", m."localDate"::text as "localDate", m."kind", m."idWarehouse", m."idProduct", m."idBatch",
        m."idDocument", m."idLine", (m."qty" * 1000)::bigint::text as qty, ${correctedCost}::text as cost, m."byBatch",
        case when m."kind" = 'revaluation' then l."price"::text end as price
      from ${columnsOf(starts)} join warehouse_moves m on m."idWarehouse" = s."idWarehouse" and m."idProduct" = s."idProduct"
        and m."id" >= s."from" and ${stands}
      left join warehouse_lines l on l."id" = m."idLine" order by m."id" limit ${MOST_MOVES + 1}`,
  )
  return rows.map(({ qty, cost, price, ...row }) => ({
    ...row,
    qty: BigInt(qty),
    cost: kopecks(cost),
    price: price === null ? null : kopecks(price),
  }))
}

/** The books before the moves: as they are now, less the moves. */
async function booksBefore(tx: Tx, starts: readonly Start[], rows: readonly Standing[]): Promise<Map<string, Books>> {
  const books = await readBooks(tx, starts)
  for (const row of rows) enter(books.get(keyOf(row)) as Books, row.idBatch, -row.qty, -row.cost)
  return books
}

/**
 * The books of goods in warehouses, by `warehouse:product`; the caller holds the locks.
 * @param idBatches batches that are also needed if they never were there
 */
export async function readBooks(
  tx: Tx,
  pairs: readonly Pair[],
  idBatches: readonly number[] = [],
): Promise<Map<string, Books>> {
  const books = new Map(pairs.map((pair) => [keyOf(pair), noBooks()]))
  const distinct = [...books.keys()].map((key) => key.split(':').map(Number) as [number, number])
  const rows = await tx.query<Pair & { idBatch: number; qty: string; cost: string; unit: string | null }>(sql`
    select s."idWarehouse", s."idProduct", s."idBatch", (s."qty" * 1000)::bigint::text as qty, s."cost"::text as cost,
      b."cost"::text as unit
    from unnest(${distinct.map(([id]) => id)}::bigint[], ${distinct.map(([, id]) => id)}::bigint[]) as p("idWarehouse", "idProduct")
    join warehouse_stock s on s."idWarehouse" = p."idWarehouse" and s."idProduct" = p."idProduct"
      and (s."qty" <> 0 or s."cost" <> 0)
    join warehouse_batches b on b."id" = s."idBatch"
    union all select p."idWarehouse", b."idProduct", b."id", '0', '0', b."cost"::text
    from unnest(${distinct.map(([id]) => id)}::bigint[], ${distinct.map(([, id]) => id)}::bigint[]) as p("idWarehouse", "idProduct")
    join warehouse_batches b on b."idProduct" = p."idProduct" and b."id" = any (${idBatches}::bigint[])`)
  for (const { idBatch, qty, cost, unit, ...pair } of rows) {
    const of = books.get(keyOf(pair)) as Books
    enter(of, idBatch, BigInt(qty), kopecks(cost))
    const batch = of.batches.get(idBatch)
    if (batch) batch.unit = kopecks(unit ?? '0')
  }
  return books
}

/**
 * Prices moves in the order of posting, on the books before them. A move for which the goods have not come waits for
 * them: the piece that it took then was of a document that is cancelled since.
 * @returns kopecks by move
 */
function replay(rows: readonly Standing[], books: Map<string, Books>, isByBatch: boolean): Map<number, bigint> {
  const costs = new Map<number, bigint>()
  const priceOf = pricesInTurn()
  const outsOf = Map.groupBy(
    rows.filter(({ qty }) => qty < 0n),
    ({ idDocument }) => idDocument,
  )
  const insOf = Map.groupBy(
    rows.filter(({ qty }) => qty > 0n),
    ({ idDocument }) => idDocument,
  )
  /** Kopecks of an arrival that another move of its document pays for; null: not known yet. */
  const brought = (row: Standing): bigint | null => {
    const outs = outsOf.get(row.idDocument) ?? []
    if (row.kind === 'transfer') {
      const out = outs.find(({ idBatch, idLine }) => idBatch === row.idBatch && idLine === row.idLine)
      if (!out) return row.cost
      const cost = costs.get(out.id)
      return cost === undefined ? null : -cost
    }
    if (outs.length === 0) return row.cost
    if (outs.some(({ id }) => !costs.has(id))) return null
    const ins = insOf.get(row.idDocument) ?? []
    const gain = outs.reduce((sum, { id, cost }) => sum - (costs.get(id) ?? 0n) + cost, 0n)
    if (gain === 0n) return row.cost
    // The difference is divided as the cost was; the last part takes the rest.
    const weigh = (one: Standing) => (ins.some(({ cost }) => cost !== 0n) ? one.cost : one.qty)
    const whole = ins.reduce((sum, one) => sum + weigh(one), 0n)
    const part = (one: Standing) => (gain * weigh(one)) / whole
    const rest = gain - ins.reduce((sum, one) => sum + part(one), 0n)
    return row.cost + part(row) + (row === ins.at(-1) ? rest : 0n)
  }
  const costOf = (row: Standing, of: Books): bigint | null => {
    if (row.qty === 0n) return revaluedTo(row, of)
    if (row.qty > 0n && row.byBatch === null)
      return row.kind === 'receipt' || row.kind === 'opening' || row.kind === 'inventory' ? row.cost : brought(row)
    const batch = of.batches.get(row.idBatch)
    if (row.qty < 0n && (of.qty + row.qty < 0n || (batch?.qty ?? 0n) + row.qty < 0n)) return null
    const line = row.idLine === null ? undefined : `${keyOf(row)}:${row.idLine}`
    return priceOf(of, { idBatch: row.idBatch, qty: row.qty, byBatch: row.byBatch ?? isByBatch, line })
  }
  const revaluedTo = (row: Standing, of: Books): bigint => {
    if (row.price === null) return row.cost
    if (of.qty === 0n) return row.byBatch ? -(of.batches.get(row.idBatch)?.cost ?? 0n) : -of.cost
    const all = revalued(of, row.price, row.byBatch ?? false)
    return row.byBatch ? (all.find(({ idBatch }) => idBatch === row.idBatch)?.cost ?? 0n) : (all[0]?.cost ?? 0n)
  }
  for (let left = [...rows]; left.length > 0; ) {
    const waiting = left.filter((row) => {
      const of = books.get(keyOf(row)) as Books
      const cost = costOf(row, of)
      if (cost === null) return true
      costs.set(row.id, cost)
      enter(of, row.idBatch, row.qty, cost)
      return false
    })
    if (waiting.length === left.length) {
      // Goods that went round in a circle: they keep their cost, and the books decide.
      for (const row of waiting) enter(books.get(keyOf(row)) as Books, row.idBatch, row.qty, row.cost)
      break
    }
    left = waiting
  }
  return costs
}

async function usedBy(tx: Tx, row: Standing | undefined): Promise<HttpError> {
  const found = await tx.one<{ number: string | null; localDate: string }>(
    sql`select "number", "localDate"::text from warehouse_documents where "id" = ${row?.idDocument ?? 0}`,
  )
  const of = found
    ? `документом № ${found.number ?? 'без номера'} от ${formatDay(found.localDate)}`
    : 'другим документом'
  return new HttpError(409, `Отменить нельзя: цена уже использована ${of}. Сначала отмените его`, { code: 'needed' })
}
