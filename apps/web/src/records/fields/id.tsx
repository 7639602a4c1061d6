import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

/** An id has no thousands separators. */
const words = (value: unknown) => (isEmpty(value) ? '' : String(value))

const IdCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

export const id: FieldUi = { Cell: IdCell, text: words, ask: { Input: AskNumber }, align: 'right', width: 90 }
