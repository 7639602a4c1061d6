import { Alert, Text } from '@mantine/core'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { uiOf } from '#records/fields/registry.ts'
import type { LeadRow, StageRow, WithMove } from './stageMove.ts'

interface Props {
  lead: Pick<LeadRow, 'title' | 'price'>
  stage: StageRow
  /** undefined: cancelled, the deal does not move. */
  onAnswer: (won?: WithMove) => void
}

/** Confirms a won deal with its sum, against accidental moves and missing sums. */
export function WinDialog({ lead, stage, onAnswer }: Props) {
  const [price, setPrice] = useState<unknown>(lead.price)
  const f = Lead.fields.price
  const Input = uiOf(f).Input
  const checked = price === null ? undefined : f.check(price)
  const isEmpty = !price
  return (
    <ActionDialog
      title={`«${lead.title}» → ${stage.name}`}
      action={isEmpty ? 'Завершить без суммы' : 'Завершить сделку'}
      faults={{ price: checked && !checked.ok && checked.message }}
      run={() => onAnswer(price === lead.price ? {} : { price: price as number | null })}
      onClose={onAnswer}
    >
      {(errorOf) => (
        <>
          {Input && (
            <Input
              entity={Lead}
              name="price"
              f={f}
              label="Сумма сделки"
              value={price}
              onChange={setPrice}
              error={errorOf('price')}
              autoFocus
            />
          )}
          {isEmpty ? (
            <Alert color="yellow" variant="light">
              У сделки нет суммы: в аналитике она будет выиграна на 0 ₽.
            </Alert>
          ) : (
            <Text size="sm">Сделка закроется как успешная.</Text>
          )}
        </>
      )}
    </ActionDialog>
  )
}
