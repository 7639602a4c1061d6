import { type DrawerProps, Drawer as Sliding } from '@mantine/core'
import { useInnermost } from './innermost.ts'

/** What slides in from the side on a phone. A record or a form opens in a `SidePanel`. */
export function Drawer({ attributes, ...props }: Omit<DrawerProps, 'closeOnEscape'>) {
  const mark = useInnermost(props.opened, props.onClose)
  return (
    <Sliding
      closeOnClickOutside
      {...props}
      closeOnEscape={false}
      attributes={{ ...attributes, content: { ...attributes?.content, ...mark } }}
    />
  )
}
