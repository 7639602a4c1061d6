import { z } from 'zod'
import { call, id, idParams, idText, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { phoneOf } from '../../phone.ts'
import { MAX_SCORE, SCORE_DAYS } from '../visits/visitScore.ts'
import type {
  PortalData,
  PortalFriends,
  PortalGood,
  PortalMe,
  PortalSession,
  PortalStart,
  PortalVisit,
} from './shapes.ts'

/** A phone in any usual spelling. */
export const phoneInput = z
  .string(messages.string)
  .max(64, messages.maxLength(64))
  .transform((text) => phoneOf(text) ?? '')
  .refine((text) => text !== '', 'Не корректный номер телефона')
const birthday = z
  .string(messages.string)
  .regex(/^\d{4}-\d\d-\d\d$/, 'Укажите дату рождения полностью')
  .optional()

/** A family member; absent: the patient. */
const whose = z.object({ patient: idText.optional() })

/** A web push subscription: address of the browser vendor's service. */
const deviceAddress = z.strictObject({
  endpoint: z
    .string(messages.string)
    .trim()
    .max(1000, messages.maxLength(1000))
    .pipe(z.url({ protocol: /^https?$/, error: 'Не адрес уведомлений' })),
})

/**
 * Calls of patients have their own sign-in: the staff's `access` does not apply to them, and theirs opens nothing else.
 */
const open = { access: 'public' } as const

export const portalCalls = {
  start: call({
    ...open,
    method: 'GET',
    path: '/portal/start',
    summary: 'Как пациент входит в личный кабинет',
    answer: shapeOf<PortalStart>(),
  }),
  code: call({
    ...open,
    method: 'POST',
    path: '/portal/code',
    summary: 'Выслать код на телефон пациента; ответ один, чей бы номер ни был',
    limit: 30,
    body: z.strictObject({ phone: phoneInput }),
    status: 202,
    answer: z.object({ minutes: z.int() }),
  }),
  demoCode: call({
    ...open,
    method: 'GET',
    path: '/portal/demo-code',
    summary: 'Код, который в демо-клинике никуда не отправлен',
    query: z.object({ phone: phoneInput }),
    answer: z.object({ code: z.string().nullable() }),
  }),
  signIn: call({
    ...open,
    method: 'POST',
    path: '/portal/session',
    summary: 'Войти кодом из сообщения; у кого номер общий, говорит и дату рождения',
    limit: 60,
    body: z.strictObject({
      phone: phoneInput,
      code: z.string(messages.string).trim().min(1, messages.required).max(20, messages.maxLength(20)),
      birthday,
    }),
    answer: shapeOf<PortalMe>(),
  }),
  openLink: call({
    ...open,
    method: 'POST',
    path: '/portal/link',
    summary: 'Войти по личной ссылке: на одном устройстве',
    refusals: [410],
    limit: 60,
    body: z.strictObject({ token: z.string(messages.string).max(100), birthday }),
    answer: shapeOf<PortalMe>(),
  }),
  goods: call({
    ...open,
    method: 'GET',
    path: '/portal/goods',
    summary: 'Товары клиники: цены и что есть в наличии по филиалам',
    query: z.object({ q: z.string().max(100, messages.maxLength(100)).optional() }),
    answer: shapeOf<{ items: PortalGood[]; isMore: boolean }>(),
  }),
  signOut: call({ ...open, method: 'DELETE', path: '/portal/session', summary: 'Выйти из личного кабинета' }),
  signOutAll: call({
    ...open,
    method: 'DELETE',
    path: '/portal/sessions',
    summary: 'Выйти из личного кабинета на всех устройствах',
  }),
  sessions: call({
    ...open,
    method: 'GET',
    path: '/portal/sign-ins',
    summary: 'Где открыт личный кабинет пациента',
    answer: shapeOf<{ items: PortalSession[] }>(),
  }),
  endSession: call({
    ...open,
    method: 'DELETE',
    path: '/portal/sign-ins/:id',
    summary: 'Выйти из личного кабинета на одном из устройств',
    params: idParams,
  }),
  me: call({ ...open, method: 'GET', path: '/portal/me', summary: 'Кто вошёл', answer: shapeOf<PortalMe>() }),
  visits: call({
    ...open,
    method: 'GET',
    path: '/portal/visits',
    summary: 'Визиты пациента: будущие и последние',
    query: whose,
    answer: shapeOf<{ ahead: PortalVisit[]; past: PortalVisit[] }>(),
  }),
  visitCalendar: call({
    ...open,
    method: 'GET',
    path: '/portal/visits/:id/calendar',
    summary: 'Визит пациента для календаря телефона (iCalendar, RFC 5545): без имени и услуг',
    params: idParams,
    query: whose,
    file: 'text/calendar',
    limit: 60,
  }),
  friends: call({
    ...open,
    method: 'GET',
    path: '/portal/friends',
    summary: 'Приведи друга: свой код со ссылкой и что за кого начислено, без имён',
    answer: shapeOf<PortalFriends>(),
  }),
  friendsQr: call({
    ...open,
    method: 'GET',
    path: '/portal/friends/qr',
    summary: 'Своя ссылка приглашения как QR-код',
    file: 'image/svg+xml',
    limit: 60,
  }),
  answerVisit: call({
    ...open,
    method: 'POST',
    path: '/portal/visits/:id/answer',
    summary: 'Подтвердить или отменить визит: сам пациент',
    params: idParams,
    query: whose,
    body: z.strictObject({ action: z.enum(['confirm', 'cancel'], messages.choice) }),
    answer: z.object({ status: z.string() }),
  }),
  visitByLink: call({
    ...open,
    method: 'POST',
    path: '/portal/visit-link/view',
    summary: 'Визит по ссылке из сообщения о нём: без входа, без имени и услуг',
    refusals: [410],
    limit: 60,
    // In the body, as logs contain addresses.
    body: z.strictObject({ token: z.string().max(64) }),
    answer: shapeOf<{ clinicName: string; visit: PortalVisit }>(),
  }),
  answerByLink: call({
    ...open,
    method: 'POST',
    path: '/portal/visit-link',
    summary: 'Подтвердить или отменить визит по ссылке из сообщения о нём',
    refusals: [410],
    limit: 30,
    body: z.strictObject({ token: z.string().max(64), action: z.enum(['confirm', 'cancel'], messages.choice) }),
    answer: z.object({ status: z.string() }),
  }),
  scoreByLink: call({
    ...open,
    method: 'POST',
    path: '/portal/score-link/view',
    summary: 'Визит, который просят оценить, по ссылке из сообщения: без входа, без имени и услуг',
    refusals: [410],
    limit: 60,
    body: z.strictObject({ token: z.string().max(64) }),
    answer: z.object({
      clinicName: z.string(),
      localDate: z.string(),
      doctor: z.string(),
      filial: z.string(),
      /** A rating was already given. */
      score: z.int().nullable(),
      /** Pages of the branch for reviews, the same for every score; empty before it is given. */
      routes: z.array(z.object({ site: z.string(), url: z.string() })),
    }),
  }),
  writeHead: call({
    ...open,
    method: 'POST',
    path: '/portal/score-link/head',
    summary: 'Написать руководителю о визите по ссылке из сообщения: один раз',
    refusals: [410],
    limit: 10,
    body: z.strictObject({
      token: z.string().max(64),
      text: z
        .string(messages.string)
        .trim()
        .min(1, messages.required)
        .max(2000, messages.maxLength(2000))
        .refine((text) => !text.includes('\0'), messages.nul),
    }),
  }),
  giveScore: call({
    ...open,
    method: 'POST',
    path: '/portal/score-link',
    summary: `Оценка визита от 0 до ${MAX_SCORE} с отзывом: один раз на визит, ${SCORE_DAYS} дней после него`,
    refusals: [410],
    limit: 30,
    body: z.strictObject({
      token: z.string().max(64),
      score: z.int(messages.integer).min(0, messages.min(0)).max(MAX_SCORE, messages.max(MAX_SCORE)),
      comment: z.string(messages.string).trim().max(1000, messages.maxLength(1000)).optional(),
    }),
  }),
  data: call({
    ...open,
    method: 'GET',
    path: '/portal/data',
    summary: 'Данные пациента и его согласия',
    query: whose,
    answer: shapeOf<PortalData>(),
  }),
  ways: call({
    ...open,
    method: 'PUT',
    path: '/portal/ways',
    summary: 'Чем клинике писать пациенту; звонки и коды для входа остаются',
    limit: 60,
    query: whose,
    body: z.strictObject({ messenger: z.boolean(), sms: z.boolean(), email: z.boolean() }),
  }),
  device: call({
    ...open,
    method: 'GET',
    path: '/portal/device',
    summary: 'Ключ, которым сервер подписывает уведомления: его просит браузер (RFC 8292)',
    answer: z.object({ key: z.string() }),
  }),
  sendDevice: call({
    ...open,
    method: 'POST',
    path: '/portal/device',
    summary: 'Присылать на это устройство сообщения клиники и весть об ответах, без их содержания',
    limit: 30,
    body: deviceAddress,
  }),
  news: call({
    ...open,
    method: 'POST',
    path: '/portal/device/news',
    summary: 'Что показать на устройстве, которое разбудили: сообщения клиники, которых на нём ещё не было',
    limit: 120,
    body: deviceAddress,
    answer: z.object({ clinic: z.string(), items: z.array(z.object({ id, text: z.string() })) }),
  }),
  dropDevice: call({
    ...open,
    method: 'DELETE',
    path: '/portal/device',
    summary: 'Больше не присылать уведомлений на это устройство',
    limit: 60,
    body: deviceAddress,
  }),
  makeLink: call({
    method: 'POST',
    path: '/customers/:id/portal-link',
    summary: 'Личная ссылка пациента в кабинет: на сутки, для одного устройства',
    access: 'editCustomers',
    params: idParams,
    status: 201,
    answer: z.object({ url: z.string(), dateExpires: z.string(), idCustomer: id }),
  }),
  endSessions: call({
    method: 'POST',
    path: '/customers/:id/portal-sign-out',
    summary: 'Завершить все сеансы пациента в кабинете; неоткрытые личные ссылки больше не действуют',
    access: 'editCustomers',
    params: idParams,
    answer: z.object({ sessions: z.int(), links: z.int() }),
  }),
}
