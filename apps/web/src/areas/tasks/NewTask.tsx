import { Select, TextInput } from '@mantine/core'
import { Board } from '@ordinator/model/areas/tasks/board'
import { Assigned, Task, wrongDates } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { notify } from '#kit/notify.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRecord } from '#records/reads.ts'
import type { ColumnRow } from './board/useBoardData.ts'
import type { Dates } from './calendar/useCalendarTasks.ts'
import { useMakeTask } from './newTask.ts'

interface Props {
  /** Columns of the open board; absent: asks for a workspace, and uses its column for new tasks. */
  columns?: readonly ColumnRow[]
  dates?: Dates
  onClose: () => void
}

/** New task: name, place, dates. */
export function NewTask({ columns, dates = { dateStart: null, dateEnd: null }, onClose }: Props) {
  const [name, setName] = useState('')
  const [idColumn, setColumn] = useState<number | null>(columns?.[0]?.id ?? null)
  const [{ dateStart, dateEnd }, setDates] = useState(dates)
  const makeTask = useMakeTask()
  const client = useQueryClient()
  const wrong = wrongDates({ dateStart, dateEnd })
  return (
    <ActionDialog
      title="Новая задача"
      size={440}
      action="Создать"
      disabled={!name.trim() || !idColumn || wrong !== undefined}
      run={async () => {
        const task = { name: name.trim(), idColumn: idColumn as number, dateStart, dateEnd }
        const made = await makeTask(task, true)
        for (const { path } of [Task, Assigned]) void invalidateRecords(client, path)
        if (!made?.opened) notify.success('Задача создана')
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Название"
            required
            data-autofocus
            maxLength={255}
            value={name}
            error={errorOf('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {columns ? (
            <Select
              label="Колонка"
              data={columns.map((one) => ({ value: String(one.id), label: one.name }))}
              value={idColumn === null ? null : String(idColumn)}
              onChange={(chosen) => setColumn(Number(chosen))}
            />
          ) : (
            <Space error={errorOf('idColumn')} onColumn={setColumn} />
          )}
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

function Space({ error, onColumn }: { error?: string; onColumn: (idColumn: number | null) => void }) {
  const [idBoard, setIdBoard] = useState<number | null>(null)
  const { data: board } = useRecord(Board, idBoard ?? undefined, { fields: ['idColumnNew'] }, { forbidden: 'silent' })
  const idColumn = board?.idColumnNew ?? null
  useEffect(() => onColumn(idColumn), [idColumn, onColumn])
  return (
    <RefSelect
      to={Board.path}
      label="Рабочее пространство"
      required
      value={idBoard}
      error={board && idColumn === null ? 'В этом пространстве нет колонки для новых задач' : error}
      onChange={setIdBoard}
    />
  )
}
