import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, corrections, lineKey, partsOf } from './calculate.ts'
import type { CalculatedLine, MonthFacts, PersonFacts, ServiceFact } from './facts.ts'
import { type PayRule, wrongRules } from './rules.ts'
import { baseOf, progressive } from './shares.ts'
import { schemeSpans, workOf } from './timesheet.ts'

const fact = (more: Partial<ServiceFact> = {}): ServiceFact => ({
  idLine: 1,
  idService: 10,
  idGroup: 5,
  isProduct: false,
  doneDay: '2026-10-05',
  paidDay: '2026-10-05',
  qty: 1000,
  list: 5_000_00,
  discounted: 4_000_00,
  paid: 4_000_00,
  paidNow: 4_000_00,
  costs: 0,
  performers: [{ idUser: 1, share: 100, own: null }],
  idReferrer: null,
  assistants: [],
  idAuthor: null,
  ...more,
})

const person = (rules: PayRule[], more: Partial<PersonFacts> = {}): PersonFacts => ({
  idUser: 1,
  schemes: [{ idScheme: 7, accrual: 'done', spans: [{ from: '2026-10-01', to: '2026-10-31' }], isHome: true, rules }],
  days: [],
  bookings: [],
  score: null,
  ...more,
})

const month = (people: PersonFacts[], services: ServiceFact[] = [], more: Partial<MonthFacts> = {}): MonthFacts => ({
  from: '2026-10-01',
  to: '2026-10-31',
  normHours: 176,
  normDays: 22,
  revenue: 0,
  people,
  services,
  ...more,
})
const sums = (lines: readonly CalculatedLine[]) => lines.map(({ sum }) => sum)
const rule = (more: Partial<PayRule> & Pick<PayRule, 'type'>): PayRule => ({ code: 'a', ...more })

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

  it('of a scheme that another one interrupts stands once, and what is for a month is for its days alone', () => {
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

  it('of a progressive rule is told by its services, whose bases come to its own', () => {
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

  it('takes the percentage of the catalogue first, unless the rule says no', () => {
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

const service = fc.record({
  idLine: fc.nat(1_000_000),
  list: fc.integer({ min: 0, max: 50_000_00 }),
  off: fc.integer({ min: 0, max: 100 }),
  paidPart: fc.integer({ min: 0, max: 100 }),
  costs: fc.integer({ min: 0, max: 5_000_00 }),
  shares: fc.constantFrom([100], [50, 50], [33.34, 33.33, 33.33], [70, 30]),
  day: fc.integer({ min: 1, max: 31 }),
})
const services = fc.uniqueArray(service, { selector: ({ idLine }) => idLine, maxLength: 40 }).map((all) =>
  all.map(({ idLine, list, off, paidPart, costs, shares, day }): ServiceFact => {
    const discounted = list - Math.floor((list * off) / 100)
    const paid = Math.floor((discounted * paidPart) / 100)
    const at = `2026-10-${String(day).padStart(2, '0')}`
    return fact({
      ...{ idLine, list, discounted, paid, costs },
      paidNow: paid,
      doneDay: at,
      paidDay: paid > 0 ? at : null,
      performers: shares.map((share, place) => ({ idUser: place + 1, share, own: null })),
    })
  }),
)
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

/** The thirteen kinds of rules that are not a branch's own, by what they may differ in over branches: kopecks. */
const everywhere: readonly [PayRule, number][] = [
  [rule({ type: 'salary', sum: 60_000, norm: 'hours' }), 0],
  [rule({ type: 'salary', sum: 60_000, norm: 'days' }), 0],
  [rule({ type: 'salary', sum: 60_000, norm: 'none' }), 0],
  // A line of each branch is rounded by itself.
  [rule({ type: 'hourly', sum: 333.33, nightFactor: 1.2, holidayFactor: 2 }), 1],
  [rule({ type: 'shift', sum: 1_234.56, holidayFactor: 1.5 }), 1],
  [rule({ type: 'percent', rate: 33.33, base: 'discounted' }), 0],
  [rule({ type: 'fixed', sum: 99.99 }), 0],
  [rule({ type: 'referral', rate: 7.77, base: 'list' }), 0],
  [rule({ type: 'assistant', rate: 3.33, base: 'paid' }), 0],
  [rule({ type: 'goods', rate: 5.55, base: 'list' }), 0],
  [rule({ type: 'bookings', sum: 50 }), 0],
  [rule({ type: 'kpi', sum: 10_000 }), 0],
  [
    rule({
      type: 'progressive',
      base: 'discounted',
      mode: 'excess',
      tiers: [
        { from: 0, rate: 20 },
        { from: 300_000, rate: 25 },
      ],
    }),
    0,
  ],
  [
    rule({
      type: 'progressive',
      base: 'discounted',
      mode: 'whole',
      tiers: [
        { from: 0, rate: 10 },
        { from: 50_000, rate: 12.34 },
      ],
    }),
    0,
  ],
]
const workDay = fc.record({
  day: fc.integer({ min: 1, max: 31 }).map((one) => `2026-10-${String(one).padStart(2, '0')}`),
  hours: fc.integer({ min: 0, max: 1_200 }).map((one) => one / 100),
  isHoliday: fc.boolean(),
  inFirst: fc.boolean(),
})
const begun = fc.integer({ min: 1, max: 31 }).map((one) => `2026-10-${String(one).padStart(2, '0')}`)

describe('a person of two branches', () => {
  /** The month in two branches, and in one that is both. @param inFirst where each service and day is */
  function apart(
    rules: PayRule[],
    all: ServiceFact[],
    days: readonly (PersonFacts['days'][number] & { inFirst: boolean })[],
    ...begins: readonly string[]
  ) {
    // Each scheme holds up to the next.
    const schemes = begins.map((from, at) => {
      const next = begins[at + 1]
      return { idScheme: 7 + at, spans: [{ from, to: next ? dayBefore(next) : '2026-10-31' }] }
    })
    const inFirst = ({ idLine }: ServiceFact) => idLine % 2 === 0
    const worker = (isHome: boolean, own: readonly PersonFacts['days'][number][]) =>
      person(rules, {
        schemes: schemes.map((scheme) => ({ ...scheme, accrual: 'done', isHome, isShared: true, rules })),
        ...{ days: own, score: 0.87 },
      })
    const one = month(
      [
        worker(
          true,
          days.filter((day) => day.inFirst),
        ),
      ],
      all.filter(inFirst),
      { idFilial: 1 },
    )
    const other = month(
      [
        worker(
          false,
          days.filter((day) => !day.inFirst),
        ),
      ],
      all.filter((each) => !inFirst(each)),
      { idFilial: 2 },
    )
    const both = calculate(month([worker(true, days)], all))
    return { both, parts: [calculate({ ...one, elsewhere: [other] }), calculate({ ...other, elsewhere: [one] })] }
  }
  const dayBefore = (day: string) => `2026-10-${String(Number(day.slice(-2)) - 1).padStart(2, '0')}`
  const total = (lines: readonly CalculatedLine[]) => lines.reduce((sum, line) => sum + line.sum, 0)
  const roled = services.map((all) =>
    all.map((each, at) => ({
      ...each,
      performers: [{ idUser: at % 3 ? 1 : 2, share: 100, own: null }],
      ...{ idReferrer: at % 3 ? null : 1, assistants: at % 5 ? [] : [1, 3], isProduct: at % 7 === 0, idAuthor: 1 },
    })),
  )
  const dated = fc
    .uniqueArray(workDay, { selector: ({ day }) => day, maxLength: 31 })
    .map((all) => all.map((day) => ({ ...day, nightHours: Math.floor(day.hours * 25) / 100, isShift: day.hours > 0 })))

  it.each(everywhere)('is paid by %j as in one branch, with its own guarantee', (kind, least) => {
    fc.assert(
      fc.property(roled, dated, begun, fc.boolean(), (all, days, from, isGuaranteed) => {
        const rules = isGuaranteed ? [kind, rule({ type: 'guarantee', code: 'g', sum: 40_000 })] : [kind]
        const { both, parts } = apart(rules, all, days, from)
        expect(Math.abs(total(parts.flat()) - total(both))).toBeLessThanOrEqual(least)
        for (const line of parts.flat()) expect(Number.isSafeInteger(line.sum)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  /** The tiers of a scheme begin with it. */
  const whole = everywhere.filter(([{ type }]) => type !== 'progressive')
  it.each(whole)('is paid by two schemes one after the other, of %j each, as by one', (kind, least) => {
    const second = fc.integer({ min: 2, max: 31 }).map((one) => `2026-10-${String(one).padStart(2, '0')}`)
    fc.assert(
      fc.property(roled, dated, second, (all, days, from) => {
        // A norm that is often reached.
        const often = kind.type === 'salary' ? { ...kind, normOf: 8 } : kind
        const one = apart([often], all, days, '2026-10-01')
        const two = apart([often], all, days, '2026-10-01', from)
        // What is for a month is rounded in each scheme and branch.
        const rounds = ['salary', 'kpi'].includes(kind.type) ? 2 : 2 * least
        expect(Math.abs(total(two.parts.flat()) - total(one.parts.flat()))).toBeLessThanOrEqual(rounds)
        for (const { day, idScheme } of two.parts.flat()) if (day !== null) expect(idScheme).toBe(day < from ? 7 : 8)
      }),
      { numRuns: 40 },
    )
  })

  it.each(everywhere)('is brought by %j in each branch to what it comes to after refunds of a closed month', (kind) => {
    fc.assert(
      fc.property(roled, dated, begun, fc.nat(3), fc.boolean(), (all, days, from, refunded, isGuaranteed) => {
        const rules = isGuaranteed ? [kind, rule({ type: 'guarantee', code: 'g', sum: 40_000 })] : [kind]
        const later = all.map((each, at) =>
          at % 4 === refunded ? { ...each, doneDay: null, paidNow: 0, paid: 0 } : each,
        )
        const closed = apart(rules, all, days, from).parts
        const now = apart(rules, later, days, from)
        const made = now.parts.map((lines, at) => [...(closed[at] ?? []), ...corrections(lines, closed[at] ?? [])])
        expect(made.map(total)).toEqual(now.parts.map(total))
        const again = now.parts.map((lines, at) => corrections(lines, made[at] ?? []))
        expect(again.flat()).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('gets one guarantee, and reaches the tiers by all branches', () => {
    const services = [
      fact({ idLine: 2, list: 300_00, discounted: 300_00 }),
      fact({ idLine: 1, list: 19_900_00, discounted: 19_900_00 }),
    ]
    const earns = rule({ type: 'percent', rate: 100, base: 'discounted' })
    const guaranteed = apart([earns, rule({ type: 'guarantee', code: 'g', sum: 20_000 })], services, [], '2026-10-01')
    expect(guaranteed.parts.map(total)).toEqual([300_00, 19_900_00])
    const large = [1, 2].map((idLine) => fact({ idLine, list: 200_000_00, discounted: 200_000_00 }))
    const tiers = [
      { from: 0, rate: 20 },
      { from: 300_000, rate: 25 },
    ]
    const { parts } = apart(
      [rule({ type: 'progressive', base: 'discounted', mode: 'excess', tiers })],
      large,
      [],
      '2026-10-01',
    )
    expect(parts.map(total)).toEqual([42_500_00, 42_500_00])
    expect(parts[0]?.[0]?.name).toContain('по всем филиалам 400')
  })
})

it('brings a closed month to what it comes to now, whatever was corrected before', () => {
  const one = person([rule({ type: 'percent', rate: 33.33, base: 'discounted' })])
  const own = (all: readonly ServiceFact[]) =>
    all.map((each) => ({ ...each, performers: [{ idUser: 1, share: 100, own: null }] }))
  fc.assert(
    fc.property(services, services, services, (first, second, third) => {
      const total = (lines: readonly { sum: number }[]) => lines.reduce((sum, line) => sum + line.sum, 0)
      const closed = calculate(month([one], own(first)))
      const before = corrections(calculate(month([one], own(second))), closed)
      const now = calculate(month([one], own(third)))
      const after = corrections(now, [...closed, ...before])
      expect(total([...closed, ...before, ...after])).toBe(total(now))
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
