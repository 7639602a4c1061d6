import { ActionIcon, Badge, Button, Menu, Tabs } from '@mantine/core'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import { IconArrowLeft, IconDots, IconKey, IconLock, IconLockOpen, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../../../base/address.ts'
import { api } from '../../../base/api.ts'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import type { Search } from '../../../base/redirect.ts'
import { useActor } from '../../../base/session.ts'
import { usePageTitle } from '../../../base/title.ts'
import { confirm } from '../../../kit/confirm.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { PageHead } from '../../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { HistoryList } from '../../../records/HistoryList.tsx'
import { useRecord } from '../../../records/reads.ts'
import { useRemove, useSave } from '../../../records/writes.ts'
import { SessionList } from '../sessions/SessionList.tsx'
import { type GivenPassword, PasswordDialog } from './PasswordDialog.tsx'
import { UserData } from './UserData.tsx'
import { UserExplain } from './UserExplain.tsx'
import { UserRights } from './UserRights.tsx'
import classes from './Users.module.css'

const tabs = {
  data: 'Данные',
  rights: 'Роли и права',
  explain: 'Почему доступно',
  sessions: 'Сеансы',
  history: 'История',
} as const
type Tab = keyof typeof tabs

const readTab = (search: Search): { tab: Tab } => ({
  tab: Object.hasOwn(tabs, String(search.tab)) ? (search.tab as Tab) : 'data',
})

/** Сотрудник: the account of one employee, for those who manage staff. */
export default function UserPage() {
  const { id: text = '' } = useParams({ strict: false }) as { id?: string }
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
  const [{ tab }, setAddress] = useAddress(readTab)
  const answer = useRecord(User, id, {}, { forbidden: 'page' })
  const user = answer.data
  usePageTitle(user && personName(user))
  if (id === undefined || (answer.error instanceof ApiError && answer.error.status === 404)) {
    return (
      <EmptyState
        icon={IconUserOff}
        title="Сотрудник не найден"
        text="Возможно, учётную запись удалили."
        action={<Button renderRoot={(props) => <Link to="/users" {...props} />}>К списку сотрудников</Button>}
      />
    )
  }
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <>
      <PageHead
        title={user?.fio ?? 'Сотрудник'}
        help={user && helpOf(user)}
        start={
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label="К списку сотрудников"
              renderRoot={(props) => <Link to="/users" {...props} />}
            >
              <IconArrowLeft size={18} />
            </ActionIcon>
            <UserAvatar user={user ?? {}} size={48} online={user?.isOnline ?? false} />
          </>
        }
        actions={user && <UserActions key={user.id} user={user} />}
      />
      <Tabs
        value={tab}
        onChange={(value) => setAddress({ tab: (value as Tab | null) ?? 'data' }, { replace: true })}
        keepMounted={false}
        className={classes.tabs}
      >
        <div className={classes.tabScroll}>
          <Tabs.List>
            {Object.entries(tabs).map(([key, label]) => (
              <Tabs.Tab key={key} value={key}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        {Object.keys(tabs).map((key) => (
          <Tabs.Panel key={key} value={key} className={classes.panel}>
            {user ? <Panel tab={key as Tab} user={user} /> : <LinesSkeleton lines={8} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function helpOf(user: Row<typeof User>): string {
  const seen = user.isOnline
    ? 'в сети'
    : user.lastActive
      ? `был в сети ${formatFromNow(user.lastActive)}`
      : 'ещё не входил'
  return [user.post, `логин ${user.login}`, seen].filter(Boolean).join(' · ')
}

function Panel({ tab, user }: { tab: Tab; user: Row<typeof User> }) {
  switch (tab) {
    case 'data':
      return <UserData key={user.id} user={user} />
    case 'rights':
      return <UserRights idUser={user.id} />
    case 'explain':
      return <UserExplain idUser={user.id} />
    case 'sessions':
      return <SessionList idUser={user.id} />
    case 'history':
      return <HistoryList entity={User} id={user.id} />
  }
}

/** What is done to the account as a whole. */
function UserActions({ user }: { user: Row<typeof User> }) {
  const { navigate } = useRouter()
  const cache = useQueryClient()
  const isMe = useActor().id === user.id
  const [given, setGiven] = useState<GivenPassword>()
  const save = useSave(User)
  const remove = useRemove(User, { message: 'Сотрудник удалён' })
  const reset = useMutation({
    mutationFn: () => api('POST /users/:id/reset-password', { params: { id: user.id } }, { forbidden: 'toast' }),
    onSuccess: ({ password }) => {
      setGiven({ login: user.login, password })
      void cache.invalidateQueries({ queryKey: ['users', user.id, 'sessions'] })
    },
    onError: (error) => notify.error(errorMessage(error), { title: 'Пароль не изменён' }),
  })
  const onReset = async () => {
    const agreed = await confirm({
      title: 'Выдать новый пароль?',
      message: `Прежний пароль перестанет действовать, открытые сеансы завершатся: ${personName(user)}.`,
      confirm: 'Выдать пароль',
    })
    if (agreed) reset.mutate()
  }
  const setBlocked = (isBlocked: boolean) =>
    save.mutate(
      { id: user.id, isBlocked },
      {
        onSuccess: () =>
          notify.undo(isBlocked ? 'Вход закрыт, сеансы завершены' : 'Вход открыт', () =>
            save.mutate({ id: user.id, isBlocked: !isBlocked }),
          ),
      },
    )
  return (
    <>
      {user.isBlocked && (
        <Badge color="red" size="lg" leftSection={<IconLock size={14} />}>
          Вход закрыт
        </Badge>
      )}
      <Button
        variant="default"
        leftSection={<IconKey size={18} />}
        loading={reset.isPending}
        onClick={() => void onReset()}
      >
        Новый пароль
      </Button>
      {user.isBlocked && (
        <Button leftSection={<IconLockOpen size={18} />} loading={save.isPending} onClick={() => setBlocked(false)}>
          Открыть вход
        </Button>
      )}
      {!isMe && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" aria-label="Другие действия">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!user.isBlocked && (
              <Menu.Item leftSection={<IconLock size={18} />} onClick={() => setBlocked(true)}>
                Закрыть вход
              </Menu.Item>
            )}
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<IconTrash size={18} />}
              onClick={() =>
                remove.mutate(user.id, { onSuccess: () => void navigate({ to: '/users', replace: true } as never) })
              }
            >
              Удалить сотрудника
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <PasswordDialog given={given} onClose={() => setGiven(undefined)} />
    </>
  )
}
