/** Calls of reports: their paths follow from the declarations, with one type for all. */
import type { ReportFigures, ReportRows } from '@ordinator/model/reportCalls'
import { figuresPath, filePath, rowsPath } from '@ordinator/model/reportWire'
import { type CallOptions, download, http, openFile } from './http.ts'

interface Named {
  key: string
  title: string
}
export type AskedReport = Readonly<Record<string, unknown>>

/** A query string; lists repeat the parameter, since a value may contain a comma. */
function queryOf(asked: AskedReport): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    for (const one of [value].flat()) if (one !== undefined) query.append(name, String(one))
  const text = query.toString()
  return text ? `?${text}` : ''
}

export const reportApi = {
  figures: (report: Named, asked: AskedReport, options?: CallOptions) =>
    http.get<ReportFigures>(`${figuresPath(report)}${queryOf(asked)}`, options),
  rows: (report: Named, asked: AskedReport, options?: CallOptions) =>
    http.get<ReportRows>(`${rowsPath(report)}${queryOf(asked)}`, options),
  /** Saves a spreadsheet; opens a PDF in a new tab. */
  file: (
    report: Named,
    asked: AskedReport & { what: 'figures' | 'rows'; format: 'xlsx' | 'csv' | 'pdf' },
    name = report.title,
  ) => {
    const path = `${filePath(report)}${queryOf(asked)}`
    return asked.format === 'pdf' ? openFile(path, `${name}.pdf`) : download(path, `${name}.${asked.format}`)
  },
}
