import { Incident, incidentStatuses } from '@ordinator/model/areas/consents/incident'
import type { Row } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { formatDateTime } from '#kit/clock.ts'
import { statusMark } from '#kit/statusMark.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Row<typeof Incident>

const Status = statusMark(incidentStatuses, {
  notice: 'yellow-6',
  noticeLate: 'red-6',
  inquiry: 'blue-6',
  inquiryLate: 'red-6',
  closed: 'gray-6',
})

const columns: readonly ((keyof typeof Incident.fields & string) | ColumnSpec<Line>)[] = [
  { key: 'text', width: 340 },
  { key: 'kind', width: 180 },
  { key: 'dateDetected', width: 160 },
  {
    key: 'dueNotice',
    label: 'Уведомить до',
    width: 220,
    cell: ({ dueNotice, notifiedAt }) => <Timer due={dueNotice} done={notifiedAt} />,
  },
  {
    key: 'dueInquiry',
    label: 'Результаты до',
    width: 220,
    cell: ({ dueInquiry, inquiryAt }) => <Timer due={dueInquiry} done={inquiryAt} />,
  },
  {
    key: 'status',
    width: 220,
    cell: ({ status }) => <Status status={status} />,
  },
]

/** A legal deadline: date and time left; once done, when. */
function Timer({ due, done }: { due: string; done: string | null }) {
  if (done) return <Muted>{`сделано ${formatDateTime(done)}`}</Muted>
  const isLate = Date.parse(due) < Date.now()
  return (
    <span className="tabular" style={isLate ? { color: 'var(--mantine-color-error)' } : undefined}>
      {formatDateTime(due)} <Fine>{formatFromNow(due)}</Fine>
    </span>
  )
}

/** Инциденты: personal data breaches, with the hours left to notify Роскомнадзор. */
export default function IncidentsPage() {
  return <RegistryPage page={pageByKey('incidents')} entity={Incident} columns={columns} />
}
