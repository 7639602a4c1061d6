import { iconLabels, isIconName } from '@ordinator/model/icons'
import { NamedIcon } from '#kit/NamedIcon.tsx'
import { lateInput } from './lateInput.tsx'
import type { CellProps, FieldUi } from './ui.ts'

const words = (value: unknown) => (isIconName(value) ? iconLabels[value] : '')

const IconCell = ({ value }: CellProps) =>
  isIconName(value) ? (
    <span role="img" aria-label={words(value)} title={words(value)}>
      <NamedIcon name={value} />
    </span>
  ) : null

export const icon: FieldUi = { Input: lateInput('IconChoice'), Cell: IconCell, text: words, width: 80 }
