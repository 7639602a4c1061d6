import { TagsInput } from '@mantine/core'
import { type CellProps, type FieldUi, type InputProps, inputFrame } from './ui.ts'

const itemsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const words = (value: unknown) => itemsOf(value).join(', ')

const ListCell = ({ value }: CellProps) => <span title={words(value)}>{words(value)}</span>

function ListField(props: InputProps) {
  return (
    <TagsInput
      {...inputFrame(props)}
      value={itemsOf(props.value)}
      onChange={props.onChange}
      splitChars={[',', ';']}
      acceptValueOnBlur
      clearable={!props.readOnly}
    />
  )
}

export const list: FieldUi = { Input: ListField, Cell: ListCell, text: words, width: 220 }
