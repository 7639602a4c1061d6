/** Calls of payments and refunds at a desk. */
import { z } from 'zod'
import { call, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { MAX_MEMBERSHIP_USERS } from '../memberships/rules.ts'
import { chosenLines, counted, reason, sum, words } from './callParts.ts'
import { CERTIFICATE_NUMBER } from './certificate.ts'
import { paymentMethods } from './methods.ts'
import { Payment } from './payment.ts'

const MAX_PARTS = 6

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
  /**
   * Sells a membership of a type at its price, or what is left of a treatment plan as a package. `users`: whose visits
   * it pays for, without any the buyer's; a package those of the plan's patient.
   */
  membership: z
    .strictObject({
      idType: id.optional(),
      idPlan: id.optional(),
      users: z.array(id).max(MAX_MEMBERSHIP_USERS, `Не больше ${MAX_MEMBERSHIP_USERS} человек`).optional(),
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

export const paymentCalls = {
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
}

export type TakeBody = z.output<typeof takeBody>
export type RefundBody = z.output<typeof refundBody>
