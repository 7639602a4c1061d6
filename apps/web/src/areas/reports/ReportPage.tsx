import { useRouterState } from '@tanstack/react-router'
import { reportAt } from '#base/reports.ts'
import { ReportView } from './ReportView.tsx'

/** The page of a report: `reports/<key>`. */
export default function ReportPage() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const report = reportAt(path.replace(/^.*?\/reports\//, ''))
  return report ? <ReportView key={report.key} report={report} /> : null
}
