import type { FormFields } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { ReasonField } from './ReasonField.tsx'

type Fields = FormFields<{ sum: number | null; reason: string }>

/** Sum and reason of a manual operation. */
export const SumAndReason = ({ number, value }: Pick<Fields, 'number' | 'value'>) => (
  <>
    <NumberField label="Сумма" required digits={2} unit="₽" {...number('sum')} />
    <ReasonField {...value('reason')} />
  </>
)

/** Shortest reason of a money operation. */
const MIN_REASON = 3

/** Message for a missing reason. */
export const wrongReason = ({ reason }: { reason: string }) => reason.trim().length < MIN_REASON && 'Укажите причину'
