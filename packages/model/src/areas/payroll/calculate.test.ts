import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, corrections, lineKey, partsOf } from './calculate.ts'
import type { CalculatedLine, PersonFacts } from './facts.ts'
import { type PayRule, wrongRules } from './rules.ts'
import { baseOf, progressive } from './shares.ts'
import { fact, month, person, rule, services } from './testing/months.ts'
import { schemeSpans, workOf } from './timesheet.ts'

const sums = (lines: readonly CalculatedLine[]) => lines.map(({ sum }) => sum)

describe('a line', () => {
  it('takes materials off what was paid: 5 000 less 20 %, 400 of materials, 30 % is 1 080', () => {
    const percent = rule({ type: 'percent', rate: 30, base: 'paid', lessCosts: true })
    expect(calculate(month([person([percent])], [fact({ costs: 400_00 })]))).toEqual([
      expect.objectContaining({ base: 3_600_00, rate: 30, sum: 1_080_00, idCouponService: 1, day: '2026-10-05' }),
    ])
  })

  it('of a tier counts what is above it alone: 20 % to 300 000, 25 % above, 400 000 is 85 000', () => {
    const tiers = [
      { from: 0, rate: 20 },
      { from: 300_000, rate: 25 },
    ]
    expect(progressive({ tiers, mode: 'excess' }, 400_000_00)).toBe(85_000_00)
    expect(progressive({ tiers, mode: 'whole' }, 400_000_00)).toBe(100_000_00)
    expect(progressive({ tiers, mode: 'whole' }, 299_999_99)).toBe(60_000_00)
  })

  it.each<[string, PayRule, Partial<PersonFacts>, number[]]>([
    [
      'a salary by the hours worked',
      rule({ type: 'salary', sum: 88_000, norm: 'hours' }),
      { days: [{ day: '2026-10-05', hours: 88, nightHours: 0, isHoliday: false, isShift: true }] },
      [44_000_00],
    ],
    [
      'no more than a whole salary',
      rule({ type: 'salary', sum: 88_000, norm: 'hours', normOf: 10 }),
      { days: [{ day: '2026-10-05', hours: 24, nightHours: 0, isHoliday: false, isShift: true }] },
      [88_000_00],
    ],
    [
      'hours of the night and of a day off',
      rule({ type: 'hourly', sum: 100, nightFactor: 1.2, holidayFactor: 2 }),
      {
        days: [
          { day: '2026-10-05', hours: 10, nightHours: 5, isHoliday: false, isShift: true },
          { day: '2026-10-10', hours: 4, nightHours: 0, isHoliday: true, isShift: true },
        ],
      },
      [1_100_00 + 800_00],
    ],
    [
      'shifts',
      rule({ type: 'shift', sum: 3_000, holidayFactor: 1.5 }),
      {
        days: [
          { day: '2026-10-05', hours: 10, nightHours: 5, isHoliday: false, isShift: true },
          { day: '2026-10-10', hours: 4, nightHours: 0, isHoliday: true, isShift: true },
        ],
      },
      [7_500_00],
    ],
    ['the score of KPI', rule({ type: 'kpi', sum: 20_000 }), { score: 0.85 }, [17_000_00]],
    ['nothing without plans of KPI', rule({ type: 'kpi', sum: 20_000 }), {}, []],
    [
      'bookings that came',
      rule({ type: 'bookings', sum: 50 }),
      {
        bookings: [
          { idAppointment: 1, day: '2026-10-05' },
          { idAppointment: 2, day: '2026-11-05' },
        ],
      },
      [50_00],
    ],
    ['a guarantee', rule({ type: 'guarantee', sum: 30_000 }), {}, [30_000_00]],
  ])('pays %s', (_, one, more, expected) => {
    expect(sums(calculate(month([person([one], more)])))).toEqual(expected)
  })

  it('tops up to the guarantee what all rules have earned', () => {
    const rules = [
      rule({ type: 'guarantee', sum: 2_000 }),
      rule({ code: 'b', type: 'percent', rate: 30, base: 'discounted' }),
    ]
    expect(sums(calculate(month([person(rules)], [fact()])))).toEqual([1_200_00, 800_00])
  })

  it('of a scheme that another one interrupts is listed once, and what is for a month is for its days alone', () => {
    const rules = [
      rule({ type: 'salary', sum: 31_000, norm: 'none' }),
      rule({ code: 'b', type: 'percent', rate: 10, base: 'discounted' }),
      rule({ code: 'c', type: 'kpi', sum: 3_100 }),
    ]
    const scheme = { idScheme: 7, accrual: 'done' as const, isHome: true, rules }
    const spans = [
      { from: '2026-10-01', to: '2026-10-09' },
      { from: '2026-10-21', to: '2026-10-31' },
    ]
    const between = { ...scheme, idScheme: 8, spans: [{ from: '2026-10-10', to: '2026-10-20' }] }
    const lines = calculate(
      month(
        [person([], { schemes: [{ ...scheme, spans }, between], score: 1 })],
        [fact(), fact({ idLine: 2, doneDay: '2026-10-15' }), fact({ idLine: 3, doneDay: '2026-10-25' })],
      ),
    )
    expect(new Set(lines.map(lineKey)).size).toBe(lines.length)
    expect(lines.map(({ idScheme, rule: code, sum }) => [idScheme, code, sum])).toEqual([
      ...[
        [7, 'a', 20_000_00],
        [7, 'b', 400_00],
        [7, 'b', 400_00],
        [7, 'c', 2_000_00],
      ],
      ...[
        [8, 'a', 11_000_00],
        [8, 'b', 400_00],
        [8, 'c', 1_100_00],
      ],
    ])
  })

  it('of a progressive rule is shown by its services, whose bases add up to its own', () => {
    const rules = [rule({ type: 'progressive', base: 'discounted', mode: 'excess', tiers: [{ from: 0, rate: 10 }] })]
    const facts = month(
      [person(rules)],
      [
        fact(),
        fact({
          idLine: 2,
          performers: [
            { idUser: 1, share: 50, own: null },
            { idUser: 2, share: 50, own: null },
          ],
        }),
      ],
    )
    const [line] = calculate(facts) as [CalculatedLine]
    const parts = partsOf(facts, line)
    expect(parts).toEqual([
      { idLine: 1, day: '2026-10-05', base: 4_000_00 },
      { idLine: 2, day: '2026-10-05', base: 2_000_00 },
    ])
    expect(parts.reduce((sum, { base }) => sum + base, 0)).toBe(line.base)
  })

  it('takes the percentage of the catalogue first, unless the rule forbids it', () => {
    const services = [fact({ performers: [{ idUser: 1, share: 100, own: 50 }] })]
    const of = (more: Partial<PayRule>) =>
      sums(calculate(month([person([rule({ type: 'percent', rate: 30, base: 'discounted', ...more })])], services)))
    expect(of({})).toEqual([2_000_00])
    expect(of({ ownRate: false })).toEqual([1_200_00])
  })

  it('by what is paid bears its part of the costs', () => {
    const half = fact({ paid: 2_000_00, paidNow: 2_000_00, costs: 400_00 })
    expect(baseOf({ base: 'paid', lessCosts: true }, 'paid', half)).toBe(1_800_00)
    expect(baseOf({ base: 'discounted', lessCosts: true }, 'paid', half)).toBe(1_800_00)
  })

  it('of a refused service is taken back in the open month', () => {
    const one = person([rule({ type: 'percent', rate: 30, base: 'discounted' })])
    const kept = calculate(month([one], [fact(), fact({ idLine: 2 })]))
    const found = corrections(calculate(month([one], [fact()])), kept)
    expect(found).toEqual([expect.objectContaining({ idCouponService: 2, sum: -1_200_00 })])
    // A corrected difference is not corrected again.
    expect(corrections(calculate(month([one], [fact()])), [...kept, ...found])).toEqual([])
  })
})

const percentRule = fc.record({
  rate: fc.integer({ min: 0, max: 10_000 }).map((one) => one / 100),
  base: fc.constantFrom('list' as const, 'discounted' as const, 'paid' as const),
  lessCosts: fc.boolean(),
  accrual: fc.constantFrom('done' as const, 'paid' as const),
})

it('shares a base out to the kopeck, and rounds each line once where it is made', () => {
  fc.assert(
    fc.property(services, percentRule, (all, { rate, base, lessCosts, accrual }) => {
      const one = rule({ type: 'percent', rate, base, lessCosts })
      const people = [1, 2, 3].map((idUser) => ({
        ...person([one]),
        idUser,
        schemes: [
          { idScheme: 7, accrual, spans: [{ from: '2026-10-01', to: '2026-10-31' }], isHome: true, rules: [one] },
        ],
      }))
      const lines = calculate(month(people, all))
      for (const { base: of, sum } of lines) {
        expect(Number.isSafeInteger(sum)).toBe(true)
        // Within half a kopeck of the exact product of the line's factors.
        expect(Math.abs(sum * 10_000 - of * Math.round(rate * 100))).toBeLessThanOrEqual(5_000)
      }
      if (rate === 100)
        for (const each of all) {
          const own = lines.filter(({ idCouponService }) => idCouponService === each.idLine)
          if (own.length) expect(own.reduce((sum, { base: of }) => sum + of, 0)).toBe(baseOf(one, accrual, each))
        }
      // No key occurs twice.
      expect(new Set(lines.map(lineKey)).size).toBe(lines.length)
    }),
    { numRuns: 100 },
  )
})

it.each<[string, PayRule[], RegExp]>([
  ['a type that there is not', [{ code: 'a', type: 'none' as never }], /выберите вид/],
  ['a percentage without a base', [rule({ type: 'percent', rate: 10 })], /От чего/],
  ['more than a hundred percent', [rule({ type: 'percent', rate: 101, base: 'list' })], /Процент/],
  [
    'tiers that do not begin with nothing',
    [rule({ type: 'progressive', base: 'list', mode: 'whole', tiers: [{ from: 1, rate: 1 }] })],
    /с нуля/,
  ],
  ['the same code twice', [rule({ type: 'kpi', sum: 1 }), rule({ type: 'kpi', sum: 1 })], /уже есть/],
])('refuses %s', (_, rules, words) => {
  expect(wrongRules(rules)).toMatch(words)
})

describe('a day of the timesheet', () => {
  const event = (type: 'shift' | 'block' | 'sick', localFrom: string, localTo: string) => ({ type, localFrom, localTo })
  it.each([
    ['two shifts are one day', [event('shift', '08:00', '12:00'), event('shift', '14:00', '18:00')], 8, 0],
    ['what overlaps counts once', [event('shift', '08:00', '14:00'), event('shift', '12:00', '18:00')], 10, 0],
    ['a break is no work', [event('shift', '08:00', '20:00'), event('block', '13:00', '14:00')], 11, 0],
    ['whoever is ill does not work', [event('shift', '08:00', '20:00'), event('sick', '00:00', '24:00')], 0, 0],
    ['a night shift is of its first day', [event('shift', '20:00', '08:00')], 12, 8],
  ] as const)('%s', (_, events, hours, nightHours) => {
    expect(workOf(events)).toEqual({ hours, nightHours, isShift: hours > 0 })
  })
})

it('cuts a month by the schemes that hold in it, the own before that of the post', () => {
  const scheme = (id: number, dateFrom: string, dateTo: string | null, idUser: number | null) => ({
    ...{ id, dateFrom, dateTo, idUser },
    idFilial: null,
    accrual: 'done' as const,
    over: 'person' as const,
    rules: [],
  })
  const spans = schemeSpans(
    [scheme(1, '2020-01-01', null, null), scheme(2, '2026-10-10', '2026-10-20', 5)],
    '2026-10-01',
    '2026-10-31',
  )
  expect(spans.map(({ scheme: { id }, from, to }) => [id, from, to])).toEqual([
    [1, '2026-10-01', '2026-10-09'],
    [2, '2026-10-10', '2026-10-20'],
    [1, '2026-10-21', '2026-10-31'],
  ])
})
