import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { momentOf, wallOf } from '../../zone.ts'
import { lastOccurrence, nextOccurrence, type Repeat, type RepeatType, repeatTypes, repeatUnits } from './repeat.ts'

const zones = [
  'Europe/Moscow',
  'Europe/Kaliningrad',
  'Asia/Kamchatka',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'UTC',
]
const repeating = Object.keys(repeatTypes).filter((type) => type !== 'ONCE') as RepeatType[]
const moment = fc.date({ min: new Date('2015-01-01T00:00Z'), max: new Date('2040-12-31T00:00Z'), noInvalidDate: true })
const repeat: fc.Arbitrary<Repeat> = fc.record({
  type: fc.constantFrom(...repeating),
  date: moment.map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString()),
  timeZone: fc.constantFrom(...zones),
  unit: fc.constantFrom(...(Object.keys(repeatUnits) as (keyof typeof repeatUnits)[])),
  value: fc.integer({ min: 1, max: 40 }),
})

const show = (at: Date | undefined, timeZone: string) =>
  at && new Date(wallOf(at.getTime(), timeZone)).toISOString().slice(0, 16)

/** The first `count` occurrences, in the zone's local time. */
function series(repeat: Repeat, count: number): (string | undefined)[] {
  const found = []
  let after = new Date(Date.parse(repeat.date) - 1)
  for (let n = 0; n < count; n++) {
    const next = nextOccurrence(repeat, after)
    found.push(show(next, repeat.timeZone))
    if (next) after = next
  }
  return found
}

const at = (type: RepeatType, local: string, timeZone: string, more: Partial<Repeat> = {}): Repeat => ({
  type,
  date: new Date(momentOf(Date.parse(`${local}:00Z`), timeZone)).toISOString(),
  timeZone,
  ...more,
})

describe('nextOccurrence', () => {
  it.each<[string, Repeat, string[]]>([
    [
      'month ends',
      at('MONTHLY', '2026-01-31T09:00', 'Europe/Moscow'),
      ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00', '2026-04-30T09:00'],
    ],
    [
      'leap February',
      at('MONTHLY', '2028-01-30T09:00', 'Europe/Moscow'),
      ['2028-01-30T09:00', '2028-02-29T09:00', '2028-03-30T09:00'],
    ],
    [
      '29 February',
      at('ANNUALLY', '2024-02-29T09:00', 'Europe/Moscow'),
      ['2024-02-29T09:00', '2025-02-28T09:00', '2026-02-28T09:00', '2027-02-28T09:00', '2028-02-29T09:00'],
    ],
    [
      'weekdays',
      at('WEEKDAYS', '2026-11-20T09:00', 'Europe/Moscow'),
      ['2026-11-20T09:00', '2026-11-23T09:00', '2026-11-24T09:00'],
    ],
    ['weekdays from a Saturday', at('WEEKDAYS', '2026-11-21T09:00', 'Asia/Kamchatka'), ['2026-11-23T09:00']],
    [
      'every third week',
      at('CUSTOM', '2026-11-20T09:00', 'Europe/Moscow', { unit: 'WEEK', value: 3 }),
      ['2026-11-20T09:00', '2026-12-11T09:00'],
    ],
    [
      'an hour that is left out',
      at('EVERYDAY', '2026-03-07T02:30', 'America/New_York'),
      ['2026-03-07T02:30', '2026-03-08T03:00', '2026-03-09T02:30'],
    ],
    [
      'an hour that comes twice',
      at('EVERYDAY', '2026-10-31T01:30', 'America/New_York'),
      ['2026-10-31T01:30', '2026-11-01T01:30', '2026-11-02T01:30'],
    ],
    [
      'a day that is left out',
      at('EVERYDAY', '2011-12-29T09:00', 'Pacific/Apia'),
      ['2011-12-29T09:00', '2011-12-31T00:00', '2011-12-31T09:00'],
    ],
  ])('%s', (_, repeat, expected) => {
    expect(series(repeat, expected.length)).toEqual(expected)
  })

  it('of an hour that comes twice takes the first', () => {
    const next = nextOccurrence(at('EVERYDAY', '2026-10-31T01:30', 'America/New_York'), new Date('2026-10-31T12:00Z'))
    expect(next?.toISOString()).toBe('2026-11-01T05:30:00.000Z')
  })

  it('once is once', () => {
    const once = at('ONCE', '2026-11-20T09:00', 'Europe/Moscow')
    expect(nextOccurrence(once, new Date(Date.parse(once.date) - 1))?.toISOString()).toBe(once.date)
    expect(nextOccurrence(once, new Date(once.date))).toBeUndefined()
  })

  it('a custom period without dates is none', () => {
    expect(nextOccurrence(at('CUSTOM', '2026-11-20T09:00', 'UTC'), new Date())).toBeUndefined()
  })

  it('is strictly later, never before the first, and the earliest there is', () => {
    fc.assert(
      fc.property(repeat, moment, (one, after) => {
        const next = nextOccurrence(one, after) as Date
        expect(next.getTime()).toBeGreaterThan(after.getTime())
        expect(next.getTime()).toBeGreaterThanOrEqual(Date.parse(one.date))
        // Every moment in between gives the same result: no occurrence is skipped.
        const between = new Date(Math.floor((after.getTime() + next.getTime()) / 2))
        expect(nextOccurrence(one, between)).toEqual(next)
        expect(nextOccurrence(one, new Date(next.getTime() - 1))).toEqual(next)
        expect(lastOccurrence(one, next)).toEqual(next)
        const last = lastOccurrence(one, after)
        if (last) expect(nextOccurrence(one, last)).toEqual(next)
        else expect(Date.parse(one.date)).toBeGreaterThan(after.getTime() - 3 * 86_400_000)
      }),
      { numRuns: runs(200, 5_000) },
    )
  })

  it('keeps the clock and the day of the first one, however many steps', () => {
    fc.assert(
      fc.property(repeat, fc.integer({ min: 1, max: 25 }), (one, count) => {
        const first = new Date(wallOf(Date.parse(one.date), one.timeZone))
        for (const shown of series(one, count).slice(1)) {
          const wall = new Date(`${shown}:00Z`)
          const same = shown?.slice(11) === first.toISOString().slice(11, 16)
          // Otherwise that local time does not exist on that day.
          if (!same) expect(left(wall, first, one.timeZone)).toBe(true)
          if (one.type === 'WEEKLY') expect(wall.getUTCDay()).toBe(first.getUTCDay())
          else if (one.type === 'WEEKDAYS') expect([0, 6]).not.toContain(wall.getUTCDay())
          else if (isMonthly(one)) {
            const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
            expect(wall.getUTCDate()).toBe(Math.min(first.getUTCDate(), last))
          }
        }
      }),
      { numRuns: runs(100, 5_000) },
    )
  })

  it('after a long absence goes on with the next future one, as if it had never been off', () => {
    fc.assert(
      fc.property(repeat, fc.integer({ min: 1, max: 30 }), (one, missed) => {
        let stepped = new Date(Date.parse(one.date) - 1)
        for (let n = 0; n <= missed; n++) stepped = nextOccurrence(one, stepped) as Date
        expect(nextOccurrence(one, new Date(stepped.getTime() - 1))).toEqual(stepped)
      }),
      { numRuns: runs(100, 5_000) },
    )
  })
})

const isMonthly = ({ type, unit }: Repeat) =>
  ['MONTHLY', 'ANNUALLY'].includes(type) || (type === 'CUSTOM' && ['MONTH', 'YEAR'].includes(unit as string))

/** True when the first occurrence's time of day does not exist on this day in the zone. */
function left(wall: Date, first: Date, timeZone: string): boolean {
  const wanted = Date.parse(`${wall.toISOString().slice(0, 10)}T${first.toISOString().slice(11, 16)}:00Z`)
  return wallOf(momentOf(wanted, timeZone), timeZone) !== wanted
}
