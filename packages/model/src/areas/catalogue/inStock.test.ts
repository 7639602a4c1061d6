import { describe, expect, it } from 'vitest'
import { MOST_SHOWN, stockSummary, stockText } from './inStock.ts'

describe('what is free', () => {
  it('is shown as a number only where little is left', () => {
    expect([0, 1, 5, MOST_SHOWN].map(stockText)).toEqual(['Нет в наличии', 'Осталось 1', 'Осталось 5', 'В наличии'])
  })
  it('is shown for all branches at once', () => {
    expect(stockSummary([])).toBe('')
    expect(stockSummary([3])).toBe('Осталось 3')
    expect(stockSummary([0, 0])).toBe('Нет в наличии')
    expect(stockSummary([6, 1])).toBe('Есть во всех филиалах')
    expect(stockSummary([0, 6, 0])).toBe('Есть в 1 филиале из 3')
    expect(stockSummary([2, 6, 0])).toBe('Есть в 2 филиалах из 3')
  })
})
