import { IconCheck } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import type { DraftState } from './recordDraft.ts'
import classes from './SaveState.module.css'

interface Props {
  state: Pick<DraftState<never>, 'status'>
  onRetry: () => void
}

/** Whether the input of an open card is saved. */
export function SaveState({ state, onRetry }: Props) {
  return (
    <span className={classes.state} role="status" data-failed={state.status === 'failed' || undefined}>
      {state.status === 'saved' && (
        <>
          <IconCheck size={14} aria-hidden /> Сохранено
        </>
      )}
      {(state.status === 'typing' || state.status === 'saving') && 'Сохраняется…'}
      {state.status === 'failed' && (
        <>
          Не сохранено
          <ActionButton label="Повторить" size="compact-xs" variant="subtle" onClick={onRetry} />
        </>
      )}
    </span>
  )
}
