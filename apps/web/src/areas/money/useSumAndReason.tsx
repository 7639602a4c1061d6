import { useState } from 'react'
import type { ErrorOf } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { ReasonField } from './ReasonField.tsx'

/** Sum and reason of a manual operation. */
export function useSumAndReason() {
  const [sum, setSum] = useState<number | string | null>(null)
  const [reason, setReason] = useState('')
  const fields = (errorOf: ErrorOf) => (
    <>
      <NumberField label="Сумма" required digits={2} unit="₽" value={sum} error={errorOf('sum')} onChange={setSum} />
      <ReasonField value={reason} error={errorOf('reason')} onChange={setReason} />
    </>
  )
  return { sum, reason, fields }
}
