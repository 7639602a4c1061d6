import { MultiSelect } from '@mantine/core'
import { proposedLogin } from '@ordinator/model/areas/staff/login'
import { Role, UserRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { notify } from '#kit/notify.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RecordForm } from '#records/RecordForm.tsx'
import { useList } from '#records/reads.ts'
import { type GivenPassword, PasswordDialog } from './PasswordDialog.tsx'

const names = [
  'surname',
  'name',
  'middleName',
  'login',
  'post',
  'idSpeciality',
  'filials',
  'onlyFilials',
  'phone',
  'email',
  'sipPhone',
] as const

/** Proposes a login from the name until one is typed. */
function LoginOfName() {
  const { setValue, getValues, control } = useFormContext()
  const [surname, name] = useWatch({ control, name: ['surname', 'name'] }) as (string | null)[]
  const last = useRef('')
  useEffect(() => {
    const login = proposedLogin(surname ?? '', name ?? '')
    if ((getValues('login') ?? '') !== last.current || login === last.current) return
    last.current = login
    setValue('login', login || null)
  }, [surname, name, setValue, getValues])
  return null
}

interface Props {
  onClose: () => void
  /** Called after the password was shown. */
  onMade: (id: number) => void
}

/** New employee: name, login, roles; the server generates a password, shown once. */
export function UserDialog({ onClose, onMade }: Props) {
  const cache = useQueryClient()
  const roles = useList(Role, { limit: 200, fields: ['name'] })
  const [chosen, setChosen] = useState<string[]>([])
  const [made, setMade] = useState<GivenPassword & { id: number }>()
  const finish = (id: number) => {
    setMade(undefined)
    onMade(id)
  }
  const equip = useMutation({
    mutationFn: async ({ id }: Row<typeof User>) => {
      if (chosen.length)
        await records.batch(UserRole, { create: chosen.map((idRole) => ({ idUser: id, idRole: Number(idRole) })) })
      return api('POST /users/:id/reset-password', { params: { id } }, { forbidden: 'toast' })
    },
    onSuccess: ({ password }, { id, login }) => setMade({ id, login, password }),
    onError: (error, { id }) => {
      // The user exists; roles and password are set on the user's page.
      notify.error(errorMessage(error), { title: 'Сотрудник добавлен, но роли или пароль не выданы' })
      finish(id)
    },
    onSettled: () => {
      for (const path of ['users', 'user-roles', 'roles']) void invalidateRecords(cache, path)
    },
  })
  return (
    <>
      <Dialog opened={!made} onClose={onClose} title="Новый сотрудник" size="lg">
        <RecordForm
          entity={User}
          saveLabel="Добавить и получить пароль"
          onCancel={onClose}
          onSaved={(user) => equip.mutate(user)}
        >
          <RecordFields names={names} autoFocus />
          <LoginOfName />
          <MultiSelect
            label="Роли"
            description="Личные права можно добавить на странице сотрудника"
            placeholder={chosen.length ? undefined : 'Без ролей видны только рабочий стол и профиль'}
            data={(roles.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={chosen}
            onChange={setChosen}
            searchable
            clearable
          />
        </RecordForm>
      </Dialog>
      <PasswordDialog given={made} onClose={() => made && finish(made.id)} />
    </>
  )
}
