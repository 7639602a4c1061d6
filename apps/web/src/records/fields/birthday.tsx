import { DateField } from '#kit/DateField.tsx'
import { askLabel } from './ask.tsx'
import { type AskProps, asPasted, type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

/** DD.MM.YYYY also in wire format (spec §5). */
const words = (value: unknown) => (isEmpty(value) ? '' : String(value))

const BirthdayCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

const BirthdayField = (props: InputProps) => (
  <DateField
    {...kitFrame(props)}
    birthday
    value={props.value as string | null}
    onChange={props.onChange}
    onBlur={props.onBlur}
  />
)

const AskBirthday = ({ value, onChange }: AskProps) => (
  <DateField {...askLabel} birthday value={value} onChange={(next) => onChange(next ?? '')} />
)

export const birthday: FieldUi = {
  Input: BirthdayField,
  Cell: BirthdayCell,
  text: words,
  ask: { Input: AskBirthday },
  width: 120,
  pasted: asPasted,
}
