/** Calls of the calendar: days, free times, feeds, shifts. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf } from '../../call.ts'
import { visitKinds } from '../catalogue/performer.ts'
import { MAX_CHAIN } from './chains.ts'
import { patternCycles } from './pattern.ts'
import { visitStatuses } from './rules.ts'
import { clock, day, flag, slot } from './shapes.ts'
import { eventTypes } from './shift.ts'
import { visitAccess } from './visit.ts'

const flagText = z
  .enum(['0', '1'])
  .optional()
  .transform((value) => value === '1')

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

export const calendarCalls = {
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
  nearest: call({
    method: 'GET',
    path: '/appointments/:id/nearest',
    summary: 'Куда перенести визит: ближайшее к нему свободное время; у визита из нескольких талонов — в тот же день',
    access: 'editAppointments',
    params: idParams,
    query: z.strictObject({ idCoupon: idText.optional() }),
    answer: z.object({ items: z.array(slot) }),
  }),
  fill: call({
    method: 'POST',
    path: '/staff-events/fill',
    summary:
      'Заполнить период сменами по шаблону или отсутствием; dryRun — только показать, сколько и чьи визиты заденет',
    /** With `markAbsence` alone: absences of the doctors of one's own branches. */
    access: ['editShifts', 'markAbsence'],
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
