/** Calls that book and change visits, and offer freed times. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { linkShape } from '../money/linkCalls.ts'
import { depositStatuses } from './deposit.ts'
import { Hold } from './hold.ts'
import { cancelReasons, visitStatuses } from './rules.ts'
import { booking, day, flag, minutes, slot, start, unpaidReason, visit } from './shapes.ts'
import { Appointment, MAX_SERIES } from './visit.ts'
import { WaitingOffer } from './waiting.ts'

const depositShape = z.object({
  /** Rubles. */
  sum: z.number(),
  status: oneOf(depositStatuses),
  dateTo: z.iso.datetime(),
  /** null: no cash desk accepts online payments, and it is paid at the desk. */
  link: linkShape.nullable(),
})

const booked = rowOf<typeof Appointment, { warnings: string[] }>(Appointment)

export const bookingCalls = {
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
}
