import { Badge } from '@mantine/core'
import { type RecallSpeed, recallSpeed } from '@ordinator/model/areas/calls/call'
import { formatSpan } from '@ordinator/model/format'

const colors: Record<RecallSpeed, string> = { quick: 'teal', slow: 'yellow', late: 'red' }

/** How soon a missed call was answered by one, or that it still waits. */
export function RecallBadge({ recall, recallS }: { recall: boolean; recallS: number | null }) {
  if (recallS !== null)
    return (
      <Badge variant="dot" tt="none" color={colors[recallSpeed(recallS)]}>
        через {formatSpan(recallS)}
      </Badge>
    )
  return recall ? (
    <Badge variant="dot" tt="none" color="red">
      ждёт звонка
    </Badge>
  ) : null
}
