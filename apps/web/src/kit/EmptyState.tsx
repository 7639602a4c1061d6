import { IconInbox, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StatePage } from './StatePage.tsx'

interface Props {
  title: string
  /** What the user can do about it. */
  text?: ReactNode
  action?: ReactNode
  icon?: TablerIcon
}

/** An empty list, with what to do. */
export function EmptyState({ title, text, action, icon = IconInbox }: Props) {
  return <StatePage size="block" icon={icon} title={title} text={text} actions={action} />
}
