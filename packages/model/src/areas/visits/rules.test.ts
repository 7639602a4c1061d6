import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOfCycle } from './pattern.ts'
import {
  laneFor,
  lineCost,
  type Taken,
  transitions,
  type VisitStatus,
  visitStatuses,
  wrongTransition,
} from './rules.ts'

const range = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 12 }))
  .map(([from, length]) => ({ from, to: from + length }))
const meets = (a: { from: number; to: number }, b: { from: number; to: number }) => a.from < b.to && b.from < a.to
/** Maximum number of simultaneous ones. */
const peak = (all: readonly { from: number; to: number }[]) =>
  Math.max(0, ...all.map(({ from }) => all.filter((one) => one.from <= from && from < one.to).length))

describe('lanes', () => {
  it('take whatever fits, never two at once in one, after any bookings and cancellations', () => {
    const step = fc.oneof(fc.record({ take: range }), fc.record({ drop: fc.nat() }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
        let taken: Taken[] = []
        let id = 0
        for (const one of steps) {
          if ('drop' in one) {
            taken = taken.filter((_, at) => at !== one.drop % Math.max(1, taken.length))
            continue
          }
          const place = laneFor(taken, one.take, capacity)
          expect(place !== undefined).toBe(peak([...taken, one.take]) <= capacity)
          if (!place) continue
          taken = taken.map((old) => ({ ...old, lane: place.moves.get(old.id) ?? old.lane }))
          taken.push({ id: ++id, lane: place.lane, ...one.take })
          for (const a of taken) {
            expect(a.lane).toBeLessThan(capacity)
            for (const b of taken) if (a.id < b.id && a.lane === b.lane) expect(meets(a, b)).toBe(false)
          }
        }
      }),
      { numRuns: runs(200, 5_000) },
    )
  })
})

describe('the table of transitions', () => {
  const everybody = ['registry', 'performer', 'reopen'] as const
  it('allows only declared transitions, and a past visit only with the right to reopen', () => {
    for (const from of Object.keys(visitStatuses) as VisitStatus[])
      for (const to of Object.keys(visitStatuses) as VisitStatus[]) {
        const wrong = wrongTransition(from, to, { day: '2026-11-20', today: '2026-11-20', can: everybody })
        expect(wrong === undefined).toBe(transitions[from][to] !== undefined)
      }
    expect(
      wrongTransition('completed', 'inProgress', {
        day: '2026-11-20',
        today: '2026-11-20',
        can: ['registry', 'performer'],
      }),
    ).toBeDefined()
    expect(wrongTransition('booked', 'arrived', { day: '2026-11-21', today: '2026-11-20', can: everybody })).toBe(
      'Это можно отметить только в день визита',
    )
    expect(
      wrongTransition('booked', 'noShow', { day: '2026-11-19', today: '2026-11-20', can: everybody }),
    ).toBeUndefined()
  })
})

it('a line costs its price by the quantity, half a kopeck up, less the discount, never below nothing', () => {
  expect(lineCost({ price: 1000, qty: 1.5, discount: 0 })).toBe(1500)
  expect(lineCost({ price: 0.01, qty: 0.5, discount: 0 })).toBe(0.01)
  expect(lineCost({ price: 333.33, qty: 3, discount: 0.99 })).toBe(999)
  expect(lineCost({ price: 100, qty: 1, discount: 200 })).toBe(0)
})

it('cycles count on over months, years and backwards', () => {
  expect(dayOfCycle('week', '2028-02-29', '2026-01-01')).toBe(1)
  expect(dayOfCycle('parity', '2027-01-31', '2026-01-01')).toBe(1)
  expect(dayOfCycle('two', '2027-03-01', '2027-02-28')).toBe(1)
  expect(dayOfCycle('two', '2027-02-27', '2027-02-28')).toBe(3)
  expect(dayOfCycle('custom', '2027-03-08', '2027-03-01', 7)).toBe(0)
})
