import { type WorkingHours, weekText } from '@ordinator/model/hours'
import { WeekHours } from '#kit/WeekHours.tsx'
import { type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : weekText(value as WorkingHours))

const WeekCell = ({ value }: CellProps) => <span title={words(value)}>{words(value)}</span>

const WeekField = ({ label, description, error, readOnly, value, onChange, onBlur }: InputProps) => (
  <WeekHours
    label={label}
    description={description}
    error={error}
    readOnly={readOnly}
    value={value as WorkingHours | null}
    onChange={onChange}
    onBlur={onBlur}
  />
)

export const week: FieldUi = { Input: WeekField, Cell: WeekCell, text: words, width: 260, wide: true }
