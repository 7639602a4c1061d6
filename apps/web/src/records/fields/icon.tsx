import { iconLabels, isIconName } from '@ordinator/model/icons'
import { IconPicker } from '#kit/IconPicker.tsx'
import { NamedIcon } from '#kit/NamedIcon.tsx'
import type { CellProps, FieldUi, InputProps } from './ui.ts'

const words = (value: unknown) => (isIconName(value) ? iconLabels[value] : '')

const IconCell = ({ value }: CellProps) =>
  isIconName(value) ? (
    <span role="img" aria-label={words(value)} title={words(value)}>
      <NamedIcon name={value} />
    </span>
  ) : null

const IconChoice = ({ f, value, onChange, readOnly }: InputProps) => (
  <IconPicker label={f.options.label} value={value as string | null} onChange={onChange} disabled={readOnly} />
)

export const icon: FieldUi = { Input: IconChoice, Cell: IconCell, text: words, width: 80 }
