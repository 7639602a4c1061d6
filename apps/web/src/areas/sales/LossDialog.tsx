import { Textarea } from '@mantine/core'
import { LossReason } from '@ordinator/model/areas/sales/lead'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import type { StageRow, WithMove } from './stageMove.ts'

interface Props {
  lead: { title: string }
  stage: StageRow
  /** undefined: cancelled, the deal does not move. */
  onAnswer: (loss?: WithMove) => void
}

const MAX_NOTE = 2000

/** Asks for the reason of a loss and a note. */
export function LossDialog({ lead, stage, onAnswer }: Props) {
  const [idLossReason, setReason] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const lossNote = note.trim()
  return (
    <ActionDialog
      title={`«${lead.title}» → ${stage.name}`}
      action="Отметить отказ"
      danger
      faults={{
        idLossReason: idLossReason === null && 'Укажите причину отказа',
        lossNote: !lossNote && 'Поясните причину отказа',
      }}
      run={() => onAnswer({ idLossReason, lossNote })}
      onClose={onAnswer}
    >
      {(errorOf) => (
        <>
          <RefSelect
            to={LossReason.path}
            label="Причина отказа"
            required
            autoFocus
            value={idLossReason}
            onChange={(id) => setReason(id)}
            error={errorOf('idLossReason')}
          />
          <Textarea
            label="Пояснение"
            withAsterisk
            autosize
            minRows={3}
            maxRows={8}
            maxLength={MAX_NOTE}
            placeholder="Что сказал клиент, можно ли вернуться к разговору"
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={errorOf('lossNote')}
          />
        </>
      )}
    </ActionDialog>
  )
}
