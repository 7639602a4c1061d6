import { Checkbox } from '@mantine/core'
import { type Permission, type PermissionInfo, permissionList } from '@ordinator/model/permissions'
import { waitingPermissions, waitsFor } from '@ordinator/model/waiting'
import { useId, useMemo, useState } from 'react'
import { EmptyState } from '#kit/EmptyState.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './PermissionList.module.css'

export interface PermissionState {
  checked: boolean
  /** Granted elsewhere, read-only here. */
  locked?: boolean
  /** Source, beside the name. */
  hint?: string
}

interface Props {
  stateOf: (name: Permission) => PermissionState
  onToggle: (names: readonly Permission[], checked: boolean) => void
  /** Headings toggle whole groups. */
  wholeGroups?: boolean
  disabled?: boolean
  /** Filter of displayed permissions. */
  shown?: (name: Permission) => boolean
  label: string
}

/** All permissions by group, with search. */
export function PermissionList({ stateOf, onToggle, wholeGroups = false, disabled, shown, label }: Props) {
  const [search, setSearch] = useState('')
  const found = useMemo(() => matching(search), [search])
  const groups = [...Map.groupBy(shown ? found.filter((info) => shown(info.name)) : found, (info) => info.group)]
  return (
    <VStack component="section" gap={12} miw={0} aria-label={label}>
      <SearchField aria-label="Найти право" placeholder="Найти право" value={search} onChange={setSearch} />
      {groups.length === 0 && (
        <EmptyState title="Таких прав нет" text={search ? 'Попробуйте другое слово' : undefined} />
      )}
      <div className={classes.groups}>
        {groups.map(([group, infos]) => (
          <Group
            key={group}
            group={group}
            infos={infos}
            stateOf={stateOf}
            onToggle={onToggle}
            whole={wholeGroups}
            disabled={disabled}
          />
        ))}
      </div>
    </VStack>
  )
}

function matching(search: string): PermissionInfo[] {
  const wanted = search.trim().toLocaleLowerCase('ru')
  return permissionList.filter((info) =>
    [info.label, info.name, info.group].some((text) => text.toLocaleLowerCase('ru').includes(wanted)),
  )
}

interface GroupProps extends Pick<Props, 'stateOf' | 'onToggle' | 'disabled'> {
  group: string
  infos: PermissionInfo[]
  whole: boolean
}

function Group({ group, infos, stateOf, onToggle, whole, disabled }: GroupProps) {
  const id = useId()
  const states = infos.map((info) => ({ info, state: stateOf(info.name) }))
  const held = states.filter(({ state }) => state.checked).length
  const all = held === infos.length
  return (
    <fieldset className={classes.group} aria-labelledby={id}>
      <HStack justify="space-between" rule="bottom" pb={8} fw={600} mih={20}>
        {whole ? (
          <Checkbox
            size="sm"
            checked={all}
            indeterminate={held > 0 && !all}
            disabled={disabled}
            label={<span id={id}>{group}</span>}
            onChange={() =>
              onToggle(
                infos.map((info) => info.name),
                !all,
              )
            }
          />
        ) : (
          <span id={id}>{group}</span>
        )}
        <Fine flex="none">
          {held} из {infos.length}
        </Fine>
      </HStack>
      {states.map(({ info, state }) => (
        <Checkbox
          key={info.name}
          size="sm"
          className={classes.item}
          checked={state.checked}
          disabled={disabled || state.locked}
          label={info.label}
          description={[state.hint, waitsFor(waitingPermissions[info.name])].filter(Boolean).join(' · ') || undefined}
          onChange={(event) => onToggle([info.name], event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}
