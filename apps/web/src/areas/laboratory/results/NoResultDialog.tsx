import { Textarea } from '@mantine/core'
import type { MatrixAnalyte } from '@ordinator/model/areas/laboratory/calls'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import type { Cell } from './cell.ts'

/** Declares that the measurement gave nothing, with the reason that the form will show. */
export function NoResultDialog({
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
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title={`Нет результата: ${analyte.name}`}
      action="Записать"
      faults={{ values: !reason.trim() && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/results/enter',
          { body: { values: [{ idItem: cell.idItem, idAnalyte: analyte.id, value: reason, noResult: true }] } },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Записано: результата нет')
      }}
    >
      {(errorOf) => (
        <Textarea
          label="Почему результата нет"
          description="Напечатается на бланке"
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          error={errorOf('values')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
