import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer, secretLevels } from '@ordinator/model/areas/customers/customer'
import { formatMoney } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { useBalance } from '#areas/money/index.ts'
import { today } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { type Fact, TooltipFacts } from '#kit/TooltipFacts.tsx'
import { useList } from '#records/reads.ts'
import { CustomerFace } from './CustomerFace.tsx'

/** Milliseconds that a tooltip's data are cached. */
const FRESH_MS = 60_000

/**
 * Tooltip of a patient: full name, phone, e-mail, birthday (spec §2), and debt; only the name for a restricted card.
 */
export default function CustomerFacts({ id }: { id: number }) {
  const fields = [
    ...(['fio', 'surname', 'name', 'photo', 'phone', 'phoneMother', 'phoneFather'] as const),
    ...(['email', 'birthday', 'secretLevel'] as const),
  ]
  const found = useList(Customer, { filter: { id }, fields, limit: 1 }, { staleTime: FRESH_MS, forbidden: 'silent' })
  const customer = found.data?.items[0]
  const { debt = 0, advance = 0 } = useBalance(id).data ?? {}
  if (!customer) return found.isPending ? 'Загрузка данных...' : 'Карта вам не видна'
  const { fio, phone, phoneMother, phoneFather, email, birthday, secretLevel } = customer
  const age = ageText(birthday, today())
  const facts: Fact[] = [
    ['Доступ', secretLevel !== 'none' && secretLevels[secretLevel]],
    ['Телефон', phone && phoneText(phone)],
    ['Мать', !phone && phoneMother && phoneText(phoneMother)],
    ['Отец', !phone && phoneFather && phoneText(phoneFather)],
    ['Почта', email],
    ['Долг', debt > 0 && formatMoney(debt)],
    ['Аванс', advance > 0 && formatMoney(advance)],
    ['Дата рождения', birthday && (age ? `${birthday}, ${age}` : birthday)],
  ]
  return (
    <HStack component="span" align="flex-start" gap={8}>
      {customer.photo && <CustomerFace customer={customer} size={40} />}
      <TooltipFacts title={fio} facts={facts} />
    </HStack>
  )
}
