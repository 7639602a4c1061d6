import { ActionIcon, type ActionIconProps, polymorphic } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'

export interface IconButtonProps extends ActionIconProps {
  icon: TablerIcon
  /** What is heard; shown beside the pointer too, unless `title` says it shorter. */
  label: string
  title?: string
}

/** A button that is a picture alone. */
export const IconButton = polymorphic<'button', IconButtonProps>(
  ({ icon: Icon, label, title = label, variant = 'subtle', size, ...rest }: IconButtonProps) => (
    <ActionIcon
      variant={variant}
      color={variant === 'subtle' ? 'gray' : undefined}
      size={size}
      aria-label={label}
      title={title}
      {...rest}
    >
      <Icon size={size === SMALL ? 16 : 18} aria-hidden />
    </ActionIcon>
  ),
)

/** In the line of a text. */
const SMALL = 24
