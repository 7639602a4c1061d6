import { Button, Group, Modal, Stack } from '@mantine/core'
import { wrongDates } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { DateTimeField } from '../../../kit/DateTimeField.tsx'
import { isMoment } from '../../../kit/dateText.ts'
import type { Dates } from './useCalendarTasks.ts'

interface Props {
  name: string
  dates: Dates
  /** Answers whether it was saved. */
  onSave: (dates: Dates) => Promise<boolean>
  onClose: () => void
}

/** «Перенести»: the dates of a task by hand, for those who do not drag. */
export function Reschedule({ name, dates, onSave, onClose }: Props) {
  const [{ dateStart, dateEnd }, setDates] = useState<Dates>({ dateStart: dates.dateStart, dateEnd: dates.dateEnd })
  const [saving, setSaving] = useState(false)
  const sound = [dateStart, dateEnd].every((value) => value === null || isMoment(value))
  const wrong = sound ? wrongDates({ dateStart, dateEnd }) : undefined
  return (
    <Modal opened onClose={onClose} title="Перенести задачу" size={440}>
      <form
        onSubmit={async (event) => {
          event.preventDefault()
          if (!sound || wrong) return
          setSaving(true)
          if (await onSave({ dateStart, dateEnd })) onClose()
          else setSaving(false)
        }}
      >
        <Stack>
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Отмена
            </Button>
            <Button type="submit" disabled={!sound || wrong !== undefined} loading={saving}>
              Перенести
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
