import { formatDate } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { typedDay } from '#kit/dateText.ts'
import { dayCondition } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatDate(String(value)) || String(value))

const DateCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

const DayField = (props: InputProps) => (
  <DateField
    {...kitFrame(props)}
    value={props.value as string | null}
    onChange={props.onChange}
    onBlur={props.onBlur}
  />
)

export const date: FieldUi = {
  Input: DayField,
  Cell: DateCell,
  text: words,
  ask: dayCondition,
  width: 120,
  cardLabel: 'several',
  pasted: (text) => typedDay(text) ?? undefined,
}
