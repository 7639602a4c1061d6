import { wrongDates } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import type { Dates } from './useCalendarTasks.ts'

interface Props {
  name: string
  dates: Dates
  /** Returns true if saved. */
  onSave: (dates: Dates) => Promise<boolean>
  onClose: () => void
}

/** «Перенести»: dates of a task without dragging. */
export function Reschedule({ name, dates, onSave, onClose }: Props) {
  const [{ dateStart, dateEnd }, setDates] = useState<Dates>({ dateStart: dates.dateStart, dateEnd: dates.dateEnd })
  const sound = [dateStart, dateEnd].every((value) => value === null || isMoment(value))
  const wrong = sound ? wrongDates({ dateStart, dateEnd }) : undefined
  return (
    <ActionDialog
      title="Перенести задачу"
      size={440}
      action="Перенести"
      disabled={!sound || wrong !== undefined}
      run={() => onSave({ dateStart, dateEnd })}
      onClose={onClose}
    >
      <div>{name}</div>
      <DateTimeField
        label="Начало"
        value={dateStart}
        onChange={(value) => setDates({ dateStart: value, dateEnd })}
        defaultTime="09:00"
      />
      <DateTimeField
        label="Срок"
        value={dateEnd}
        error={wrong}
        onChange={(value) => setDates({ dateStart, dateEnd: value })}
        defaultTime="18:00"
      />
    </ActionDialog>
  )
}
