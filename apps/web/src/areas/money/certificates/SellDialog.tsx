import { SegmentedControl, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CERTIFICATE_NUMBER } from '@ordinator/model/areas/money/certificate'
import { moneyMethods, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { formatMoney } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { BuyerField, useTaking } from '../desk/useTaking.tsx'

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
  const { desk, isByLink, take, handedOff, deskFields } = useTaking(props)
  if (handedOff) return handedOff
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
        const sells = { number, dateTo, idCustomer: idOwner }
        const sold = await take({ idCustomer, parts: [{ method, sum }], sells })
        if (sold) notify.success(`Сертификат № ${number} продан`)
        return sold !== false
      }}
      done={(isSold) => isSold}
      onClose={props.onClose}
    >
      {({ text, number, value, choice }) => (
        <VStack gap={12}>
          {props.idCustomer === undefined && <BuyerField {...value('idCustomer')} />}
          {deskFields}
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
