import { Incident, type IncidentStatus, incidentStatuses } from '@ordinator/model/areas/consents/incident'
import type { Row } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { formatDateTime } from '#kit/clock.ts'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Row<typeof Incident>

const colors: Record<IncidentStatus, string> = {
  notice: 'yellow',
  noticeLate: 'red',
  inquiry: 'blue',
  inquiryLate: 'red',
  closed: 'gray',
}

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
    cell: ({ status }) => (
      <HStack component="span" gap={6} display="inline-flex" className="nowrap">
        <Dot color={`var(--mantine-color-${colors[status]}-6)`} />
        {incidentStatuses[status]}
      </HStack>
    ),
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
