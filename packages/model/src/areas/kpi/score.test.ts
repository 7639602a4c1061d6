import { expect, it } from 'vitest'
import { factOf, fulfilment, lightOf, scoreOf, wrongFormula } from './score.ts'

it('counts the conversions of 100 target appeals, 60 booked, 48 came, 45 paid', () => {
  const counts = { первичные: 100, с_записью: 60, записи: 60, визиты: 48, оплаченные: 45 }
  const value = (formula: string) => factOf(formula, counts).value
  expect(value('100 * с_записью / первичные')).toBe(60)
  expect(value('100 * визиты / записи')).toBe(80)
  expect(value('100 * оплаченные / визиты')).toBe(93.75)
  expect(value('100 * оплаченные / первичные')).toBe(45)
})

it('is empty where there is nothing to divide by', () => {
  expect(factOf('визиты / записи', {}).value).toBeUndefined()
})

it('refuses counters that there are not, and what is no formula', () => {
  expect(wrongFormula('визиты / записи')).toBeUndefined()
  expect(wrongFormula('process.exit')).toBeDefined()
  expect(wrongFormula('визитов * 2')).toMatch(/Нет такого счётчика: «визитов»/)
})

it('weighs what was fulfilled, no more than 1.2 of each', () => {
  expect(fulfilment(50, 100, 'up')).toBe(0.5)
  expect(fulfilment(5, 10, 'down')).toBe(2)
  expect(fulfilment(null, 10, 'up')).toBe(null)
  expect(
    scoreOf([
      { fulfilment: 2, weight: 1 },
      { fulfilment: 0.5, weight: 3 },
    ]),
  ).toBe(0.675)
  expect(scoreOf([{ fulfilment: null, weight: 1 }])).toBe(null)
  expect(scoreOf([])).toBe(null)
})

it('is green from the plan, red below', () => {
  const limits = { green: 100, red: 80 }
  expect([1, 0.9, 0.79, null].map((part) => lightOf(part, limits))).toEqual(['green', 'yellow', 'red', 'none'])
})
