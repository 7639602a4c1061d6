/** KPI beyond the engine's calls. */
import { z } from 'zod'
import { call, counting, id } from '../../call.ts'
import { kpiAccess } from './kpi.ts'

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Нужен месяц: 2026-11')
const lights = z.enum(['green', 'yellow', 'red', 'none'])

const figure = z.object({
  idKpi: id,
  name: z.string(),
  unit: z.string(),
  direction: z.string(),
  formula: z.string(),
  fact: z.number().nullable(),
  before: z.number().nullable(),
  plan: z.number().nullable(),
  /** The plan to now, for a running month: that of a sum in the part of the month that has passed. */
  planNow: z.number().nullable(),
  /** The figure as it is now, where a later correction has changed it since the month was fixed. */
  now: z.number().nullable(),
  /** Percent of `planNow`. */
  percent: z.number().nullable(),
  light: lights,
})
export type KpiFigure = z.output<typeof figure>

/** What the figures of a month cover. */
const span = {
  /** The last day counted. */
  until: z.string(),
  /** The part of the month that has passed, 0 to 1. */
  passed: z.number(),
  /** ISO; when the figures of a closed month were fixed. */
  fixed: z.string().nullable(),
  ...counting,
}

const subject = {
  month,
  filial: z.coerce.number<number>().int().positive().optional(),
  user: z.coerce.number<number>().int().positive().optional(),
}

export const kpiCalls = {
  analysis: call({
    method: 'GET',
    path: '/reports/kpi-analysis',
    summary:
      'Показатели месяца клиники, филиала или сотрудника: план, факт, процент, прошлый месяц; счётчики, из которых они сложились',
    access: kpiAccess.view,
    query: z.strictObject(subject),
    answer: z.object({
      ...span,
      figures: z.array(figure),
      score: z.number().nullable(),
      counts: z.record(z.string(), z.number()),
      trend: z.array(z.object({ month, values: z.record(z.string(), z.number().nullable()) })),
    }),
  }),
  people: call({
    method: 'GET',
    path: '/reports/kpi-analysis/people',
    summary: 'Балл KPI сотрудников, у которых есть план на месяц',
    access: kpiAccess.view,
    query: z.strictObject({ month, filial: subject.filial }),
    answer: z.object({
      ...span,
      people: z.array(
        z.object({
          idUser: id,
          name: z.string(),
          post: z.string().nullable(),
          score: z.number().nullable(),
          figures: z.array(figure),
        }),
      ),
    }),
  }),
  mine: call({
    method: 'GET',
    path: '/reports/kpi-analysis/mine',
    summary: 'Свои показатели с планом на этот месяц, для рабочего стола',
    access: 'signed-in',
    answer: z.object({ ...span, figures: z.array(figure), score: z.number().nullable() }),
  }),
}
