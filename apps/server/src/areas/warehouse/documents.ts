/** Stock documents and their lines: scope and rules of changes. */
import {
  bringsBatches,
  type DocumentKind,
  DocumentLine,
  documentKinds,
  documentStatuses,
  kindRules,
  MAX_LINES,
  WarehouseDocument,
} from '@ordinator/model/areas/warehouse/document'
import { sumOf } from '@ordinator/model/areas/warehouse/rules'
import { type CountedIn, stockQty } from '@ordinator/model/areas/warehouse/units'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { type FieldError, HttpError, ValidationError } from '#platform/errors.ts'
import { count, records, type WriteContext } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import { learnName } from './goodsMatch.ts'
import { schemaOfKind } from './mdlp/codes.ts'
import { assertMine, byEither } from './scope.ts'

export type DocumentRow = Row<typeof WarehouseDocument>
export type LineRow = Row<typeof DocumentLine>

/**
 * State of a document in МДЛП: of its last message, where recalled ones and recalls (250) do not count; `none` once it is
 * posted with marked packs which МДЛП must receive.
 */
const mdlpSql = (row: Sql): Sql => sql`coalesce(
  (select m."status" from mdlp_documents m where m."idStockDocument" = ${row}."id" and m."status" <> 'cancelled'
    and m."schema" <> '250' order by m."id" desc limit 1),
  (select 'none' from warehouse_lines l where l."idDocument" = ${row}."id" and cardinality(l."sgtins") > 0
    and ${row}."status" in ('posted', 'inTransit') and ${row}."kind" = any (${Object.keys(schemaOfKind)}::text[]) limit 1))`

/** Fields that remain editable after the draft. */
const afterDraft: ReadonlySet<string> = new Set(['comment', 'commission', 'externalNumber', 'externalDate', '_version'])

export const documents = records(WarehouseDocument, {
  scope: byEither,
  found: {
    on: 'warehouseDocument',
    group: 'Складские документы',
    by: ['number', 'externalNumber'],
    opens: ({ row }) =>
      sql`'/warehouse/' || case ${row}."kind" when 'inventory' then 'inventory/' else 'documents/' end || ${row}."id"`,
    hint: ({ row }) =>
      sql`concat_ws(' · ', ${labelSql(sql`${row}."kind"`, documentKinds)}, ${labelSql(sql`${row}."status"`, documentStatuses)})`,
    day: 'localDate',
  },
  computed: {
    linesCount: count('lines'),
    sum: ({ row }) => sql`coalesce((select sum(l."sum") from warehouse_lines l where l."idDocument" = ${row}."id"),
      0)`,
    mdlp: ({ row }) => mdlpSql(row),
  },
  hooks: {
    prepare(value, before) {
      const kind = (before?.kind ?? value.kind) as DocumentKind | undefined
      if (!kind) return
      const rule = kindRules[kind]
      // Clears the fields that the document type does not use.
      if (!rule.from) value.idFrom = null
      if (!rule.to) value.idTo = null
      if (!rule.supplier) value.idSupplier = null
    },
    async beforeCreate({ tx, actor }, value) {
      await assertMine(tx, actor, [value.idFrom ?? null, value.kind === 'transfer' ? null : (value.idTo ?? null)])
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (actor.system) return
      await assertMine(tx, actor, [value.idFrom ?? null, before.kind === 'transfer' ? null : (value.idTo ?? null)])
      if (before.status === 'draft') return
      const now = new Map<string, unknown>(Object.entries(before))
      for (const [field, given] of Object.entries(value))
        if (!afterDraft.has(field) && JSON.stringify(given ?? null) !== JSON.stringify(now.get(field) ?? null))
          throw new ValidationError([
            { field, message: `Документ «${documentStatuses[before.status]}»: меняют только черновик` },
          ])
    },
  },
})

export const lines = records(DocumentLine, {
  hooks: {
    async beforeCreate(context, value) {
      const { kind } = await openDocument(context, value.idDocument)
      const found = await context.tx.one<{ count: number }>(
        sql`select count(*)::int as count from warehouse_lines where "idDocument" = ${value.idDocument}`,
      )
      if ((found?.count ?? 0) >= MAX_LINES)
        throw new ValidationError([{ field: 'idDocument', message: `В документе не больше ${MAX_LINES} строк` }])
      await checkLine(context.tx, kind, value)
    },
    async beforeUpdate(context, value, before) {
      const { kind } = await openDocument(context, before.idDocument)
      await convertUnits(context.tx, value, before)
      await checkLine(context.tx, kind, value, before)
    },
    async afterUpdate({ records: inside, tx }, row, before) {
      if (row.idProduct !== null && row.idProduct !== before.idProduct && row.sourceName !== null)
        await learnName(inside, tx, row)
    },
    beforeDelete: async (context, row) => void (await openDocument(context, row.idDocument)),
  },
})

/** The document, locked while its lines change. @throws HttpError 409 unless it is a draft */
async function openDocument(
  { tx, actor }: Pick<WriteContext, 'tx' | 'actor'>,
  id: number,
): Promise<{ kind: DocumentKind }> {
  const found = await tx.one<{ kind: DocumentKind; status: keyof typeof documentStatuses }>(
    sql`select "kind", "status" from warehouse_documents where "id" = ${id} for key share`,
  )
  if (!found) throw new ValidationError([{ field: 'idDocument', message: 'Документ не найден' }])
  if (found.status !== 'draft' && !actor.system)
    throw new HttpError(409, `Документ «${documentStatuses[found.status]}»: строки меняют только в черновике`, {
      code: 'transition',
    })
  return found
}

/** Converts a supplier's quantity to the units of the good that is chosen; the sum stays as on the paper. */
async function convertUnits(tx: Queryable, value: Update<typeof DocumentLine>, before: LineRow): Promise<void> {
  const { sourceQty, sourceUnit, qty, price, sum } = before
  const isChosen = value.idProduct !== undefined && value.idProduct !== null && value.idProduct !== before.idProduct
  if (!isChosen || value.qty !== undefined || sourceQty === null || before.sgtins.length > 0) return
  const rows = await tx.query<
    CountedIn & { id: number }
  >(sql`select "id", "unit", "packUnit", "packRatio"::float8 as "packRatio"
    from services where "id" in (${value.idProduct}, ${before.idProduct})`)
  const of = (id: number | null | undefined) => rows.find((one) => one.id === id)
  const [good, former] = [of(value.idProduct), of(before.idProduct)]
  const was = former ? (stockQty(sourceQty, sourceUnit, former) ?? sourceQty) : sourceQty
  // A quantity that a person has changed is theirs.
  if (!good || qty !== was) return
  const now = stockQty(sourceQty, sourceUnit, good) ?? sourceQty
  if (now === qty) return
  value.qty = now
  if (price !== null && value.price === undefined) value.price = Math.round((price * qty * 100) / now) / 100
  value.sum = sum
}

/** Completes the sum of a line, and checks that its good and batch match. */
async function checkLine(
  tx: Queryable,
  kind: DocumentKind,
  value: Update<typeof DocumentLine>,
  before?: LineRow,
): Promise<void> {
  const { idProduct = null, idBatch = null, qty, price = null, side = null } = { ...before, ...value }
  const rule = kindRules[kind]
  if (rule.sides && side === null) throw new ValidationError([{ field: 'side', message: 'Списать или оприходовать?' }])
  if (
    price !== null &&
    qty !== undefined &&
    value.sum === undefined &&
    (value.qty !== undefined || value.price !== undefined)
  )
    value.sum = sumOf(qty, price)
  const changesGood = value.idProduct !== undefined || value.idBatch !== undefined
  if (!changesGood) return
  const errors: FieldError[] = []
  if (idProduct !== null) {
    const good = await tx.one<{ category: number }>(
      sql`select "serviceCategory" as category from services where "id" = ${idProduct} and not "deleted"`,
    )
    if (good?.category !== 1) errors.push({ field: 'idProduct', message: 'Выберите товар, а не услугу' })
  }
  if (idBatch !== null) {
    const batch = await tx.one<{ idProduct: number }>(
      sql`select "idProduct" from warehouse_batches where "id" = ${idBatch}`,
    )
    if (batch?.idProduct !== idProduct) errors.push({ field: 'idBatch', message: 'Это партия другого товара' })
    else if (bringsBatches(kind, side)) errors.push({ field: 'idBatch', message: 'Партию заведёт проведение' })
  }
  if (errors.length > 0) throw new ValidationError(errors)
}

export const documentName = (document: Pick<DocumentRow, 'kind' | 'number'>): string =>
  `${documentKinds[document.kind]} ${document.number ? `№ ${document.number}` : '(черновик)'}`
