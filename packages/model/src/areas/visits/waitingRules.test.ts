import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FreeTime, rankWaiting, unfit, type Waiting } from './waitingRules.ts'

const time: FreeTime = {
  idUser: 1,
  localDate: '2026-11-24',
  localStart: '14:00',
  minutes: 40,
  inHours: 22,
  shortest: 20,
  idGroupService: null,
}
/** Replaces no-break spaces by ordinary ones. */
const texts = (reasons: readonly string[] | undefined) => reasons?.map((reason) => reason.replaceAll('\u00a0', ' '))
const one = (given: Partial<Waiting>): Waiting => ({
  id: 1,
  idService: 7,
  urgency: 0,
  minutes: 40,
  doctors: [],
  dateFrom: null,
  dateTo: null,
  clockFrom: null,
  clockTo: null,
  minNotice: 0,
  days: 0,
  noShows: 0,
  refused: false,
  busy: null,
  ...given,
})

it('who leaves no useless rest goes before who has waited longer; who must be warned earlier is out (example 19)', () => {
  const a = one({ id: 1, minNotice: 24 })
  const b = one({ id: 2, minutes: 30, days: 12 })
  const c = one({ id: 3, days: 5 })
  expect(rankWaiting(time, [a, b, c]).map(({ id, reasons }) => [id, texts(reasons)])).toEqual([
    [3, ['займёт всё время', 'ждёт 5 дней']],
    [2, ['пропадут 10 мин', 'ждёт 12 дней']],
  ])
  expect(unfit(time, a)).toBe('Предупредить нужно за 24 ч')
})

it('the urgent go first; of equals who has failed to come least often', () => {
  const all = [
    one({ id: 1, days: 40 }),
    one({ id: 2, days: 3, noShows: 2 }),
    one({ id: 3, days: 3 }),
    one({ id: 4, urgency: 2 }),
    one({ id: 5, minutes: 20, days: 1 }),
  ]
  const ranked = rankWaiting(time, all)
  expect(ranked.map(({ id }) => id)).toEqual([4, 1, 3, 2, 5])
  expect(ranked[0]?.reasons[0]).toBe('срочно')
  expect(texts(ranked[3]?.reasons)).toContain('не пришёл 2 раза за год')
  expect(ranked[4]?.reasons[0]).toBe('останется 20 мин для другого')
})

it.each([
  [{ minutes: undefined }, 'Врач не выполняет эту услугу'],
  [{ doctors: [2] }, 'Ждёт другого врача'],
  [{ minutes: 45 }, 'Нужно 45 мин'],
  [{ dateFrom: '2026-11-25' }, 'Ждёт других дней'],
  [{ dateTo: '2026-11-23' }, 'Ждёт других дней'],
  [{ clockFrom: '14:05' }, 'Не может в это время'],
  [{ clockTo: '14:30' }, 'Не может в это время'],
  [{ busy: 'Лазер' }, 'Занято оборудование: Лазер'],
  [{ refused: true }, 'Уже отказался от этого времени'],
  [{ doctors: [2, 1], dateFrom: '2026-11-24', dateTo: '2026-11-24', clockFrom: '14:00', clockTo: '14:40' }, undefined],
] as const)('a time that is not for %o: «%s»', (given, why) => {
  expect(unfit(time, one(given as Partial<Waiting>))).toBe(why)
})

it('the order does not depend on the order of the input, and each is there or has a reason why not', () => {
  const drawn = fc.record({
    urgency: fc.constantFrom(0 as const, 1 as const, 2 as const),
    minutes: fc.constantFrom(undefined, 10, 20, 30, 40, 50),
    minNotice: fc.constantFrom(0, 24),
    days: fc.nat({ max: 5 }),
    noShows: fc.nat({ max: 2 }),
    refused: fc.boolean(),
    busy: fc.constantFrom(null, 'Лазер'),
  })
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 12 }), (all) => {
      const waiting = all.map((given, id) => one({ ...given, id }))
      const order = rankWaiting(time, waiting).map(({ id }) => id)
      expect(rankWaiting(time, waiting.toReversed()).map(({ id }) => id)).toEqual(order)
      for (const each of waiting) expect(order.includes(each.id)).toBe(unfit(time, each) === undefined)
    }),
    { numRuns: runs(50, 1000) },
  )
})
