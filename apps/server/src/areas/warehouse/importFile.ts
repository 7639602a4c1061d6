/** Imports lines of a document from a supplier's file: УПД in XML, or a table. */

import { Readable } from 'node:stream'
import { warehouseCalls } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, MAX_LINES, MAX_QTY, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { sumOf } from '@ordinator/model/areas/warehouse/rules'
import { readExpiry } from '@ordinator/model/areas/warehouse/series'
import { type CountedIn, stockQty } from '@ordinator/model/areas/warehouse/units'
import { formatMoney } from '@ordinator/model/format'
import { schemes } from '@ordinator/model/identifiers'
import sql from 'sql-template-tag'
import { readDay, readTable, refuseFile } from '#areas/imports/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { XmlError, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { duplicateOf } from './doubts.ts'
import { matchGoods } from './goodsMatch.ts'
import { assertStatus, heldDocument } from './posting.ts'
import { decimalOf, readUpd, type Upd, type UpdLine, vatOf } from './upd.ts'

export const importFile = operation(warehouseCalls.importFile, async ({ app, records, actor, params, request }) => {
  const bytes = request.body as Buffer | undefined
  if (!bytes || bytes.length === 0) throw refuseFile('Файл пуст')
  const before = await records.row(WarehouseDocument, params.id)
  assertStatus(before, 'draft')
  // Parsed before any lock: a large file takes time.
  const read = isXml(bytes) ? await readXml(app, bytes, actor.id) : await readRows(bytes, actor.id)
  if (read.lines.length === 0) throw refuseFile(`В файле нет строк с товарами. ${read.remarks[0] ?? ''}`.trim())
  if (read.lines.length > MAX_LINES) throw refuseFile(`В файле больше ${MAX_LINES} строк: разделите документ`)
  return records.tx(async (inside, tx) => {
    const document = await heldDocument(inside, tx, params.id)
    assertStatus(document, 'draft')
    const there = await tx.one<{ count: number }>(
      sql`select count(*)::int as count from warehouse_lines where "idDocument" = ${params.id}`,
    )
    if ((there?.count ?? 0) + read.lines.length > MAX_LINES)
      throw refuseFile(`Вместе с тем, что уже есть, строк больше ${MAX_LINES}`)
    const remarks = [...read.remarks]
    const supplier = read.inn
      ? await tx.one<{ id: number }>(
          sql`select min("id") as id from organizations where "inn" = ${read.inn} and not "deleted" having count(*) = 1`,
        )
      : undefined
    const idSupplier = document.idSupplier ?? supplier?.id ?? null
    if (read.inn && !supplier) remarks.push(`Поставщика с ИНН ${read.inn} нет в организациях`)
    const duplicate = await duplicateOf(tx, {
      id: document.id,
      kind: document.kind,
      idSupplier,
      externalNumber: read.number,
      externalDate: read.date,
    })
    if (duplicate) remarks.push(`Документ поставщика № ${read.number} уже загружен: ${duplicate}`)
    const matched = await matchGoods(tx, read.lines, idSupplier)
    const counted = await countedIn(tx, matched)
    const bodies = read.lines.map((line, at) => bodyOf(line, params.id, matched[at] ?? null, counted, remarks))
    const difference = differenceOf(read, bodies)
    if (difference) remarks.unshift(difference)
    await inside.asSystem.createMany(DocumentLine, bodies, {
      pastHooks: 'The document is a draft, and the lines were checked here',
    })
    const changed = await inside.asSystem.update(WarehouseDocument, params.id, {
      ...(document.kind === 'receipt' && { idSupplier }),
      externalNumber: document.externalNumber ?? read.number,
      externalDate: document.externalDate ?? read.date,
    })
    return {
      document: changed,
      added: read.lines.length,
      unmatched: matched.filter((id) => id === null).length,
      remarks: remarks.slice(0, 100),
    }
  })
})

/** A line in the units of its good: the sum stays, the quantity and the price are of one unit. */
function bodyOf(
  line: UpdLine,
  idDocument: number,
  idProduct: number | null,
  counted: ReadonlyMap<number, CountedIn>,
  remarks: string[],
) {
  const sourceQty = Number(line.qty)
  const good = idProduct === null ? undefined : counted.get(idProduct)
  // Codes are counted by packs already.
  const converted = good && line.sgtins.length === 0 ? stockQty(sourceQty, line.unit, good) : sourceQty
  if (converted === null)
    remarks.push(
      `«${line.name}»: ${line.qty} ${line.unit}, а товар ведётся в «${good?.unit ?? 'шт.'}»: проверьте количество`,
    )
  const qty = converted ?? sourceQty
  const price = line.price === null ? null : Math.round(Number(line.price) * (sourceQty / qty) * 100) / 100
  return {
    idDocument,
    idProduct,
    qty,
    sourceQty,
    sourceUnit: line.unit?.slice(0, 32) ?? null,
    price,
    sum: line.sum === null ? (line.price === null ? null : sumOf(sourceQty, Number(line.price))) : Number(line.sum),
    vatCode: line.vatCode,
    series: line.series?.slice(0, 64) ?? null,
    expiry: line.expiry,
    gtin: line.gtin && schemes.gtin.read(line.gtin).ok ? line.gtin.padStart(14, '0') : null,
    sourceName: line.name.slice(0, 500),
    sourceArticle: line.article?.slice(0, 64) ?? null,
    sgtins: line.sgtins,
  }
}

/** How the chosen goods are counted, by id. */
async function countedIn(db: Queryable, ids: readonly (number | null)[]): Promise<Map<number, CountedIn>> {
  const rows = await db.query<
    CountedIn & { id: number }
  >(sql`select "id", "unit", "packUnit", "packRatio"::float8 as "packRatio"
    from services where "id" = any (${ids.filter((id) => id !== null)}::bigint[])`)
  return new Map(rows.map(({ id, ...good }) => [id, good]))
}

/** The difference between the paper's own total and its lines, as a message. */
function differenceOf({ total }: Upd, lines: readonly { sum: number | null }[]): string | undefined {
  if (total === null) return undefined
  const sum = lines.reduce((kopecks, one) => kopecks + Math.round((one.sum ?? 0) * 100), 0)
  const difference = Math.round(Number(total) * 100) - sum
  if (difference === 0) return undefined
  return `Итого в файле ${formatMoney(Number(total))}, а в строках ${formatMoney(sum / 100)}: разница ${formatMoney(Math.abs(difference) / 100)}`
}

const isXml = (bytes: Buffer): boolean => {
  const head = bytes
    .subarray(0, 64)
    .toString('latin1')
    .replace(/^[\u00ef\u00bb\u00bf\u00fe\u00ff\0\s]+/, '')
  return head.startsWith('<')
}

async function readXml(app: AppContext, bytes: Buffer, idUser: number): Promise<Upd> {
  const root = await xmlOf(app)
    .parse(bytes, { who: idUser })
    .catch((error: unknown) => {
      if (error instanceof XmlError) throw refuseFile(error.message)
      throw error
    })
  try {
    return readUpd(root)
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw refuseFile((error as Error).message)
  }
}

/** Patterns of suppliers' column headers. */
const COLUMNS = {
  name: /^(товар|наименование|название|номенклатура|материал)/i,
  article: /^(артикул|код)/i,
  gtin: /^(gtin|гтин|штрих)/i,
  qty: /^(кол|количество)/i,
  unit: /^(ед|единица)/i,
  vat: /^(ставка|ндс$|ндс,? *%|налоговая)/i,
  price: /^цена/i,
  sum: /^(сумма|стоимость)/i,
  series: /^серия/i,
  expiry: /^(срок|годен)/i,
} as const

async function readRows(bytes: Buffer, idUser: number): Promise<Upd> {
  const isKnown = (cell: string) => Object.values(COLUMNS).some((wanted) => wanted.test(cell.trim()))
  const { head, table } = await readTable(async () => Readable.from([bytes]), idUser, {
    maxRows: MAX_LINES,
    // A title («Товарная накладная № 5») has one known word, a header row at least two.
    knownHeads: (line) => {
      const known = line.filter(isKnown).length
      return known > 1 ? known : 0
    },
  })
  const at = (key: keyof typeof COLUMNS) => head.findIndex((cell) => COLUMNS[key].test(cell))
  const places = Object.fromEntries(
    Object.keys(COLUMNS).map((key) => [key, at(key as keyof typeof COLUMNS)]),
  ) as Record<keyof typeof COLUMNS, number>
  if (places.name < 0 || places.qty < 0) throw refuseFile('В таблице нужны столбцы «Наименование» и «Количество»')
  const remarks: string[] = []
  let total: string | null = null
  const lines = table.flatMap(({ row, cells }): UpdLine[] => {
    const cell = (key: keyof typeof COLUMNS) => (places[key] < 0 ? null : cells[places[key]]?.trim() || null)
    const name = cell('name')
    const qty = decimalOf(cell('qty')?.replace(/\s/g, ''), 3)
    const money = (key: 'price' | 'sum') => decimalOf(cell(key)?.replace(/[\s₽]|руб\.?/g, ''), 2)
    if (cells.some((one) => /^(?:всего|итого)/i.test(one.trim()))) {
      total = money('sum') ?? total
      return []
    }
    if (!name) return []
    if (qty === null || Number(qty) <= 0 || Number(qty) > MAX_QTY) {
      remarks.push(`Строка ${row}, «${name}»: количество «${cell('qty') ?? ''}» не читается, пропущена`)
      return []
    }
    const term = cell('expiry')
    const expiry = term === null ? null : (readExpiry(term) ?? readDay(term) ?? null)
    if (term !== null && expiry === null)
      remarks.push(`Строка ${row}, «${name}»: срок годности «${term.slice(0, 40)}» не читается, укажите его сами`)
    const vat = vatOf(cell('vat'))
    if (vat === undefined)
      remarks.push(`Строка ${row}, «${name}»: ставка НДС «${cell('vat')}» не читается, укажите её сами`)
    return [
      {
        name,
        article: cell('article'),
        gtin: cell('gtin'),
        qty,
        unit: cell('unit'),
        price: money('price'),
        sum: money('sum') ?? null,
        vatCode: vat ?? null,
        series: cell('series'),
        expiry,
        sgtins: [],
      },
    ]
  })
  return { number: null, date: null, inn: null, lines, total, remarks }
}
