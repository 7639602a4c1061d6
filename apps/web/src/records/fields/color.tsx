import { ColorSwatch } from '@mantine/core'
import { ColorField } from '#kit/ColorField.tsx'
import { colorName } from '#kit/color.ts'
import { type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : colorName(String(value)))

const ColorCell = ({ value }: CellProps) =>
  isEmpty(value) ? null : (
    <ColorSwatch color={String(value)} size={18} title={words(value)} role="img" aria-label={words(value)} />
  )

const ColorChoice = ({ f, value, onChange, error, readOnly }: InputProps) => (
  <ColorField
    label={f.options.label}
    value={value as string | null}
    onChange={onChange}
    error={typeof error === 'string' ? error : undefined}
    disabled={readOnly}
  />
)

export const color: FieldUi = { Input: ColorChoice, Cell: ColorCell, text: words, width: 80, noColumn: true }
