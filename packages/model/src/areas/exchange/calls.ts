import { z } from 'zod'
import { call, id, idParams, oneOf } from '../../call.ts'
import { connectionModes } from '../settings/children/connections.ts'
import { adapters, exchangeAccess, exchangeStatuses, MANY_MESSAGES } from './exchangeMessage.ts'
import { adapterModes, adapterPages, adapterStates, modeSettings } from './integration.ts'

const access = 'mainSettings'
const MAX_REASON = 500

const ids = z.strictObject({
  ids: z.array(id).min(1, 'Выберите сообщения').max(MANY_MESSAGES, `Не больше ${MANY_MESSAGES} сообщений за раз`),
})
/** Number of changed messages; `left` were not in a suitable state. */
const changed = z.object({ changed: z.int(), left: z.int() })

/** Result of a retry of a message. */
const tried = z.object({
  id,
  status: oneOf(exchangeStatuses),
  code: z.string().nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
  durationMs: z.int().nullable(),
})

/** A card of «Интеграции». */
const integration = z.object({
  key: z.string(),
  /** Its code in the journal of exchange. */
  code: oneOf(adapters).nullable(),
  name: z.string(),
  mode: oneOf(adapterModes),
  state: oneOf(adapterStates),
  dateSuccess: z.iso.datetime().nullable(),
  dateFailing: z.iso.datetime().nullable(),
  dateChecked: z.iso.datetime().nullable(),
  /** The current error. */
  error: z.string().nullable(),
  /** Errors of 24 hours, counted up to 1,000. */
  errors: z.int().nullable(),
  queue: z.int().nullable(),
  /** Further status, in Russian. */
  note: z.string().nullable(),
  /** Problems to come, with what to do. */
  warnings: z.array(z.string()),
  setIn: z.string(),
  page: z.enum(adapterPages).nullable(),
  isChecking: z.boolean(),
  /** The setting of its mode, and the value. */
  switch: z.object({ setting: z.enum(modeSettings), value: oneOf(connectionModes) }).nullable(),
  /** The earliest expiry of the certificates seen at the last check. */
  dateCertificate: z.iso.datetime().nullable(),
})

export const exchangeCalls = {
  events: call({
    method: 'GET',
    path: '/webhooks/events',
    summary: 'События, на которые можно подписать вебхук: по разделам, из тех записей, которые видит спрашивающий',
    access,
    answer: z.object({
      groups: z.array(
        z.object({
          title: z.string(),
          entities: z.array(z.object({ path: z.string(), label: z.string(), actions: z.array(z.string()) })),
        }),
      ),
    }),
  }),
  renewSecret: call({
    method: 'POST',
    path: '/webhooks/:id/secret',
    summary: 'Новый секрет подписи вебхука; показывается один раз, прежний перестаёт действовать',
    access,
    fresh: true,
    params: idParams,
    answer: z.object({ secret: z.string() }),
  }),
  test: call({
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Проверочное событие: отправляется сразу и один раз',
    access,
    params: idParams,
    answer: tried,
  }),
  repeatStopped: call({
    method: 'POST',
    path: '/webhooks/:id/repeat',
    summary: 'Отправить снова всё, что вебхуку не доставлено',
    access,
    params: idParams,
    answer: z.object({ changed: z.int() }),
  }),
  repeat: call({
    method: 'POST',
    path: '/exchange/messages/repeat',
    summary: 'Отправить сообщения снова; повторить можно то, чем ведает очередь обмена',
    access,
    body: ids,
    answer: changed,
  }),
  cancel: call({
    method: 'POST',
    path: '/exchange/messages/cancel',
    summary: 'Больше не пытаться отправить сообщения, которые ещё ждут',
    access,
    body: ids,
    answer: changed,
  }),
  settle: call({
    method: 'POST',
    path: '/exchange/messages/settle',
    summary: 'Отметить отправленными сообщения, о которых неизвестно, дошли ли они: человек это выяснил',
    access,
    body: ids,
    answer: changed,
  }),
  open: call({
    method: 'POST',
    path: '/exchange/messages/:id/open',
    summary: 'Содержание сообщения и ответа; обращение остаётся в журнале доступа с причиной',
    access: exchangeAccess,
    params: idParams,
    body: z.strictObject({
      reason: z.string().trim().min(1, 'Укажите причину').max(MAX_REASON, `Не больше ${MAX_REASON} знаков`),
    }),
    answer: z.object({ request: z.string().nullable(), response: z.string().nullable() }),
  }),
  integrations: call({
    method: 'GET',
    path: '/integrations',
    summary: 'Внешние системы: режим, состояние, очередь и ошибки за сутки',
    access,
    answer: z.object({ items: z.array(integration) }),
  }),
  checkIntegration: call({
    method: 'POST',
    path: '/integrations/:key/check',
    summary: 'Проверить связь с внешней системой; одну систему проверяют один раз одновременно',
    access,
    params: z.strictObject({ key: z.string().max(64) }),
    answer: z.object({ isAnswering: z.boolean(), error: z.string().nullable(), durationMs: z.int() }),
  }),
}
