import { Select, TextInput } from '@mantine/core'
import { Task, wrongDates } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { DateTimeField } from '../../../kit/DateTimeField.tsx'
import { notify } from '../../../kit/notify.tsx'
import { useSave } from '../../../records/writes.ts'
import type { ColumnRow } from '../board/useBoardData.ts'
import type { Dates } from './useCalendarTasks.ts'

interface Props {
  columns: readonly ColumnRow[]
  dates: Dates
  onClose: () => void
}

/** A new task on the days that were chosen. */
export function NewTask({ columns, dates, onClose }: Props) {
  const [name, setName] = useState('')
  const [column, setColumn] = useState(columns[0] ? String(columns[0].id) : null)
  const [{ dateStart, dateEnd }, setDates] = useState(dates)
  const save = useSave(Task, { toast: false })
  const wrong = wrongDates({ dateStart, dateEnd })
  return (
    <ActionDialog
      title="Новая задача"
      size={440}
      action="Создать"
      disabled={!name.trim() || !column || wrong !== undefined}
      run={async () => {
        await save.mutateAsync({ name: name.trim(), idColumn: Number(column), dateStart, dateEnd })
        notify.success('Задача создана')
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Название"
            required
            maxLength={255}
            value={name}
            error={errorOf('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Колонка"
            allowDeselect={false}
            data={columns.map((one) => ({ value: String(one.id), label: one.name }))}
            value={column}
            onChange={setColumn}
          />
          <DateTimeField
            label="Начало"
            value={dateStart}
            onChange={(value) => setDates({ dateStart: value, dateEnd })}
            defaultTime="09:00"
          />
          <DateTimeField
            label="Срок"
            value={dateEnd}
            error={wrong ?? errorOf('dateEnd')}
            onChange={(value) => setDates({ dateStart, dateEnd: value })}
            defaultTime="18:00"
          />
        </>
      )}
    </ActionDialog>
  )
}
