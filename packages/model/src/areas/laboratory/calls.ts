/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, counting, day, idText, oneOf } from '../../call.ts'
import type { strayReasons } from './device.ts'
import { deviceCalls } from './deviceCalls.ts'
import { orderCalls } from './orderCalls.ts'
import { partnerCalls } from './partnerCalls.ts'
import { resultCalls } from './resultCalls.ts'
import { sampleCalls } from './sampleCalls.ts'
import { rejectReasons } from './states.ts'

export { MAX_TESTS } from './orderCalls.ts'
export { MAX_VALUES, type MatrixAnalyte, type MatrixCell, type MatrixRow } from './resultCalls.ts'
export type { SampleLine } from './sampleCalls.ts'

/** Limits: lines of a work list, and of a device log. */
export const MAX_ROWS = 200

export const MAX_LOG = 100

/** Maximum tubes per print of labels. */
export const MAX_LABELS = 200

export const laboratoryCalls = {
  ...orderCalls,
  ...sampleCalls,
  ...resultCalls,
  ...deviceCalls,
  ...partnerCalls,
  figures: call({
    method: 'GET',
    path: '/laboratory/figures',
    summary: 'Показатели лаборатории за период: срок выполнения, брак, доля в срок, себестоимость и маржа',
    access: ['viewLaboratoriesOrders'],
    query: z.object({ from: day, to: day, idFilial: idText.optional() }),
    answer: z.object({
      orders: z.int(),
      tests: z.int(),
      /** Hours from the draw to the publication. */
      tatMedian: z.number().nullable(),
      tatP90: z.number().nullable(),
      /** Per cent. */
      inTerm: z.number().nullable(),
      samples: z.int(),
      rejected: z.int(),
      rejectShare: z.number().nullable(),
      revenue: z.number(),
      cost: z.number(),
      margin: z.number(),
      byReason: z.array(z.object({ reason: oneOf(rejectReasons), count: z.int() })),
      byLaboratory: z.array(
        z.object({
          idLaboratory: z.int(),
          name: z.string(),
          tests: z.int(),
          tatMedian: z.number().nullable(),
          tatP90: z.number().nullable(),
          inTerm: z.number().nullable(),
          revenue: z.number(),
          cost: z.number(),
          margin: z.number(),
        }),
      ),
      byDay: z.array(z.object({ day: z.string(), tests: z.int(), tatMedian: z.number().nullable() })),
      ...counting,
    }),
  }),
  now: call({
    method: 'GET',
    path: '/laboratory/now',
    summary: 'Что ждёт в лаборатории сейчас: пробы, значения, критические, просроченные, неразобранное, контроль',
    access: ['viewLaboratoriesOrders'],
    answer: z.object({
      toTake: z.int(),
      toPack: z.int(),
      onTheWay: z.int(),
      toEnter: z.int(),
      toConfirm: z.int(),
      critical: z.int(),
      late: z.int(),
      strays: z.int(),
      heldControls: z.int(),
      retakes: z.int(),
    }),
  }),
}

export type StrayWords = keyof typeof strayReasons
