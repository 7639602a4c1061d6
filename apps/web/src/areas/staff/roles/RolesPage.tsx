import { Button, UnstyledButton } from '@mantine/core'
import { Role } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { counted, plural } from '@ordinator/model/format'
import { permissionNames } from '@ordinator/model/permissions'
import { IconPlus, IconShieldCheck } from '@tabler/icons-react'
import { useAddress } from '../../../base/address.ts'
import type { Search } from '../../../base/redirect.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { PageHead } from '../../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { useList } from '../../../records/reads.ts'
import { RoleEditor } from './RoleEditor.tsx'
import classes from './Roles.module.css'

const MAX_ROLES = 200

/** `?role=5` opens a role, `?role=new` a new one, `?role=new&from=5` a copy. */
const readOpen = (search: Search): { role?: number | 'new'; from?: number } => ({
  role: search.role === 'new' ? 'new' : idOf(search.role),
  from: idOf(search.from),
})
const idOf = (value: unknown) => (/^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : undefined)

/** Роли и права: the roles on the left, the open one on the right. */
export default function RolesPage() {
  const [{ role: open, from }, setOpen] = useAddress(readOpen)
  const list = useList(Role, { limit: MAX_ROLES, sort: 'name' })
  const roles = list.data?.items ?? []
  const create = () => setOpen({ role: 'new', from: undefined })
  useHotkey('n', create, { label: 'Новая роль' })
  const shown = roles.find((role) => role.id === open)
  const source = roles.find((role) => role.id === from)
  return (
    <>
      <PageHead
        title="Роли и права"
        help="Роль — набор прав. У сотрудника может быть несколько ролей, права складываются"
        actions={
          <Button leftSection={<IconPlus size={18} />} onClick={create}>
            Новая роль
          </Button>
        }
      />
      <div className={classes.page} data-open={open !== undefined || undefined}>
        <nav className={classes.list} aria-label="Роли">
          {list.isPending && <LinesSkeleton lines={8} />}
          {list.isError && (
            <ErrorState title="Не удалось загрузить роли" error={list.error} onRetry={() => void list.refetch()} />
          )}
          {roles.map((role) => (
            <RoleLine
              key={role.id}
              role={role}
              open={role.id === open}
              onOpen={() => setOpen({ role: role.id, from: undefined })}
            />
          ))}
        </nav>
        {open === 'new' && (from === undefined || list.isSuccess) ? (
          <RoleEditor
            key={`new ${from ?? ''}`}
            source={source}
            onSaved={(id) => setOpen({ role: id, from: undefined }, { replace: true })}
            onClose={() => setOpen({ role: undefined, from: undefined })}
          />
        ) : shown ? (
          <RoleEditor
            key={shown.id}
            role={shown}
            onCopy={() => setOpen({ role: 'new', from: shown.id })}
            onClose={() => setOpen({ role: undefined })}
          />
        ) : (
          list.isSuccess && (
            <div className={classes.nothing}>
              <EmptyState
                icon={IconShieldCheck}
                title={open ? 'Роль не найдена' : 'Выберите роль'}
                text={
                  open
                    ? 'Возможно, её удалили'
                    : 'Слева — роли клиники. Откройте роль, чтобы увидеть её права и сотрудников'
                }
              />
            </div>
          )
        )}
      </div>
    </>
  )
}

function RoleLine({ role, open, onOpen }: { role: Row<typeof Role>; open: boolean; onOpen: () => void }) {
  const rights = role.permissions.length
  const share =
    rights === permissionNames.length ? 'все права' : `${rights} ${plural(rights, ['право', 'права', 'прав'])}`
  return (
    <UnstyledButton
      className={classes.role}
      data-open={open || undefined}
      aria-current={open || undefined}
      onClick={onOpen}
    >
      <span className={classes.roleName}>{role.name}</span>
      <span className={classes.roleFacts}>
        {counted(role.usersCount, ['сотрудник', 'сотрудника', 'сотрудников'])} · {share}
      </span>
    </UnstyledButton>
  )
}
