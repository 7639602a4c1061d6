import { Tooltip } from '@mantine/core'
import type { Measure, Report } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { measureText } from '@ordinator/model/reportText'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
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

interface ChangeProps {
  measure: Measure
  now: number | null | undefined
  before: number | null | undefined
}

/** How much more or less than before: of shares in points, of the rest in per cent. */
export function Change({ measure, now, before }: ChangeProps) {
  if (now === null || now === undefined || before === null || before === undefined) return null
  const difference = now - before
  const said =
    measure.unit === 'share'
      ? `${difference > 0 ? '+' : ''}${(difference * 100).toFixed(1).replace('.', ',')} п. п.`
      : before === 0
        ? undefined
        : `${difference > 0 ? '+' : ''}${((difference / Math.abs(before)) * 100).toFixed(1).replace('.', ',')} %`
  if (!said) return null
  const Icon = difference < 0 ? IconArrowDownRight : IconArrowUpRight
  const tone =
    !measure.good || difference === 0 ? undefined : difference > 0 === (measure.good === 'up') ? 'good' : 'bad'
  return (
    <span className={classes.change} data-tone={tone} title={`Было: ${measureText(measure.unit, before)}`}>
      {difference !== 0 && <Icon size={14} aria-hidden />}
      {said.replace('-', '−')}
    </span>
  )
}
