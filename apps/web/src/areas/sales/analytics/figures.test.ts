import { describe, expect, it } from 'vitest'
import { csvOf } from './csv.ts'
import { monthText, shareText } from './figures.ts'

describe('figures in words', () => {
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
