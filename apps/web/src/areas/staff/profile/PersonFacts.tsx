import { User } from '@ordinator/model/areas/staff/user'
import { phoneText } from '@ordinator/model/phone'
import { type Fact, TooltipFacts } from '#kit/TooltipFacts.tsx'
import { useRecord } from '#records/reads.ts'

/** Milliseconds that a tooltip's data are cached. */
const FRESH_MS = 60_000

/** Tooltip of a colleague: post, status, contacts. */
export default function PersonFacts({ id }: { id: number }) {
  const fields = [
    'fio',
    'post',
    'idSpeciality',
    'speciality.name',
    'phone',
    'email',
    'sipPhone',
    'isOnline',
    'isActive',
  ] as const
  const { data: user, isError } = useRecord(
    User,
    id,
    { fields, expand: ['speciality'] },
    { staleTime: FRESH_MS, forbidden: 'silent' },
  )
  if (!user) return isError ? 'Сотрудник удалён' : 'Загрузка данных...'
  const facts: Fact[] = [
    ['Должность', user.post],
    ['Специальность', user.speciality?.name],
    ['Телефон', user.phone && phoneText(user.phone)],
    ['Внутренний', user.sipPhone],
    ['Почта', user.email],
    ['Состояние', user.isActive ? (user.isOnline ? 'В сети' : 'Не в сети') : 'Больше не работает'],
  ]
  return <TooltipFacts title={user.fio || 'Без имени'} facts={facts} />
}
