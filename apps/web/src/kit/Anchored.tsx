import type { ComponentProps, ReactNode } from 'react'
import { Popover } from './Popover.tsx'

interface Props {
  /** Position of the anchor; undefined: closed. */
  rect: DOMRect | undefined
  onClose: () => void
  width?: number
  label: string
  children: ReactNode
}

/** A popover at a screen position: one for all cards of a board instead of one per card. */
export function Anchored({ rect, onClose, width = 280, label, children }: Props) {
  return (
    <Popover
      opened={rect !== undefined}
      onChange={(opened) => !opened && onClose()}
      onDismiss={onClose}
      width={width}
      position="bottom-start"
      returnFocus={false}
      shadow="md"
    >
      <Popover.Target>
        <Spot rect={rect} label={label} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {rect && children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** An invisible target at a screen position; the popover is labelled by it. */
export function Spot({
  rect,
  label,
  ...rest
}: { rect: DOMRect | undefined; label: string } & ComponentProps<'button'>) {
  const { left = 0, top = 0, width = 0, height = 0 } = rect ?? {}
  return (
    <button
      {...rest}
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      aria-label={label}
      style={{ position: 'fixed', left, top, width, height, padding: 0, border: 0, opacity: 0, pointerEvents: 'none' }}
    />
  )
}
