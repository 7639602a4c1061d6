import { Button, Group, NumberInput, Text } from '@mantine/core'
import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import { type FormEvent, useState } from 'react'
import { useSave } from '../../../records/writes.ts'
import type { ColumnRow } from './useBoardData.ts'
import classes from './WipLimit.module.css'

const MAX = 999

/** Sets how many tasks a column should have at most: nothing is refused, the head says when it is passed. */
export function WipLimit({ column, onClose }: { column: ColumnRow; onClose: () => void }) {
  const save = useSave(BoardColumn)
  const [limit, setLimit] = useState<number | string>(column.wipLimit ?? '')
  const keep = (wipLimit: number | null) => {
    if (wipLimit !== column.wipLimit) save.mutate({ id: column.id, wipLimit })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep(Number(limit) || null)
  }
  return (
    <form className={classes.form} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <NumberInput
        label="Предел задач"
        placeholder="Без предела"
        min={1}
        max={MAX}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        autoFocus
        value={limit}
        onChange={setLimit}
      />
      <Text size="xs" c="dimmed">
        Сверх предела задачи не запрещены: число в заголовке станет жёлтым.
      </Text>
      <Group gap={8} justify="flex-end">
        {column.wipLimit !== null && (
          <Button size="compact-sm" variant="subtle" onClick={() => keep(null)}>
            Снять
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Отмена
        </Button>
        <Button size="compact-sm" type="submit">
          Сохранить
        </Button>
      </Group>
    </form>
  )
}
