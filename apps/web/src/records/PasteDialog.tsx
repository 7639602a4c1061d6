import { Alert, Table } from '@mantine/core'
import type { Create, Entity } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { wordsOf } from './fields/registry.ts'
import { invalidateRecords } from './keys.ts'
import { MAX_PASTED, type SheetRows } from './sheetRows.ts'

interface Props<E extends Entity> {
  entity: E
  pasted: SheetRows
  /** Values of every new record. */
  fixed: Partial<Create<E>>
  onClose: () => void
}

const LINES = ['строка', 'строки', 'строк'] as const
/** Rows and faults that are shown. */
const SHOWN = 20

/** Shows what was pasted from a spreadsheet, and creates all of it at once, or nothing. */
export function PasteDialog<E extends Entity>({ entity, pasted, fixed, onClose }: Props<E>) {
  const cache = useQueryClient()
  const { columns, rows, ignored } = pasted
  const faults = rows.flatMap((row, at) =>
    row.faults.map(({ label, message }) => `Строка ${at + 1}, ${label}: ${message}`),
  )
  if (rows.length > MAX_PASTED) faults.unshift(`За один раз — не больше ${counted(MAX_PASTED, LINES)}`)
  const run = async () => {
    const create = rows.map(({ values }) => ({ ...fixed, ...values }) as Create<E>)
    await recordsWith({ forbidden: 'toast' }).batch(entity, { create })
    await invalidateRecords(cache, entity.path)
    notify.success(`Добавлено: ${counted(rows.length, LINES)}`)
  }
  return (
    <ActionDialog
      title={`Из таблицы: ${counted(rows.length, LINES)}`}
      action="Добавить"
      size="lg"
      disabled={faults.length > 0 || rows.length === 0}
      run={run}
      onClose={onClose}
    >
      <VStack gap={12}>
        {faults.length > 0 && (
          <Alert color="red" variant="light" role="alert" title="Поправьте в таблице и вставьте снова">
            {faults.slice(0, SHOWN).map((fault) => (
              <div key={fault}>{fault}</div>
            ))}
            {faults.length > SHOWN && <div>И ещё: {faults.length - SHOWN}</div>}
          </Alert>
        )}
        {ignored.length > 0 && <Fine>Пропущены столбцы: {ignored.join(', ')}</Fine>}
        <Table.ScrollContainer minWidth={columns.length * 120} maxHeight={320}>
          <Table aria-label="Что вставится">
            <Table.Thead>
              <Table.Tr>
                {columns.map((name) => (
                  <Table.Th key={name}>{entity.fields[name]?.options.label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(0, SHOWN).map(({ values }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pasted rows have no other name
                <Table.Tr key={at}>
                  {columns.map((name) => {
                    const f = entity.fields[name]
                    return <Table.Td key={name}>{f && values[name] !== undefined && wordsOf(f, values[name])}</Table.Td>
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {rows.length > SHOWN && <Fine>Показаны первые {SHOWN}</Fine>}
      </VStack>
    </ActionDialog>
  )
}
