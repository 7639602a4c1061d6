import { NumberInput } from '@mantine/core'
import { formatNumber } from '@ordinator/model/format'
import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatNumber(value as number))

const IntegerCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

/** The limits are checked with the form, in words; typing is not corrected. */
function IntegerField(props: InputProps) {
  const { f, value, onChange } = props
  const limit = (name: 'min' | 'max') => (typeof f.options[name] === 'number' ? (f.options[name] as number) : undefined)
  return (
    <NumberInput
      {...inputFrame(props)}
      value={isEmpty(value) ? '' : (value as number | string)}
      onChange={(next) => onChange(next === '' ? null : next)}
      allowDecimal={false}
      allowNegative={(limit('min') ?? -1) < 0}
      min={limit('min')}
      max={limit('max')}
      clampBehavior={f.options.clamp ? 'blur' : 'none'}
    />
  )
}

export const integer: FieldUi = {
  Input: IntegerField,
  Cell: IntegerCell,
  text: words,
  ask: { Input: AskNumber, text: (value) => words(Number(value)) },
  align: 'right',
  width: 110,
}
