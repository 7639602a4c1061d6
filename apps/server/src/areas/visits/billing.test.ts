/** Visit prices in the ledger: charged once, paid by incoming money, reversed by corrections. */
import type { Receipt } from '@ordinator/model/areas/money/rules'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { clinic, desk, keeper, openBillingClinic, paid } from './testing/billingClinic.ts'
import { worldOf } from './testing/world.ts'

openBillingClinic()

const itemsOf = async (idPayment: number) =>
  (await desk.receipts(idPayment)).flatMap(({ kind, task }: { kind: string; task: Receipt }) =>
    task.items.map(({ name, tax, subject, settlement }) => [kind, name, tax, subject, settlement]),
  )

const words = async (name: string, record: number) => {
  const [paper] = good(await keeper.get(`/print-templates?filter[name][ilike]=${encodeURIComponent(name)}`)).items
  const { status, bytes, text } = await keeper.get(`/print-templates/${paper.id}/pdf?record=${record}`)
  expect(status, text.slice(0, 300)).toBe(200)
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text.replace(
    /\s+/g,
    ' ',
  )
}

describe('a service that changes after its sale', () => {
  const asSold = { nameService: 'Капли', vatCode: '10', paymentSubject: 1, code: 'К-1', medicalCode: 'A11.05.001' }
  const later = {
    nameService: 'Капли новые',
    vatCode: '22',
    paymentSubject: 4,
    code: 'Н-2',
    medicalCode: 'B01.047.001',
  }
  const set = async (body: object) => good(await keeper.put(`/services/${desk.idService}`, body))

  it('is returned, settled and paid for as it was sold', async () => {
    const { nameService, vatCode, paymentSubject } = good(await keeper.get(`/services/${desk.idService}`))
    await set(asSold)
    const given = await desk.visit([1])
    good(await desk.done(given.lines[0] as number), 204)
    const payment = good(await desk.take(given.idCustomer, 400))
    const ahead = await desk.visit([1])
    const lines = [{ idCouponService: ahead.lines[0] as number, sum: 1000 }]
    const prepaid = good(await desk.take(ahead.idCustomer, 1000, { lines }))
    await set(later)
    // The rest of a debt, and returns of both.
    const rest = good(await desk.take(given.idCustomer, 600))
    expect(await itemsOf(rest.id)).toEqual([['sell', 'Капли', '10', 1, 'creditPayment']])
    const back = good(await desk.refund(payment.id, 400))
    expect(await itemsOf(back.id)).toEqual([['sellReturn', 'Капли', '10', 1, 'fullPayment']])
    const some = good(await desk.refund(prepaid.id, 300, { lines: [{ ...lines[0], sum: 300 }] }))
    expect(await itemsOf(some.id)).toEqual([['sellReturn', 'Капли', '10', 1, 'fullPrepayment']])
    // What is given now is settled at the rate of today, and returned at it ever after.
    good(await desk.take(ahead.idCustomer, 300, { lines: [{ ...lines[0], sum: 300 }] }))
    good(await desk.done(ahead.lines[0] as number), 204)
    await set(asSold)
    const settled = good(await desk.refund(prepaid.id, 100))
    expect(await itemsOf(settled.id)).toEqual([['sellReturn', 'Капли новые', '22', 4, 'fullPayment']])
    await set({ nameService, vatCode, paymentSubject })
  })

  it('and everything else that changes after it moves nothing: receipts, charge, line, discount, payer, export, refund', async () => {
    const org = good(await keeper.post('/organizations', { shortName: 'ООО «Первая»', kind: 'own' }), 201)
    const own = await billing(keeper, worldOf(clinic, keeper), org.id)
    good(await keeper.put(`/services/${own.idService}`, asSold))
    const terms = { name: 'Осенняя', kind: 'percent', value: 10, filials: [own.idFilial] }
    const offer = good(await keeper.post('/discounts', terms), 201)
    good(await keeper.put(`/discounts/${offer.id}`, { status: 'active' }))
    const { id, idCustomer, lines } = await own.visit([1, 2])
    for (const line of lines) good(await own.done(line), 204)
    good(await own.to(id, 'inProgress'))
    good(await own.to(id, 'completed'))
    const idPayer = good(await keeper.post('/customers', { surname: 'Плательщик' }), 201).id
    good(await own.take(idPayer, 500))
    const parts = [{ method: 'advance', sum: 500 }]
    const byOther = good(await own.take(idCustomer, 0, { parts, idPayer }))
    const payment = good(await own.take(idCustomer, 2000))
    const form = {
      name: 'Услуги визита, форма клиники',
      entity: 'appointments',
      body: `<p>{{ для каждого талона }}Талон: {{ Услуга }}, {{ Услуга.Код }}. {{ для каждой услуги талона }}{{ Услуга }};
        {{ Услуга.Название }}; {{ Услуга.Код }}; {{ Услуга.Код 804н }}; {{ Услуга.Цена }}; {{ Услуга.Ставка НДС }}. {{ конец }}{{ конец }}</p>`,
    }
    good(await keeper.post('/print-templates', form), 201)
    /** Names of organizations are those of their records; what they owe is not. */
    const account = async () =>
      good(await keeper.get(`/customers/${idCustomer}/account?limit=100`)).lines.map(
        ({ kind, sum, balance, localDate }: Record<string, unknown>) => [kind, sum, balance, localDate],
      )
    const kept = async () => ({
      items: await itemsOf(payment.id),
      lines: (await own.linesOf(id)).map(({ finalCost, paid: some, discount }) => [finalCost, some, discount]),
      names: good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}&fields=soldName`)).items.map(
        ({ soldName }: { soldName: string }) => soldName,
      ),
      charges: await Promise.all(lines.map(charges)),
      receipts: (await own.receipts(payment.id)).map(({ task }: { task: Receipt }) => task),
      payment: await clinic.db.one({
        text: `select "idOrganization", "idCustomer", "idPayer", "idDesk", "localDate", "contact" from payments where "id" = $1`,
        values: [payment.id],
      }),
      owes: await own.owes(idCustomer),
      account: await account(),
      payer: await clinic.db.query({
        text: `select "idCustomer", "idPayer", "localDate" from payments where "id" = $1`,
        values: [byOther.id],
      }),
      form: (await words(form.name, id)).match(/Талон: .*НДС\W*\S+|Талон: .*/)?.[0],
      paidFor: good(await keeper.get(`/payments/${payment.id}`)).paidFor,
      uses: good(await keeper.get(`/discounts/uses?filter[idDiscount]=${offer.id}&fields=amount,reason,idDiscount`))
        .items,
      export: (
        await keeper.get(
          `/coupon-services/export?format=csv&filter[coupon.idAppointment]=${id}&fields=soldName,qty,price,discount,finalCost,paid`,
        )
      ).text,
    })
    const before = await kept()
    expect(before.lines).toEqual([
      [900, 900, 100],
      [1800, 1600, 200],
    ])
    expect(before.export.match(/Капли/g)).toHaveLength(2)
    expect(before.uses).toHaveLength(2)
    expect(before.names).toEqual(['Капли', 'Капли'])
    expect(before.form).toMatch(/^Талон: Капли, К-1\. Капли; Капли; К-1; A11\.05\.001; 1.?000/)
    // Every source of what was quoted, charged and printed.
    good(await keeper.put(`/services/${own.idService}`, later))
    const list = good(await keeper.post('/price-lists', { name: 'Другой', kind: 'main', idFilial: own.idFilial }), 201)
    const price = { idService: own.idService, idPriceList: list.id, price: 9_999, dateFrom: '2020-01-01' }
    good(await keeper.post('/service-prices', price), 201)
    await clinic.db.tx(async (tx) => {
      for (const [text, ...values] of [
        [
          `update customers set "surname" = 'Другая', "phone" = '79990000000', "email" = 'other@clinic.test' where "id" = $1`,
          idCustomer,
        ],
        [`update customers set "surname" = 'Другой' where "id" = $1`, idPayer],
        [`update discounts set "value" = 50, "name" = 'Весенняя', "status" = 'archived' where "id" = $1`, offer.id],
        [`update users set "surname" = 'Другой', "post" = 'Иной' where "id" = $1`, own.idUser],
        [
          `update organizations set "shortName" = 'ООО «Иная»', "inn" = '7728168971', "legalAddress" = 'Казань', "taxSystem" = 'usn' where "id" = $1`,
          org.id,
        ],
        [`update filials set "nameFilial" = 'Иной', "filialAddress" = 'Казань' where "id" = $1`, own.idFilial],
      ] as const)
        await tx.query({ text, values })
    })
    expect(await kept()).toEqual(before)
    const back = good(await own.refund(payment.id, 1000))
    for (const [kind, name, tax, subject] of await itemsOf(back.id))
      expect([kind, name, tax, subject]).toEqual(['sellReturn', 'Капли', '10', 1])
    expect(await own.owes(idCustomer)).toEqual([1200, 0])
    // What a patient still owes is paid as it was sold; a correction receipt has the same.
    const rest = good(await own.take(idCustomer, 1200))
    const printed = async () =>
      (await own.receipts(rest.id)).every(({ status }: { status: string }) => status === 'done')
    await expect.poll(printed, { timeout: 60_000, interval: 50 }).toBe(true)
    await clinic.db.query({
      text: `update fiscal_tasks set "status" = 'failed' where "idPayment" = $1`,
      values: [rest.id],
    })
    const [task] = await own.receipts(rest.id)
    const correction = { type: 'self', date: '2026-03-01', number: 'СЗ-1', reason: 'Не было связи' }
    good(await keeper.post(`/fiscal-tasks/${task.id}/repair`, { as: 'correction', correction }))
    const items = await itemsOf(rest.id)
    expect(items.some(([kind]: string[]) => kind === 'sellCorrection')).toBe(true)
    for (const [, name, tax, subject] of items) expect([name, tax, subject]).toEqual(['Капли', '10', 1])
  })
})

const charges = (idLine: number) =>
  clinic.db.query<{ kind: string; sum: string }>({
    text: `select t."kind", sum(e."amount")::text as sum from ledger_txs t join ledger_entries e on e."idTx" = t."id"
      join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'patient'
      where t."idCouponService" = $1 group by t."id" order by t."id"`,
    values: [idLine],
  })

describe('sales of a service', () => {
  const sales = async () => good(await keeper.get(`/services/${desk.idService}/sales`)).months

  it('are listed by month, by given services after discounts, for users with the right', async () => {
    const before = await sales()
    expect(before.length).toBe(12)
    const { lines } = await desk.visit([1, 1.5, 2])
    const [one, two, three] = lines as [number, number, number]
    for (const line of [one, two, three]) good(await desk.done(line), 204)
    good(await desk.done(three, false), 204)
    const dated = (line: number, back: string) =>
      clinic.db.query({
        text: `update coupon_services set "discount" = 100,
          "dateCompleted" = (date_trunc('month', now() at time zone 'Europe/Moscow') - $2::interval) at time zone 'Europe/Moscow'
          where "id" = $1`,
        values: [line, back],
      })
    // The first moment of the month in the clinic's time zone; and one moment too early.
    await dated(one, '11 months')
    const after = await sales()
    expect([after[0].qty - before[0].qty, after[0].sum - before[0].sum]).toEqual([1, 900])
    expect([after[11].qty - before[11].qty, after[11].sum - before[11].sum]).toEqual([1.5, 1500])
    await dated(one, '11 months 1 second')
    expect((await sales())[0]).toEqual(before[0])
    expect(after.map(({ month }: { month: string }) => month)).toEqual(
      after.map((m: { month: string }) => m.month).sort(),
    )
    await addPerson(clinic.context, 'looker', ['viewServices'])
    expect((await clinic.as('looker').get(`/services/${desk.idService}/sales`)).status).toBe(403)
  })
})

it("breaks a shift's money down by payment method, service and doctor, to the kopeck", async () => {
  const totals = async () => good(await keeper.get(`/cash-shifts/${desk.idShift}/totals`))
  const before = await totals()
  const visit = await desk.visit([1, 2])
  for (const line of visit.lines) good(await desk.done(line), 204)
  const parts = [
    { method: 'cash', sum: 1000 },
    { method: 'card', sum: 2500 },
  ]
  const { id } = good(await desk.take(visit.idCustomer, 0, { parts }))
  const sumOf = (rows: { sum: number }[]) => rows.reduce((sum, row) => sum + row.sum, 0)
  const after = await totals()
  const grown = {
    total: after.total - before.total,
    rest: after.rest - before.rest,
    services: sumOf(after.services) - sumOf(before.services),
    doctors: sumOf(after.doctors) - sumOf(before.doctors),
    methods: sumOf(after.methods) - sumOf(before.methods),
  }
  // 500 of it is an advance.
  expect(grown).toEqual({ total: 3500, rest: 500, services: 3000, doctors: 3000, methods: 3500 })
  expect(after.doctors).toContainEqual(expect.objectContaining({ idUser: desk.idUser }))
  good(await desk.refund(id, 600))
  const back = await totals()
  expect([back.total - before.total, sumOf(back.services) + back.rest]).toEqual([2900, back.total])
  await addPerson(clinic.context, 'stranger')
  expect((await clinic.as('stranger').get(`/cash-shifts/${desk.idShift}/totals`)).status).toBe(403)
})

describe('printed documents of a payment and of a visit', () => {
  it('name the paid services, the cashier and the doctor', async () => {
    good(await keeper.post('/print-templates/ready'))
    const { id, idCustomer, lines } = await desk.visit([1, 2])
    for (const line of lines) good(await desk.done(line), 204)
    const payment = good(await desk.take(idCustomer, 3500))
    await expect
      .poll(async () => good(await keeper.get(`/payments/${payment.id}`)).receipt, { timeout: 60_000 })
      .toBe('done')
    expect(good(await keeper.get(`/payments/${payment.id}`)).paidFor).toEqual([
      { name: expect.stringMatching(/^Приём/), sum: 1000 },
      { name: expect.stringMatching(/^Приём/), sum: 2000 },
      { name: 'Аванс', sum: 500 },
    ])
    const receipt = await words('Квитанция об оплате', payment.id)
    for (const part of [`Квитанция № ${payment.id}`, 'Приём', 'Аванс', 'Кассир', 'М. П.', 'Кассовый чек пробит'])
      expect(receipt).toContain(part)
    // A receipt that no register prints is not mentioned.
    await clinic.db.query({
      text: `update fiscal_tasks set "status" = 'notConnected' where "idPayment" = $1`,
      values: [payment.id],
    })
    expect(await words('Квитанция об оплате', payment.id)).not.toMatch(/чек/i)
    const { surname } = good(await keeper.get(`/users/${desk.idUser}`))
    const extract = await words('Выписка о визите', id)
    expect(extract.slice(extract.lastIndexOf('Стоимость'))).toContain(surname)
    expect(extract).not.toContain('От клиники')
    const act = await words('Акт об оказанных услугах', id)
    for (const part of ['Акт №', 'Приём', 'От клиники', 'Пациент']) expect(act).toContain(part)
  })
})

describe('a line that was given', () => {
  it('is charged once under repeated requests, and reversed when taken back', async () => {
    const { id, idCustomer, lines } = await desk.visit([1, 1.5])
    const [one, two] = lines as [number, number]
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    good(await desk.done(one), 204)
    good(await desk.done(one), 204)
    expect(await desk.owes(idCustomer)).toEqual([1000, 0])
    expect(await charges(one)).toEqual([{ kind: 'charge', sum: '100000' }])
    good(await desk.to(id, 'inProgress'))
    good(await desk.to(id, 'completed'))
    expect(await desk.owes(idCustomer)).toEqual([2500, 0])
    expect(await charges(one)).toHaveLength(1)
    expect(await charges(two)).toEqual([{ kind: 'charge', sum: '150000' }])
    good(await desk.to(id, 'inProgress'))
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    expect(await charges(two)).toEqual([
      { kind: 'charge', sum: '150000' },
      { kind: 'storno', sum: '-150000' },
    ])
    good(await desk.refuse(two), 204)
    good(await desk.to(id, 'completed'))
    expect(await desk.owes(idCustomer)).toEqual([1000, 0])
  })

  it('costs its current price: a new price is a correction and a new charge', async () => {
    const { idCustomer, lines } = await desk.visit([1])
    const [line] = lines as [number]
    good(await desk.done(line), 204)
    good(await keeper.put(`/coupon-services/${line}`, { price: 1200, reason: 'Другая услуга' }))
    expect(await desk.owes(idCustomer)).toEqual([1200, 0])
    expect((await charges(line)).map(({ sum }) => sum)).toEqual(['100000', '-100000', '120000'])
  })

  it('costs its price by the quantity, rounded half up to the kopeck, and the coupon is the sum', async () => {
    const { id, lines } = await desk.visit([1.5, 3, 0.001])
    const prices = [33.33, 0.335 * 2, 5]
    for (const [at, price] of prices.entries()) good(await keeper.put(`/coupon-services/${lines[at]}`, { price }))
    // 49.995, 2.01 and 0.005.
    expect((await desk.linesOf(id)).map(({ finalCost }) => finalCost)).toEqual([50, 2.01, 0.01])
    expect(await desk.couponOf(id)).toMatchObject({ finalCost: 52.02, finalCostWithBonuses: 52.02 })
    for (const line of lines) good(await desk.done(line), 204)
    const [charged] = await charges(lines[0] as number)
    expect(charged).toEqual({ kind: 'charge', sum: '5000' })
  })

  it('is reversed when the visit is cancelled, and the money becomes an advance', async () => {
    const { id, idCustomer, lines } = await desk.visit([1])
    good(await desk.done((lines as [number])[0]), 204)
    good(await desk.take(idCustomer, 1000))
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    good(await desk.to(id, 'cancelled', { cancelReason: 'ill' }))
    expect(await desk.owes(idCustomer)).toEqual([0, 1000])
    expect(await paid(id)).toEqual([0])
    // Restored as before: given, and paid by the advance.
    good(await desk.to(id, 'booked'))
    expect(await desk.owes(idCustomer)).toEqual([0, 0])
    expect(await paid(id)).toEqual([1000])
  })
})
