/** Calls of the stock beyond the records engine: documents, counts and balances. */

import { z } from 'zod'
import { call, counting, day, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { stockView, warehouseView } from './access.ts'
import { MAX_FILE, nullableText, scanned } from './callParts.ts'
import { DocumentLine, documentKinds, MAX_QTY, WarehouseDocument } from './document.ts'
import { InventoryCount } from './inventory.ts'
import { batchStates } from './stock.ts'

const document = rowOf(WarehouseDocument)
const version = { _version: z.int().optional() }
const qty = z.number().min(0).max(MAX_QTY, `Не больше ${MAX_QTY}`)

/** Rows of the balance per response. */
export const MAX_BALANCE = 500

const line = z.object({
  id: z.int(),
  _version: z.int(),
  idProduct: z.int().nullable(),
  name: nullableText,
  unit: nullableText,
  isMarked: z.boolean(),
  idBatch: z.int().nullable(),
  side: nullableText,
  qty: z.number(),
  price: z.number().nullable(),
  sum: z.number().nullable(),
  vatCode: nullableText,
  series: nullableText,
  expiry: nullableText,
  norm: z.number().nullable(),
  book: z.number().nullable(),
  fact: z.number().nullable(),
  sourceName: nullableText,
  sourceQty: z.number().nullable(),
  sourceUnit: nullableText,
  sgtins: z.array(z.string()),
  /** Free quantity on the source warehouse; null: nothing is taken. */
  free: z.number().nullable(),
})
export type LineRow = z.output<typeof line>

const batchRow = z.object({
  idBatch: z.int(),
  idWarehouse: z.int(),
  warehouse: z.string(),
  series: nullableText,
  expiry: nullableText,
  state: oneOf(batchStates),
  qty: z.number(),
  reserved: z.number(),
  cost: z.number().nullable(),
  supplier: nullableText,
})

const balanceRow = z.object({
  idProduct: z.int(),
  name: z.string(),
  unit: nullableText,
  group: nullableText,
  opening: z.number(),
  came: z.number(),
  went: z.number(),
  closing: z.number(),
  cost: z.number(),
  reserved: z.number(),
  minStock: z.number().nullable(),
  maxStock: z.number().nullable(),
  /** Days of stock at the use of the last 30 days; null: no use. */
  days: z.int().nullable(),
  /** Cost of goods issued / mean cost of stock in the period; null: no stock. */
  turnover: z.number().nullable(),
  nearestExpiry: nullableText,
})
export type BalanceRow = z.output<typeof balanceRow>

const sheetRow = z.object({
  idProduct: z.int(),
  name: z.string(),
  unit: nullableText,
  idBatch: z.int().nullable(),
  series: nullableText,
  expiry: nullableText,
  /** Book quantity, including later moves; null: hidden from users who count blind. */
  book: z.number().nullable(),
  /** Sum of all counters in the latest round; null: not counted. */
  fact: z.number().nullable(),
  mine: z.number().nullable(),
  counters: z.int(),
  difference: z.number().nullable(),
  /** Cost of the difference, rubles. */
  differenceCost: z.number().nullable(),
  recount: z.boolean(),
})
export type SheetRow = z.output<typeof sheetRow>

const imported = z.object({
  document,
  added: z.int(),
  /** Lines without a matched product, to be chosen. */
  unmatched: z.int(),
  /** Unrecognized parts, in Russian. */
  remarks: z.array(z.string()),
})

const scanResult = z.object({
  line: rowOf(DocumentLine).nullable(),
  /** Message to show: «Бинт: 3 шт.» */
  message: z.string(),
  idProduct: z.int().nullable(),
})

export const warehouseCalls = {
  lines: call({
    method: 'GET',
    path: '/warehouse/documents/:id/lines',
    summary: 'Все строки документа с названиями товаров и свободным остатком',
    access: warehouseView,
    params: idParams,
    answer: z.object({ items: z.array(line) }),
  }),
  post: call({
    method: 'POST',
    path: '/warehouse/documents/:id/post',
    summary:
      'Провести документ; проведённый второй раз не проводится. accept принимает перемещение сразу. Сомнения — отказ 409 doubtful, sure проводит несмотря на них',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({
      accept: z.boolean().default(false),
      /** Posts in spite of the refusal `doubtful`. */
      sure: z.boolean().default(false),
      ...version,
    }),
    answer: document,
  }),
  accept: call({
    method: 'POST',
    path: '/warehouse/documents/:id/accept',
    summary: 'Принять перемещение, которое в пути: сегодняшним днём или днём localDate',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ localDate: day.optional() }),
    answer: document,
  }),
  unpost: call({
    method: 'POST',
    path: '/warehouse/documents/:id/unpost',
    summary: 'Отменить проведение обратными движениями; draft: true возвращает документ в черновики',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ draft: z.boolean().default(false) }),
    answer: document,
  }),
  copy: call({
    method: 'POST',
    path: '/warehouse/documents/:id/copy',
    summary: 'Новый черновик с теми же строками, без кодов маркировки',
    access: 'editWarehouse',
    params: idParams,
    status: 201,
    answer: document,
  }),
  scan: call({
    method: 'POST',
    path: '/warehouse/documents/:id/scan',
    summary: 'Код со сканера добавляет товар в строки черновика: DataMatrix, EAN-13 или короб SSCC',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ code: scanned, side: z.enum(['out', 'in']).optional() }),
    answer: scanResult,
  }),
  importFile: call({
    method: 'POST',
    path: '/warehouse/documents/:id/import',
    summary: 'Строки из файла поставщика: УПД в XML (5.01–5.03) или таблица XLSX, CSV',
    access: 'editWarehouse',
    params: idParams,
    query: z.object({ name: z.string().max(255).optional() }),
    bodyType: 'raw',
    bodyLimit: MAX_FILE,
    answer: imported,
    limit: 30,
  }),
  countStart: call({
    method: 'POST',
    path: '/warehouse/documents/:id/count-start',
    summary: 'Снять остатки и начать подсчёт инвентаризации',
    access: 'editWarehouse',
    params: idParams,
    answer: document,
  }),
  sheet: call({
    method: 'GET',
    path: '/warehouse/documents/:id/sheet',
    summary: 'Лист инвентаризации: что есть по учёту и что насчитали; вслепую учёта не видно до конца подсчёта',
    access: warehouseView,
    params: idParams,
    answer: z.object({ items: z.array(sheetRow) }),
  }),
  count: call({
    method: 'POST',
    path: '/warehouse/documents/:id/count',
    summary: 'Насчитано: кодом со сканера прибавляет единицу, числом заменяет свой подсчёт партии',
    access: warehouseView,
    params: idParams,
    body: z.strictObject({
      code: scanned.optional(),
      idProduct: id.optional(),
      idBatch: id.nullable().optional(),
      qty: qty.optional(),
      /** Adds to the user's count instead of replacing it. */
      add: z.boolean().default(false),
    }),
    answer: z.object({ count: rowOf(InventoryCount), message: z.string() }),
  }),
  recount: call({
    method: 'POST',
    path: '/warehouse/documents/:id/recount',
    summary: 'Пересчитать эти товары: считается только новый круг',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ idProducts: z.array(id).min(1).max(500) }),
    answer: z.object({ count: z.int() }),
  }),
  check: call({
    method: 'POST',
    path: '/warehouse/documents/:id/check',
    summary: 'Закончить подсчёт: строками становятся разницы; uncounted: true считает неподсчитанное отсутствующим',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ uncounted: z.boolean().default(false), back: z.boolean().default(false) }),
    answer: document,
  }),
  balance: call({
    method: 'GET',
    path: '/warehouse/balance',
    summary: 'Остатки и обороты товаров за период по складам, которые видит спрашивающий',
    access: stockView,
    query: z.object({
      from: day.optional(),
      to: day.optional(),
      idWarehouse: idText.optional(),
      idGroup: idText.optional(),
      q: z.string().max(100).optional(),
      /** `low`: below the minimum; `expiring`: within 90 days; `consumable`: products in norms. */
      only: z.enum(['low', 'expiring', 'expired', 'consumable', 'pku']).optional(),
      after: idText.optional(),
      limit: z.coerce.number<number>().int().min(1).max(MAX_BALANCE).default(MAX_BALANCE),
    }),
    answer: z.object({
      from: z.string(),
      to: z.string(),
      items: z.array(balanceRow),
      totals: z.object({
        goods: z.int(),
        opening: z.number(),
        came: z.number(),
        went: z.number(),
        closing: z.number(),
      }),
      hasMore: z.boolean(),
      ...counting,
    }),
  }),
  card: call({
    method: 'GET',
    path: '/warehouse/goods/:id/card',
    summary: 'Карточка товара: партии по складам и движения, последние сначала, с остатком после каждого',
    access: stockView,
    params: idParams,
    query: z.object({
      idWarehouse: idText.optional(),
      before: z.string().max(64).optional(),
      /** Balance at the end of this day, at the cost of that day. */
      on: day.optional(),
    }),
    answer: z.object({
      batches: z.array(batchRow),
      moves: z.array(
        z.object({
          id: z.int(),
          localDate: z.string(),
          kind: oneOf(documentKinds),
          idDocument: z.int(),
          number: nullableText,
          warehouse: z.string(),
          series: nullableText,
          qty: z.number(),
          cost: z.number(),
          after: z.number(),
        }),
      ),
      next: nullableText,
    }),
  }),
  summary: call({
    method: 'GET',
    path: '/warehouse/summary',
    summary: 'Что на складах ждёт дела: черновики, в пути, сроки, минимум, МДЛП',
    access: stockView,
    answer: z.object({
      drafts: z.int(),
      inTransit: z.int(),
      counting: z.int(),
      expired: z.int(),
      expiring: z.int(),
      low: z.int(),
      blocked: z.int(),
      mdlpIncoming: z.int(),
      mdlpFailed: z.int(),
      cost: z.number(),
      soon: z.array(batchRow.extend({ idProduct: z.int(), name: z.string(), unit: nullableText })),
    }),
  }),
  order: call({
    method: 'GET',
    path: '/warehouse/order',
    summary: 'Что заказать: до максимума, где меньше минимума, за вычетом того, что в пути',
    access: stockView,
    query: z.object({ idWarehouse: idText.optional() }),
    answer: z.object({
      items: z.array(
        z.object({
          idProduct: z.int(),
          name: z.string(),
          unit: nullableText,
          stock: z.number(),
          inTransit: z.number(),
          minStock: z.number(),
          maxStock: z.number().nullable(),
          used: z.number(),
          qty: z.number(),
          idSupplier: z.int().nullable(),
          supplier: nullableText,
          price: z.number().nullable(),
        }),
      ),
    }),
  }),
  orderDrafts: call({
    method: 'POST',
    path: '/warehouse/order/drafts',
    summary: 'Черновики поступлений из предложения заказа, по одному на поставщика',
    access: 'editWarehouse',
    body: z.strictObject({ idWarehouse: id }),
    status: 201,
    answer: z.object({ documents: z.array(z.int()) }),
  }),
  patients: call({
    method: 'GET',
    path: '/warehouse/batches/:id/patients',
    summary: 'Кто из пациентов получил партию; просмотр пишется в журнал доступа',
    access: 'viewCustomers',
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          idCustomer: z.int(),
          name: z.string(),
          idAppointment: z.int(),
          localDate: z.string(),
          service: nullableText,
          qty: z.number(),
        }),
      ),
    }),
  }),
  pku: call({
    method: 'GET',
    path: '/warehouse/pku',
    summary: 'Журнал предметно-количественного учёта товара за месяц по дням',
    access: stockView,
    query: z.object({
      idProduct: idText,
      idWarehouse: idText,
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Нужен месяц'),
    }),
    answer: z.object({
      opening: z.number(),
      days: z.array(
        z.object({
          localDate: z.string(),
          came: z.number(),
          went: z.number(),
          left: z.number(),
          documents: z.array(z.object({ id: z.int(), number: nullableText, qty: z.number() })),
        }),
      ),
    }),
  }),
}
