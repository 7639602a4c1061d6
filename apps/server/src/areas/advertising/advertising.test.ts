/** Advertising: touches of calls, requests and cards, fixed attribution of conversions, figures, costs. */
import { Call } from '@ordinator/model/areas/calls/call'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rollUp } from '#areas/reports/index.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { withoutTime } from '#testing/locks.ts'
import { addPerson } from '#testing/people.ts'
import { billing, worldOf } from '#testing/visits.ts'

let clinic: Clinic
let keeper: Caller
let desk: Awaited<ReturnType<typeof billing>>
let serial = 0

beforeAll(async () => {
  let idOrganization = 0
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [
        ...worldOf.rights,
        ...billing.rights,
        'createAdvertising',
        'editAppeals',
        'viewAppeals',
        'viewCallJournal',
      ])
      await addPerson(app, 'reader', ['viewAdvertising'])
      await addPerson(app, 'outsider')
      idOrganization = (
        await app.engine
          .for(systemActor)
          .create(Organization, { shortName: 'ООО «Своя»', kind: 'own', licenceNumber: 'ЛО-77' })
      ).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
})
afterAll(() => clinic.close())

const today = () => dayIn('Europe/Moscow', Date.now())
const campaign = async (more: object = {}): Promise<number> =>
  good(
    await keeper.post('/advertising/campaigns', {
      ...{ name: `Кампания ${++serial}`, channel: 'context', status: 'active', dateFrom: '2020-01-01' },
      ...more,
    }),
    201,
  ).id
const line = async (idCampaign: number): Promise<string> => {
  const phone = `+7495${String(1_000_000 + ++serial)}`
  good(await keeper.post('/advertising/numbers', { idCampaign, phone, dateFrom: '2020-01-01' }), 201)
  return phone
}
const patient = async (): Promise<{ id: number; phone: string }> => {
  const phone = `+7916${String(2_000_000 + ++serial)}`
  return { phone, id: good(await keeper.post('/customers', { surname: `Звонков${serial}`, phone }), 201).id }
}
/** A call that came in this many days ago. */
const ring = (contactPhone: string, destPhone: string, daysAgo = 0) =>
  clinic.context.engine.for(systemActor).asSystem.create(Call, {
    ...{ callType: 1, contactPhone, destPhone, state: 'ended' },
    dateCreate: new Date(Date.now() - daysAgo * 86_400_000 - 60_000).toISOString(),
  } as never)
const collect = async () => good(await keeper.post('/advertising/collect'))
const report = async (more = '') => good(await keeper.get(`/advertising/report?from=${today()}&to=${today()}${more}`))
type Row = Awaited<ReturnType<typeof report>>['rows'][number]
const rowOf = (rows: readonly Row[], id: number | null): Row | undefined => rows.find((one) => one.idCampaign === id)

describe('an appeal', () => {
  it('is attributed to the dialled number, and stays so whatever comes later', async () => {
    const [first, later] = [await campaign(), await campaign()]
    const [one, other] = [await line(first), await line(later)]
    const { id, phone } = await patient()
    await ring(phone, one.replace('+7', '8'), 20)
    good(await keeper.post('/appeals', { idCustomer: id, customerPhone: phone, description: 'Боль в спине' }), 201)
    await collect()
    expect(rowOf((await report()).rows, first)).toMatchObject({ appeals: 1 })
    await ring(phone, other)
    await collect()
    expect(rowOf((await report()).rows, first)).toMatchObject({ appeals: 1 })
    expect(rowOf((await report()).rows, later)?.appeals).toBe(0)
    // By the last touch the next one belongs to the later campaign, by the first touch to the first.
    good(await keeper.post('/appeals', { idCustomer: id, customerPhone: phone, description: 'Ещё раз' }), 201)
    await collect()
    expect(rowOf((await report()).rows, later)).toMatchObject({ appeals: 1 })
    expect(rowOf((await report('&touch=first')).rows, first)).toMatchObject({ appeals: 2 })
    await expect(
      clinic.db.query({ text: `update advertising_conversions set "idLast" = null where "idLast" is not null` }),
    ).rejects.toThrow(/frozen/)
  })

  it('leaves the campaign when it is marked as irrelevant, or is deleted, and comes back', async () => {
    const id = await campaign()
    const number = await line(id)
    const { id: idCustomer, phone } = await patient()
    await ring(phone, number)
    good(await keeper.post('/advertising/costs', { idCampaign: id, localDate: today(), cost: 100, clicks: 1 }), 201)
    const appeal = good(await keeper.post('/appeals', { idCustomer, customerPhone: phone, description: 'Запись' }), 201)
    await collect()
    const figures = async () => rowOf((await report()).rows, id)
    expect(await figures()).toMatchObject({ appeals: 1, cpl: 100 })
    const say = (outcome: string | null) => keeper.put(`/appeals/${appeal.id}`, { outcome })
    good(await say('notTarget'))
    expect(await figures()).toMatchObject({ appeals: 0, cpl: null })
    await rollUp(clinic.context)
    good(await say('consulted'))
    expect(await figures()).toMatchObject({ appeals: 1, cpl: 100 })
    good(await keeper.delete(`/appeals/${appeal.id}`), 204)
    expect(await figures()).toMatchObject({ appeals: 0, cpl: null })
  })

  it('has no campaign after a direct call, or a touch older than thirty days', async () => {
    const old = await campaign()
    const number = await line(old)
    const { id, phone } = await patient()
    await ring(phone, number, 40)
    await ring(phone, '84950000000')
    good(await keeper.post('/appeals', { idCustomer: id, customerPhone: phone, description: 'Вопрос' }), 201)
    await collect()
    expect(rowOf((await report()).rows, old)?.appeals).toBe(0)
    expect(rowOf((await report('&touch=first')).rows, old)).toMatchObject({ appeals: 1 })
  })
})

it('counts bookings, visits and payments of a campaign, and its return', async () => {
  const id = await campaign()
  const number = await line(id)
  const { id: idCustomer, phone } = await patient()
  await ring(phone, number)
  good(await keeper.post('/appeals', { idCustomer, customerPhone: phone, description: 'Запишите' }), 201)
  const visit = await desk.visit([1], { idCustomer })
  good(await desk.done(visit.lines[0] as number), 204)
  for (const status of ['inProgress', 'completed']) good(await desk.to(visit.id, status))
  const payment = good(await desk.take(idCustomer, 750))
  good(await keeper.post('/advertising/costs', { idCampaign: id, localDate: today(), cost: 300, clicks: 10 }), 201)
  await collect()
  const { rows, total } = await report()
  expect(rowOf(rows, id)).toMatchObject({
    ...{ spend: 300, clicks: 10, appeals: 1, bookings: 1, visits: 1, newPatients: 1, paid: 750 },
    ...{ cpl: 300, cac: 300, romi: 150 },
  })
  expect(total.spend).toBe(400)
  expect(await collect()).toEqual({ touches: 0, conversions: 0 })
  // A refund, a merge with a card that came before, its undoing and another outcome correct it, counted before or not.
  const now = async () => {
    const own = rowOf((await report()).rows, id)
    return own && [own.paid, own.visits, own.newPatients]
  }
  const follows = async (expected: unknown) => {
    expect(await now()).toEqual(expected)
    await rollUp(clinic.context)
    expect(await now()).toEqual(expected)
  }
  await rollUp(clinic.context)
  good(await desk.refund(payment.id, 250))
  await follows([500, 1, 1])
  const { id: earlier } = await patient()
  const first = await desk.visit([1], { idCustomer: earlier })
  for (const status of ['inProgress', 'completed']) good(await desk.to(first.id, status))
  await clinic.db.query({
    text: `update appointments set "localDate" = "localDate" - 1 where "id" = $1`,
    values: [first.id],
  })
  const merge = good(await keeper.post(`/customers/${earlier}/merge`, { idMerged: idCustomer, take: [] }))
  await follows([500, 1, 0])
  good(await keeper.post(`/customers/merges/${merge.id}/undo`))
  await follows([500, 1, 1])
  good(await desk.to(visit.id, 'inProgress'))
  await follows([0, 0, 0])
})

it('of two years is counted in the background when a request has no time for it, and shown by the same request', async () => {
  good(await keeper.post('/advertising/costs', { idCampaign: await campaign(), localDate: today(), cost: 70 }), 201)
  const path = `/advertising/report?from=${plusDays(today(), -730)}&to=${today()}`
  const quick = good(await keeper.get(path))
  expect(quick.total.spend).toBeGreaterThanOrEqual(70)
  const { rows, run } = good(await withoutTime(clinic.db, 'advertising_costs', () => keeper.get(path)))
  expect([rows, typeof run]).toEqual([[], 'number'])
  expect(good(await keeper.get(path)).run).toBe(run)
  await clinic.context.jobs.drain()
  expect(good(await keeper.get(path))).toEqual(quick)
})

it('imports the costs of an advertising account, a day once, and reports unreadable lines', async () => {
  const id = await campaign({ name: 'Импланты', utmCampaign: 'implants' })
  const token = await keeper.token()
  const send = async (text: string) => {
    const answer = await clinic.app.server.inject({
      method: 'POST',
      url: '/advertising/costs/import',
      payload: Buffer.from(text),
      headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}` },
    })
    return { status: answer.statusCode, body: JSON.parse(answer.body) }
  }
  const file =
    'Дата;Кампания;Расход;Клики\n01.11.2026;импланты;100,50;3\n01.11.2026;implants;10;1\n02.11.2026;Чужая;5;1\n'
  expect(await send(file)).toMatchObject({
    status: 200,
    body: { added: 1, changed: 0, problems: ['Строка 4: нет кампании «Чужая»'] },
  })
  expect(await send(file)).toMatchObject({ body: { added: 0, changed: 1 } })
  const list = good(await keeper.get(`/advertising/costs?filter[idCampaign]=${id}`)).items
  expect(list).toEqual([expect.objectContaining({ localDate: '2026-11-01', cost: 110.5, clicks: 4 })])
  expect((await send('a;b\n1;2')).status).toBe(400)
})

it('shows the legal requirements of a campaign', async () => {
  const id = await campaign()
  const creative = { idCampaign: id, name: 'Баннер', text: 'Скидка на УЗИ', isOnline: true }
  good(await keeper.post('/advertising/creatives', creative), 201)
  const { checks } = good(await keeper.get(`/advertising/campaigns/${id}/checks`))
  expect(checks.map(({ rule }: { rule: string }) => rule)).toEqual(['warning', 'erid', 'licence'])
  expect(good(await keeper.get(`/advertising/campaigns/${id}`)).warnings).toBe(1)
})

it('refuses one number for two campaigns on the same days', async () => {
  const phone = '+74951112233'
  const number = { phone, dateFrom: '2026-01-01' }
  good(await keeper.post('/advertising/numbers', { ...number, idCampaign: await campaign() }), 201)
  expect((await keeper.post('/advertising/numbers', { ...number, idCampaign: await campaign() })).status).toBe(422)
})

it('is read with viewAdvertising and written with createAdvertising', async () => {
  const [reader, outsider] = [clinic.as('reader'), clinic.as('outsider')]
  expect((await reader.get('/advertising/campaigns')).status).toBe(200)
  expect((await reader.post('/advertising/campaigns', {})).status).toBe(403)
  expect((await reader.post('/advertising/collect')).status).toBe(403)
  for (const path of ['campaigns', 'touches', 'conversions', `report?from=${today()}&to=${today()}`])
    expect((await outsider.get(`/advertising/${path}`)).status).toBe(403)
})
