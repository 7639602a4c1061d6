import type { AnyField } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { lateInput } from './lateInput.tsx'
import { type CellProps, type FieldUi, itemsOf } from './ui.ts'

const words = (value: unknown, f: AnyField) =>
  itemsOf(value)
    .map((one) => labelsOf(f)[one] ?? one)
    .join(', ')

const ListCell = ({ value, f }: CellProps) => <span title={words(value, f)}>{words(value, f)}</span>

export const list: FieldUi = { Input: lateInput('ListField'), Cell: ListCell, text: words, width: 220 }
