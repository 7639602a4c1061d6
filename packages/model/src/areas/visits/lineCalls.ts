/** Calls about the services of a visit: prices, discounts, sales. */
import { z } from 'zod'
import { call, id, idParams, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { discountUnits } from '../discounts/discount.ts'
import { estimate } from '../discounts/estimate.ts'
import { CODE_LENGTH } from '../discounts/promoCode.ts'
import { day, flag, start } from './shapes.ts'
import { CouponService, MAX_PERFORMERS, salesAccess, visitAccess } from './visit.ts'

const visitPrice = z.object({
  lines: z.array(
    z.object({
      /** Id of the coupon service. */
      id,
      base: z.number(),
      discount: z.number(),
      final: z.number(),
      /** Part of the final price paid with bonuses. */
      bonus: z.number(),
      /** Sum of the payments assigned to it. */
      paid: z.number(),
      /** How the price relates to the price at booking or to the day's price list. */
      promise: z.string().nullable(),
      /** It costs less than it would today, because the price or a discount was quoted. */
      isPromised: z.boolean(),
      applied: z.array(
        z.object({ idDiscount: z.int().nullable(), name: z.string(), why: z.string(), amount: z.number() }),
      ),
      refused: z.array(z.object({ idDiscount: z.int(), name: z.string(), why: z.string() })),
    }),
  ),
  code: z.string().nullable(),
  manual: z.object({ unit: oneOf(discountUnits), value: z.number(), reason: z.string() }).nullable(),
  /** A part of it was completed: its discounts are settled, and their uses counted. */
  given: z.boolean(),
  /** Discounts that need another person's approval: their ids, null for the manual one. */
  needApproval: z.array(z.int().nullable()),
  /** Percent that the requester may give manually without approval; null: none. */
  limit: z.number().nullable(),
})

/** A service added to a coupon; `keepTime` keeps the coupon's duration. */
const addedService = {
  idService: id,
  qty: z.number({ error: 'Нужно число' }).min(0.001, 'Не меньше 0,001').max(10_000, 'Не больше 10 000').default(1),
  keepTime: flag,
  overbook: flag,
  outside: flag,
}

export const lineCalls = {
  estimate: call({
    method: 'POST',
    path: '/appointments/estimate',
    summary:
      'Сколько будет стоить запись со скидками, которые подойдут, и какие они; без клиента — для нового пациента',
    access: 'createAppointments',
    body: z.strictObject({
      idCustomer: id.nullable(),
      idFilial: id,
      localDate: day,
      localStart: start,
      lines: z
        .array(z.strictObject({ idService: id, idUser: id, qty: z.number().positive().max(1000).optional() }))
        .min(1)
        .max(50),
    }),
    answer: estimate,
  }),
  price: call({
    method: 'GET',
    path: '/appointments/:id/price',
    summary: 'Почему такая цена: скидки каждой услуги записи, какие даны и за что, каких нет и почему',
    access: visitAccess.view,
    params: idParams,
    answer: visitPrice,
  }),
  discounts: call({
    method: 'POST',
    path: '/appointments/:id/discounts',
    summary:
      'Скидки записи: промокод и скидка вручную (в пределах своего процента, выше — с согласованием другого сотрудника); null снимает',
    access: 'editAppointments',
    params: idParams,
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .max(2 * CODE_LENGTH)
        .nullable()
        .optional(),
      manual: z
        .strictObject({
          unit: oneOf(discountUnits),
          value: z
            .number({ error: 'Нужно число' })
            .positive('Больше нуля')
            .max(10_000_000, 'Не больше 10 000 000')
            .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой'),
          reason: z.string({ error: 'Укажите основание' }).trim().min(1, 'Укажите основание').max(400),
        })
        .refine(({ unit, value }) => unit === 'rubles' || value <= 100, { path: ['value'], error: 'Не больше 100 %' })
        .nullable()
        .optional(),
      approvals: z.array(id).max(20).optional(),
      /** Only the price that the discounts would give. */
      dryRun: z.boolean().optional(),
    }),
    answer: visitPrice,
  }),
  withdrawPromise: call({
    method: 'POST',
    path: '/appointments/:id/promise/withdraw',
    summary:
      'Отозвать цену и скидки, обещанные пациенту за неоказанные и неоплаченные услуги записи, с причиной: дальше — цена дня визита',
    access: 'editVisitPrices',
    params: idParams,
    body: z.strictObject({
      reason: z.string({ error: 'Укажите причину' }).trim().min(1, 'Укажите причину').max(400),
    }),
    answer: visitPrice,
  }),
  serviceSales: call({
    method: 'GET',
    path: '/services/:id/sales',
    summary: 'Сколько услуги оказано за каждый из последних двенадцати месяцев и на какую сумму после скидок',
    access: salesAccess,
    params: idParams,
    answer: z.object({
      months: z.array(
        z.object({
          /** ГГГГ-ММ. */
          month: z.string(),
          qty: z.number(),
          /** Rubles. */
          sum: z.number(),
        }),
      ),
    }),
  }),
  addService: call({
    method: 'POST',
    path: '/appointments/:id/services',
    summary:
      'Добавить услугу в визит, который есть: цена, скидки, время врача и кабинет проверяются; keepTime — не продлевать талон',
    access: ['createAppointments', 'editAppointments'],
    params: idParams,
    status: 201,
    body: z.strictObject({
      /** The doctor whose coupon of the visit it joins; absent: the requester's own, else the first. */
      idUser: id.optional(),
      ...addedService,
      _version: z.int().optional(),
    }),
    answer: rowOf(CouponService),
  }),
  addLine: call({
    method: 'POST',
    path: '/coupon-services',
    summary:
      'Добавить услугу в талон визита, который есть: то же, что POST /appointments/{id}/services, по номеру талона',
    access: ['createAppointments', 'editAppointments'],
    status: 201,
    body: z.strictObject({ idCoupon: id, ...addedService }),
    answer: rowOf(CouponService),
  }),
  lineDone: call({
    method: 'POST',
    path: '/coupon-services/:id/done',
    summary: 'Услуга талона оказана, или пациент от неё отказался (с причиной)',
    access: ['viewCalendar', 'editAppointments'],
    params: idParams,
    body: z.strictObject({
      completed: z.boolean(),
      cancelled: flag,
      refusalReason: z.string().trim().max(500).nullable().optional(),
    }),
  }),
  changeLine: call({
    method: 'PUT',
    path: '/coupon-services/:id',
    summary:
      'Изменить услугу талона: цену (выше обещанной — с reason) и количество; completed и cancelled — то же, что POST /coupon-services/{id}/done',
    access: ['viewCalendar', 'editAppointments', 'editVisitPrices'],
    params: idParams,
    /** `price` and `qty` are checked as the fields of the record. */
    body: z.strictObject({
      price: z.unknown().optional(),
      qty: z.unknown().optional(),
      completed: z.boolean().optional(),
      cancelled: z.boolean().optional(),
      refusalReason: z.string().trim().max(500).nullable().optional(),
      /** Of a price above the one that was promised to the patient, which it takes back. */
      reason: z.string().trim().min(1, messages.required).max(400, messages.maxLength(400)).optional(),
      _version: z.int().optional(),
    }),
    answer: rowOf(CouponService),
  }),
  shares: call({
    method: 'POST',
    path: '/coupon-services/:id/performers',
    summary:
      'Кто выполняет услугу талона вместе и чья какая доля, %: список целиком, вместе ровно 100; пустой — один врач талона',
    access: 'editVisitPrices',
    params: idParams,
    body: z.strictObject({
      performers: z
        .array(z.strictObject({ idUser: id, share: z.number() }))
        .max(MAX_PERFORMERS, `Не больше ${MAX_PERFORMERS} исполнителей`),
    }),
  }),
}
