import { Group, type GroupProps } from '@mantine/core'
import classes from './StickyFoot.module.css'

/** The buttons of what is longer than the window: they stay at its lower edge, above the fields that pass beneath. */
export const StickyFoot = ({ children, ...props }: GroupProps) => (
  <Group gap={8} {...props} className={classes.foot}>
    {children}
  </Group>
)
