/** Lines of a document in one response, and adding by a scanner. */
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, kindRules, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { readScan, type ScannedCode } from '@ordinator/model/areas/warehouse/gs1'
import { formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { assertStatus, heldDocument } from './posting.ts'

export const lineList = operation(warehouseCalls.lines, async ({ app, records, params }) => {
  const { idFrom } = await records.row(WarehouseDocument, params.id)
  const items = await app.db.reads.query<never>(sql`
    select l."id", l."_version", l."idProduct", p."nameService" as name, p."unit", coalesce(p."isMarked", false) as "isMarked",
      l."idBatch", l."side", l."qty"::float8 as qty, l."price"::float8 as price, l."sum"::float8 as sum, l."vatCode",
      coalesce(b."series", l."series", g."series") as series,
      coalesce(b."expiry", l."expiry", g."expiry")::text as expiry, l."norm"::float8 as norm,
      l."book"::float8 as book, l."fact"::float8 as fact, l."sourceName", l."sourceQty"::float8 as "sourceQty", l."sourceUnit", l."sgtins",
      case when ${idFrom}::bigint is not null then coalesce(f."free", 0)::float8 end as free
    from warehouse_lines l left join services p on p."id" = l."idProduct" left join warehouse_batches b on b."id" = l."idBatch"
    left join (select s."idProduct", sum(s."qty" - s."reserved") as "free" from warehouse_stock s
      where s."idWarehouse" = ${idFrom}::bigint and s."idProduct" in (select "idProduct" from warehouse_lines where "idDocument" = ${params.id})
      group by 1) f on f."idProduct" = l."idProduct"
    left join (select m."idLine", string_agg(distinct x."series", ', ') as "series", min(x."expiry") as "expiry"
      from warehouse_moves m join warehouse_batches x on x."id" = m."idBatch"
      where m."idDocument" = ${params.id} and m."idReverses" is null group by 1) g on g."idLine" = l."id"
    where l."idDocument" = ${params.id} order by l."id"`)
  return { items }
})

/** @throws ValidationError at `code`, with a message */
export function readCode(raw: string): ScannedCode {
  const read = readScan(raw)
  if ('fault' in read) throw new ValidationError([{ field: 'code', message: read.fault }])
  return read.code
}

/** The good of a code: by GTIN, else by the barcode of its card. */
export async function goodOf(
  db: Queryable,
  code: ScannedCode,
): Promise<{ id: number; name: string; unit: string | null; isMarked: boolean }> {
  const good = await db.one<{ id: number; name: string; unit: string | null; isMarked: boolean }>(sql`
    select "id", "nameService" as name, "unit", "isMarked" from services
    where not "deleted" and "serviceCategory" = 1 and ("gtin" = ${code.gtin} or "barcode" in (${code.gtin}, ltrim(${code.gtin}, '0')))
    order by ("gtin" = ${code.gtin}) desc nulls last, "id" limit 1`)
  if (good) return good
  throw new ValidationError([
    { field: 'code', message: `Товара с GTIN ${code.gtin} нет: впишите его в карточку товара` },
  ])
}

export const scan = operation(warehouseCalls.scan, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    assertStatus(document, 'draft')
    const code = readCode(body.code)
    if (code.kind === 'box') return scanBox(code.sscc as string)
    const good = await goodOf(tx, code)
    if (good.isMarked && code.kind !== 'marked')
      throw new ValidationError([
        { field: 'code', message: `«${good.name}» маркируется: сканируйте DataMatrix, а не штрихкод` },
      ])
    const sgtin = good.isMarked ? code.sgtin : undefined
    if (good.isMarked && !sgtin)
      throw new ValidationError([
        { field: 'code', message: 'Это код другой группы товаров: у лекарства серийный номер из 13 знаков' },
      ])
    const side = kindRules[document.kind].sides ? (body.side ?? 'out') : null
    if (sgtin) {
      const duplicate = await tx.one<{ name: string | null; same: boolean }>(sql`
        select d."number" as name, d."id" = ${params.id} as same from warehouse_lines l join warehouse_documents d on d."id" = l."idDocument"
        where l."sgtins" @> array[${sgtin}]::text[] and not d."deleted" and (d."id" = ${params.id} or d."status" = 'draft') limit 1`)
      if (duplicate)
        throw new ValidationError([
          {
            field: 'code',
            message: duplicate.same
              ? 'Этот код уже отсканирован'
              : `Этот код уже в другом черновике${duplicate.name ? ` № ${duplicate.name}` : ''}`,
          },
        ])
    }
    const series = code.series ?? null
    const line = await tx.one<{ id: number; qty: number; sgtins: string[] }>(sql`
      select "id", "qty"::float8 as qty, "sgtins" from warehouse_lines where "idDocument" = ${params.id} and "idProduct" = ${good.id}
        and "side" is not distinct from ${side} and (${series}::text is null or "series" is not distinct from ${series} or "series" is null)
      order by ("series" is not distinct from ${series}) desc, "id" desc limit 1`)
    const done = line
      ? await inside.update(DocumentLine, line.id, {
          qty: sgtin ? Math.max(line.qty, line.sgtins.length + 1) : line.qty + 1,
          ...(sgtin && { sgtins: [...line.sgtins, sgtin] }),
          ...(series && { series }),
          ...(code.expiry && { expiry: code.expiry }),
        })
      : await inside.create(DocumentLine, {
          idDocument: params.id,
          idProduct: good.id,
          qty: 1,
          side,
          series,
          expiry: code.expiry ?? null,
          gtin: code.gtin ?? null,
          ...(sgtin && { sgtins: [sgtin] }),
        })
    return {
      line: done,
      idProduct: good.id,
      message: `${good.name}: ${formatNumber(done.qty)} ${good.unit ?? ''}`.trim(),
    }
  }),
)

function scanBox(sscc: string): never {
  throw new ValidationError([
    { field: 'code', message: `Это короб ${sscc}: примите его в МДЛП, и его товары станут строками документа` },
  ])
}
