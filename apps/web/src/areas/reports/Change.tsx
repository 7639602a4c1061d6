import type { Measure } from '@ordinator/model/report'
import { measureText } from '@ordinator/model/reportText'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import classes from './Reports.module.css'

interface ChangeProps {
  measure: Measure
  now: number | null | undefined
  before: number | null | undefined
}

/** Change against the earlier period: shares in points, others in percent. */
export function Change({ measure, now, before }: ChangeProps) {
  if (now === null || now === undefined || before === null || before === undefined) return null
  const exact = now - before
  // A change that rounds to zero counts as none.
  const difference = Math.abs(measure.unit === 'share' ? exact : exact / (before || 1)) < 0.0005 ? 0 : exact
  const change =
    measure.unit === 'share'
      ? `${difference > 0 ? '+' : ''}${(difference * 100).toFixed(1).replace('.', ',')} п. п.`
      : before === 0
        ? undefined
        : `${difference > 0 ? '+' : ''}${((difference / Math.abs(before)) * 100).toFixed(1).replace('.', ',')} %`
  if (!change) return null
  const Icon = difference < 0 ? IconArrowDownRight : IconArrowUpRight
  const tone =
    !measure.good || difference === 0 ? undefined : difference > 0 === (measure.good === 'up') ? 'good' : 'bad'
  return (
    <span className={classes.change} data-tone={tone} title={`Было: ${measureText(measure.unit, before)}`}>
      {difference !== 0 && <Icon size={14} aria-hidden />}
      {change.replace('-', '−')}
    </span>
  )
}
