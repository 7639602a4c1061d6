import { counted } from '@ordinator/model/format'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

/** What a JSON value says is its screen's business; here only how much of it there is. */
const words = (value: unknown) => {
  if (isEmpty(value) || typeof value !== 'object') return ''
  return counted(Array.isArray(value) ? value.length : Object.keys(value as object).length, [
    'значение',
    'значения',
    'значений',
  ])
}

const JsonCell = ({ value }: CellProps) => <span>{words(value)}</span>

export const json: FieldUi = { Cell: JsonCell, text: words, width: 120, noColumn: true }
