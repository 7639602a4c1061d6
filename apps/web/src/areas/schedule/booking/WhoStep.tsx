import { Alert, TextInput } from '@mantine/core'
import { useState } from 'react'
import { searchCustomers } from '#areas/customers/index.ts'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { DateField } from '#kit/DateField.tsx'
import { HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { maskPhone } from '#records/fields/maskPhone.ts'
import { type Booking, patientFaults, patientOf, withSplitName } from './booking.ts'

interface Props {
  booking: Booking
  /** An unfinished earlier booking. */
  left: Booking | undefined
  /** Server errors of a new patient. */
  faults: Record<string, string>
  onLeft: (taken: boolean) => void
  onChange: (patch: Partial<Booking>) => void
  onPicked: (customer: AjaxOption) => void
  onNext: () => void
}

/** Patient step: found by phone or name, or new. */
export function WhoStep({ booking, left, faults, onLeft, onChange, onPicked, onNext }: Props) {
  const [tried, setTried] = useState(false)
  const { friendReward, friendGift } = useAccount().common.settings
  const hasFriends = Number(friendReward ?? 0) + Number(friendGift ?? 0) > 0
  const { fresh } = booking
  const wrong = fresh ? { ...(tried ? patientFaults(fresh) : {}), ...faults } : {}
  const begun = left && (left.customer?.label ?? left.fresh?.surname)
  return (
    <VStack gap={12}>
      {begun && (
        <Alert variant="light" color="gray" title={`Не закончена запись: ${begun}`}>
          <HStack gap={6}>
            <ActionButton label="Продолжить" size="compact-sm" onClick={() => onLeft(true)} />
            <ActionButton label="Забыть" size="compact-sm" variant="default" onClick={() => onLeft(false)} />
          </HStack>
        </Alert>
      )}
      {!fresh && (
        <AjaxSelect
          label="Пациент"
          placeholder="Телефон, фамилия или номер карты"
          autoFocus
          load={searchCustomers}
          value={booking.customer}
          onChange={(customer) => (customer ? onPicked(customer) : onChange({ customer }))}
          onCreate={(text) => {
            const fresh = patientOf(text)
            onChange({ customer: null, fresh: { ...fresh, phone: maskPhone(fresh.phone) } })
          }}
        />
      )}
      {fresh && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            setTried(true)
            const whole = withSplitName(fresh)
            if (whole !== fresh) onChange({ fresh: whole })
            if (Object.keys(patientFaults(whole)).length === 0) onNext()
          }}
        >
          <VStack gap={12}>
            <Tiles tile={180} fit gap={12}>
              {(
                [
                  ['surname', 'Фамилия', true],
                  ['name', 'Имя', true],
                  ['middleName', 'Отчество', false],
                  ['phone', 'Телефон', true],
                ] as const
              ).map(([field, label, required]) => (
                <TextInput
                  key={field}
                  label={label}
                  required={required}
                  autoComplete="off"
                  inputMode={field === 'phone' ? 'tel' : undefined}
                  maxLength={64}
                  onBlur={() => field === 'phone' && onChange({ fresh: { ...fresh, phone: maskPhone(fresh.phone) } })}
                  placeholder={field === 'surname' ? 'Можно сразу всё имя' : undefined}
                  autoFocus={field === (fresh.surname ? 'phone' : 'surname')}
                  value={fresh[field]}
                  error={wrong[field]}
                  onChange={(event) => onChange({ fresh: { ...fresh, [field]: event.currentTarget.value } })}
                />
              ))}
              <DateField
                label="Дата рождения"
                birthday
                value={fresh.birthday}
                error={wrong.birthday}
                onChange={(birthday) => onChange({ fresh: { ...fresh, birthday } })}
              />
              {hasFriends && (
                <TextInput
                  label="Код друга"
                  placeholder="Если пригласили"
                  autoComplete="off"
                  maxLength={300}
                  value={fresh.friend ?? ''}
                  onChange={(event) => onChange({ fresh: { ...fresh, friend: event.currentTarget.value } })}
                />
              )}
            </Tiles>
            <HStack justify="end">
              <ActionButton label="Искать снова" variant="default" onClick={() => onChange({ fresh: null })} />
              <ActionButton label="Дальше" type="submit" />
            </HStack>
          </VStack>
        </form>
      )}
    </VStack>
  )
}
