import type { ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { ActionButton } from './ActionButton.tsx'

interface Props extends Omit<ButtonProps, 'children' | 'onClick'> {
  label: ReactNode
  'aria-label'?: string
  title?: string
  /** Must render the new line synchronously. */
  onAdd: () => void
}

/** Adds a line after the others and focuses its first field. */
export const AddLine = ({ onAdd, ...button }: Props) => (
  <ActionButton
    size="compact-sm"
    variant="default"
    icon={IconPlus}
    {...button}
    onClick={(event) => addAndFocus(event.currentTarget, onAdd)}
  />
)

const AROUND = 'section, fieldset, form, [role="dialog"], main'
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea'

/**
 * Adds something to the container of `from`, and focuses the first new field.
 * @param add renders it synchronously
 */
export function addAndFocus(from: Element | null, add: () => void): void {
  const around = from?.closest(AROUND) ?? document.body
  const fields = () => [...around.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)]
  const before = new Set(fields())
  flushSync(add)
  const first = fields().find((field) => !before.has(field))
  first?.focus()
  first?.select()
}
