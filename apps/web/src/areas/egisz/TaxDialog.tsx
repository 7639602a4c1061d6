import { Select, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import { schemes } from '@ordinator/model/identifiers'
import { messages } from '@ordinator/model/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** Relation of the patient to the taxpayer (приказ ФНС ЕА-7-11/824@). */
const relations = {
  self: 'Пациент сам',
  spouse: 'Супруг или супруга',
  parent: 'Родитель',
  child: 'Ребёнок',
} as const
type Relation = keyof typeof relations

const FIRST_YEAR = 2024

export interface Taxpayer {
  id: number
  surname: string
  name: string | null
  middleName: string | null
  inn: string | null
}

interface Props {
  /** Card it was opened from; absent: asks for it. */
  customer?: Taxpayer
  onClose: () => void
}

/** Certificate of a year's payments for treatment, for the tax office. */
export default function TaxDialog({ customer, onClose }: Props) {
  const actor = useActor()
  const cache = useQueryClient()
  const go = useGo()
  const mayUsers = useCan('view', User)
  const thisYear = Number(today().slice(0, 4))
  const years = Array.from({ length: thisYear - FIRST_YEAR + 1 }, (_, at) => String(thisYear - at))
  const [idCustomer, setCustomer] = useState<number | null>(customer?.id ?? null)
  const [year, setYear] = useState(years[Math.min(1, years.length - 1)] as string)
  const [relation, setRelation] = useState<Relation>('self')
  const [payer, setPayer] = useState({
    inn: customer?.inn ?? '',
    surname: customer?.surname ?? '',
    name: customer?.name ?? '',
    patronymic: customer?.middleName ?? '',
  })
  const [idUser, setUser] = useState<number | null>(actor.id ?? null)
  const inn = schemes.innPerson.read(payer.inn)
  const field = (name: keyof typeof payer) => ({
    value: payer[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget
      setPayer((now) => ({ ...now, [name]: value }))
    },
  })
  return (
    <ActionDialog
      title="Справка об оплате для налоговой"
      action="Сделать справку"
      faults={{
        idCustomer: !idCustomer && messages.required,
        payerInn: !payer.inn.trim() ? messages.required : !inn.ok && inn.message,
        payerSurname: !payer.surname.trim() && messages.required,
        payerName: !payer.name.trim() && messages.required,
        idUser: !idUser && messages.required,
      }}
      onClose={onClose}
      run={async () => {
        const made = await api(
          'POST /egisz/semds/tax',
          {
            body: {
              idCustomer: idCustomer as number,
              year: Number(year),
              relation,
              payerInn: inn.ok ? inn.value : payer.inn,
              payerSurname: payer.surname,
              payerName: payer.name,
              ...(payer.patronymic.trim() && { payerPatronymic: payer.patronymic }),
              idUser: idUser as number,
            },
          },
          { forbidden: 'toast' },
        )
        await invalidateRecords(cache, 'egisz/semds')
        if (made.errorCount > 0) {
          notify.error('Справка собрана, но в ней есть ошибки: исправьте их и проверьте снова')
          await go({ page: 'semds', search: { open: made.id } })
        } else notify.success('Справка готова к подписи: она в разделе «ЭМД и ЕГИСЗ»')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {!customer && (
            <RefSelect
              to={Customer.path}
              label="Пациент"
              required
              value={idCustomer}
              error={errorOf('idCustomer')}
              onChange={setCustomer}
            />
          )}
          <HStack gap={12} align="flex-start" wrap>
            <Select
              flex="1 1 120px"
              label="Год"
              allowDeselect={false}
              data={years}
              value={year}
              error={errorOf('year')}
              onChange={(value) => value && setYear(value)}
            />
            <Select
              flex="2 1 200px"
              label="Кто платил"
              allowDeselect={false}
              data={Object.entries(relations).map(([value, label]) => ({ value, label }))}
              value={relation}
              onChange={(value) => value && setRelation(value as Relation)}
            />
          </HStack>
          <TextInput
            label="ИНН налогоплательщика"
            required
            inputMode="numeric"
            maxLength={14}
            error={errorOf('payerInn')}
            {...field('inn')}
          />
          <HStack gap={12} align="flex-start" wrap>
            <TextInput
              flex="1 1 160px"
              label="Фамилия"
              required
              maxLength={64}
              error={errorOf('payerSurname')}
              {...field('surname')}
            />
            <TextInput
              flex="1 1 140px"
              label="Имя"
              required
              maxLength={64}
              error={errorOf('payerName')}
              {...field('name')}
            />
            <TextInput flex="1 1 160px" label="Отчество" maxLength={64} {...field('patronymic')} />
          </HStack>
          {mayUsers && (
            <RefSelect
              to={User.path}
              label="Кто подписывает"
              required
              value={idUser}
              error={errorOf('idUser')}
              onChange={setUser}
            />
          )}
          <Fine>
            Сумма считается по оплатам пациента за год, за вычетом возвратов. Справка уходит в РЭМД после подписи.
          </Fine>
        </VStack>
      )}
    </ActionDialog>
  )
}
