import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, packed } from './lanes.ts'

const GAP = 16

test('a short wide block beside a tall one leaves no hole under it', () => {
  const boxes: Box[] = [
    { width: 2, height: 100 },
    { width: 1, height: 300 },
    { width: 2, height: 150 },
  ]
  expect(packed(boxes, GAP)).toEqual([
    { lane: 0, top: 0, height: 100 },
    { lane: 2, top: 0, height: 300 },
    { lane: 0, top: 116, height: 150 },
  ])
})

test('a block is drawn out to the wide one under it', () => {
  const [first, second] = packed(
    [
      { width: 1, height: 80 },
      { width: 2, height: 100 },
      { width: 3, height: 50 },
    ],
    GAP,
  )
  expect([first?.height, second?.height]).toEqual([100, 100])
})

test('blocks never overlap, keep their heights and stay within three lanes', () => {
  const box = fc.record({ width: fc.constantFrom(1, 2, 3), height: fc.integer({ min: 0, max: 90 }).map((n) => n * 4) })
  fc.assert(
    fc.property(fc.array(box, { maxLength: 12 }), (boxes) => {
      const spots = packed(boxes as Box[], GAP)
      for (const [at, spot] of spots.entries()) {
        const { width, height } = boxes[at] as Box
        expect(spot === undefined).toBe(height === 0)
        if (!spot) continue
        expect(spot.height).toBeGreaterThanOrEqual(height)
        expect(spot.lane + width).toBeLessThanOrEqual(3)
        for (const [other, before] of spots.slice(0, at).entries()) {
          if (!before) continue
          const isBeside = before.lane + (boxes[other] as Box).width <= spot.lane || spot.lane + width <= before.lane
          const isApart = before.top + before.height + GAP <= spot.top || spot.top + spot.height + GAP <= before.top
          expect(isBeside || isApart).toBe(true)
        }
      }
    }),
    { numRuns: 200 },
  )
})
