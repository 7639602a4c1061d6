import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { startYookassaSimulator, type YookassaSimulator } from '#testing/yookassaSimulator.ts'

let sms: SmsSimulator
let kassa: YookassaSimulator
let clinic: Clinic
let desk: Caller
let world: ReturnType<typeof onlineWorld>
let idDesk: number
let made: Awaited<ReturnType<typeof world.make>>
let starts: string[]

beforeAll(async () => {
  ;[sms, kassa] = await Promise.all([startSmsSimulator(), startYookassaSimulator()])
  clinic = await testApp({
    env: { SMS_URL: sms.url, YOOKASSA_URL: kassa.url, TRUST_PROXY: '127.0.0.1' },
    prepare: (app) =>
      addPerson(app, 'desk', [
        ...new Set([
          ...deskRights,
          ...(['viewAllCashDesks', 'takePayments', 'editAccount'] as const),
          ...(['editMembershipTypes', 'viewMemberships', 'refundPayments'] as const),
        ]),
      ]),
  })
  desk = clinic.as('desk')
  good(await desk.put('/settings/common', { portalActive: true }))
  world = onlineWorld(clinic, desk, sms)
  made = await world.make({ to: '23:30' })
  starts = (await made.times()).map(({ localStart }) => localStart)
  const idOrganization = await world.post('/organizations', { shortName: 'ООО «Клиника»', kind: 'own' })
  idDesk = await world.post('/cash-desks', {
    name: 'Онлайн',
    idFilial: made.idFilial,
    idOrganization,
    kktMode: 'simulator',
    terminalMode: 'simulator',
    isOnline: true,
  })
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), kassa.close()])
})

type Patient = Awaited<ReturnType<typeof world.patient>>
const play = (fault: string | null, device = 'terminal') =>
  desk.post(`/cash-desks/${idDesk}/simulate`, { device, fault }).then((answer) => good(answer, 204))

/** A patient with a booked visit of 1000 ₽. */
async function withVisit() {
  const one = await world.patient()
  good(await one.post('/portal/booking', made.choice(starts.shift() as string)), 201)
  const { idVisit } = good(await one.post('/portal/booking/book'), 201)
  const [line] = good(await one.get('/portal/bills')).lines
  return { one, idVisit, line: line as { id: number; rest: number } }
}

const pay = (one: Patient, body: object) => one.post('/portal/payments', { key: randomUUID(), method: 'card', ...body })
const charged = async (): Promise<number> =>
  (
    await clinic.db.one<{ sum: number }>({
      text: `select coalesce(sum(amount * times), 0)::int as sum from simulated_charges where kind = 'pay' and "idDesk" = $1`,
      values: [idDesk],
    })
  )?.sum ?? 0
const receipts = async (): Promise<number> =>
  (
    await clinic.db.one<{ count: number }>({
      text: `select count(*)::int as count from simulated_documents where kind = 'sell' and "idDesk" = $1`,
      values: [idDesk],
    })
  )?.count ?? 0

describe('a bill', () => {
  it('shows the patient the unpaid sum, takes the payment, and shows the receipt', async () => {
    const { one, line, idVisit } = await withVisit()
    expect(line).toMatchObject({ idVisit, rest: 1000, isGiven: false, mayPay: true })
    const before = await charged()
    const { id } = good(await pay(one, { lines: [line.id], sum: 1000, contact: 'Anna@mail.ru' }), 201)
    const read = async () => good(await one.get('/portal/bills'))
    // The queue of the register prints after the payment, in its own time.
    await expect.poll(async () => (await read()).payments[0].receipt?.fd).toBeGreaterThan(0)
    const bill = await read()
    expect(bill).toMatchObject({ debt: 0, lines: [], pay: { isOn: true, isSimulated: true } })
    expect(bill.payments).toMatchObject([{ id, sum: 1000, status: 'done', methods: 'Карта', kind: 'payment' }])
    expect((await charged()) - before).toBe(100_000)
    expect(good(await desk.get(`/payments/${id}`))).toMatchObject({ idAuthor: null, idStatus: 2 })
    const [operation] = await clinic.db.query<{ receipt: { contact: string } }>({
      text: `select receipt from simulated_documents where kind = 'sell' and "idDesk" = $1 order by fd desc limit 1`,
      values: [idDesk],
    })
    expect(operation?.receipt.contact).toMatch(/anna@mail.ru/i)
  })

  it('takes an advance, which pays services given later', async () => {
    const { one, idVisit } = await withVisit()
    good(await pay(one, { sum: 1500 }), 201)
    expect(good(await one.get('/portal/bills'))).toMatchObject({ debt: 0, advance: 1500 })
    expect(idVisit).toBeGreaterThan(0)
  })

  it('is visible to the patient and to those who represent them', async () => {
    const [{ one, line }, other] = [await withVisit(), await world.patient()]
    expect((await other.get(`/portal/bills?patient=${one.id}`)).status).toBe(404)
    expect(
      (
        await other.post(`/portal/payments?patient=${one.id}`, {
          key: randomUUID(),
          method: 'card',
          lines: [line.id],
          sum: 1000,
        })
      ).status,
    ).toBe(404)
    const stolen = await pay(other, { lines: [line.id], sum: 1000 })
    expect([stolen.status, stolen.body.code]).toEqual([409, 'changed'])
    const { id } = good(await pay(one, { lines: [line.id], sum: 1000 }), 201)
    expect((await other.post(`/portal/payments/${id}/settle`)).status).toBe(404)
    good(
      await desk.post('/customers/relations', {
        idCustomer: one.id,
        idRelative: other.id,
        relation: 'proxy',
        signs: 'yes',
      }),
      201,
    )
    expect(good(await other.get(`/portal/bills?patient=${one.id}`)).payments).toMatchObject([{ id }])
    expect((await clinic.anonymous.get('/portal/bills')).status).toBe(401)
    const journal = await clinic.db.query<{ basis: string }>({
      text: `select basis from access_log where "idCustomer" = $1`,
      values: [one.id],
    })
    expect(journal.map(({ basis }) => basis)).toEqual(
      expect.arrayContaining(['Пациент в личном кабинете: счёт', 'Пациент в личном кабинете: оплата']),
    )
  })

  it('is not paid by another sum, twice, with an invalid contact or in a link session', async () => {
    const { one, line } = await withVisit()
    expect((await pay(one, { lines: [line.id], sum: 900 })).body.code).toBe('changed')
    for (const wrong of [
      { sum: 0 },
      { sum: -1 },
      { sum: 1.234 },
      { sum: 1e15 },
      { lines: [] },
      { contact: 'почта' },
      { method: 'cash' },
      { key: 'a' },
    ])
      expect((await pay(one, { lines: [line.id], sum: 1000, ...wrong })).status).toBe(422)
    expect((await pay(one, { lines: [line.id, line.id], sum: 1000 })).status).toBe(422)
    good(await pay(one, { lines: [line.id], sum: 1000 }), 201)
    expect((await pay(one, { lines: [line.id], sum: 1000 })).body.code).toBe('changed')
    const token = good(await desk.post(`/customers/${one.id}/portal-link`), 201).url.split('#link=')[1]
    const linked = world.device()
    good(await linked.post('/portal/link', { token }))
    expect((await linked.get('/portal/bills')).status).toBe(403)
    expect((await linked.post('/portal/payments', { key: randomUUID(), method: 'card', sum: 100 })).status).toBe(403)
  })

  it('can be disabled by the clinic', async () => {
    const { one, line } = await withVisit()
    good(await desk.put('/settings/common', { portalActions: ['book'] }))
    expect(good(await one.get('/portal/bills'))).toMatchObject({ pay: { isOn: false }, lines: [{ mayPay: false }] })
    expect((await pay(one, { lines: [line.id], sum: 1000 })).body.code).toBe('off')
    good(await desk.put('/settings/common', { portalActions: ['book', 'pay'] }))
    good(await desk.put(`/cash-desks/${idDesk}`, { isOnline: false }))
    expect((await pay(one, { lines: [line.id], sum: 1000 })).body.code).toBe('off')
    good(await desk.put(`/cash-desks/${idDesk}`, { isOnline: true }))
  })
})

describe('a payment is taken once', () => {
  it('under concurrent clicks and a repeated key', async () => {
    const { one, line } = await withVisit()
    const [before, printed] = [await charged(), await receipts()]
    const body = { key: randomUUID(), lines: [line.id], sum: 1000 }
    const all = await Promise.all(Array.from({ length: 8 }, () => pay(one, body)))
    // All of them get the same payment.
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    const again = good(await pay(one, body), 201)
    expect((await charged()) - before).toBe(100_000)
    await expect.poll(async () => (await receipts()) - printed).toBe(1)
    expect(good(await one.get('/portal/bills')).payments).toMatchObject([{ id: again.id, status: 'done' }])
    expect((await pay(one, { ...body, sum: 500 })).body.code).toBe('key')
  })

  it.each(['lostAnswer', 'break'])(
    'with the terminal simulating «%s»: it is queried, and no other payment begins meanwhile',
    async (fault) => {
      const { one, line } = await withVisit()
      const before = await charged()
      const body = { key: randomUUID(), lines: [line.id], sum: 1000 }
      await play(fault)
      expect((await pay(one, body)).body.code).toBe('unknown')
      expect((await pay(one, { lines: [line.id], sum: 1000 })).body.code).toBe('busy')
      const [left] = good(await one.get('/portal/bills')).payments
      expect(left.status).toBe('work')
      good(await pay(one, body), 201)
      expect((await charged()) - before).toBe(100_000)
      expect(good(await one.get('/portal/bills')).lines).toEqual([])
    },
  )

  it('a query about a payment that never reached the terminal takes no new money', async () => {
    const { one, line } = await withVisit()
    const before = await charged()
    await play('break')
    expect((await pay(one, { lines: [line.id], sum: 1000 })).body.code).toBe('unknown')
    const [{ id }] = good(await one.get('/portal/bills')).payments
    expect(good(await one.post(`/portal/payments/${id}/settle`)).status).toBe('declined')
    expect((await charged()) - before).toBe(0)
    good(await pay(one, { lines: [line.id], sum: 1000 }), 201)
  })

  it('with a server killed before it called the terminal, and by the next one', async () => {
    const { one, line } = await withVisit()
    const before = await charged()
    const body = { key: randomUUID(), lines: [line.id], sum: 1000 }
    await play('silentAfter')
    const lost = pay(one, body)
    await expect.poll(charged).toBe(before + 100_000)
    // The first process and its claim are gone.
    await clinic.db.query({ text: `update terminal_operations set "claimedUntil" = now() - interval '1 second'` })
    const second = await clinic.secondProcess()
    const { cookies } = one
    const answer = await second.anonymous.post('/portal/payments', { method: 'card', ...body }, { cookies })
    expect(answer.status).toBe(201)
    await second.close()
    expect((await charged()) - before).toBe(100_000)
    void lost
  })

  it('a declined card takes nothing, shows the reason, and may be retried', async () => {
    const { one, line } = await withVisit()
    const before = await charged()
    await play('decline')
    const refused = await pay(one, { lines: [line.id], sum: 1000 })
    expect([refused.body.code, refused.body.message]).toEqual(['declined', 'Оплата не прошла: Недостаточно средств'])
    expect((await charged()) - before).toBe(0)
    good(await pay(one, { lines: [line.id], sum: 1000 }), 201)
    expect(good(await one.get('/portal/bills')).payments.map(({ status }: { status: string }) => status)).toEqual([
      'done',
      'declined',
    ])
  })

  it("the desk's shift is closed automatically after its day, and the next one opened", async () => {
    const { one, line } = await withVisit()
    const left = { text: `select count(*)::int as count from fiscal_tasks where status not in ('done', 'failed')` }
    // The next server prints what a stopped one has left.
    await clinic.db.query({ text: `update fiscal_printers set "claimedUntil" = now() - interval '1 hour'` })
    await clinic.context.jobs.run('money.receipts')
    await expect.poll(async () => (await clinic.db.one<{ count: number }>(left))?.count).toBe(0)
    await clinic.db.query({
      text: `update cash_shifts set "dateOpened" = now() - interval '25 hours' where "idDesk" = $1 and "dateClosed" is null`,
      values: [idDesk],
    })
    good(await pay(one, { lines: [line.id], sum: 1000 }), 201)
    const shifts = good(await desk.get(`/cash-shifts?filter[idDesk]=${idDesk}&sort=-id`)).items
    expect(shifts[0].dateClosed).toBeNull()
    expect(shifts[1]).toMatchObject({ difference: 0 })
    expect(shifts[1].dateClosed).not.toBeNull()
  })
})

it('is paid on the page of ЮKassa, and once, however often the patient comes back', async () => {
  const { idFilial, idOrganization } = good(await desk.get(`/cash-desks/${idDesk}`))
  const links = await world.post('/cash-desks', {
    ...{ name: 'Ссылки', idFilial, idOrganization, isOnline: true },
    ...{ kktMode: 'outside', terminalMode: 'yookassa', payShop: '123456', paySecret: 'test_key' },
  })
  const online = (id: number, isOnline: boolean) => desk.put(`/cash-desks/${id}`, { isOnline }).then((one) => good(one))
  await online(idDesk, false)
  const { one, line } = await withVisit()
  const begin = async () => {
    const { status, body } = await pay(one, { lines: [line.id], sum: 1000, contact: 'anna@mail.test' })
    expect([status, body.code]).toEqual([409, 'link'])
    return new URL(body.url).pathname
  }
  const first = await begin()
  const open = async () =>
    String((await clinic.anonymous.get(first)).headers.location)
      .split('/')
      .at(-1) as string
  const id = await open()
  // Back from there, the same button leads to the same payment.
  expect(await begin()).toBe(first)
  expect([await open(), kassa.payments.size]).toEqual([id, 1])
  kassa.pay(id)
  expect((await clinic.anonymous.get(first)).text).toContain('Оплачено')
  const bill = good(await one.get('/portal/bills'))
  expect(bill).toMatchObject({ lines: [], payments: [{ sum: 1000, status: 'done', methods: 'Карта' }] })
  await online(links, false)
  await online(idDesk, true)
})

describe('a membership', () => {
  /** A type that is sold in the portal. */
  async function offer(more: object = {}) {
    const idType = await world.post('/membership-types', {
      ...{
        nameType: `Курс ${randomUUID().slice(0, 8)}`,
        price: 1000,
        visits: 3,
        days: 90,
        freezeDays: 7,
        isOnline: true,
      },
      ...more,
    })
    await world.post('/membership-types/items', { idType, idService: made.idService })
    return idType
  }
  const shown = async (one: Patient) => good(await one.get('/portal/memberships'))

  it('is offered with its rules, bought once under concurrent clicks, and seen with its rest', async () => {
    const idType = await offer()
    const hidden = await offer({ isOnline: false })
    const one = await world.patient()
    expect(good(await one.get('/portal/me')).hasMemberships).toBe(true)
    const { items } = await shown(one)
    expect(items.some(({ id }: { id: number }) => id === hidden)).toBe(false)
    const { price, rules } = items.find(({ id }: { id: number }) => id === idType)
    expect({ price, rules: rules.map((one: string) => one.replace(/\s/g, ' ')) }).toEqual({
      price: 1000,
      rules: [
        'Всего 3 посещения на любые из этих услуг.',
        'Действует 90 дней со дня покупки.',
        'Для одного человека.',
        'Можно заморозить на 7 дней.',
        'Деньги за неиспользованные посещения вернут в любой день.',
      ],
    })
    expect((await pay(one, { membership: { idType: hidden }, sum: 1000 })).body.code).toBe('changed')
    expect((await pay(one, { membership: { idType }, sum: 900 })).body.code).toBe('changed')
    expect((await pay(one, { membership: { idType }, lines: [1], sum: 1000 })).status).toBe(422)
    const other = await world.patient()
    expect((await pay(one, { membership: { idType, users: [other.id] }, sum: 1000 })).status).toBe(404)
    const before = await charged()
    const body = { key: randomUUID(), membership: { idType }, sum: 1000 }
    const all = await Promise.all(Array.from({ length: 4 }, () => pay(one, body)))
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await charged()) - before).toBe(100_000)
    const bill = good(await one.get('/portal/bills'))
    expect(bill).toMatchObject({ debt: 0, advance: 0, memberships: [{ moves: [{ what: 'Продан' }] }] })
    expect(bill.memberships[0].state).toContain('осталось 3 из 3')
    // Sold by the function of the desk: its receipt is a prepayment of 100 %.
    const { idMembership } = good(await desk.get(`/payments/${all[0]?.body.id}`))
    expect(good(await desk.get(`/memberships/${idMembership}`))).toMatchObject({ state: 'active', held: 1000, rest: 3 })
    // A declined card sells nothing.
    await play('decline')
    expect((await pay(one, { membership: { idType }, sum: 1000 })).body.code).toBe('declined')
    expect(good(await one.get('/portal/bills')).memberships).toHaveLength(1)
  })

  it('paid on the page of ЮKassa begins when paid, once, on the terms that were offered, and is returned as at the desk', async () => {
    const idType = await offer()
    const { idFilial, idOrganization } = good(await desk.get(`/cash-desks/${idDesk}`))
    const links = await world.post('/cash-desks', {
      ...{ name: 'Ссылки на абонементы', idFilial, idOrganization, isOnline: true },
      ...{ kktMode: 'outside', terminalMode: 'yookassa', payShop: '654321', paySecret: 'test_key' },
    })
    good(await desk.put(`/cash-desks/${idDesk}`, { isOnline: false }))
    const one = await world.patient()
    const begin = async () => {
      const { body } = await pay(one, { membership: { idType }, sum: 1000, contact: 'anna@mail.test' })
      expect(body).toMatchObject({ code: 'link' })
      return new URL(body.url).pathname
    }
    const first = await begin()
    expect(await begin()).toBe(first)
    const id = String((await clinic.anonymous.get(first)).headers.location)
      .split('/')
      .at(-1) as string
    expect(good(await one.get('/portal/bills')).memberships).toEqual([])
    // The clinic stops selling it while the patient pays: what was offered is given.
    good(await desk.put(`/membership-types/${idType}`, { active: false, price: 2000, visits: 1 }))
    kassa.pay(id)
    const paid = await Promise.all([1, 2, 3].map(() => clinic.anonymous.get(first)))
    expect(paid.some(({ text }) => text.includes('Оплачено'))).toBe(true)
    await expect.poll(async () => (await clinic.anonymous.get(first)).text).toContain('Оплачено')
    const bill = good(await one.get('/portal/bills'))
    expect(bill).toMatchObject({ debt: 0, advance: 0, payments: [{ sum: 1000, status: 'done' }] })
    expect(bill.memberships).toHaveLength(1)
    expect(bill.memberships[0].state).toContain('осталось 3 из 3')
    const [payment] = bill.payments
    good(
      await desk.post(`/payments/${payment.id}/refund`, {
        ...{ key: randomUUID(), reason: 'Передумал' },
        parts: [{ method: 'card', sum: 1000 }],
      }),
    )
    expect(good(await one.get('/portal/bills')).memberships[0].state).toContain('Возвращён')
    good(await desk.put(`/cash-desks/${links}`, { isOnline: false }))
    good(await desk.put(`/cash-desks/${idDesk}`, { isOnline: true }))
  })
})

describe('a family account', () => {
  it('shows the payer sums alone of an adult, until the adult agrees', async () => {
    const [head, adult] = [await world.patient(), await world.patient()]
    expect(good(await adult.get('/portal/me')).hasFamily).toBe(false)
    const { id } = good(await desk.post('/families', { idHead: head.id }), 201)
    const member = good(
      await desk.post('/families/members', { idFamily: id, idCustomer: adult.id, limitMonth: 900 }),
      201,
    )
    const key = () => `family-${randomUUID()}`
    const idOrganization = good(await desk.get(`/cash-desks/${idDesk}`)).idOrganization
    good(await pay(head, { sum: 1000 }), 201)
    const charge = { key: key(), idCustomer: adult.id, idOrganization, kind: 'charge', sum: 700, reason: 'Сверка' }
    good(await desk.post('/ledger/correct', charge), 201)
    const parts = [{ method: 'advance', sum: 600 }]
    good(await desk.post('/payments/take', { key: key(), idDesk, idCustomer: adult.id, idPayer: head.id, parts }))
    const memberNow = async () => good(await head.get('/portal/family')).members[0]
    expect(await memberNow()).toMatchObject({
      limit: 900,
      spent: 600,
      seesServices: false,
      moves: [{ sum: 600, services: null }],
    })
    // Neither the payer nor a stranger decides for the adult.
    for (const other of [head, await world.patient()])
      expect((await other.post(`/portal/family/${member.id}/open`, { isOpen: true })).status).toBe(404)
    expect(good(await adult.get('/portal/family')).payers).toMatchObject([{ id: member.id, limit: 900, isOpen: false }])
    good(await adult.post(`/portal/family/${member.id}/open`, { isOpen: true }))
    expect(await memberNow()).toMatchObject({ seesServices: true })
    good(await adult.post(`/portal/family/${member.id}/open`, { isOpen: false }))
    expect(await memberNow()).toMatchObject({ seesServices: false })
  })
})
