import { Checkbox, Switch, Text } from '@mantine/core'
import { Role, UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import { plural } from '@ordinator/model/format'
import { type Permission, permissionLabel } from '@ordinator/model/permissions'
import { useState } from 'react'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'
import { PermissionList } from '../roles/PermissionList.tsx'
import { useRightsChange } from './rights.ts'
import classes from './Users.module.css'

const MANY = 500

/** Roles and personal permissions of the employee. Each change takes effect at once. */
export function UserRights({ idUser }: { idUser: number }) {
  const roles = useList(Role, { limit: MANY, sort: 'name' })
  const held = useList(UserRole, { filter: { idUser }, limit: MANY })
  const own = useList(UserPermission, { filter: { idUser }, limit: MANY })
  const change = useRightsChange(idUser)
  const [onlyHeld, setOnlyHeld] = useState(false)
  const failed = [roles, held, own].find((answer) => answer.isError)
  if (failed)
    return <ErrorState title="Не удалось загрузить права" error={failed.error} onRetry={() => void failed.refetch()} />
  if (!roles.data || !held.data || !own.data) return <LinesSkeleton lines={10} />

  const heldBy = new Map(held.data.items.map((item) => [item.idRole, item.id]))
  const ownBy = new Map(own.data.items.map((item) => [item.permission as Permission, item]))
  const giving = (name: Permission) =>
    roles.data.items.filter((role) => heldBy.has(role.id) && role.permissions.includes(name))
  const busy = change.isPending
  return (
    <>
      <h2 className={classes.section}>Роли</h2>
      <Tiles tile={260}>
        {roles.data.items.map((role) => (
          <Checkbox
            key={role.id}
            size="sm"
            className={classes.role}
            checked={heldBy.has(role.id)}
            disabled={busy}
            label={role.name}
            description={
              role.description ||
              `${role.permissions.length} ${plural(role.permissions.length, ['право', 'права', 'прав'])}`
            }
            onChange={() =>
              change.mutate({ kind: 'role', idRole: role.id, name: role.name, held: heldBy.get(role.id) })
            }
          />
        ))}
      </Tiles>
      <h2 className={classes.section}>Личные права</h2>
      <Text mb={12} c="dimmed">
        Добавляются к правам ролей. Право, которое дала роль, снимается вместе с ролью.
      </Text>
      <Switch
        size="sm"
        mb="sm"
        label="Только то, что есть у сотрудника"
        checked={onlyHeld}
        onChange={(event) => setOnlyHeld(event.currentTarget.checked)}
      />
      <PermissionList
        label="Личные права"
        disabled={busy}
        shown={onlyHeld ? (name) => ownBy.has(name) || giving(name).length > 0 : undefined}
        stateOf={(name) => {
          const from = giving(name)
          const personal = ownBy.get(name)
          const locked = from.length > 0 && !personal
          const sources = from.map((role) => `«${role.name}»`).join(', ')
          const hint = [
            from.length > 0 && `Роль ${sources}`,
            personal && `Лично${personal.reason ? `: ${personal.reason}` : ''}`,
          ]
          return {
            checked: from.length > 0 || personal !== undefined,
            locked,
            hint: hint.filter(Boolean).join(' · ') || undefined,
          }
        }}
        onToggle={([name]) =>
          name &&
          change.mutate({
            kind: 'permission',
            permission: name,
            name: permissionLabel(name),
            held: ownBy.get(name)?.id,
          })
        }
      />
    </>
  )
}
