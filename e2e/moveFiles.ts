/** Tables as three programs export them, with their dirt, and their sums by a count of their own. */

/** Kopecks as bookkeepers of different programs write a balance: what the patient owes is negative. */
const spellings: readonly ((kopecks: number) => string)[] = [
  (kopecks) => (kopecks < 0 ? `(${plain(-kopecks)})` : plain(kopecks)),
  (kopecks) => (kopecks < 0 ? `${plain(-kopecks)}-` : plain(kopecks)),
  (kopecks) => (kopecks < 0 ? `−${plain(-kopecks)}` : plain(kopecks)),
  (kopecks) => `${plain(Math.abs(kopecks))} ${kopecks < 0 ? 'Дт' : 'Кт'}`,
]

/** «1 234,50». */
function plain(kopecks: number): string {
  const rubles = String(Math.floor(kopecks / 100)).replace(/\B(?=(\d{3})+$)/g, ' ')
  return `${rubles},${String(kopecks % 100).padStart(2, '0')}`
}

const letters = 'абвгдежзик'
const spelled = (n: number) => [...String(n).padStart(3, '0')].map((digit) => letters[Number(digit)]).join('')

interface Patient {
  fio: string
  phone: string
  birthday: string
  kopecks: number
}

export const PATIENTS = 200
const VISITS = 260
const services = ['Приём', 'Снимок, обзорный'] as const

/**
 * @param mark letters that mark the surnames and services of this test
 * @param evening 1 or 2: on the second, a tenth of the balances has changed
 */
export function moveFiles(mark: string, evening: 1 | 2) {
  const people: Patient[] = Array.from({ length: PATIENTS }, (_, n) => ({
    fio: `Переездов${mark}${spelled(n)} Иван${n % 3 === 0 ? ' Семёнович' : ''}`,
    phone:
      n % 17 === 5
        ? 'нет'
        : `${n % 2 ? '8 (913)' : '+7 913'} ${String(1_000_000 + n).slice(0, 3)}-${String(1_000_000 + n).slice(3, 5)}-${String(1_000_000 + n).slice(5)}`,
    // The calendar has no such day; never where the phone is missing too.
    birthday:
      n % 29 === 7 && n % 17 !== 5 ? '31.02.1980' : `${String((n % 28) + 1).padStart(2, '0')}.05.${1940 + (n % 60)}`,
    kopecks: ((n * 7_919) % 400_000) - 200_000 + (evening === 2 && n % 10 === 0 ? 12_345 : 0),
  }))
  // YCLIENTS: no code of the patient anywhere; every fiftieth row is there twice, the second time with less.
  const patients = [
    'ID;Имя клиента;Телефон;Дата рождения;Категории;Откуда узнал',
    ...people.flatMap(({ fio, phone, birthday }, n) => [
      `${mark}${n};${fio};${phone};${birthday};Постоянный;Сайт`,
      ...(n % 50 === 0 ? [`${mark}${n};${fio};;;;`] : []),
    ]),
  ]
  // 1С: balances by name and birthday; one cell is not a number.
  const balances = [
    'Контрагент;Дата рождения;Телефон;Сальдо',
    ...people.map(
      ({ fio, phone, birthday, kopecks }, n) =>
        `${fio};${birthday};${phone === 'нет' ? '' : phone};${n === 13 ? '12 34' : spellings[n % spellings.length]?.(kopecks)}`,
    ),
  ]
  const visits = ['Клиент;Телефон;Дата рождения;Дата;Время;Статус визита;Услуга;Сумма']
  const sums = { debt: 0, advance: 0, visits: 0 }
  const owners = { debt: 0, advance: 0, visits: new Set<number>() }
  for (const [n, { kopecks }] of people.entries()) {
    if (n === 13 || kopecks === 0) continue
    const side = kopecks < 0 ? 'debt' : 'advance'
    sums[side] += Math.abs(kopecks)
    owners[side]++
  }
  for (let n = 0; n < VISITS; n++) {
    const at = (n * 7) % PATIENTS
    const { fio, phone, birthday } = people[at] as Patient
    const status = n % 9 === 4 ? 'Не пришел' : n % 9 === 8 ? 'Отменен' : 'Пришел'
    const kopecks = 100_000 + n * 50
    const names = services.map((name) => `${name} ${mark}`)
    const day = `${String((n % 28) + 1).padStart(2, '0')}.03.2025`
    visits.push(
      `${fio};${phone === 'нет' ? '' : phone};${birthday};${day};10:${String(n % 60).padStart(2, '0')};${status};${n % 4 ? names[0] : names.join(', ')};${plain(kopecks)}`,
    )
    if (status !== 'Пришел') continue
    sums.visits += kopecks
    owners.visits.add(at)
  }
  return {
    patients,
    balances,
    visits,
    services: services.map((name) => `${name} ${mark}`),
    sums,
    people: { debt: owners.debt, advance: owners.advance, visits: owners.visits.size },
    counts: { patients: PATIENTS, visits: VISITS },
  }
}

/** «1 234,50 ₽» with any kind of space, as a pattern. */
export const shown = (kopecks: number): string => `${plain(kopecks).replaceAll(' ', '\\s')}\\s₽`
