import { counted } from '@ordinator/model/format'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

/** The content of a JSON value is shown by its screen; here only its size. */
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
