import { z } from 'zod'
import { call, day, id, idParams, idText, shapeOf } from '../../call.ts'
import { isCalendarDate } from '../../fields/dateTime.ts'
import { messages } from '../../messages.ts'
import { minutesOf } from '../visits/clock.ts'
import { phoneInput } from './calls.ts'
import { CODE_DIGITS } from './rules.ts'
import type { PortalMe } from './shapes.ts'
import type { PortalWork } from './work.ts'

/** A free time for patients. */
export interface PortalTime {
  localDate: string
  localStart: string
  idUser: number
  doctor: string
  idFilial: number
  filial: string
  /** Rubles after discounts; null: hidden by the clinic. */
  price: number | null
  /** Before discounts; null: none apply. */
  fullPrice: number | null
  /** «Первый визит: −63 ₽» */
  why: readonly string[]
}

export interface PortalService {
  id: number
  name: string
  group: string | null
  /** «от 1 200 ₽» */
  price: string
}

/** A booking in progress. */
export interface PortalBooking {
  idService: number
  service: string
  preparation: boolean
  doctor: string
  filial: string
  address: string | null
  localDate: string
  localStart: string
  minutes: number
  /** After discounts; null: hidden by the clinic. */
  price: number | null
  /** Before discounts, if they change it. */
  fullPrice: number | null
  /** Applied discounts: «Первый визит: −45 ₽». */
  why: string[]
  /** End of the hold on the time; null: not held any more. */
  heldUntil: string | null
  /** The desk has given the time to another patient. */
  isOverruled: boolean
  /** Phone confirmed by a code; may belong to no card yet. */
  phone: string | null
  /** A patient without a card may book. */
  mayBeNew: boolean
  /** Consent version for a new patient; null: none is published. */
  idConsent: number | null
  /** Id of the booked visit. */
  idVisit: number | null
}

/** Response 409 when the time is taken. */
export interface PortalTaken {
  message: string
  alternatives: PortalTime[]
}

/** Response 409 when the browser must do a proof of work first. */
export interface PortalWorkWanted {
  message: string
  work: PortalWork
}

const open = { access: 'public' } as const
const clock = z
  .string(messages.string)
  .refine((text) => minutesOf(text) !== undefined && text < '24:00', messages.clock)
const word = (label: string) =>
  z
    .string(messages.string)
    .trim()
    .max(64, messages.maxLength(64))
    .refine((text) => !text.includes('\0'), messages.nul)
    .describe(label)

const person = z.strictObject({
  surname: word('Фамилия').min(1, 'Укажите фамилию'),
  name: word('Имя').min(1, 'Укажите имя'),
  middleName: word('Отчество').optional(),
  birthday: z
    .string(messages.string)
    .refine(
      (text) =>
        /^(19|20)\d\d-\d\d-\d\d$/.test(text) &&
        isCalendarDate(...(text.split('-').map(Number) as [number, number, number])),
      'Укажите дату рождения полностью',
    ),
})
export type PortalNewPerson = z.output<typeof person>

export const bookingCalls = {
  services: call({
    ...open,
    method: 'GET',
    path: '/portal/booking/services',
    summary: 'Услуги, на которые пациент записывается сам; q — слова названия',
    query: z.object({ q: z.string().max(100).optional() }),
    limit: 120,
    kept: 5,
    answer: shapeOf<{ items: PortalService[] }>(),
  }),
  times: call({
    ...open,
    method: 'GET',
    path: '/portal/booking/times',
    summary: 'Свободное время услуги, открытое для онлайн-записи',
    query: z.object({ service: idText, doctor: idText.optional(), filial: idText.optional(), from: day.optional() }),
    limit: 120,
    kept: 5,
    answer: shapeOf<{ service: string; items: PortalTime[] }>(),
  }),
  begin: call({
    ...open,
    method: 'POST',
    path: '/portal/booking',
    summary:
      'Выбрать время и придержать его, пока пациент входит; занято — 409 с ближайшим свободным, вычислить сначала — 409 work',
    limit: 60,
    body: z.strictObject({
      ...{ service: id, doctor: id, filial: id, day, start: clock },
      /** `ya_token` of the address by which Яндекс has sent the patient. */
      click: z
        .string()
        .max(500)
        .regex(/^[\x21-\x7e]+$/)
        .optional(),
      /** Code of the patient who has invited this one. */
      friend: z
        .string()
        .max(16)
        .regex(/^[\dA-Za-z]+$/)
        .optional(),
      /** Result of a proof of work. */
      work: z.strictObject({ challenge: z.string().max(200), nonce: z.int().min(0) }).optional(),
    }),
    status: 201,
    answer: shapeOf<PortalBooking>(),
  }),
  now: call({
    ...open,
    method: 'GET',
    path: '/portal/booking',
    summary:
      'Что сейчас записывают с этого устройства; с ценой того, кого записывают (patient), или нового пациента (0)',
    query: z.object({ patient: z.coerce.number<number>().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }),
    answer: shapeOf<{ booking: PortalBooking | null }>(),
  }),
  prolong: call({
    ...open,
    method: 'POST',
    path: '/portal/booking/prolong',
    summary: 'Держать выбранное время дальше, пока пациент на странице: не дольше 15 минут',
    answer: shapeOf<{ heldUntil: string | null; isOverruled: boolean }>(),
  }),
  drop: call({ ...open, method: 'DELETE', path: '/portal/booking', summary: 'Отпустить выбранное время' }),
  code: call({
    ...open,
    method: 'POST',
    path: '/portal/booking/code',
    summary: 'Выслать код на телефон того, кто выбрал время; ответ один, чей бы номер ни был',
    limit: 30,
    /** `topic` is a hidden field (honeypot): filled only by bots. */
    body: z.strictObject({ phone: phoneInput, topic: z.string().max(200).optional() }),
    status: 202,
    answer: z.object({ minutes: z.int() }),
  }),
  phone: call({
    ...open,
    method: 'POST',
    path: '/portal/booking/phone',
    summary: 'Подтвердить телефон кодом; у кого карта одна — входит, у кого номер общий — говорит дату рождения',
    limit: 60,
    body: z.strictObject({
      phone: phoneInput,
      code: z
        .string(messages.string)
        .trim()
        .min(1, messages.required)
        .max(CODE_DIGITS + 14, messages.maxLength(CODE_DIGITS + 14)),
      birthday: day.optional(),
      /** A new patient who shares the phone with other patients. */
      isNew: z.boolean().optional(),
    }),
    answer: shapeOf<{ me: PortalMe | null }>(),
  }),
  book: call({
    ...open,
    method: 'POST',
    path: '/portal/booking/book',
    summary: 'Записаться на выбранное время: себя, представляемого или, после кода, нового пациента',
    limit: 30,
    body: z.strictObject({
      patient: id.optional(),
      person: person.optional(),
      /** Consent version that a new patient accepts. */
      consent: id.optional(),
      note: z.string(messages.string).trim().max(500, messages.maxLength(500)).optional(),
    }),
    status: 201,
    answer: shapeOf<{ idVisit: number; me: PortalMe | null }>(),
  }),
  calendar: call({
    ...open,
    method: 'GET',
    path: '/portal/booking/calendar',
    summary: 'Визит, на который только что записались с этого устройства, для календаря телефона (iCalendar)',
    file: 'text/calendar',
    limit: 60,
  }),
  moveTimes: call({
    ...open,
    method: 'GET',
    path: '/portal/visits/:id/times',
    summary: 'На какое время пациент может перенести свой визит',
    params: idParams,
    query: z.object({ patient: idText.optional(), from: day.optional() }),
    answer: shapeOf<{ items: PortalTime[] }>(),
  }),
  move: call({
    ...open,
    method: 'POST',
    path: '/portal/visits/:id/move',
    summary: 'Перенести визит: сам пациент; занято — 409 с ближайшим свободным',
    params: idParams,
    query: z.object({ patient: idText.optional() }),
    body: z.strictObject({ doctor: id, day, start: clock }),
    answer: z.object({ localDate: z.string(), localStart: z.string() }),
  }),
}
