import { TimeZoneSelect } from '#kit/TimeZoneSelect.tsx'
import { type CellProps, type FieldUi, type InputProps, kitFrame } from './ui.ts'

const words = (value: unknown) => String(value ?? '')

const ZoneCell = ({ value }: CellProps) => <span>{words(value)}</span>

const ZoneField = (props: InputProps) => (
  <TimeZoneSelect
    {...kitFrame(props)}
    value={(props.value as string | null) || null}
    onChange={props.onChange}
    clearable={props.f.nullable}
  />
)

export const timeZone: FieldUi = { Input: ZoneField, Cell: ZoneCell, text: words, width: 180 }
