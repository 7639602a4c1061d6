import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccount } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import classes from './UserMenu.module.css'

const UserMenuList = part(
  () => import('./UserMenuList.tsx'),
  ({ children }) => children,
)
const loadAhead = () => void UserMenuList.load()

/** The user's button; its menu is loaded on hover or focus. */
export function UserMenu({ compact }: { compact?: boolean }) {
  const { identity } = useAccount().user
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const button = (
    <UnstyledButton
      className={classes.target}
      aria-haspopup="menu"
      aria-expanded={opened}
      data-expanded={opened || undefined}
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
      onClick={() => {
        setWanted(true)
        setOpened(!opened)
      }}
    >
      <UserAvatar user={identity} size={28} />
      <VisuallyHidden>Меню пользователя{compact ? `: ${identity.shortFio}` : ''}</VisuallyHidden>
      {!compact && (
        <>
          <span className={classes.name}>{identity.shortFio}</span>
          <IconChevronDown size={14} aria-hidden />
        </>
      )}
    </UnstyledButton>
  )
  if (!wanted) return button
  return (
    <UserMenuList opened={opened} onChange={setOpened}>
      {button}
    </UserMenuList>
  )
}
