import { Badge, Text } from '@mantine/core'
import { certificateWarning } from '@ordinator/model/areas/staff/certificate'
import { User } from '@ordinator/model/areas/staff/user'
import type { Expanded } from '@ordinator/model/client'
import { formatDay, formatFromNow } from '@ordinator/model/format'
import { IconFileImport, IconLock, IconLockOpen, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { type Answer, api } from '#base/api.ts'
import { useAccountPath, useOurPage } from '#base/ourPage.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, today } from '#kit/clock.ts'
import { TagChips } from '#kit/TagChips.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Muted } from '#kit/Words.tsx'
import { one } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { ref, refs } from '#records/filters/ref.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { bulkRecords, useBulkRun } from '#records/table/useBulkRun.ts'
import { Slips } from './Slips.tsx'
import { UserDialog } from './UserDialog.tsx'

/** Active users by default. */
const userFilters = filters(User, {
  speciality: refs('idSpeciality', { any: 'Любая специальность' }),
  filials: refs('filials', { any: 'Любой филиал' }),
  role: ref('roles.idRole', { label: 'Роль', any: 'Любая роль' }),
  state: one({
    label: 'Состояние учётной записи',
    options: { active: 'Работают', blocked: 'Вход закрыт', all: 'Все' },
    usual: 'active',
    is: (state) => (state === 'all' ? undefined : { isBlocked: state === 'blocked' }),
    segments: true,
  }),
})

type Line = Expanded<typeof User, 'roles.role' | 'speciality'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'fio',
    label: 'Сотрудник',
    width: 256,
    sort: 'surname',
    cell: (user) => (
      <UserChip plain user={{ ...user, shortFio: user.fio }} hint={user.post} online={user.isOnline} size={28} />
    ),
  },
  { key: 'login', width: 120 },
  {
    key: 'roles',
    label: 'Роли',
    width: 180,
    sort: false,
    cell: (user) => <TagChips tags={rolesOf(user)} max={2} />,
  },
  { key: 'idSpeciality', width: 140, cell: ({ speciality }) => speciality?.name },
  {
    key: 'certificateTo',
    label: 'Сертификат до',
    width: 140,
    cell: ({ certificateTo }) => {
      const warning = certificateWarning(certificateTo, today())
      return (
        certificateTo && (
          <Text
            span
            inherit
            className="tabular"
            title={warning?.text}
            c={warning?.isOver ? 'var(--mantine-color-error)' : undefined}
            fw={warning && 600}
          >
            {formatDay(certificateTo)}
          </Text>
        )
      )
    },
  },
  { key: 'phone', width: 170 },
  { key: 'sipPhone', label: 'Внутр.', width: 90, hidden: true },
  {
    key: 'lastActive',
    width: 140,
    cell: (user) =>
      user.isOnline ? (
        'В сети'
      ) : user.lastActive ? (
        <span title={formatDateTime(user.lastActive)}>{formatFromNow(user.lastActive)}</span>
      ) : (
        <Muted>Ещё не входил</Muted>
      ),
  },
  {
    key: 'isBlocked',
    label: 'Вход',
    width: 100,
    cell: (user) =>
      user.isBlocked ? (
        <Badge color="red" leftSection={<IconLock size={12} />}>
          Закрыт
        </Badge>
      ) : (
        <Muted>Открыт</Muted>
      ),
  },
]

const rolesOf = ({ roles }: Line) => roles.flatMap(({ role }) => role ?? [])

const defaults = { limit: 50 }

/** Сотрудники: accounts, roles, access. */
export default function UsersPage() {
  const run = useBulkRun<Line>({
    forms: ['сотрудник', 'сотрудника', 'сотрудников'],
    nameOf: ({ shortFio }) => shortFio,
    paths: [],
  })
  /** Only users with another value, so that undo does not change others. */
  const setBlocked = (all: Line[], isBlocked: boolean) =>
    run(
      all.filter((user) => user.isBlocked !== isBlocked),
      User,
      isBlocked ? 'Вход закрыт' : 'Вход открыт',
      async (users) => {
        const write = (to: boolean) =>
          bulkRecords.batch(User, { update: users.map(({ id }) => ({ id, isBlocked: to })) })
        await write(isBlocked)
        return () => write(!isBlocked)
      },
    )
  const [importing, setImporting] = useState(false)
  const [slips, setSlips] = useState<Answer<'POST /users/slips'>>()
  const printSlips = async (all: Line[]) => {
    try {
      setSlips(await api('POST /users/slips', { body: { ids: all.map(({ id }) => id) } }, { forbidden: 'toast' }))
      return true
    } catch (error) {
      notifyFailure(error as Error)
      return false
    }
  }
  return (
    <>
      <RegistryPage
        page={useOurPage('users')}
        entity={User}
        pageOf={useAccountPath()}
        create={UserDialog}
        columns={columns}
        expand={['roles.role', 'speciality']}
        filters={userFilters}
        defaults={defaults}
        isMuted={(user) => user.isBlocked}
        tools={
          <ActionButton label="Импорт" variant="default" icon={IconFileImport} onClick={() => setImporting(true)} />
        }
        actions={[
          {
            key: 'slips',
            label: 'Листки с паролями',
            icon: IconPrinter,
            allowed: (rows) => rows.some((user) => !user.lastActive),
            run: printSlips,
          },
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
      />
      {importing && (
        <ImportDialog
          kind="users"
          title="Импорт сотрудников"
          hint="ФИО, роль, должность, специальность, филиал; логин программа предложит сама. Пароли раздают листками: отметьте сотрудников в списке"
          template
          onClose={() => setImporting(false)}
        />
      )}
      {slips && <Slips given={slips} onClose={() => setSlips(undefined)} />}
    </>
  )
}
