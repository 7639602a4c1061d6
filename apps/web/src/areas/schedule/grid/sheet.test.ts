import { movable } from '@ordinator/model/areas/visits/rules'
import { describe, expect, test } from 'vitest'
import { type Day, type DayVisit, spanOf } from '../day.ts'
import { day, event, visit } from '../sampleDay.ts'
import {
  byDays,
  columnOf,
  firstSeen,
  type GroupItem,
  groundsOf,
  isOpen,
  itemsOf,
  layersOf,
  loadsOf,
  minutesLess,
  paidWord,
  percentOf,
  refusalOf,
  shortGrounds,
  soughtOf,
  spanShown,
  specialGrounds,
  type VisitItem,
  workingColumn,
} from './sheet.ts'

test('the sheet of today begins an hour before now, and never beyond its own end', () => {
  const span = { from: 540, to: 1_080 }
  expect(firstSeen(span, 720)).toBe(660)
  expect(firstSeen(span, 400)).toBe(540)
  expect(firstSeen(span, 1_395)).toBe(1_020)
})

describe('the sheet of a day', () => {
  test('a shift that ends not after it begins ends on the next day', () => {
    expect(spanOf({ localFrom: '20:00', localTo: '08:00' })).toEqual({ from: 1_200, to: 1_920 })
    expect(spanOf({ localFrom: '09:00', localTo: '24:00' })).toEqual({ from: 540, to: 1_440 })
  })

  test('a night shift is in both of its days, a part in each', () => {
    const night = event({ localFrom: '20:00', localTo: '08:00' })
    const parts = (...days: string[]) =>
      byDays([night], days).map(({ localDate, localFrom, localTo }) => [localDate, localFrom, localTo].join(' '))
    expect(parts('2026-11-23')).toEqual(['2026-11-23 20:00 24:00'])
    expect(parts('2026-11-24')).toEqual(['2026-11-24 00:00 08:00'])
    expect(parts('2026-11-23', '2026-11-24')).toEqual(['2026-11-23 20:00 24:00', '2026-11-24 00:00 08:00'])
    expect(byDays([event({ localFrom: '20:00', localTo: '00:00' })], ['2026-11-24'])).toEqual([])
    expect(spanShown(day({ events: byDays([night], ['2026-11-24']) }))).toEqual({ from: 0, to: 480 })
  })

  test('columns are doctors, rooms or days', () => {
    const one = visit({ idUser: 7, idRoom: 3 })
    expect([columnOf('doctors', one), columnOf('rooms', one), columnOf('days', one)]).toEqual(['7', '3', '2026-11-23'])
    expect(columnOf('rooms', visit({ idRoom: null }))).toBe('0')
  })

  test('a column of rooms has the shifts of its room; an absence and a break shut none', () => {
    const events = [
      event({ idRoom: 7 }),
      event({ id: 2, type: 'block', idRoom: 7, localFrom: '12:00', localTo: '12:30' }),
      event({ id: 3, type: 'shift', idRoom: null }),
      event({ id: 4, type: 'vacation', localFrom: '00:00', localTo: '24:00' }),
    ]
    expect(groundsOf(day({ events }), 'rooms').map(({ key, column, kind }) => [key, column, kind])).toEqual([
      ['e1 2026-11-23', '7', 'open'],
    ])
  })

  test('a shift without absence or hold is open', () => {
    const grounds = groundsOf(
      day({
        events: [
          event({}),
          event({ id: 2, type: 'block', localFrom: '12:00', localTo: '12:30' }),
          event({ id: 3, idUser: 2, type: 'vacation', localFrom: '00:00', localTo: '24:00' }),
        ],
        holds: [
          {
            id: 1,
            idUser: 1,
            idRoom: null,
            localDate: '2026-11-23',
            localStart: '14:00',
            minutes: 30,
            dateFrom: '',
            dateTo: '',
            mine: false,
            author: 'Орлова Е. П.',
            expiresAt: '',
          },
        ],
      }),
      'doctors',
    )
    const open = (column: string, minute: number) => isOpen(grounds, column, minute)
    expect([539, 540, 720, 749, 750, 840, 899, 900].map((minute) => open('1', minute))).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
      true,
      false,
    ])
    expect(open('2', 600)).toBe(false)
    expect(grounds.find(({ kind }) => kind === 'hold')?.word).toBe('Записывает Орлова Е. П.')
    expect(grounds.find(({ column }) => column === '2')?.word).toBe('Отпуск')
  })

  test('an expected patient is late once the time has come, and no other', () => {
    const late = (given: Partial<DayVisit>, minute: number, today = '2026-11-23') =>
      (itemsOf(day({ visits: [visit(given)] }), 'doctors', { today, minute }, () => true)[0] as VisitItem)?.late
    expect(late({}, 600)).toBe(false)
    expect(late({}, 601)).toBe(true)
    expect(late({ visitStatus: 'confirmed' }, 700)).toBe(true)
    expect(late({ visitStatus: 'arrived' }, 700)).toBe(false)
    expect(late({}, 0, '2026-11-24')).toBe(true)
    expect(late({}, 1_000, '2026-11-22')).toBe(false)
  })

  const group = (given: Partial<Day['groups'][number]>): Day['groups'][number] => ({
    id: 7,
    idService: 1,
    service: 'Школа мам',
    idUser: 1,
    idFilial: 1,
    idRoom: null,
    localDate: '2026-11-23',
    localStart: '10:00',
    minutes: 60,
    dateFrom: '',
    dateTo: '',
    version: 1,
    capacity: 8,
    taken: 2,
    held: 0,
    ...given,
  })

  test('those of one group are one thing, and take the time once', () => {
    const some = day({
      events: [event({})],
      groups: [group({ held: 1 })],
      visits: [
        visit({ id: 1, idGroup: 7, minutes: 60 }),
        visit({ id: 2, idGroup: 7, minutes: 60 }),
        visit({ id: 3, localStart: '12:00' }),
      ],
    })
    const items = itemsOf(some, 'doctors', { today: '2026-11-23', minute: 0 }, () => true)
    expect(items.map(({ id, movable }) => [id, movable])).toEqual([
      [3, true],
      [-7, true],
    ])
    // A started visit keeps everything.
    const begun = {
      ...some,
      visits: some.visits.map((one) => ({ ...one, ...(one.id === 2 && { visitStatus: 'inProgress' as const }) })),
    }
    const may = (one: DayVisit) => movable(one.visitStatus)
    expect(itemsOf(begun, 'doctors', { today: '2026-11-23', minute: 0 }, may)[1]?.movable).toBe(false)
    const left = {
      ...begun,
      visits: begun.visits.map((one) => (one.id === 2 ? { ...one, visitStatus: 'cancelled' as const } : one)),
    }
    expect(itemsOf(left, 'doctors', { today: '2026-11-23', minute: 0 }, may)[1]?.movable).toBe(true)
    expect(items[1]?.name).toBe('10:00–11:00, Школа мам, 2 из 8, записывают 1')
    expect((items[1] as GroupItem).members.map(({ id }) => id)).toEqual([1, 2])
    expect(loadsOf(some, 'doctors').get('1')).toEqual({ shift: 360, booked: 90 })
  })

  test('a layer that is switched off is not drawn, and the others are', () => {
    const all = { visits: true, shifts: true, absences: true, events: true, special: true, tasks: true }
    const some = day({
      events: [event({}), event({ id: 2, type: 'vacation' }), event({ id: 3, type: 'meeting' })],
      visits: [visit({})],
      groups: [group({})],
    })
    const left = (off: Partial<typeof all>) => {
      const { events, visits, groups } = layersOf(some, { ...all, ...off })
      return [...events.map(({ type }) => type), visits.length + groups.length]
    }
    expect(left({})).toEqual(['shift', 'vacation', 'meeting', 2])
    expect(left({ absences: false })).toEqual(['shift', 'meeting', 2])
    expect(left({ events: false, shifts: false })).toEqual(['vacation', 2])
    expect(left({ visits: false })).toEqual(['shift', 'vacation', 'meeting', 0])
  })

  test('a special day of the branch shades time without shifts, and closes no shift', () => {
    const some = day({
      events: [event({})],
      special: [{ date: '2026-11-23', reason: 'Короткий день', start: '10:00', end: '14:00' }],
    })
    const grounds = [...specialGrounds(some, 'doctors', ['1', '2']), ...groundsOf(some, 'doctors')]
    expect(grounds.map(({ column, from, to, kind, word }) => [column, from, to, kind, word])).toEqual([
      ['1', 0, 600, 'off', 'Короткий день'],
      ['1', 840, 1_440, 'off', 'Короткий день'],
      ['2', 0, 600, 'off', 'Короткий день'],
      ['2', 840, 1_440, 'off', 'Короткий день'],
      ['1', 540, 900, 'open', undefined],
    ])
    expect([isOpen(grounds, '1', 560), isOpen(grounds, '2', 560)]).toEqual([true, false])
    const closed = day({ special: [{ date: '2026-11-24', reason: 'Праздник', start: null, end: null }] })
    expect(specialGrounds(closed, 'days', ['2026-11-23', '2026-11-24'])).toMatchObject([
      { column: '2026-11-24', from: 0, to: 1_440, word: 'Праздник' },
    ])
    const layers = { visits: true, shifts: true, absences: true, events: true, special: false, tasks: true }
    expect(layersOf(some, layers).special).toEqual([])
  })

  test('a thing is spoken whole', () => {
    const [item] = itemsOf(
      day({ visits: [visit({ needsRebook: true })] }),
      'doctors',
      { today: '2026-11-23', minute: 620 },
      () => true,
    )
    expect(item?.name).toBe('10:00–10:30, Иванова А. П., Приём, Записан, опаздывает, требует переноса')
  })

  test('load: what is booked of what is open; without a shift there is none', () => {
    const loads = loadsOf(
      day({
        events: [event({}), event({ id: 2, type: 'block', localFrom: '12:00', localTo: '13:00' })],
        visits: [
          visit({ minutes: 120 }),
          visit({ id: 2, visitStatus: 'cancelled', minutes: 60 }),
          visit({ id: 3, visitStatus: 'noShow', minutes: 60 }),
          visit({ id: 4, idUser: 2 }),
        ],
      }),
      'doctors',
    )
    expect(loads.get('1')).toEqual({ shift: 300, booked: 120 })
    expect(percentOf(loads.get('1'))).toBe(40)
    expect(percentOf(loads.get('2'))).toBeUndefined()
    expect(percentOf(undefined)).toBeUndefined()
  })

  test('minutes that nothing covers', () => {
    const span = { from: 0, to: 100 }
    expect(minutesLess(span, [])).toBe(100)
    expect(
      minutesLess(span, [
        { from: 90, to: 300 },
        { from: 10, to: 30 },
        { from: 20, to: 40 },
      ]),
    ).toBe(60)
    expect(minutesLess(span, [{ from: -10, to: 200 }])).toBe(0)
    expect(minutesLess(span, [{ from: 200, to: 300 }])).toBe(100)
  })

  test('what is shown: shifts and visits by whole hours, else the hours of the branch', () => {
    expect(spanShown(day({ events: [event({})], visits: [visit({ localStart: '15:30', minutes: 45 })] }))).toEqual({
      from: 540,
      to: 1_020,
    })
    expect(spanShown(day({ hours: [{ date: '2026-11-23', start: '10:00', end: '18:00' }] }))).toEqual({
      from: 600,
      to: 1_080,
    })
    expect(spanShown(day({}))).toEqual({ from: 480, to: 1_200 })
  })
})

describe('a place that is asked for before a drop', () => {
  const doctor = (idUser: number) => ({
    ...{ idUser, shortFio: 'Белов А. А.', post: null, speciality: null, color: null, avatar: null },
    shortest: 20,
  })
  const shown = day({
    doctors: [doctor(1), doctor(2)],
    performs: [{ idService: 7, idUsers: [1] }],
    rooms: [{ id: 5, name: '5', capacity: 1 }],
    events: [
      event({ id: 1 }),
      event({ id: 2, idUser: 2 }),
      event({ id: 3, type: 'block', localFrom: '12:00', localTo: '12:30' }),
    ],
    visits: [
      visit({ id: 1, idServices: [7], idRoom: 5 }),
      visit({ id: 2, localStart: '11:00', idServices: [7], idRoom: null }),
      visit({ id: 3, localStart: '13:00', visitStatus: 'cancelled' }),
    ],
  })
  const at = (column: string, clock: string, minutes = 30) => {
    const [hours = 0, rest = 0] = clock.split(':').map(Number)
    return { column, from: hours * 60 + rest, to: hours * 60 + rest + minutes }
  }

  test('is refused where it is taken, outside of the shift, in an absence, at who does not perform the service', () => {
    expect(refusalOf(shown, 'doctors', 2, at('1', '10:15'))).toBe('занято')
    expect(refusalOf(shown, 'doctors', 2, at('1', '14:45'))).toBe('вне смены')
    expect(refusalOf(shown, 'doctors', 2, at('1', '12:15'))).toBe('врач отсутствует')
    expect(refusalOf(shown, 'doctors', 2, at('2', '10:00'))).toBe('не оказывает услугу')
    expect(refusalOf(shown, 'rooms', 2, at('5', '10:00'))).toBe('занято')
    expect(refusalOf(shown, 'doctors', 1, at('1', '10:00'))).toBeUndefined()
    // Cancelled participants are ignored.
    expect(refusalOf(shown, 'doctors', 2, at('1', '13:00'))).toBeUndefined()
  })

  test('what is left between visits and is too short for a service does not look free', () => {
    const tight = { ...shown, visits: [visit({ id: 1, localStart: '09:10', minutes: 100 })] }
    expect(shortGrounds(tight).map(({ column, from, to }) => [column, from, to])).toEqual([['1', 540, 550]])
  })

  test('a phone opens at who works now, else at who begins first', () => {
    const columns = ['1', '2'].map((key) => ({ key, name: key, head: null }))
    const two = day({
      events: [
        event({ localFrom: '13:00', localTo: '19:00' }),
        event({ id: 2, idUser: 2, localFrom: '08:00', localTo: '12:00' }),
      ],
    })
    const now = (minute: number) => ({ today: '2026-11-23', minute })
    expect(workingColumn(two, 'doctors', columns, now(14 * 60))).toBe(0)
    expect(workingColumn(two, 'doctors', columns, now(9 * 60))).toBe(1)
    expect(workingColumn(two, 'doctors', columns, { today: '2026-11-22', minute: 0 })).toBe(1)
  })
})

test('a patient of the day is found by a part of the name or the phone; all others step back', () => {
  const shown = day({
    visits: [visit({ id: 1 }), visit({ id: 2, patient: 'Алёшина В. В.', phone: '79221234567', localStart: '12:00' })],
  })
  const items = itemsOf(shown, 'doctors', { today: '2026-11-23', minute: 0 }, () => true)
  const found = (text: string) => soughtOf(items, text).flatMap(({ id, dim }) => (dim ? [] : [id]))
  expect([found(''), found('алеш'), found('123-45'), found('петров')]).toEqual([[1, 2], [2], [2], []])
})

test('money of a visit is shown where there is any to pay', () => {
  const word = (given: Partial<DayVisit>) => paidWord(visit(given))
  expect([word({}), word({ due: 0, paid: 0 }), word({ due: 100, paid: 50 }), word({ due: 100, paid: 100 })]).toEqual([
    ...[undefined, undefined],
    ...['не оплачено', 'оплачено'],
  ])
  expect(word({ due: 100, paid: 0, visitStatus: 'cancelled' })).toBeUndefined()
})
