import { Button, type ButtonProps, polymorphic } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useAccident } from './accident.ts'

interface ActionButtonProps extends Omit<ButtonProps, 'children'> {
  label: ReactNode
  icon?: TablerIcon
  /** Takes a step back: ignores the pointer that pressed the former button in its place. So is every red button. */
  reverse?: boolean
}

/** A button with an icon and a label; the icon is sized like the text. */
export const ActionButton = polymorphic<'button', ActionButtonProps>(
  ({ label, icon: Icon, size, reverse, ...rest }: ActionButtonProps) => {
    const isReverse = reverse === true || rest.color === 'red'
    const guards = { isReverse, isOnce: rest.loading !== undefined }
    const guard = useAccident(guards, `${isReverse} ${typeof label === 'string' ? label : ''}`)
    return (
      <Button
        size={size}
        leftSection={Icon && <Icon size={String(size).startsWith('compact') ? 16 : 18} aria-hidden />}
        {...guard}
        {...rest}
      >
        {label}
      </Button>
    )
  },
)
