import { Group } from '@mantine/core'
import { BoardColumn } from '@ordinator/model/areas/tasks/board'
import { type FormEvent, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import { wrongNumber } from '#records/fields/wrongNumber.ts'
import { useSave } from '#records/writes.ts'
import type { ColumnRow } from './useBoardData.ts'

const { wipLimit } = BoardColumn.fields

/** Sets the limit of tasks in a column: exceeding it shows a warning. */
export function WipLimit({ column, onClose }: { column: ColumnRow; onClose: () => void }) {
  const save = useSave(BoardColumn)
  const [limit, setLimit] = useState<number | string | null>(column.wipLimit)
  const keep = (most: number | null) => {
    if (most !== column.wipLimit) save.mutate({ id: column.id, wipLimit: most })
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!wrongNumber(wipLimit, limit)) keep(limit as number | null)
  }
  return (
    <VStack
      component="form"
      framed
      mx={8}
      mb={8}
      p={8}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <CheckedNumber
        f={wipLimit}
        label="Предел задач"
        placeholder="Без предела"
        autoFocus
        value={limit}
        onChange={setLimit}
      />
      <Fine component="p">Сверх предела задачи не запрещены: число в заголовке станет жёлтым.</Fine>
      <Group gap={8} justify="flex-end">
        {column.wipLimit !== null && (
          <ActionButton label="Снять" size="compact-sm" variant="subtle" onClick={() => keep(null)} />
        )}
        <ActionButton label="Отмена" size="compact-sm" variant="default" onClick={onClose} />
        <ActionButton label="Сохранить" size="compact-sm" type="submit" />
      </Group>
    </VStack>
  )
}
