import { groupingsOf, isTimeUnit, type Report } from '@ordinator/model/report'
import { presetPeriod } from '@ordinator/model/reportPeriod'
import { type CompareWith, compareWith, MAX_BY } from '@ordinator/model/reportWire'
import { day, id, listOf, text, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { today } from '#kit/clock.ts'

/** Rows open behind a figure. */
export interface Behind {
  measure?: string
  from: string
  until: string
  is: string[]
  /** Title of the panel. */
  of: string
}

/** URL parameters of a report. */
export interface ReportAddress {
  from?: string
  until?: string
  filial?: number[]
  /** Groupings, `desk,method`; «-» for totals only. */
  by?: string
  compare?: CompareWith
  is?: string[]
  behind?: Behind
  /** Values of the report's own parameters. */
  [parameter: string]: unknown
}

const condition = (value: unknown) => (typeof value === 'string' && /^\w+:/.test(value) ? value : undefined)

function readBehind(value: unknown): Behind | undefined {
  const { measure, from, until, is, of } = (value ?? {}) as Record<string, unknown>
  const [first, last] = [day(from), day(until)]
  if (!first || !last) return undefined
  return { measure: text(measure), from: first, until: last, is: listOf(is, condition) ?? [], of: text(of) ?? 'Строки' }
}

/** Parses the URL of a report; invalid parts are dropped. */
export const readerOf =
  (report: Report) =>
  (search: Search): ReportAddress => {
    const names = groupingsOf(report)
    const by = text(search.by)
      ?.split(',')
      .filter((name) => Object.hasOwn(names, name))
      .slice(0, MAX_BY)
    return {
      from: day(search.from),
      until: day(search.until),
      filial: listOf(search.filial, id),
      by: search.by === '-' ? '-' : by?.length ? by.join(',') : undefined,
      compare: word(compareWith, search.compare),
      is: listOf(search.is, condition),
      behind: readBehind(search.behind),
      ...Object.fromEntries(
        Object.entries(report.parameters ?? {}).map(([name, { labels }]) => [name, word(labels, search[name])]),
      ),
    }
  }

/** Period: of the URL, else the current month. */
export function shownPeriod({ from, until }: ReportAddress) {
  const month = presetPeriod('month', today())
  const last = until ?? month.until
  const first = from ?? (last < month.from ? last : month.from)
  return { from: first, until: last }
}

/** Parameters of the report's calls. */
export function askedOf(report: Report, address: ReportAddress) {
  const { filial, by, compare, is } = address
  return {
    ...(report.isNow ? {} : shownPeriod(address)),
    ...(filial && { filial: filial.join(',') }),
    ...(by && { by: by === '-' ? '' : by }),
    ...(compare && !report.isNow && { compare }),
    ...(is && { is }),
    ...Object.fromEntries(
      Object.keys(report.parameters ?? {}).flatMap((name) => (address[name] ? [[name, String(address[name])]] : [])),
    ),
  }
}

/** The address of what a call was asked; the other parts of the address are cleared. */
export const addressOf = (report: Report, asked: Record<string, unknown>): ReportAddress => ({
  from: undefined,
  until: undefined,
  compare: undefined,
  behind: undefined,
  ...Object.fromEntries(Object.keys(report.parameters ?? {}).map((name) => [name, undefined])),
  ...asked,
  filial: typeof asked.filial === 'string' ? asked.filial.split(',').map(Number) : undefined,
  by: asked.by === '' ? '-' : (text(asked.by) ?? undefined),
  is: asked.is === undefined ? undefined : [asked.is].flat().map(String),
})

/** True when the first grouping is by time. */
export const isOverTime = (by: readonly string[]): boolean => by[0] !== undefined && isTimeUnit(by[0])
