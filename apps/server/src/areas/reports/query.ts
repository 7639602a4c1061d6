/** Parsing and validation of a report request. */
import { groupingsOf, isTimeUnit, type Report } from '@ordinator/model/report'
import type { ReportQuery } from '@ordinator/model/reportCalls'
import { presetPeriod } from '@ordinator/model/reportPeriod'
import { dayIn } from '@ordinator/model/zone'
import { badRequest, forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { isLimited } from '#records/branches.ts'
import { fieldOf, type ReportFilter } from '#records/reports/reportSql.ts'

/** Maximum number of days of a period. */
const MAX_DAYS = 366 * 20

/** Why somebody who sees only their branches gets no figure of a report; undefined: its facts have branches. */
export const branchRefusal = ({ noFilial }: Report, actor: ServerActor): string | undefined =>
  noFilial && isLimited(actor) ? 'В этом отчёте данные всех филиалов вместе, а вы видите только свои' : undefined

/**
 * @throws HttpError 400 that names the parameter; 403 for somebody who sees only their branches, of a report that has none
 */
export function filterOf(report: Report, query: ReportQuery, actor: ServerActor): ReportFilter {
  const refusal = branchRefusal(report, actor)
  if (refusal) throw forbidden(refusal)
  const month = presetPeriod('month', dayIn(actor.timeZone, Date.now()))
  const until = query.until ?? month.until
  const from = query.from ?? (until < month.from ? until : month.from)
  if (from > until) throw badRequest('Параметр until: период кончается раньше, чем начинается')
  if ((Date.parse(until) - Date.parse(from)) / 86_400_000 > MAX_DAYS)
    throw badRequest('Параметр from: период не больше двадцати лет')
  const filials = query.filial?.split(',').map(Number) ?? []
  if (filials.length && report.noFilial) throw badRequest('Параметр filial: в этом отчёте нет филиалов')
  const groupings = groupingsOf(report)
  const is = [query.is ?? []].flat().map((text) => {
    const at = text.indexOf(':')
    const name = text.slice(0, at)
    if (!Object.hasOwn(groupings, name) || isTimeUnit(name) || !fieldOf(report, name))
      throw badRequest(`Параметр is: неизвестное поле ${name.slice(0, 40)}`)
    const value = text.slice(at + 1)
    const wanted = wrongValue(report, name, value)
    if (wanted) throw badRequest(`Параметр is: ${name} — ${wanted}`)
    return { name, value }
  })
  const parameters = Object.fromEntries(
    Object.entries(report.parameters ?? {}).map(([name, one]) => [name, String(query[name] ?? one.default)]),
  )
  return { from, until, filials, is, parameters }
}

/** What a condition needs, unless its value can occur: a misspelt one would show zeros. */
function wrongValue(report: Report, name: string, value: string): string | undefined {
  const { of, labels, type } = fieldOf(report, name) ?? {}
  if (value === '') return undefined
  if (of) return /^\d{1,15}$/.test(value) ? undefined : 'нужен номер записи'
  if (labels)
    return Object.hasOwn(labels, value) ? undefined : `нужно одно из: ${Object.keys(labels).slice(0, 20).join(', ')}`
  if (type === 'flag') return ['true', 'false'].includes(value) ? undefined : 'нужно true или false'
  if (type === 'day') return /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : 'нужен день: 2026-11-29'
  return undefined
}

/** The requested groupings, or the report's first ones; `by=` requests only the total. */
export function groupingOf(report: Report, query: ReportQuery): string[] {
  const asked = query.by === undefined ? report.first : query.by.split(',').filter(Boolean)
  if (new Set(asked).size < asked.length) throw badRequest('Параметр by: группировка указана дважды')
  return [...asked]
}
