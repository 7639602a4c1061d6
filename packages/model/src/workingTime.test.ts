import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from './testing/runs.ts'
import {
  addWorkingDays,
  addWorkingMinutes,
  calendarOf,
  dayKindOf,
  timeOfBranch,
  workingDaysBetween,
  workingMinutesBetween,
} from './workingTime.ts'

/** The government's orders for 2025 (№ 1335) and 2026 (№ 1466). */
const calendar = calendarOf([
  ...(['2025-05-02', '2025-05-08', '2025-06-13', '2025-11-03', '2025-12-31', '2026-01-09', '2026-12-31'] as const).map(
    (day) => ({ day, kind: 'off' as const }),
  ),
  { day: '2025-02-24', kind: 'work' },
  { day: '2025-03-10', kind: 'work' },
  { day: '2025-11-01', kind: 'short' },
])
const eachDay = (year: number) =>
  Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(year, 0, 1 + at)).toISOString().slice(0, 10))

describe('the production calendar', () => {
  it.each([
    [2025, 247, ['2025-03-07', '2025-04-30', '2025-06-11', '2025-11-01']],
    [2026, 247, ['2026-04-30', '2026-05-08', '2026-06-11', '2026-11-03']],
  ])('%s has its %s working days and its short ones', (year, working, short) => {
    const days = eachDay(year)
    expect(days.filter((day) => dayKindOf(day, calendar) !== 'off')).toHaveLength(working)
    expect(days.filter((day) => dayKindOf(day, calendar) === 'short')).toEqual(short)
  })

  it('moves a holiday of a weekend to the next working day by the law alone', () => {
    // 9 May 2027 is a Sunday.
    expect(dayKindOf('2027-05-10', new Map())).toBe('off')
    expect(dayKindOf('2027-05-11', new Map())).toBe('work')
  })
})

describe('a term in working days', () => {
  it.each([
    // Filed on Friday, two working days: the end of Tuesday.
    ['2026-11-20', 2, '2026-11-24'],
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-11-21', 0, '2026-11-23'],
    ['2026-11-22', 1, '2026-11-23'],
    // Ten working days over New Year.
    ['2025-12-26', 10, '2026-01-21'],
    ['2026-12-30', 1, '2027-01-11'],
  ])('%s and %s days: %s', (day, days, last) => expect(addWorkingDays(day, days, calendar)).toBe(last))

  it('counts back what it has added', () => {
    const day = fc
      .integer({ min: 0, max: 700 })
      .map((at) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10))
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 60 }), (from, days) => {
        const to = addWorkingDays(from, days, calendar)
        expect(workingDaysBetween(from, to, calendar)).toBe(days)
        expect(workingDaysBetween(to, from, calendar)).toBe(-days)
        expect(dayKindOf(to, calendar)).not.toBe('off')
      }),
      { numRuns: runs(50, 2000) },
    )
  })

  it('ends without any working day', () => {
    const never = { get: () => 'off' as const } as unknown as ReadonlyMap<string, 'off'>
    expect(() => addWorkingDays('2026-11-20', 1, never)).toThrow(RangeError)
  })
})

describe('minutes of work', () => {
  const hours = { start: '08:00', end: '21:00' }
  const week = {
    monday: hours,
    tuesday: hours,
    wednesday: hours,
    thursday: hours,
    friday: hours,
    saturday: hours,
    sunday: hours,
  }
  const daily = timeOfBranch(week, [], 'Europe/Moscow')
  const at = (text: string) => Date.parse(`${text}:00+03:00`)

  it('are 14 from Friday 20:50 to Saturday 08:04, open 08:00 to 21:00', () => {
    expect(workingMinutesBetween(at('2026-11-20T20:50'), at('2026-11-21T08:04'), daily)).toBe(14)
    expect(addWorkingMinutes(at('2026-11-20T20:50'), 14, daily)).toBe(at('2026-11-21T08:04'))
  })

  it('wait for the opening, over days off and a short one', () => {
    const branch = timeOfBranch(
      { ...week, sunday: null },
      [{ day: '2026-11-21', start: '09:00', end: '10:00' }],
      'Europe/Moscow',
    )
    expect(addWorkingMinutes(at('2026-11-20T21:00'), 0, branch)).toBe(at('2026-11-21T09:00'))
    expect(addWorkingMinutes(at('2026-11-20T20:30'), 100, branch)).toBe(at('2026-11-23T08:10'))
    expect(addWorkingMinutes(at('2026-11-20T20:30'), 1, timeOfBranch({}, [], 'Europe/Moscow'))).toBeUndefined()
  })

  it('are counted back, in any zone', () => {
    const zone = fc.constantFrom('Europe/Moscow', 'Asia/Kamchatka', 'America/New_York')
    const start = fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2026, 11, 1) / 60_000 })
    fc.assert(
      fc.property(zone, start, fc.integer({ min: 1, max: 5000 }), (timeZone, from, minutes) => {
        const time = timeOfBranch({ ...week, sunday: { start: '00:00', end: '24:00' } }, [], timeZone)
        const to = addWorkingMinutes(from * 60_000, minutes, time) as number
        expect(workingMinutesBetween(from * 60_000, to, time)).toBeCloseTo(minutes, 6)
        expect(workingMinutesBetween(to, from * 60_000, time)).toBe(0)
      }),
      { numRuns: runs(30, 1000) },
    )
  })
})
