import { Select, TextInput } from '@mantine/core'
import { formatDate } from '../../kit/clock.ts'
import { DateField } from '../../kit/DateField.tsx'
import type { AskProps, FieldAsk } from './ui.ts'

/** How conditions of a list are put together and told, where types of fields share it. */

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

/** Where a type has no input of its own. */
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

export const askedByDay: FieldAsk = { Input: AskDay, text: formatDate }
