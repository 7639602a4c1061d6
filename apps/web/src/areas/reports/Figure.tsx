import { Anchor } from '@mantine/core'
import type { Report } from '@ordinator/model/report'
import type { ReportGroupRow } from '@ordinator/model/reportCalls'
import { measureText } from '@ordinator/model/reportText'
import { PageLink } from '#base/PageLink.tsx'
import type { Behind } from './address.ts'

interface Props {
  report: Report
  group: ReportGroupRow
  measure: string
  /** Title of the panel of rows. */
  title: string
}

/** A figure that opens its rows; zero is not a link. */
export function Figure({ report, group: { values, rows }, measure, title }: Props) {
  const value = values[measure]
  const text = measureText(report.measures[measure]?.unit ?? 'number', value)
  if (value === null || value === undefined || value === 0) return <span className="tabular">{text}</span>
  const behind: Behind = { ...rows, measure, of: title }
  return (
    <Anchor
      inherit
      className="tabular"
      aria-label={`${title}: ${text}, показать строки`}
      renderRoot={(props) => <PageLink {...props} search={(now) => ({ ...now, behind })} resetScroll={false} />}
    >
      {text}
    </Anchor>
  )
}
