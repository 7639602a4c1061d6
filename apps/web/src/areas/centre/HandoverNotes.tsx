import { Alert } from '@mantine/core'
import { formatDateTime } from '#kit/clock.ts'
import { VStack } from '#kit/Stacks.tsx'
import { countsText, useHandover } from './useHandover.ts'

/** Recent handovers to the user, with notes. */
export function HandoverNotes() {
  const received = useHandover(null).data?.received ?? []
  if (received.length === 0) return null
  return (
    <VStack gap={8} mb={16}>
      {received.map(({ id, from, note, dateCreate, counts }) => (
        <Alert
          key={id}
          variant="light"
          title={`${from} передаёт вам смену: ${countsText(counts)}, ${formatDateTime(dateCreate)}`}
        >
          <span className="breaks" style={{ whiteSpace: 'pre-wrap' }}>
            {note}
          </span>
        </Alert>
      ))}
    </VStack>
  )
}
