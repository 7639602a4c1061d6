import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { LossReason } from '@ordinator/model/areas/sales/lead'
import { type FormEvent, useState } from 'react'
import { RefSelect } from '../../records/fields/RefSelect.tsx'
import type { StageRow, WithMove } from './stageMove.ts'

interface Props {
  lead: { title: string }
  stage: StageRow
  /** undefined: the deal stays where it is. */
  onAnswer: (loss: WithMove | undefined) => void
}

const MAX_NOTE = 2000

/** A loss has a reason and words about it. */
export function LossDialog({ lead, stage, onAnswer }: Props) {
  const [idLossReason, setReason] = useState<number | null>(null)
  const [lossNote, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setTried(true)
    if (idLossReason !== null && lossNote.trim()) onAnswer({ idLossReason, lossNote: lossNote.trim() })
  }
  return (
    <Modal opened onClose={() => onAnswer(undefined)} title={`«${lead.title}» → ${stage.name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <RefSelect
            to={LossReason.path}
            label="Причина отказа"
            required
            value={idLossReason}
            onChange={(id) => setReason(id)}
            error={tried && idLossReason === null ? 'Укажите причину отказа' : undefined}
          />
          <Textarea
            label="Пояснение"
            withAsterisk
            autosize
            minRows={3}
            maxRows={8}
            maxLength={MAX_NOTE}
            placeholder="Что сказал клиент, можно ли вернуться к разговору"
            value={lossNote}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={tried && !lossNote.trim() ? 'Поясните причину отказа' : undefined}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => onAnswer(undefined)}>
              Отмена
            </Button>
            <Button type="submit" color="red">
              Отметить отказ
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
