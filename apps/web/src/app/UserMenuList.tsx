import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconSchool, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { session, useAccount } from '#base/session.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { isTraining } from '#kit/root.ts'
import classes from './UserMenu.module.css'

interface Props {
  opened: boolean
  onChange: (opened: boolean) => void
  children: ReactElement
}

export default function UserMenuList({ opened, onChange, children }: Props) {
  const { identity, roles } = useAccount().user
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const under = identity.post || roles.map((role) => role.name).join(', ')
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" width={264} offset={4}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div className={classes.fio}>{identity.fio}</div>
          {under && <div className={classes.post}>{under}</div>}
        </div>
        <Menu.Divider />
        <MenuItem label="Мой профиль" icon={IconUserCircle} onClick={() => void navigate({ to: '/profile' })} />
        {isTraining ? (
          <MenuItem label="Вернуться в клинику" icon={IconSchool} onClick={() => location.assign('/app/training')} />
        ) : (
          <MenuItem label="Учебная клиника" icon={IconSchool} onClick={() => void navigate({ to: '/training' })} />
        )}
        <Menu.Divider />
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}>
          <Menu.RadioItem value="light">Светлое оформление</Menu.RadioItem>
          <Menu.RadioItem value="dark">Тёмное оформление</Menu.RadioItem>
          <Menu.RadioItem value="auto">Как в системе</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <MenuItem label="Выйти" icon={IconLogout} onClick={() => void session.signOut()} />
      </Menu.Dropdown>
    </Menu>
  )
}
