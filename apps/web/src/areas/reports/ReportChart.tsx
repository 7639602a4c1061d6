import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { formatDay } from '@ordinator/model/format'
import type { Report } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { groupText, measureText } from '@ordinator/model/reportText'
import { noTabStops, Picture } from '#kit/Picture.tsx'
import { useRevealed } from '#kit/RevealTogether.tsx'
import classes from './Reports.module.css'

/** Maximum bars; the table has all groups. */
const MAX_BARS = 15
/** Heights in pixels: the axis and the legend, a bar, the room between two groups. */
const [HEAD, BAR, GAP] = [64, 16, 14]
const COLOURS = ['teal.6', 'indigo.5', 'orange.6', 'grape.5'] as const

interface Props {
  report: Report
  figures: ReportFigures
  /** Groups by time: lines instead of bars. */
  overTime: boolean
}

/**
 * A picture of the figures, lines along time and bars with whole names; the table beneath it has the same for screen
 * readers.
 */
export default function ReportChart({ report, figures: { by, groups, before }, overTime }: Props) {
  const isRevealed = useRevealed()
  const names = report.chart ?? Object.keys(report.measures).slice(0, 1)
  const first = groups.filter(({ level }) => level === 1)
  const shown = overTime ? first : first.slice(0, MAX_BARS)
  const unit = report.measures[names[0] as string]?.unit ?? 'number'
  const grouping = by[0] as string
  const data = shown.map(({ key, names: titles, values, before: past }) => ({
    group:
      grouping === 'day'
        ? formatDay(String(key[0])).slice(0, 5)
        : groupText(report, grouping, key[0] ?? null, titles[0] ?? null),
    ...Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
    ...(before && overTime ? { before: past?.[names[0] as string] ?? null } : {}),
  }))
  // Hidden, it would measure a box without a size.
  if (data.length < 2 || !isRevealed) return null
  const series = [
    ...names.map((name, at) => ({
      name,
      label: report.measures[name]?.label ?? name,
      color: COLOURS[at % COLOURS.length] as string,
    })),
    ...(before && overTime
      ? [{ name: 'before', label: 'Период сравнения', color: 'gray.5', strokeDasharray: '4 4' }]
      : []),
  ]
  const values = {
    allowDecimals: unit !== 'count',
    tickFormatter: (value: number) => (value === 0 ? '0' : measureText(unit, value).replace(/,00/, '')),
  }
  const common = {
    data,
    dataKey: 'group',
    series,
    valueFormatter: (value: number) => measureText(unit, value),
    withLegend: series.length > 1,
    tooltipAnimationDuration: 0,
  }
  return (
    <Picture table="beside" className={classes.section}>
      {overTime ? (
        <LineChart
          {...common}
          h={260}
          yAxisProps={{ ...values, width: unit === 'money' ? 96 : 64 }}
          curveType="linear"
          withDots={data.length < 40}
          lineProps={{ isAnimationActive: false }}
          lineChartProps={noTabStops}
        />
      ) : (
        <BarChart
          {...common}
          h={HEAD + data.length * (GAP + BAR * names.length)}
          orientation="vertical"
          gridAxis="y"
          xAxisProps={{ ...values, minTickGap: 24 }}
          yAxisProps={{ width: 132, interval: 0 }}
          barProps={{ isAnimationActive: false, maxBarSize: BAR }}
          barChartProps={noTabStops}
        />
      )}
    </Picture>
  )
}
