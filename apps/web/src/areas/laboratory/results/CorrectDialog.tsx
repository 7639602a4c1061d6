import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { MatrixAnalyte } from '@ordinator/model/areas/laboratory/calls'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { messages } from '@ordinator/model/messages'
import { api } from '#base/api.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import type { Cell } from './cell.ts'

export function CorrectDialog({
  cell,
  analyte,
  onDone,
  onClose,
}: {
  cell: Cell
  analyte: MatrixAnalyte
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const published = valueWords(cell.value ?? '')
  return (
    <FormDialog
      title={`Исправление: ${analyte.name}`}
      action="Исправить"
      draft={{ value: published, noResult: cell.kind === 'none', reason: '' }}
      required={{ value: messages.required, reason: messages.required }}
      onClose={onClose}
      send={async ({ value, noResult, reason }) => {
        await api(
          'POST /laboratory/results/:id/correct',
          { params: { id: cell.idResult as number }, body: { value, reason, ...(noResult && { noResult }) } },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Значение исправлено, прежнее сохранено')
      }}
    >
      {({ text, draft, set }) => (
        <VStack gap={12}>
          <span>
            Опубликовано <b>{published}</b> {cell.unit}: останутся оба значения. Посчитанное из него пересчитается.
          </span>
          <TextInput
            label={draft.noResult ? 'Почему результата нет' : 'Верное значение'}
            data-autofocus
            maxLength={1000}
            {...text('value')}
          />
          <Checkbox
            label="Результата нет: измерить не удалось"
            checked={draft.noResult}
            onChange={(event) => set({ noResult: event.currentTarget.checked, value: '' })}
          />
          <Textarea label="Причина" autosize minRows={2} maxLength={500} {...text('reason')} />
        </VStack>
      )}
    </FormDialog>
  )
}
