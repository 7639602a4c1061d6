import { Select, TextInput } from '@mantine/core'
import { formatDate } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import type { AskProps, FieldAsk } from './ui.ts'

/** Shared inputs and texts of list conditions, for the field types. */

export const askLabel = { 'aria-label': 'Значение' }

interface YesNoProps extends Omit<AskProps, 'f'> {
  yes: string
  no: string
}

export const YesNo = ({ value, onChange, yes, no }: YesNoProps) => (
  <Select
    {...askLabel}
    data={[
      { value: '1', label: yes },
      { value: '0', label: no },
    ]}
    value={value === '0' || value === 'false' ? '0' : '1'}
    onChange={(next) => onChange(next ?? '1')}
  />
)

/** For types without an input of their own. */
export const AskText = ({ value, onChange }: AskProps) => (
  <TextInput {...askLabel} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
)

/** A comma is typed and a point is sent; a whole number has neither. */
export const AskNumber = ({ value, onChange }: AskProps) => (
  <TextInput
    {...askLabel}
    value={value}
    inputMode="decimal"
    onChange={(event) => onChange(event.currentTarget.value.replace(',', '.'))}
  />
)

const AskDay = ({ value, onChange }: AskProps) => (
  <DateField {...askLabel} value={value} onChange={(next) => onChange(next ?? '')} />
)

export const dayCondition: FieldAsk = { Input: AskDay, text: formatDate }
