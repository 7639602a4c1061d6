import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { MatrixAnalyte } from '@ordinator/model/areas/laboratory/calls'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
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
  const [value, setValue] = useState(published)
  const [noResult, setNoResult] = useState(cell.kind === 'none')
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title={`Исправление: ${analyte.name}`}
      action="Исправить"
      faults={{ value: !value.trim() && messages.required, reason: !reason.trim() && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/results/:id/correct',
          { params: { id: cell.idResult as number }, body: { value, reason, ...(noResult && { noResult }) } },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Значение исправлено, прежнее сохранено')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            Опубликовано <b>{published}</b> {cell.unit}: останутся оба значения. Посчитанное из него пересчитается.
          </span>
          <TextInput
            label={noResult ? 'Почему результата нет' : 'Верное значение'}
            required
            data-autofocus
            maxLength={1000}
            value={value}
            error={errorOf('value')}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Checkbox
            label="Результата нет: измерить не удалось"
            checked={noResult}
            onChange={(event) => {
              setNoResult(event.currentTarget.checked)
              setValue('')
            }}
          />
          <Textarea
            label="Причина"
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
