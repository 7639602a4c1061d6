import { Textarea, TextInput } from '@mantine/core'
import { asPasted, type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const TextCell = ({ value }: CellProps) => (isEmpty(value) ? null : <span title={String(value)}>{String(value)}</span>)

function TextField(props: InputProps) {
  const { value, onChange, f } = props
  const shared = { ...inputFrame(props), value: String(value ?? '') }
  if (f.options.multiline)
    return (
      <Textarea
        {...shared}
        autosize
        minRows={3}
        maxRows={12}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return <TextInput {...shared} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />
}

export const text: FieldUi = {
  Input: TextField,
  Cell: TextCell,
  text: (value) => String(value ?? ''),
  width: 240,
  counted: true,
  quoted: true,
  pasted: asPasted,
}
