import { Tooltip } from '@mantine/core'
import { howCounted } from '@ordinator/model/measures'
import { type Report, shownMeasures } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { Change } from './Change.tsx'
import { Figure } from './Figure.tsx'
import classes from './Reports.module.css'

/** Totals of the period with definitions and changes. */
export function Totals({ report, figures: { total, balance } }: { report: Report; figures: ReportFigures }) {
  // Measures of the chart are emphasized.
  const main = new Set(report.chart?.length ? report.chart : Object.keys(report.measures).slice(0, 1))
  return (
    <dl className={classes.totals}>
      {balance && report.balance && (
        <Balance
          report={report}
          total={total}
          label="Остаток на начало"
          value={balance.opening}
          from={balance.from}
          until={balance.until}
        />
      )}
      {shownMeasures(report).map(([name, measure]) => (
        <div key={name} className={classes.total} data-main={main.has(name) || undefined}>
          <Tooltip label={howCounted(report, measure)} multiline maw={320} openDelay={300}>
            <dt data-hint>{measure.label}</dt>
          </Tooltip>
          <dd>
            <Figure report={report} group={total} measure={name} title={measure.label} />
            <Change measure={measure} now={total.values[name]} before={total.before?.[name]} />
          </dd>
        </div>
      ))}
      {balance && report.balance && (
        <Balance
          report={report}
          total={total}
          label="Остаток на конец"
          value={balance.closing}
          from={balance.from}
          until={total.rows.until}
        />
      )}
    </dl>
  )
}

interface BalanceProps {
  report: Report
  total: ReportFigures['total']
  label: string
  value: number
  from: string
  until: string
}

/** Opening or closing balance; opens all rows behind it. */
function Balance({ report, total, label, value, ...days }: BalanceProps) {
  const name = report.balance as string
  const group = { ...total, values: { [name]: value }, rows: { ...total.rows, ...days } }
  return (
    <div className={classes.total}>
      <dt>{label}</dt>
      <dd>
        <Figure report={report} group={group} measure={name} title={label} />
      </dd>
    </div>
  )
}
