import { MultiSelect, Select } from '@mantine/core'
import type { AnyField } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { askLabel } from './ask.tsx'
import {
  type AskProps,
  type CellProps,
  type FieldAsk,
  type FieldUi,
  type InputProps,
  inputFrame,
  isEmpty,
} from './ui.ts'

const words = (value: unknown, f: AnyField) => (isEmpty(value) ? '' : (labelsOf(f)[String(value)] ?? String(value)))

const ChoiceCell = ({ value, f }: CellProps) => <span>{words(value, f)}</span>

function ChoiceField(props: InputProps) {
  const { f, value, onChange, readOnly } = props
  const data = optionsOf(f)
  return (
    <Select
      {...inputFrame(props)}
      data={data}
      value={isEmpty(value) ? null : String(value)}
      onChange={onChange}
      clearable={f.nullable && !readOnly}
      searchable={data.length > 8}
      maxDropdownHeight={320}
    />
  )
}

const optionsOf = (f: AnyField) => Object.entries(labelsOf(f)).map(([key, label]) => ({ value: key, label }))

const AskChoice = ({ f, value, onChange }: AskProps) => (
  <MultiSelect
    {...askLabel}
    data={optionsOf(f)}
    value={value === '' ? [] : value.split(',')}
    onChange={(next) => onChange(next.join(','))}
  />
)

const ask: FieldAsk = {
  Input: AskChoice,
  text: (value, f) =>
    value
      .split(',')
      .map((one) => words(one, f))
      .join(', '),
}

/** Column width in pixels: per letter, padding, minimum and maximum. */
const LETTER = 7.5
const AROUND = 28
const [LEAST, MOST] = [160, 260]

const widthOf = (f: AnyField): number => {
  const longest = Math.max(...Object.values(labelsOf(f)).map((label) => label.length))
  return Math.min(MOST, Math.max(LEAST, Math.round(longest * LETTER + AROUND)))
}

const plain = (text: string): string => text.trim().toLocaleLowerCase('ru').replaceAll('ё', 'е')

export const choice: FieldUi = {
  Input: ChoiceField,
  Cell: ChoiceCell,
  text: words,
  ask,
  width: widthOf,
  pasted: (text, f) => Object.entries(labelsOf(f)).find(([, label]) => plain(label) === plain(text))?.[0],
}
