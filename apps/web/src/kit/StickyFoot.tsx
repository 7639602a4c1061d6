import { Group, type GroupProps } from '@mantine/core'
import classes from './StickyFoot.module.css'

/** Buttons of content longer than the window: sticky at the lower edge, above the scrolling fields. */
export const StickyFoot = ({ children, ...props }: GroupProps) => (
  <Group gap={8} {...props} className={classes.foot}>
    {children}
  </Group>
)
