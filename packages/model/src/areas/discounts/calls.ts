import { z } from 'zod'
import { type BodyOf, call, day, id, idParams, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { Discount, DiscountApproval, discountUnits } from './discount.ts'
import { CODE_LENGTH } from './promoCode.ts'

/** Limits: lines of a basket, and codes generated at once. */
export const MAX_LINES = 100
export const MAX_CODES = 1_000
const MAX_QUANTITY = 99_999
const MAX_RUBLES = 10_000_000

const exact = (digits: number) => (value: number) => Number(value.toFixed(digits)) === value
const sum = z
  .number({ error: 'Нужно число' })
  .min(0, 'Не меньше нуля')
  .max(MAX_RUBLES, `Не больше ${MAX_RUBLES}`)
  .refine(exact(2), 'Не больше 2 знаков после запятой')

const basket = {
  idCustomer: id.optional(),
  idFilial: id.optional(),
  /** The company that pays for the customer. */
  idCompany: id.optional(),
  /** In the time zone of the branch, else of the clinic; absent: now. */
  date: day.optional(),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, messages.clock)
    .optional(),
  lines: z
    .array(
      z.strictObject({
        idService: id,
        /** The doctor. */
        idUser: id.optional(),
        quantity: z
          .number()
          .min(0.001, 'Не меньше 0,001')
          .max(MAX_QUANTITY, `Не больше ${MAX_QUANTITY}`)
          .refine(exact(3), 'Не больше 3 знаков после запятой')
          .default(1),
        /** Rubles for one; absent: by the price lists of that day. */
        price: sum.optional(),
        idCouponService: id.optional(),
      }),
    )
    .min(1, 'Добавьте хотя бы одну услугу')
    .max(MAX_LINES, `Не больше ${MAX_LINES} строк`),
  /** As typed; it is normalized. */
  code: z
    .string()
    .max(2 * CODE_LENGTH)
    .optional(),
  manual: z
    .strictObject({
      unit: oneOf(discountUnits),
      value: sum,
      reason: z.string().trim().min(1, 'Укажите основание').max(400),
    })
    .refine(({ unit, value }) => unit === 'rubles' || value <= 100, { path: ['value'], error: 'Не больше 100 %' })
    .optional(),
  /** Answered approval requests of the user. */
  approvals: z.array(id).max(20).optional(),
}

const named = { idDiscount: z.int().nullable(), name: z.string(), why: z.string() }
const calculation = z.object({
  date: z.string(),
  time: z.string(),
  lines: z.array(
    z.object({
      idService: z.int(),
      name: z.string(),
      quantity: z.number(),
      price: z.number(),
      base: z.number(),
      discount: z.number(),
      final: z.number(),
      applied: z.array(z.object({ ...named, amount: z.number() })),
      refused: z.array(z.object(named)),
    }),
  ),
  base: z.number(),
  discount: z.number(),
  final: z.number(),
  /** The part of `final` paid with bonuses, and the rest. */
  bonus: z.number(),
  due: z.number(),
  /** Discounts that need another employee's approval; null is the discount by hand. */
  needApproval: z.array(z.int().nullable()),
  /** Why the given code has no effect. */
  codeRefusal: z.string().nullable(),
})

export const discountCalls = {
  calculate: call({
    method: 'POST',
    path: '/discounts/calculate',
    summary: 'Какие скидки положены корзине и почему, какие нет и почему; ничего не записывается',
    access: 'viewDiscounts',
    body: z.strictObject({
      ...basket,
      /** Rubles to pay with bonuses. */
      bonus: sum.optional(),
      /** For trials: replaces facts of the customer. */
      suppose: z.strictObject({ isFirstVisit: z.boolean().optional(), paid: sum.optional() }).optional(),
      /** Tries one inactive discount as if it were active, without the others. */
      idDiscount: id.optional(),
    }),
    answer: calculation,
  }),
  apply: call({
    method: 'POST',
    path: '/discounts/apply',
    summary:
      'Дать скидки корзине и записать применения: пределы проверяются под замком; повтор с тем же ключом ничего не меняет и отвечает тем же',
    access: ['editDiscounts', 'editVisitPrices'],
    status: 201,
    body: z.strictObject({
      ...basket,
      /** Idempotency key of the order. */
      key: z.uuid('Нужен ключ операции'),
      idCoupon: id.optional(),
    }),
    answer: z.object({ uses: z.array(id), discount: z.number() }),
  }),
  reverse: call({
    method: 'POST',
    path: '/discounts/reverse',
    summary: 'Вернуть применения заказа или часть строки: запись остаётся, счётчики уменьшаются',
    access: 'editDiscounts',
    body: z.strictObject({
      order: z.string().min(1).max(64),
      /** One use only; absent: all. */
      idUse: id.optional(),
      /** Quantity of the line to reverse; absent: all that is left. */
      quantity: z.number().min(0.001).max(MAX_QUANTITY).refine(exact(3), 'Не больше 3 знаков после запятой').optional(),
      reason: z.string().trim().min(1, 'Укажите причину').max(500),
    }),
    answer: z.object({ reversed: z.number() }),
  }),
  copy: call({
    method: 'POST',
    path: '/discounts/:id/copy',
    summary: 'Новая версия скидки: копия черновиком, применения остаются у прежней',
    access: 'editDiscounts',
    status: 201,
    params: idParams,
    answer: rowOf(Discount),
  }),
  generate: call({
    method: 'POST',
    path: '/discounts/:id/generate-codes',
    summary: `Выпустить много кодов сразу, не больше ${MAX_CODES}`,
    access: 'editDiscounts',
    status: 201,
    params: idParams,
    body: z.strictObject({
      count: z.int('Нужно целое число').min(1, 'Не меньше одного').max(MAX_CODES, `Не больше ${MAX_CODES}`),
      prefix: z
        .string()
        .trim()
        .max(16, 'Не длиннее 16 знаков')
        .regex(/^[\p{L}\d-]*$/u, 'Только буквы, цифры и дефис')
        .optional(),
      /** Uses per code; absent: one. */
      limit: z.int().min(1).max(MAX_RUBLES).optional(),
      expires: day.optional(),
    }),
    answer: z.object({ made: z.int() }),
  }),
  decide: call({
    method: 'POST',
    path: '/discounts/approvals/:id/decide',
    summary: 'Согласовать скидку или отказать: решает другой сотрудник',
    access: 'approveDiscounts',
    params: idParams,
    body: z.strictObject({ agree: z.boolean(), answer: z.string().trim().max(500).optional() }),
    answer: rowOf(DiscountApproval),
  }),
}

/** Request body of a basket calculation. */
export type BasketBody = Pick<BodyOf<typeof discountCalls.calculate>, keyof typeof basket>
