import { formatDuration } from '@ordinator/model/format'
import { IconClock } from '@tabler/icons-react'
import { useNow } from '#kit/useNow.ts'
import { Chip } from '../Chip.tsx'

const SECOND = 1000
/** Fraction of the estimate from which a warning is shown. */
const SOON = 0.8

/** Time since the step began against the estimate in minutes: amber near the end, red after it. */
export function StepTimer({ since, estimate }: { since: string; estimate: number }) {
  const seconds = Math.max(0, (useNow(SECOND) - Date.parse(since)) / SECOND)
  const share = estimate > 0 ? seconds / (estimate * 60) : 0
  return (
    <Chip
      color={share > 1 ? 'red' : share >= SOON ? 'yellow' : 'gray'}
      icon={<IconClock size={12} aria-hidden />}
      title="Время на шаге"
    >
      <span className="tabular" role="timer">
        {formatDuration(seconds)}
      </span>
    </Chip>
  )
}
