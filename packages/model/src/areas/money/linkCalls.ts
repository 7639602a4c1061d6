/** Calls of payments by links and QR codes. */
import { z } from 'zod'
import { call, id, idParams, onceKey, oneOf } from '../../call.ts'
import { chosenLines, sum, words } from './callParts.ts'
import { LINK_DAYS, linkStatuses, MOST_LINK_DAYS } from './link.ts'

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

export const linkCalls = {
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
}
