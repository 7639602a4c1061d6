import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { isDay } from '../../fields/date.ts'
import { messages } from '../../messages.ts'
import { Consent } from './consent.ts'

/** Digits of a code, minutes of validity, attempts, and codes per hour for one phone or paper. */
export const CODE_DIGITS = 6
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
export const CODES_AN_HOUR = 5

export const codeState = z.object({
  /** A message gateway is connected. */
  isOn: z.boolean(),
  /** Recipient of the code, with all but the last digits masked; null: the card has no phone. */
  phone: z.string().nullable(),
  /** Absent: no code was sent. */
  sent: z
    .object({
      dateExpires: z.string(),
      triesLeft: z.int(),
      /**
       * accepted: by the gateway; delivered, failed: reported by the gateway; unknown: no report, the code may still
       * arrive.
       */
      delivery: z.enum(['accepted', 'delivered', 'failed', 'unknown']),
    })
    .nullable(),
})
export type CodeState = z.output<typeof codeState>

export const consentCalls = {
  text: call({
    method: 'GET',
    path: '/consents/:id/text',
    summary: 'Текст согласия с данными клиента, HTML',
    access: 'viewCustomers',
    params: idParams,
    answer: z.object({ html: z.string() }),
  }),
  print: call({
    method: 'GET',
    path: '/consents/:id/print',
    summary: 'Согласие на бумаге, PDF с местами для подписей',
    access: 'viewCustomers',
    params: idParams,
    file: 'application/pdf',
  }),
  sign: call({
    method: 'POST',
    path: '/consents/:id/sign',
    summary: 'Подписано на бумаге; idFile — скан, signedOn — день подписи, сегодня, если не указан',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({ idFile: id.optional(), signedOn: z.string().refine(isDay, messages.date).optional() }),
    answer: rowOf(Consent),
  }),
  codeState: call({
    method: 'GET',
    path: '/consents/:id/code',
    summary: 'Что стало с кодом, отправленным для подписи',
    access: 'editCustomers',
    params: idParams,
    answer: codeState,
  }),
  sendCode: call({
    method: 'POST',
    path: '/consents/:id/code',
    summary: `Код подписи по СМС: ${CODE_DIGITS} цифр на ${CODE_MINUTES} минут, не больше ${CODES_AN_HOUR} в час`,
    access: 'editCustomers',
    params: idParams,
    answer: codeState,
  }),
  confirm: call({
    method: 'POST',
    path: '/consents/:id/confirm',
    summary: `Подпись кодом из СМС; после ${CODE_TRIES} неверных нужен новый код`,
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({ code: z.string().max(20) }),
    answer: rowOf(Consent),
  }),
  revoke: call({
    method: 'POST',
    path: '/consents/:id/revoke',
    summary: 'Отзыв подписанного согласия',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({
      reason: z
        .string(messages.string)
        .trim()
        .min(1, messages.required)
        .max(1000, messages.maxLength(1000))
        .refine((value) => !value.includes('\0'), messages.nul),
    }),
    answer: rowOf(Consent),
  }),
}
