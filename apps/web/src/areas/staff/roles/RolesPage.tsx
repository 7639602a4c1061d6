import { Badge, Group } from '@mantine/core'
import { Role } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { counted, plural } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { permissionNames } from '@ordinator/model/permissions'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { RoleFields } from './RoleFields.tsx'
import { useRemoveRole } from './useRemoveRole.ts'

const columns: readonly ('dateChange' | ColumnSpec<Row<typeof Role>>)[] = [
  { key: 'name', cell: nameOf },
  { key: 'description', width: 400 },
  { key: 'usersCount', label: 'Состав', width: 220, cell: factsOf },
  'dateChange',
]

/** Роли и права: `?role=5` opens a role, `?role=new` a new one, `?role=new&from=5` a copy. */
export default function RolesPage() {
  const remove = useRemoveRole()
  return (
    <RegistryPage
      page={pageByKey('roles')}
      entity={Role}
      param="role"
      columns={columns}
      form={(role) => <RoleFields role={role} />}
      wide
      saved="Роль сохранена, права уже действуют"
      copyOf={copyOf}
      onRemove={remove}
      removable={false}
    />
  )
}

function nameOf({ name, isSystem }: Row<typeof Role>) {
  if (!isSystem) return name
  return (
    <Group gap={8} wrap="nowrap">
      {name} <Badge color="gray">Системная</Badge>
    </Group>
  )
}

function factsOf({ usersCount, permissions }: Row<typeof Role>): string {
  const rights = permissions.length
  const share =
    rights === permissionNames.length ? 'все права' : `${rights} ${plural(rights, ['право', 'права', 'прав'])}`
  return `${counted(usersCount, ['сотрудник', 'сотрудника', 'сотрудников'])} · ${share}`
}

const copyOf = ({ name, description, maxDiscount, permissions }: Row<typeof Role>) => ({
  name: `${name.slice(0, 56)} — копия`,
  description,
  maxDiscount,
  permissions,
})
