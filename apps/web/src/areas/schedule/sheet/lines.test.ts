import { describe, expect, test } from 'vitest'
import type { DayVisit } from '../day.ts'
import { visit } from '../sampleDay.ts'
import { fits, linesOf, nextOf, type SheetFilter, sheetFilters } from './lines.ts'

describe('the list of a day', () => {
  const now = { today: '2026-11-23', minute: 640, moment: Date.parse('2026-11-23T05:40:00Z') }
  const lines = linesOf(
    [
      visit({ id: 1, idAppointment: 1, localStart: '11:00' }),
      visit({ id: 3, idAppointment: 2, localStart: '10:30', services: 'УЗИ' }),
      visit({ id: 2, idAppointment: 2, localStart: '10:00' }),
      visit({ id: 4, idAppointment: 3, visitStatus: 'arrived', dateArrived: '2026-11-23T05:20:00Z' }),
      visit({ id: 5, idAppointment: 4, visitStatus: 'inProgress' }),
      visit({ id: 6, idAppointment: 5, visitStatus: 'completed' }),
      visit({ id: 7, idAppointment: 6, visitStatus: 'noShow' }),
      visit({ id: 8, idAppointment: 7, visitStatus: 'cancelled' }),
    ],
    now,
  )

  test('a coming is one line, by the first of its times; waiting is shown in minutes', () => {
    expect(lines.map(({ visit: { idAppointment } }) => idAppointment)).toEqual([2, 3, 4, 5, 6, 7, 1])
    expect(lines[0]).toMatchObject({ late: true, visit: { id: 2 }, coupons: [{ id: 2 }, { id: 3 }] })
    expect(lines.find(({ visit: { id } }) => id === 4)?.wait).toBe(20)
    expect(lines.filter(({ wait }) => wait !== undefined)).toHaveLength(1)
  })

  test('who comes owes what is not paid; who does not come, nothing', () => {
    const owed = (visitStatus: DayVisit['visitStatus'], due: number | null, paid: number | null) =>
      linesOf([visit({ visitStatus, due, paid })], now)[0]?.owed
    expect(owed('booked', 1500.1, 500)).toBe(1000.1)
    expect(owed('completed', 1500, 1600)).toBe(0)
    expect(owed('noShow', 1500, 0)).toBe(0)
    expect(owed('cancelled', 1500, 0)).toBe(0)
    expect(owed('booked', null, null)).toBeUndefined()
  })

  test('the next one is who has come and whose time is the earliest, of equals who waits longest', () => {
    const came = (id: number, localStart: string, minutes: number) =>
      visit({
        id,
        idAppointment: id,
        localStart,
        visitStatus: 'arrived',
        dateArrived: new Date(now.moment - minutes * 60_000).toISOString(),
      })
    expect(nextOf(lines)?.visit.idAppointment).toBe(3)
    const some = linesOf([came(11, '10:00', 50), came(12, '09:30', 1), came(13, '09:30', 9)], now)
    expect(nextOf(some)?.visit.id).toBe(13)
    expect(nextOf([])).toBeUndefined()
  })

  test('each question has its own people', () => {
    const shown = (filter: SheetFilter) =>
      lines.filter((line) => fits(filter, line)).map(({ visit: { idAppointment } }) => idAppointment)
    expect(Object.fromEntries((Object.keys(sheetFilters) as SheetFilter[]).map((one) => [one, shown(one)]))).toEqual({
      all: [2, 3, 4, 5, 6, 1],
      expected: [2, 1],
      late: [2],
      waits: [3],
      inside: [4],
      came: [3, 4, 5],
      absent: [6],
    })
  })
})
