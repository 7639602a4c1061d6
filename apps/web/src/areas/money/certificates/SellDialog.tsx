import { SegmentedControl, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CERTIFICATE_NUMBER } from '@ordinator/model/areas/money/certificate'
import { moneyMethods, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { DeskSelect, useDesks } from '../desk/DeskSelect.tsx'
import { HandOffDialog, handedOff } from '../desk/HandOffDialog.tsx'
import { keepDesk, readMoney, useOperationKey } from '../reads.ts'

const YEAR = 365

interface Props {
  idDesk?: number
  /** The buyer. */
  idCustomer?: number
  onClose: () => void
}

/** Sells a certificate; its money stays the buyer's until it is used. */
export function SellDialog(props: Props) {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const { desk, desks, setDesk } = useDesks(props.idDesk)
  const [idCustomer, setCustomer] = useState<number | null>(props.idCustomer ?? null)
  const [idOwner, setOwner] = useState<number | null>(null)
  const [number, setNumber] = useState('')
  const [sum, setSum] = useState<number | string | null>(null)
  const [dateTo, setDateTo] = useState<string | null>(plusDays(today(), YEAR))
  const [method, setMethod] = useState<PaymentMethod>('cash')
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  if (handOff)
    return (
      <HandOffDialog {...handOff} hasReceipt={desk !== undefined && desk.kktMode !== 'none'} onClose={props.onClose} />
    )
  return (
    <ActionDialog
      title="Продать сертификат"
      size={520}
      action={typeof sum === 'number' && sum > 0 ? `Принять ${formatMoney(sum)}` : 'Принять оплату'}
      disabled={!desk}
      faults={{
        idCustomer: idCustomer === null && 'Выберите, кто покупает',
        'sells.number': number.trim().length < CERTIFICATE_NUMBER.min && 'Укажите номер',
        'sells.dateTo': !dateTo && 'Укажите, до какого дня действует',
        'parts.0.sum': typeof sum !== 'number' && 'Укажите сумму',
      }}
      onClose={props.onClose}
      run={async () => {
        if (!desk) return false
        keepDesk(desk.id)
        try {
          await api(
            'POST /payments/take',
            {
              body: {
                key,
                idDesk: desk.id,
                idCustomer: idCustomer as number,
                parts: [{ method, sum: sum as number }],
                sells: { number, dateTo: dateTo as string, idCustomer: idOwner },
              },
            },
            { forbidden: 'toast' },
          )
          notify.success(`Сертификат № ${number.trim()} продан`)
        } catch (error) {
          if (error instanceof ApiError && error.code === 'declined') renew()
          const handed = handedOff(error)
          if (!handed) throw error
          setHandOff(handed)
          return false
        } finally {
          void readMoney(cache)
        }
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {props.idCustomer === undefined && (
            <RefSelect
              to={Customer.path}
              label="Кто покупает"
              required
              placeholder="Имя, телефон или дата рождения"
              value={idCustomer}
              error={errorOf('idCustomer')}
              onChange={setCustomer}
            />
          )}
          {props.idDesk === undefined && <DeskSelect desks={desks} desk={desk} onChange={setDesk} />}
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              label="Номер"
              required
              data-autofocus
              autoComplete="off"
              flex="1 1 180px"
              maxLength={CERTIFICATE_NUMBER.max}
              value={number}
              error={errorOf('sells.number')}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
            <Block flex="1 1 180px">
              <DateField
                label="Действует по"
                required
                value={dateTo}
                error={errorOf('sells.dateTo')}
                onChange={setDateTo}
              />
            </Block>
          </HStack>
          <NumberField
            label="Номинал"
            required
            digits={2}
            unit="₽"
            value={sum}
            error={errorOf('parts.0.sum')}
            onChange={setSum}
          />
          <SegmentedControl
            fullWidth
            aria-label="Чем платят"
            data={moneyMethods.map((value) => ({
              value,
              label: value === 'transfer' ? 'Перевод' : paymentMethods[value],
            }))}
            value={method}
            onChange={(value) => setMethod(value as PaymentMethod)}
          />
          <RefSelect
            to={Customer.path}
            label="Только для клиента"
            placeholder="Для любого, кто его принесёт"
            value={idOwner}
            error={errorOf('sells.idCustomer')}
            onChange={setOwner}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
