/** Shapes that several calls of the area share. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { oneOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { flags } from './values.ts'

export const words = (most: number) => z.string().trim().max(most, messages.maxLength(most))

export const flag = oneOf(flags).nullable()

export const point = z.object({
  id: z.int(),
  takenAt: z.string(),
  value: z.string(),
  number: z.number().nullable(),
  unit: z.string().nullable(),
  normText: z.string().nullable(),
  flag,
  idOrder: z.int(),
  order: z.string().nullable(),
})
