import { Alert, Checkbox, Text } from '@mantine/core'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { counted, formatMoney } from '@ordinator/model/format'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { uiOf } from '#records/fields/registry.ts'
import type { LeadRow, Offered, StageRow, WithMove } from './stageMove.ts'

const serviceForms = ['услуга', 'услуги', 'услуг'] as const

interface Props {
  lead: Pick<LeadRow, 'title' | 'price'> & { isPriceByHand?: boolean }
  stage: StageRow
  /** Services of its offers that the client has not decided on. */
  offered: Offered
  /** undefined: cancelled, the deal does not move. */
  onAnswer: (won?: { more: WithMove; accept: boolean }) => void
}

/** Confirms a won deal with its sum, against accidental moves and missing sums; accepts what is still offered. */
export function WinDialog({ lead, stage, offered, onAnswer }: Props) {
  const hasOffer = offered.ids.length > 0
  const [accept, setAccept] = useState(hasOffer)
  const [typed, setTyped] = useState<unknown>()
  const own = accept && !lead.isPriceByHand ? ((lead.price ?? 0) * 100 + offered.sum * 100) / 100 : lead.price
  const price = typed === undefined ? own : typed
  const f = Lead.fields.price
  const Input = uiOf(f).Input
  const checked = price === null ? undefined : f.check(price)
  const isEmpty = !price
  return (
    <ActionDialog
      title={`«${lead.title}» → ${stage.name}`}
      action={isEmpty ? 'Завершить без суммы' : 'Завершить сделку'}
      faults={{ price: checked && !checked.ok && checked.message }}
      // The sum of the accepted services is the server's.
      run={() => onAnswer({ accept, more: price === own ? {} : { price: price as number | null } })}
      onClose={() => onAnswer()}
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
              onChange={setTyped}
              error={errorOf('price')}
              autoFocus
            />
          )}
          {hasOffer && (
            <Checkbox
              label={`Клиент принял предложение: ${counted(offered.ids.length, serviceForms)} на ${formatMoney(offered.sum)}`}
              checked={accept}
              onChange={(event) => setAccept(event.currentTarget.checked)}
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
