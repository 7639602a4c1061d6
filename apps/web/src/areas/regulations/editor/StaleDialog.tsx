import { Button, Group, Modal } from '@mantine/core'
import { formatHuman } from '@ordinator/model/format'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import { differencesOf, type RegulationDraft } from './draft.ts'
import classes from './StaleDialog.module.css'

interface Props {
  mine: RegulationDraft
  theirs: RegulationDraft
  /** When the other saved. */
  when: string
  saving: boolean
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** A save that another has forestalled: what differs, and which of the two stays. */
export function StaleDialog({ mine, theirs, when, saving, onMine, onTheirs, onClose }: Props) {
  useReturnFocus()
  const differs = differencesOf(mine, theirs)
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title="Регламент уже изменили" size={520} zIndex={300}>
      <p className={classes.text}>Другой сотрудник сохранил регламент: {formatHuman(when)}. Выберите, что оставить.</p>
      {differs.length > 0 && <p className={classes.text}>Отличаются: {differs.join(', ')}.</p>}
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Вернуться к форме
        </Button>
        <Button variant="default" onClick={onTheirs}>
          Взять сохранённое
        </Button>
        <Button loading={saving} onClick={onMine}>
          Сохранить моё
        </Button>
      </Group>
    </Modal>
  )
}
