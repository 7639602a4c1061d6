import { describe, expect, it } from 'vitest'
import { timeOfBranch } from '../../workingTime.ts'
import {
  type Applicant,
  type ApplicationAround,
  applicationSteps,
  areasOf,
  checksOf,
  coversHouse,
  dueAt,
  houseNumber,
  redAt,
  sameWords,
  streetKey,
  urgencyOf,
} from './rules.ts'

const hours = { start: '08:00', end: '20:00' }
const time = timeOfBranch(
  { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours } as never,
  [],
  'Europe/Moscow',
)

describe('the term', () => {
  it('of two working days of what was filed on a Friday at 15:00 is the end of Tuesday (screens.md §17)', () => {
    // 20.11.2026 is a Friday.
    const due = dueAt('2026-11-20T12:00:00Z', 2, new Map(), time)
    expect(due).toEqual({ dueOn: '2026-11-24', dueAt: '2026-11-24T17:00:00.000Z' })
  })

  it('passes over holidays and what the calendar moves', () => {
    expect(dueAt('2026-11-03T06:00:00Z', 2, new Map(), time).dueOn).toBe('2026-11-06')
    const moved = new Map([['2026-11-05', 'off' as const]])
    expect(dueAt('2026-11-03T06:00:00Z', 2, moved, time).dueOn).toBe('2026-11-09')
  })

  it('is red with less than four working hours to go', () => {
    const due = '2026-11-24T17:00:00.000Z'
    const at = (moment: string) => urgencyOf(due, Date.parse(moment), time)
    expect(at('2026-11-24T12:59:00Z')).toBe('calm')
    expect(at('2026-11-24T13:01:00Z')).toBe('red')
    expect(at('2026-11-24T17:00:00Z')).toBe('late')
    const began = Date.parse(redAt(due, '2026-11-20T12:00:00Z', time))
    expect([urgencyOf(due, began, time), urgencyOf(due, began - 2_000, time)]).toEqual(['red', 'calm'])
    // An application filed in the last hours is red at once.
    expect(redAt(due, '2026-11-24T16:00:00Z', time)).toBe('2026-11-24T16:00:00Z')
  })
})

describe('an area by address', () => {
  it.each([
    ['ул. Ленина', 'Ленина'],
    ['улица Ленина', 'ленина'],
    ['пр-кт Королёва', 'Королева'],
    ['Проспект Королева', 'королева'],
    ['2-я Парковая ул.', '2-я Парковая'],
  ])('%s is %s', (a, b) => expect(streetKey(a)).toBe(streetKey(b)))

  it('keeps streets of different names apart', () => {
    expect(streetKey('ул. Ульянова')).toBe('ульянова')
    expect(streetKey('ул. Первомайская')).not.toBe(streetKey('ул. Майская'))
  })

  it.each([
    ['odd within', { houseFrom: 1, houseTo: 57, side: 'odd' }, '57к2', true],
    ['odd, an even house', { houseFrom: 1, houseTo: 57, side: 'odd' }, '12', false],
    ['beyond the range', { houseFrom: 1, houseTo: 57, side: 'odd' }, '59', false],
    ['from, without an end', { houseFrom: 60, houseTo: null, side: 'all' }, '61/3', true],
    ['a house without a number', { houseFrom: null, houseTo: null, side: 'all' }, 'Литера А', true],
    ['a house without a number, a range', { houseFrom: 1, houseTo: 9, side: 'all' }, 'Литера А', false],
  ] as const)('%s', (_, row, house, held) => {
    expect(coversHouse({ street: 'ул. Ленина', ...row }, 'Ленина', house)).toBe(held)
  })

  it('is one of the care asked for, the emptier first', () => {
    const streets = [{ street: 'Ленина', houseFrom: null, houseTo: null, side: 'all' } as const]
    const areas = [
      { id: 1, kind: 'therapy', idUser: 1, streets, attached: 1500, norm: 1700 },
      { id: 2, kind: 'family', idUser: 2, streets, attached: 600, norm: 1200 },
      { id: 3, kind: 'pediatrics', idUser: 3, streets, attached: 0, norm: 800 },
    ] as const
    expect(areasOf(areas, 'therapy', 'ул. Ленина', '5').map(({ id }) => id)).toEqual([2, 1])
    expect(areasOf(areas, 'pediatrics', 'ул. Ленина', '5').map(({ id }) => id)).toEqual([3, 2])
    expect(areasOf(areas, 'gynecology', 'ул. Ленина', '5')).toEqual([])
  })

  it('reads numbers of houses', () =>
    expect(['57к2', '12/1', 'д. 8', 'Литера А'].map(houseNumber)).toEqual([57, 12, 8, undefined]))
})

const applicant: Applicant = {
  ...{ surname: 'Иванова', name: 'Анна', middleName: null, birthday: '01.02.1980', gender: 'male', citizenship: 'РФ' },
  ...{ snils: '11223344595', enp: '7757910848000014', documentType: 'passport', documentNumber: '45 04 123456' },
  ...{ phone: null, email: null, registration: 'Самара', street: 'Ленина', house: '5', representative: null },
  ...{ careType: 'therapy', basis: 'registration', isMoved: false, currentMo: null },
}
const around: ApplicationAround = {
  ...{ today: '2026-11-20', missing: [], duplicate: null, lastChange: null },
  area: { name: '№ 1', kind: 'therapy', attached: 10, norm: 1700, isTheirs: true },
}
const wrong = (of: Partial<Applicant>, more: Partial<ApplicationAround> = {}) =>
  checksOf({ ...applicant, ...of }, { ...around, ...more })
    .filter(({ level }) => level !== 'ok')
    .map(({ key, level }) => `${key} ${level}`)

describe('the checks', () => {
  it('find nothing where all is right', () => expect(wrong({})).toEqual([]))

  it.each([
    ['a wrong СНИЛС', { snils: '11223344596' }, {}, ['snils error']],
    ['a wrong policy', { enp: '7757910848000015' }, {}, ['enp error']],
    ['another birthday than the policy', { birthday: '02.02.1980' }, {}, ['enp warning']],
    ['another sex than the policy', { gender: 'female' }, {}, ['enp warning']],
    ['a child with a therapist', { birthday: '01.02.2015', enp: null }, {}, ['enp warning', 'age error']],
    ['what the clinic asks for', {}, { missing: ['Телефон'] }, ['required error']],
    ['the same application twice', {}, { duplicate: { number: '7' } }, ['duplicate error']],
    ['a choice within a year', { basis: 'choice' }, { lastChange: '2026-01-10' }, ['year error']],
    ['a choice within a year after moving', { basis: 'choice', isMoved: true }, { lastChange: '2026-01-10' }, []],
    ['a choice after a year', { basis: 'choice' }, { lastChange: '2025-11-20' }, []],
    ['no area', {}, { area: null }, ['area error']],
  ] as const)('%s', (_, of, more, found) => expect(wrong(of, more)).toEqual(found))

  it('refuse a full area to patients from elsewhere, and only warn its residents', () => {
    const full = { name: '№ 1', kind: 'therapy', attached: 1700, norm: 1700, isTheirs: false } as const
    expect(wrong({ basis: 'choice' }, { area: full })).toEqual(['area error', 'load error'])
    expect(wrong({}, { area: { ...full, isTheirs: true } })).toEqual(['load warning'])
  })
})

it('states follow one another as the specification draws them', () => {
  const ways = Object.entries(applicationSteps).flatMap(([step, { from, to }]) =>
    from.map((one) => `${one} ${step} ${to}`),
  )
  expect(ways).toEqual(
    expect.arrayContaining([
      'new check check',
      'check ask needInfo',
      'needInfo answer check',
      'check approve approved',
    ]),
  )
  expect(ways).toContain('approved send sent')
  expect(ways).toContain('sent attach attached')
  expect(ways.filter((way) => way.includes('refuse'))).toEqual(['check refuse refused', 'sent refuse refused'])
})

it('compares words as people do', () => {
  expect(sameWords('Королёва, д. 5', 'королева д 5')).toBe(true)
  expect(sameWords(null, '')).toBe(true)
  expect(sameWords('Анна', 'Инна')).toBe(false)
})
