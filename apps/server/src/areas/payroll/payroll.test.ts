/** A month of payroll: calculated, corrected, approved, paid and closed, and its visibility. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { Violation } from '@ordinator/model/areas/regulations/run'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { killRuns } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing, worldOf } from '#testing/visits.ts'

const stockRights = [
  'warehouseDashboard',
  'editWarehouse',
  'viewAllWarehouses',
  'viewServices',
  'editServices',
] as const
let clinic: Clinic
let keeper: Caller
let doctor: Caller
let idDoctor: number
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [
        ...new Set([...worldOf.rights, ...billing.rights, ...stockRights, 'payroll' as const]),
      ])
      idDoctor = (await addPerson(app, 'ownslip', ['viewCustomers'], { surname: 'Своев', post: 'Врач' })).id
      await addPerson(app, 'outsider', ['viewCashDesk'])
      idOrganization = (
        await app.engine.for(systemActor).create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })
      ).id
    },
  })
  keeper = clinic.as('keeper')
  doctor = clinic.as('ownslip')
  await keeper.token()
})
afterAll(() => clinic.close())

const thisMonth = () => `${dayIn('Europe/Moscow', Date.now()).slice(0, 7)}-01`
const percent = { code: 'p', type: 'percent', rate: 30, base: 'discounted' }

/** A branch with a doctor paid by a scheme, and an open month. */
async function world(rules: object[], { idUser }: { idUser?: number } = {}) {
  const desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
  const { idFilial } = desk
  const paid = idUser ?? desk.idUser
  const scheme = good(
    await keeper.post('/payroll/schemes', { name: 'Схема', idUser: paid, idFilial, dateFrom: '2020-01-01', rules }),
    201,
  )
  const period = good(await keeper.post('/payroll/periods', { month: thisMonth(), idFilial }), 201)
  const calculate = async (trial = false, idPeriod: number = period.id) => {
    const run = good(await keeper.post(`/payroll/periods/${idPeriod}/calculate`, { trial }), 201)
    await clinic.context.jobs.drain()
    return good(await keeper.get(`/payroll/runs/${run.id}`))
  }
  const slip = async (idPeriod: number = period.id) =>
    good(await keeper.get(`/payroll/slips?filter[idPeriod]=${idPeriod}&filter[idUser]=${paid}`)).items[0]
  const lines = async (idSlip: number) =>
    good(await keeper.get(`/payroll/lines?filter[idSlip]=${idSlip}&sort=id&limit=100`)).items
  const to = (status: string, idPeriod: number = period.id) =>
    keeper.post(`/payroll/periods/${idPeriod}/status`, { status })
  return { ...desk, scheme, period, calculate, slip, lines, to, paid }
}

/** Moves today's records to the month before. */
async function monthBefore(idFilial: number): Promise<void> {
  await clinic.db.tx(async (tx) => {
    await tx.query({ text: 'alter table ledger_txs disable trigger ledger_txs_keep' })
    const on = `(date_trunc('month', "localDate") - interval '5 days')::date`
    await tx.query({
      text: `update ledger_txs set "localDate" = ${on} where "idCouponService" in (select l."id" from coupon_services l
        join coupons c on c."id" = l."idCoupon" where c."idFilial" = $1)`,
      values: [idFilial],
    })
    for (const table of ['coupons', 'appointments'])
      await tx.query({ text: `update ${table} set "localDate" = ${on} where "idFilial" = $1`, values: [idFilial] })
    await tx.query({ text: 'alter table ledger_txs enable trigger ledger_txs_keep' })
  })
}

describe('a calculation', () => {
  it('makes a line per service; a trial only reports the difference', async () => {
    const own = await world([percent])
    const visit = await own.visit([1, 2])
    for (const id of visit.lines) good(await own.done(id), 204)
    const trial = await own.calculate(true)
    expect(trial).toMatchObject({ status: 'done', isTrial: true, before: 0, after: 900, added: 2 })
    expect(await own.slip()).toBeUndefined()
    expect(await own.calculate()).toMatchObject({ before: 0, after: 900, progress: 100 })
    const slip = await own.slip()
    expect(slip).toMatchObject({ percent: 900, total: 900, left: 900 })
    expect(
      (await own.lines(slip.id)).map((line: { base: number; rate: number; sum: number }) => [
        line.base,
        line.rate,
        line.sum,
      ]),
    ).toEqual([
      [1000, 30, 300],
      [2000, 30, 600],
    ])
  })

  it('is idempotent, and never changes manual lines', async () => {
    const own = await world([percent])
    const visit = await own.visit([1])
    good(await own.done(visit.lines[0] as number), 204)
    await own.calculate()
    const slip = await own.slip()
    const before = await own.lines(slip.id)
    const hand = { idSlip: slip.id, reason: 'За обучение новичка' }
    good(await keeper.post('/payroll/adjustments', { ...hand, kind: 'bonus', sum: 500 }), 201)
    good(await keeper.post('/payroll/adjustments', { ...hand, kind: 'reduction', sum: 120.5 }), 201)
    expect(await own.calculate()).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(await own.lines(slip.id)).toEqual(before)
    expect(await own.slip()).toMatchObject({ bonus: 500, deduction: -120.5, total: 679.5 })
    // Cancelled services are removed; manual lines stay.
    good(await own.done(visit.lines[0] as number, false), 204)
    expect(await own.calculate()).toMatchObject({ removed: 1, after: 0 })
    expect(await own.slip()).toMatchObject({ percent: 0, total: 379.5 })
  })

  it('by payments counts money for given services, and less after a refund', async () => {
    const own = await world([{ ...percent, base: 'paid' }])
    good(await keeper.put(`/payroll/schemes/${own.scheme.id}`, { accrual: 'paid' }))
    const visit = await own.visit([1])
    good(await own.done(visit.lines[0] as number), 204)
    await own.calculate()
    expect(await own.slip()).toBeUndefined()
    const payment = good(await own.take(visit.idCustomer, 600))
    await own.calculate()
    expect(await own.slip()).toMatchObject({ percent: 180 })
    good(await own.refund(payment.id, 200))
    await own.calculate()
    expect(await own.slip()).toMatchObject({ percent: 120 })
  })

  it('divides a service between two performers', async () => {
    const own = await world([percent])
    const other = await addPerson(clinic.context, 'second', [], { surname: 'Второй' })
    good(
      await keeper.post('/payroll/schemes', {
        name: 'Второго',
        idUser: other.id,
        idFilial: own.idFilial,
        dateFrom: '2020-01-01',
        rules: [{ ...percent, rate: 10 }],
      }),
      201,
    )
    const visit = await own.visit([1])
    const [line] = visit.lines as [number]
    good(
      await keeper.post('/coupon-services/performers/batch', {
        create: [
          { idCouponService: line, idUser: own.idUser, share: 70 },
          { idCouponService: line, idUser: other.id, share: 30 },
        ],
      }),
    )
    good(await own.done(line), 204)
    await own.calculate()
    const slips = good(await keeper.get(`/payroll/slips?filter[idPeriod]=${own.period.id}&sort=idUser`)).items
    expect(slips.map((one: { idUser: number; percent: number }) => [one.idUser, one.percent])).toEqual(
      [
        [own.idUser, 210],
        [other.id, 30],
      ].toSorted((a, b) => (a[0] as number) - (b[0] as number)),
    )
  })

  it("deducts the cost of a service: by the norm, by write-off, by the clinic's setting", async () => {
    const own = await world([{ ...percent, lessCosts: true }])
    const system = clinic.context.engine.for(systemActor)
    const { id: idTo } = await system.create(Warehouse, { name: 'Склад', idFilial: own.idFilial })
    const product = { nameService: 'Система', serviceCategory: 1, unit: 'шт.', priceService: 999 }
    const idProduct = good(await keeper.post('/services', product), 201).id
    good(await keeper.post('/service-consumables', { idService: own.idService, idProduct, qty: 2 }), 201)
    const localDate = dayIn('Europe/Moscow', Date.now())
    const { id: idSupplier } = await system.create(Organization, { kind: 'supplier', shortName: 'Поставщик' } as never)
    const document = async (body: object, line: object) => {
      const { id } = good(await keeper.post('/warehouse/documents', { localDate, ...body }), 201)
      const made = good(await keeper.post('/warehouse/lines', { idDocument: id, idProduct, ...line }), 201)
      return { id, idLine: made.id as number, post: () => keeper.post(`/warehouse/documents/${id}/post`, {}) }
    }
    const visit = await own.visit([1])
    good(await own.done(visit.lines[0] as number), 204)
    const counted = async () => {
      await own.calculate()
      return (await own.slip()).percent
    }
    // A good without moves counts at its price.
    await own.calculate()
    expect(await own.slip()).toBeUndefined()
    for (const price of [100, 120])
      good(await (await document({ kind: 'receipt', idTo, idSupplier }, { qty: 10, price })).post())
    // 30 % of 1 000 less two at 110.
    expect(await counted()).toBe(234)
    const issue = await document({ kind: 'issue', idFrom: idTo }, { qty: 3 })
    await clinic.db.query({
      text: 'update warehouse_lines set "idCouponService" = $1 where "id" = $2',
      values: [visit.lines[0], issue.idLine],
    })
    expect(await counted()).toBe(234)
    good(await issue.post())
    expect(await counted()).toBe(201)
    good(await keeper.post('/payroll/service-costs', { idService: own.idService, materials: 60, laboratory: 40 }), 201)
    expect(await counted()).toBe(270)
  })

  it('lists the services of a progressive rule', async () => {
    const tiers = [
      { from: 0, rate: 10 },
      { from: 2_000, rate: 20 },
    ]
    const own = await world([{ code: 't', type: 'progressive', base: 'discounted', mode: 'excess', tiers }])
    const visit = await own.visit([1, 2])
    for (const id of visit.lines) good(await own.done(id), 204)
    await own.calculate()
    const [line] = await own.lines((await own.slip()).id)
    expect(line).toMatchObject({ base: 3_000, sum: 400 })
    const services = async () => good(await keeper.get(`/payroll/lines/${line.id}/services`))
    expect(await services()).toMatchObject({ base: 3_000, services: [{ base: 1_000 }, { base: 2_000 }] })
    good(await own.done(visit.lines[1] as number, false), 204)
    expect(await services()).toMatchObject({ base: 1_000, services: [{ id: visit.lines[0], base: 1_000 }] })
    expect((await doctor.get(`/payroll/lines/${line.id}/services`)).status).toBe(404)
  })

  it('reduces a bonus for a confirmed violation of a regulation, once', async () => {
    const own = await world([{ code: 's', type: 'salary', sum: 50_000, norm: 'none' }])
    await own.calculate()
    const slip = await own.slip()
    const system = clinic.context.engine.for(systemActor)
    const { id: idRegulation } = await system.create(Regulation, {
      name: 'Встреча пациента',
      idUser: own.paid,
    } as never)
    const breach = (more: object) =>
      system.create(Violation, {
        ...{ idRegulation, idUser: own.paid, description: 'Не представился', state: 'confirmed', deduction: 700 },
        ...more,
      } as never)
    const { id: idViolation } = await breach({})
    const { id: idNew } = await breach({ state: 'new' })
    const open = async () => good(await keeper.get(`/payroll/slips/${slip.id}/violations`))
    expect(await open()).toEqual([
      expect.objectContaining({ id: idViolation, deduction: 700, regulation: 'Встреча пациента' }),
    ])
    const reduce = (more: object) =>
      keeper.post('/payroll/adjustments', {
        ...{ idSlip: slip.id, kind: 'reduction', sum: 700, reason: 'Нарушение', idViolation },
        ...more,
      })
    expect(await reduce({ kind: 'deduction' })).toMatchObject({ status: 422, body: [{ field: 'kind' }] })
    expect(await reduce({ idViolation: idNew })).toMatchObject({ status: 422, body: [{ field: 'idViolation' }] })
    good(await reduce({}), 201)
    expect((await reduce({})).status).toBe(422)
    expect(await open()).toEqual([])
    expect(await own.slip()).toMatchObject({ deduction: -700, total: 49_300 })
  })

  it('takes the timesheet from shifts, with manual corrections of days', async () => {
    const own = await world([{ code: 'h', type: 'hourly', sum: 100 }])
    // The test branch has a shift of the whole day.
    await own.calculate()
    expect(await own.slip()).toMatchObject({ salary: 2_400, hours: 24, shifts: 1 })
    const localDate = dayIn('Europe/Moscow', Date.now())
    const day = { idUser: own.idUser, idFilial: own.idFilial, localDate, hours: 6.5, reason: 'Ушёл раньше' }
    good(await keeper.post('/payroll/days', day), 201)
    await own.calculate()
    expect(await own.slip()).toMatchObject({ salary: 650, hours: 6.5 })
    const sheet = good(await keeper.get(`/payroll/periods/${own.period.id}/timesheet`))
    expect(sheet.people[0].days).toEqual([
      expect.objectContaining({ day: localDate, hours: 6.5, reason: 'Ушёл раньше' }),
    ])
  })
})

describe('a closed month', () => {
  it('stays unchanged: a later cancellation is deducted in the open one, once', async () => {
    const own = await world([percent])
    const visit = await own.visit([1, 2])
    for (const id of visit.lines) good(await own.done(id), 204)
    await monthBefore(own.idFilial)
    const former = thisMonth().slice(0, 7)
    const [year, month] = former.split('-').map(Number) as [number, number]
    const before = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 10)
    const closed = good(await keeper.post('/payroll/periods', { month: before, idFilial: own.idFilial }), 201)
    await own.calculate(false, closed.id)
    expect(await own.slip(closed.id)).toMatchObject({ total: 900 })
    for (const status of ['checked', 'approved']) good(await own.to(status, closed.id))
    good(
      await keeper.post(`/payroll/periods/${closed.id}/pay`, {
        ...{ key: own.key(), payFrom: 'account' },
        idBankAccount: await bankAccount(),
      }),
    )
    for (const status of ['paid', 'closed']) good(await own.to(status, closed.id))
    const lines = await own.lines((await own.slip(closed.id)).id)

    good(await own.done(visit.lines[1] as number, false), 204)
    expect(await own.calculate()).toMatchObject({ corrections: 1, after: -600 })
    const slip = await own.slip()
    expect(slip).toMatchObject({ percent: -600 })
    expect(await own.lines(slip.id)).toEqual([
      expect.objectContaining({ sum: -600, idOfPeriod: closed.id, ofMonth: before, idCouponService: visit.lines[1] }),
    ])
    expect(await own.calculate()).toMatchObject({ added: 0, removed: 0, changed: 0 })
    expect(await own.lines((await own.slip(closed.id)).id)).toEqual(lines)
    // A negative total cannot be approved.
    good(await own.to('checked'))
    expect(await own.to('approved')).toMatchObject({ status: 409, body: { code: 'negative' } })
    // Its scheme, its lines and its state stay too.
    expect(await keeper.put(`/payroll/schemes/${own.scheme.id}`, { rules: [] })).toMatchObject({ status: 422 })
    expect(await keeper.post(`/payroll/periods/${closed.id}/calculate`, {})).toMatchObject({ status: 409 })
    expect(await own.to('paid', closed.id)).toMatchObject({ status: 409 })
  })
})

let account: Promise<number> | undefined
const bankAccount = () =>
  (account ??= keeper
    .post('/organizations/accounts', {
      ...{ idOrganization, bik: '044525225', account: '40702810938000000001', bankName: 'Банк' },
    })
    .then((answer) => good(answer, 201).id))

describe('a slip', () => {
  it('is visible to its person once approved, with each service; to no other', async () => {
    const own = await world([{ code: 'k', type: 'salary', sum: 50_000, norm: 'none' }], { idUser: idDoctor })
    await own.calculate()
    const slip = await own.slip()
    const mine = () => doctor.get(`/payroll/slips?filter[idPeriod]=${own.period.id}`)
    expect(good(await mine()).items).toEqual([])
    for (const status of ['checked', 'approved']) good(await own.to(status))
    expect(good(await mine()).items).toEqual([expect.objectContaining({ id: slip.id, total: 50_000 })])
    expect(good(await doctor.get(`/payroll/lines?filter[idSlip]=${slip.id}`)).items).toHaveLength(1)
    const outsider = clinic.as('outsider')
    expect(good(await outsider.get('/payroll/slips')).items).toEqual([])
    expect(good(await outsider.get('/payroll/lines')).items).toEqual([])
    for (const path of ['/payroll/schemes', '/payroll/periods', '/payroll/runs', '/payroll/days'])
      expect((await doctor.get(path)).status).toBe(403)
    expect(
      (await doctor.post('/payroll/adjustments', { idSlip: slip.id, kind: 'bonus', sum: 1, reason: 'Себе' })).status,
    ).toBe(403)
  })

  it('is paid up to the rest, from the drawer of an open shift or an account', async () => {
    const own = await world([{ code: 'h', type: 'hourly', sum: 100 }])
    await own.calculate()
    const slip = await own.slip()
    const pay = (more: object) =>
      keeper.post(`/payroll/slips/${slip.id}/payout`, {
        ...{ key: own.key(), kind: 'salary', sum: 100, payFrom: 'desk', idDesk: own.idDesk },
        ...more,
      })
    // An advance is allowed before the approval, wages are not.
    expect(await pay({})).toMatchObject({ status: 409 })
    expect(await pay({ kind: 'advance' })).toMatchObject({ status: 422, body: [{ field: 'sum' }] })
    good(
      await keeper.post(`/cash-shifts/${own.idShift}/cash`, {
        key: own.key(),
        kind: 'in',
        sum: 1_000,
        reason: 'Размен',
      }),
    )
    const key = own.key()
    const advance = good(await pay({ kind: 'advance', key, sum: 400 }))
    expect(good(await pay({ kind: 'advance', key, sum: 400 })).id).toBe(advance.id)
    for (const status of ['checked', 'approved']) good(await own.to(status))
    expect(await pay({ sum: 2_000.01 })).toMatchObject({ status: 422, body: [{ field: 'sum', message: /Осталось/ }] })
    expect(await own.to('paid')).toMatchObject({ status: 409, body: { code: 'unpaid' } })
    good(await pay({ sum: 2_000, payFrom: 'account', idBankAccount: await bankAccount() }))
    expect(await own.slip()).toMatchObject({ paid: 2_400, left: 0 })
    expect(good(await keeper.get(`/cash-shifts/${own.idShift}/report`))).toMatchObject({ cashOut: 400, drawer: 600 })
    good(await own.to('paid'))
    const xml = await keeper.get(`/payroll/periods/${own.period.id}/export-1c`)
    expect(xml.text).toContain('Сумма="2400.00"')
  })

  it('is reopened after approval while nothing was paid, with the ledger', async () => {
    const own = await world([{ code: 'h', type: 'hourly', sum: 100 }])
    await own.calculate()
    const owed = () =>
      clinic.db.one<{ sum: number }>({
        text: `select coalesce(sum(e."amount"), 0)::float8 as sum from ledger_entries e join ledger_accounts a on a."id" = e."idAccount"
          where a."kind" = 'staff' and a."mark" = $1`,
        values: [`user ${own.paid}`],
      })
    for (const status of ['checked', 'approved']) good(await own.to(status))
    expect((await owed())?.sum).toBe(-2_400_00)
    good(await own.to('checked'))
    expect((await owed())?.sum).toBe(0)
    good(await own.to('approved'))
    expect((await owed())?.sum).toBe(-2_400_00)
  })
})

it('refuses a scheme without people, and a rule without values', async () => {
  const body = { name: 'Пустая', dateFrom: '2026-01-01' }
  expect(await keeper.post('/payroll/schemes', body)).toMatchObject({ status: 422, body: [{ field: 'idUser' }] })
  expect(
    await keeper.post('/payroll/schemes', { ...body, post: 'Врач', rules: [{ code: 'a', type: 'percent' }] }),
  ).toMatchObject({ status: 422, body: [{ field: 'rules', message: /заполните/ }] })
})

it('of one person over two branches has one guarantee, and tiers of both', async () => {
  const [one, two] = [await world([percent]), await world([percent])]
  const idUser = one.idUser
  await clinic.db.query({
    text: `update users set "filials" = $2::bigint[] where "id" = $1`,
    values: [idUser, [one.idFilial, two.idFilial]],
  })
  const pay = (rules: object[]) =>
    keeper.put(`/payroll/schemes/${one.scheme.id}`, { idFilial: null, over: 'person', rules })
  const tiers = [
    { from: 0, rate: 20 },
    { from: 3_000, rate: 25 },
  ]
  const progressive = { code: 't', type: 'progressive', base: 'discounted', mode: 'excess', tiers }
  good(await pay([progressive, { code: 'g', type: 'guarantee', sum: 1_500 }]))
  for (const [own, qty] of [
    [one, 2],
    [two, 3],
  ] as const) {
    const [line] = (await own.visit([qty])).lines as [number]
    const performer = { idCouponService: line, idUser, share: 100 }
    good(await keeper.post('/coupon-services/performers/batch', { create: [performer] }))
    good(await own.done(line), 204)
  }
  const slips = async () => {
    for (const own of [one, two]) await own.calculate()
    const found = [one, two].map(async ({ period }) => {
      const { items } = good(await keeper.get(`/payroll/slips?filter[idPeriod]=${period.id}&filter[idUser]=${idUser}`))
      return items[0]?.total ?? 0
    })
    return Promise.all(found)
  }
  // 20 % of 3,000 and 25 % of 2,000 are 1,100: 2/5 and 3/5 of it, and 400 up to the guarantee at home.
  expect(await slips()).toEqual([840, 660])
  good(await keeper.put(`/payroll/schemes/${one.scheme.id}`, { over: 'filial' }))
  expect(await slips()).toEqual([1_500, 600])
  good(await keeper.put(`/payroll/schemes/${one.scheme.id}`, { over: 'person' }))
  expect(await slips()).toEqual([840, 660])
})

it('is calculated once and completely, at whichever step its server is killed', async () => {
  const own = await world([percent])
  const visit = await own.visit([1])
  good(await own.done(visit.lines[0] as number), 204)
  const died = await killRuns(
    clinic,
    '^payroll_',
    async () => {
      await clinic.db.query({ text: 'delete from payroll_lines' })
      return good(await keeper.post(`/payroll/periods/${own.period.id}/calculate`, { trial: false }), 201).id
    },
    async (id) => {
      expect(good(await keeper.get(`/payroll/runs/${id}`))).toMatchObject({ status: 'done', progress: 100, after: 300 })
      const slip = await own.slip()
      expect([slip.percent, (await own.lines(slip.id)).length]).toEqual([300, 1])
    },
  )
  expect(died).toBeGreaterThan(8)
})

it('stops a cancelled calculation', async () => {
  const own = await world([{ code: 'h', type: 'hourly', sum: 100 }])
  const run = good(await keeper.post(`/payroll/periods/${own.period.id}/calculate`, {}), 201)
  expect(await keeper.post(`/payroll/periods/${own.period.id}/calculate`, {})).toMatchObject({ status: 409 })
  good(await keeper.post(`/payroll/runs/${run.id}/cancel`))
  await clinic.context.jobs.drain()
  expect(await own.slip()).toBeUndefined()
  expect(await keeper.post(`/payroll/runs/${run.id}/cancel`)).toMatchObject({ status: 409 })
})
