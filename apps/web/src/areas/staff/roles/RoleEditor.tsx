import { ActionIcon, Badge, Button, Input, Menu } from '@mantine/core'
import { Role, UserRole } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { IconArrowLeft, IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '../../../kit/confirm.ts'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { UserChip } from '../../../kit/UserChip.tsx'
import type { InputProps } from '../../../records/fields/ui.ts'
import { RecordField } from '../../../records/form/RecordField.tsx'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { useList } from '../../../records/reads.ts'
import { useRemove } from '../../../records/writes.ts'
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
  const remove = useRemove(Role, { message: 'Роль удалена' })
  const onRemove = async () => {
    const people = counted(role.usersCount, ['сотрудник потеряет', 'сотрудника потеряют', 'сотрудников потеряют'])
    const message = role.usersCount ? `${people} её права. Вернуть роль будет нельзя.` : 'Вернуть роль будет нельзя.'
    const agreed = await confirm({ title: `Удалить роль «${role.name}»?`, message, confirm: 'Удалить', danger: true })
    if (agreed) remove.mutate(role.id, { onSuccess: onClose })
  }
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
          disabled={role.isSystem}
          onClick={() => void onRemove()}
        >
          {role.isSystem ? 'Системную роль удалить нельзя' : 'Удалить роль'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
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

/** Who has the role. */
function Holders({ idRole }: { idRole: number }) {
  const [all, setAll] = useState(false)
  const list = useList(UserRole, { filter: { idRole }, expand: ['user'], limit: 500 }, { forbidden: 'silent' })
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
