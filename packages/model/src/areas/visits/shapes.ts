/** Shapes that several calls of the area share. */
import { z } from 'zod'
import { id, oneOf } from '../../call.ts'
import { isDay } from '../../fields/date.ts'
import { messages } from '../../messages.ts'
import { visitKinds } from '../catalogue/performer.ts'
import { minutesOf } from './clock.ts'
import { channels } from './visit.ts'

export const day = z.string().refine(isDay, 'Нужна дата')

export const clock = z.string().refine((text) => minutesOf(text) !== undefined, messages.clock)

export const start = clock.refine((text) => text < '24:00', 'День кончается раньше')

export const minutes = z.int().min(1, 'Длительность больше нуля').max(1440, 'Не больше суток')

export const flag = z.boolean().default(false)

export const slot = z.object({
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

export const coupon = z.strictObject({
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
export const unpaidReason = z
  .string()
  .trim()
  .max(200, 'Количество символов не должно превышать 200')
  .nullable()
  .optional()

export const visit = z.strictObject({
  idCustomer: id,
  idFilial: id,
  coupons: z.array(coupon).min(1, 'Выберите услугу').max(10, 'Не больше 10 талонов'),
  kind: oneOf(visitKinds).nullable().optional(),
  channel: oneOf(channels).optional(),
  /** Who sent the patient from outside, under a contract. */
  idReferrer: id.nullable().optional(),
  note: z.string().max(2000, 'Количество символов не должно превышать 2000').nullable().optional(),
  idHold: id.optional(),
  overbook: flag,
  outside: flag,
  unpaidReason,
})

export const booking = visit.extend({ localDate: day, dryRun: flag })
