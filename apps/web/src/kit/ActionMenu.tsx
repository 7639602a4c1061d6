import { Menu, type MenuItemProps, type MenuProps, polymorphic } from '@mantine/core'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton, type IconButtonProps } from './IconButton.tsx'

interface ActionMenuProps
  extends Pick<IconButtonProps, 'label' | 'variant' | 'size' | 'className'>,
    Pick<MenuProps, 'width' | 'returnFocus' | 'onChange' | 'children'> {
  icon?: TablerIcon
}

/** More actions, behind three dots. */
export function ActionMenu({ width, returnFocus, onChange, children, icon = IconDots, ...button }: ActionMenuProps) {
  return (
    <Menu position="bottom-end" width={width} returnFocus={returnFocus} onChange={onChange}>
      <Menu.Target>
        <IconButton icon={icon} {...button} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

interface ItemProps extends MenuItemProps {
  /** The label; children for more than text. */
  label?: ReactNode
  icon?: TablerIcon
  /** A destructive action. */
  danger?: boolean
}

export const MenuItem = polymorphic<'button', ItemProps>(
  ({ label, icon: Icon, danger, children, ...rest }: ItemProps) => (
    <Menu.Item
      leftSection={Icon && <Icon size={16} aria-hidden />}
      color={danger ? 'var(--mantine-color-error)' : undefined}
      {...rest}
    >
      {label ?? children}
    </Menu.Item>
  ),
)
