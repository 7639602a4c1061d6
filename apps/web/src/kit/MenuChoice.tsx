import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import classes from './MenuChoice.module.css'

/** A line of a menu that is on or off. */
export function MenuChoice({ on, label, onClick }: { on: boolean; label: string; onClick: () => void }) {
  return (
    <Menu.Item
      aria-checked={on}
      role="menuitemcheckbox"
      leftSection={on ? <IconCheck size={16} /> : <span className={classes.gap} />}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  )
}
