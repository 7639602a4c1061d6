import { Select } from '@mantine/core'
import type { AnyField } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown, f: AnyField) => (isEmpty(value) ? '' : (labelsOf(f)[String(value)] ?? String(value)))

const ChoiceCell = ({ value, f }: CellProps) => <span>{words(value, f)}</span>

function ChoiceField(props: InputProps) {
  const { f, value, onChange, readOnly } = props
  const data = Object.entries(labelsOf(f)).map(([key, label]) => ({ value: key, label }))
  return (
    <Select
      {...inputFrame(props)}
      data={data}
      value={isEmpty(value) ? null : String(value)}
      onChange={onChange}
      allowDeselect={false}
      clearable={f.nullable && !readOnly}
      searchable={data.length > 8}
      maxDropdownHeight={320}
    />
  )
}

export const choice: FieldUi = { Input: ChoiceField, Cell: ChoiceCell, text: words, width: 160 }
