import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineKopecks } from '../../money.ts'
import { discountErrors, discountPercent, discountText, readDiscount } from './offer.ts'

it('a line is rounded to the kopeck, half up', () => {
  expect(lineKopecks({ quantity: 0.333, price: 0.05 })).toBe(2n)
  expect(lineKopecks({ quantity: 0.5, price: 0.01 })).toBe(1n)
  expect(lineKopecks({ quantity: 3, price: null })).toBe(0n)
  expect(lineKopecks({ quantity: 1, price: 999_999_999_999.99 })).toBe(99_999_999_999_999n)
})

it('a discount may take the whole line and not a kopeck more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 9_999_999 }), (n, kopecks) => {
      const line = { quantity: n / 1000, price: kopecks / 100 }
      const whole = Number(lineKopecks(line))
      expect(discountErrors({ ...line, discount: whole / 100 })).toEqual([])
      expect(discountErrors({ ...line, discount: (whole + 1) / 100 })).toHaveLength(1)
    }),
  )
})

it('a discount is typed in rubles or in percent of the line, and shown in both', () => {
  const line = { quantity: 3, price: 100.1 }
  expect(readDiscount('10%', line)).toBe(30.03)
  expect(readDiscount('12,5 %', line)).toBe(37.54)
  expect(readDiscount('1 000,50 ₽', line)).toBe(1000.5)
  expect(readDiscount('50', line)).toBe(50)
  for (const text of ['', 'десять', '10%%', '101%', '-5', '1.2.3', '10 процентов'])
    expect(readDiscount(text, line)).toBeUndefined()
  expect(discountPercent({ ...line, discount: 30.03 })).toBe(10)
  expect(discountPercent({ ...line, discount: 100 })).toBe(33.3)
  expect(discountPercent({ quantity: 1, price: null, discount: 0 })).toBeNull()
  const read = (discount: number) => discountText({ ...line, discount }).replaceAll('\u00a0', ' ')
  expect([read(30.03), read(0)]).toEqual(['30,03 ₽ (10 %)', '—'])
})
