/** Posts documents, reverses them, accepts transfers: states of a document and the resulting moves. */
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import {
  bringsBatches,
  DocumentLine,
  type DocumentStatus,
  documentStatuses,
  kindRules,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import { formatDay, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { nextNumber } from '#areas/filials/index.ts'
import { clinicToday, clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { conflict, type FieldError, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { DocumentRow } from './documents.ts'
import { assertNoDoubt } from './doubts.ts'
import { lockGoods, type Move, postMoves, reverseMoves } from './ledger.ts'
import { dropUnsigned } from './mdlp/codes.ts'
import { cents, type Line, movesOf } from './moves.ts'
import { type Correction, correctedCost } from './repricing.ts'
import { assertMine } from './scope.ts'

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
