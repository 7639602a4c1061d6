/** Figures of a funnel against a plain model, and each against the list of deals of its filter. */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
const HOUR = 3_600_000
const TYPES = [1, 1, 1, 2, 3] as const
/** The requested period, in Moscow time: days before and after it have deals too. */
const SINCE = Date.parse('2026-03-01T00:00:00+03:00')
const UNTIL = Date.parse('2026-04-01T00:00:00+03:00')

let clinic: Clinic
let caller: Caller
let idUser: number
const sources: number[] = []
const reasons: number[] = []

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idUser = (await addPerson(app, 'anna', ['editSalesManagement', 'editFunnels'], { timeZone: 'Europe/Moscow' })).id
    },
  })
  caller = clinic.as('anna')
  for (const name of ['Сайт', 'Звонок']) sources.push((await deals(caller).make('sources', { name })).id)
  for (const name of ['Дорого', 'Далеко']) reasons.push((await deals(caller).make('loss-reasons', { name })).id)
})
afterAll(() => clinic.close())

interface Deal {
  kopecks: number | null
  created: number
  /** Stages by index, with the hours spent in the one before. */
  path: { stage: number; hours: number }[]
  source: number
  reason: number
  responsible: boolean
  month: number | null
}

const anyDeal: fc.Arbitrary<Deal> = fc.record({
  kopecks: fc.option(fc.nat(999_999_999), { freq: 5 }),
  created: fc.integer({ min: -10 * 24, max: 41 * 24 }).map((hours) => SINCE + hours * HOUR),
  path: fc.array(fc.record({ stage: fc.nat(4), hours: fc.integer({ min: 1, max: 200 }) }), { maxLength: 6 }),
  source: fc.nat(2),
  reason: fc.nat(1),
  responsible: fc.boolean(),
  month: fc.option(fc.integer({ min: 1, max: 12 })),
})

/** Stays of a deal in stages, by index. */
function staysOf(deal: Deal) {
  const stays: { stage: number; start: number; end: number | null }[] = [{ stage: 0, start: deal.created, end: null }]
  for (const { stage, hours } of deal.path) {
    const last = stays.at(-1) as (typeof stays)[number]
    if (last.stage === stage) continue
    last.end = last.start + hours * HOUR
    stays.push({ stage, start: last.end, end: null })
  }
  return stays
}

async function plant(stages: readonly number[], all: readonly Deal[]): Promise<void> {
  for (const deal of all) {
    const stays = staysOf(deal)
    const last = stays.at(-1) as (typeof stays)[number]
    const iso = (at: number) => new Date(at).toISOString()
    const [lead] = await clinic.db.query<{ id: number }>({
      text: `insert into sales_management_leads ("title", "price", "idStage", "idSource", "dateCreate", "dateStage", "dateExpected", "idUser")
        values ('Сделка', $1::bigint / 100.0, $2, $3, $4, $4, $5, $6) returning id`,
      values: [
        deal.kopecks,
        stages[0],
        sources[deal.source] ?? null,
        iso(deal.created),
        deal.month && `2026-${String(deal.month).padStart(2, '0')}-15`,
        idUser,
      ],
    })
    for (const stay of stays.slice(1)) {
      await clinic.db.query({
        text: 'update sales_management_leads set "idStage" = $2, "dateStage" = $3 where id = $1',
        values: [lead?.id, stages[stay.stage], iso(stay.start)],
      })
    }
    const type = TYPES[last.stage]
    await clinic.db.query({
      text: 'update sales_management_leads set "dateClosed" = $2, "idLossReason" = $3 where id = $1',
      values: [lead?.id, type === 1 ? null : iso(last.start), type === 3 ? reasons[deal.reason] : null],
    })
    if (deal.responsible)
      await clinic.db.query({
        text: 'insert into sales_management_responsible ("idLead", "idUser") values ($1, $2)',
        values: [lead?.id, idUser],
      })
  }
}

const inside = (at: number) => at >= SINCE && at < UNTIL
const figure = (of: readonly Deal[]) => ({
  count: of.length,
  kopecks: of.reduce((sum, deal) => sum + BigInt(deal.kopecks ?? 0), 0n),
})
const shown = ({ count, sum }: { count: number; sum: number }) => ({ count, kopecks: BigInt(Math.round(sum * 100)) })

it('every figure equals a plain model, and its filter returns exactly its deals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeal, { minLength: 1, maxLength: 14 }), async (all) => {
      const { id, stages } = await deals(caller).funnel()
      await plant(stages, all)
      const a = good(await caller.get(`${S}/funnels/${id}/analytics?dateStart=2026-03-01&dateEnd=2026-03-31`))
      const cohort = all.filter((deal) => inside(deal.created))
      const closed = all.filter((deal) => typeOf(deal) !== 1 && inside(staysOf(deal).at(-1)?.start as number))
      expect(shown(a.created)).toEqual(figure(cohort))
      expect(shown(a.open)).toEqual(figure(all.filter((deal) => typeOf(deal) === 1)))
      expect(shown(a.won)).toEqual(figure(closed.filter((deal) => typeOf(deal) === 2)))
      expect(shown(a.lost)).toEqual(figure(closed.filter((deal) => typeOf(deal) === 3)))

      for (const [n, stage] of a.stages.entries()) {
        const been = cohort.filter((deal) => staysOf(deal).some((stay) => stay.stage === n))
        const went = (to: (next: number) => boolean) =>
          been.filter((deal) =>
            staysOf(deal).some(
              (stay, i, stays) => stay.stage === n && stays[i + 1] && to(stays[i + 1]?.stage as number),
            ),
          )
        const passed = went((next) => TYPES[next] === 2 || (TYPES[next] === 1 && next > n))
        expect(stage.idStage).toBe(stages[n])
        expect([stage.entered.count, stage.passed.count, stage.lost.count]).toEqual([
          been.length,
          passed.length,
          went((next) => TYPES[next] === 3).length,
        ])
        if (TYPES[n] === 1)
          expect(stage.conversion).toBe(been.length ? Number((passed.length / been.length).toFixed(4)) : null)
        const seconds = been
          .flatMap((deal) => staysOf(deal).filter((stay) => stay.stage === n && stay.end !== null))
          .map((stay) => ((stay.end as number) - stay.start) / 1000)
          .sort((x, y) => x - y)
        const half = seconds.length / 2
        const median = seconds.length
          ? ((seconds[Math.ceil(half) - 1] as number) + (seconds[Math.floor(half)] as number)) / 2
          : null
        const mean = seconds.length ? Math.round(seconds.reduce((x, y) => x + y, 0) / seconds.length) : null
        expect([stage.medianSeconds, stage.meanSeconds]).toEqual([median, mean])
        expect(shown(stage.now)).toEqual(figure(all.filter((deal) => staysOf(deal).at(-1)?.stage === n)))
      }

      const lost = closed.filter((deal) => typeOf(deal) === 3)
      expect(byKey(a.lossReasons, 'idLossReason')).toEqual(grouped(lost, (deal) => reasons[deal.reason] as number))
      expect(byKey(a.sources, 'idSource')).toEqual(grouped(cohort, (deal) => sources[deal.source] ?? null))
      expect(byKey(a.responsible, 'idUser')).toEqual(grouped(cohort, (deal) => (deal.responsible ? idUser : null)))
      expect(byKey(a.forecast, 'month')).toEqual(
        grouped(
          all.filter((deal) => typeOf(deal) === 1),
          (deal) => deal.month && `2026-${String(deal.month).padStart(2, '0')}`,
        ),
      )
      for (const part of [...a.sources, ...a.responsible]) {
        const ends = part.won.count + part.lost.count
        expect(part.wonShare).toBe(ends ? Number((part.won.count / ends).toFixed(4)) : null)
      }
      await checkFilters(a)
    }),
    { numRuns: runs(8, 100) },
  )
})

const typeOf = (deal: Deal) => TYPES[staysOf(deal).at(-1)?.stage as number]

const byKey = (groups: ({ count: number; sum: number } & Record<string, unknown>)[], key: string) =>
  new Map(groups.map((group) => [group[key], shown(group)] as const).sort(byText))
const grouped = (of: readonly Deal[], key: (deal: Deal) => unknown) =>
  new Map([...Map.groupBy(of, key)].map(([at, list]) => [at, figure(list)] as const).sort(byText))
const byText = (a: readonly [unknown, unknown], b: readonly [unknown, unknown]) =>
  String(a[0]) < String(b[0]) ? -1 : 1

/** Requests the list of deals with the filter of every figure. */
async function checkFilters(answer: unknown): Promise<void> {
  if (typeof answer !== 'object' || answer === null) return
  const { filter, count, sum } = answer as { filter?: Record<string, string>; count?: number; sum?: number }
  if (typeof filter === 'object') {
    const query = new URLSearchParams({ ...filter, limit: '500', fields: 'price', count: '1' })
    const list = good(await caller.get(`${S}/leads?${query}`))
    expect([list._meta.totalCount, JSON.stringify(filter)]).toEqual([count, JSON.stringify(filter)])
    const rows = list.items as { price: number | null }[]
    if (sum !== undefined) expect(shown({ count: rows.length, sum })).toEqual(figure(rows.map(asDeal)))
  }
  for (const part of Object.values(answer)) await checkFilters(part)
}

const asDeal = ({ price }: { price: number | null }) => ({ kopecks: Math.round((price ?? 0) * 100) }) as Deal

it('a deal reports its time in each stage, its moves and its sums', async () => {
  const { stages } = await deals(caller).funnel()
  await plant(stages, [
    {
      kopecks: 150_050,
      created: SINCE,
      path: [
        { stage: 1, hours: 2 },
        { stage: 0, hours: 3 },
        { stage: 3, hours: 5 },
      ],
      source: 0,
      reason: 0,
      responsible: true,
      month: null,
    },
  ])
  const [lead] = await deals(caller).list('leads?sort=-id&limit=1')
  const answer = await caller.get(`${S}/leads/${lead.id}/analytics`)
  expect(answer.text).toContain('"price" : 1500.50, "offersSum" : 0.00')
  expect(answer.body).toMatchObject({
    seconds: 10 * 3600,
    movesCount: 3,
    stages: [
      { idStage: stages[0], visits: 2, seconds: 7 * 3600, isCurrent: false },
      { idStage: stages[1], visits: 1, seconds: 3 * 3600, isCurrent: false },
      { idStage: stages[3], visits: 1, isCurrent: true },
    ],
  })
  expect(answer.body.moves.map((move: { idStage: number }) => move.idStage)).toEqual([
    stages[0],
    stages[1],
    stages[0],
    stages[3],
  ])
  expect((await caller.get(`${S}/leads/999999/analytics`)).status).toBe(404)
})

it('an invalid period is refused', async () => {
  const { id } = await deals(caller).funnel()
  for (const query of [
    'dateStart=2026-02-30',
    'dateStart=0000-01-01',
    'dateStart=2026-03-02&dateEnd=2026-03-01',
    'x=1',
  ])
    expect((await caller.get(`${S}/funnels/${id}/analytics?${query}`)).status, query).toBe(400)
})
