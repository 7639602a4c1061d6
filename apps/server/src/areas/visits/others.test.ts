/** Those beside the patient over HTTP: outside referrers with their acts, and family accounts. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

const today = dayIn('Europe/Moscow', Date.now())
const begun = `${Number(today.slice(0, 4)) - 1}-01-01`
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let desk: Awaited<ReturnType<typeof billing>>
let idOrganization = 0
let idArticle = 0

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      const rights = [
        'viewReferrers',
        'editReferrers',
        'viewExpenses',
        'editExpenses',
        'viewAppeals',
        'editAppeals',
      ] as const
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, ...rights])
      await addPerson(app, 'registrar', [
        'viewCalendar',
        'viewAllAppointments',
        'createAppointments',
        'editAppointments',
        'viewCustomers',
      ])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  desk = await billing(keeper, worlds, idOrganization)
  idArticle = good(await keeper.post('/expenses/articles', { name: 'Информационные услуги' }), 201).id
})
afterAll(() => clinic.close())

const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status} ${body.code ?? ''}`.trim()]

let serial = 0
const contractor = async (more: object = {}): Promise<number> =>
  good(await keeper.post('/organizations', { shortName: `ИП Партнёров ${++serial}`, kind: 'contractor', ...more }), 201)
    .id

const bodyOf = (idContractor: number, more: object = {}) => ({
  ...{ name: `Партнёр ${++serial}`, idContractor, idOrganization, number: `ИУ-${serial}`, dateFrom: begun, ...more },
})

async function referrer(...rates: object[]): Promise<number> {
  const { id } = good(await keeper.post('/referrers', bodyOf(await contractor())), 201)
  for (const rate of rates)
    good(await keeper.post('/referrers/rates', { idReferrer: id, dateFrom: begun, ...rate }), 201)
  return id
}

const collect = async (idReferrer: number, month = today) =>
  good(await keeper.post('/referrer-acts/collect', { idReferrer, month }))
const linesOf = async (idAct: number) =>
  (
    good(await keeper.get(`/referrer-acts/lines?filter[idAct]=${idAct}&sort=id`)).items as {
      sum: number
      isCorrection: boolean
    }[]
  ).map(({ sum, isCorrection }) => [sum, isCorrection])

/** A visit of today that is paid, given and sent by a referrer. @returns its id, patient, payment and lines */
async function paidVisit(idReferrer: number, sum = 1000) {
  const visit = await desk.visit([1])
  good(await keeper.put(`/appointments/${visit.id}`, { idReferrer }))
  for (const status of ['inProgress', 'completed']) good(await desk.to(visit.id, status))
  const payment = good(await desk.take(visit.idCustomer, sum))
  return { ...visit, idPayment: payment.id as number }
}

describe('an outside referrer', () => {
  beforeAll(async () => void good(await keeper.put('/settings/common', { referrersActive: true })))

  it('is off until the clinic switches it on, and is never an employee or the clinic', async () => {
    good(await keeper.put('/settings/common', { referrersActive: false }))
    const id = await referrer()
    const visit = await desk.visit([1])
    expect(faults(await keeper.put(`/appointments/${visit.id}`, { idReferrer: id }))[0]).toContain(
      'Направившие выключены',
    )
    good(await keeper.put('/settings/common', { referrersActive: true }))
    await addPerson(clinic.context, 'surgeon', [], {
      surname: 'Хирургов',
      name: 'Олег',
      middleName: 'Ильич',
      phone: '+79990001122',
    })
    for (const more of [{ shortName: 'ИП Хирургов Олег Ильич' }, { phone: '+79990001122' }])
      expect(faults(await keeper.post('/referrers', bodyOf(await contractor(more))))[0]).toContain(
        'idContractor: Хирургов Олег Ильич — сотрудник клиники',
      )
    expect(faults(await keeper.post('/referrers', bodyOf(idOrganization)))[0]).toContain('idContractor: Это своя')
    // Hired later: nothing more is signed or chosen.
    const late = await contractor({ phone: '+79990001133' })
    const { id: idLate } = good(await keeper.post('/referrers', bodyOf(late)), 201)
    await addPerson(clinic.context, 'hired', [], { surname: 'Нанятов', phone: '+79990001133' })
    expect(faults(await keeper.put(`/appointments/${visit.id}`, { idReferrer: idLate }))[0]).toContain(
      'сотрудник клиники',
    )
    expect((await clinic.as('registrar').get('/referrers/rates')).status).toBe(403)
    expect((await clinic.as('registrar').get('/referrers?fields=name')).status).toBe(200)
  })

  it('is chosen at a booking, comes with an appeal, and only within the contract', async () => {
    const id = await referrer()
    const { id: idEnded } = good(
      await keeper.post('/referrers', bodyOf(await contractor(), { dateTo: `${begun.slice(0, 4)}-02-01` })),
      201,
    )
    const body = {
      ...{ idCustomer: await worlds.patient(), idFilial: desk.idFilial, localDate: today },
      coupons: [{ idUser: desk.idUser, localStart: '20:00', minutes: 30, services: [{ idService: desk.idService }] }],
    }
    expect(faults(await keeper.post('/appointments/book', { ...body, idReferrer: idEnded }))).toEqual([
      'idReferrer: В день визита договор с ним не действует',
    ])
    expect(good(await keeper.post('/appointments/book', { ...body, idReferrer: id }), 201).idReferrer).toBe(id)
    const appeal = good(await keeper.post('/appeals', { description: 'Хочет записаться', idReferrer: id }), 201)
    const visit = await desk.visit([1])
    good(
      await keeper.post('/appeal-links', { idAppeal: appeal.id, entityType: 'appointments', idEntity: visit.id }),
      201,
    )
    expect(good(await keeper.get(`/appointments/${visit.id}`)).idReferrer).toBe(id)
  })

  it('earns by the nearest rate, and acts follow refunds, cancelled visits and another referrer', async () => {
    const group = good(await keeper.post('/services-groups', { nameServiceGroup: `Группа ${++serial}` }), 201)
    good(await keeper.put(`/services/${desk.idService}`, { idGroup: group.id }))
    const [one, other] = [
      await referrer({ kind: 'share', value: 10 }, { kind: 'share', value: 12.5, idGroup: group.id }),
      await referrer({ kind: 'sum', value: 150, idService: desk.idService }, { kind: 'share', value: 50 }),
    ]
    const first = await paidVisit(one)
    const second = await paidVisit(one)
    const half = await paidVisit(other, 400)
    let act = await collect(one)
    expect([act.state, act.sum, await linesOf(act.id)]).toEqual([
      'draft',
      250,
      [
        [125, false],
        [125, false],
      ],
    ])
    // A sum is due when the service is paid in full.
    expect((await collect(other)).sum).toBe(0)
    good(await desk.take(half.idCustomer, 600))
    expect((await collect(other)).sum).toBe(150)
    // A draft that is stale is not signed.
    good(await desk.refund(second.idPayment, 1000))
    expect(faults(await keeper.post(`/referrer-acts/${act.id}/sign`))).toEqual(['409 stale'])
    expect((await collect(one)).id).toBe(act.id)
    act = good(await keeper.post(`/referrer-acts/${act.id}/sign`))
    expect([act.state, act.sum]).toEqual(['signed', 125])
    expect(faults(await keeper.delete(`/referrer-acts/${act.id}`))[0]).toContain('409')
    expect(faults(await keeper.post(`/referrer-acts/${act.id}/sign`))).toEqual(['409 transition'])

    // The signed act stays; the difference comes with the next one.
    good(await keeper.put(`/appointments/${first.id}`, { idReferrer: other }))
    const next = await collect(one)
    expect([next.sum, await linesOf(next.id)]).toEqual([-125, [[-125, true]]])
    expect(faults(await keeper.post(`/referrer-acts/${next.id}/sign`))).toEqual(['409 transition'])
    expect(good(await keeper.get(`/referrer-acts/${act.id}`)).sum).toBe(125)
    expect((await collect(other)).sum).toBe(300)
    good(await keeper.put(`/appointments/${first.id}`, { idReferrer: one }))
    expect((await collect(one)).sum).toBe(0)

    // An expense pays it, once; without it the act may be annulled.
    const { idExpense } = good(await keeper.post(`/referrer-acts/${act.id}/expense`, { idArticle }))
    expect(faults(await keeper.post(`/referrer-acts/${act.id}/expense`, { idArticle }))).toEqual(['409 transition'])
    expect(faults(await keeper.post(`/referrer-acts/${act.id}/annul`, { reason: 'Ошибка' }))).toEqual(['409 inUse'])
    expect(good(await keeper.get(`/expenses/${idExpense}`))).toMatchObject({ sum: 125, status: 'plan' })
    good(await keeper.post(`/expenses/${idExpense}/submit`, {}))
    good(await keeper.post(`/expenses/${idExpense}/pay`, { key: `act-${act.id}-paid`, payFrom: 'account' }))
    expect(good(await keeper.get(`/referrer-acts/${act.id}`)).paid).toBe(125)
    const report = good(
      await keeper.get(`/reports/referrers?from=${today}&until=${today}&by=referrer&is=referrer:${one}`),
    )
    expect(JSON.stringify(report)).toContain('125')
  })

  it('is never paid twice: acts, with what is not in them yet, are what is due', async () => {
    const step = fc.record({
      act: fc.constantFrom('visit', 'refund', 'pay', 'swap', 'cancel', 'sign', 'sign', 'annul', 'rate'),
      at: fc.nat(10),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const pair = [
          await referrer({ kind: 'share', value: 10 }),
          await referrer({ kind: 'share', value: 33.33 }),
        ] as const
        const visits = [await paidVisit(pair[0])]
        const signed: number[] = []
        for (const { act, at } of steps) {
          const one = visits[at % visits.length] as (typeof visits)[number]
          if (act === 'visit') visits.push(await paidVisit(pair[at % 2] as number))
          else if (act === 'refund') await desk.refund(one.idPayment, 100 * (1 + (at % 9)))
          else if (act === 'pay') await desk.take(one.idCustomer, 50)
          else if (act === 'swap')
            good(await keeper.put(`/appointments/${one.id}`, { idReferrer: pair[at % 2] as number }))
          else if (act === 'cancel') await desk.to(one.id, 'inProgress')
          else if (act === 'annul' && signed.length)
            await keeper.post(`/referrer-acts/${signed[at % signed.length]}/annul`, { reason: 'Ошибка' })
          else if (act === 'rate')
            good(
              await keeper.post('/referrers/rates', {
                idReferrer: pair[0],
                kind: 'share',
                value: at + 1,
                dateFrom: today,
              }),
              201,
            )
          else if (act === 'sign') {
            const { id } = await collect(pair[at % 2] as number)
            // Two at once: one wins.
            const answers = await Promise.all([1, 2].map(() => keeper.post(`/referrer-acts/${id}/sign`)))
            const wins = answers.filter(({ status }) => status === 200).length
            expect(wins).toBeLessThanOrEqual(1)
            if (wins) signed.push(id)
          }
        }
        for (const id of pair) {
          const draft = await collect(id)
          const [sums] = await clinic.db.query<{ signed: number; due: number }>({
            text: `select (select coalesce(sum(z."sum"), 0)::float8 from referrer_acts_lines z join referrer_acts y on y."id" = z."idAct"
                where y."idReferrer" = $1 and y."state" = 'signed') as signed,
              (select coalesce(sum(round(b."allocated" / 100.0 * (select r."value" from referrers_rates r where r."idReferrer" = $1
                  order by r."dateFrom" desc, r."id" desc limit 1) / 100, 2)), 0)::float8
                from appointments a join coupons c on c."idAppointment" = a."id" join coupon_services l on l."idCoupon" = c."id"
                  join ledger_lines b on b."idLine" = l."id"
                where a."idReferrer" = $1 and l."completed" and b."allocated" > 0) as due`,
            values: [id],
          })
          expect(Math.round(((sums?.signed ?? 0) + draft.sum) * 100)).toBe(Math.round((sums?.due ?? 0) * 100))
        }
      }),
      { numRuns: runs(2, 40), endOnFailure: true },
    )
  })
})

describe('a family account', () => {
  /** A payer with an advance, and members with their limits. */
  async function family(advance: number, ...limits: (number | null)[]) {
    const idHead = await worlds.patient()
    if (advance) good(await desk.take(idHead, advance))
    const { id } = good(await keeper.post('/families', { idHead }), 201)
    const members: { id: number; idCustomer: number }[] = []
    for (const limitMonth of limits) {
      const idCustomer = await worlds.patient()
      const made = good(await keeper.post('/families/members', { idFamily: id, idCustomer, limitMonth }), 201)
      members.push({ id: made.id, idCustomer })
    }
    return { id, idHead, members }
  }
  const owe = async (idCustomer: number, sum: number) => void good(await desk.correct(idCustomer, 'charge', sum), 201)
  const spend = (idPayer: number, idCustomer: number, sum: number) =>
    desk.take(idCustomer, sum, { idPayer, parts: [{ method: 'advance', sum }] })
  const back = (id: number, sum: number) => desk.refund(id, sum, { parts: [{ method: 'advance', sum }] })

  it('pays within the limit of the month, and a refund goes back to the account and to the limit', async () => {
    const { id, idHead, members } = await family(2000, 700, null)
    const [child, adult] = members as [(typeof members)[number], (typeof members)[number]]
    await owe(child.idCustomer, 1500)
    expect(faults(await spend(idHead, child.idCustomer, 700.01))).toEqual([
      'parts.0.sum: По лимиту семейного счёта в этом месяце осталось 700,00 ₽',
    ])
    const paid = good(await spend(idHead, child.idCustomer, 600))
    expect(good(await keeper.get(`/families/members/${child.id}`)).spent).toBe(600)
    expect(good(await keeper.get(`/families/${id}`))).toMatchObject({ members: 2, advance: 1400, spent: 600 })
    good(await back(paid.id, 250))
    expect([await desk.owes(idHead), await desk.owes(child.idCustomer)]).toEqual([
      [0, 1650],
      [1150, 0],
    ])
    expect(good(await keeper.get(`/families/members/${child.id}`)).spent).toBe(350)
    // Cash never leaves by the way of an advance, nor more than was paid.
    expect(faults(await desk.refund(paid.id, 100))[0]).toContain('parts.0.method')
    expect(faults(await back(paid.id, 350.01))[0]).toContain('parts.0.sum')
    // A lowered limit holds at once; a stranger is not paid for.
    good(await keeper.put(`/families/members/${child.id}`, { limitMonth: 300 }))
    expect(faults(await spend(idHead, child.idCustomer, 1))[0]).toContain('осталось 0,00 ₽')
    const stranger = await worlds.patient()
    await owe(stranger, 100)
    expect(faults(await spend(idHead, stranger, 100))[0]).toContain('нет в семейном счёте')
    // Blocked: no member is paid for; what was paid still goes back. Left: the same.
    good(await keeper.put(`/families/${id}`, { state: 'blocked' }))
    await owe(adult.idCustomer, 500)
    expect(faults(await spend(idHead, adult.idCustomer, 100))[0]).toContain('заблокирован')
    good(await back(paid.id, 50))
    good(await keeper.put(`/families/${id}`, { state: 'active' }))
    good(await keeper.delete(`/families/members/${child.id}`), 204)
    expect(faults(await spend(idHead, child.idCustomer, 1))[0]).toContain('нет в семейном счёте')
    good(await back(paid.id, 300))
    expect(await desk.owes(idHead)).toEqual([0, 2000])
    expect(faults(await keeper.post('/families', { idHead }))[0]).toContain('уже есть семейный счёт')
    expect(faults(await keeper.post('/families/members', { idFamily: id, idCustomer: idHead }))[0]).toContain(
      'сам плательщик',
    )
  })

  it('gives the last rubles to one of two desks, and pays out only what is left', async () => {
    const { idHead, members } = await family(500, null, null)
    for (const { idCustomer } of members) await owe(idCustomer, 500)
    const answers = await Promise.all(members.map(({ idCustomer }) => spend(idHead, idCustomer, 500)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const [{ id: idTopUp }] = good(
      await keeper.get(`/payments?filter[idCustomer]=${idHead}&filter[kind]=payment`),
    ).items
    expect(faults(await desk.refund(idTopUp, 500))[0]).toContain(
      'Этим авансом уже заплатили за других: можно вернуть 0,00 ₽',
    )
    const won = answers.find(({ status }) => status === 200)
    good(await back(won?.body.id, 500))
    // What came back to the account can be paid out by the payment that filled it.
    good(await desk.refund(idTopUp, 500))
    expect(await desk.owes(idHead)).toEqual([0, 0])
  })

  it('joins members who are one person, with what both have used', async () => {
    const { idHead, members } = await family(1000, 500, 500)
    const [one, other] = members.map(({ idCustomer }) => idCustomer) as [number, number]
    for (const id of [one, other]) {
      await owe(id, 300)
      good(await spend(idHead, id, 300))
    }
    good(await keeper.post(`/customers/${one}/merge`, { idMerged: other }))
    await owe(one, 100)
    expect(faults(await spend(idHead, one, 1))[0]).toContain('осталось 0,00 ₽')
    const left = good(await keeper.get(`/families/members?filter[idCustomer]=${one}`)).items
    expect(left).toMatchObject([{ spent: 600 }])
  })
})
