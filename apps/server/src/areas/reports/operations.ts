/** The calls of a report, generated from its declaration and the SQL of its facts. */
import type { Call } from '@ordinator/model/call'
import { formatDay } from '@ordinator/model/format'
import { columnsOf, namesPatients, type Report } from '@ordinator/model/report'
import { type ReportFigures, type ReportQuery, reportCalls } from '@ordinator/model/reportCalls'
import type { Period } from '@ordinator/model/reportPeriod'
import type { FastifyReply } from 'fastify'
import { isTimeout } from '#platform/db.ts'
import { disposition, sendPdf } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import { mustBeFresh, type ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Operation } from '#records/operation.ts'
import type { RowsAsk } from '#records/reports/reportSql.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { assertSort, readFigures, readingOf, readRows } from './figures.ts'
import { figuresTable, reportAbout, reportPaper, rowsTable } from './file.ts'
import { journal } from './journal.ts'
import { filterOf, groupingOf } from './query.ts'
import { askOf, continueInBackground } from './runs.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

interface Asked extends ReportQuery, RowsAsk {
  page: number
  limit: number
  what: 'figures' | 'rows'
  format: 'csv' | 'xlsx' | 'pdf'
}

export function reportOperations(source: ReportSource): Operation[] {
  const { report } = source
  const calls = reportCalls(report)
  const entityType = `reports/${report.key}`
  return [
    made(calls.figures, async ({ app, actor, query }) => {
      const reading = readingOf(app, actor)
      const [filter, by] = [filterOf(report, query, actor), groupingOf(report, query)]
      return inTime(readFigures(reading, source, filter, by, query.compare), async () => {
        const asked = askOf(report, query, 'figures')
        const run = await continueInBackground(app, actor, {
          report: report.key,
          asked,
          what: 'figures',
          format: 'json',
        })
        return noFigures(report, filter, by, run)
      })
    }),
    made(calls.rows, async ({ app, actor, query }) => {
      const reading = readingOf(app, actor)
      const { patients, ...rows } = await inTime(
        readRows(reading, source, filterOf(report, query, actor), query, query),
        async () => {
          const asked = askOf(report, query, 'rows')
          const run = await continueInBackground(app, actor, { report: report.key, asked, what: 'rows', format: 'csv' })
          return { items: [], total: 0, values: {}, page: query.page, hasMore: false, patients: [], run }
        },
      )
      await journal(app, actor, 'view', entityType, patients)
      return rows
    }),
    made(calls.file, async ({ app, actor, query, reply }) => {
      const filter = filterOf(report, query, actor)
      const reading = readingOf(app, actor)
      const isRows = query.what === 'rows'
      assertSort(columnsOf(report), query.sort)
      const inBackground = async (): Promise<never> => {
        const asked = askOf(report, query, query.what)
        const format = isRows ? 'csv' : query.format
        await continueInBackground(app, actor, { report: report.key, asked, what: query.what, format })
        throw new HttpError(409, 'Файл большой: делаем его в фоне, он появится в этом отчёте', { code: 'background' })
      }
      if (namesPatients(report, query.what, groupingOf(report, query))) mustBeFresh(actor)
      const figures = isRows
        ? undefined
        : await inTime(readFigures(reading, source, filter, groupingOf(report, query), query.compare), inBackground)
      if (isRows && report.patient) await journal(app, actor, 'export', entityType, [])
      const name =
        `${report.title} ${report.isNow ? '' : `${formatDay(filter.from)}–${formatDay(filter.until)}`}`.trim()
      if (query.format === 'pdf')
        return sendPdf(
          reply,
          `${name}.pdf`,
          await inTime(
            reportPaper(app, { source, filter, actor, ask: query, ...(figures ? { figures } : {}) }),
            inBackground,
          ),
        )
      const table = figures ? figuresTable(report, figures) : rowsTable(source, filter, query, reading)
      const bytes = await app.exporter.run(
        {
          ...table,
          timeZone: actor.timeZone,
          format: query.format,
          about: await reportAbout(app, report, filter, actor),
        },
        String(actor.id),
      )
      if (reply.raw.destroyed) bytes.destroy()
      return reply
        .header('content-disposition', disposition('attachment', `${name}.${query.format}`))
        .type(query.format === 'csv' ? 'text/csv; charset=utf-8' : XLSX)
        .send(bytes)
    }),
  ]
}

interface Asking {
  app: AppContext
  actor: ServerActor
  query: Asked
  reply: FastifyReply
}

/** Generated calls: their requests are typed only by their schemas. */
const made = (call: Call, handler: (asking: Asking) => Promise<unknown>): Operation => ({
  ...call,
  handler: ({ query, ...context }) => handler({ ...context, query: query as unknown as Asked }),
})

/** @param later what to answer if the statement exceeded the timeout of its lane: the background counts it */
async function inTime<T>(work: Promise<T>, later: () => Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isTimeout(error)) throw error
    return later()
  }
}

/** Figures that the background counts. */
function noFigures(report: Report, { from, until }: Period, by: readonly string[], run: number): ReportFigures {
  const names = Object.keys(report.measures)
  return {
    from,
    until,
    by: [...by],
    isCut: false,
    later: names,
    run,
    counted: new Date().toISOString(),
    total: {
      key: [],
      names: [],
      level: 0,
      values: Object.fromEntries(names.map((name) => [name, null])),
      rows: { from, until, is: [] },
    },
    groups: [],
  }
}
