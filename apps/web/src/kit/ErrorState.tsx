import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { ActionButton } from './ActionButton.tsx'
import { failureWords, isPassing } from './failureWords.ts'
import { StatePage } from './StatePage.tsx'

/** base/selfRetry.ts repeats what has failed for a passing reason. */
const words = (error: Error): string =>
  isPassing(error) ? `${failureWords(error).replace(/\.$/, '')}. Повторим сами.` : failureWords(error)

interface Props {
  /** What failed: 'Не удалось загрузить задачи'. */
  title?: string
  /** The exception in words. */
  error?: unknown
  onRetry?: () => void
  retrying?: boolean
}

/** A part of a page that could not be loaded, with a retry. */
export function ErrorState({ title = 'Не удалось загрузить данные', error, onRetry, retrying }: Props) {
  return (
    <div role="alert">
      <StatePage
        size="block"
        icon={IconAlertTriangle}
        title={title}
        text={error instanceof Error ? words(error) : undefined}
        actions={
          onRetry && (
            <ActionButton label="Повторить" variant="default" loading={retrying} icon={IconRefresh} onClick={onRetry} />
          )
        }
      />
    </div>
  )
}
