import { Tooltip } from '@mantine/core'
import type { Report } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { Change } from './Change.tsx'
import { Figure } from './Figure.tsx'
import classes from './Reports.module.css'

/** The figures of the whole period, each with its definition and its change. */
export function Totals({ report, figures: { total } }: { report: Report; figures: ReportFigures }) {
  return (
    <dl className={classes.totals}>
      {Object.entries(report.measures).map(([name, measure]) => (
        <div key={name} className={classes.total}>
          <Tooltip label={measure.hint} disabled={!measure.hint} multiline maw={320} openDelay={300}>
            <dt data-hint={measure.hint ? true : undefined}>{measure.label}</dt>
          </Tooltip>
          <dd>
            <Figure report={report} group={total} measure={name} title={measure.label} />
            <Change measure={measure} now={total.values[name]} before={total.before?.[name]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
