import { Select } from '@mantine/core'
import { wrongDates } from '@ordinator/model/areas/tasks/task'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { notify } from '#kit/notify.tsx'
import { useTasksAddress } from '../address.ts'
import { useTemplateCalls } from './calls.ts'

interface Props {
  template: { id: number; name: string; idColumn: number }
  columns: readonly { id: number; name: string }[]
  onClose: () => void
  /** Called after the task was created and opened. */
  onCreated?: () => void
}

const wrongMoment = 'Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ'

/** Creates a task from a template: column and due date. */
export function CreateFromTemplate({ template, columns, onClose, onCreated }: Props) {
  const [, setAddress] = useTasksAddress()
  const { createFrom, removeMade } = useTemplateCalls()
  const [column, setColumn] = useState(template.idColumn)
  const [dateStart, setStart] = useState<string | null>(null)
  const [dateEnd, setEnd] = useState<string | null>(null)
  const faultOf = (date: string | null) => (date && !isMoment(date) ? wrongMoment : undefined)
  const order = isMoment(dateStart) && isMoment(dateEnd) ? wrongDates({ dateStart, dateEnd }) : undefined
  const create = async () => {
    const made = await createFrom(template.id, { idColumn: column, dateStart, dateEnd })
    if (!made) return false
    onClose()
    onCreated?.()
    setAddress({ assignedColumn: made.main.assigned[0]?.id })
    const all = [made.main, ...made.subtasks].map((task) => task.id)
    notify.undo(`Создана задача «${made.main.name}»`, async () => {
      setAddress({ assignedColumn: undefined })
      await removeMade(all)
    })
  }
  return (
    <ActionDialog
      title="Задача из шаблона"
      size={440}
      action="Создать"
      disabled={Boolean(faultOf(dateStart) || faultOf(dateEnd) || order)}
      run={create}
      onClose={onClose}
    >
      <div>{template.name}</div>
      <Select
        label="Колонка"
        data={columns.map((one) => ({ value: String(one.id), label: one.name }))}
        value={String(column)}
        onChange={(value) => setColumn(Number(value))}
      />
      <DateTimeField
        label="Начало"
        defaultTime="09:00"
        value={dateStart}
        error={faultOf(dateStart)}
        onChange={setStart}
      />
      <DateTimeField
        label="Срок"
        description="Сроки подзадач сдвинутся на столько же"
        defaultTime="18:00"
        value={dateEnd}
        error={faultOf(dateEnd) ?? order}
        onChange={setEnd}
      />
    </ActionDialog>
  )
}
