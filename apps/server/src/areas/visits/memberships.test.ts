/** Memberships over HTTP: sale, reservation, use, return, freezing, refund; the ledger agrees with the visits. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn, plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { earnTerms } from '#areas/money/index.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

const today = dayIn('Europe/Moscow', Date.now())
let clinic: Clinic
let sms: SmsSimulator
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let desk: Awaited<ReturnType<typeof billing>>
let idOrganization = 0

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url },
    async prepare(app) {
      const rights = ['viewMemberships', 'editMembershipTypes', 'viewPaymentsReport', 'editMessageTemplates'] as const
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, ...rights])
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  desk = await billing(keeper, worlds, idOrganization)
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]

/** The visit of an arrived patient takes place. */
async function finish(id: number): Promise<Answer> {
  await desk.to(id, 'inProgress')
  return desk.to(id, 'completed')
}

let serial = 0
async function type(more: object = {}, item: object = {}) {
  const body = { nameType: `Вид ${++serial}`, price: 1000, visits: 3, ...more }
  const { id, price } = good(await keeper.post('/membership-types', body), 201)
  good(await keeper.post('/membership-types/items', { idType: id, idService: desk.idService, ...item }), 201)
  return { idType: id as number, price: price as number }
}
const sell = (idCustomer: number, { idType, price }: { idType: number; price: number }, more: object = {}) =>
  desk.take(idCustomer, price, { membership: { idType }, ...more })
async function sold(kind: object = {}, customer?: number) {
  const idCustomer = customer ?? (await worlds.patient())
  const payment = good(await sell(idCustomer, await type(kind)))
  return { idCustomer, idSale: payment.id as number, id: payment.idMembership as number }
}
const stateOf = async (id: number) => {
  const { state, used, reserved, rest, held } = good(await keeper.get(`/memberships/${id}`))
  return [state, used, reserved, rest, held]
}
const quote = async (id: number) => good(await keeper.get(`/memberships/${id}/refund`))
const receiptsOf = async (id: number) =>
  (await desk.receipts(id)).map((one: { kind: string; task: { items: object[]; payments: object[] } }) => [
    one.kind,
    one.task.items,
    one.task.payments,
  ])

it('is sold prepaid, reserved by a booking, used by the visit with its offset receipt, and refunded to the kopeck', async () => {
  const { id, idCustomer, idSale } = await sold()
  expect(await stateOf(id)).toEqual(['active', 0, 0, 3, 1000])
  expect(await desk.owes(idCustomer)).toEqual([0, 0])
  const [sale] = await receiptsOf(idSale)
  expect(sale).toMatchObject(['sell', [{ settlement: 'fullPrepayment', amount: 1000_00 }], [{ type: 'cash' }]])
  const one = await desk.visit([1], { idCustomer })
  expect(await stateOf(id)).toEqual(['active', 0, 1, 2, 1000])
  // Nothing is to be paid for it.
  expect(await desk.unpaid(idCustomer, `?idAppointment=${one.id}`)).toEqual([])
  expect((await quote(id)).why.replace(/\s/g, ' ')).toContain('Записано 1 посещение')
  good(await finish(one.id))
  expect(await stateOf(id)).toEqual(['active', 1, 0, 2, 666.67])
  expect(await desk.owes(idCustomer)).toEqual([0, 0])
  expect((await desk.linesOf(one.id))[0]).toMatchObject({ finalCost: 333.33, paid: 333.33 })
  expect((await receiptsOf(idSale))[1]).toMatchObject([
    'sell',
    [{ settlement: 'fullPayment', amount: 333_33 }],
    [{ type: 'prepaid', sum: 333_33 }],
  ])
  // A repeat changes nothing; a reopened visit keeps what was paid for it.
  good(await desk.to(one.id, 'inProgress'))
  good(await finish(one.id))
  expect(await receiptsOf(idSale)).toHaveLength(2)
  expect(await quote(id)).toMatchObject({ sum: 666.67, why: null })
  expect(faults(await desk.refund(idSale, 1000))[0]).toContain('666,67')
  const back = good(await desk.refund(idSale, 666.67))
  expect(await receiptsOf(back.id)).toMatchObject([['sellReturn', [{ amount: 666_67 }], [{ type: 'cash' }]]])
  expect(await stateOf(id)).toEqual(['returned', 1, 0, 0, 0])
  expect(faults(await desk.refund(idSale, 1))[0]).toContain('уже возвращён')
})

it('gives 333.33, 333.33 and 333.34, and takes a visit back with its receipt when it is refused afterwards', async () => {
  const { id, idCustomer, idSale } = await sold()
  const visits = [
    await desk.visit([1], { idCustomer }),
    await desk.visit([1], { idCustomer }),
    await desk.visit([1], { idCustomer }),
  ]
  for (const { id: idVisit } of visits) good(await finish(idVisit))
  const costs = await Promise.all(visits.map(async (one) => (await desk.linesOf(one.id))[0]?.finalCost))
  expect(costs).toEqual([333.33, 333.33, 333.34])
  expect(await stateOf(id)).toEqual(['spent', 3, 0, 0, 0])
  const [first] = visits as [(typeof visits)[number]]
  good(await desk.to(first.id, 'inProgress'))
  good(await desk.refuse(first.lines[0] as number), 204)
  expect(await stateOf(id)).toEqual(['active', 2, 0, 1, 333.33])
  expect(await desk.owes(idCustomer)).toEqual([0, 0])
  expect((await receiptsOf(idSale)).at(-1)).toMatchObject(['sellReturn', [{ amount: 333_33 }], [{ type: 'prepaid' }]])
  // A fourth visit takes the returned one.
  const again = await desk.visit([1], { idCustomer })
  good(await finish(again.id))
  expect(await stateOf(id)).toEqual(['spent', 3, 0, 0, 0])
  expect((await desk.linesOf(again.id))[0]).toMatchObject({ finalCost: 333.33, paid: 333.33 })
})

it('frees a visit with its cancelled booking, and takes it again when that is restored', async () => {
  const { id, idCustomer } = await sold()
  const { id: visit } = good(await desk.book(idCustomer, [{ idService: desk.idService, qty: 2 }]), 201)
  expect(await stateOf(id)).toEqual(['active', 0, 2, 1, 1000])
  expect((await desk.linesOf(visit))[0]).toMatchObject({ finalCost: 666.66, paid: 666.66 })
  good(await desk.to(visit, 'cancelled', { cancelReason: 'ill' }))
  expect(await stateOf(id)).toEqual(['active', 0, 0, 3, 1000])
  good(await desk.to(visit, 'booked'))
  expect(await stateOf(id)).toEqual(['active', 0, 2, 1, 1000])
  const [line] = await desk.linesOf(visit)
  good(await keeper.post(`/coupon-services/${line?.id}/membership`, { idMembership: null }))
  expect(await stateOf(id)).toEqual(['active', 0, 0, 3, 1000])
  expect((await desk.linesOf(visit))[0]).toMatchObject({ finalCost: 2000, paid: 0, discount: 0 })
  good(await keeper.post(`/coupon-services/${line?.id}/membership`, { idMembership: id }))
  expect(await stateOf(id)).toEqual(['active', 0, 2, 1, 1000])
  // A stranger's membership does not pay.
  const other = await sold()
  expect(faults(await keeper.post(`/coupon-services/${line?.id}/membership`, { idMembership: other.id }))).toEqual([
    'idMembership: Этот абонемент в день визита за клиента не платит',
  ])
})

it('gives its last visit to one of two desks', async () => {
  const customers = [await worlds.patient(), await worlds.patient()]
  const kind = await type({ visits: 1, whose: 'family' })
  const payment = good(
    await sell(customers[0] as number, kind, { membership: { idType: kind.idType, users: customers } }),
  )
  const visits = await Promise.all(customers.map((idCustomer) => desk.visit([1], { idCustomer })))
  expect(await stateOf(payment.idMembership)).toEqual(['active', 0, 1, 0, 1000])
  const paid = await Promise.all(visits.map(async (one) => (await desk.linesOf(one.id))[0]?.paid))
  expect(paid.toSorted()).toEqual([0, 1000])
})

it('is refused with a message at its field', async () => {
  const kind = await type()
  const who = await worlds.patient()
  expect(faults(await desk.take(who, 999.99, { membership: { idType: kind.idType } }))).toEqual([
    'parts: Абонемент стоит 1 000,00 ₽: оплатите его целиком',
  ])
  good(await keeper.put(`/membership-types/${kind.idType}`, { active: false }))
  expect(faults(await sell(who, kind))).toEqual(['membership.idType: Этот вид абонемента больше не продаётся'])
  expect(faults(await keeper.post('/membership-types/items', { idType: kind.idType }))).toEqual([
    'idService: Выберите услугу или группу',
  ])
})

it('is paid by a certificate, in part or in whole, and gives each part back where it came from', async () => {
  const kind = await type({ price: 1000 })
  const number = `М-${++serial}`
  const idCustomer = await worlds.patient()
  good(await desk.take(idCustomer, 1200, { sells: { number, dateTo: plusDays(today, 30) } }))
  const rest = async () => good(await keeper.get(`/certificates?filter[number]=${number}`)).items[0].rest
  const by = (...parts: object[]) => sell(idCustomer, kind, { parts })
  const certificate = (sum: number) => ({ method: 'certificate', sum, certificate: number })
  const whole = good(await by(certificate(1000)))
  expect(await stateOf(whole.idMembership)).toEqual(['active', 0, 0, 3, 1000])
  expect(faults(await by(certificate(1000)))[0]).toContain('осталось 200')
  const mixed = good(await by(certificate(200), { method: 'cash', sum: 800 }))
  expect([await stateOf(mixed.idMembership), await rest()]).toEqual([['active', 0, 0, 3, 1000], 0])
  good(await desk.refund(whole.id, 1000, { parts: [{ method: 'certificate', sum: 1000 }] }))
  expect([await stateOf(whole.idMembership), await rest()]).toEqual([['returned', 0, 0, 0, 0], 1000])
  expect(await desk.owes(idCustomer)).toEqual([0, 0])
})

it('is frozen for no more days than its type allows, and refunded by its days', async () => {
  const { id, idSale, idCustomer } = await sold({ visits: null, days: 30, freezeDays: 10 })
  expect(good(await keeper.get(`/memberships/${id}`))).toMatchObject({ dateTo: plusDays(today, 29), total: null })
  expect(faults(await keeper.post(`/memberships/${id}/freeze`, { dateFrom: today, days: 11 }))).toEqual([
    'days: Осталось 10 дней заморозки',
  ])
  good(await keeper.post(`/memberships/${id}/freeze`, { dateFrom: today, days: 10 }))
  expect(good(await keeper.get(`/memberships/${id}`))).toMatchObject({ state: 'frozen', dateTo: plusDays(today, 39) })
  const frozen = await desk.visit([1], { idCustomer })
  expect((await desk.linesOf(frozen.id))[0]).toMatchObject({ finalCost: 1000 })
  good(await keeper.post(`/memberships/${id}/unfreeze`, {}))
  expect(good(await keeper.get(`/memberships/${id}`))).toMatchObject({ state: 'active', dateTo: plusDays(today, 29) })
  const free = await desk.visit([1], { idCustomer })
  expect((await desk.linesOf(free.id))[0]).toMatchObject({ finalCost: 0 })
  // Ten days are over, then all.
  const pass = (days: number) =>
    clinic.db.query({
      text: 'update memberships set "dateFrom" = "dateFrom" - $2::int, "dateTo" = "dateTo" - $2::int where "id" = $1',
      values: [id, days],
    })
  await pass(10)
  expect(await quote(id)).toMatchObject({ sum: 666.67, why: null })
  await pass(20)
  await earnTerms(clinic.context)
  await earnTerms(clinic.context)
  expect(await stateOf(id)).toEqual(['expired', 0, 0, null, 0])
  expect((await receiptsOf(idSale)).slice(1)).toMatchObject([
    ['sell', [{ settlement: 'fullPayment', amount: 1000_00 }], [{ type: 'prepaid' }]],
  ])
})

it('keeps the price of what was given by the list, if the type is so', async () => {
  const { id, idCustomer, idSale } = await sold({ price: 2400, refundRule: 'list' })
  const one = await desk.visit([1], { idCustomer })
  good(await finish(one.id))
  expect(await quote(id)).toMatchObject({ sum: 1400 })
  good(await desk.refund(idSale, 1400))
  expect(await stateOf(id)).toEqual(['returned', 1, 0, 0, 0])
})

interface Step {
  act: 'book' | 'done' | 'cancel' | 'restore' | 'reopen' | 'refund'
  which: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('book', 'book', 'done', 'done', 'cancel', 'restore', 'reopen', 'refund'),
  which: fc.nat(3),
})

it('keeps sold = used + booked + rest + refunded, in visits and kopecks, whatever happens at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 100_01, max: 3000_00 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }),
      async (visits, price, all) => {
        // A day has few times.
        desk = await billing(keeper, worlds, idOrganization)
        const { id, idCustomer, idSale } = await sold({ visits, price: price / 100 })
        const made: number[] = []
        const carry = async ({ act, which }: Step): Promise<void> => {
          const visit = made[which % Math.max(1, made.length)] ?? 0
          if (act === 'book') made.push((await desk.visit([1], { idCustomer })).id)
          else if (act === 'refund') {
            const { sum, why } = await quote(id)
            if (why === null) expect([200, 409, 422]).toContain((await desk.refund(idSale, sum)).status)
          } else if (visit) {
            const to = { done: 'completed', cancel: 'cancelled', restore: 'booked', reopen: 'inProgress' }[act]
            const answer =
              act === 'done'
                ? await finish(visit)
                : await desk.to(visit, to, act === 'cancel' ? { cancelReason: 'ill' } : {})
            expect([200, 409]).toContain(answer.status)
          }
        }
        for (const group of all) {
          await Promise.all(group.map(carry))
          const [sums] = await clinic.db.query<Record<string, number>>({
            text: `select count(*)::int as total, count(*) filter (where "idTx" is not null)::int as used,
              coalesce(sum("sum") filter (where "idTx" is not null), 0)::float8 as paid,
              coalesce((select sum(z."sum") * 100 from payments z where z."idMembership" = $1 and z."kind" = 'refund'), 0)::float8 as back,
              count(*) filter (where "idRefund" is not null)::int as refunded
              from membership_units where "idMembership" = $1`,
            values: [id],
          })
          const row = good(await keeper.get(`/memberships/${id}`))
          const { used = 0, paid = 0, back = 0, refunded = 0 } = sums ?? {}
          expect(row.used + row.reserved + row.rest + refunded).toBe(visits)
          expect(used).toBe(row.used)
          expect(Math.round(row.held * 100) + paid + back).toBe(price)
          expect(await desk.owes(idCustomer)).toEqual(await owedWithout(idCustomer))
        }
        expect(
          await clinic.db.query({
            text: 'select 1 from ledger_entries group by "idTx", "unit" having sum("amount") <> 0',
          }),
        ).toEqual([])
      },
    ),
    { numRuns: runs(4, 60), endOnFailure: true },
  )
})

/**
 * The reference: debt of the lines that no membership pays for, less what a reopened visit keeps, which is paid and not
 * given.
 */
async function owedWithout(idCustomer: number): Promise<[number, number]> {
  const [row] = await clinic.db.query<{ debt: number; ahead: number }>({
    text: `select coalesce(sum(greatest(0, round(l."price" * l."qty", 2) - l."discount")) * 100, 0)::float8 as debt,
        (select coalesce(sum(u."sum"), 0) from membership_units u join memberships m on m."id" = u."idMembership"
          join coupon_services n on n."id" = u."idLine"
          where m."idBuyer" = $1 and u."idTx" is not null and not n."completed")::float8 as ahead
      from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      where a."idCustomer" = $1 and l."completed" and not l."cancelled" and not c."cancelled" and l."idMembership" is null
        and a."visitStatus" not in ('cancelled', 'noShow', 'moved')`,
    values: [idCustomer],
  })
  const owed = Math.round((row?.debt ?? 0) - (row?.ahead ?? 0)) / 100
  return [Math.max(0, owed), Math.max(0, -owed)]
}

it('notifies the buyer once that it ends, and again when freezing has moved the end', async () => {
  const phone = '+79127770101'
  const { id: idCustomer } = good(await keeper.post('/customers', { surname: 'Вестов', name: 'Пётр', phone }), 201)
  good(await keeper.put('/settings/common', { messageHours: { start: '00:00', end: '23:59' } }))
  const text = '{имя}, «{абонемент}» по {действует по}, осталось {осталось}'
  const template = { name: 'Конец', event: 'membership', text, active: true }
  good(await keeper.post('/message-templates', template), 201)
  const { id } = await sold({ days: 8, freezeDays: 5 }, idCustomer)
  const remind = async () => {
    for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
    return sms.messages
      .filter(({ to }) => to === phone)
      .map(({ text }) => text.replace(/«[^»]*»/, '«…»').replace(/\s/g, ' '))
  }
  const until = async () =>
    good(await keeper.get(`/memberships/${id}`))
      .dateTo.split('-')
      .reverse()
      .join('.')
  const words = async () => `Пётр, «…» по ${await until()}, осталось 3 посещения`
  const first = [await words()]
  expect(await remind()).toEqual(first)
  expect(await remind()).toEqual(first)
  good(await keeper.post(`/memberships/${id}/freeze`, { dateFrom: plusDays(today, 1), days: 2 }))
  // The moved end is nine days ahead: no notice yet.
  expect(await remind()).toEqual(first)
  // Three days later, by the template that exists since.
  await clinic.db.query({ text: `update memberships set "dateTo" = "dateTo" - 3 where "id" = $1`, values: [id] })
  await clinic.db.query({ text: `update message_templates set "dateActive" = "dateActive" - interval '3 days'` })
  expect(await remind()).toEqual([...first, await words()])
})

it('has liabilities equal to the ledger', async () => {
  const report = good(await keeper.get('/reports/memberships?by=type'))
  const [ledger] = await clinic.db.query<{ sum: number }>({
    text: `select -sum(e."amount")::float8 / 100 as sum from ledger_entries e join ledger_accounts a on a."id" = e."idAccount"
      where a."kind" = 'membership'`,
  })
  expect(report.total.values.held).toBe(ledger?.sum)
  expect(ledger?.sum).toBeGreaterThan(0)
})
