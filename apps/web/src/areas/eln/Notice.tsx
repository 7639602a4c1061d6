import { Alert } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  icon: TablerIcon
  color: 'gray' | 'orange' | 'red' | 'blue'
  children: ReactNode
}

/** A problem and its fix. */
export const Notice = ({ icon: Icon, color, children }: Props) => (
  <Alert color={color} variant="light" py={8} icon={<Icon size={18} />}>
    {children}
  </Alert>
)
