import { Badge, Button, SegmentedControl, Select } from '@mantine/core'
import { Role } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import type { AnyFilter, Expanded } from '@ordinator/model/client'
import { formatFromNow } from '@ordinator/model/format'
import { IconLock, IconLockOpen, IconUserPlus } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAddress } from '../../../base/address.ts'
import type { Search } from '../../../base/redirect.ts'
import { formatDateTime } from '../../../kit/clock.ts'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { PageHead } from '../../../kit/PageHead.tsx'
import { TagChips } from '../../../kit/TagChips.tsx'
import { UserChip } from '../../../kit/UserChip.tsx'
import { RecordTable } from '../../../records/RecordTable.tsx'
import { useList } from '../../../records/reads.ts'
import type { ColumnSpec } from '../../../records/table/columns.ts'
import { useBatch } from '../../../records/writes.ts'
import { UserDialog } from './UserDialog.tsx'
import classes from './Users.module.css'

const states = { active: 'Работают', blocked: 'Вход закрыт', all: 'Все' } as const
type State = keyof typeof states
type Line = Expanded<typeof User, 'roles'>

const readAddress = (search: Search): { state: State; role?: number; create?: boolean } => ({
  state: Object.hasOwn(states, String(search.state)) ? (search.state as State) : 'active',
  role: /^[1-9]\d{0,14}$/.test(String(search.role)) ? Number(search.role) : undefined,
  create: search.create === true || search.create === 1 ? true : undefined,
})

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'fio',
    label: 'Сотрудник',
    width: 270,
    sort: 'surname',
    cell: (user) => (
      <UserChip user={{ ...user, shortFio: user.fio }} hint={user.post} online={user.isOnline} size={28} />
    ),
  },
  { key: 'login', width: 130 },
  {
    key: 'roles',
    label: 'Роли',
    width: 210,
    sort: false,
    cell: (user) => <TagChips tags={rolesOf(user)} max={2} />,
  },
  { key: 'phone', width: 180 },
  { key: 'sipPhone', label: 'Внутр.', width: 90 },
  {
    key: 'lastActive',
    width: 140,
    cell: (user) =>
      user.isOnline ? (
        'В сети'
      ) : user.lastActive ? (
        <span title={formatDateTime(user.lastActive)}>{formatFromNow(user.lastActive)}</span>
      ) : (
        <span className={classes.dim}>Ещё не входил</span>
      ),
  },
  {
    key: 'isBlocked',
    label: 'Вход',
    width: 110,
    cell: (user) =>
      user.isBlocked ? (
        <Badge color="red" leftSection={<IconLock size={12} />}>
          Закрыт
        </Badge>
      ) : (
        <span className={classes.dim}>Открыт</span>
      ),
  },
]

/** `expand=roles.role` is typed to its first step only. */
function rolesOf(user: Line): { id: number; name: string }[] {
  const held = (user.roles ?? []) as unknown as { role?: { id: number; name: string } | null }[]
  return held.flatMap(({ role }) => role ?? [])
}

/** Сотрудники: accounts, roles, who may come in. */
export default function UsersPage() {
  const { navigate } = useRouter()
  const [{ state, role, create }, setAddress] = useAddress(readAddress)
  const roles = useList(Role, { limit: 200, fields: ['name'] }, { staleTime: 60_000 })
  const batch = useBatch(User)
  const add = () => setAddress({ create: true })
  useHotkey('n', add, { label: 'Новый сотрудник' })
  const filter = useMemo(() => {
    const parts: AnyFilter = {}
    if (state !== 'all') parts.isBlocked = state === 'blocked'
    if (role !== undefined) parts['roles.idRole'] = role
    return Object.keys(parts).length ? parts : undefined
  }, [state, role])
  const setBlocked = (rows: Line[], isBlocked: boolean) =>
    batch.mutateAsync({ update: rows.map(({ id }) => ({ id, isBlocked })) }).then(
      () => true,
      () => false,
    )
  const open = (id: number, tab?: string) => void navigate({ to: `/users/${id}`, search: tab ? { tab } : {} } as never)
  return (
    <>
      <PageHead
        title="Сотрудники"
        help="Учётные записи, роли и личные права"
        actions={
          <Button leftSection={<IconUserPlus size={18} />} onClick={add}>
            Добавить сотрудника
          </Button>
        }
      />
      <div className={classes.body}>
        <RecordTable
          entity={User}
          columns={columns}
          expand={['roles.role']}
          filter={filter}
          defaults={{ limit: 50 }}
          hrefOf={(user) => `/users/${user.id}`}
          onOpen={(user) => open(user.id)}
          isMuted={(user) => user.isBlocked}
          tools={
            <>
              <Select
                aria-label="Роль"
                placeholder="Любая роль"
                className={classes.roleFilter}
                data={(roles.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
                value={role === undefined ? null : String(role)}
                onChange={(value) => setAddress({ role: value ? Number(value) : undefined, page: undefined } as never)}
                searchable
                clearable
              />
              <SegmentedControl
                aria-label="Состояние учётной записи"
                data={Object.entries(states).map(([value, label]) => ({ value, label }))}
                value={state}
                onChange={(value) => setAddress({ state: value as State, page: undefined } as never)}
              />
            </>
          }
          actions={[
            {
              key: 'block',
              label: 'Закрыть вход',
              icon: IconLock,
              allowed: (rows) => rows.some((user) => !user.isBlocked),
              run: (rows) => setBlocked(rows, true),
            },
            {
              key: 'unblock',
              label: 'Открыть вход',
              icon: IconLockOpen,
              allowed: (rows) => rows.some((user) => user.isBlocked),
              run: (rows) => setBlocked(rows, false),
            },
          ]}
          empty={
            filter && (state !== 'active' || role !== undefined)
              ? {
                  title: 'Таких сотрудников нет',
                  text: 'Снимите отбор по роли или состоянию',
                  action: (
                    <Button variant="default" onClick={() => setAddress({ state: undefined, role: undefined })}>
                      Показать работающих
                    </Button>
                  ),
                }
              : {
                  title: 'Сотрудников пока нет',
                  text: 'Добавьте первого, чтобы он мог войти',
                  action: <Button onClick={add}>Добавить сотрудника</Button>,
                }
          }
        />
      </div>
      <UserDialog
        opened={create === true}
        onClose={() => setAddress({ create: undefined }, { replace: true })}
        onCreated={(id) => open(id)}
      />
    </>
  )
}
