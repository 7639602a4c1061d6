import { z } from 'zod'
import { call, day, id, idParams, idText, oneOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { phoneInput } from '../portal/calls.ts'
import { minutesOf } from '../visits/clock.ts'
import { MOST_DAYS } from './channel.ts'
import { inviteStates } from './invite.ts'
import { matchKinds, matchStates } from './match.ts'

const clock = z
  .string(messages.string)
  .refine((text) => minutesOf(text) !== undefined && text < '24:00', messages.clock)
const word = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .min(1, messages.required)
    .max(max, messages.maxLength(max))
    .refine((text) => !text.includes('\0'), messages.nul)

/** A patient as a seller names them. */
export const outsidePerson = z.strictObject({
  surname: word(64),
  name: word(64),
  middleName: word(64).optional(),
  birthday: day.optional().describe('Без неё пациент с таким телефоном считается другим'),
  phone: phoneInput,
})
export type OutsidePerson = z.output<typeof outsidePerson>

/** A free time as a seller sees it. */
const slot = z.object({
  service: id,
  doctor: id,
  date: day,
  start: clock,
  minutes: z.int(),
  price: z.number().nullable().describe('Рублей; null: цена не показывается'),
})

const booking = z.object({
  id: z.string().describe('Номер площадки'),
  state: z.enum(['booked', 'confirmed', 'cancelled', 'refused']),
  doctor: id.nullable(),
  date: day.nullable(),
  start: clock.nullable(),
  price: z.number().nullable(),
})
export type OutsideAnswer = z.output<typeof booking>

/** Answers 409 of a booking: `taken` with the nearest times, `price`, `patient`, `closed`, `prepay`. */
const open = { access: 'public', limit: 600 } as const
const byNumber = z.object({ number: word(128) })

export const outsideCalls = {
  token: call({
    method: 'POST',
    path: '/booking-channels/:id/token',
    summary: 'Выдать площадке ключ: показывается один раз, прежний перестаёт действовать',
    access: 'mainSettings',
    fresh: true,
    params: idParams,
    answer: z.object({ token: z.string() }),
    limit: 20,
  }),
  revoke: call({
    method: 'POST',
    path: '/booking-channels/:id/revoke',
    summary: 'Отозвать ключ площадки: записывать она больше не сможет',
    access: 'mainSettings',
    params: idParams,
  }),
  offer: call({
    method: 'GET',
    path: '/booking-channels/:id/offer',
    summary: 'Что видит площадка: врачи, услуги, цены, сколько времени свободно и чего ей не хватает',
    access: 'mainSettings',
    params: idParams,
    answer: z.object({
      doctors: z.array(
        z.object({ id, name: z.string(), speciality: z.string().nullable(), service: z.string(), free: z.int() }),
      ),
      services: z.array(z.object({ id, name: z.string(), code: z.string().nullable(), price: z.number().nullable() })),
      /** In Russian: what is left out or will not be matched, and what to do. */
      lacks: z.array(z.string()),
    }),
  }),
  matchLists: call({
    method: 'POST',
    path: '/booking-channels/:id/matches/lists',
    summary: 'Добавить список площадки: врачи или услуги, по строке; что уже есть, не меняется',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({ kind: oneOf(matchKinds), text: word(100_000) }),
    answer: z.object({ added: z.int() }),
  }),
  matches: call({
    method: 'GET',
    path: '/booking-channels/:id/matches',
    summary: 'Сопоставление площадки: её врачи и услуги, наши и что предлагаем для несопоставленных',
    access: 'mainSettings',
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          id,
          kind: oneOf(matchKinds),
          outerName: z.string(),
          outerCode: z.string().nullable(),
          state: oneOf(matchStates),
          ours: z.object({ id, name: z.string() }).nullable(),
          suggestion: z.object({ id, name: z.string(), why: z.string() }).nullable(),
        }),
      ),
    }),
  }),
  confirmMatches: call({
    method: 'POST',
    path: '/booking-channels/:id/matches/confirm',
    summary: 'Сопоставить всё, для чего есть предложение; что неясно, остаётся',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({}),
    answer: z.object({ matched: z.int(), left: z.int() }),
  }),
  services: call({
    ...open,
    method: 'GET',
    path: '/booking/v1/services',
    summary: 'Площадке (Authorization: Bearer ключ): услуги и врачи, к которым она записывает',
    answer: z.object({
      branch: z.object({ id, name: z.string(), address: z.string().nullable() }),
      services: z.array(
        z.object({
          id,
          name: z.string(),
          code: z.string().nullable().describe('Код приказа 804н'),
          doctors: z.array(z.object({ id, name: z.string(), speciality: z.string().nullable() })),
        }),
      ),
    }),
  }),
  schedule: call({
    ...open,
    method: 'GET',
    path: '/booking/v1/schedule',
    summary: 'Площадке: свободное время услуги',
    query: z.object({
      service: idText,
      doctor: idText.optional(),
      from: day.optional().describe('Без него — сегодня'),
      days: z.coerce.number<number>().int().min(1).max(MOST_DAYS).optional().describe('Без них — семь'),
    }),
    answer: z.object({ slots: z.array(slot) }),
  }),
  book: call({
    ...open,
    method: 'POST',
    path: '/booking/v1/appointments',
    summary: 'Площадке: записать пациента; тот же номер отвечает той же записью',
    body: z.strictObject({
      id: word(128).describe('Номер площадки'),
      service: id,
      doctor: id,
      date: day,
      start: clock,
      price: z.number().nonnegative().optional().describe('Цена, которую видел пациент: дороже он не заплатит'),
      comment: word(500).optional(),
      patient: outsidePerson,
    }),
    answer: booking,
    status: 201,
    also: [200],
  }),
  get: call({
    ...open,
    method: 'GET',
    path: '/booking/v1/appointments/:number',
    summary: 'Площадке: её запись, как она стоит сейчас',
    params: byNumber,
    answer: booking,
  }),
  cancel: call({
    ...open,
    method: 'POST',
    path: '/booking/v1/appointments/:number/cancel',
    summary: 'Площадке: отменить запись',
    params: byNumber,
    answer: booking,
  }),
  confirm: call({
    ...open,
    method: 'POST',
    path: '/booking/v1/appointments/:number/confirm',
    summary: 'Площадке: пациент подтвердил, что придёт',
    params: byNumber,
    answer: booking,
  }),
  checked: call({
    method: 'POST',
    path: '/outside-bookings/:id/checked',
    summary: 'Запись с площадки сверена: кто придёт, понятно',
    access: 'editAppointments',
    params: idParams,
  }),
  inviteCode: call({
    method: 'GET',
    path: '/customers/:id/invite-code',
    summary: 'Код, которым пациент приводит друзей: выдаётся при первом вопросе',
    access: 'viewCustomers',
    params: idParams,
    answer: z.object({ code: z.string() }),
  }),
  invite: call({
    method: 'POST',
    path: '/customers/:id/invite',
    summary: 'Отметить, что новый пациент пришёл по коду друга',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({ code: word(16) }),
    answer: z.object({ state: oneOf(inviteStates), reason: z.string().nullable() }),
  }),
  feed: call({
    ...open,
    method: 'GET',
    path: '/booking/yandex/:id/feed.xml',
    summary: 'Яндексу: врачи, услуги и цены филиала (YML 2.0 «Врачи»); без действующего договора — 404',
    params: idParams,
    file: 'application/xml',
    limit: 60,
  }),
  medflex: call({
    ...open,
    method: 'POST',
    path: '/booking/medflex/:act',
    summary: 'ПроДокторов (МедФлекс): book, cancel, status, update, health; ответ — status_code внутри 200',
    params: z.object({ act: z.enum(['book', 'cancel', 'status', 'update', 'health']) }),
    body: z.looseObject({}),
    answer: z.looseObject({ status_code: z.int() }),
  }),
}
