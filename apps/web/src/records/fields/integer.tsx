import { formatNumber } from '@ordinator/model/format'
import { NumberField } from '#kit/NumberField.tsx'
import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatNumber(value as number))

const IntegerCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

/** Limits are validated with the form, with messages; typing is not corrected. */
const IntegerField = (props: InputProps) => (
  <NumberField
    {...inputFrame(props)}
    value={props.value as number | string | null | undefined}
    onChange={props.onChange}
    inputMode="numeric"
  />
)

export const integer: FieldUi = {
  Input: IntegerField,
  Cell: IntegerCell,
  text: words,
  ask: { Input: AskNumber, text: (value) => words(Number(value)) },
  align: 'right',
  width: 110,
}
