import fc from 'fast-check'
import { expect, it } from 'vitest'
import { discountErrors, lineKopecks } from './offer.ts'

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
