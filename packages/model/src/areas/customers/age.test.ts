import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageText } from './age.ts'

const age = (birthday: string | null, today: string) => ageText(birthday, today).replace(/\u00a0/g, ' ')

describe('ageText', () => {
  it.each([
    // Under a year: months and days.
    ['20.11.2026', '2026-11-20', '0 дней'],
    ['19.11.2026', '2026-11-20', '1 день'],
    ['21.10.2026', '2026-11-20', '30 дней'],
    ['20.10.2026', '2026-11-20', '1 месяц'],
    ['08.06.2026', '2026-11-20', '5 месяцев 12 дней'],
    ['21.11.2025', '2026-11-20', '11 месяцев 30 дней'],
    ['31.01.2026', '2026-02-28', '1 месяц'],
    ['31.01.2026', '2026-03-01', '1 месяц 1 день'],
    // One to three years: years and months.
    ['20.11.2025', '2026-11-20', '1 год'],
    ['20.08.2024', '2026-11-20', '2 года 3 месяца'],
    ['21.11.2023', '2026-11-20', '2 года 11 месяцев'],
    // From three on: years.
    ['20.11.2023', '2026-11-20', '3 года'],
    ['21.11.1985', '2026-11-20', '40 лет'],
    ['20.11.1985', '2026-11-20', '41 год'],
    ['20.11.1876', '2026-11-20', '150 лет'],
    // Over 150: nothing.
    ['20.11.1875', '2026-11-20', ''],
    // 29 February.
    ['29.02.2024', '2025-02-27', '11 месяцев 29 дней'],
    ['29.02.2024', '2025-02-28', '1 год'],
    ['29.02.2020', '2024-02-28', '3 года'],
    ['29.02.2020', '2024-02-29', '4 года'],
    // No age at all.
    ['21.11.2026', '2026-11-20', ''],
    ['30.02.2020', '2026-11-20', ''],
    ['2020-02-20', '2026-11-20', ''],
    [null, '2026-11-20', ''],
  ])('%s on %s: %s', (birthday, today, text) => expect(age(birthday, today)).toBe(text))

  it('never counts a month of more than 31 days, nor goes backwards', () => {
    const days = (text: string) => {
      const of = (word: RegExp) => Number(text.match(word)?.[1] ?? 0)
      const [years, months, left] = [of(/(\d+) (?:год|лет)/), of(/(\d+) меся/), of(/(\d+) (?:день|дня|дней)/)]
      expect(left).toBeLessThanOrEqual(31)
      return years * 10_000 + months * 100 + left
    }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 1_000 }), (born, lived) => {
        const day = (n: number) => new Date(Date.UTC(2023, 0, 1 + n)).toISOString().slice(0, 10)
        const birthday = day(born).split('-').reverse().join('.')
        const after = (n: number) => days(age(birthday, day(born + n)))
        expect(after(lived + 1)).toBeGreaterThanOrEqual(after(lived))
      }),
    )
  })
})
