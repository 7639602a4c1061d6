import { Badge } from '@mantine/core'
import {
  type AppealSource,
  type AppealStatus,
  appealSourceText,
  appealStatuses,
} from '@ordinator/model/areas/appeals/appeal'
import { IconMessage, IconPhone, IconQuestionMark } from '@tabler/icons-react'

const icons: Record<AppealSource, typeof IconPhone> = { call: IconPhone, 'live-assist': IconMessage }

/** Source of an appeal (spec §2), with a text for unknown kinds. */
export function SourceChip({ source }: { source: string | null }) {
  const Icon = icons[source as AppealSource] ?? IconQuestionMark
  return (
    <Badge variant="default" tt="none" fw={500} leftSection={<Icon size={14} aria-hidden />}>
      {appealSourceText(source)}
    </Badge>
  )
}

const colors: Record<AppealStatus, string> = { draft: 'gray', open: 'blue', waiting: 'grape', closed: 'teal' }

export const AppealStatusBadge = ({ status }: { status: AppealStatus }) => (
  <Badge variant="light" color={colors[status]}>
    {appealStatuses[status]}
  </Badge>
)
