import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { type ChainPart, type ChainPlace, chainsOf } from './chains.ts'
import { clockOf, minutesOf } from './clock.ts'

/** A place that is free in these spans, written as «10:00-10:40 11:15-12:00». */
function place(idUser: number, minutes: number, free: string, more: Partial<ChainPlace> = {}): ChainPlace {
  const starts = free.split(' ').map((span) => {
    const [from, to] = span.split('-').map((clock) => minutesOf(clock) as number) as [number, number]
    return { from, to: to - minutes }
  })
  return { idUser, idRoom: null, minutes, breakAfter: 0, cleaning: 0, gear: [], starts, ...more }
}
const stepsOf = (chain: readonly ChainPart[] | undefined) => chain?.map(({ part, from }) => [part, clockOf(from)])

describe('a chain', () => {
  const parts = [
    [place(1, 10, '09:00-09:20 10:00-11:00')],
    [place(2, 20, '09:30-09:50 10:30-11:10')],
    [place(3, 30, '10:00-10:40 11:15-12:00')],
  ]

  it('is the shortest of all orders, and another one in the order asked for (example 10)', () => {
    const asked = { parts, gap: 30, limit: 1 }
    expect(stepsOf(chainsOf({ ...asked, inOrder: false })[0])).toEqual([
      [0, '10:00'],
      [2, '10:10'],
      [1, '10:40'],
    ])
    expect(stepsOf(chainsOf({ ...asked, inOrder: true })[0])).toEqual([
      [0, '10:40'],
      [1, '10:50'],
      [2, '11:15'],
    ])
    expect(chainsOf({ ...asked, inOrder: true, gap: 0 })).toEqual([])
  })

  it('leaves one doctor the break, and one room its cleaning', () => {
    const two = (more: Partial<ChainPlace>) =>
      chainsOf({
        parts: [[place(1, 20, '09:00-10:00', more)], [place(1, 20, '09:00-10:00', more)]],
        gap: 30,
        inOrder: true,
        limit: 1,
      })[0]?.[1]?.from
    expect(two({ breakAfter: 10 })).toBe(9 * 60 + 30)
    expect(two({ idRoom: 7, cleaning: 5 })).toBe(9 * 60 + 25)
    expect(two({ gear: [{ id: 3, cleaning: 15 }] })).toBe(9 * 60 + 35)
  })

  it('lets the last worker rest before another', () => {
    const chain = chainsOf({
      parts: [
        [place(1, 20, '09:00-10:00', { breakAfter: 25 })],
        [place(2, 10, '09:00-10:00')],
        [place(1, 20, '09:00-11:00', { breakAfter: 25 })],
      ],
      gap: 30,
      inOrder: true,
      limit: 1,
    })[0]
    expect(stepsOf(chain)?.at(-1)).toEqual([2, '09:45'])
  })

  it('of four services, each at many places all day long, is found in steps that can be counted', () => {
    const parts = (places: number) =>
      Array.from({ length: 4 }, (_, part) =>
        Array.from({ length: places }, (_, at) =>
          place(at, 20 + 7 * part, '08:00-20:00', { idRoom: at, breakAfter: 10, cleaning: 5 * (at % 3) }),
        ),
      )
    const steps = (places: number) => {
      const work = { left: 1e9 }
      expect(chainsOf({ parts: parts(places), gap: 120, inOrder: false, limit: 3, work })).toHaveLength(3)
      return 1e9 - work.left
    }
    expect(steps(10)).toBeLessThan(3_000_000)
    expect(steps(20) / steps(10)).toBeLessThan(4)
    const work = { left: 1000 }
    expect(chainsOf({ parts: parts(10), gap: 120, inOrder: false, limit: 3, work })).toEqual([])
    expect(work.left).toBeGreaterThan(-1000)
  })

  const anyPlace = fc.record({
    idUser: fc.integer({ min: 1, max: 3 }),
    idRoom: fc.constantFrom(null, 1),
    minutes: fc.constantFrom(10, 20, 35),
    breakAfter: fc.constantFrom(0, 5, 30),
    cleaning: fc.constantFrom(0, 10),
    gear: fc.constantFrom([], [{ id: 5, cleaning: 40 }]),
    starts: fc.array(
      fc.tuple(fc.integer({ min: 480, max: 620 }), fc.integer({ min: 0, max: 40 })).map(([from, more]) => ({
        from,
        to: from + more,
      })),
      { minLength: 1, maxLength: 2 },
    ),
  })
  const asked = fc.record({
    parts: fc.array(fc.array(anyPlace, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 3 }),
    gap: fc.constantFrom(0, 15, 30),
    inOrder: fc.boolean(),
  })

  /** Enumerates every possible chain. */
  function* every({
    parts: all,
    gap,
    inOrder,
  }: {
    parts: ChainPlace[][]
    gap: number
    inOrder: boolean
  }): Generator<ChainPart[]> {
    function* go(chain: ChainPart[]): Generator<ChainPart[]> {
      if (chain.length === all.length) yield chain
      else
        for (const [part, places] of all.entries()) {
          if (inOrder ? part !== chain.length : chain.some((one) => one.part === part)) continue
          for (const one of places)
            for (let from = 480; from <= 660; from += 5) {
              const last = chain.at(-1)
              if (last && (from < last.to || from > last.to + gap || !rested(chain, one, from))) continue
              if (one.starts.some((span) => span.from <= from && from <= span.to))
                yield* go([...chain, { part, place: one, from, to: from + one.minutes }])
            }
        }
    }
    yield* go([])
  }
  const rested = (chain: readonly ChainPart[], next: ChainPlace, from: number) =>
    chain.every(
      ({ place: one, to }) =>
        (one.idUser !== next.idUser || from >= to + one.breakAfter) &&
        (one.idRoom === null || one.idRoom !== next.idRoom || from >= to + one.cleaning) &&
        one.gear.every(({ id, cleaning }) => next.gear.every((piece) => piece.id !== id || from >= to + cleaning)),
    )
  const span = (chain: readonly ChainPart[]) => (chain.at(-1)?.to ?? 0) - (chain[0]?.from ?? 0)

  it('that is offered first is as short as the shortest there is, and earliest of these', () => {
    fc.assert(
      fc.property(asked, (one) => {
        let least: { span: number; from: number } | undefined
        for (const chain of every(one)) {
          const now = { span: span(chain), from: chain[0]?.from ?? 0 }
          if (!least || now.span < least.span || (now.span === least.span && now.from < least.from)) least = now
        }
        const [first] = chainsOf({ ...one, limit: 3 })
        expect(first && { span: span(first), from: first[0]?.from }).toEqual(least)
      }),
      { numRuns: runs(30, 500) },
    )
  })

  it('holds each part once, in its time, after the one before and no later than the gap', () => {
    fc.assert(
      fc.property(asked, (one) => {
        for (const chain of chainsOf({ ...one, limit: 20 })) {
          expect(chain.map(({ part }) => part).sort()).toEqual(one.parts.map((_, at) => at))
          if (one.inOrder) expect(chain.map(({ part }) => part)).toEqual(one.parts.map((_, at) => at))
          for (const [at, { part, place: where, from, to }] of chain.entries()) {
            expect(one.parts[part]).toContain(where)
            expect(to - from).toBe(where.minutes)
            expect(where.starts.some((free) => free.from <= from && from <= free.to)).toBe(true)
            const last = chain[at - 1]
            if (!last) continue
            expect(from - last.to).toBeGreaterThanOrEqual(0)
            expect(from - last.to).toBeLessThanOrEqual(one.gap)
            expect(rested(chain.slice(0, at), where, from)).toBe(true)
          }
        }
      }),
      { numRuns: runs(100, 2000) },
    )
  })
})
