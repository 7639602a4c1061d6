/** Calls of cash desks: shifts, cash, the queue of receipts, corrections. */
import { z } from 'zod'
import { call, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { counted, reason, sum, words } from './callParts.ts'
import { CashShift, moneyView } from './desk.ts'
import { correctionTypes, FiscalTask, fiscalKinds, fiscalStatuses } from './fiscal.ts'
import { paymentMethods } from './methods.ts'

const correction = z.strictObject({
  type: oneOf(correctionTypes),
  date: z.iso.date('Укажите день расчёта'),
  number: words(32).min(1, 'Укажите номер документа'),
  reason,
})

const totals = z.object({
  sell: z.object({ cash: z.int(), electronically: z.int() }),
  sellReturn: z.object({ cash: z.int(), electronically: z.int() }),
})

const report = z.object({
  number: z.int(),
  /** Rubles counted at the closing, and the surplus over the expected sum; null: still open. */
  counted: z.number().nullable(),
  difference: z.number(),
  opening: z.number(),
  /** Taken and refunded, by payment method. */
  methods: z.array(
    z.object({ method: oneOf(paymentMethods), taken: z.number(), returned: z.number(), count: z.int() }),
  ),
  cashIn: z.number(),
  cashOut: z.number(),
  /** Expected cash in the drawer. */
  drawer: z.number(),
  /** By the ledger and by the register, in kopecks: tag 1054 by means. */
  crm: totals,
  kkt: totals.nullable(),
  /** Terminal receipts minus refunds; null: not connected. */
  terminal: z.number().nullable(),
  card: z.number(),
  /** Receipts not printed yet, and those with an unknown outcome. */
  waiting: z.int(),
  unknown: z.int(),
  /** Correction receipts of the shift, in rubles. */
  corrections: z.array(
    z.object({
      id: z.int(),
      kind: oneOf(fiscalKinds),
      status: oneOf(fiscalStatuses),
      sum: z.number(),
      fd: z.int().nullable(),
      date: z.string(),
      number: z.string(),
      reason: z.string(),
    }),
  ),
})

/** Maximum services and doctors listed in the totals of a shift. */
export const MOST_TOTALS = 200

const shiftTotals = z.object({
  /** Rubles by payment method, minus refunds. */
  methods: z.array(z.object({ method: oneOf(paymentMethods), sum: z.number(), count: z.int() })),
  /** Services paid in the shift, the largest sums first. */
  services: z.array(z.object({ idService: z.int(), name: z.string(), sum: z.number(), count: z.int() })),
  /** By performer. */
  doctors: z.array(z.object({ idUser: z.int(), name: z.string(), sum: z.number(), count: z.int() })),
  /** Money without a service: advances, certificates and debts, minus refunds of earlier payments. */
  rest: z.number(),
  total: z.number(),
})

const desk = z.object({
  /** The open shift. */
  shift: z
    .object({
      id: z.int(),
      number: z.int(),
      dateOpened: z.string(),
      idCashier: z.int().nullable(),
      cashier: z.string().nullable(),
    })
    .nullable(),
  /** The shift is longer than the law allows. */
  overdue: z.boolean(),
  drawer: z.number(),
  waiting: z.int(),
  unknown: z.int(),
  /** Error of the register or the terminal. */
  trouble: z.string().nullable(),
  /** Upcoming problems of the register, with what to do. */
  warnings: z.array(z.string()),
  /** The first documents to print, in order. */
  queue: z.array(
    z.object({
      id: z.int(),
      kind: oneOf(fiscalKinds),
      status: oneOf(fiscalStatuses),
      idPayment: z.int().nullable(),
      error: z.string().nullable(),
    }),
  ),
})

export const deskCalls = {
  deskState: call({
    method: 'GET',
    path: '/cash-desks/:id/state',
    summary: 'Касса сейчас: смена, деньги в ящике, очередь чеков, что с техникой',
    access: moneyView,
    params: idParams,
    answer: desk,
  }),
  openShift: call({
    method: 'POST',
    once: true,
    path: '/cash-shifts/open',
    summary: 'Открыть смену кассы',
    access: 'takePayments',
    status: 201,
    body: z.strictObject({ key: onceKey, idDesk: id }),
    answer: rowOf(CashShift),
  }),
  cash: call({
    method: 'POST',
    once: true,
    path: '/cash-shifts/:id/cash',
    summary: 'Внести наличные в кассу или изъять',
    access: 'cashInOut',
    params: idParams,
    body: z.strictObject({ key: onceKey, kind: z.enum(['in', 'out']), sum, reason }),
    answer: z.object({ drawer: z.number() }),
  }),
  report: call({
    method: 'GET',
    path: '/cash-shifts/:id/report',
    summary: 'X-отчёт открытой смены или итоги закрытой: по видам оплаты, касса, терминал, сверка',
    access: moneyView,
    params: idParams,
    answer: report,
  }),
  shiftTotals: call({
    method: 'GET',
    path: '/cash-shifts/:id/totals',
    summary: 'Сколько принято за смену: по способам оплаты, услугам и врачам',
    access: moneyView,
    params: idParams,
    answer: shiftTotals,
  }),
  closeShift: call({
    method: 'POST',
    once: true,
    path: '/cash-shifts/:id/close',
    summary: 'Закрыть смену: посчитанные деньги, расхождение, Z-отчёт',
    access: 'takePayments',
    params: idParams,
    body: z.strictObject({ key: onceKey, counted }),
    answer: rowOf(CashShift),
  }),
  repair: call({
    method: 'POST',
    path: '/fiscal-tasks/:id/repair',
    summary:
      'Разобрать чек, который не пробит: пробить снова (resend), признать пробитым под номером fd (done) или пробить вместо него чек коррекции (correction)',
    access: 'correctReceipts',
    params: idParams,
    body: z.strictObject({
      as: z.enum(['resend', 'done', 'correction']),
      fd: z.int().positive().optional(),
      correction: correction.optional(),
    }),
    answer: rowOf(FiscalTask),
  }),
  deskQueue: call({
    method: 'POST',
    path: '/cash-desks/:id/queue',
    summary:
      'Очередь чеков кассы: повторить сейчас (repeat) или сначала открыть смену на самой кассе (openShift); просроченная смена кассы при этом закрывается',
    access: 'takePayments',
    params: idParams,
    body: z.strictObject({ act: z.enum(['repeat', 'openShift']) }),
    answer: desk,
  }),
  takeOut: call({
    method: 'POST',
    path: '/fiscal-tasks/:id/take-out',
    summary: 'Снять документ с очереди кассы, с причиной: он не будет пробит, пока его не отправят снова',
    access: 'takePayments',
    params: idParams,
    body: z.strictObject({ reason }),
    answer: rowOf(FiscalTask),
  }),
  correctReceipt: call({
    method: 'POST',
    once: true,
    path: '/cash-desks/:id/correct-receipt',
    summary: 'Чек коррекции расчёта, который прошёл мимо кассы; повтор с тем же ключом ничего не пробивает',
    access: 'correctReceipts',
    status: 201,
    params: idParams,
    body: z.strictObject({
      key: onceKey,
      kind: z.enum(['sell', 'sellReturn']),
      means: z.enum(['cash', 'electronically']),
      sum,
      correction,
    }),
    answer: rowOf(FiscalTask),
  }),
  simulate: call({
    method: 'POST',
    path: '/cash-desks/:id/simulate',
    summary:
      'Имитатор: что он сыграет — нет бумаги, память заполнена, потерянный ответ, отказ по карте; null — исправен',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({ device: z.enum(['kkt', 'terminal']), fault: z.string().max(32).nullable() }),
  }),
}

export type ShiftReport = z.output<typeof report>
