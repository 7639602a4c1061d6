import type { AnyField } from '@ordinator/model/entity'
import { formatDateTime } from '#kit/clock.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { dayCondition } from './ask.tsx'
import { type AnyRow, type CellProps, type FieldUi, type InputProps, isEmpty, kitFrame } from './ui.ts'

const words = (value: unknown, f: AnyField, row?: AnyRow) =>
  isEmpty(value) ? '' : formatDateTime(String(value), branchOf(f, row)) || String(value)

/** The time zone of the record's branch, if it was expanded. */
function branchOf({ clock }: AnyField, row: AnyRow | undefined): string | undefined {
  let found: unknown = clock && row
  for (const step of clock?.split('.') ?? []) found = (found as AnyRow | null | undefined)?.[step]
  return found as string | undefined
}

const DateTimeCell = ({ value, f, row }: CellProps) => <span className="tabular">{words(value, f, row)}</span>

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
  ask: dayCondition,
  width: 150,
  cardLabel: 'several',
}
