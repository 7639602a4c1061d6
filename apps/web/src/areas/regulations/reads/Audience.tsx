import { MultiSelect } from '@mantine/core'
import type { RegulationPerson } from '@ordinator/model/areas/regulations/wire'
import { useRegulation, useRegulationRoles } from '../calls.ts'
import { UsersField } from '../editor/UserFields.tsx'
import { toastFailed } from '../toasts.ts'
import { type Audience as Named, useReadingVerbs } from './calls.ts'
import classes from './Reads.module.css'

/** Readers of a regulation: roles and people. Saved at once. */
export function Audience({ idRegulation }: { idRegulation: number }) {
  const view = useRegulation(idRegulation).data
  const roles = useRegulationRoles()
  const { setAudience } = useReadingVerbs(idRegulation)
  if (!view) return null
  const chosen = view.audience.flatMap(({ role }) => role ?? [])
  const people = view.audience.flatMap(({ user }) => user ?? [])
  const isFixed = view.status === 'archived' || setAudience.isPending
  const save = (patch: Partial<Named>) =>
    setAudience.mutate(
      { roles: chosen, idUsers: people.map(({ id }) => id), ...patch },
      { onError: (error) => toastFailed('Ошибка при сохранении', error) },
    )
  return (
    <section className={classes.audience} aria-label="Кому ознакомиться">
      <MultiSelect
        label="Роли"
        placeholder={chosen.length ? undefined : 'Все сотрудники роли'}
        data={[...new Set([...Object.keys(roles.data ?? {}), ...chosen])]}
        value={chosen}
        disabled={isFixed}
        searchable
        clearable
        nothingFoundMessage="Такой роли нет"
        onChange={(names) => save({ roles: names })}
      />
      <UsersField
        label="Сотрудники"
        disabled={isFixed}
        value={people}
        onChange={(users: RegulationPerson[]) => save({ idUsers: users.map(({ id }) => id) })}
      />
    </section>
  )
}
