import { Input, Text, Title } from '@mantine/core'
import { type Role, UserRole } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { useState } from 'react'
import { useAccountPath } from '#base/ourPage.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Muted } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import { RecordField } from '#records/form/RecordField.tsx'
import { useList } from '#records/reads.ts'
import { PermissionList } from './PermissionList.tsx'
import classes from './Roles.module.css'
import { MAX_HOLDERS } from './useRemoveRole.ts'

/** Form of a role: name, users, permissions. */
export function RoleFields({ role }: { role: Row<typeof Role> | undefined }) {
  return (
    <>
      <div className={classes.names}>
        <RecordField name="name" autoFocus={!role} />
        <RecordField name="description" />
        <RecordField name="maxDiscount" />
        <RecordField name="requiresFactor" />
      </div>
      {role && <Holders idRole={role.id} />}
      <RecordField name="permissions" input={PermissionsInput} />
    </>
  )
}

/** Permissions of the role, instead of a plain list of names. */
function PermissionsInput({ value, onChange, error, readOnly }: InputProps) {
  const list = (value ?? []) as Permission[]
  const held = new Set(list)
  const toggle = (names: readonly Permission[], checked: boolean) =>
    onChange(
      checked ? [...list, ...names.filter((name) => !held.has(name))] : list.filter((name) => !names.includes(name)),
    )
  return (
    <>
      <Title order={3} mt={12}>
        Права <Muted>{`${held.size} из ${permissionNames.length}`}</Muted>
      </Title>
      {error && <Input.Error>{error}</Input.Error>}
      <PermissionList
        label="Права роли"
        wholeGroups
        disabled={readOnly}
        stateOf={(name) => ({ checked: held.has(name) })}
        onToggle={toggle}
      />
    </>
  )
}

const SHOWN = 12

/** Users with the role. */
function Holders({ idRole }: { idRole: number }) {
  const [all, setAll] = useState(false)
  const accountPath = useAccountPath()
  const list = useList(UserRole, { filter: { idRole }, expand: ['user'], limit: MAX_HOLDERS }, { forbidden: 'silent' })
  const people = (list.data?.items ?? []).flatMap((held) => (held.user && !held.user.deleted ? [held.user] : []))
  return (
    <div>
      <Title order={3} mt={12}>
        У кого эта роль {list.isSuccess && <Muted>{people.length}</Muted>}
      </Title>
      {list.isPending && <LinesSkeleton lines={1} />}
      {list.isSuccess && people.length === 0 && (
        <Text mb={8} c="dimmed" fw={400}>
          Пока ни у кого. Роль выдают на странице сотрудника
        </Text>
      )}
      <HStack gap="8px 16px" wrap>
        {people.slice(0, all ? undefined : SHOWN).map((user) => (
          <UserChip key={user.id} user={user} to={accountPath(user.id)} />
        ))}
        {people.length > SHOWN && (
          <ActionButton
            label={all ? 'Свернуть' : `Ещё ${people.length - SHOWN}`}
            variant="subtle"
            size="compact-sm"
            onClick={() => setAll(!all)}
          />
        )}
      </HStack>
    </div>
  )
}
