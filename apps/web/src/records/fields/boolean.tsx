import { Checkbox, Select, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { YesNo } from './ask.tsx'
import { type AskProps, type CellProps, type FieldAsk, type FieldUi, type InputProps, inputFrame } from './ui.ts'

const words = (value: unknown) => (value === true ? 'Да' : value === false ? 'Нет' : '')

/** Only true is shown in a column. */
const BooleanCell = ({ value }: CellProps) =>
  value === true ? (
    <IconCheck size={18} aria-label="Да" role="img" />
  ) : (
    value === false && <VisuallyHidden>Нет</VisuallyHidden>
  )

function BooleanField(props: InputProps) {
  const { f, value, onChange, label, description, error, readOnly, name } = props
  if (f.nullable)
    return (
      <Select
        {...inputFrame(props)}
        data={[
          { value: '1', label: 'Да' },
          { value: '0', label: 'Нет' },
        ]}
        value={value === true ? '1' : value === false ? '0' : null}
        onChange={(next) => onChange(next === null ? null : next === '1')}
        clearable={!readOnly}
      />
    )
  return (
    <Checkbox
      name={name}
      label={label}
      description={description}
      error={error}
      checked={value === true}
      disabled={readOnly}
      onBlur={props.onBlur}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

const ask: FieldAsk = {
  Input: (props: AskProps) => <YesNo {...props} yes="Да" no="Нет" />,
  first: '1',
  text: (value) => (value === '1' || value === 'true' ? 'Да' : 'Нет'),
}

const booleans: Readonly<Record<string, boolean>> = {
  да: true,
  '1': true,
  '+': true,
  нет: false,
  '0': false,
  '-': false,
}

export const boolean: FieldUi = {
  Input: BooleanField,
  Cell: BooleanCell,
  text: words,
  ask,
  width: 110,
  flag: true,
  cardLabel: 'always',
  pasted: (text) => booleans[text.toLocaleLowerCase('ru')],
}
