/** Parts that calls of money share: sums in rubles, reasons, chosen services. */
import { z } from 'zod'
import { id } from '../../call.ts'

/** Maximum rubles of one operation. */
const MAX_SUM = 10_000_000

/** Limits: lines of one payment, and unpaid lines per response. */
export const MAX_LINES = 200

const rubles = z
  .number({ error: 'Нужна сумма в рублях' })
  .max(MAX_SUM, 'Не больше 10 000 000 ₽ за одну операцию')
  .refine((value) => Number(value.toFixed(2)) === value, 'Не больше 2 знаков после запятой: копейки целые')

export const sum = rubles.refine((value) => value > 0, 'Сумма должна быть больше нуля')

export const counted = rubles.refine((value) => value >= 0, 'Сумма не бывает отрицательной')

export const reason = z
  .string({ error: 'Укажите причину' })
  .trim()
  .min(3, 'Укажите причину')
  .max(500, 'Количество символов не должно превышать 500')

export const words = (max: number) => z.string().trim().max(max, `Количество символов не должно превышать ${max}`)

export const chosenLines = z
  .array(z.strictObject({ idCouponService: id, sum }))
  .max(MAX_LINES, `Не больше ${MAX_LINES} услуг за раз`)
  .refine((lines) => new Set(lines.map((one) => one.idCouponService)).size === lines.length, 'Услуга указана дважды')
