import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'
import { monthText, shareText, spanText } from './figures.ts'

describe('figures in words', () => {
  it.each([
    [null, '—'],
    [20, 'меньше минуты'],
    [60, '1 мин'],
    [3660, '1 ч 1 мин'],
    [86_400, '1 д'],
    [86_400 + 60, '1 д'],
    [3 * 86_400 + 4 * 3600 + 59, '3 д 4 ч'],
  ])('%s seconds', (seconds, words) => expect(spanText(seconds)).toBe(words))

  it('shares and months', () => {
    expect(shareText(0.425)).toBe('42,5 %')
    expect(shareText(null)).toBe('—')
    expect(monthText('2026-11')).toContain('ноябрь 2026')
    expect(monthText(null)).toBe('Без даты')
  })
})

describe('a table as CSV', () => {
  it('quotes what divides it and lets no formula run', () => {
    expect(
      csvOf([
        ['Этап', 'Сумма'],
        ['«A; "B"»', 1234.5],
        ['=1+1', null],
      ]),
    ).toBe('\uFEFFЭтап;Сумма\r\n"«A; ""B""»";1234,5\r\n\'=1+1;\r\n')
  })
})
