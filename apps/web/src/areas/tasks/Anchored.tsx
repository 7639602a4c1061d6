import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** Where it hangs; undefined: closed. */
  rect: DOMRect | undefined
  onClose: () => void
  width?: number
  label: string
  children: ReactNode
}

/** A popover at a place of the screen: one for all cards of a board instead of one in each. */
export function Anchored({ rect, onClose, width = 280, label, children }: Props) {
  return (
    <Popover
      opened={rect !== undefined}
      onChange={(opened) => !opened && onClose()}
      onDismiss={onClose}
      width={width}
      position="bottom-start"
      withinPortal
      trapFocus
      returnFocus={false}
      shadow="md"
    >
      <Popover.Target>
        <span
          style={{
            position: 'fixed',
            pointerEvents: 'none',
            left: rect?.left ?? 0,
            top: rect?.top ?? 0,
            width: rect?.width ?? 0,
            height: rect?.height ?? 0,
          }}
        />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {rect && children}
      </Popover.Dropdown>
    </Popover>
  )
}
