import { Popover as Floating, type PopoverProps } from '@mantine/core'
import { useInnermost } from './innermost.ts'

interface Props extends Omit<PopoverProps, 'closeOnEscape' | 'onClose' | 'onOpen'> {
  opened: boolean
  onChange: (opened: boolean) => void
}

/**
 * A popover of a button: the focus moves in and returns, Escape closes the topmost layer. Mantine's own would close on
 * every Escape inside, even while a list in it is open.
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
