/** Calls of memberships beyond the records engine. The sale and the refund are payments (`payments/take`, `refund`). */
import { z } from 'zod'
import { call, day, id, idParams, rowOf } from '../../call.ts'
import { CouponService, visitAccess } from '../visits/visit.ts'
import { Membership, membershipView } from './membership.ts'

export const membershipCalls = {
  refund: call({
    method: 'GET',
    path: '/memberships/:id/refund',
    summary: 'Сколько вернут за абонемент сегодня и по какой формуле; why — почему вернуть нельзя',
    access: membershipView,
    params: idParams,
    answer: z.object({
      /** The payment of the sale, which is refunded. */
      idPayment: z.int().nullable(),
      sum: z.number(),
      formula: z.string(),
      why: z.string().nullable(),
    }),
  }),
  package: call({
    method: 'GET',
    path: '/customer-plans/:id/package',
    summary:
      'План лечения пакетом: сколько стоит то, что ещё не сделано и не оплачено, по ценам плана; why — почему не продать',
    access: 'takePayments',
    params: idParams,
    answer: z.object({
      price: z.number(),
      why: z.string().nullable(),
      lines: z.array(z.object({ service: z.string(), qty: z.int(), sum: z.number() })),
    }),
  }),
  freeze: call({
    method: 'POST',
    path: '/memberships/:id/freeze',
    summary: 'Заморозить: срок продлевается на эти дни, посещений в них нет',
    access: 'takePayments',
    params: idParams,
    body: z.strictObject({ dateFrom: day, days: z.int().min(1, 'Хотя бы день').max(366, 'Не больше 366 дней') }),
    answer: rowOf(Membership),
  }),
  unfreeze: call({
    method: 'POST',
    path: '/memberships/:id/unfreeze',
    summary: 'Разморозить с сегодняшнего дня: неиспользованные дни заморозки возвращаются',
    access: 'takePayments',
    params: idParams,
    answer: rowOf(Membership),
  }),
  cover: call({
    method: 'POST',
    path: '/coupon-services/:id/membership',
    summary: 'Оплатить услугу визита абонементом; idMembership: null — снять с абонемента, платит клиент',
    access: visitAccess.update,
    params: idParams,
    body: z.strictObject({ idMembership: id.nullable() }),
    answer: rowOf(CouponService),
  }),
}
