import type { Stage } from '@ordinator/model/areas/regulations/wire'
import { counted, formatSpan } from '@ordinator/model/format'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { minutesOf } from '../editor/draft.ts'
import { stepForms } from '../words.ts'
import { StepCard } from './StepCard.tsx'
import classes from './Steps.module.css'

/** The steps as they are read, one under another. */
export function Steps({ stages }: { stages: readonly Stage[] }) {
  if (stages.length === 0) return <EmptyState title="Шаги отсутствуют" />
  const minutes = minutesOf(stages)
  return (
    <>
      <p className={`${classes.sum} tabular`}>
        {counted(stages.length, stepForms)}
        {minutes > 0 && `, всего ${formatSpan(minutes * 60)}`}
      </p>
      <ol className={classes.steps} aria-label="Шаги">
        {stages.map((stage, at) => (
          <StepCard key={stage.id} stage={stage} n={at + 1} />
        ))}
      </ol>
    </>
  )
}
