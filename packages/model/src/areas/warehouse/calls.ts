/** Calls of the stock beyond the records engine: documents, counts, balances and МДЛП. */
import { z } from 'zod'
import { call, day, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { base64, MAX_SIGNATURE } from '../signatures/calls.ts'
import { stockView, warehouseView } from './access.ts'
import { DocumentLine, documentKinds, MAX_QTY, WarehouseDocument } from './document.ts'
import { InventoryCount } from './inventory.ts'
import { codeStatuses, destructionGrounds, MdlpDocument } from './mdlp.ts'
import { batchStates } from './stock.ts'

const document = rowOf(WarehouseDocument)
const version = { _version: z.int().optional() }
const qty = z.number().min(0).max(MAX_QTY, `Не больше ${MAX_QTY}`)
/** Raw input of a scanner. */
const scanned = z.string().min(1, 'Код пуст').max(2_000, 'Код слишком длинный')
const signature = base64(MAX_SIGNATURE, 'Нужна подпись')
const nullableText = z.string().nullable()

/** Maximum bytes of a supplier's file, and of a set of schemas. */
const MAX_FILE = 16 * 1024 * 1024
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
    summary: 'Провести документ; проведённый второй раз не проводится. accept принимает перемещение сразу',
    access: 'editWarehouse',
    params: idParams,
    body: z.strictObject({ accept: z.boolean().default(false), ...version }),
    answer: document,
  }),
  accept: call({
    method: 'POST',
    path: '/warehouse/documents/:id/accept',
    summary: 'Принять перемещение, которое в пути',
    access: 'editWarehouse',
    params: idParams,
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

const mdlpDocument = rowOf(MdlpDocument)

const destruction = z.strictObject({
  /** Destroying organization, with ИНН and КПП. */
  idOrganization: id,
  fias: z.guid('Адрес ФИАС пишется так: 8-4-4-4-12 знаков'),
  actNumber: z.string().trim().min(1, 'Укажите номер акта').max(200),
  actDate: day,
  ground: oneOf(destructionGrounds),
})

export const mdlpCalls = {
  codes: call({
    method: 'GET',
    path: '/mdlp/documents/:id/codes',
    summary: 'Коды документа МДЛП: что в нём и что отсканировано',
    access: warehouseView,
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          sgtin: z.string(),
          sscc: nullableText,
          product: nullableText,
          price: z.number().nullable(),
          scanned: z.boolean(),
        }),
      ),
    }),
  }),
  scan: call({
    method: 'POST',
    path: '/mdlp/documents/:id/scan',
    summary: 'Отметить код входящего документа отсканированным',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ code: scanned }),
    answer: z.object({ message: z.string(), scanned: z.int(), total: z.int() }),
  }),
  accept: call({
    method: 'POST',
    path: '/mdlp/documents/:id/accept',
    summary: 'Принять входящий целиком или только отсканированное; об остальном отправляется отказ 252',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ only: z.enum(['all', 'scanned']).default('all'), idWarehouse: id }),
    answer: z.object({ document: mdlpDocument, idStockDocument: z.int() }),
  }),
  refuse: call({
    method: 'POST',
    path: '/mdlp/documents/:id/refuse',
    summary: 'Отказаться от входящего целиком, с причиной (252)',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ reason: z.string().trim().min(3, 'Укажите причину').max(200) }),
    answer: mdlpDocument,
  }),
  send: call({
    method: 'POST',
    path: '/warehouse/documents/:id/mdlp',
    summary:
      'Сообщить в МДЛП о проведённом документе с кодами: схема следует из типа; destruction — списание на уничтожение, 541',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ destruction: destruction.optional() }),
    answer: mdlpDocument,
  }),
  retry: call({
    method: 'POST',
    path: '/mdlp/documents/:id/retry',
    summary: 'Отправить отклонённый или не дошедший документ ещё раз; о не дошедшем сперва спрашивают МДЛП',
    access: 'editMdlp',
    params: idParams,
    answer: mdlpDocument,
  }),
  recall: call({
    method: 'POST',
    path: '/mdlp/documents/:id/recall',
    summary: 'Отказаться от документа, которого МДЛП не принял; принятые 431 и 541 отзывает документ 250',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ reason: z.string().trim().min(3, 'Укажите причину').max(200) }),
    answer: mdlpDocument,
  }),
  content: call({
    method: 'GET',
    path: '/mdlp/documents/:id/content',
    summary: 'Документ, который ждёт подписи: его байты в base64',
    access: 'editMdlp',
    params: idParams,
    answer: z.object({ content: z.string() }),
  }),
  sign: call({
    method: 'POST',
    path: '/mdlp/documents/:id/sign',
    summary: 'Приложить отсоединённую подпись (CMS) и поставить документ в очередь',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ signature }),
    answer: mdlpDocument,
  }),
  code: call({
    method: 'POST',
    path: '/mdlp/login/code',
    summary: 'Начать вход в МДЛП: код, который подписывают',
    access: 'editMdlp',
    answer: z.object({ code: z.string(), content: z.string() }),
    limit: 30,
  }),
  login: call({
    method: 'POST',
    path: '/mdlp/login',
    summary: 'Войти в МДЛП подписью кода; вход держится, пока МДЛП не закончит его (30 минут)',
    access: 'editMdlp',
    body: z.strictObject({ code: z.string().min(1).max(200), signature }),
    answer: z.object({ until: z.string() }),
    limit: 30,
  }),
  sync: call({
    method: 'POST',
    path: '/mdlp/sync',
    summary: 'Спросить МДЛП о входящих и квитанциях сейчас',
    access: 'editMdlp',
    limit: 10,
  }),
  openBox: call({
    method: 'POST',
    path: '/mdlp/boxes/open',
    summary: 'Вскрыть короб: коды выходят из него, в МДЛП уходит 912',
    access: 'editMdlp',
    body: z.strictObject({ code: scanned }),
    answer: mdlpDocument,
  }),
  differences: call({
    method: 'GET',
    path: '/mdlp/differences',
    summary: 'Где наше состояние кода расходится с МДЛП',
    access: warehouseView,
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          sgtin: z.string(),
          product: nullableText,
          ours: oneOf(codeStatuses),
          theirs: oneOf(codeStatuses),
          warehouse: nullableText,
        }),
      ),
    }),
  }),
  state: call({
    method: 'GET',
    path: '/mdlp/state',
    summary: 'Подключён ли МДЛП, по какой версии схем, места деятельности',
    access: warehouseView,
    answer: z.object({
      mode: z.enum(['off', 'simulator', 'test', 'prod']),
      version: nullableText,
      schemas: z.int(),
      /** End of the session; null: the next request signs in automatically, or needs a user. */
      until: nullableText,
      /** Sign-in needs a user's signature in the browser. */
      needsPerson: z.boolean(),
      places: z.array(z.object({ idWarehouse: z.int(), name: z.string(), place: nullableText })),
    }),
  }),
  schemas: call({
    method: 'POST',
    path: '/mdlp/schemas',
    summary: 'Загрузить набор XSD МДЛП (ZIP); документы проверяются по нему перед отправкой',
    access: 'mainSettings',
    query: z.object({ version: z.string().regex(/^\d+\.\d+$/, 'Версия пишется так: 1.37') }),
    bodyType: 'raw',
    bodyLimit: MAX_FILE,
    answer: z.object({ version: z.string(), files: z.int() }),
  }),
}
