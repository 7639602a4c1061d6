import { Textarea } from '@mantine/core'
import { LossReason } from '@ordinator/model/areas/sales/lead'
import { FormDialog } from '#kit/FormDialog.tsx'
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
export const LossDialog = ({ lead, stage, onAnswer }: Props) => (
  <FormDialog
    title={`«${lead.title}» → ${stage.name}`}
    action="Отметить отказ"
    danger
    draft={{ idLossReason: null as number | null, lossNote: '' }}
    required={{ idLossReason: 'Укажите причину отказа', lossNote: 'Поясните причину отказа' }}
    send={async (loss) => onAnswer(loss)}
    onClose={onAnswer}
  >
    {({ text, value }) => (
      <>
        <RefSelect to={LossReason.path} label="Причина отказа" required autoFocus {...value('idLossReason')} />
        <Textarea
          label="Пояснение"
          withAsterisk
          autosize
          minRows={3}
          maxRows={8}
          maxLength={MAX_NOTE}
          placeholder="Что сказал клиент, можно ли вернуться к разговору"
          {...text('lossNote')}
        />
      </>
    )}
  </FormDialog>
)
