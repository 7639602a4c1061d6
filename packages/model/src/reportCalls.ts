/** Calls of a report, derived from its declaration: figures, the rows behind a figure, the file of either. */
import { z } from 'zod'
import { type Call, day, oneOf } from './call.ts'
import { groupingsOf, type Report } from './report.ts'
import {
  type CompareWith,
  compareWith,
  figuresPath,
  filePath,
  MAX_BY,
  MAX_CONDITIONS,
  MAX_ROWS,
  rowsPath,
} from './reportWire.ts'

const ids = z
  .string()
  .max(400)
  .refine((text) => /^\d{1,15}(,\d{1,15})*$/.test(text), 'Нужны номера филиалов через запятую')
const condition = z.string().max(300).regex(/^\w+:/, 'Нужно условие вида поле:значение')
const conditions = z.union([condition, z.array(condition).max(MAX_CONDITIONS)])

const value = z.union([z.string(), z.number(), z.boolean()]).nullable()
const values = z.record(z.string(), z.number().nullable())

/** One group; without groupings it is the total. */
const group = z.object({
  /** Values of the groupings, as many as `level`. */
  key: z.array(value),
  names: z.array(z.string().nullable()),
  level: z.int(),
  values,
  /** The same group in the previous period. */
  before: values.optional(),
  /** Parameters for requesting the rows behind it. */
  rows: z.object({ from: z.string(), until: z.string(), is: z.array(z.string()) }),
})
export type ReportGroupRow = z.output<typeof group>

export const figures = z.object({
  from: z.string(),
  until: z.string(),
  before: z.object({ from: z.string(), until: z.string() }).optional(),
  by: z.array(z.string()),
  /** There are more groups than returned. */
  isCut: z.boolean(),
  /** Measures that are null here, since counting them takes too long for a request: `POST /reports/runs` does. */
  later: z.array(z.string()).optional(),
  /** All figures are null: counting takes longer than a request, and this background run has begun (`reports/runs`). */
  run: z.int().optional(),
  /** Time of the count; ISO. */
  counted: z.string(),
  /** For a running sum: before the first day, and after the last one. */
  balance: z.object({ opening: z.number(), closing: z.number(), from: z.string(), until: z.string() }).optional(),
  total: group,
  groups: z.array(group),
})
export type ReportFigures = z.output<typeof figures>

const rows = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  total: z.int(),
  /** Figures of all these rows, not only of the page. */
  values,
  page: z.int(),
  hasMore: z.boolean(),
  /** The rows take longer than a request: this background run makes their file. */
  run: z.int().optional(),
})
export type ReportRows = z.output<typeof rows>

/** Parameters of every call of a report. */
export interface ReportQuery {
  from?: string
  until?: string
  filial?: string
  is?: string | string[]
  by?: string
  compare?: CompareWith
  [parameter: string]: unknown
}

export function reportCalls(report: Report): { figures: Call; rows: Call; file: Call } {
  const { title, any: access, measures, parameters = {} } = report
  const names = Object.keys(groupingsOf(report))
  const by = z
    .string()
    .max(100)
    .refine(
      (text) =>
        text.split(',').length <= MAX_BY && text.split(',').every((name) => name === '' || names.includes(name)),
      `Не больше ${MAX_BY} из: ${names.join(', ')}`,
    )
  const asked = {
    from: day.optional(),
    until: day.optional(),
    filial: ids.optional(),
    is: conditions.optional(),
    ...Object.fromEntries(Object.entries(parameters).map(([name, { labels }]) => [name, oneOf(labels).optional()])),
  }
  const grouped = { by: by.optional(), compare: oneOf(compareWith).optional() }
  const page = { measure: oneOf(measures).optional(), sort: z.string().max(60).optional() }
  return {
    figures: {
      method: 'GET',
      path: figuresPath(report),
      summary: `Отчёт «${title}»: показатели по группам и итог; день — по часам филиала`,
      access,
      query: z.strictObject({ ...asked, ...grouped }),
      answer: figures,
    },
    rows: {
      method: 'GET',
      path: rowsPath(report),
      summary: `Отчёт «${title}»: строки, из которых сложился показатель measure`,
      access,
      query: z.strictObject({
        ...asked,
        ...page,
        page: z.coerce.number<number>().int().min(1).max(10_000).default(1),
        limit: z.coerce.number<number>().int().min(1).max(MAX_ROWS).default(50),
      }),
      answer: rows,
    },
    file: {
      method: 'GET',
      path: filePath(report),
      summary: `Отчёт «${title}» файлом: таблица показателей (what=figures) или строки (what=rows)`,
      access,
      query: z.strictObject({
        ...asked,
        ...grouped,
        ...page,
        what: z.enum(['figures', 'rows']).default('figures'),
        format: z.enum(['csv', 'xlsx', 'pdf']).default('xlsx'),
      }),
      file: 'application/octet-stream',
    },
  }
}
