import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attribute, campaignOf, cleanUtm, lawChecks, returns, type Touch } from './attribution.ts'
import { readCosts } from './costFile.ts'

const DAY = 86_400_000
const touch = (id: number, day: number, way: Touch['way'], idCampaign: number | null = id): Touch => ({
  ...{ id, way, idCampaign },
  at: day * DAY,
})

it.each<[string, Touch[], number | null, number | null]>([
  ['the only one', [touch(1, 10, 'utm')], 1, 1],
  ['a direct call takes nothing over', [touch(1, 10, 'utm'), touch(2, 20, 'direct', null)], 1, 1],
  ['first and last apart', [touch(1, 1, 'utm'), touch(2, 20, 'number')], 1, 2],
  ['older than thirty days is the first alone', [touch(1, 1, 'utm')], 1, null],
  ['what comes after does not count', [touch(1, 39, 'utm'), touch(2, 41, 'number')], 1, 1],
  ['direct alone is none', [touch(1, 39, 'direct', null)], null, null],
])('attributes %s', (_, touches, first, last) => {
  const day = touches[0]?.at === DAY && touches.length === 1 ? 40 : touches.some(({ at }) => at > 30 * DAY) ? 40 : 25
  const found = attribute(touches, day * DAY)
  expect([found.first?.idCampaign ?? null, found.last?.idCampaign ?? null]).toEqual([first, last])
})

it('never puts down to what came later, and never to a direct touch', () => {
  const any = fc.record({
    id: fc.nat(),
    at: fc.integer({ min: 0, max: 100 }).map((day) => day * DAY),
    way: fc.constantFrom('utm' as const, 'number' as const, 'direct' as const),
    idCampaign: fc.option(fc.nat(9), { nil: null }),
  })
  fc.assert(
    fc.property(fc.array(any), fc.integer({ min: 0, max: 100 }), (touches, day) => {
      const { first, last } = attribute(touches, day * DAY)
      for (const one of [first, last]) {
        if (!one) continue
        expect(one.at).toBeLessThanOrEqual(day * DAY)
        expect(one.way).not.toBe('direct')
      }
      if (last) expect(last.at).toBeGreaterThan((day - 30) * DAY)
      // Later events do not change settled conversions.
      const later = [...touches, touch(7, day + 1, 'utm')]
      expect(attribute(later, day * DAY)).toEqual({ first, last })
    }),
  )
})

it('keeps known marks alone, cut', () => {
  expect(cleanUtm({ utm_source: ' yandex ', phone: '+79990000000', utm_term: 'x'.repeat(300), utm_medium: 5 })).toEqual(
    {
      utm_source: 'yandex',
      utm_term: 'x'.repeat(200),
    },
  )
})

it('finds the campaign that matches the most marks, of those that run', () => {
  const one = (id: number, utmCampaign: string | null, dateTo: string | null = null) => ({
    ...{ id, utmCampaign, dateTo },
    dateFrom: '2026-01-01',
    utmSource: 'yandex',
    utmMedium: null,
  })
  const all = [one(1, null), one(2, 'implants'), one(3, 'implants', '2026-02-01')]
  expect(campaignOf({ utm_source: 'Yandex', utm_campaign: 'implants' }, '2026-11-01', all)).toBe(2)
  expect(campaignOf({ utm_source: 'yandex' }, '2026-11-01', all)).toBe(1)
  expect(campaignOf({ utm_source: 'google' }, '2026-11-01', all)).toBe(null)
})

it('describes the result of a campaign', () => {
  const facts = { spend: 50_000_00, appeals: 100, bookings: 60, visits: 48, newPatients: 20, paid: 125_000_00 }
  expect(returns(facts)).toEqual({ cpl: 500_00, cac: 2_500_00, romi: 150, toBooking: 60, toVisit: 80 })
  expect(returns({ ...facts, spend: 0 }).romi).toBe(null)
})

it('asks for the warning, erid and licence', () => {
  const creative = { name: 'Баннер', isOnline: true, erid: null, text: 'Скидка 20 % на имплантацию' }
  const rules = (more: Partial<typeof creative>, erid: string | null = null) =>
    lawChecks({ erid, contract: true, creatives: [{ ...creative, ...more }] }, 'ЛО-77').map(({ rule }) => rule)
  expect(rules({})).toEqual(['warning', 'erid', 'licence'])
  expect(
    rules({ text: 'Имплантация. Лицензия ЛО-77. Имеются противопоказания, проконсультируйтесь' }, '2VtzqX'),
  ).toEqual([])
})

it('reads the file of an advertising office', () => {
  const text =
    'Отчёт за ноябрь\nДата;Кампания;Расход, ₽;Клики\n01.11.2026;"Импланты; поиск";1 234,50;12\n02.11.2026;Импланты;x;1\nИтого;;1 234,50;12'
  const { rows, problems } = readCosts(text)
  expect(rows).toEqual([
    { line: 3, day: '2026-11-01', campaign: 'Импланты; поиск', kopecks: 1_234_50, clicks: 12, impressions: null },
  ])
  expect(problems).toEqual(['Строка 4: не читается расход «x»'])
})
