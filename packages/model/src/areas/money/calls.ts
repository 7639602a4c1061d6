import { z } from 'zod'
import { call, id, idParams, idText, onceKey, oneOf, rowOf } from '../../call.ts'
import { CERTIFICATE_NUMBER } from './certificate.ts'
import { CashShift, moneyView } from './desk.ts'
import { correctionTypes, FiscalTask, fiscalKinds, fiscalStatuses } from './fiscal.ts'
import { txKinds } from './ledger.ts'
import { LINK_DAYS, linkStatuses, MOST_LINK_DAYS } from './link.ts'
import { paymentMethods } from './methods.ts'
import { GuaranteeLetter, Payment } from './payment.ts'

/** Maximum rubles of one operation. */
const MAX_SUM = 10_000_000
const MAX_PARTS = 6
/** Maximum bonuses per manual grant. */
const MAX_BONUS = 100_000
/** Limits: lines of one payment, and unpaid lines per response. */
export const MAX_LINES = 200

const rubles = z
  .number({ error: 'Нужна сумма в рублях' })
  .max(MAX_SUM, 'Не больше 10 000 000 ₽ за одну операцию')
  .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой: копейки целые')
const sum = rubles.refine((value) => value > 0, 'Сумма должна быть больше нуля')
const counted = rubles.refine((value) => value >= 0, 'Сумма не бывает отрицательной')

const reason = z
  .string({ error: 'Укажите причину' })
  .trim()
  .min(3, 'Укажите причину')
  .max(500, 'Количество символов не должно превышать 500')
const words = (max: number) => z.string().trim().max(max, `Количество символов не должно превышать ${max}`)

const chosenLines = z
  .array(z.strictObject({ idCouponService: id, sum }))
  .max(MAX_LINES, `Не больше ${MAX_LINES} услуг за раз`)
  .refine((lines) => new Set(lines.map((one) => one.idCouponService)).size === lines.length, 'Услуга указана дважды')

const takeBody = z.strictObject({
  key: onceKey,
  idDesk: id,
  idCustomer: id,
  /** Another payer, who then owns an advance. */
  idPayer: id.nullable().optional(),
  parts: z
    .array(
      z.strictObject({
        method: oneOf(paymentMethods),
        sum,
        idGuarantee: id.optional(),
        /** Printed number of the certificate. */
        certificate: words(CERTIFICATE_NUMBER.max).optional(),
      }),
    )
    .max(MAX_PARTS, `Не больше ${MAX_PARTS} частей`),
  /**
   * Services to pay; absent: the oldest provided and unpaid ones. A surplus becomes an advance. With bonuses: the
   * services that they pay for, with the amount to pay of each by both.
   */
  lines: chosenLines.optional(),
  /** Bonuses that pay for `lines`; they reduce the amount to pay. */
  bonus: sum.optional(),
  /** Sells a certificate: valid until its day, for any bearer or for one customer only. */
  sells: z
    .strictObject({
      number: words(CERTIFICATE_NUMBER.max).min(
        CERTIFICATE_NUMBER.min,
        `Номер: от ${CERTIFICATE_NUMBER.min} до ${CERTIFICATE_NUMBER.max} знаков`,
      ),
      dateTo: z.iso.date('Укажите, до какого дня действует'),
      idCustomer: id.nullable().optional(),
    })
    .optional(),
  /** Cash received; the difference is change. */
  received: counted.nullable().optional(),
  /** Phone or e-mail for the receipt. */
  contact: words(255).nullable().optional(),
  comment: words(500).nullable().optional(),
})

const refundBody = z.strictObject({
  key: onceKey,
  /** The desk that pays out; absent: the desk of the payment. */
  idDesk: id.optional(),
  parts: z
    .array(z.strictObject({ method: oneOf(paymentMethods), sum }))
    .min(1, 'Укажите, чем вернуть')
    .max(MAX_PARTS, `Не больше ${MAX_PARTS} частей`),
  /** Lines to unpay; absent: the part without a line, then the newest. */
  lines: chosenLines.optional(),
  reason,
})

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

const accountLine = z.object({
  id: z.int(),
  localDate: z.string(),
  dateCreate: z.string(),
  kind: oneOf(txKinds),
  comment: z.string().nullable(),
  idPayment: z.int().nullable(),
  organization: z.string().nullable(),
  idAuthor: z.int().nullable(),
  author: z.string().nullable(),
  /** Change of the debt; negative reduces it. */
  sum: z.number(),
  /** Debt after it, to this organization. */
  balance: z.number(),
})

const unpaidLine = z.object({
  /** Id of the coupon service. */
  id: z.int(),
  idAppointment: z.int(),
  localDate: z.string(),
  service: z.string(),
  /** Rubles: the patient's price, and the paid part. */
  due: z.number(),
  paid: z.number(),
  /** Provided: the unpaid part is a debt. */
  charged: z.boolean(),
})

export const linkShape = z.object({
  id: z.int(),
  status: oneOf(linkStatuses),
  /** Link for SMS and paper. */
  url: z.string(),
  /** The link as a QR code: SVG path in a square of `size`; null: it does not fit. */
  qr: z.object({ size: z.int(), path: z.string() }).nullable(),
  sum: z.number(),
  /** What is paid for, in the patient's words. */
  about: z.string(),
  /** Who gets the money, for the sheet that is printed. */
  payee: z.object({ name: z.string(), phone: z.string().nullable() }),
  dateTo: z.string(),
  idPayment: z.int().nullable(),
  error: z.string().nullable(),
})

const bonusLine = z.object({
  id: z.int(),
  localDate: z.string(),
  dateCreate: z.string(),
  comment: z.string().nullable(),
  idAuthor: z.int().nullable(),
  author: z.string().nullable(),
  sum: z.number(),
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

export const moneyCalls = {
  /**
   * Complete for every user: a debt limited to a branch would be demanded twice. The payments, shifts and receipts
   * behind the lines are limited to the user's branches (scope of the cash desk).
   */
  account: call({
    method: 'GET',
    path: '/customers/:id/account',
    summary: 'Счёт клиента: долг, аванс и строки учёта, новые первыми; before — строка, после которой читать дальше',
    access: moneyView,
    params: idParams,
    query: z.strictObject({
      before: idText.optional(),
      limit: z.coerce.number<number>().int().min(0).max(200).default(50),
    }),
    answer: z.object({
      debt: z.number(),
      advance: z.number(),
      organizations: z.array(z.object({ id: z.int(), name: z.string(), debt: z.number(), advance: z.number() })),
      lines: z.array(accountLine),
      next: z.int().nullable(),
    }),
  }),
  unpaid: call({
    method: 'GET',
    path: '/customers/:id/unpaid',
    summary:
      'Что клиент не оплатил: оказанные услуги, старые первыми; с idAppointment — и ещё не оказанные услуги этой записи',
    access: moneyView,
    params: idParams,
    query: z.strictObject({ idAppointment: idText.optional() }),
    /**
     * Rubles. `debt`: of the account; `free`: the advance that belongs to no line and pays the next provided service;
     * `owed`: to take for all lines.
     */
    answer: z.object({ lines: z.array(unpaidLine), debt: z.number(), free: z.number(), owed: z.number() }),
  }),
  bonuses: call({
    method: 'GET',
    path: '/customers/:id/bonuses',
    summary:
      'Бонусы клиента: сколько доступно, что ещё не действует, что и когда сгорит, движение, новое первым; lines — услуги через запятую, most — сколько за них можно заплатить бонусами',
    access: moneyView,
    params: idParams,
    query: z.strictObject({
      lines: z
        .string()
        .regex(
          new RegExp(`^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,${MAX_LINES - 1}}$`),
          `Номера услуг через запятую, не больше ${MAX_LINES}`,
        )
        .optional(),
      before: idText.optional(),
      limit: z.coerce.number<number>().int().min(0).max(200).default(50),
    }),
    answer: z.object({
      available: z.number(),
      /** By day: bonuses that become valid, and bonuses that expire. */
      coming: z.array(z.object({ day: z.string(), sum: z.number() })),
      burning: z.array(z.object({ day: z.string(), sum: z.number() })),
      /** Maximum for the requested services, by the discount rules and the available bonuses. */
      most: z.number().nullable(),
      lines: z.array(bonusLine),
      next: z.int().nullable(),
    }),
  }),
  correctBonuses: call({
    method: 'POST',
    once: true,
    path: '/customers/:id/bonuses',
    summary: 'Начислить клиенту бонусы или списать их вручную, с причиной',
    access: 'editBonuses',
    status: 201,
    params: idParams,
    body: z.strictObject({
      key: onceKey,
      kind: z.enum(['add', 'takeOff']),
      sum: sum.refine((value) => value <= MAX_BONUS, 'Не больше 100 000 бонусов за раз'),
      /** Expiry day of the grant; absent: none. */
      dateTo: z.iso.date('Укажите, до какого дня действуют').nullable().optional(),
      reason,
    }),
    answer: z.object({ available: z.number() }),
  }),
  take: call({
    method: 'POST',
    once: true,
    path: '/payments/take',
    summary:
      'Принять оплату. Повтор с тем же ключом ничего не меняет; 409 unknown — ответ терминала неизвестен, повторите с тем же ключом: терминал спросят',
    access: 'takePayments',
    body: takeBody,
    answer: rowOf(Payment),
  }),
  refund: call({
    method: 'POST',
    once: true,
    path: '/payments/:id/refund',
    summary: 'Вернуть деньги тем же способом; больше предела кассы — ждёт одобрения другого сотрудника',
    access: 'refundPayments',
    params: idParams,
    body: refundBody,
    answer: rowOf(Payment),
  }),
  decide: call({
    method: 'POST',
    path: '/payments/:id/decide',
    summary: 'Одобрить возврат больше предела или отказать в нём; не тот, кто его оформил',
    access: 'refundAbove',
    params: idParams,
    body: z.strictObject({ approve: z.boolean() }),
    answer: rowOf(Payment),
  }),
  settle: call({
    method: 'POST',
    path: '/payments/:id/settle',
    summary: 'Спросить терминал об операции, ответ на которую не пришёл, и провести платёж или отклонить его',
    access: 'takePayments',
    params: idParams,
    answer: rowOf(Payment),
  }),
  settleByHand: call({
    method: 'POST',
    path: '/payments/:id/settle-by-hand',
    summary:
      'Сказать, чем кончилась операция на терминале, когда его самого не спросить: человек посмотрел на терминал или в выписку банка',
    access: 'takePayments',
    params: idParams,
    body: z.strictObject({
      isApproved: z.boolean(),
      rrn: words(32).nullable().optional(),
      card: words(19).nullable().optional(),
    }),
    answer: rowOf(Payment),
  }),
  makeLink: call({
    method: 'POST',
    once: true,
    path: '/payment-links/make',
    summary:
      'Ссылка и QR на оплату картой или по СБП. Повтор с тем же ключом отдаёт ту же ссылку; деньги станут платежом, когда платёжная система их подтвердит',
    access: 'takePayments',
    status: 201,
    body: z.strictObject({
      key: onceKey,
      /** Absent: the clinic's desk for payment links. */
      idDesk: id.optional(),
      idCustomer: id,
      sum,
      lines: chosenLines.optional(),
      about: words(128).optional(),
      contact: words(255).nullable().optional(),
      days: z.int().min(1).max(MOST_LINK_DAYS).default(LINK_DAYS),
    }),
    answer: linkShape,
  }),
  linkState: call({
    method: 'POST',
    path: '/payment-links/:id/ask',
    summary: 'Спросить платёжную систему, что стало со ссылкой',
    access: 'takePayments',
    params: idParams,
    answer: linkShape,
    limit: 60,
  }),
  sendLink: call({
    method: 'POST',
    path: '/payment-links/:id/send',
    summary:
      'Отправить ссылку пациенту: чатом, СМС или письмом — способом, которым до него можно достучаться, один раз',
    access: 'takePayments',
    params: idParams,
    answer: linkShape,
    limit: 60,
  }),
  sbpLink: call({
    method: 'POST',
    path: '/payment-links/:id/sbp',
    summary: 'QR самой СБП для экрана кассы: приложение банка открывает его без страницы оплаты',
    access: 'takePayments',
    params: idParams,
    answer: linkShape,
    limit: 60,
  }),
  cancelLink: call({
    method: 'POST',
    path: '/payment-links/:id/cancel',
    summary: 'Отменить ссылку: по ней больше не заплатить; уже оплаченную не отменяют, а возвращают',
    access: 'takePayments',
    params: idParams,
    answer: linkShape,
  }),
  openLink: call({
    method: 'GET',
    path: '/pay/:token',
    summary: 'Страница оплаты: ведёт в платёжную систему или говорит, что оплачено',
    access: 'public',
    params: z.strictObject({ token: z.string().regex(/^[\w-]{16,64}$/) }),
    file: 'text/html',
    limit: 30,
  }),
  yookassaNotice: call({
    method: 'POST',
    path: '/yookassa/notices',
    summary: 'Уведомление ЮKassa: повод спросить её саму; само по себе ничему не служит доказательством',
    access: 'public',
    bodyType: 'raw',
    bodyLimit: 64 * 1024,
    answer: z.object({ ok: z.boolean() }),
    limit: 600,
  }),
  correct: call({
    method: 'POST',
    once: true,
    path: '/ledger/correct',
    summary: 'Корректировка счёта клиента: начислить или списать долг, с причиной',
    access: 'editAccount',
    status: 201,
    body: z.strictObject({
      key: onceKey,
      idCustomer: id,
      idOrganization: id,
      kind: z.enum(['charge', 'writeOff']),
      sum,
      reason,
    }),
    answer: z.object({ debt: z.number(), advance: z.number() }),
  }),
  settleLetter: call({
    method: 'POST',
    once: true,
    path: '/guarantee-letters/:id/settle',
    summary: 'Страховая оплатила (paid) или отказала: сумма возвращается клиенту (patient) или списывается (writeOff)',
    access: 'editAccount',
    params: idParams,
    body: z.strictObject({ key: onceKey, as: z.enum(['paid', 'patient', 'writeOff']), sum, idDesk: id.optional() }),
    answer: rowOf(GuaranteeLetter),
  }),
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

export type TakeBody = z.output<typeof takeBody>
export type RefundBody = z.output<typeof refundBody>
export type ShiftReport = z.output<typeof report>
export type UnpaidLine = z.output<typeof unpaidLine>
export type BonusLine = z.output<typeof bonusLine>
export type AccountLine = z.output<typeof accountLine>
