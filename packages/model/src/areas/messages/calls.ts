import { z } from 'zod'
import { call, id, idParams, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { messageEvents } from './events.ts'
import { Message } from './message.ts'
import { MAX_TEXT } from './words.ts'

const text = z
  .string(messages.string)
  .trim()
  .min(1, messages.required)
  .max(MAX_TEXT, messages.maxLength(MAX_TEXT))
  .refine((value) => !value.includes('\0'), messages.nul)

/** Maximum patients per mailing. */
const MAX_MAILED = 500

export const messageCalls = {
  preview: call({
    method: 'POST',
    path: '/message-templates/preview',
    summary:
      'Как прочтёт сообщение пациент: слова с данными записи (idAppointment), без неё — с придуманными; ничего не отправляется',
    access: 'editMessageTemplates',
    body: z.strictObject({ event: oneOf(messageEvents), text, idAppointment: id.nullable().default(null) }),
    answer: z.object({
      text: z.string(),
      /** Rubles as a text message; null: no price is set. */
      cost: z.number().nullable(),
    }),
  }),
  test: call({
    method: 'POST',
    path: '/message-templates/test',
    summary: 'Проверочная отправка на свой телефон (sms) или свою почту (email)',
    access: 'editMessageTemplates',
    body: z.strictObject({ event: oneOf(messageEvents), text, channel: z.enum(['sms', 'email']) }),
    limit: 10,
    answer: z.object({
      /** Recipient, masked for users without access. */
      to: z.string(),
      /** Sent with an unknown outcome. */
      isUnknown: z.boolean(),
    }),
  }),
  mail: call({
    method: 'POST',
    path: '/message-templates/:id/send',
    summary:
      'Рассылка: написать выбранным клиентам словами шаблона. Одному клиенту тем же шаблоном — раз в день; кого не достать и кто не согласен на рекламу, пропущены и посчитаны',
    access: 'sendMessages',
    params: idParams,
    body: z.strictObject({ customers: z.array(id, messages.list).min(1, messages.required).max(MAX_MAILED) }),
    answer: z.object({
      queued: z.int(),
      /** Got the same message today. */
      already: z.int(),
      /** Without a usable channel, or without consent to one. */
      unreached: z.int(),
    }),
  }),
  estimate: call({
    method: 'POST',
    path: '/message-templates/:id/estimate',
    summary:
      'Во что обойдётся рассылка: скольким она уйдёт СМС, сколько в ней частей и сколько это стоит самое большее',
    access: 'sendMessages',
    params: idParams,
    body: z.strictObject({ customers: z.array(id, messages.list).min(1, messages.required).max(MAX_MAILED) }),
    answer: z.object({
      /** Patients reachable by text message; some of them get it by a free channel. */
      people: z.int(),
      /** Per message. */
      parts: z.int(),
      /** Rubles for all; null: no price is set. */
      cost: z.number().nullable(),
    }),
  }),
  smsReport: call({
    method: 'POST',
    path: '/sms/statuses/:provider',
    summary: 'Отчёт провайдера СМС о доставке: повод спросить его самого; сам по себе ничему не служит доказательством',
    access: 'public',
    params: z.strictObject({ provider: z.enum(['smsc', 'smsru', 'smsaero']) }),
    bodyType: 'raw',
    bodyLimit: 64 * 1024,
    /** Response expected by SMS.RU; other providers ignore it. */
    file: 'text/plain',
    limit: 600,
  }),
  messageVisit: call({
    method: 'POST',
    path: '/appointments/:id/message',
    summary: 'Отправить пациенту, на что он записан: словами шаблона «Запись создана», один раз',
    access: ['createAppointments', 'editAppointments'],
    params: idParams,
    limit: 60,
    answer: z.object({ queued: z.boolean() }),
  }),
  repeat: call({
    method: 'POST',
    path: '/messages/:id/repeat',
    summary: 'Отправить неотправленное сообщение ещё раз, теми же способами с начала',
    access: 'sendMessages',
    params: idParams,
    answer: rowOf(Message),
  }),
}
