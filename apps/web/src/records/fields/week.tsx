import { type WorkingHours, weekText } from '@ordinator/model/hours'
import { lateInput } from './lateInput.tsx'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : weekText(value as WorkingHours))

const WeekCell = ({ value }: CellProps) => <span title={words(value)}>{words(value)}</span>

export const week: FieldUi = { Input: lateInput('WeekField'), Cell: WeekCell, text: words, width: 260, wide: true }
