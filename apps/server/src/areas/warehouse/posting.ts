/** Posts documents, reverses them, accepts transfers: states of a document and the resulting moves. */
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import {
  bringsBatches,
  type DocumentKind,
  DocumentLine,
  type DocumentStatus,
  documentStatuses,
  kindRules,
  type LineSide,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import { pickFefo, sumOf, thousandths } from '@ordinator/model/areas/warehouse/rules'
import { Batch } from '@ordinator/model/areas/warehouse/stock'
import { formatDay, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { nextNumber } from '#areas/filials/index.ts'
import { clinicToday, clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { conflict, type FieldError, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { enter, kopecks, revalued, rubles } from './costing.ts'
import type { DocumentRow } from './documents.ts'
import { assertNoDoubt } from './doubts.ts'
import { lockGoods, type Move, postMoves, reverseMoves } from './ledger.ts'
import { dropUnsigned } from './mdlp/codes.ts'
import { recalledSeries } from './recalls.ts'
import { type Correction, correctedCost, readBooks } from './repricing.ts'
import { assertMine } from './scope.ts'

/** A line as it is posted. */
interface Line {
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

const readLines = (tx: Queryable, idDocument: number) =>
  tx.query<Line>(sql`
    select l."id", l."idProduct", p."nameService" as name, l."idBatch", l."side", l."qty"::float8 as qty, l."price"::float8 as price,
      l."sum"::text as sum, l."series", l."expiry"::text as expiry, l."sourceName", coalesce(p."isMarked", false) as "isMarked",
      l."sgtins", l."book"::float8 as book, l."fact"::float8 as fact
    from warehouse_lines l left join services p on p."id" = l."idProduct" where l."idDocument" = ${idDocument} order by l."id"`)

/** The document, locked until the transaction ends; must be in the actor's scope and editable. */
export async function heldDocument(records: Records, tx: Tx, id: number, version?: number): Promise<DocumentRow> {
  const locked = await tx.one(
    sql`select 1 from warehouse_documents where "id" = ${id} and not "deleted" for no key update`,
  )
  if (!locked) throw notFound()
  const document = await records.row(WarehouseDocument, id)
  if (version !== undefined && document._version !== version) throw conflict(await records.view(WarehouseDocument, id))
  return document
}

/** @throws HttpError 409 unless the document is in one of these states */
export function assertStatus({ status }: Pick<DocumentRow, 'status'>, ...allowed: DocumentStatus[]): void {
  if (!allowed.includes(status))
    throw new HttpError(409, `Документ «${documentStatuses[status]}»: так с ним уже не поступают`, {
      code: 'transition',
    })
}

export const post = operation(warehouseCalls.post, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id, body._version)
    // A retry after an interruption: already done.
    if (document.status === 'posted' || (document.status === 'inTransit' && !body.accept)) return document
    return postDocument(inside, tx, document, body.accept, !body.sure)
  }),
)

/**
 * Posts a draft completely or not at all.
 * @param accept a transfer is accepted at once
 * @param asks refuses a doubtful document with its doubts
 * @throws ValidationError naming the fields and lines that prevent it; HttpError 409 in a closed period, `doubtful`
 */
export async function postDocument(
  inside: Records,
  tx: Tx,
  document: DocumentRow,
  accept = false,
  asks = false,
): Promise<DocumentRow> {
  const { id, kind, localDate, idFrom, idTo } = document
  if (document.status === 'inTransit') return acceptTransfer(inside, tx, document)
  assertStatus(document, kind === 'inventory' ? 'checked' : 'draft')
  await assertMine(tx, inside.actor, [idFrom, kind === 'transfer' && !accept ? null : idTo])
  const lines = await readLines(tx, id)
  await assertWhole(tx, document, lines)
  if (asks) await assertNoDoubt(tx, document)
  const place = (idFrom ?? idTo) as number
  const pairs = lines.map(({ idProduct }) => ({ idWarehouse: place, idProduct: idProduct as number }))
  await lockGoods(tx, accept && idTo ? [...pairs, ...pairs.map((pair) => ({ ...pair, idWarehouse: idTo }))] : pairs)
  const moved = await movesOf(inside, tx, document, lines)
  const isOnItsWay = kind === 'transfer' && !accept
  if (kind === 'transfer' && accept) await arrive(inside, tx, document, localDate)
  const number =
    document.number ?? (await nextNumber(tx, 'warehouse', { idFilial: await filialOf(tx, place), day: localDate }))
  // The sums of the document are those of its moves.
  if (!bringsBatches(kind, null)) await writeSums(inside, moved)
  return inside.asSystem.update(WarehouseDocument, id, {
    status: isOnItsWay ? 'inTransit' : 'posted',
    number,
    datePosted: new Date().toISOString(),
    idPoster: inside.actor.id || null,
    posting: document.posting + 1,
    ...(kind === 'transfer' && accept && { arrivalDate: localDate }),
  })
}

const filialOf = async (tx: Queryable, idWarehouse: number): Promise<number | null> =>
  (await tx.one<{ idFilial: number }>(sql`select "idFilial" from warehouses where "id" = ${idWarehouse}`))?.idFilial ??
  null

/** Today where the warehouse is. */
async function todayAt(tx: Queryable, idWarehouse: number | null): Promise<string> {
  const found = await tx.one<{
    day: string
  }>(sql`select (now() at time zone coalesce((select f."timeZone" from warehouses w
    join filials f on f."id" = w."idFilial" where w."id" = ${idWarehouse}), ${clinicZone}))::date::text as day`)
  return found?.day ?? ''
}

/** Checks the required data of a document before posting. */
async function assertWhole(tx: Queryable, document: DocumentRow, lines: readonly Line[]): Promise<void> {
  const { kind, idFrom, idTo, idSupplier, reason, localDate } = document
  const rule = kindRules[kind]
  const errors: FieldError[] = []
  const need = (field: string, value: unknown, message: string) => {
    if (value === null || value === '') errors.push({ field, message })
  }
  if (rule.from) need('idFrom', idFrom, kind === 'transfer' || !rule.sides ? 'Выберите склад' : 'Выберите склад')
  if (rule.to) need('idTo', idTo, 'Выберите, на какой склад')
  if (rule.supplier === 'must') need('idSupplier', idSupplier, 'Выберите поставщика')
  if (rule.reason) {
    const { writeOffReasons } = await readCommonSettings(tx)
    const usual = kind === 'writeOff' && writeOffReasons.length > 0 ? `: ${writeOffReasons.join(', ')}` : ''
    need('reason', reason, `Укажите причину${usual}`)
  }
  if (kind === 'transfer' && idFrom !== null && idFrom === idTo)
    errors.push({ field: 'idTo', message: 'Перемещают на другой склад' })
  if (localDate > (await todayAt(tx, idFrom ?? idTo)))
    errors.push({ field: 'localDate', message: 'День ещё не наступил' })
  if (lines.length === 0 && kind !== 'inventory')
    errors.push({ field: 'lines', message: 'Добавьте хотя бы один товар' })
  for (const line of lines) {
    if (line.idProduct === null)
      errors.push({ field: `lines.${line.id}`, message: `Выберите товар: «${line.sourceName ?? 'без названия'}»` })
    else if (line.sgtins.length > 0 && line.sgtins.length !== line.qty)
      errors.push({
        field: `lines.${line.id}`,
        message: `«${line.name}»: количество ${formatNumber(line.qty)}, а кодов маркировки ${line.sgtins.length}`,
      })
    if (kind === 'revaluation' && line.price === null)
      errors.push({ field: `lines.${line.id}`, message: `«${line.name}»: укажите новую цену` })
  }
  const codes = lines.flatMap(({ sgtins }) => sgtins)
  const doubled = codes.find((code, at) => codes.indexOf(code) !== at && at < 5000)
  if (doubled) errors.push({ field: 'lines', message: `Код ${doubled} указан дважды` })
  if (errors.length > 0) throw new ValidationError(errors.slice(0, 50))
}

/** Writes the moves of the lines to the ledger. @returns the moves with their costs */
async function movesOf(
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

const cents = (rubles: string): number => Math.round(Number(rubles) * 100)
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

/** Sets the sums of outgoing lines to the cost of their moves. */
async function writeSums(inside: Records, moved: readonly (Move & { cost: string })[]): Promise<void> {
  const byLine = new Map<number, number>()
  for (const { idLine, cost } of moved) if (idLine !== null) byLine.set(idLine, (byLine.get(idLine) ?? 0) + cents(cost))
  if (byLine.size === 0) return
  const ids = [...byLine.keys()]
  const sums = [...byLine.values()].map((one) => Math.abs(one) / 100)
  await inside.asSystem.updateWhere(
    DocumentLine,
    {
      rows: sql`select l."id", c."sum" from unnest(${ids}::bigint[], ${sums}::numeric[]) as c("id", "sum") join warehouse_lines l using ("id")`,
    },
    ({ picked }) => ({ sum: sql`${picked}."sum"` }),
    { pastHooks: 'The posting says what the line is worth' },
  )
}

export const accept = operation(warehouseCalls.accept, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    if (document.status === 'posted') return document
    return acceptTransfer(inside, tx, document, body.localDate)
  }),
)

/** @param day of the arrival; absent: today @throws ValidationError before it was sent, or in the future */
async function acceptTransfer(inside: Records, tx: Tx, document: DocumentRow, day?: string): Promise<DocumentRow> {
  assertStatus(document, 'inTransit')
  await assertMine(tx, inside.actor, [document.idTo])
  const today = await todayAt(tx, document.idTo)
  const arrivalDate = day ?? (today < document.localDate ? document.localDate : today)
  const wrong =
    arrivalDate < document.localDate
      ? `Отправлено ${formatDay(document.localDate)}: раньше оно прийти не могло`
      : arrivalDate > today && day !== undefined
        ? 'День ещё не наступил'
        : undefined
  if (wrong) throw new ValidationError([{ field: 'localDate', message: wrong }])
  await arrive(inside, tx, document, arrivalDate)
  return inside.asSystem.update(WarehouseDocument, document.id, { status: 'posted', arrivalDate })
}

/** Writes the arrival of a transfer: the same batches at the same cost. */
async function arrive(inside: Records, tx: Tx, document: DocumentRow, localDate: string): Promise<void> {
  const { id, idTo } = document
  const gone = await tx.query<Move & { cost: string }>(sql`
    select "idProduct", "idBatch", (-"qty")::float8 as qty, (-${correctedCost})::text as cost, "idLine" from warehouse_moves m
    where "idDocument" = ${id} and "qty" < 0 and "idReverses" is null
      and not exists (select 1 from warehouse_moves r where r."idReverses" = m."id") order by "id"`)
  const moves = gone.map((move) => ({ ...move, idWarehouse: idTo as number }))
  await postMoves(inside, tx, { idDocument: id, kind: 'transfer', localDate, moves })
}

export const unpost = operation(warehouseCalls.unpost, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    const to = body.draft ? 'draft' : 'cancelled'
    if (document.status === to || (document.status === 'cancelled' && !body.draft)) return document
    return unpostDocument(inside, tx, document, to)
  }),
)

/** @throws HttpError 409 if a later document needs its stock, or in a closed period */
export async function unpostDocument(
  inside: Records,
  tx: Tx,
  document: DocumentRow,
  to: 'draft' | 'cancelled',
): Promise<DocumentRow> {
  const { id, kind, idFrom, idTo, localDate } = document
  if (document.status === 'cancelled') assertStatus(document, 'cancelled')
  else
    assertStatus(document, 'posted', 'inTransit', ...(kind === 'inventory' ? (['counting', 'checked'] as const) : []))
  await assertMine(tx, inside.actor, [idFrom, idTo])
  const sent = await tx.one<{ schema: string }>(sql`select "schema" from mdlp_documents where "idStockDocument" = ${id}
    and "direction" = 'out' and "status" in ('queued', 'processing', 'processed', 'partial', 'stuck') and "schema" not in ('701', '250') limit 1`)
  if (sent)
    throw new HttpError(409, 'О документе уже сообщено в МДЛП: сначала отмените операцию там (250)', { code: 'mdlp' })
  await dropUnsigned(inside, tx, id)
  if (document.status !== 'cancelled') {
    const day = await returnDay(tx, document)
    const corrected = await reverseMoves(inside, tx, id, localDate, day)
    await writeCorrectedSums(inside, corrected)
  }
  return inside.asSystem.update(WarehouseDocument, id, {
    status: to,
    datePosted: null,
    idPoster: null,
    arrivalDate: null,
  })
}

/** Goods on their way since a closed period come back today: the closed days stay as they were. */
async function returnDay(tx: Queryable, { status, localDate, idFrom }: DocumentRow): Promise<string | undefined> {
  const { closedUntil } = await readCommonSettings(tx)
  return status === 'inTransit' && localDate <= closedUntil ? todayAt(tx, idFrom) : undefined
}

/** Sets the sums of lines whose cost was corrected by another document. */
async function writeCorrectedSums(inside: Records, corrections: readonly Correction[]): Promise<void> {
  const ids = corrections.map(({ idCorrects }) => idCorrects)
  if (ids.length === 0) return
  await inside.asSystem.updateWhere(
    DocumentLine,
    {
      rows: sql`select l."id", t."sum" from (select o."idLine", abs(sum(${correctedCost})) as "sum"
        from (select distinct "idLine", "idDocument", sign("qty") as side from warehouse_moves where "id" = any (${ids}::bigint[])
          and "kind" not in ('receipt', 'opening') and ("kind" <> 'transfer' or "qty" < 0)) o
        join warehouse_moves m on m."idLine" = o."idLine" and m."idDocument" = o."idDocument" and sign(m."qty") = o.side
          and m."idReverses" is null and m."idCorrects" is null and not exists (select 1 from warehouse_moves r where r."idReverses" = m."id")
        group by 1) t join warehouse_lines l on l."id" = t."idLine"`,
    },
    ({ picked }) => ({ sum: sql`${picked}."sum"` }),
    { pastHooks: 'The ledger says what the line is worth' },
  )
}

export const copy = operation(warehouseCalls.copy, ({ records, params }) =>
  records.tx(async (inside, tx) => {
    const of = await inside.row(WarehouseDocument, params.id)
    const { kind, idFrom, idTo, idSupplier, reason, idGroup, blind } = of
    const today = await tx.one<{ day: string }>(sql`select ${clinicToday}::text as day`)
    const made = await inside.create(WarehouseDocument, {
      kind,
      localDate: today?.day ?? of.localDate,
      idFrom,
      idTo,
      idSupplier,
      reason,
      idGroup,
      blind,
    })
    if (kind !== 'inventory')
      await inside.asSystem.createFrom(
        DocumentLine,
        sql`warehouse_lines l where l."idDocument" = ${of.id} order by l."id"`,
        {
          idDocument: made.id,
          idProduct: sql`l."idProduct"`,
          side: sql`l."side"`,
          qty: sql`l."qty"`,
          price: sql`l."price"`,
          sum: sql`l."sum"`,
          vatCode: sql`l."vatCode"`,
        },
        { pastHooks: 'They are lines of such a document already' },
      )
    return inside.asSystem.update(WarehouseDocument, made.id, { idCopyOf: of.id })
  }),
)
