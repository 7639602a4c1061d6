import { Group } from '@mantine/core'
import type { RegulationPerson } from '@ordinator/model/areas/regulations/wire'
import { User } from '@ordinator/model/areas/staff/user'
import { recordsWith } from '#base/client.ts'
import { AjaxMultiSelect, AjaxSelect } from '#kit/AjaxSelect.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'

interface Common {
  label: string
  description?: string
  placeholder?: string
  disabled?: boolean
  error?: string | undefined
}

interface OneProps extends Common {
  value: RegulationPerson | null
  onChange: (user: RegulationPerson | null) => void
}

/** Employee search by name: from two characters, 300 ms, at most 20 (spec §5). */
export function UserField({ value, onChange, ...input }: OneProps) {
  return (
    <AjaxSelect
      {...input}
      placeholder={input.placeholder ?? 'Начните вводить имя'}
      load={searchUsers}
      value={value && optionOf(value)}
      onChange={(option) => onChange((option as UserOption | null)?.user ?? null)}
      renderOption={drawn}
    />
  )
}

interface ManyProps extends Common {
  value: readonly RegulationPerson[]
  onChange: (users: RegulationPerson[]) => void
}

/** The same for several. */
export function UsersField({ value, onChange, ...input }: ManyProps) {
  return (
    <AjaxMultiSelect
      {...input}
      placeholder={input.placeholder ?? 'Начните вводить имя'}
      load={searchUsers}
      value={value.map(optionOf)}
      onChange={(options) => onChange(options.map((option) => (option as UserOption).user))}
      renderOption={drawn}
    />
  )
}

interface UserOption extends AjaxOption {
  user: RegulationPerson
}

const optionOf = (user: RegulationPerson): UserOption => ({ value: user.id, label: user.shortFio || user.fio, user })

async function searchUsers(text: string, signal: AbortSignal): Promise<UserOption[]> {
  const { items } = await quiet.list(
    User,
    { filter: { fio: { ilike: text } }, fields: ['fio', 'shortFio', 'avatar'], limit: AJAX_LIMIT },
    { signal },
  )
  return items.map(({ id, fio, shortFio, avatar }) => optionOf({ id, fio, shortFio, avatar }))
}

const quiet = recordsWith({ forbidden: 'silent', quiet: true })

const drawn = (option: AjaxOption) => {
  const { user } = option as UserOption
  return (
    <Group gap={8} wrap="nowrap">
      <UserAvatar user={user} size={24} />
      <span>{user.fio}</span>
    </Group>
  )
}
