/** Estimates with the discounts that will apply: of a booking, an order, a plan, an offer. */
import { z } from 'zod'
import { id } from '../../call.ts'

const applied = z.array(z.object({ name: z.string(), why: z.string(), amount: z.number() }))

/** Rubles, before and after the expected discounts. */
export const estimate = z.object({
  base: z.number(),
  final: z.number(),
  lines: z.array(z.object({ idService: z.int(), base: z.number(), final: z.number(), applied })),
})
export type Estimate = z.output<typeof estimate>

/** Estimate of lines with prices and discounts of their own, as of a plan or an offer. Rubles. */
export const quote = z.object({
  /** Without discounts, with the expected ones, and by the current lines. */
  base: z.number(),
  final: z.number(),
  now: z.number(),
  lines: z.array(z.object({ id, base: z.number(), final: z.number(), now: z.number(), applied })),
})
export type Quote = z.output<typeof quote>
