import { z } from 'zod'
import { call, id, idParams, idText, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { phoneOf } from '../../phone.ts'
import type { RefusedWay } from '../messages/events.ts'
import { MAX_SCORE, SCORE_DAYS } from '../visits/visitScore.ts'
import type { PortalAction, SignInWay } from './rules.ts'

/** Data of the patients' room before sign-in. */
export interface PortalStart {
  isOn: boolean
  /** Already signed in on this device. */
  isIn: boolean
  clinicName: string
  /** Phone for help with sign-in. */
  clinicPhone: string | null
  ways: SignInWay[]
  /** Demo clinic only: patients to sign in as. */
  demo: { name: string; phone: string; birthday: string | null }[] | null
}

export interface PortalPerson {
  id: number
  name: string
  fio: string
  /** «Ребёнок»; null for the signed-in patient. */
  relation: string | null
}

/** The signed-in patient, the relatives they may see, and their allowed actions. */
export interface PortalMe {
  clinicName: string
  person: PortalPerson
  family: PortalPerson[]
  /** Signed in by a code, or by a link and the birthday; required for medical data. */
  isProven: boolean
  /** Signed in by a personal link, which never opens dialogues. */
  byLink: boolean
  actions: PortalAction[]
  /** Hours before a visit from which it can be cancelled only by phone. */
  cancelHours: number
  /** The same for moving a visit. */
  moveHours: number
  /** The clinic shows goods for sale. */
  hasGoods: boolean
  /** The clinic sells memberships in the portal. */
  hasMemberships: boolean
  /** A family account pays for the patient, or the patient for others. */
  hasFamily: boolean
  /** The clinic rewards those who bring friends. */
  hasFriends: boolean
}

/** What a patient gets for friends. */
export interface PortalFriends {
  /** Address for friends, with the code. */
  url: string
  code: string
  /** Bonuses of the patient and of the friend after the friend's first paid visit. */
  reward: number
  gift: number
  mostInYear: number
  friends: { state: string; sum: number | null; day: string }[]
}

/** A product that the clinic sells; it cannot be ordered here. */
export interface PortalGood {
  id: number
  name: string
  group: string | null
  /** «от 1 200 ₽» */
  price: string
  /** «Осталось 3», by branch; empty: not kept in the warehouse. */
  stock: { filial: string; text: string; isFree: boolean }[]
}

export interface PortalVisit {
  id: number
  dateFrom: string
  /** In the branch's time zone. */
  localDate: string
  localStart: string
  status: string
  statusName: string
  /** Null: a patient signed in by a link only sees the visit without its services. */
  services: string | null
  doctor: string
  filial: string
  address: string | null
  phone: string | null
  /** Rubles of its lines. */
  cost: number | null
  /** Deposit due; `url` null: pay at the desk. An unpaid visit is cancelled after `until`. */
  deposit: { sum: number; until: string; url: string | null } | null
  /** Before discounts, if they change it. */
  fullCost: number | null
  /** Applied discounts: «Первый визит: −45 ₽». */
  why: string[]
  mayConfirm: boolean
  mayCancel: boolean
  mayMove: boolean
}

export interface PortalData {
  fio: string
  birthday: string | null
  phone: string | null
  email: string | null
  address: string | null
  snils: string | null
  /** Channels for messages about visits and results; advertising needs consent. */
  ways: Record<RefusedWay, boolean>
  policies: { number: string; company: string | null; dateTo: string | null }[]
  consents: { name: string; status: string; signedOn: string | null; validTo: string | null }[]
}

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

/** A sign-in session of a patient. Times are ISO 8601. */
export interface PortalSession {
  id: number
  userAgent: string | null
  byLink: boolean
  dateCreate: string
  dateSeen: string
  isCurrent: boolean
}

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
  tellDevice: call({
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
