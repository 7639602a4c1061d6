/** Questions before a document is posted: not errors, but most often mistakes. */
import { unitFactor } from '@ordinator/model/areas/warehouse/units'
import { formatDay, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { DocumentRow } from './documents.ts'

const MAX_SHOWN = 5

/** @throws HttpError 409 `doubtful` with all doubts, to be confirmed */
export async function assertNoDoubt(db: Queryable, document: DocumentRow): Promise<void> {
  const duplicate = await duplicateOf(db, document)
  const doubts = [
    ...(duplicate ? [`Документ поставщика № ${document.externalNumber} уже есть: ${duplicate}`] : []),
    ...(await countedLater(db, document)),
    ...(await strangeUnits(db, document)),
    ...(await bareDrugs(db, document)),
  ]
  if (doubts.length > 0) throw new HttpError(409, doubts.join('. '), { code: 'doubtful' })
}

/** Another receipt of the same paper of the supplier, however it came; undefined: none. */
export async function duplicateOf(
  db: Queryable,
  {
    id,
    kind,
    idSupplier,
    externalNumber,
    externalDate,
  }: Pick<DocumentRow, 'id' | 'kind' | 'idSupplier' | 'externalNumber' | 'externalDate'>,
): Promise<string | undefined> {
  if (kind !== 'receipt' || !externalNumber) return undefined
  const duplicate = await db.one<{ number: string | null; localDate: string }>(sql`
    select "number", "localDate"::text from warehouse_documents
    where lower(regexp_replace("externalNumber", '\\s', '', 'g')) = lower(regexp_replace(${externalNumber}, '\\s', '', 'g'))
      and "idSupplier" is not distinct from ${idSupplier}::bigint and "kind" = 'receipt' and "id" <> ${id}
      and coalesce("externalDate", ${externalDate}::date) is not distinct from coalesce(${externalDate}::date, "externalDate")
      and "status" <> 'cancelled' and not "deleted" order by "number" nulls last limit 1`)
  return duplicate && (duplicate.number ? `№ ${duplicate.number} от ${formatDay(duplicate.localDate)}` : 'черновик')
}

/** Goods that were counted on a later day, with the day of the count. */
async function countedLater(db: Queryable, { id, kind, localDate, idFrom, idTo }: DocumentRow): Promise<string[]> {
  if (kind === 'inventory') return []
  const rows = await db.query<{ name: string; day: string }>(sql`
    select p."nameService" as name, max(d."localDate")::text as day
    from (select distinct "idProduct" from warehouse_lines where "idDocument" = ${id}) l
    join services p on p."id" = l."idProduct"
    join warehouse_documents d on d."kind" = 'inventory' and d."status" = 'posted' and not d."deleted"
      and d."idFrom" in (${idFrom}, ${idTo}) and d."localDate" > ${localDate}::date
      and exists (select 1 from warehouse_counts c where c."idDocument" = d."id" and c."idProduct" = l."idProduct"
        union all select 1 from warehouse_books b where b."idDocument" = d."id" and b."idProduct" = l."idProduct")
    group by 1 order by 1 limit ${MAX_SHOWN}`)
  return rows.map(({ name, day }) => `«${name}» посчитан ${formatDay(day)}: остаток изменится`)
}

/** Drugs that are received without a series, a term or a price, in one sentence: none can be recalled or written off by term. */
async function bareDrugs(db: Queryable, { id, kind }: DocumentRow): Promise<string[]> {
  if (kind !== 'receipt') return []
  const rows = await db.query<{ name: string; lacks: string }>(sql`
    select p."nameService" as name, concat_ws(', ', case when coalesce(l."series", '') = '' then 'без серии' end,
      case when l."expiry" is null then 'без срока годности' end,
      case when coalesce(l."price", 0) = 0 and coalesce(l."sum", 0) = 0 then 'без цены' end) as lacks
    from warehouse_lines l join services p on p."id" = l."idProduct"
    where l."idDocument" = ${id} and p."isDrug" and l."idBatch" is null order by l."id"`)
  const bare = rows.filter(({ lacks }) => lacks !== '')
  if (bare.length === 0) return []
  const named = bare.slice(0, MAX_SHOWN).map(({ name, lacks }) => `«${name}» ${lacks}`)
  const rest = bare.length - named.length
  return [`Лекарства: ${named.join('; ')}${rest > 0 ? ` и ещё ${rest}` : ''}`]
}

async function strangeUnits(db: Queryable, { id }: DocumentRow): Promise<string[]> {
  const rows = await db.query<{
    name: string
    qty: number
    sourceUnit: string
    unit: string | null
    packUnit: string | null
    packRatio: number | null
  }>(sql`select p."nameService" as name, l."qty"::float8 as qty, l."sourceUnit", p."unit", p."packUnit",
      p."packRatio"::float8 as "packRatio"
    from warehouse_lines l join services p on p."id" = l."idProduct"
    where l."idDocument" = ${id} and l."sourceUnit" is not null and l."qty" = l."sourceQty" and l."sgtins" = '{}' order by l."id"`)
  return rows
    .filter((one) => unitFactor(one.sourceUnit, one) === null)
    .slice(0, MAX_SHOWN)
    .map(
      ({ name, qty, sourceUnit, unit }) =>
        `«${name}»: у поставщика ${formatNumber(qty)} (единица ${sourceUnit}), а товар ведётся в «${unit ?? 'шт.'}»`,
    )
}
