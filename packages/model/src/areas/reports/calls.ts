import { z } from 'zod'
import { signedIn } from '../../access.ts'
import { anyRow, call, idParams, oneOf, rowOf } from '../../call.ts'
import { figures } from '../../reportCalls.ts'
import { ReportMailing, ReportRun, reportFormats, reportParts, reportTitles } from './mailing.ts'
import { reportReaders } from './pages.ts'
import { reportWidgets } from './widgets.ts'

const keys = Object.keys(reportWidgets)

const rollups = z.object({
  items: z.array(
    z.object({
      report: z.string(),
      title: z.string(),
      /** Cached days, and those among them to recalculate (read from rows until then). */
      days: z.int(),
      dirty: z.int(),
      /** The earliest day to recalculate, and the longest waiting time; ISO. */
      oldestDay: z.string().nullable(),
      waitsSince: z.string().nullable(),
      /** When the history was last scanned, and when days were last calculated; ISO. */
      dateMarked: z.string(),
      dateCounted: z.string().nullable(),
      error: z.string().nullable(),
      dateError: z.string().nullable(),
      rows: z.int(),
      size: z.int(),
    }),
  ),
})

export const reportCatalogueCalls = {
  catalogue: call({
    method: 'GET',
    path: '/reports',
    summary: 'Отчёты, которые открыты сотруднику',
    access: signedIn,
    answer: z.object({
      items: z.array(z.object({ key: z.string(), title: z.string(), help: z.string(), group: z.string() })),
    }),
  }),
  widgets: call({
    method: 'GET',
    path: '/dashboard/figures',
    summary: `Показатели блоков рабочего стола (keys через запятую: ${keys.join(', ')}); блок, на который нет прав, приходит с refusal`,
    access: signedIn,
    query: z.strictObject({
      keys: z
        .string()
        .max(400)
        .refine((text) => text.split(',').every((key) => keys.includes(key)), 'Неизвестный блок рабочего стола'),
    }),
    answer: z.object({
      items: z.array(z.object({ key: z.string(), figures: figures.nullable(), refusal: z.string().nullable() })),
    }),
  }),
  run: call({
    method: 'POST',
    path: '/reports/runs',
    summary:
      'Посчитать отчёт в фоне: asked — как в адресе отчёта; format=json показывается на экране, rows — только CSV',
    access: reportReaders,
    status: 201,
    limit: 20,
    body: z.strictObject({
      report: oneOf(reportTitles),
      asked: anyRow.default({}),
      what: oneOf(reportParts).default('figures'),
      format: oneOf({ ...reportFormats, json: '' }).default('json'),
    }),
    answer: rowOf(ReportRun),
  }),
  cancelRun: call({
    method: 'POST',
    path: '/reports/runs/:id/cancel',
    summary: 'Остановить свой расчёт',
    access: reportReaders,
    params: idParams,
    answer: rowOf(ReportRun),
  }),
  runFigures: call({
    method: 'GET',
    path: '/reports/runs/:id/figures',
    summary: 'Показатели, посчитанные в фоне',
    access: reportReaders,
    params: idParams,
    answer: figures,
  }),
  runFile: call({
    method: 'GET',
    path: '/reports/runs/:id/file',
    summary: 'Файл, сделанный в фоне; хранится три дня',
    access: reportReaders,
    params: idParams,
    file: 'application/octet-stream',
  }),
  rollups: call({
    method: 'GET',
    path: '/reports/rollups',
    summary: 'Готовые итоги отчётов: сколько дней посчитано и сколько ждёт пересчёта',
    access: ['mainSettings'],
    answer: rollups,
  }),
  recount: call({
    method: 'POST',
    path: '/reports/rollups/recount',
    summary: 'Посчитать все дни отчёта заново, в фоне; пока день ждёт, отчёт считает его по строкам',
    access: ['mainSettings'],
    limit: 10,
    body: z.strictObject({ report: oneOf(reportTitles) }),
    answer: rollups,
  }),
  mailNow: call({
    method: 'POST',
    path: '/reports/mailings/:id/send',
    summary: 'Отправить рассылку сейчас: всем получателям, по правам каждого',
    access: reportReaders,
    params: idParams,
    limit: 10,
    answer: rowOf(ReportMailing),
  }),
}
