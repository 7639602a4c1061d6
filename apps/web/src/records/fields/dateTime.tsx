import { formatDateTime } from '../../kit/clock.ts'
import { DateTimeField } from '../../kit/DateTimeField.tsx'
import { askedByDay } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatDateTime(String(value)) || String(value))

const DateTimeCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

const MomentField = (props: InputProps) => (
  <DateTimeField
    {...kitFrame(props)}
    value={props.value as string | null}
    onChange={props.onChange}
    onBlur={props.onBlur}
  />
)

export const dateTime: FieldUi = {
  Input: MomentField,
  Cell: DateTimeCell,
  text: words,
  ask: askedByDay,
  width: 150,
}
