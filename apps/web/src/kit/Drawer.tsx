import { type DrawerProps, Drawer as Sliding } from '@mantine/core'
import { useInnermost } from './innermost.ts'

/** A drawer from the side, for phones. Records and forms use a `SidePanel`. */
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
