import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dragged, nudged } from './drag.ts'
import { lanesOf } from './lanes.ts'
import { clockOf, hoursOf, minuteAt, type Scale, shownColumns, topOf } from './scale.ts'
import { heapsOf, MARK } from './sheet.ts'
import { type Cursor, type WalkKey, walked } from './walk.ts'

const scale: Scale = { from: 480, to: 1_320, step: 15 }

describe('the scale', () => {
  test('a minute and its pixels are one another', () => {
    for (const step of [5, 10, 15] as const)
      for (const minute of [480, 485, 901, 1_320])
        expect(minuteAt({ ...scale, step }, topOf({ ...scale, step }, minute))).toBeCloseTo(minute)
  })

  test('the sheet has the whole hours of all its items, a night too', () => {
    expect(hoursOf([{ from: 545, to: 700 }], { from: 0, to: 60 })).toEqual({ from: 540, to: 720 })
    expect(hoursOf([{ from: 1_200, to: 1_920 }], { from: 0, to: 60 })).toEqual({ from: 1_200, to: 1_920 })
    expect(hoursOf([], { from: 480, to: 1_200 })).toEqual({ from: 480, to: 1_200 })
  })

  test('the clock of the night after goes on', () => {
    expect([0, 545, 1_440, 1_505].map(clockOf)).toEqual(['00:00', '09:05', '00:00', '01:05'])
  })

  test('columns of the window and one at each side are drawn', () => {
    expect(shownColumns(0, 800, 200, 30)).toEqual([0, 5])
    expect(shownColumns(1_000, 800, 200, 30)).toEqual([4, 10])
    expect(shownColumns(5_200, 800, 200, 30)).toEqual([25, 30])
    expect(shownColumns(0, 800, 200, 0)).toEqual([0, 0])
  })
})

describe('lanes', () => {
  const spans = fc.array(fc.record({ from: fc.integer({ min: 0, max: 60 }), long: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 20,
  })
  test('what overlaps never shares a lane, and what overlaps nothing has the whole width', () => {
    fc.assert(
      fc.property(spans, (drawn) => {
        const items = drawn.map(({ from, long }, id) => ({ id, from, to: from + long }))
        const lanes = lanesOf(items)
        for (const a of items) {
          const own = lanes.get(a.id)
          const others = items.filter((b) => b.id !== a.id && b.from < a.to && b.to > a.from)
          expect(own?.lane).toBeLessThan(own?.lanes as number)
          if (others.length === 0) expect(own).toEqual({ lane: 0, lanes: 1 })
          for (const b of others) {
            expect(lanes.get(b.id)?.lane).not.toBe(own?.lane)
            expect(lanes.get(b.id)?.lanes).toBe(own?.lanes)
          }
        }
      }),
    )
  })

  test('a lane that has become free is taken again', () => {
    const lanes = lanesOf([
      { id: 1, from: 0, to: 60 },
      { id: 2, from: 0, to: 20 },
      { id: 3, from: 20, to: 40 },
      { id: 4, from: 60, to: 80 },
    ])
    expect([...lanes.values()]).toEqual([
      { lane: 0, lanes: 2 },
      { lane: 1, lanes: 2 },
      { lane: 1, lanes: 2 },
      { lane: 0, lanes: 1 },
    ])
  })
})

test('marks of about one moment are in one heap, and those out of sight at the edge', () => {
  const mark = (id: number, minute: number) => ({ id, column: 'a', minute, name: '' })
  const heaps = heapsOf([mark(1, 600), mark(2, 1_439), mark(3, 605), mark(4, 660), mark(5, 1_439)], scale)
  expect(heaps.map(({ heap }) => heap.map(({ id }) => id))).toEqual([[1, 3], [4], [2, 5]])
  expect(heaps.at(-1)?.top).toBe(topOf(scale, scale.to) - MARK)
})

describe('the keyboard', () => {
  const items = [
    { id: 1, column: 0, from: 600, to: 630 },
    { id: 2, column: 0, from: 640, to: 670 },
    { id: 3, column: 1, from: 600, to: 660 },
    { id: 4, column: 1, from: 615, to: 645 },
  ]
  const sheet = { scale, columns: 2, items }
  const go = (start: Cursor, ...keys: WalkKey[]) => keys.reduce((at, key) => walked(at, key, sheet), start)

  test('arrows go over free steps and things, what is left of a step too', () => {
    const down = ['ArrowDown'] as const
    expect(go({ column: 0, minute: 585 }, ...down)).toEqual({ column: 0, minute: 600, item: 1 })
    expect(go({ column: 0, minute: 600, item: 1 }, ...down)).toEqual({ column: 0, minute: 630 })
    expect(go({ column: 0, minute: 630 }, ...down)).toMatchObject({ item: 2 })
    expect(go({ column: 0, minute: 640, item: 2 }, ...down)).toEqual({ column: 0, minute: 670 })
    expect(go({ column: 0, minute: 670 }, 'ArrowUp')).toMatchObject({ item: 2 })
    expect(go({ column: 0, minute: 640, item: 2 }, 'ArrowUp', 'ArrowUp')).toMatchObject({ item: 1 })
  })

  test('to the sides: first the things side by side, then the next column', () => {
    expect(go({ column: 0, minute: 620, item: 1 }, 'ArrowRight')).toMatchObject({ column: 1, item: 3 })
    expect(go({ column: 1, minute: 620, item: 3 }, 'ArrowRight')).toMatchObject({ column: 1, item: 4 })
    expect(go({ column: 1, minute: 620, item: 4 }, 'ArrowRight')).toMatchObject({ column: 1, item: 4 })
    expect(go({ column: 1, minute: 620, item: 4 }, 'ArrowLeft', 'ArrowLeft')).toMatchObject({ column: 0, item: 1 })
  })

  test('page keys go from thing to thing, Home and End to the ends; past an edge it stays', () => {
    expect(go({ column: 0, minute: 480 }, 'PageDown', 'PageDown', 'PageDown')).toMatchObject({ item: 2 })
    expect(go({ column: 0, minute: 1_200 }, 'PageUp', 'PageUp', 'PageUp')).toMatchObject({ item: 1 })
    expect(go({ column: 0, minute: 600, item: 1 }, 'End', 'ArrowDown')).toEqual({ column: 0, minute: 1_305 })
    expect(go({ column: 0, minute: 600, item: 1 }, 'Home', 'ArrowUp', 'ArrowLeft')).toEqual({ column: 0, minute: 480 })
  })

  test('down from anywhere leads through every thing to the end of the column', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: fc.integer({ min: 480, max: 1_280 }), long: fc.integer({ min: 5, max: 120 }) }), {
          maxLength: 12,
        }),
        (drawn) => {
          const all = drawn.map(({ from, long }, id) => ({ id, column: 0, from, to: Math.min(1_320, from + long) }))
          const met = new Set<number | undefined>()
          let at: Cursor = walked({ column: 0, minute: 480 }, 'Home', { scale, columns: 1, items: all })
          for (let press = 0; press < 300; press++) {
            met.add(at.item)
            const next = walked(at, 'ArrowDown', { scale, columns: 1, items: all })
            if (JSON.stringify(next) === JSON.stringify(at)) break
            at = next
          }
          for (const { id } of all) expect(met).toContain(id)
        },
      ),
    )
  })
})

describe('dragging', () => {
  const at = { column: 1, from: 605, to: 635 }

  test('a thing moves by whole steps and keeps its length and its minutes past the step', () => {
    const grabbed = { mode: 'move', at, grab: 10 } as const
    expect(dragged(grabbed, 3, 615 + 62, scale)).toEqual({ column: 3, from: 665, to: 695 })
    expect(dragged(grabbed, 1, 618, scale)).toEqual(at)
  })

  test('it never leaves the sheet, and is never shorter than a step', () => {
    expect(dragged({ mode: 'move', at, grab: 0 }, 0, 0, scale)).toEqual({ column: 0, from: 480, to: 510 })
    expect(dragged({ mode: 'move', at, grab: 0 }, 0, 5_000, scale)).toEqual({ column: 0, from: 1_290, to: 1_320 })
    expect(dragged({ mode: 'end', at, grab: 0 }, 0, 0, scale)).toEqual({ column: 1, from: 605, to: 620 })
    expect(dragged({ mode: 'end', at, grab: 0 }, 0, 700, scale)).toEqual({ column: 1, from: 605, to: 705 })
  })

  test('arrows move it, with Shift its end; other keys do nothing', () => {
    const press = (key: string, shift = false) => nudged(at, key, shift, 2, scale)
    expect(press('ArrowDown')).toEqual({ column: 1, from: 620, to: 650 })
    expect(press('ArrowRight')).toEqual(at)
    expect(press('ArrowLeft')).toEqual({ ...at, column: 0 })
    expect(press('ArrowDown', true)).toEqual({ ...at, to: 650 })
    expect(press('ArrowUp', true)).toEqual({ ...at, to: 620 })
    expect(press('Tab')).toBeUndefined()
    // Never shorter than a step, never beyond the end of the sheet.
    const short = { ...at, to: at.from + scale.step }
    expect(nudged(short, 'ArrowUp', true, 2, scale)).toEqual(short)
    const last = { ...at, from: scale.to - scale.step, to: scale.to }
    expect(nudged(last, 'ArrowDown', true, 2, scale)).toEqual(last)
  })
})
