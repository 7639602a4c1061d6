import { IconRefresh } from '@tabler/icons-react'
import { formatTime } from './clock.ts'
import { IconButton } from './IconButton.tsx'
import { HStack } from './Stacks.tsx'
import { Fine } from './Words.tsx'

interface Props {
  /** What was counted, for screen readers. */
  of: string
  /** Time of the count; milliseconds or ISO. */
  at?: number | string
  busy?: boolean
  onRefresh: () => void
}

/** The time when figures were computed, and a button to refresh them. */
export function Counted({ of, at, busy, onRefresh }: Props) {
  return (
    <HStack gap={4} justify="flex-end" mt="auto" pt={8}>
      {at !== undefined && <Fine>Обновлено в {timeOf(new Date(at).toISOString())}</Fine>}
      <IconButton icon={IconRefresh} size={24} label={`Обновить: ${of}`} loading={busy} onClick={onRefresh} />
    </HStack>
  )
}

const timeOf = (moment: string) => <time dateTime={moment}>{formatTime(moment)}</time>
