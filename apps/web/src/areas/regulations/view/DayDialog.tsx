import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '../../../kit/DateField.tsx'
import { isDay } from '../../../kit/dateText.ts'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import { today } from '../day.ts'

interface Props {
  /** `YYYY-MM-DD` that is set already. */
  day: string | null
  busy: boolean
  onConfirm: (day: string) => void
  onClose: () => void
}

/** Asks for the day that an approved version comes into force by itself. */
export function DayDialog({ day, busy, onConfirm, onClose }: Props) {
  useReturnFocus()
  const [value, setValue] = useState(day)
  const [error, setError] = useState<string>()
  const agree = () => {
    if (!value || !isDay(value)) return setError('Обязательное поле')
    if (value <= today()) return setError('Нужен день позже сегодняшнего')
    onConfirm(value)
  }
  return (
    <Modal opened onClose={onClose} title="Когда вступит в силу" size={400} zIndex={300}>
      <DateField
        label="Вступает в силу"
        required
        value={value}
        error={error}
        onChange={(next) => {
          setValue(next)
          setError(undefined)
        }}
      />
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose}>
          Отмена
        </Button>
        <Button loading={busy} onClick={agree}>
          Назначить
        </Button>
      </Group>
    </Modal>
  )
}
