import { z } from 'zod'
import { call, counting, day, idParams, idText, rowOf } from '../../call.ts'
import { MetrikaUpload } from './metrika.ts'

/** Maximum days of a report. */
export const MAX_REPORT_DAYS = 366

const figures = z.object({
  visits: z.number(),
  reaches: z.number(),
  appeals: z.number(),
  appointments: z.number(),
  came: z.number(),
  /** Rubles. */
  paid: z.number(),
})
export type MetrikaFigures = z.output<typeof figures>

export const metrikaCalls = {
  report: call({
    method: 'GET',
    path: '/metrika/report',
    summary: `Цели Метрики и цепочка клиники за период до ${MAX_REPORT_DAYS} дней`,
    access: 'viewMetrikaGoalsReport',
    query: z.object({
      from: day,
      to: day,
      idCounter: idText.optional(),
      by: z.enum(['day', 'source', 'campaign', 'goal']).default('day'),
    }),
    limit: 60,
    answer: z.object({
      rows: z.array(figures.extend({ key: z.string(), label: z.string() })),
      total: figures,
      /** Time of the counter's answer; null: it failed, `trouble` has the reason, and its figures are absent. */
      asked: z.string().nullable(),
      trouble: z.string().nullable(),
      /** Requests without a source tag: the row «Без метки». */
      unmarked: z.int(),
      ...counting,
    }),
  }),
  takeGoals: call({
    method: 'POST',
    path: '/metrika/counters/:id/goals',
    summary: 'Загрузить цели счётчика из Метрики: новые добавляются, названия прежних обновляются',
    access: 'mainSettings',
    params: idParams,
    limit: 20,
    answer: z.object({ added: z.int(), renamed: z.int() }),
  }),
  upload: call({
    method: 'POST',
    path: '/metrika/counters/:id/upload',
    summary: 'Отправить события клиники за период в Метрику: без личных данных, каждое один раз',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({ from: day, to: day }),
    limit: 20,
    status: 201,
    answer: rowOf(MetrikaUpload),
  }),
  sample: call({
    method: 'GET',
    path: '/metrika/counters/:id/upload',
    summary: 'Что ушло бы за период: сколько строк и первые из них',
    access: 'mainSettings',
    params: idParams,
    query: z.object({ from: day, to: day }),
    answer: z.object({ rows: z.int(), lines: z.array(z.string()), unknown: z.int() }),
  }),
}
export type MetrikaReport = z.output<(typeof metrikaCalls)['report']['answer']>
