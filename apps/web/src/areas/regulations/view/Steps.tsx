import { Text } from '@mantine/core'
import type { Stage } from '@ordinator/model/areas/regulations/wire'
import { counted, formatSpan } from '@ordinator/model/format'
import { EmptyState } from '#kit/EmptyState.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { minutesOf } from '../editor/draft.ts'
import { stepForms } from '../words.ts'
import { StepCard } from './StepCard.tsx'

/** Steps to read. */
export function Steps({ stages }: { stages: readonly Stage[] }) {
  if (stages.length === 0) return <EmptyState title="Шаги отсутствуют" />
  const minutes = minutesOf(stages)
  return (
    <>
      <Text mb={12} c="dimmed" className="tabular">
        {counted(stages.length, stepForms)}
        {minutes > 0 && `, всего ${formatSpan(minutes * 60)}`}
      </Text>
      <VStack component="ol" aria-label="Шаги">
        {stages.map((stage, at) => (
          <StepCard key={stage.id} stage={stage} n={at + 1} />
        ))}
      </VStack>
    </>
  )
}
