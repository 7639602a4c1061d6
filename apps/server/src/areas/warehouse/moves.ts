/** The moves of a document by its kind: what comes as new batches, what is taken and from which, what is worth another sum. */
import { type DocumentKind, kindRules, type LineSide } from '@ordinator/model/areas/warehouse/document'
import { pickFefo, sumOf, thousandths } from '@ordinator/model/areas/warehouse/rules'
import { Batch } from '@ordinator/model/areas/warehouse/stock'
import { formatDay, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { type FieldError, ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { enter, kopecks, revalued, rubles } from './costing.ts'
import type { DocumentRow } from './documents.ts'
import { type Move, postMoves } from './ledger.ts'
import { recalledSeries } from './recalls.ts'
import { readBooks } from './repricing.ts'

/** A line as it is posted. */
export interface Line {
  id: number
  idProduct: number | null
  name: string | null
  idBatch: number | null
  side: LineSide | null
  qty: number
  price: number | null
  sum: string | null
  series: string | null
  expiry: string | null
  sourceName: string | null
  isMarked: boolean
  sgtins: string[]
  book: number | null
  fact: number | null
}

/** Writes the moves of the lines to the ledger. @returns the moves with their costs */
export async function movesOf(
  inside: Records,
  tx: Tx,
  document: DocumentRow,
  lines: readonly Line[],
): Promise<(Move & { cost: string })[]> {
  const { id, kind, localDate, idFrom, idTo } = document
  const write = (moves: readonly Move[]) => postMoves(inside, tx, { idDocument: id, kind, localDate, moves })
  if (kind === 'receipt' || kind === 'opening')
    return write(await bring(inside, tx, document, idTo as number, lines, lines.map(costOfLine)))
  const idWarehouse = idFrom as number
  if (kind === 'revaluation') return write(await revalue(tx, idWarehouse, lines))
  if (kind === 'inventory') return write(await differences(inside, tx, document, lines))
  if (!kindRules[kind].sides) return write(await take(tx, document, lines))
  const out = await write(
    await take(
      tx,
      document,
      lines.filter(({ side }) => side === 'out'),
    ),
  )
  const into = lines.filter(({ side }) => side === 'in')
  if (out.length === 0 || into.length === 0)
    throw new ValidationError([{ field: 'lines', message: 'Нужны обе стороны: что списать и что оприходовать' }])
  const parts = split(-out.reduce((sum, { cost }) => sum + cents(cost), 0), into)
  return [...out, ...(await write(await bring(inside, tx, document, idWarehouse, into, parts)))]
}

export const cents = (rubles: string): number => Math.round(Number(rubles) * 100)

const costOfLine = ({ sum, price, qty }: Line): string => sum ?? (price === null ? '0' : sumOf(qty, price).toFixed(2))

/** Distributes the value of a disassembled kit to its parts: by price, else by quantity. */
function split(total: number, into: readonly Line[]): string[] {
  const weights = into.map(({ qty, price }) => qty * (price ?? 1) || qty)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let left = total
  return weights.map((weight, at) => {
    const part = at === weights.length - 1 ? left : Math.round((total * weight) / whole)
    left -= part
    return (part / 100).toFixed(2)
  })
}

/** Creates new batches for lines, and their incoming moves. */
async function bring(
  inside: Records,
  tx: Tx,
  document: DocumentRow,
  idWarehouse: number,
  lines: readonly Line[],
  costs: readonly string[],
): Promise<Move[]> {
  const recalled = await recalledSeries(
    tx,
    lines.map(({ idProduct }) => idProduct as number),
  )
  const made = await inside.asSystem.createMany(
    Batch,
    lines.map((line, at) => ({
      ...recalled(line.idProduct as number, line.series),
      idProduct: line.idProduct as number,
      series: line.series,
      expiry: line.expiry,
      cost: Math.round((Number(costs[at]) / line.qty) * 100) / 100,
      idSupplier: document.idSupplier,
      idDocument: document.id,
    })),
  )
  return lines.map((line, at) => ({
    idWarehouse,
    idProduct: line.idProduct as number,
    idBatch: (made[at] as { id: number }).id,
    qty: line.qty,
    cost: costs[at] as string,
    idLine: line.id,
  }))
}

/** Document types that may take expired, blocked or quarantined batches. */
const takesBad: ReadonlySet<DocumentKind> = new Set(['writeOff', 'supplierReturn'])

interface OnHand {
  idBatch: number
  idProduct: number
  free: number
  expiry: string | null
  blocked: boolean
}

/**
 * Free batches of goods in a warehouse; the caller has locked the goods.
 * @param day of a document: limits a batch to its quantity on that day and on every later day
 */
export const onHand = (tx: Queryable, idWarehouse: number, idProducts: readonly number[], day?: string) =>
  tx.query<OnHand>(sql`
    select s."idBatch", s."idProduct", least(s."qty" - s."reserved", d."free")::float8 as free, b."expiry"::text as expiry,
      (b."state" <> 'free' or w."kind" = 'quarantine') as blocked
    from warehouse_stock s join warehouse_batches b on b."id" = s."idBatch" join warehouses w on w."id" = s."idWarehouse"
    left join lateral (select least(coalesce(max(t."left") filter (where t."isLast"), 0), min(t."left") filter (where t."localDate" > ${day ?? null}::date)) as "free"
      from (select m."localDate", sum(sum(m."qty")) over (order by m."localDate") as "left",
          m."localDate" = max(m."localDate") filter (where m."localDate" <= ${day ?? null}::date) over () as "isLast"
        from warehouse_moves m where m."idBatch" = s."idBatch" and m."idWarehouse" = s."idWarehouse" group by m."localDate") t
    ) d on ${day !== undefined}
    where s."idWarehouse" = ${idWarehouse} and s."idProduct" = any (${idProducts}::bigint[]) and s."qty" > 0 and s."qty" > s."reserved"
      and coalesce(d."free", s."qty") > 0`)

/**
 * Takes stock for lines: from the named batch, else from those that expire first. Lines are processed together, so that
 * no batch is used twice.
 */
async function take(tx: Tx, document: DocumentRow, lines: readonly Line[]): Promise<Move[]> {
  const { kind, localDate, idFrom, idTo } = document
  const idWarehouse = idFrom as number
  const { fefoMargin } = await readCommonSettings(tx)
  const isBackDated =
    (await tx.one(
      sql`select 1 from warehouse_moves where "localDate" > ${localDate}::date and "idWarehouse" = ${idWarehouse} limit 1`,
    )) !== undefined
  const goods = [...new Set(lines.map(({ idProduct }) => idProduct as number))]
  const batches = await onHand(tx, idWarehouse, goods, isBackDated ? localDate : undefined)
  const toQuarantine =
    kind === 'transfer' &&
    (await tx.one(sql`select 1 from warehouses where "id" = ${idTo} and "kind" = 'quarantine'`)) !== undefined
  const anyGoes = takesBad.has(kind) || toQuarantine
  const left = new Map(batches.map((batch) => [batch.idBatch, thousandths(batch.free)]))
  const errors: FieldError[] = []
  const moves: Move[] = []
  const put = (line: Line, idBatch: number, qty: number) => {
    left.set(idBatch, (left.get(idBatch) ?? 0) - thousandths(qty))
    moves.push({ idWarehouse, idProduct: line.idProduct as number, idBatch, qty: -qty, idLine: line.id })
  }
  for (const line of lines) {
    if (line.idBatch === null) continue
    const batch = batches.find(({ idBatch }) => idBatch === line.idBatch)
    if (batch && !anyGoes && batch.blocked)
      errors.push({
        field: `lines.${line.id}`,
        message: `«${line.name}»: партия в карантине или отозвана, её не выдают`,
      })
    else if (batch && !anyGoes && batch.expiry !== null && batch.expiry < localDate)
      errors.push({
        field: `lines.${line.id}`,
        message: `«${line.name}»: срок годности истёк ${formatDay(batch.expiry)}`,
      })
    put(line, line.idBatch, line.qty)
  }
  for (const line of lines) {
    if (line.idBatch !== null) continue
    const choice = batches
      .filter(({ idProduct }) => idProduct === line.idProduct)
      .map((batch) => ({
        ...batch,
        free: (left.get(batch.idBatch) ?? 0) / 1000,
        blocked: batch.blocked && !anyGoes,
        received: batch.idBatch,
      }))
    const day = anyGoes ? '0001-01-01' : localDate
    const { picks, lack } = pickFefo(choice, line.qty, day, anyGoes ? 0 : fefoMargin)
    if (lack > 0) {
      const bad =
        choice.some(({ free }) => free > 0) && picks.length === 0
          ? ': остальное просрочено, в карантине или отложено'
          : ''
      errors.push({
        field: `lines.${line.id}`,
        message: `Не хватает: «${line.name}» — нужно ${formatNumber(line.qty)}, можно выдать ${formatNumber(line.qty - lack)}${bad}`,
      })
    }
    for (const { idBatch, qty } of picks) put(line, idBatch, qty)
  }
  if (errors.length > 0) throw new ValidationError(errors.slice(0, 50))
  return moves
}

/** Brings the value of goods to a new price of the whole stock. */
async function revalue(tx: Tx, idWarehouse: number, lines: readonly Line[]): Promise<Move[]> {
  const { costMethod } = await readCommonSettings(tx)
  const byBatch = costMethod === 'fifo'
  const books = await readBooks(
    tx,
    lines.map(({ idProduct }) => ({ idWarehouse, idProduct: idProduct as number })),
  )
  return lines.flatMap((line) => {
    const idProduct = line.idProduct as number
    const of = books.get(`${idWarehouse}:${idProduct}`)
    if (!of || of.qty === 0n)
      throw new ValidationError([{ field: `lines.${line.id}`, message: `«${line.name}»: на складе его нет` }])
    const changes = revalued(of, kopecks((line.price ?? 0).toFixed(2)), byBatch)
    for (const { idBatch, cost } of changes) enter(of, idBatch, 0n, cost)
    return changes.map(({ idBatch, cost }) => ({
      idWarehouse,
      idProduct,
      idBatch,
      qty: 0,
      cost: rubles(cost),
      byBatch,
      idLine: line.id,
    }))
  })
}

/** Moves of inventory differences by batch; a surplus without a batch creates one. */
async function differences(inside: Records, tx: Tx, document: DocumentRow, lines: readonly Line[]): Promise<Move[]> {
  const idWarehouse = document.idFrom as number
  const fresh = lines.filter(({ idBatch, side }) => idBatch === null && side === 'in')
  const made = await bring(inside, tx, document, idWarehouse, fresh, fresh.map(costOfLine))
  const known = lines
    .filter(({ idBatch }) => idBatch !== null)
    .map((line) => ({
      idWarehouse,
      idProduct: line.idProduct as number,
      idBatch: line.idBatch as number,
      qty: line.side === 'out' ? -line.qty : line.qty,
      idLine: line.id,
    }))
  return [...known, ...made]
}
