import { User } from '@ordinator/model/areas/staff/user'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { session, useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { uiOf } from '#records/fields/registry.ts'
import { Contacts } from './Contacts.tsx'

const names = ['phone', 'email'] as const

/** Own contacts, editable. */
export function OwnContacts() {
  const { identity } = useAccount().user
  const [editing, setEditing] = useState(false)
  return (
    <>
      <Contacts person={identity} />
      <ActionButton
        label="Изменить телефон и почту"
        variant="default"
        icon={IconPencil}
        onClick={() => setEditing(true)}
      />
      {editing && <ContactsDialog onClose={() => setEditing(false)} />}
    </>
  )
}

function ContactsDialog({ onClose }: { onClose: () => void }) {
  const { phone = null, email = null } = useAccount().user.identity
  const [values, setValues] = useState<Record<(typeof names)[number], unknown>>({ phone, email })
  const faults = Object.fromEntries(
    names.map((name) => {
      const checked = values[name] ? User.fields[name].check(values[name]) : undefined
      return [name, checked && !checked.ok && checked.message]
    }),
  )
  const run = async () => {
    const body = { phone: (values.phone as string | null) || null, email: (values.email as string | null) || null }
    await api('POST /users/set-contacts', { body }, { forbidden: 'toast' })
    await session.reload()
    notify.success('Контакты сохранены')
  }
  return (
    <ActionDialog title="Мои контакты" size={400} action="Сохранить" faults={faults} run={run} onClose={onClose}>
      {(errorOf) =>
        names.map((name) => {
          const f = User.fields[name]
          const { Input } = uiOf(f)
          return (
            Input && (
              <Input
                key={name}
                entity={User}
                name={name}
                f={f}
                label={f.options.label}
                value={values[name]}
                error={errorOf(name)}
                onChange={(value: unknown) => setValues((now) => ({ ...now, [name]: value }))}
              />
            )
          )
        })
      }
    </ActionDialog>
  )
}
