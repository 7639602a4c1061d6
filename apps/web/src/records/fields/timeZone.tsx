import { lateInput } from './lateInput.tsx'
import type { CellProps, FieldUi } from './ui.ts'

const words = (value: unknown) => String(value ?? '')

const ZoneCell = ({ value }: CellProps) => <span>{words(value)}</span>

export const timeZone: FieldUi = { Input: lateInput('ZoneField'), Cell: ZoneCell, text: words, width: 180 }
