import { Checkbox, Select, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type CellProps, type FieldUi, type InputProps, inputFrame } from './ui.ts'

const words = (value: unknown) => (value === true ? 'Да' : value === false ? 'Нет' : '')

/** No is the quiet state of a column; only yes is drawn. */
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

export const boolean: FieldUi = { Input: BooleanField, Cell: BooleanCell, text: words, width: 110 }
