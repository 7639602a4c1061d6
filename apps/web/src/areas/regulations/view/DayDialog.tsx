import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { today } from '../day.ts'

interface Props {
  /** Current day `YYYY-MM-DD`. */
  day: string | null
  /** Returns true if it was set. */
  onConfirm: (day: string) => Promise<boolean>
  onClose: () => void
}

/** Asks for the day on which an approved version takes effect automatically. */
export function DayDialog({ day, onConfirm, onClose }: Props) {
  const [value, setValue] = useState(day)
  const chosen = value && isDay(value) ? value : ''
  return (
    <ActionDialog
      title="Когда вступит в силу"
      size={400}
      action="Назначить"
      faults={{ day: !chosen ? messages.required : chosen <= today() && 'Нужен день позже сегодняшнего' }}
      run={() => onConfirm(chosen)}
      onClose={onClose}
    >
      {(errorOf) => (
        <DateField label="Вступает в силу" required value={value} error={errorOf('day')} onChange={setValue} />
      )}
    </ActionDialog>
  )
}
