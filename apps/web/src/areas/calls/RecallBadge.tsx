import { Badge } from '@mantine/core'
import { RECALL_TRIES, type RecallSpeed, recallSpeed } from '@ordinator/model/areas/calls/call'
import { formatSpan } from '@ordinator/model/format'

const colors: Record<RecallSpeed, string> = { quick: 'teal', slow: 'yellow', late: 'red' }

interface Props {
  recall: boolean
  recallS: number | null
  recallTries: number
  gaveUp: boolean
}

/** Call back of a missed call: time taken, still due, or given up. */
export function RecallBadge({ recall, recallS, recallTries, gaveUp }: Props) {
  if (gaveUp)
    return (
      <Badge variant="dot" tt="none" color="gray">
        не дозвонились
      </Badge>
    )
  if (recallS !== null && recall && recallTries > 0)
    return (
      <Badge variant="dot" tt="none" color="red">
        попытка {recallTries} из {RECALL_TRIES}
      </Badge>
    )
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
