import { count, report } from '../../report.ts'

/** One fact is a birthday of this week: of a patient, or of an employee. */
export const birthdaysReport = report('reportBirthdays', {
  group: 'clients',
  hint: 'Сегодня и шесть дней вперёд. Родившиеся 29 февраля в обычный год стоят 1 марта.',
  fields: {
    date: { label: 'День', type: 'day' },
    who: { label: 'Кто', labels: { patient: 'Пациент', staff: 'Сотрудник' } },
    customer: { label: 'Пациент', of: 'customers' },
    user: { label: 'Сотрудник', of: 'users' },
    years: { label: 'Исполняется', type: 'number' },
    isToday: { label: 'Сегодня', type: 'flag', hidden: true },
    isPatient: { label: 'Пациент, признак', type: 'flag', hidden: true },
    isStaff: { label: 'Сотрудник, признак', type: 'flag', hidden: true },
  },
  by: ['date', 'who', 'user'],
  first: ['date'],
  measures: {
    total: count('Всего за неделю'),
    today: count('Сегодня', 'isToday'),
    patients: count('Именинников: пациентов', 'isPatient'),
    staff: count('Именинников: сотрудников', 'isStaff'),
  },
  chart: ['total'],
  opens: { page: 'customer', id: 'customer' },
  isNow: true,
  noFilial: true,
  patient: 'customer',
})
