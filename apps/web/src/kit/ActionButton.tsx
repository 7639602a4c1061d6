import { Button, type ButtonProps, polymorphic } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface ActionButtonProps extends Omit<ButtonProps, 'children'> {
  label: ReactNode
  icon?: TablerIcon
}

/** A button with an icon and a label; the icon is sized like the text. */
export const ActionButton = polymorphic<'button', ActionButtonProps>(
  ({ label, icon: Icon, size, ...rest }: ActionButtonProps) => (
    <Button
      size={size}
      leftSection={Icon && <Icon size={String(size).startsWith('compact') ? 16 : 18} aria-hidden />}
      {...rest}
    >
      {label}
    </Button>
  ),
)
