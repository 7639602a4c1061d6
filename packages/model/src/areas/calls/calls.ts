import { z } from 'zod'
import { call, id, idParams, inParts, oneOf } from '../../call.ts'
import { endBody } from '../appeals/endBody.ts'
import { incomingStates } from './call.ts'

/** Maximum calls per bulk outcome. */
const MOST_AT_ONCE = 100

/** Bars of a recording's waveform. */
export const PEAKS = 200

/** A patient with the ringing number, as far as the user may see the card; null fields are hidden from the user. */
const caller = z.object({
  id,
  fio: z.string(),
  /** DD.MM.YYYY. */
  birthday: z.string().nullable(),
  allergies: z.string().nullable(),
  /** Rubles. */
  debt: z.number().nullable(),
  nextVisit: z
    .object({ id, idFilial: id, localDate: z.string(), localStart: z.string(), services: z.string() })
    .nullable(),
  deals: z.array(z.object({ id, idFunnel: id, title: z.string() })),
  /** From the newest appeal or chat. */
  lastWords: z.object({ at: z.string(), text: z.string() }).nullable(),
})
export type Caller = z.output<typeof caller>

const incoming = z.object({
  id,
  state: oneOf(incomingStates),
  /** E.164; null: hidden. */
  phone: z.string().nullable(),
  /** The line that the caller dialled. */
  line: z.string().nullable(),
  filial: z.string().nullable(),
  queue: z.string().nullable(),
  dateCreate: z.string(),
  dateAnswer: z.string().nullable(),
  /** The call is over and its employee has not chosen an outcome yet. */
  needsEnd: z.boolean(),
  /** End of the talk, while the employee who talked is not ready for the next call. */
  wrapsSince: z.string().nullable(),
  /** The identified patient; null: one of `callers`, or none. */
  idCustomer: id.nullable(),
  callers: z.array(caller),
})
export type IncomingCall = z.output<typeof incoming>

const token = z.string().max(4_000)

export const callCalls = {
  mangoEvent: call({
    method: 'POST',
    path: '/telephony/mango/events/:kind',
    summary: 'Событие Mango Office, подписанное ключом и солью АТС; повтор ничего не меняет',
    access: 'public',
    params: z.strictObject({ kind: z.string().max(32) }),
    bodyType: 'raw',
    bodyLimit: 64 * 1024,
    answer: z.object({ ok: z.boolean() }),
    limit: 6_000,
  }),
  zadarmaEvent: call({
    method: 'POST',
    path: '/telephony/zadarma',
    summary: 'Уведомление Zadarma, подписанное её секретом; повтор ничего не меняет',
    access: 'public',
    bodyType: 'raw',
    bodyLimit: 64 * 1024,
    answer: z.object({ ok: z.boolean() }),
    limit: 6_000,
  }),
  zadarmaEcho: call({
    method: 'GET',
    path: '/telephony/zadarma',
    summary: 'Zadarma проверяет, что адрес наш',
    access: 'public',
    query: z.object({
      zd_echo: z
        .string()
        .max(200)
        .regex(/^[\w-]*$/)
        .optional(),
    }),
    file: 'text/plain',
    limit: 60,
  }),
  incoming: call({
    method: 'GET',
    path: '/calls/incoming',
    summary: 'Звонки, которые сейчас звонят сотруднику, и те, что он ведёт или только что закончил: с картой звонящего',
    access: 'signed-in',
    answer: z.object({ items: z.array(incoming) }),
  }),
  telephonyToken: call({
    method: 'POST',
    path: '/calls/telephony-token',
    summary: 'Токен для плагина телефонии: открывает только карточку звонка, живёт 12 часов и не дольше входа',
    access: 'signed-in',
    answer: z.object({ token: z.string() }),
  }),
  widgetToken: call({
    method: 'POST',
    path: '/widgets/incoming-call/token',
    summary: 'Токен одной карточки звонка для плагина телефонии: на 60 секунд и на одно открытие',
    access: 'public',
    body: z.strictObject({ token, session: z.string().max(128).optional() }),
    answer: z.object({ token: z.string(), url: z.string() }),
    refusals: [410],
  }),
  widgetOpen: call({
    method: 'POST',
    path: '/widgets/incoming-call',
    summary: 'Карточка звонка по токену; ключ читает её до конца звонка и две минуты после',
    access: 'public',
    body: z.strictObject({ token }),
    answer: z.object({ key: z.string(), call: incoming }),
    refusals: [410],
  }),
  widgetLook: call({
    method: 'POST',
    path: '/widgets/incoming-call/look',
    summary: 'Та же карточка по ключу; null — звонка больше нет',
    access: 'public',
    body: z.strictObject({ key: token }),
    answer: z.object({ call: incoming.nullable() }),
    refusals: [410],
  }),
  record: call({
    method: 'GET',
    path: '/calls/:id/record',
    summary: 'Запись разговора; по частям (Range). Свои разговоры слушает каждый, чужие — с правом listenCalls',
    access: 'public',
    params: idParams,
    query: z.object({ download: z.string().optional() }),
    ...inParts,
    file: 'audio/wav',
  }),
  peaks: call({
    method: 'GET',
    path: '/calls/:id/peaks',
    summary: `Громкость записи ${PEAKS} столбиками от 0 до 100 и длительность в секундах`,
    access: 'signed-in',
    params: idParams,
    answer: z.object({ peaks: z.array(z.int()), seconds: z.number() }),
  }),
  originate: call({
    method: 'POST',
    path: '/calls/originate',
    summary: 'Звонок с экрана: АТС звонит на телефон сотрудника, потом набирает номер; ответ — строка журнала',
    access: 'viewCallJournal',
    body: z.strictObject({ phone: z.string().max(40) }),
    answer: z.object({ id }),
  }),
  end: call({
    method: 'POST',
    path: '/calls/:id/end',
    summary:
      'Чем кончился звонок: итог или следующий шаг с датой. Пропущенный и все пропущенные с этого номера больше не ждут',
    access: 'viewCallJournal',
    params: idParams,
    body: z.strictObject(endBody),
  }),
  ready: call({
    method: 'POST',
    path: '/calls/:id/ready',
    summary: 'Кто говорил, закончил обработку звонка и готов к следующему; повтор ничего не меняет',
    access: 'signed-in',
    params: idParams,
  }),
  endMany: call({
    method: 'POST',
    path: '/calls/end-many',
    summary: `Один итог нескольким звонкам, до ${MOST_AT_ONCE}; если хоть один нельзя — не меняется ни один`,
    access: 'viewCallJournal',
    body: z.strictObject({ ids: z.array(id).min(1).max(MOST_AT_ONCE), ...endBody }),
    answer: z.object({ ended: z.int() }),
  }),
  customer: call({
    method: 'POST',
    path: '/calls/:id/customer',
    summary: 'Кто звонил: клиент выбран сотрудником; null — никто из известных',
    access: 'viewCallJournal',
    params: idParams,
    body: z.strictObject({ idCustomer: id.nullable() }),
  }),
}
