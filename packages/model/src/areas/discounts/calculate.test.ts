import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kopecks, lineKopecks, refundOf, rubles, split } from '../../money.ts'
import { runs } from '../../testing/runs.ts'
import { type Calculation, calculate, type Question, totals } from './calculate.ts'
import { orderRefusal } from './conditions.ts'
import type { Authority, Basket, BasketLine, CustomerFacts, Rule } from './facts.ts'
import { calculatePromised, joinQuotes } from './promised.ts'

const rule = (id: number, more: Partial<Rule> = {}): Rule => ({
  id,
  name: `Скидка ${id}`,
  status: 'active',
  priority: 0,
  filials: [],
  kind: 'percent',
  unit: 'percent',
  value: 10,
  perOrder: false,
  tiers: null,
  window: 'all',
  giftEvery: null,
  dateFrom: null,
  dateTo: null,
  weekdays: [],
  timeFrom: null,
  timeTo: null,
  category: null,
  services: [],
  groups: [],
  doctors: [],
  exceptServices: [],
  exceptGroups: [],
  tags: [],
  sources: [],
  companies: [],
  gender: null,
  ageFrom: null,
  ageTo: null,
  onlyFirstVisit: false,
  birthdayDays: null,
  pensioner: false,
  staff: false,
  minSum: null,
  maxDiscount: null,
  totalUses: null,
  usesPerCustomer: null,
  stackable: false,
  needApproval: false,
  uses: 0,
  customerUses: 0,
  ...more,
})
const line = (price: number, more: Partial<BasketLine> = {}): BasketLine => ({
  idService: 1,
  groups: [],
  isProduct: false,
  idDoctor: null,
  quantity: 1,
  price,
  ...more,
})
const patient = (more: Partial<CustomerFacts> = {}): CustomerFacts => ({
  id: 7,
  tags: [],
  sources: [],
  birthday: null,
  gender: 'none',
  isStaff: false,
  isFirstVisit: true,
  paid: { all: 0, year: 0 },
  ...more,
})
const free: Authority = { limit: null, approved: { discounts: [], manual: false } }
/** A Monday. */
const basket = (lines: readonly BasketLine[], more: Partial<Basket> = {}): Basket => ({
  lines,
  idFilial: 1,
  date: '2026-11-23',
  time: '10:00',
  idCompany: null,
  customer: null,
  ...more,
})
const asked = (lines: readonly BasketLine[], rules: Rule[], more: Partial<Question> = {}): Calculation =>
  calculate({ basket: basket(lines), rules, authority: free, ...more })
const finals = ({ lines }: Calculation) => lines.map(({ final }) => rubles(final))
const off = ({ lines }: Calculation) => lines.map(({ discount }) => rubles(discount))
const amount = { kind: 'amount', unit: 'rubles' } as const

describe('the worked examples', () => {
  it('not summed: of 10 % and 250 ₽ on 3 000 ₽ the greater goes', () => {
    const made = asked([line(3000)], [rule(1), rule(2, { ...amount, value: 250 })])
    expect([off(made), finals(made)]).toEqual([[300], [2700]])
    expect(made.lines[0]?.applied).toEqual([{ idDiscount: 1, name: 'Скидка 1', amount: 30_000n, why: '10 %' }])
    expect(made.lines[0]?.refused.map(({ idDiscount }) => idDiscount)).toEqual([2])
  })
  it('summed: 10 %, then 250 ₽', () => {
    const both = [rule(2, { ...amount, value: 250, stackable: true, priority: 9 }), rule(1, { stackable: true })]
    expect(finals(asked([line(3000)], both))).toEqual([2450])
  })
  it('a sum of the order is split, what is left to the first of equals', () => {
    const whole = rule(1, { ...amount, value: 100, perOrder: true })
    expect(off(asked([line(1000), line(1000), line(1000)], [whole]))).toEqual([33.34, 33.33, 33.33])
  })
  it.each([
    [0, 3],
    [49_999.99, 3],
    [50_000, 5],
    [99_999.99, 5],
    [100_000, 10],
  ])('accumulative: %d ₽ paid before give %d %', (paid, percent) => {
    const tiers = [
      { fromSum: 0, percent: 3 },
      { fromSum: 50_000, percent: 5 },
      { fromSum: 100_000, percent: 10 },
    ]
    const made = asked([line(1000)], [rule(1, { kind: 'accumulative', value: null, tiers })], {
      basket: basket([line(1000)], { customer: patient({ paid: { all: paid, year: 0 } }) }),
    })
    expect(off(made)).toEqual([percent * 10])
  })
  it('example 11 of a day: thirds of 1 000 ₽ given back one by one', () => {
    const back = [0n, 1n, 2n].map((before) => refundOf(100_000n, 3n, 1n, before))
    expect(back).toEqual([33_333n, 33_334n, 33_333n])
  })
  it('example 12 of a day: 10 %, −100 ₽ of the order, 500 bonuses within 10 % of the bill', () => {
    const made = asked(
      [line(4000), line(1000)],
      [
        rule(1, { stackable: true }),
        rule(2, { ...amount, value: 100, perOrder: true, stackable: true }),
        rule(3, { kind: 'bonus', value: 10 }),
      ],
      { bonus: kopecks(500) },
    )
    expect(finals(made)).toEqual([3520, 880])
    expect(made.lines.map(({ bonus }) => rubles(bonus))).toEqual([352, 88])
    expect(made.lines.map(({ due }) => rubles(due))).toEqual([3168, 792])
    expect(totals(made)).toEqual({ base: 5000, discount: 600, final: 4400, bonus: 440, due: 3960 })
  })
})

describe('kinds', () => {
  it('a fixed price never raises what it costs', () => {
    const fixed = rule(1, { kind: 'fixedPrice', unit: 'rubles', value: 700 })
    expect(finals(asked([line(1000, { quantity: 2 }), line(500)], [fixed]))).toEqual([1400, 500])
  })
  it('2 + 1 gives the cheapest of three, and nothing of two', () => {
    const gift = rule(1, { kind: 'gift', value: null, giftEvery: 2 })
    expect(finals(asked([line(900), line(500, { quantity: 2 })], [gift]))).toEqual([900, 500])
    expect(finals(asked([line(900), line(500)], [gift]))).toEqual([900, 500])
  })
  it('a code is asked for, in force, whose it is, and once', () => {
    const promo = rule(1, { kind: 'promo', unit: 'rubles', value: 300, perOrder: true })
    const code = { code: 'OSEN', idDiscount: 1, idCustomer: null, expires: null, limit: 1, uses: 0 }
    const why = (more: Partial<typeof code> | undefined) =>
      asked([line(1000)], [promo], { ...(more && { code: { ...code, ...(more as object) } }) }).lines[0]?.refused[0]
        ?.why
    expect(why(undefined)).toBe('Нужен код')
    expect(why({ idDiscount: 2 })).toBe('Нужен код')
    expect(why({ uses: 1 })).toBe('Код уже использован')
    expect(why({ expires: '2026-11-22' } as never)).toBe('Код истёк 22.11.2026')
    expect(why({ idCustomer: 5 } as never)).toBe('Код другого клиента')
    expect(finals(asked([line(1000)], [promo], { code }))).toEqual([700])
  })
  it('the most that a discount gives is shared by its lines', () => {
    const capped = rule(1, { value: 50, maxDiscount: 100 })
    expect(off(asked([line(1000), line(3000)], [capped]))).toEqual([25, 75])
    // The cap is applied before the best discount is chosen.
    expect(off(asked([line(10_000)], [capped, rule(2)]))).toEqual([1000])
  })
  it('a gift that is not summed goes whole or not at all', () => {
    const gift = rule(1, { kind: 'gift', value: null, giftEvery: 1 })
    expect(off(asked([line(1000), line(900)], [gift, rule(2, { value: 5 })]))).toEqual([0, 900])
    expect(off(asked([line(1000), line(100)], [gift, rule(2, { value: 10 })]))).toEqual([100, 10])
  })
})

describe('conditions', () => {
  const why = (of: Partial<Rule>, more: Partial<Basket> = {}, lines = [line(1000)]) =>
    calculate({ basket: basket(lines, more), rules: [rule(1, of)], authority: free }).lines[0]?.refused[0]?.why
  const forWhom = (of: Partial<Rule>, facts: Partial<CustomerFacts>, date = '2026-11-23') =>
    why(of, { customer: patient(facts), date })

  it.each([
    [{ status: 'paused' }, 'Выключена'],
    [{ dateTo: '2026-11-22' }, 'Истекла 22.11.2026'],
    [{ dateTo: '2026-11-23' }, undefined],
    [{ dateFrom: '2026-11-24' }, 'Начнётся 24.11.2026'],
    [{ totalUses: 5, uses: 5 }, 'Исчерпана: применений больше нет'],
    [{ totalUses: 5, uses: 4 }, undefined],
    [{ weekdays: ['tuesday'] }, 'Не в этот день недели'],
    [{ weekdays: ['monday'] }, undefined],
    [{ timeFrom: '10:01' }, 'Только с 10:01'],
    [{ timeFrom: '10:00', timeTo: '10:01' }, undefined],
    [{ timeTo: '10:00' }, 'Только до 10:00'],
    [{ filials: [2] }, 'Не в этом филиале'],
    [{ companies: [3] }, 'Не для этого плательщика'],
    [{ minSum: 1000.01 }, 'Сумма меньше 1 000,01 ₽'],
    [{ minSum: 1000 }, undefined],
    [{ tags: ['VIP'] }, 'Клиент не выбран'],
    [{ category: 'products' }, 'Только на товары'],
    [{ services: [2] }, 'Не на эту услугу'],
    [{ groups: [8] }, 'Не на эту услугу'],
    [{ exceptServices: [1] }, 'Услуга исключена'],
    [{ doctors: [4] }, 'Не у этого врача'],
    [{ needApproval: true }, 'Нужно согласование'],
  ] as [Partial<Rule>, string | undefined][])('%j: %s', (of, expected) => {
    expect(why(of)?.replaceAll('\u00a0', ' ')).toBe(expected)
  })
  it('a group holds what lies in the groups under it, but what is left out', () => {
    const lines = [line(1000, { groups: [9, 8] })]
    expect(why({ groups: [8] }, {}, lines)).toBeUndefined()
    expect(why({ groups: [8], exceptGroups: [9] }, {}, lines)).toBe('Услуга исключена')
  })
  it('matches the customer by tags of any case, age, sex, source, a birthday across the new year', () => {
    expect(forWhom({ tags: ['vip'] }, { tags: ['VIP'] })).toBeUndefined()
    expect(forWhom({ pensioner: true }, { tags: ['Пенсионер'] })).toBeUndefined()
    expect(forWhom({ pensioner: true }, {})).toBe('У клиента нет метки «Пенсионер»')
    expect(forWhom({ staff: true }, {})).toBe('Клиент не сотрудник клиники')
    expect(forWhom({ gender: 'female' }, { gender: 'male' })).toBe('Только женщинам')
    expect(forWhom({ sources: [3] }, { sources: [4, 3] })).toBeUndefined()
    expect(forWhom({ ageTo: 17 }, { birthday: '24.11.2008' })).toBeUndefined()
    expect(forWhom({ ageTo: 17 }, { birthday: '23.11.2008' })).toBe('Старше 17 лет')
    expect(forWhom({ ageFrom: 1 }, {})).toBe('Дата рождения не указана')
    expect(forWhom({ birthdayDays: 7 }, { birthday: '05.01.1980' }, '2026-12-29')).toBeUndefined()
    expect(forWhom({ birthdayDays: 6 }, { birthday: '05.01.1980' }, '2026-12-29')).toBe('День рождения не рядом')
    expect(forWhom({ onlyFirstVisit: true }, { isFirstVisit: false })).toBe('Не первый визит')
    expect(forWhom({ onlyFirstVisit: true }, {})).toBeUndefined()
    expect(forWhom({ usesPerCustomer: 1, customerUses: 1 }, {})).toBe(
      'Клиент уже получил её столько раз, сколько можно',
    )
  })
})

describe('what an employee may give', () => {
  const manual = { unit: 'percent', value: 30, reason: 'Ждал час' } as const
  const by = (limit: number | null, isApproved = false) =>
    asked([line(1000)], [rule(1, { value: 5 })], {
      manual,
      authority: { limit, approved: { discounts: [], manual: isApproved } },
    })
  it('is cut by the limit, by hand alone, until another person agrees', () => {
    expect([off(by(10)), by(10).needApproval]).toEqual([[150], [null]])
    expect(by(10).lines[0]?.applied.map(({ amount: given }) => rubles(given))).toEqual([50, 100])
    expect([off(by(50)), by(50).needApproval]).toEqual([[335], []])
    expect([off(by(10, true)), by(10, true).needApproval]).toEqual([[335], []])
  })
  it('is nothing by hand without a set limit', () => {
    expect([off(by(null)), by(null).needApproval]).toEqual([[50], [null]])
  })
  it('agreed is applied', () => {
    const made = asked([line(1000)], [rule(1, { needApproval: true })], {
      authority: { limit: null, approved: { discounts: [1], manual: false } },
    })
    expect(off(made)).toEqual([100])
  })
})

const anyLine = fc.record({
  idService: fc.integer({ min: 1, max: 3 }),
  groups: fc.constantFrom([], [8], [9, 8]),
  isProduct: fc.boolean(),
  idDoctor: fc.constantFrom(null, 4),
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 1, max: 9999 }).map((one) => one / 1000),
  ),
  price: fc
    .oneof(fc.constant(0), fc.integer({ min: 1, max: 300 }), fc.integer({ max: 90_000_000, min: 1 }))
    .map((one) => one / 100),
})
const hundredths = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((one) => one / 100)
const anyRule = fc
  .record({
    kind: fc.constantFrom('percent', 'amount', 'fixedPrice', 'accumulative', 'gift', 'bonus', 'promo'),
    unit: fc.constantFrom('percent', 'rubles'),
    percent: hundredths(100),
    sum: hundredths(20_000),
    perOrder: fc.boolean(),
    stackable: fc.boolean(),
    priority: fc.integer({ min: -2, max: 2 }),
    giftEvery: fc.integer({ min: 1, max: 4 }),
    maxDiscount: fc.option(hundredths(500)),
    services: fc.constantFrom([], [1], [2]),
    exceptGroups: fc.constantFrom([], [9]),
  })
  .map(({ percent, sum, ...one }): Partial<Rule> => {
    const isSum = one.kind === 'amount' || one.kind === 'fixedPrice' || (one.kind === 'promo' && one.unit === 'rubles')
    return {
      ...one,
      services: [...one.services],
      exceptGroups: [...one.exceptGroups],
      value: isSum ? sum : percent,
      tiers: [{ fromSum: 0, percent }],
    }
  })
const anyQuestion = fc
  .record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    rules: fc.array(anyRule, { maxLength: 6 }),
    manual: fc.option(fc.record({ unit: fc.constantFrom('percent', 'rubles'), value: hundredths(100) })),
    limit: fc.option(hundredths(100)),
    isApproved: fc.boolean(),
    bonus: fc.integer({ min: 0, max: 1_000_000 }),
  })
  .map(
    ({ lines, rules, manual, limit, isApproved, bonus }): Question => ({
      basket: basket(lines, { customer: patient() }),
      rules: rules.map((one, at) => rule(at + 1, one)),
      code: { code: 'A', idDiscount: 1, idCustomer: null, expires: null, limit: null, uses: 0 },
      ...(manual && { manual: { ...manual, reason: 'Так' } as Question['manual'] }),
      bonus: BigInt(bonus),
      authority: { limit, approved: { discounts: [], manual: isApproved } },
    }),
  )
const sum = (list: readonly bigint[]) => list.reduce((all, one) => all + one, 0n)

describe('of any basket', () => {
  it('no line goes below zero, every kopeck given is explained, the equations hold', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const { lines } = calculate(question)
        const limit = question.authority.approved.manual ? null : question.authority.limit
        lines.forEach(({ base, discount, final, bonus, due, applied }, at) => {
          expect(base).toBe(lineKopecks(question.basket.lines[at] as BasketLine))
          expect([discount >= 0n, final >= 0n, bonus >= 0n, due >= 0n]).toEqual([true, true, true, true])
          expect([final, due]).toEqual([base - discount, final - bonus])
          expect(sum(applied.map((one) => one.amount))).toBe(discount)
          expect(applied.every((one) => one.amount > 0n && one.why !== '')).toBe(true)
          const byHand = sum(applied.flatMap(({ idDiscount, amount }) => (idDiscount === null ? [amount] : [])))
          if (limit !== null) expect(byHand * 10_000n <= base * kopecks(limit) + 5_000n).toBe(true)
        })
        for (const one of question.rules) {
          const given = sum(
            lines.flatMap(({ applied }) => applied.filter((a) => a.idDiscount === one.id).map((a) => a.amount)),
          )
          if (one.maxDiscount !== null) expect(given <= kopecks(one.maxDiscount)).toBe(true)
        }
        expect(sum(lines.map(({ bonus }) => bonus)) <= (question.bonus ?? 0n)).toBe(true)
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('what was promised holds on every line when the clinic drops its discounts, and a greater one replaces it', () => {
    fc.assert(
      fc.property(anyQuestion, anyQuestion, ({ manual: _, ...any }, { rules }) => {
        const lines = any.basket.lines.filter(
          ({ idService }, at, all) => at === all.findIndex((one) => one.idService === idService),
        )
        const question = { ...any, bonus: 0n, basket: { ...any.basket, lines } }
        const priced = calculate(question)
        const promised = lines.map(() => ({
          quotes: joinQuotes(
            question.rules.filter((one) => !orderRefusal(one, question.basket, question.code)),
            lines,
          ),
          ...{ limit: null, isMerged: false },
        }))
        const nobody = { ...question, basket: { ...question.basket, customer: patient({ id: 8, isFirstVisit: true }) } }
        for (const now of [[], rules]) {
          const asked = { ...(now.length ? question : nobody), rules: now }
          const kept = calculatePromised(asked, promised)
          const today = calculate(asked)
          kept.lines.forEach(({ base, final, discount, applied }, at) => {
            expect(final <= (today.lines[at]?.final ?? base)).toBe(true)
            expect([final >= 0n, sum(applied.map((one) => one.amount))]).toEqual([true, discount])
            expect(final <= (priced.lines[at]?.final ?? 0n)).toBe(true)
          })
        }
        expect(calculatePromised(question, [])).toEqual(calculate(question))
      }),
      { numRuns: runs(200, 10_000) },
    )
  })

  it('the answer is the same again, and in whatever order the discounts come', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const first = calculate(question)
        expect(calculate(question)).toEqual(first)
        expect(finals(calculate({ ...question, rules: question.rules.toReversed() }))).toEqual(finals(first))
      }),
      { numRuns: runs(100, 5_000) },
    )
  })

  it('discounts that are not summed never meet on a line', () => {
    fc.assert(
      fc.property(anyQuestion, ({ manual: _, ...question }) => {
        const alone = new Set(question.rules.filter((one) => !one.stackable).map(({ id }) => id))
        for (const { applied } of calculate(question).lines)
          if (applied.some(({ idDiscount }) => alone.has(idDiscount as number))) expect(applied).toHaveLength(1)
      }),
      { numRuns: runs(200, 10_000) },
    )
  })

  it('one more discount never makes it dearer, where no priority takes its place', () => {
    fc.assert(
      fc.property(anyQuestion, ({ manual: _, ...question }) => {
        const alone = question.rules.filter((one) => !one.stackable)
        const [more, ...fewer] = alone
        if (!more) return
        const all = (rules: Rule[]) =>
          sum(calculate({ ...question, rules, authority: free, bonus: 0n }).lines.map(({ final }) => final))
        expect(all(alone) <= all(fewer)).toBe(true)
      }),
      { numRuns: runs(200, 10_000) },
    )
  })
})

it('shares of a sum are all of it, none above its weight', () => {
  expect(split(2n, [1n, 1n, 1n])).toEqual([1n, 1n, 0n])
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 }),
      fc.nat(1000),
      (weights, part) => {
        const whole = sum(weights)
        const asked = (whole * BigInt(part)) / 1000n
        const shares = split(asked, weights)
        expect(sum(shares)).toBe(asked)
        shares.forEach((share, at) => expect(share >= 0n && share <= (weights[at] as bigint)).toBe(true))
      },
    ),
    { numRuns: runs(200, 20_000) },
  )
})

it('refunds of a line in whatever parts sum up to it', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 13n }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (whole, parts) => {
        const of = BigInt(parts.reduce((all, one) => all + one, 0))
        let before = 0n
        let given = 0n
        for (const one of parts.map(BigInt)) {
          const back = refundOf(whole, of, one, before)
          expect(back >= 0n).toBe(true)
          given += back
          before += one
        }
        expect(given).toBe(whole)
      },
    ),
    { numRuns: runs(200, 20_000) },
  )
})
