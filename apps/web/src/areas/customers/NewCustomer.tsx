import { TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { phoneText } from '@ordinator/model/phone'
import { nameParts } from '@ordinator/model/spelling'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'

interface Props {
  phone: string | null
  email?: string | null
  /** Name as given by the caller. */
  called?: string
  onMade: (idCustomer: number) => void | Promise<void>
  onClose: () => void
}

const names = [
  ['surname', 'Фамилия'],
  ['name', 'Имя'],
  ['middleName', 'Отчество'],
  ['birthday', 'Дата рождения'],
] as const

/** Splits a name: one word is the first name; of several, the first is the surname, as on cards. */
export function calledParts(called: string) {
  const { surname, name, middleName } = nameParts(called)
  return name ? { surname, name, middleName } : { surname: '', name: surname, middleName: '' }
}

/** A new card for a first contact, with the known data. */
export function NewCustomer({ phone, email = null, called = '', onMade, onClose }: Props) {
  const [typed, setTyped] = useState({ ...calledParts(called), birthday: '' })
  const run = async () => {
    const body = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim()))
    const { id } = await recordsWith({ forbidden: 'silent' }).create(Customer, {
      ...body,
      surname: typed.surname.trim(),
      phone,
      ...(email && { email }),
    })
    await onMade(id)
    notify.success('Карта клиента создана')
  }
  return (
    <ActionDialog
      title="Новый клиент"
      action="Создать клиента"
      run={run}
      onClose={onClose}
      faults={{ surname: !typed.surname.trim() && 'Обязательное поле' }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {phone && <Muted className="tabular">Телефон {phoneText(phone)}</Muted>}
          {names.map(([field, label]) => (
            <TextInput
              key={field}
              label={label}
              withAsterisk={field === 'surname'}
              data-autofocus={field === 'surname' || undefined}
              placeholder={field === 'birthday' ? 'ДД.ММ.ГГГГ' : undefined}
              inputMode={field === 'birthday' ? 'numeric' : undefined}
              maxLength={field === 'birthday' ? 10 : 64}
              value={typed[field]}
              error={errorOf(field)}
              onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
            />
          ))}
        </VStack>
      )}
    </ActionDialog>
  )
}
