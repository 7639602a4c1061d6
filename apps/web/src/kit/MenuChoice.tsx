import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

/** A menu item that is on or off. */
export const MenuChoice = ({ on, label, onClick }: { on: boolean; label: string; onClick: () => void }) => (
  <Menu.CheckboxItem closeMenuOnClick checked={on} checkIcon={<IconCheck size={16} />} onChange={onClick}>
    {label}
  </Menu.CheckboxItem>
)
