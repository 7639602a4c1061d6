import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { isDay } from '../../fields/date.ts'
import { messages } from '../../messages.ts'
import { visitKinds } from '../catalogue/performer.ts'
import { CODE_LENGTH, discountUnits } from '../discounts/discount.ts'
import { linkShape } from '../money/calls.ts'
import { MAX_CHAIN } from './chains.ts'
import { minutesOf } from './clock.ts'
import { depositStatuses } from './deposit.ts'
import { patternCycles } from './pattern.ts'
import { cancelReasons, visitStatuses } from './rules.ts'
import { eventTypes } from './shift.ts'
import {
  Appointment,
  CouponService,
  channels,
  Hold,
  MAX_PERFORMERS,
  MAX_SERIES,
  salesAccess,
  visitAccess,
} from './visit.ts'
import { WaitingOffer } from './waiting.ts'

const day = z.string().refine(isDay, 'Нужна дата')
const clock = z.string().refine((text) => minutesOf(text) !== undefined, messages.clock)
const start = clock.refine((text) => text < '24:00', 'День кончается раньше')
const minutes = z.int().min(1, 'Длительность больше нуля').max(1440, 'Не больше суток')
const flag = z.boolean().default(false)
const flagText = z
  .enum(['0', '1'])
  .optional()
  .transform((value) => value === '1')

/** Maximum days of one request of the grid. */
export const MAX_DAY_SPAN = 31
/** Maximum days of one search for free times. */
export const MAX_SLOT_SPAN = 92

const slot = z.object({
  localDate: z.string(),
  localStart: z.string(),
  dateFrom: z.string(),
  dateTo: z.string(),
  minutes: z.int(),
  idUser: id,
  userName: z.string(),
  idFilial: id,
  idRoom: z.int().nullable(),
  price: z.number().nullable(),
  /** For a group service: the places taken so far. */
  places: z.object({ taken: z.int(), capacity: z.int() }).nullable(),
})
export type Slot = z.output<typeof slot>

const depositShape = z.object({
  /** Rubles. */
  sum: z.number(),
  status: oneOf(depositStatuses),
  dateTo: z.iso.datetime(),
  /** null: no cash desk accepts online payments, and it is paid at the desk. */
  link: linkShape.nullable(),
})

const chain = z.object({
  localDate: z.string(),
  idFilial: id,
  localStart: z.string(),
  /** From the start of the first to the end of the last. */
  minutes: z.int(),
  parts: z.array(
    z.object({
      idService: id,
      serviceName: z.string(),
      idUser: id,
      userName: z.string(),
      idRoom: z.int().nullable(),
      localStart: z.string(),
      minutes: z.int(),
      price: z.number().nullable(),
      /** For a group service: the places taken so far. */
      places: z.object({ taken: z.int(), capacity: z.int() }).nullable(),
    }),
  ),
})
export type Chain = z.output<typeof chain>

const coupon = z.strictObject({
  idUser: id,
  /** Absent: the room of the doctor's shift. */
  idRoom: id.nullable().optional(),
  localStart: start,
  /** Absent: the duration of its services with this doctor. */
  minutes: minutes.optional(),
  services: z
    .array(
      z.strictObject({
        idService: id,
        qty: z.number().positive('Больше нуля').max(10_000).default(1),
        /** The item of an agreed treatment plan: booked at the plan's price. */
        idPlanItem: id.optional(),
      }),
    )
    .min(1, 'Выберите услугу')
    .max(20, 'Не больше 20 услуг'),
})

/** Reason for booking without the prepayment that the clinic requires of the patient. */
const unpaidReason = z.string().trim().max(200, 'Количество символов не должно превышать 200').nullable().optional()

const visit = z.strictObject({
  idCustomer: id,
  idFilial: id,
  coupons: z.array(coupon).min(1, 'Выберите услугу').max(10, 'Не больше 10 талонов'),
  kind: oneOf(visitKinds).nullable().optional(),
  channel: oneOf(channels).optional(),
  note: z.string().max(2000, 'Количество символов не должно превышать 2000').nullable().optional(),
  idHold: id.optional(),
  overbook: flag,
  outside: flag,
  unpaidReason,
})
const booking = visit.extend({ localDate: day, dryRun: flag })

const booked = rowOf<typeof Appointment, { warnings: string[] }>(Appointment)

const hit = z.object({
  idAppointment: id,
  idCoupon: id,
  localDate: z.string(),
  localStart: z.string(),
  minutes: z.int(),
  idUser: id,
  patient: z.string().nullable(),
})
export type Hit = z.output<typeof hit>

const filled = z.object({
  made: z.int(),
  skipped: z.array(z.object({ localDate: z.string(), idUser: id, reason: z.string() })),
  hit: z.array(hit),
})

const ids = z.array(id).min(1, 'Выберите сотрудников').max(100, 'Не больше 100 сотрудников')

const visitPrice = z.object({
  lines: z.array(
    z.object({
      /** Id of the coupon service. */
      id,
      base: z.number(),
      discount: z.number(),
      final: z.number(),
      /** Part of the final price paid with bonuses. */
      bonus: z.number(),
      /** Sum of the payments assigned to it. */
      paid: z.number(),
      /** How the price relates to the price at booking or to the day's price list. */
      promise: z.string().nullable(),
      applied: z.array(
        z.object({ idDiscount: z.int().nullable(), name: z.string(), why: z.string(), amount: z.number() }),
      ),
      refused: z.array(z.object({ idDiscount: z.int(), name: z.string(), why: z.string() })),
    }),
  ),
  code: z.string().nullable(),
  manual: z.object({ unit: oneOf(discountUnits), value: z.number(), reason: z.string() }).nullable(),
  /** A part of it was completed: its discounts are settled, and their uses counted. */
  given: z.boolean(),
  /** Discounts that need another person's approval: their ids, null for the manual one. */
  needApproval: z.array(z.int().nullable()),
  /** Percent that the requester may give manually without approval; null: none. */
  limit: z.number().nullable(),
})

/** A service added to a coupon; `keepTime` keeps the coupon's duration. */
const addedService = {
  idService: id,
  qty: z.number({ error: 'Нужно число' }).min(0.001, 'Не меньше 0,001').max(10_000, 'Не больше 10 000').default(1),
  keepTime: flag,
  overbook: flag,
  outside: flag,
}

/** Rubles, before and after the expected discounts. */
const estimate = z.object({
  base: z.number(),
  final: z.number(),
  lines: z.array(
    z.object({
      idService: z.int(),
      base: z.number(),
      final: z.number(),
      applied: z.array(z.object({ name: z.string(), why: z.string(), amount: z.number() })),
    }),
  ),
})
export type Estimate = z.output<typeof estimate>

export const visitCalls = {
  day: call({
    method: 'GET',
    path: '/appointments/day',
    summary:
      'День филиала для сетки (или неделя врача): смены (и начатая накануне вечером), отсутствия, визиты, удержания. Отменённые и несостоявшиеся — с cancelled=1',
    access: visitAccess.view,
    query: z.strictObject({
      idFilial: idText.optional(),
      idUser: idText.optional(),
      date: day,
      to: day.optional(),
      cancelled: flagText,
    }),
    answer: z.object({
      timeZone: z.string(),
      /** Opening hours by the branch's clock; a missing day is closed. */
      hours: z.array(z.object({ date: z.string(), start: z.string(), end: z.string() })),
      /** Special days of the branch: closed or with other hours, and the reason. */
      special: z.array(
        z.object({ date: z.string(), reason: z.string(), start: z.string().nullable(), end: z.string().nullable() }),
      ),
      doctors: z.array(
        z.object({
          idUser: id,
          shortFio: z.string(),
          post: z.string().nullable(),
          speciality: z.string().nullable(),
          color: z.string().nullable(),
          avatar: z.string().nullable(),
          /** Minutes of this doctor's shortest service; null: none. */
          shortest: z.int().nullable(),
        }),
      ),
      /** Doctors who perform the services of the visits. */
      performs: z.array(z.object({ idService: id, idUsers: z.array(id) })),
      rooms: z.array(z.object({ id, name: z.string(), capacity: z.int() })),
      events: z.array(
        z.object({
          id,
          type: oneOf(eventTypes),
          idUser: id,
          idFilial: z.int().nullable(),
          idRoom: z.int().nullable(),
          localDate: z.string(),
          localFrom: z.string(),
          localTo: z.string(),
          dateFrom: z.string(),
          dateTo: z.string(),
          comment: z.string().nullable(),
        }),
      ),
      visits: z.array(
        z.object({
          /** Id of the coupon. */
          id,
          idAppointment: id,
          /** Only for users who may see customers, like the name and the phone. */
          idCustomer: z.int().nullable(),
          patient: z.string().nullable(),
          phone: z.string().nullable(),
          idUser: id,
          idFilial: id,
          idRoom: z.int().nullable(),
          localDate: z.string(),
          localStart: z.string(),
          minutes: z.int(),
          dateFrom: z.string(),
          dateTo: z.string(),
          visitStatus: oneOf(visitStatuses),
          services: z.string(),
          idServices: z.array(id),
          needsRebook: z.boolean(),
          overbooked: z.boolean(),
          kind: oneOf(visitKinds).nullable(),
          idSeries: z.int().nullable(),
          /** Its group in `groups`. */
          idGroup: z.int().nullable(),
          note: z.string().nullable(),
          version: z.int(),
          dateArrived: z.string().nullable(),
          dateStarted: z.string().nullable(),
          /** No-shows of the patient within a year. */
          noShows: z.int(),
          /** Unpaid rubles of the coupon's lines, for users who work with money. */
          due: z.number().nullable(),
          paid: z.number().nullable(),
        }),
      ),
      /** Group visits: each participant is one of `visits`. */
      groups: z.array(
        z.object({
          id,
          idService: id,
          service: z.string(),
          idUser: id,
          idFilial: id,
          idRoom: z.int().nullable(),
          localDate: z.string(),
          localStart: z.string(),
          minutes: z.int(),
          dateFrom: z.string(),
          dateTo: z.string(),
          capacity: z.int(),
          version: z.int(),
          /** Places of patients, including those held by a booking in progress. */
          taken: z.int(),
          held: z.int(),
        }),
      ),
      holds: z.array(
        z.object({
          id,
          idUser: id,
          idRoom: z.int().nullable(),
          localDate: z.string(),
          localStart: z.string(),
          minutes: z.int(),
          dateFrom: z.string(),
          dateTo: z.string(),
          mine: z.boolean(),
          /** Absent: held for a patient of the waiting list. */
          author: z.string().nullable(),
          expiresAt: z.string(),
        }),
      ),
    }),
  }),
  feed: call({
    method: 'GET',
    path: '/calendar-feed',
    summary: 'Есть ли у своего расписания секретный адрес для других календарей: когда выдан и когда по нему приходили',
    access: visitAccess.view,
    answer: z.object({
      made: z.string().nullable(),
      read: z.string().nullable(),
      /** The clinic's setting, for users who see customers. */
      names: z.boolean(),
    }),
  }),
  makeFeed: call({
    method: 'POST',
    path: '/calendar-feed',
    summary: 'Выдать новый секретный адрес своего расписания; прежний больше не действует. Адрес показан один раз',
    access: visitAccess.view,
    answer: z.object({ url: z.string() }),
  }),
  dropFeed: call({
    method: 'DELETE',
    path: '/calendar-feed',
    summary: 'Отключить секретный адрес своего расписания',
    access: visitAccess.view,
  }),
  readFeed: call({
    method: 'GET',
    path: '/calendar-feed/:file',
    summary: 'Расписание по секретному адресу: iCalendar (RFC 5545); If-None-Match — 304, пока ничего не изменилось',
    access: 'public',
    params: z.object({ file: z.string() }),
    // Calendar apps append parameters of their own to the address, to bypass caches.
    query: z.looseObject({}),
    file: 'text/calendar',
    limit: 30,
  }),
  load: call({
    method: 'GET',
    path: '/appointments/load',
    summary: 'Загрузка врачей филиала по дням: минуты смен (без перерывов и отсутствий) и минуты записей',
    access: visitAccess.view,
    query: z.strictObject({ idFilial: idText, from: day, to: day }),
    answer: z.object({
      doctors: z.array(z.object({ idUser: id, shortFio: z.string(), post: z.string().nullable() })),
      items: z.array(z.object({ idUser: id, localDate: z.string(), shift: z.int(), booked: z.int() })),
    }),
  }),
  slots: call({
    method: 'GET',
    path: '/appointments/slots',
    summary:
      'Свободное время для услуги: по дню, началу, врачу; цена — по прайс-листу этого дня, но не дороже сегодняшней, пока она обещана',
    access: ['createAppointments', 'editAppointments'],
    query: z.strictObject({
      idService: idText,
      idFilial: idText.optional(),
      idUser: idText.optional(),
      from: day,
      to: day,
      limit: z.coerce.number<number>().int().min(1).max(100).default(20),
      minutes: z.coerce.number<number>().int().min(1).max(1440).optional(),
      kind: oneOf(visitKinds).optional(),
    }),
    answer: z.object({ items: z.array(slot) }),
  }),
  chains: call({
    method: 'POST',
    path: '/appointments/chains',
    summary:
      'Свободное время для нескольких услуг подряд, у разных врачей: самые короткие цепочки дня; inOrder — только в этом порядке, gap — сколько минут ждать между услугами',
    access: ['createAppointments', 'editAppointments'],
    body: z.strictObject({
      idFilial: id,
      parts: z
        .array(z.strictObject({ idService: id, idUser: id.optional() }))
        .min(2, 'В цепочке хотя бы две услуги')
        .max(MAX_CHAIN, `Не больше ${MAX_CHAIN} услуг подряд`),
      from: day,
      to: day,
      gap: z.int().min(0).max(240, 'Не больше 240 минут').default(30),
      inOrder: flag,
      limit: z.int().min(1).max(50).default(12),
      kind: oneOf(visitKinds).optional(),
    }),
    answer: z.object({ items: z.array(chain) }),
  }),
  book: call({
    method: 'POST',
    path: '/appointments/book',
    summary:
      'Записать пациента: талоны с временем по часам филиала и услугами. Время занято — 409 с тремя ближайшими свободными',
    access: 'createAppointments',
    status: 201,
    body: booking,
    answer: booked,
  }),
  series: call({
    method: 'POST',
    path: '/appointments/series',
    summary: 'Записать серию визитов: все или ни одного; dryRun — только проверить каждый день',
    access: 'createAppointments',
    body: visit.extend({
      days: z
        .array(z.strictObject({ localDate: day, localStart: start }))
        .min(1, 'Добавьте хотя бы один день')
        .max(MAX_SERIES, `Не больше ${MAX_SERIES} визитов`),
      dryRun: flag,
    }),
    answer: z.object({
      items: z.array(
        z.object({
          localDate: z.string(),
          localStart: z.string(),
          ok: z.boolean(),
          message: z.string().optional(),
          alternatives: z.array(slot).optional(),
        }),
      ),
      ids: z.array(id),
    }),
  }),
  move: call({
    method: 'POST',
    path: '/appointments/:id/move',
    summary:
      'Перенести визит: талоны сохраняют расстояния друг от друга; с idCoupon — один талон; minutes меняет длительность',
    access: 'editAppointments',
    params: idParams,
    body: z.strictObject({
      localDate: day,
      localStart: start,
      idCoupon: id.optional(),
      idUser: id.optional(),
      idRoom: id.nullable().optional(),
      minutes: minutes.optional(),
      reason: z.string().max(500).nullable().optional(),
      idHold: id.optional(),
      overbook: flag,
      outside: flag,
      _version: z.int().optional(),
    }),
    answer: booked,
  }),
  nearest: call({
    method: 'GET',
    path: '/appointments/:id/nearest',
    summary: 'Куда перенести визит: ближайшее к нему свободное время; у визита из нескольких талонов — в тот же день',
    access: 'editAppointments',
    params: idParams,
    query: z.strictObject({ idCoupon: idText.optional() }),
    answer: z.object({ items: z.array(slot) }),
  }),
  moveGroup: call({
    method: 'POST',
    path: '/appointments/groups/:id/move',
    summary:
      'Перенести групповой приём со всеми его пациентами: всех или никого. Время занято — 409 с тремя ближайшими свободными',
    access: 'editAppointments',
    params: idParams,
    body: z.strictObject({
      localDate: day,
      localStart: start,
      idUser: id.optional(),
      idRoom: id.nullable().optional(),
      reason: z.string().max(500).nullable().optional(),
      overbook: flag,
      outside: flag,
      /** Version of the group the client has seen; a concurrent move is a 409. */
      _version: z.int().optional(),
    }),
    answer: z.object({ id, moved: z.int(), version: z.int() }),
  }),
  deposit: call({
    method: 'GET',
    path: '/appointments/:id/deposit',
    summary:
      'Предоплата, которую услуги визита требуют при записи: сколько, до какого времени, ссылка и что с ней стало',
    access: ['viewCalendar', 'editAppointments'],
    params: idParams,
    answer: z.object({ deposit: depositShape.nullable() }),
  }),
  status: call({
    method: 'POST',
    path: '/appointments/:id/status',
    summary: 'Состояние визита: пришёл, на приёме, завершён, не пришёл, отменён (с причиной) и обратно',
    access: ['viewCalendar', 'editAppointments'],
    params: idParams,
    body: z.strictObject({
      status: oneOf(visitStatuses),
      cancelReason: oneOf(cancelReasons).optional(),
      cancelNote: z.string().max(500).nullable().optional(),
      cancelledBy: oneOf({ patient: '', clinic: '' }).optional(),
      _version: z.int().optional(),
    }),
    answer: rowOf(Appointment),
  }),
  changeZone: call({
    method: 'POST',
    path: '/filials/:id/time-zone',
    summary:
      'Сменить часовой пояс филиала: будущие визиты и смены остаются на своём времени по часам филиала; без confirmed — только сколько их',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({
      timeZone: z.string().trim().min(1, 'Укажите часовой пояс').max(64),
      confirmed: z.boolean().default(false),
    }),
    answer: z.object({ visits: z.int(), shifts: z.int(), changed: z.boolean() }),
  }),
  estimate: call({
    method: 'POST',
    path: '/appointments/estimate',
    summary:
      'Сколько будет стоить запись со скидками, которые подойдут, и какие они; без клиента — для нового пациента',
    access: 'createAppointments',
    body: z.strictObject({
      idCustomer: id.nullable(),
      idFilial: id,
      localDate: day,
      localStart: start,
      lines: z
        .array(z.strictObject({ idService: id, idUser: id, qty: z.number().positive().max(1000).optional() }))
        .min(1)
        .max(50),
    }),
    answer: estimate,
  }),
  price: call({
    method: 'GET',
    path: '/appointments/:id/price',
    summary: 'Почему такая цена: скидки каждой услуги записи, какие даны и за что, каких нет и почему',
    access: visitAccess.view,
    params: idParams,
    answer: visitPrice,
  }),
  discounts: call({
    method: 'POST',
    path: '/appointments/:id/discounts',
    summary:
      'Скидки записи: промокод и скидка вручную (в пределах своего процента, выше — с согласованием другого сотрудника); null снимает',
    access: 'editAppointments',
    params: idParams,
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .max(2 * CODE_LENGTH)
        .nullable()
        .optional(),
      manual: z
        .strictObject({
          unit: oneOf(discountUnits),
          value: z
            .number({ error: 'Нужно число' })
            .positive('Больше нуля')
            .max(10_000_000, 'Не больше 10 000 000')
            .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой'),
          reason: z.string({ error: 'Укажите основание' }).trim().min(1, 'Укажите основание').max(400),
        })
        .refine(({ unit, value }) => unit === 'rubles' || value <= 100, { path: ['value'], error: 'Не больше 100 %' })
        .nullable()
        .optional(),
      approvals: z.array(id).max(20).optional(),
    }),
    answer: visitPrice,
  }),
  serviceSales: call({
    method: 'GET',
    path: '/services/:id/sales',
    summary: 'Сколько услуги оказано за каждый из последних двенадцати месяцев и на какую сумму после скидок',
    access: salesAccess,
    params: idParams,
    answer: z.object({
      months: z.array(
        z.object({
          /** ГГГГ-ММ. */
          month: z.string(),
          qty: z.number(),
          /** Rubles. */
          sum: z.number(),
        }),
      ),
    }),
  }),
  addService: call({
    method: 'POST',
    path: '/appointments/:id/services',
    summary:
      'Добавить услугу в визит, который есть: цена, скидки, время врача и кабинет проверяются; keepTime — не продлевать талон',
    access: ['createAppointments', 'editAppointments'],
    params: idParams,
    status: 201,
    body: z.strictObject({
      /** The doctor whose coupon of the visit it joins; absent: the requester's own, else the first. */
      idUser: id.optional(),
      ...addedService,
      _version: z.int().optional(),
    }),
    answer: rowOf(CouponService),
  }),
  addLine: call({
    method: 'POST',
    path: '/coupon-services',
    summary:
      'Добавить услугу в талон визита, который есть: то же, что POST /appointments/{id}/services, по номеру талона',
    access: ['createAppointments', 'editAppointments'],
    status: 201,
    body: z.strictObject({ idCoupon: id, ...addedService }),
    answer: rowOf(CouponService),
  }),
  lineDone: call({
    method: 'POST',
    path: '/coupon-services/:id/done',
    summary: 'Услуга талона оказана, или пациент от неё отказался (с причиной)',
    access: ['viewCalendar', 'editAppointments'],
    params: idParams,
    body: z.strictObject({
      completed: z.boolean(),
      cancelled: flag,
      refusalReason: z.string().trim().max(500).nullable().optional(),
    }),
  }),
  shares: call({
    method: 'POST',
    path: '/coupon-services/:id/performers',
    summary:
      'Кто выполняет услугу талона вместе и чья какая доля, %: список целиком, вместе ровно 100; пустой — один врач талона',
    access: 'editVisitPrices',
    params: idParams,
    body: z.strictObject({
      performers: z
        .array(z.strictObject({ idUser: id, share: z.number() }))
        .max(MAX_PERFORMERS, `Не больше ${MAX_PERFORMERS} исполнителей`),
    }),
  }),
  prolong: call({
    method: 'POST',
    path: '/appointments/holds/:id/prolong',
    summary: 'Держать время ещё три минуты, пока идёт запись, всего не дольше пятнадцати',
    access: 'createAppointments',
    params: idParams,
    answer: rowOf(Hold),
  }),
  matches: call({
    method: 'GET',
    path: '/waiting-list/matches',
    summary:
      'Кому из листа ожидания подходит свободное время, по очереди и с причиной; кому не подходит — почему. Показывают первых сто',
    access: 'createAppointments',
    query: z.strictObject({
      idFilial: idText,
      idUser: idText,
      date: day,
      start,
      minutes: z.coerce.number<number>().int().min(1).max(1440),
    }),
    answer: z.object({
      items: z.array(
        z.object({
          id,
          /** Only for users who may see customers, like the name and the phone. */
          idCustomer: id.nullable(),
          patient: z.string().nullable(),
          phone: z.string().nullable(),
          service: z.string(),
          minutes: z.int(),
          reasons: z.array(z.string()),
        }),
      ),
      unfit: z.array(
        z.object({
          id,
          idCustomer: id.nullable(),
          patient: z.string().nullable(),
          service: z.string(),
          reason: z.string(),
        }),
      ),
    }),
  }),
  offer: call({
    method: 'POST',
    path: '/waiting-list/:id/offer',
    summary: 'Предложить время тому, кто ждёт: оно держится за ним полчаса',
    access: 'createAppointments',
    status: 201,
    params: idParams,
    body: z.strictObject({ idUser: id, localDate: day, localStart: start }),
    answer: rowOf(WaitingOffer),
  }),
  answerOffer: call({
    method: 'POST',
    path: '/waiting-list/offers/:id/answer',
    summary: 'Ответ на предложенное время: согласен — записан, отказ — время свободно для следующего',
    access: 'createAppointments',
    params: idParams,
    body: z.strictObject({ accepted: z.boolean(), unpaidReason }),
    answer: rowOf(WaitingOffer),
  }),
  fill: call({
    method: 'POST',
    path: '/staff-events/fill',
    summary:
      'Заполнить период сменами по шаблону или отсутствием; dryRun — только показать, сколько и чьи визиты заденет',
    access: 'editShifts',
    body: z.strictObject({
      type: oneOf(eventTypes).default('shift'),
      idUsers: ids,
      idFilial: id.nullable().optional(),
      idRoom: id.nullable().optional(),
      idPattern: id.optional(),
      cycle: oneOf(patternCycles).optional(),
      length: z.int().min(1).max(62).optional(),
      rows: z
        .array(
          z.strictObject({ day: z.int().min(0).max(61), from: clock, to: clock, idRoom: id.nullable().optional() }),
        )
        .min(1)
        .max(124)
        .optional(),
      /** The first day of a cycle; absent: `from`. */
      start: day.optional(),
      from: day,
      to: day,
      /** No shifts on the branch's closed days. */
      holidays: z.boolean().default(true),
      comment: z.string().max(500).nullable().optional(),
      dryRun: flag,
    }),
    answer: filled,
  }),
  copyWeek: call({
    method: 'POST',
    path: '/staff-events/copy-week',
    summary: 'Повторить смены недели (from) на столько-то недель начиная с to; занятые дни пропускаются',
    access: 'editShifts',
    body: z.strictObject({
      idFilial: id,
      idUsers: ids.optional(),
      from: day,
      to: day,
      weeks: z.int().min(1).max(26).default(1),
      holidays: z.boolean().default(true),
      dryRun: flag,
    }),
    answer: filled,
  }),
  hits: call({
    method: 'POST',
    path: '/staff-events/hits',
    summary: 'Какие визиты повиснут в воздухе, если смену изменить (id), убрать (remove) или поставить отсутствие',
    access: 'editShifts',
    body: z.strictObject({
      id: id.optional(),
      remove: flag,
      type: oneOf(eventTypes).optional(),
      idUser: id.optional(),
      idFilial: id.nullable().optional(),
      localDate: day.optional(),
      localFrom: clock.optional(),
      localTo: clock.optional(),
    }),
    answer: z.object({ items: z.array(hit) }),
  }),
}

export type BookBody = z.output<typeof booking>
export type VisitBody = z.output<typeof visit>
