import { formatNumber } from '@ordinator/model/format'
import { NumberField } from '#kit/NumberField.tsx'
import { readNumber } from '#kit/numberText.ts'
import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatNumber(value as number))

const DecimalCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

export function DecimalField({ unit, digits, ...props }: InputProps & { unit?: string; digits?: number }) {
  const { value, onChange } = props
  return (
    <NumberField
      {...inputFrame(props)}
      value={value as number | string | null | undefined}
      onChange={onChange}
      unit={unit}
      digits={digits}
    />
  )
}

export const decimal: FieldUi = {
  Input: DecimalField,
  Cell: DecimalCell,
  text: words,
  ask: { Input: AskNumber, text: (value) => words(Number(value)) },
  align: 'right',
  width: 130,
  pasted: readNumber,
}
