import { Button } from '@mantine/core'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { formatHuman } from '../../../kit/clock.ts'
import { differencesOf, type RegulationDraft } from './draft.ts'
import classes from './StaleDialog.module.css'

interface Props {
  mine: RegulationDraft
  theirs: RegulationDraft
  /** When the other saved. */
  when: string
  onMine: () => Promise<unknown>
  onTheirs: () => void
  onClose: () => void
}

/** A save that another has forestalled: what differs, and which of the two stays. */
export function StaleDialog({ mine, theirs, when, onMine, onTheirs, onClose }: Props) {
  const differs = differencesOf(mine, theirs)
  return (
    <ActionDialog
      title="Регламент уже изменили"
      size={520}
      closeOnClickOutside={false}
      cancel="Вернуться к форме"
      more={
        <Button variant="default" onClick={onTheirs}>
          Взять сохранённое
        </Button>
      }
      action="Сохранить моё"
      run={onMine}
      onClose={onClose}
    >
      <p className={classes.text}>Другой сотрудник сохранил регламент: {formatHuman(when)}. Выберите, что оставить.</p>
      {differs.length > 0 && <p className={classes.text}>Отличаются: {differs.join(', ')}.</p>}
    </ActionDialog>
  )
}
