/** The calls of a report, generated from its declaration and the SQL of its facts. */
import type { Call } from '@ordinator/model/call'
import { formatDay } from '@ordinator/model/format'
import { columnsOf, namesPatients } from '@ordinator/model/report'
import { type ReportQuery, reportCalls } from '@ordinator/model/reportCalls'
import type { FastifyReply } from 'fastify'
import { isTimeout } from '#platform/db.ts'
import { disposition, sendPdf } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import { mustBeFresh, type ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalAction, journalActor } from '#records/journal.ts'
import type { Operation } from '#records/operation.ts'
import type { RowsAsk } from '#records/reports/reportSql.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { assertSort, readFigures, readRows } from './figures.ts'
import { figuresTable, reportPaper, rowsTable } from './file.ts'
import { filterOf, groupingOf } from './query.ts'

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
      const reading = { db: app.db.reads, registry: app.registry, actor }
      return inTime(
        readFigures(reading, source, filterOf(report, query, actor), groupingOf(report, query), query.compare),
      )
    }),
    made(calls.rows, async ({ app, actor, query }) => {
      const reading = { db: app.db.reads, registry: app.registry, actor }
      const { patients, ...rows } = await inTime(
        readRows(reading, source, filterOf(report, query, actor), query, query),
      )
      await journal(app, actor, 'view', entityType, patients)
      return rows
    }),
    made(calls.file, async ({ app, actor, query, reply }) => {
      const filter = filterOf(report, query, actor)
      const reading = { db: app.db.reads, registry: app.registry, actor }
      const isRows = query.what === 'rows'
      assertSort(columnsOf(report), query.sort)
      if (namesPatients(report, query.what, groupingOf(report, query))) mustBeFresh(actor)
      const figures = isRows
        ? undefined
        : await inTime(readFigures(reading, source, filter, groupingOf(report, query), query.compare))
      if (isRows && report.patient) await journal(app, actor, 'export', entityType, [])
      const name =
        `${report.title} ${report.isNow ? '' : `${formatDay(filter.from)}–${formatDay(filter.until)}`}`.trim()
      if (query.format === 'pdf')
        return sendPdf(
          reply,
          `${name}.pdf`,
          await inTime(reportPaper(app, { source, filter, actor, ask: query, ...(figures ? { figures } : {}) })),
        )
      const table = figures ? figuresTable(report, figures) : rowsTable(source, filter, query, reading)
      const bytes = await app.exporter.run(
        { ...table, timeZone: actor.timeZone, format: query.format },
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

/** Maximum number of access journal lines per response; above it one line covers the whole view. */
const MAX_LINES = 100

/** Rows name patients: a read is recorded in the access journal. */
export function journal(
  app: AppContext,
  actor: ServerActor,
  action: JournalAction,
  entityType: string,
  patients: readonly number[],
): Promise<void> {
  const line = { ...journalActor(actor), action, entityType }
  if (action === 'export' || patients.length > MAX_LINES) return app.journal(line)
  return app.journal(...patients.map((idCustomer) => ({ ...line, idCustomer })))
}

/** @throws HttpError 503 with a message if the statement exceeded the timeout of its lane */
async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new HttpError(503, 'Отчёт считается слишком долго. Сузьте период или филиалы', { code: 'timeout' })
  }
}
