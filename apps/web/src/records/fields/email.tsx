import { TextInput } from '@mantine/core'
import { asPasted, type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const EmailCell = ({ value }: CellProps) => (isEmpty(value) ? null : <span title={String(value)}>{String(value)}</span>)

function EmailField(props: InputProps) {
  return (
    <TextInput
      {...inputFrame(props)}
      type="text"
      inputMode="email"
      autoComplete="off"
      value={String(props.value ?? '')}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

export const email: FieldUi = {
  Input: EmailField,
  Cell: EmailCell,
  text: (value) => String(value ?? ''),
  width: 200,
  pasted: asPasted,
}
