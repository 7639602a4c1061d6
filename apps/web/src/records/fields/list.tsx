import { TagsInput } from '@mantine/core'
import type { AnyField } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { type CellProps, type FieldUi, type InputProps, inputFrame } from './ui.ts'

const itemsOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
const words = (value: unknown, f: AnyField) =>
  itemsOf(value)
    .map((one) => labelsOf(f)[one] ?? one)
    .join(', ')

const ListCell = ({ value, f }: CellProps) => <span title={words(value, f)}>{words(value, f)}</span>

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
