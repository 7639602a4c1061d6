import { SegmentedControl, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CERTIFICATE_NUMBER } from '@ordinator/model/areas/money/certificate'
import { takesByHand } from '@ordinator/model/areas/money/desk'
import { moneyMethods, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { DeskSelect, OnlyByLink, useDesks } from '../desk/DeskSelect.tsx'
import { HandOffDialog, manualPaymentOf } from '../desk/HandOffDialog.tsx'
import { readMoney, rememberDesk, useOperationKey } from '../reads.ts'

const YEAR = 365

interface Props {
  idDesk?: number
  /** The buyer. */
  idCustomer?: number
  onClose: () => void
}

/** Names of the fields in the body. */
const names = { number: 'sells.number', dateTo: 'sells.dateTo', idOwner: 'sells.idCustomer', sum: 'parts.0.sum' }

/** Sells a certificate; its money stays the buyer's until it is used. */
export function SellDialog(props: Props) {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const { desk, desks, setDesk } = useDesks(props.idDesk, undefined, { isTaking: true })
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  const isByLink = desk !== undefined && !takesByHand(desk)
  if (handOff)
    return (
      <HandOffDialog {...handOff} hasReceipt={desk !== undefined && desk.kktMode !== 'none'} onClose={props.onClose} />
    )
  return (
    <FormDialog
      title="Продать сертификат"
      size={520}
      action={({ sum }) => (sum !== null && sum > 0 ? `Принять ${formatMoney(sum)}` : 'Принять оплату')}
      disabled={!desk || isByLink}
      draft={{
        idCustomer: props.idCustomer ?? null,
        number: '',
        dateTo: plusDays(today(), YEAR) as string | null,
        sum: null as number | null,
        method: 'cash' as PaymentMethod,
        idOwner: null as number | null,
      }}
      names={names}
      required={{
        idCustomer: 'Выберите, кто покупает',
        dateTo: 'Укажите, до какого дня действует',
        sum: 'Укажите сумму',
      }}
      faults={({ number }) => ({
        [names.number]: number.trim().length < CERTIFICATE_NUMBER.min && 'Укажите номер',
      })}
      send={async ({ idCustomer, number, dateTo, sum, method, idOwner }) => {
        if (!desk) return false
        rememberDesk(desk.id)
        try {
          await api(
            'POST /payments/take',
            {
              body: {
                key,
                idDesk: desk.id,
                idCustomer,
                parts: [{ method, sum }],
                sells: { number, dateTo, idCustomer: idOwner },
              },
            },
            { forbidden: 'toast' },
          )
          notify.success(`Сертификат № ${number} продан`)
          return true
        } catch (error) {
          if (error instanceof ApiError && error.code === 'declined') renew()
          const handed = manualPaymentOf(error)
          if (!handed) throw error
          setHandOff(handed)
          return false
        } finally {
          void readMoney(cache)
        }
      }}
      done={(isSold) => isSold}
      onClose={props.onClose}
    >
      {({ text, number, value, choice }) => (
        <VStack gap={12}>
          {props.idCustomer === undefined && (
            <RefSelect
              to={Customer.path}
              label="Кто покупает"
              required
              placeholder="Имя, телефон или дата рождения"
              {...value('idCustomer')}
            />
          )}
          {props.idDesk === undefined && <DeskSelect desks={desks} desk={desk} onChange={setDesk} />}
          {isByLink && <OnlyByLink />}
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              label="Номер"
              required
              data-autofocus
              autoComplete="off"
              flex="1 1 180px"
              maxLength={CERTIFICATE_NUMBER.max}
              {...text('number')}
            />
            <Block flex="1 1 180px">
              <DateField label="Действует по" required {...value('dateTo')} />
            </Block>
          </HStack>
          <NumberField label="Номинал" required digits={2} unit="₽" {...number('sum')} />
          <SegmentedControl
            fullWidth
            aria-label="Чем платят"
            data={moneyMethods.map((value) => ({
              value,
              label: value === 'transfer' ? 'Перевод' : paymentMethods[value],
            }))}
            {...choice('method')}
          />
          <RefSelect
            to={Customer.path}
            label="Только для клиента"
            placeholder="Для любого, кто его принесёт"
            {...value('idOwner')}
          />
        </VStack>
      )}
    </FormDialog>
  )
}
