import { TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { api } from '../../../base/api.ts'
import { recordsWith } from '../../../base/client.ts'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { notify } from '../../../kit/notify.tsx'
import { VStack } from '../../../kit/Stacks.tsx'
import { Muted } from '../../../kit/Words.tsx'

interface Props {
  idCall: number
  phone: string | null
  onMade: () => void
  onClose: () => void
}

const names = [
  ['surname', 'Фамилия'],
  ['name', 'Имя'],
  ['middleName', 'Отчество'],
  ['birthday', 'Дата рождения'],
] as const

/** A card for somebody who calls for the first time, with the number that rings. */
export function NewCaller({ idCall, phone, onMade, onClose }: Props) {
  const [typed, setTyped] = useState({ surname: '', name: '', middleName: '', birthday: '' })
  const run = async () => {
    const body = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim()))
    const { id } = await recordsWith({ forbidden: 'silent' }).create(Customer, {
      ...body,
      surname: typed.surname.trim(),
      phone,
    })
    await api('POST /calls/:id/customer', { params: { id: idCall }, body: { idCustomer: id } }, { forbidden: 'silent' })
    notify.success('Карта клиента создана')
    onMade()
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
