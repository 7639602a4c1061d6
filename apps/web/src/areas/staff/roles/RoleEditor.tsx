import { ActionIcon, Badge, Button, Input, Menu } from '@mantine/core'
import { Role, UserRole } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { IconArrowLeft, IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../base/apiError.ts'
import { records } from '../../../base/client.ts'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { UserChip } from '../../../kit/UserChip.tsx'
import type { InputProps } from '../../../records/fields/ui.ts'
import { RecordField } from '../../../records/form/RecordField.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { useList } from '../../../records/reads.ts'
import { PermissionList } from './PermissionList.tsx'
import classes from './Roles.module.css'

interface Props {
  /** Absent: a new one. */
  role?: Row<typeof Role>
  /** The role that a new one is copied from. */
  source?: Row<typeof Role>
  onSaved?: (id: number) => void
  onCopy?: () => void
  onClose: () => void
}

/** A role: its name, who has it, its permissions. */
export function RoleEditor({ role, source, onSaved, onCopy, onClose }: Props) {
  return (
    <section className={classes.editor} aria-label={role ? `Роль ${role.name}` : 'Новая роль'}>
      <header className={classes.editorHead}>
        <ActionIcon
          className={classes.back}
          variant="subtle"
          color="gray"
          aria-label="К списку ролей"
          onClick={onClose}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
        <h2 className={classes.editorTitle}>{role?.name ?? 'Новая роль'}</h2>
        {role?.isSystem && <Badge color="gray">Системная</Badge>}
        <span className={classes.space} />
        {role && <RoleMenu role={role} onCopy={onCopy} onClose={onClose} />}
      </header>
      <RecordForm
        entity={Role}
        record={role}
        initial={source && copyOf(source)}
        draft={source ? `copy of ${source.id}` : undefined}
        saveLabel={role ? 'Сохранить роль' : 'Создать роль'}
        onCancel={role ? undefined : onClose}
        onSaved={(saved) => {
          notify.success(role ? 'Роль сохранена, права уже действуют' : 'Роль создана')
          onSaved?.(saved.id)
        }}
      >
        <div className={classes.names}>
          <RecordField name="name" autoFocus={!role} />
          <RecordField name="description" />
        </div>
        {role && <Holders idRole={role.id} />}
        <RecordField name="permissions" input={PermissionsInput} />
      </RecordForm>
    </section>
  )
}

const copyOf = ({ name, description, permissions }: Row<typeof Role>) => ({
  name: `${name.slice(0, 56)} — копия`,
  description,
  permissions,
})

function RoleMenu({ role, onCopy, onClose }: { role: Row<typeof Role>; onCopy?: () => void; onClose: () => void }) {
  const remove = useRemoveRole(onClose)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label="Действия с ролью">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={18} />} onClick={onCopy}>
          Создать копию
        </Menu.Item>
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={18} />}
          disabled={role.isSystem || remove.isPending}
          onClick={() => remove.mutate(role)}
        >
          {role.isSystem ? 'Системную роль удалить нельзя' : 'Удалить роль'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Deletes a role; while the toast stands it can be made again as it was, for those who had it. */
function useRemoveRole(onDone: () => void) {
  const cache = useQueryClient()
  const settle = () => {
    for (const path of ['roles', 'user-roles', 'users']) void invalidateRecords(cache, path)
  }
  const failed = (error: unknown) => notify.error(errorMessage(error))
  const restore = async ({ name, description, permissions }: Row<typeof Role>, people: number[]) => {
    try {
      const { id: idRole } = await records.create(Role, { name, description, permissions })
      if (people.length) await records.batch(UserRole, { create: people.map((idUser) => ({ idUser, idRole })) })
    } catch (error) {
      failed(error)
    }
    settle()
  }
  return useMutation({
    mutationFn: async (role: Row<typeof Role>) => {
      const { items } = await records.list(UserRole, { filter: { idRole: role.id }, limit: MAX_HOLDERS })
      await records.remove(Role, role.id)
      return items.map(({ idUser }) => idUser)
    },
    onSuccess: (people, role) => {
      notify.undo('Роль удалена', () => restore(role, people))
      onDone()
    },
    onError: failed,
    onSettled: settle,
  })
}

/** The permissions of the role, in place of the plain list of names. */
function PermissionsInput({ value, onChange, error, readOnly }: InputProps) {
  const list = (value ?? []) as Permission[]
  const held = new Set(list)
  const toggle = (names: readonly Permission[], checked: boolean) =>
    onChange(
      checked ? [...list, ...names.filter((name) => !held.has(name))] : list.filter((name) => !names.includes(name)),
    )
  return (
    <>
      <h3 className={classes.heading}>
        Права <span className={classes.dim}>{`${held.size} из ${permissionNames.length}`}</span>
      </h3>
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
const MAX_HOLDERS = 500

/** Who has the role. */
function Holders({ idRole }: { idRole: number }) {
  const [all, setAll] = useState(false)
  const list = useList(UserRole, { filter: { idRole }, expand: ['user'], limit: MAX_HOLDERS }, { forbidden: 'silent' })
  const people = (list.data?.items ?? []).flatMap((held) => (held.user && !held.user.deleted ? [held.user] : []))
  return (
    <div>
      <h3 className={classes.heading}>
        У кого эта роль {list.isSuccess && <span className={classes.dim}>{people.length}</span>}
      </h3>
      {list.isPending && <LinesSkeleton lines={1} />}
      {list.isSuccess && people.length === 0 && (
        <p className={classes.note}>Пока ни у кого. Роль выдают на странице сотрудника</p>
      )}
      <div className={classes.people}>
        {people.slice(0, all ? undefined : SHOWN).map((user) => (
          <UserChip key={user.id} user={user} to={`/users/${user.id}`} />
        ))}
        {people.length > SHOWN && (
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(!all)}>
            {all ? 'Свернуть' : `Ещё ${people.length - SHOWN}`}
          </Button>
        )}
      </div>
    </div>
  )
}
