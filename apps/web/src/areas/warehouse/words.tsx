import { Badge } from '@mantine/core'
import { type DocumentStatus, documentMdlp, documentStatuses } from '@ordinator/model/areas/warehouse/document'
import { formatDay, formatNumber } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { today } from '#kit/clock.ts'
import { Muted } from '#kit/Words.tsx'

const colors: Record<DocumentStatus, string> = {
  draft: 'gray',
  counting: 'blue',
  checked: 'grape',
  inTransit: 'orange',
  posted: 'teal',
  cancelled: 'red',
}

export const StatusBadge = ({ status }: { status: DocumentStatus }) => (
  <Badge color={colors[status]} variant="light" miw="max-content">
    {documentStatuses[status]}
  </Badge>
)

const mdlpColors: Partial<Record<keyof typeof documentMdlp, string>> = {
  none: 'orange',
  incoming: 'blue',
  draft: 'blue',
  processed: 'teal',
  failed: 'red',
  stuck: 'red',
  partial: 'orange',
}

/** State of a document in МДЛП. */
export const MdlpMark = ({ status }: { status: keyof typeof documentMdlp }) => (
  <Badge color={mdlpColors[status] ?? 'gray'} variant="light" miw="max-content">
    {documentMdlp[status]}
  </Badge>
)

export const amount = (qty: number, unit: string | null | undefined): string =>
  `${formatNumber(qty)}${unit ? ` ${unit}` : ''}`

const SOON = 90

/** Expiry of a batch: red when past, orange when near. */
export function Expiry({ day }: { day: string | null | undefined }) {
  if (!day) return <Muted>—</Muted>
  const now = today()
  const color = day < now ? 'var(--mantine-color-error)' : day < plusDays(now, SOON) ? 'var(--ord-warning)' : undefined
  return (
    <span className="tabular" style={{ color }}>
      {formatDay(day)}
    </span>
  )
}
