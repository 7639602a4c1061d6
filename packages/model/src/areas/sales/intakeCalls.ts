/** Intakes of leads from outside, and sorting of the leads. */
import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { sameContacts } from './calls.ts'
import { LeadRequest } from './intake.ts'

/** Maximum bytes of a request. */
const MAX_BODY = 64 * 1024
/** Requests a minute from one address. */
const RATE = 60

const byKey = z.object({ key: z.string().max(64) })

/**
 * Known fields of senders; other fields go to the message. Only for the OpenAPI document: the handler verifies the raw
 * bytes and parses them itself.
 */
const body = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  timestamp: z.union([z.string(), z.number()]).optional(),
  name: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  message: z.string().optional(),
  page: z.string().optional(),
  referrer: z.string().optional(),
  utm_source: z.string().optional(),
})

export const intakeCalls = {
  makeSecret: call({
    method: 'POST',
    path: '/sales-management/intakes/:id/secret',
    summary: 'Новый секрет подписи вебхука; показывается один раз, прежний перестаёт действовать',
    access: 'editFunnels',
    fresh: true,
    params: idParams,
    answer: z.object({ secret: z.string() }),
  }),
  takeIntake: call({
    method: 'POST',
    path: '/intake/:key',
    summary:
      'Заявка снаружи. Вебхук: X-Signature: sha256=<hex HMAC-SHA256 тела>, номер в id, время в timestamp. Форма: поля формы или JSON',
    access: 'public',
    params: byKey,
    body,
    bodyType: 'raw',
    bodyLimit: MAX_BODY,
    limit: RATE,
    answer: z.object({ ok: z.literal(true), thanks: z.string().optional(), repeated: z.boolean().optional() }),
  }),
  showForm: call({
    method: 'GET',
    path: '/intake/:key/form',
    file: 'text/html',
    summary: 'Страница формы для встраивания на сайт (iframe); utm_* из её адреса уходят с заявкой',
    access: 'public',
    params: byKey,
    // Any advertising parameters.
    query: z.looseObject({}),
    limit: RATE,
  }),
  askCors: call({
    method: 'OPTIONS',
    path: '/intake/:key',
    summary: 'Разрешение браузеру отправить форму с чужого сайта',
    access: 'public',
    params: byKey,
  }),
  requestMatches: call({
    method: 'GET',
    path: '/sales-management/requests/:id/matches',
    summary: 'Открытые сделки и клиенты с телефоном или почтой заявки',
    access: ['viewSalesManagement', 'editSalesManagement'],
    params: idParams,
    answer: sameContacts,
  }),
  acceptRequest: call({
    method: 'POST',
    path: '/sales-management/requests/:id/accept',
    summary: 'Принять заявку: сделка с контактом; единственный подходящий клиент связывается с ним',
    access: 'editSalesManagement',
    params: idParams,
    body: z.strictObject({
      idStage: id.optional(),
      title: z.string().trim().min(1).max(255).optional(),
      /** Responsible employee of the deal; absent: the user. */
      idUser: id.optional(),
    }),
    answer: rowOf(LeadRequest),
  }),
  rejectRequest: call({
    method: 'POST',
    path: '/sales-management/requests/:id/reject',
    summary: 'Отклонить заявку с причиной',
    access: 'editSalesManagement',
    params: idParams,
    body: z.strictObject({ reason: z.string().trim().min(1).max(500) }),
    answer: rowOf(LeadRequest),
  }),
  linkRequest: call({
    method: 'POST',
    path: '/sales-management/requests/:id/link',
    summary: 'Присоединить заявку к сделке: её контакт (если такого ещё нет) и сообщение комментарием',
    access: 'editSalesManagement',
    params: idParams,
    body: z.strictObject({ idLead: id }),
    answer: rowOf(LeadRequest),
  }),
  reopenRequest: call({
    method: 'POST',
    path: '/sales-management/requests/:id/reopen',
    summary:
      'Вернуть заявку в неразобранные: сделка, с которой ещё не работали, уходит в корзину, присоединённое убирается',
    access: 'editSalesManagement',
    params: idParams,
    answer: rowOf(LeadRequest),
  }),
}
