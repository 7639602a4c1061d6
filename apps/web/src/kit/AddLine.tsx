import type { ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { ActionButton } from './ActionButton.tsx'

interface Props extends Omit<ButtonProps, 'children' | 'onClick'> {
  label: ReactNode
  'aria-label'?: string
  title?: string
  /** Draws the new line at once. */
  onAdd: () => void
}

/** Adds a line to those before it, and one goes on in it: the caret stands in its first field. */
export const AddLine = ({ onAdd, ...button }: Props) => (
  <ActionButton
    size="compact-sm"
    variant="default"
    icon={IconPlus}
    {...button}
    onClick={(event) => goOnIn(event.currentTarget, onAdd)}
  />
)

const AROUND = 'section, fieldset, form, [role="dialog"], main'
const FIELDS = 'input:not([type="hidden"], [type="file"]), textarea'

/**
 * Adds something to what holds `from`, and puts the caret into the first field that was not there before.
 * @param add draws it at once
 */
export function goOnIn(from: Element | null, add: () => void): void {
  const around = from?.closest(AROUND) ?? document.body
  const fields = () => [...around.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)]
  const before = new Set(fields())
  flushSync(add)
  const first = fields().find((field) => !before.has(field))
  first?.focus()
  first?.select()
}
