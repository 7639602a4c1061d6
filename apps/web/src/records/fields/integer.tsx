import type { AnyField } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { NumberField } from '#kit/NumberField.tsx'
import { readNumber } from '#kit/numberText.ts'
import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown, f: AnyField) =>
  isEmpty(value) ? '' : f.options.plain ? String(value) : formatNumber(value as number)

const IntegerCell = ({ f, value }: CellProps) => <span className="tabular">{words(value, f)}</span>

/** Limits are validated with the form, with messages; typing is not corrected. */
const IntegerField = (props: InputProps) => (
  <NumberField
    {...inputFrame(props)}
    value={props.value as number | string | null | undefined}
    onChange={props.onChange}
    inputMode="numeric"
    plain={props.f.options.plain === true}
  />
)

export const integer: FieldUi = {
  Input: IntegerField,
  Cell: IntegerCell,
  text: words,
  ask: { Input: AskNumber, text: (value, f) => words(Number(value), f) },
  align: 'right',
  width: 110,
  pasted: readNumber,
}
