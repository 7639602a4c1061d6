import { Popover as Floating, type PopoverProps } from '@mantine/core'
import { useInnermost } from './innermost.ts'

interface Props extends Omit<PopoverProps, 'closeOnEscape' | 'onClose' | 'onOpen'> {
  opened: boolean
  onChange: (opened: boolean) => void
}

/**
 * What opens at a button: the focus goes in and comes back, Escape closes the innermost. Mantine's own closes at every
 * Escape that is pressed within, though a list in it stands open.
 */
export function Popover({ attributes, ...props }: Props) {
  const mark = useInnermost(props.opened, () => props.onChange(false))
  return (
    <Floating
      trapFocus
      returnFocus
      {...props}
      closeOnEscape={false}
      attributes={{ ...attributes, dropdown: { ...attributes?.dropdown, ...mark } }}
    />
  )
}

Popover.Target = Floating.Target
Popover.Dropdown = Floating.Dropdown
