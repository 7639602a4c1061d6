import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, corrections } from './calculate.ts'
import type { CalculatedLine, PersonFacts, ServiceFact } from './facts.ts'
import type { PayRule } from './rules.ts'
import { fact, month, person, rule, services } from './testing/months.ts'

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
