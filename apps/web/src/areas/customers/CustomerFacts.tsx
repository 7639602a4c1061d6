import { ageText } from '@ordinator/model/areas/customers/age'
import { Customer, secretLevels } from '@ordinator/model/areas/customers/customer'
import { phoneText } from '@ordinator/model/phone'
import { today } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { type Fact, TooltipFacts } from '#kit/TooltipFacts.tsx'
import { useList } from '#records/reads.ts'
import { CustomerFace } from './CustomerFace.tsx'

/** Milliseconds that a tooltip's data are cached. */
const FRESH_MS = 60_000

/**
 * Tooltip of a patient: full name, phone, e-mail, birthday (spec §2); only the name for a restricted card.
 * @param more facts of other areas
 */
export function CustomerFacts({ id, more }: { id: number; more: readonly Fact[] }) {
  const fields = [
    ...(['fio', 'surname', 'name', 'photo', 'phone', 'phoneMother', 'phoneFather'] as const),
    ...(['email', 'birthday', 'secretLevel'] as const),
  ]
  const found = useList(Customer, { filter: { id }, fields, limit: 1 }, { staleTime: FRESH_MS, forbidden: 'silent' })
  const customer = found.data?.items[0]
  if (!customer) return found.isPending ? 'Загрузка данных...' : 'Карта вам не видна'
  const { fio, phone, phoneMother, phoneFather, email, birthday, secretLevel } = customer
  const age = ageText(birthday, today())
  const facts: Fact[] = [
    ['Доступ', secretLevel !== 'none' && secretLevels[secretLevel]],
    ['Телефон', phone && phoneText(phone)],
    ['Мать', !phone && phoneMother && phoneText(phoneMother)],
    ['Отец', !phone && phoneFather && phoneText(phoneFather)],
    ['Почта', email],
    ...more,
    ['Дата рождения', birthday && (age ? `${birthday}, ${age}` : birthday)],
  ]
  return (
    <HStack component="span" align="flex-start" gap={8}>
      {customer.photo && <CustomerFace customer={customer} size={40} />}
      <TooltipFacts title={fio} facts={facts} />
    </HStack>
  )
}
