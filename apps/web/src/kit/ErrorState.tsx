import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { ActionButton } from './ActionButton.tsx'
import { StatePage } from './StatePage.tsx'

interface Props {
  /** What failed: 'Не удалось загрузить задачи'. */
  title?: string
  /** The exception; its message is shown. */
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
        text={error instanceof Error ? error.message : undefined}
        actions={
          onRetry && (
            <ActionButton label="Повторить" variant="default" loading={retrying} icon={IconRefresh} onClick={onRetry} />
          )
        }
      />
    </div>
  )
}
