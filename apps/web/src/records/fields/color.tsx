import { ColorSwatch } from '@mantine/core'
import { colorName } from '#kit/color.ts'
import { lateInput } from './lateInput.tsx'
import { type CellProps, type FieldUi, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : colorName(String(value)))

const ColorCell = ({ value }: CellProps) =>
  isEmpty(value) ? null : (
    <ColorSwatch color={String(value)} size={18} title={words(value)} role="img" aria-label={words(value)} />
  )

export const color: FieldUi = {
  Input: lateInput('ColorChoice'),
  Cell: ColorCell,
  text: words,
  width: 80,
  noColumn: true,
}
