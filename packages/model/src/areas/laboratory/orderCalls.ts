/** Calls of orders and their papers. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { ordersEdit, ordersView, publishedView } from './access.ts'
import { LabOrder } from './order.ts'
import { valueKinds } from './reading.ts'
import { flag, point, words } from './shapes.ts'
import { cancelReasons, itemStatuses, rejectReasons, resultStatuses, sampleStatuses } from './states.ts'
import { biomaterials, sections, temperatures, urgencies } from './words.ts'

const order = rowOf(LabOrder)

/** Limits: tests of an order, and values per request. */
export const MAX_TESTS = 100

const tests = z.array(id).min(1, 'Выберите исследования').max(MAX_TESTS, messages.listMax(MAX_TESTS))

const tube = z.object({
  laboratory: z.string(),
  biomaterial: oneOf(biomaterials),
  container: z.string().nullable(),
  cap: z.string().nullable(),
  additive: z.string().nullable(),
  tempMode: oneOf(temperatures),
  volume: z.number(),
  /** 1 for the second tube of a test that does not fit into one. */
  part: z.int(),
  tests: z.array(z.string()),
})

/** Facts of an order for norms and doctors. */
const facts = {
  idDoctor: id.nullable().optional(),
  urgency: oneOf(urgencies).optional(),
  plannedAt: z.iso.datetime({ offset: true }).nullable().optional(),
  diagnosis: words(16).nullable().optional(),
  pregnancyWeeks: z.int().min(1).max(44).nullable().optional(),
  cycleDay: z.int().min(1).max(60).nullable().optional(),
  menopause: z.boolean().optional(),
  fasting: z.boolean().optional(),
  medication: words(1000).nullable().optional(),
  comment: words(2000).nullable().optional(),
}

/** Source of an order; the user must have access to it. */
const sources = {
  idAppointment: id.nullable().optional(),
  idLead: id.nullable().optional(),
  idPlan: id.nullable().optional(),
  idExamination: id.nullable().optional(),
  idFormer: id.nullable().optional(),
}

export const orderCalls = {
  quote: call({
    method: 'POST',
    path: '/laboratory/orders/quote',
    summary: 'Что даст заказ этих исследований: цены, сроки, подготовка, пробирки; ничего не записывает',
    access: ordersEdit,
    body: z.strictObject({
      tests,
      idFilial: id,
      urgency: oneOf(urgencies).optional(),
      /** Whose discounts apply; absent: of a new patient. */
      idCustomer: id.nullable().optional(),
      idDoctor: id.nullable().optional(),
    }),
    answer: z.object({
      lines: z.array(
        z.object({
          idTest: z.int(),
          name: z.string(),
          laboratory: z.string(),
          isPanel: z.boolean(),
          /** Rubles of the price list; null: the test has no service and cannot be sold. */
          price: z.number().nullable(),
          /** Rubles after the discounts that the order will have. */
          final: z.number().nullable(),
          dueAt: z.string(),
          preparation: z.string().nullable(),
          /** A panel of the same order that contains the test. */
          within: z.string().nullable(),
          /** Another line that measures all its analytes: it is charged twice unless one is left out. */
          covered: z.string().nullable(),
        }),
      ),
      /** Before and after discounts. */
      base: z.number(),
      total: z.number(),
      /** «Накопительная: −27 ₽» */
      why: z.array(z.string()),
      dueAt: z.string(),
      preparation: z.array(z.object({ text: z.string(), tests: z.array(z.string()) })),
      tubes: z.array(tube),
    }),
  }),
  place: call({
    method: 'POST',
    once: true,
    path: '/laboratory/orders/place',
    summary:
      'Новый заказ анализов: исследования становятся услугами талона визита (своего или указанного), пробирки рассчитываются; draft оставляет черновиком',
    access: ordersEdit,
    status: 201,
    body: z.strictObject({
      key: onceKey.optional(),
      idCustomer: id,
      idFilial: id,
      tests,
      draft: z.boolean().optional(),
      ...facts,
      ...sources,
    }),
    answer: order,
  }),
  confirm: call({
    method: 'POST',
    path: '/laboratory/orders/:id/place',
    summary: 'Черновик заказа оформлен',
    access: ordersEdit,
    params: idParams,
    body: z.strictObject({ _version: z.int().optional() }),
    answer: order,
  }),
  cancel: call({
    method: 'POST',
    path: '/laboratory/orders/:id/cancel',
    summary:
      'Заказ (или названные исследования) отменён до начала работы; услуги талона снимаются, оплаченное возвращает касса',
    access: ordersEdit,
    params: idParams,
    body: z.strictObject({
      reason: oneOf(cancelReasons),
      note: words(500).nullable().optional(),
      items: z.array(id).max(MAX_TESTS).optional(),
      _version: z.int().optional(),
    }),
    answer: order,
  }),
  issue: call({
    method: 'POST',
    path: '/laboratory/orders/:id/issue',
    summary:
      'Результат выдан: на бумаге, письмом, в личный кабинет или в переписку (кроме бумаги — с согласия пациента)',
    access: 'issueLabResults',
    params: idParams,
    body: z.strictObject({ by: z.enum(['paper', 'email', 'portal', 'chat']) }),
    answer: order,
  }),
  paper: call({
    method: 'GET',
    path: '/laboratory/orders/:id/paper',
    summary:
      'Бумага заказа: order — заказ с ценами и подготовкой, referral — направление, contract — договор, result — бланк результата',
    access: ordersView,
    params: idParams,
    query: z.object({ kind: z.enum(['order', 'referral', 'contract', 'result']).default('order') }),
    file: 'application/pdf',
  }),
  partnerPaper: call({
    method: 'GET',
    path: '/laboratory/orders/:id/partner-paper',
    summary: 'Бланк результата лаборатории-партнёра, PDF',
    access: publishedView,
    params: idParams,
    file: 'application/pdf',
  }),
  ofCustomer: call({
    method: 'GET',
    path: '/laboratory/customers/:id/results',
    summary: 'Последние опубликованные значения каждого показателя пациента, с прошлым',
    access: publishedView,
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          idAnalyte: z.int(),
          name: z.string(),
          section: oneOf(sections),
          former: z.string().nullable(),
          delta: z.number().nullable(),
          ...point.shape,
        }),
      ),
    }),
  }),
  lines: call({
    method: 'GET',
    path: '/laboratory/orders/:id/lines',
    summary:
      'Исследования заказа с пробами; кто вправе — с опубликованными значениями, работникам лаборатории — со всеми',
    access: ordersView,
    params: idParams,
    answer: z.object({
      /** As chosen: a panel stays a panel. */
      chosen: z.array(z.object({ id: z.int(), name: z.string() })),
      items: z.array(
        z.object({
          id: z.int(),
          idTest: z.int(),
          name: z.string(),
          panel: z.string().nullable(),
          laboratory: z.string(),
          isPartner: z.boolean(),
          status: oneOf(itemStatuses),
          dueAt: z.string().nullable(),
          price: z.number().nullable(),
          paid: z.number().nullable(),
          idSample: z.int().nullable(),
          values: z.array(
            z.object({
              id: z.int(),
              idAnalyte: z.int(),
              name: z.string(),
              value: z.string(),
              unit: z.string().nullable(),
              normText: z.string().nullable(),
              flag,
              delta: z.number().nullable(),
              status: oneOf(resultStatuses),
              kind: oneOf(valueKinds),
              preliminary: z.boolean(),
              /** A published value that its approver is asked to look at again. */
              review: z.boolean(),
              comment: z.string().nullable(),
              former: z.string().nullable(),
              reason: z.string().nullable(),
              needsCall: z.boolean(),
            }),
          ),
        }),
      ),
      /** False: the reader may not see values, and `values` are empty. */
      seesValues: z.boolean(),
      /** The partner's report was received. */
      hasPartnerPaper: z.boolean(),
      samples: z.array(
        z.object({
          id: z.int(),
          barcode: z.string(),
          status: oneOf(sampleStatuses),
          container: z.string().nullable(),
          cap: z.string().nullable(),
          biomaterial: oneOf(biomaterials),
          tempMode: oneOf(temperatures),
          rejectReason: oneOf(rejectReasons).nullable(),
          steps: z.array(
            z.object({
              status: oneOf(sampleStatuses),
              at: z.string(),
              author: z.string().nullable(),
              note: z.string().nullable(),
            }),
          ),
        }),
      ),
    }),
  }),
}
