/** A report as a file: the same figures or rows as on the screen. */

import { formatDateTime, formatDay } from '@ordinator/model/format'
import { columnsOf, type Report, type ReportField, shownMeasures, type Unit } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { fieldText, groupText, headOf, measureText } from '@ordinator/model/reportText'
import sql, { type Sql } from 'sql-template-tag'
import { letterheadOf } from '#areas/filials/index.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { ExportColumn } from '#records/exportCells.ts'
import type { ExportAbout, ExportJob } from '#records/exporter.ts'
import { type ReportFilter, type RowsAsk, rowsSql, shownColumn, shownTitle } from '#records/reports/reportSql.ts'
import type { ReportSource } from '#records/reports/source.ts'
import { readingOf, readRows } from './figures.ts'

type Table = Pick<ExportJob, 'text' | 'values' | 'columns'>

/** Exporter types of report fields. */
const kinds: Record<NonNullable<ReportField['type']> | Unit, string> = {
  text: 'text',
  day: 'date',
  moment: 'dateTime',
  flag: 'boolean',
  money: 'money',
  number: 'decimal',
  count: 'integer',
  share: 'decimal',
  minutes: 'decimal',
  work: 'decimal',
  seconds: 'decimal',
}
const unitWords: Partial<Record<Unit, string>> = {
  share: ', %',
  minutes: ', мин',
  work: ', мин',
  seconds: ', с',
  money: ', ₽',
}
const scaled = (unit: Unit, value: number | null | undefined) =>
  value === null || value === undefined ? null : unit === 'share' ? Math.round(value * 10_000) / 100 : value

/** Groups with their figures, the total last. */
export function figuresTable(report: Report, { by, groups, total, balance }: ReportFigures): Table {
  const measures = shownMeasures(report)
  const rows = [...groups, total].map(({ key, names, level, values }) => ({
    ...Object.fromEntries(
      by.map((name, at) => [
        `_${at}`,
        level > at
          ? groupText(report, name, key[at] ?? null, names[at] ?? null)
          : level === 0 && at === 0
            ? 'Итого'
            : '',
      ]),
    ),
    ...Object.fromEntries(measures.map(([name, { unit }]) => [name, scaled(unit, values[name])])),
  }))
  const { balance: name } = report
  if (balance && name)
    rows.unshift(
      ...balanceLines(balance).map(([label, value]) => ({ ...(by.length ? { _0: label } : {}), [name]: value })),
    )
  return {
    text: 'select value as item from jsonb_array_elements($1::jsonb)',
    values: [JSON.stringify(rows)],
    columns: [
      ...by.map((name, at) => ({ field: `_${at}`, label: headOf(report, name), kind: 'text' })),
      ...measures.map(([name, { label, unit }]) => ({
        field: name,
        label: `${label}${unitWords[unit] ?? ''}`,
        kind: kinds[unit],
      })),
    ],
  }
}

const balanceLines = ({ opening, closing }: NonNullable<ReportFigures['balance']>) =>
  [
    ['Остаток на начало', opening],
    ['Остаток на конец', closing],
  ] as const

/** Columns of files that tell apart records of one title: two patients of one name. By path of the entity. */
const distinguishing: Readonly<
  Record<string, readonly { key: string; label: string; kind: string; from: (id: Sql) => Sql }[]>
> = {
  customers: [
    {
      key: 'Card',
      label: 'номер карты',
      kind: 'text',
      from: (id) => sql`(select coalesce(n."cardNumber", '№ ' || n."id") from customers n where n."id" = ${id})`,
    },
    {
      key: 'Birthday',
      label: 'дата рождения',
      kind: 'date',
      from: (id) => sql`(select n."birthday" from customers n where n."id" = ${id})`,
    },
  ],
}

/** All rows behind a figure. */
export function rowsTable(
  source: ReportSource,
  filter: ReportFilter,
  ask: RowsAsk,
  reading: { actor: ServerActor; registry: AppContext['registry'] },
): Table {
  const columns = columnsOf(source.report)
  const apart = Object.fromEntries(
    columns
      .filter(([, { of }]) => of && distinguishing[of])
      .flatMap(([name, { of }]) =>
        (distinguishing[of as string] ?? []).map(
          ({ key, from }) => [`${name}${key}`, from(shownColumn(source.report, name, reading))] as const,
        ),
      ),
  )
  const { text, values } = rowsSql(source, filter, ask, columns, { ...reading, apart }).items()
  return {
    text,
    values,
    columns: columns.flatMap(([name, { label, of, labels, type }]): ExportColumn[] => {
      if (of)
        return [
          { field: `${name}Name`, label, kind: 'text' },
          ...(distinguishing[of] ?? []).map((one) => ({
            field: `${name}${one.key}`,
            label: `${label}: ${one.label}`,
            kind: one.kind,
          })),
        ]
      if (labels) return [{ field: name, label, kind: 'choice', labels: labels as Record<string, string> }]
      return [{ field: name, label, kind: kinds[type ?? 'text'], ...(type === 'moment' ? { clock: ['_zone'] } : {}) }]
    }),
  }
}

/** The head above the table of a spreadsheet, and its sheet «Как считается». */
export async function reportAbout(
  app: Pick<AppContext, 'db' | 'registry'>,
  report: Report,
  filter: ReportFilter,
  actor: ServerActor,
): Promise<ExportAbout> {
  return {
    title: report.title,
    facts: [
      ...(await filterWords(app, report, filter, actor)),
      ['Сформирован', formatDateTime(new Date(), actor.timeZone)],
    ],
    notes: [
      [report.title, report.hint],
      ...shownMeasures(report).flatMap(([, { label, hint }]): [string, string][] => (hint ? [[label, hint]] : [])),
    ],
  }
}

/** The conditions of a filter as text lines, for a printout or a mail. */
export async function filterWords(
  { db, registry }: Pick<AppContext, 'db' | 'registry'>,
  report: Report,
  filter: ReportFilter,
  actor: ServerActor,
): Promise<[label: string, value: string][]> {
  const lines: [string, string][] = []
  if (!report.isNow) lines.push(['Период', `${formatDay(filter.from)} — ${formatDay(filter.until)}`])
  for (const [name, { label, labels }] of Object.entries(report.parameters ?? {}))
    lines.push([label, labels[filter.parameters[name] ?? ''] ?? ''])
  const nameOf = async (path: string, id: number) =>
    (await db.reads.one<{ name: string | null }>(shownTitle({ actor, registry }, path, id)))?.name ?? `№ ${id}`
  if (!report.noFilial)
    lines.push([
      'Филиалы',
      filter.filials.length ? (await Promise.all(filter.filials.map((id) => nameOf('filials', id)))).join(', ') : 'все',
    ])
  for (const { name, value } of filter.is) {
    const of = name === 'filial' ? 'filials' : report.fields[name]?.of
    lines.push([
      headOf(report, name),
      groupText(report, name, value || null, of && value ? await nameOf(of, Number(value)) : null),
    ])
  }
  return lines
}

const drawn = drawing<typeof import('./drawReport.ts')>(new URL('./drawReport.ts', import.meta.url))

/** Maximum number of rows on paper; larger tables need a spreadsheet. */
export const MAX_PAPER_ROWS = 500

interface Paper {
  source: ReportSource
  filter: ReportFilter
  actor: ServerActor
  figures?: ReportFigures
  ask?: RowsAsk
}

/** A printout of the figures, or of the first rows. */
export async function reportPaper(
  app: AppContext,
  { source, filter, actor, figures, ask }: Paper,
): Promise<Uint8Array> {
  const { report } = source
  const table = figures
    ? figuresText(report, figures)
    : rowsText(
        report,
        actor.timeZone,
        await readRows(readingOf(app, actor), source, filter, ask ?? {}, {
          page: 1,
          limit: MAX_PAPER_ROWS,
        }),
      )
  const [head, facts] = await Promise.all([letterheadOf(app.db), filterWords(app, report, filter, actor)])
  const made = formatDateTime(new Date(), actor.timeZone)
  const data = {
    title: report.title,
    hint: report.hint,
    facts: [
      ...facts,
      ...(figures?.balance
        ? balanceLines(figures.balance).map(([label, value]): [string, string] => [label, measureText('money', value)])
        : []),
      ['Сформирован', made] as [string, string],
    ],
    head,
    ...table,
  }
  return pressOf(app).run(drawn, data, actor)
}

export interface TextTable {
  columns: { title: string; right: boolean }[]
  rows: { cells: string[]; bold: boolean }[]
  note?: string
}

/** Figures as text. */
export function figuresText(report: Report, { by, groups, total, isCut }: ReportFigures): TextTable {
  const measures = shownMeasures(report)
  return {
    columns: [
      { title: by.map((name) => headOf(report, name)).join(', ') || 'Показатели', right: false },
      ...measures.map(([, { label }]) => ({ title: label, right: true })),
    ],
    rows: [...groups, total].map(({ key, names, level, values }) => ({
      bold: level < by.length,
      cells: [
        level === 0
          ? 'Итого'
          : `${'    '.repeat(level - 1)}${groupText(report, by[level - 1] as string, key[level - 1] ?? null, names[level - 1] ?? null)}`,
        ...measures.map(([name, { unit }]) => measureText(unit, values[name])),
      ],
    })),
    ...(isCut ? { note: 'Показаны не все группы: сузьте период или выберите другую группировку.' } : {}),
  }
}

function rowsText(
  report: Report,
  timeZone: string,
  { items, total }: { items: Record<string, unknown>[]; total: number },
): TextTable {
  const columns = columnsOf(report)
  const numbers = new Set(['money', 'number', 'share', 'minutes', 'seconds'])
  return {
    columns: columns.map(([, { label, type }]) => ({ title: label, right: numbers.has(type ?? '') })),
    rows: items.map((item) => ({
      bold: false,
      cells: columns.map(([name, field]) =>
        fieldText(field, item[name], item[`${name}Name`], String(item._zone ?? timeZone)),
      ),
    })),
    ...(total > items.length
      ? { note: `Показаны первые ${items.length} строк из ${total}: остальные — в файле XLSX или CSV.` }
      : {}),
  }
}
