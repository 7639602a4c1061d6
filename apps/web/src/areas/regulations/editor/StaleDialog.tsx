import { Text } from '@mantine/core'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatHuman } from '#kit/clock.ts'
import { differencesOf, type RegulationDraft } from './draft.ts'

interface Props {
  mine: RegulationDraft
  theirs: RegulationDraft
  /** Time of the other save. */
  when: string
  onMine: () => Promise<unknown>
  onTheirs: () => void
  onClose: () => void
}

/** Edit conflict: differences, and the choice between both versions. */
export function StaleDialog({ mine, theirs, when, onMine, onTheirs, onClose }: Props) {
  const differs = differencesOf(mine, theirs)
  return (
    <ActionDialog
      title="Регламент уже изменили"
      size={520}
      closeOnClickOutside={false}
      cancel="Вернуться к форме"
      more={<ActionButton label="Взять сохранённое" variant="default" onClick={onTheirs} />}
      action="Сохранить моё"
      run={onMine}
      onClose={onClose}
    >
      <Text mb={8} className="breaks">
        Другой сотрудник сохранил регламент: {formatHuman(when)}. Выберите, что оставить.
      </Text>
      {differs.length > 0 && (
        <Text mb={8} className="breaks">
          Отличаются: {differs.join(', ')}.
        </Text>
      )}
    </ActionDialog>
  )
}
