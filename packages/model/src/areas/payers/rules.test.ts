import { expect, it } from 'vitest'
import { earnedOf, elapsedOf, refundOf, sharesOf } from '../memberships/rules.ts'
import { coverageOf, isInRange, type Rule, ruleFor } from './rules.ts'

const rule = (more: Partial<Rule>): Rule => ({
  ...{ id: 1, kind: 'allow', idService: null, idGroup: null, codeMask: null, diagnoses: null, qty: null, sum: null },
  ...more,
})
const asked = { idService: 5, idGroups: [7, 1], code: 'B01.047.001', diagnosis: 'K02.1' }

it('takes the first rule that fits, by service, group, code and diagnosis', () => {
  const rules = [
    rule({ id: 1, kind: 'deny', idService: 6 }),
    rule({ id: 2, kind: 'letter', diagnoses: 'A00-B99, K14' }),
    rule({ id: 3, codeMask: 'B01.047.*', diagnoses: 'K00-K14' }),
    rule({ id: 4, kind: 'deny', idGroup: 1 }),
  ]
  expect(ruleFor(rules, asked)?.id).toBe(3)
  expect(ruleFor(rules, { ...asked, diagnosis: null })?.id).toBe(4)
  expect(ruleFor(rules, { ...asked, diagnosis: 'K14.9' })?.id).toBe(2)
  expect(ruleFor(rules, { idService: 9, idGroups: [], code: null, diagnosis: null })).toBeUndefined()
  expect([isInRange('K14.9', 'K00-K14'), isInRange('K15', 'K00-K14'), isInRange('k02.1', 'K02')]).toEqual([
    true,
    false,
    true,
  ])
})

it('shares a line to the kopeck within the limits and the letter', () => {
  const terms = { copay: 33.33, letter: 'listed', hasLetter: false, letterRoom: null } as const
  const line = { qty: 1, total: 1000_01 }
  const none = { qty: 0, sum: 0 }
  expect(coverageOf(rule({}), line, none, terms)).toMatchObject({ isCovered: true, share: 66_671 })
  expect(coverageOf(undefined, line, none, terms)).toMatchObject({ isCovered: false, share: 0 })
  expect(coverageOf(rule({ kind: 'letter' }), line, none, terms)).toMatchObject({ needsLetter: true, share: 0 })
  const by = { ...terms, copay: 0, hasLetter: true, letterRoom: 500_00 }
  expect(coverageOf(rule({ kind: 'letter' }), line, none, by)).toMatchObject({ needsLetter: true, share: 500_00 })
  const limit = rule({ kind: 'limit', qty: 5, sum: 1500 * 100 })
  expect(coverageOf(limit, line, { qty: 1, sum: 0 }, by).words).toBe('Покрыто, осталось 3 из 5')
  expect(coverageOf(limit, line, { qty: 5, sum: 0 }, by)).toMatchObject({
    isCovered: false,
    words: 'Не покрыто: из лимита 5 осталось 0',
  })
  expect(coverageOf(limit, line, { qty: 1, sum: 1000_00 }, by)).toMatchObject({ share: 500_00 })
})

it('splits the price of a membership and returns what is unused', () => {
  expect(sharesOf(1000_00, [1, 1, 1])).toEqual([333_33, 333_33, 333_34])
  expect(sharesOf(1000_00, [3, 1])).toEqual([750_00, 250_00])
  const term = { days: 30, dateTo: '2026-01-30', frozenFrom: null, frozenTo: null }
  expect([elapsedOf(term, '2026-01-01'), elapsedOf(term, '2026-01-11'), elapsedOf(term, '2026-03-01')]).toEqual([
    0, 10, 30,
  ])
  // Ten frozen days from the eleventh on.
  const frozen = { ...term, dateTo: '2026-02-09', frozenFrom: '2026-01-11', frozenTo: '2026-01-20' }
  expect([elapsedOf(frozen, '2026-01-15'), elapsedOf(frozen, '2026-01-21'), elapsedOf(frozen, '2026-02-10')]).toEqual([
    10, 10, 30,
  ])
  expect(earnedOf(1000_00, 10, 30)).toBe(333_33)
  const of = { price: 1000_00, unused: 666_67, visits: { total: 3, used: 1 }, listed: 500_00, held: 666_67, term: null }
  expect(refundOf({ ...of, rule: 'share' }).sum).toBe(666_67)
  expect(refundOf({ ...of, rule: 'list' }).sum).toBe(500_00)
})
