/** Expenses: approval by the route, payment, bank statements, repeats; and a month with matching books. */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { billing, worldOf } from '#testing/visits.ts'
import { makeRepeats } from './repeats.ts'

let clinic: Clinic
let keeper: Caller
let chief: Caller
let head: Caller
let idChief: number
let idHead: number
let idOrganization: number
let idAccount: number
let idArticle: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, 'payroll', 'editExpenses'])
      idChief = (await addPerson(app, 'chief', ['viewExpenses'])).id
      idHead = (await addPerson(app, 'head', ['viewExpenses'])).id
      await addPerson(app, 'outsider', ['viewCashDesk'])
      idOrganization = (
        await app.engine.for(systemActor).create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })
      ).id
    },
  })
  ;[keeper, chief, head] = ['keeper', 'chief', 'head'].map((login) => clinic.as(login)) as [Caller, Caller, Caller]
  await Promise.all([keeper, chief, head].map((who) => who.token()))
  const bank = { idOrganization, bik: '044525225', account: '40702810938000000001', bankName: 'Банк', isMain: true }
  idAccount = good(await keeper.post('/organizations/accounts', bank), 201).id
  idArticle = good(await keeper.post('/expenses/articles', { name: 'Аренда', kind: 'fixed' }), 201).id
})
afterAll(() => clinic.close())

let serial = 0
const key = () => `expense-key-${++serial}`
const today = () => dayIn('Europe/Moscow', Date.now())
const make = async (more: object = {}) =>
  good(
    await keeper.post('/expenses', { localDate: today(), idArticle, purpose: 'Аренда офиса', sum: 1_000, ...more }),
    201,
  )
const submit = async (id: number) => good(await keeper.post(`/expenses/${id}/submit`, {}))

describe('an approval', () => {
  it('is immediate if the route has no approvers, and can be withdrawn until it is paid', async () => {
    const { id, month, vatSum } = await make({ sum: 122, vatCode: '22' })
    expect([month, vatSum]).toEqual([`${today().slice(0, 7)}-01`, 22])
    expect(await submit(id)).toMatchObject({ status: 'approved' })
    expect(await keeper.put(`/expenses/${id}`, { sum: 5 })).toMatchObject({ status: 422, body: [{ field: 'sum' }] })
    expect((await keeper.delete(`/expenses/${id}`)).status).toBe(409)
    expect(good(await keeper.post(`/expenses/${id}/withdraw`, {}))).toMatchObject({ status: 'plan' })
    expect(await costs()).toBe(0)
    await submit(id)
    good(await keeper.post(`/expenses/${id}/pay`, { key: key() }))
    expect((await keeper.post(`/expenses/${id}/withdraw`, {})).status).toBe(409)
  })

  it('is requested by limits, in order, and ends with a refusal', async () => {
    const steps = [
      { idUser: idChief, fromSum: 5_000 },
      { idUser: idHead, fromSum: 50_000 },
    ]
    const made: number[] = []
    for (const step of steps) made.push(good(await keeper.post('/expenses/routes', step), 201).id)
    const small = await make({ sum: 4_999.99 })
    expect(await submit(small.id)).toMatchObject({ status: 'approved' })
    const large = await make({ sum: 50_000 })
    expect(await submit(large.id)).toMatchObject({ status: 'toApprove' })
    const decide = (who: Caller, more: object) => who.post(`/expenses/${large.id}/decide`, more)
    expect((await decide(head, { approved: true })).status).toBe(403)
    expect(good(await chief.get(`/expenses/${large.id}`)).waitsForMe).toBe(true)
    expect(good(await decide(chief, { approved: true }))).toMatchObject({ status: 'toApprove' })
    expect(await decide(head, { approved: false })).toMatchObject({ status: 422, body: [{ field: 'comment' }] })
    expect(good(await decide(head, { approved: false, comment: 'Дорого' }))).toMatchObject({
      status: 'rejected',
      refusal: 'Дорого',
    })
    await submit(large.id)
    good(await decide(chief, { approved: true }))
    expect(good(await decide(head, { approved: true }))).toMatchObject({ status: 'approved' })
    for (const id of made) await keeper.delete(`/expenses/routes/${id}`)
  })

  it('of the only approver for own expenses is a setting, and shown', async () => {
    const idKeeper = good(await keeper.post('/common/get-account', {})).user.identity.id
    const route = good(await keeper.post('/expenses/routes', { idUser: idKeeper, fromSum: 0 }), 201).id
    const own = await make()
    expect(await keeper.post(`/expenses/${own.id}/submit`, {})).toMatchObject({
      status: 409,
      body: { code: 'ownApproval', message: expect.stringContaining('только вы') },
    })
    await clinic.db.query({
      text: `insert into common_settings ("name", "value") values ('expensesOwnApproval', 'true'::jsonb)`,
    })
    expect(await submit(own.id)).toMatchObject({ status: 'approved' })
    const steps = good(await keeper.get(`/expenses/approvals?filter[idExpense]=${own.id}`)).items
    expect(steps).toMatchObject([
      { idUser: idKeeper, status: 'approved', comment: expect.stringContaining('отправкой') },
    ])
    await clinic.db.query({ text: `delete from common_settings where "name" = 'expensesOwnApproval'` })
    await keeper.delete(`/expenses/routes/${route}`)
  })

  it('is impossible without the right to expenses', async () => {
    const { id } = await make()
    const outsider = clinic.as('outsider')
    expect((await outsider.get('/expenses')).status).toBe(403)
    expect((await outsider.get('/expenses/profit?from=2026-01&to=2026-02')).status).toBe(403)
    expect((await chief.post(`/expenses/${id}/submit`, {})).status).toBe(403)
  })
})

const costs = async (): Promise<number> => {
  const row = await clinic.db.one<{ sum: number }>({
    text: `select coalesce(sum(e."amount"), 0)::float8 as sum from ledger_entries e
      join ledger_accounts a on a."id" = e."idAccount" where a."kind" = 'expense'`,
  })
  return row?.sum ?? 0
}

const cyrillic = (text: string): Buffer =>
  Buffer.from(
    [...text].map((sign) => {
      const code = sign.codePointAt(0) as number
      if (code < 128) return code
      if (sign === 'ё') return 0xb8
      if (sign === '«') return 0xab
      if (sign === '»') return 0xbb
      return code - 0x410 + 0xc0
    }),
  )

function statement(
  ...documents: { sum: string; inn: string; number: string; incoming?: boolean; purpose?: string }[]
): Buffer {
  const own = '40702810938000000001'
  const day = today().split('-').reverse().join('.')
  return cyrillic(
    [
      '1CClientBankExchange',
      'Кодировка=Windows',
      `РасчСчет=${own}`,
      ...documents.flatMap(({ sum, inn, number, incoming, purpose = 'Оплата по счету' }) => [
        'СекцияДокумент=Платежное поручение',
        `Номер=${number}`,
        `Дата=${day}`,
        `Сумма=${sum}`,
        `ПлательщикСчет=${incoming ? '40702810000000000002' : own}`,
        `ПолучательСчет=${incoming ? own : '40702810000000000002'}`,
        `ПолучательИНН=${incoming ? '' : inn}`,
        'Получатель1=ООО «Поставщик»',
        `${incoming ? 'ДатаПоступило' : 'ДатаСписано'}=${day}`,
        `НазначениеПлатежа=${purpose}`,
        'КонецДокумента',
      ]),
      'КонецФайла',
    ].join('\r\n'),
  )
}

const upload = (bytes: Buffer) =>
  clinic.app.server
    .inject({
      method: 'POST',
      url: '/expenses/statements/upload?name=kl_to_1c.txt',
      payload: bytes,
      headers: { 'content-type': 'application/octet-stream', authorization: '' },
    })
    .then(({ statusCode, body }) => ({ status: statusCode, body: JSON.parse(body) }))

describe('a bank statement', () => {
  it('pays matched expenses, once, and leaves the rest to be sorted', async () => {
    const token = await keeper.token()
    const send = async (bytes: Buffer) => {
      const answer = await clinic.app.server.inject({
        method: 'POST',
        url: '/expenses/statements/upload?name=kl_to_1c.txt',
        payload: bytes,
        headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}` },
      })
      return { status: answer.statusCode, body: JSON.parse(answer.body) }
    }
    const contractor = good(
      await keeper.post('/organizations', { shortName: 'ООО «Поставщик»', kind: 'supplier', inn: '7707083893' }),
      201,
    )
    const known = await make({ sum: 777.5, idContractor: contractor.id })
    await submit(known.id)
    const file = statement(
      { sum: '777.50', inn: '7707083893', number: '1' },
      { sum: '300.00', inn: '7728168971', number: '2' },
      { sum: '50.00', inn: '', number: '3', incoming: true },
    )
    expect(await send(file)).toMatchObject({ status: 201, body: { added: 3, repeated: 0, matched: 1, problems: [] } })
    expect(good(await keeper.get(`/expenses/${known.id}`))).toMatchObject({ status: 'paid', datePaid: today() })
    expect(await send(file)).toMatchObject({ body: { added: 0, repeated: 3, matched: 0 } })
    const [line] = good(await keeper.get('/expenses/statement-lines?filter[state]=new')).items
    expect(line).toMatchObject({ sum: 300, party: 'ООО «Поставщик»', purpose: 'Оплата по счету' })
    const sort = (body: object) => keeper.post(`/expenses/statement-lines/${line.id}/sort`, body)
    expect(await sort({ as: 'expense', idExpense: known.id })).toMatchObject({ status: 422 })
    const sorted = good(await sort({ as: 'new', idArticle }))
    expect(sorted.state).toBe('matched')
    expect(good(await keeper.get(`/expenses/${sorted.idExpense}`))).toMatchObject({ status: 'paid', sum: 300 })
    expect((await sort({ as: 'ignored' })).status).toBe(409)
    expect(await send(cyrillic('Дата;Сумма'))).toMatchObject({ status: 400 })
    expect((await upload(file)).status).toBe(401)
  })

  it('keeps apart what differs in the purpose or is there twice, and of an overlapping file takes only the new', async () => {
    const token = await keeper.token()
    const send = async (...documents: Parameters<typeof statement>) => {
      const answer = await clinic.app.server.inject({
        method: 'POST',
        url: '/expenses/statements/upload?name=kl_to_1c.txt',
        payload: statement(...documents),
        headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}` },
      })
      return JSON.parse(answer.body)
    }
    const one = { sum: '15.00', inn: '7728168971', number: '77' }
    const [fee, other] = ['Комиссия по счету 1', 'Комиссия по счету 2'].map((purpose) => ({ ...one, purpose }))
    expect(await send(fee as typeof one, other as typeof one)).toMatchObject({ added: 2, repeated: 0 })
    // A day that was not over: its second file holds the same and one more that is equal in everything.
    const whole = [fee, other, fee] as (typeof one)[]
    expect(await send(...whole)).toMatchObject({ added: 1, repeated: 2 })
    expect(await send(...whole)).toMatchObject({ added: 0, repeated: 3 })
  })
})

it('plans repeats ahead, each once, and ends them', async () => {
  const first = await make({ localDate: '2020-01-31', repeat: 'month', repeatTo: '2020-04-15', sum: 10 })
  expect(await makeRepeats(clinic.context)).toBeGreaterThanOrEqual(2)
  expect(await makeRepeats(clinic.context)).toBe(0)
  const list = good(await keeper.get(`/expenses?filter[idRepeatOf]=${first.id}&sort=localDate`)).items
  expect(
    list.map((one: { localDate: string; month: string; status: string }) => [one.localDate, one.month, one.status]),
  ).toEqual([
    ['2020-02-29', '2020-02-01', 'plan'],
    ['2020-03-31', '2020-03-01', 'plan'],
  ])
})

const step = fc.record({
  act: fc.constantFrom(
    'done',
    'done',
    'undone',
    'take',
    'take',
    'refund',
    'expense',
    'payDesk',
    'payAccount',
    'withdraw',
  ),
  at: fc.nat(9),
  kopecks: fc.integer({ min: 1, max: 1_500_00 }),
})

/** Moves a branch's recent records to a day of another month. */
async function moveTo(day: string, idFilial: number, after: number): Promise<void> {
  await clinic.db.tx(async (tx) => {
    await tx.query({ text: 'alter table ledger_txs disable trigger ledger_txs_keep' })
    await tx.query({ text: 'update ledger_txs set "localDate" = $1 where "id" > $2', values: [day, after] })
    for (const table of ['coupons', 'appointments', 'staff_events', 'expenses'])
      await tx.query({ text: `update ${table} set "localDate" = $1 where "idFilial" = $2`, values: [day, idFilial] })
    await tx.query({
      text: `update expenses set "month" = date_trunc('month', $1::date)::date where "idFilial" = $2`,
      values: [day, idFilial],
    })
    await tx.query({ text: 'alter table ledger_txs enable trigger ledger_txs_keep' })
  })
}

it('months whose profit, payroll, cash desk and ledger agree to the kopeck', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 14 }),
      fc.integer({ min: 1, max: 9_999 }),
      fc.nat(11),
      fc.integer({ min: 1, max: 28 }),
      async (steps, rate, ago, dayOfMonth) => {
        const last = await clinic.db.one<{ id: number }>({
          text: 'select coalesce(max("id"), 0)::float8 as id from ledger_txs',
        })
        const desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
        const { idFilial } = desk
        const month = monthsLater(`${today().slice(0, 7)}-01`, -ago)
        const rules = [
          { code: 'p', type: 'percent', rate: rate / 100, base: 'paid' },
          { code: 'h', type: 'hourly', sum: 12.34 },
        ]
        good(
          await keeper.post('/payroll/schemes', {
            name: 'С',
            idUser: desk.idUser,
            idFilial,
            dateFrom: '2020-01-01',
            rules,
          }),
          201,
        )
        const visit = await desk.visit([1, 2, 3])
        const payments: number[] = []
        const made: number[] = []
        for (const { act, at, kopecks } of steps) {
          const sum = kopecks / 100
          const [line, payment, expense] = [
            visit.lines[at % 3] as number,
            payments[at % (payments.length || 1)],
            made[at % (made.length || 1)],
          ]
          if (act === 'done' || act === 'undone') await desk.done(line, act === 'done')
          else if (act === 'take') payments.push(good(await desk.take(visit.idCustomer, sum)).id)
          else if (act === 'refund' && payment) await desk.refund(payment, Math.min(sum, 10))
          else if (act === 'expense') {
            const { id } = await make({ sum, idFilial })
            await submit(id)
            made.push(id)
          } else if (act === 'payDesk' && expense)
            await keeper.post(`/expenses/${expense}/pay`, { key: key(), payFrom: 'desk', idDesk: desk.idDesk })
          else if (act === 'payAccount' && expense)
            await keeper.post(`/expenses/${expense}/pay`, { key: key(), payFrom: 'account', idBankAccount: idAccount })
          else if (act === 'withdraw' && expense) await keeper.post(`/expenses/${expense}/withdraw`, {})
        }
        await moveTo(`${month.slice(0, 8)}${String(dayOfMonth).padStart(2, '0')}`, idFilial, last?.id ?? 0)
        const period = good(await keeper.post('/payroll/periods', { month, idFilial }), 201)
        good(await keeper.post(`/payroll/periods/${period.id}/calculate`, {}), 201)
        await clinic.context.jobs.drain()
        // Calculated wages are shown before anybody approves them, marked.
        const monthOfProfit = `from=${month.slice(0, 7)}&to=${month.slice(0, 7)}&filials=${idFilial}`
        const marked = async () =>
          good(await keeper.get(`/expenses/profit?${monthOfProfit}`)).lines.find(
            ({ key: name }: { key: string }) => name === 'payroll-calculated',
          )?.total
        const calculated = await marked()
        for (const status of ['checked', 'approved'])
          good(await keeper.post(`/payroll/periods/${period.id}/status`, { status }))
        expect(await marked()).toBeUndefined()
        const [slip] = good(await keeper.get(`/payroll/slips?filter[idPeriod]=${period.id}`)).items
        const lines = good(await keeper.get(`/payroll/lines?filter[idSlip]=${slip.id}&limit=100`)).items
        const kop = (rubles: number) => Math.round(rubles * 100)
        const sumOf = (all: readonly { sum: number }[]) => all.reduce((whole, one) => whole + kop(one.sum), 0)
        expect(calculated).toBe(slip.total)
        // Lines, the table and the ledger.
        expect(sumOf(lines)).toBe(kop(slip.total))
        const give = {
          key: key(),
          kind: 'salary',
          sum: Math.max(0.01, Math.floor(slip.total)),
          payFrom: 'account',
          idBankAccount: idAccount,
        }
        good(await keeper.post(`/payroll/slips/${slip.id}/payout`, give))
        const balance = async (kind: string, mark: string) =>
          (
            await clinic.db.one<{ sum: number }>({
              text: `select coalesce(sum(e."amount"), 0)::float8 as sum from ledger_entries e join ledger_accounts a on a."id" = e."idAccount"
              where a."kind" = $1 and a."mark" = $2`,
              values: [kind, mark],
            })
          )?.sum
        expect(await balance('wages', `filial ${idFilial}`)).toBe(kop(slip.total))
        expect(await balance('staff', `user ${desk.idUser}`)).toBe(kop(give.sum) - kop(slip.total))
        // Profit by the branch.
        const query = `from=${month.slice(0, 7)}&to=${month.slice(0, 7)}&filials=${idFilial}`
        const profit = good(await keeper.get(`/expenses/profit?${query}`))
        const charged = await clinic.db.one<{ sum: number }>({
          text: `select coalesce(sum(k."charged"), 0)::float8 as sum from ledger_lines k join coupon_services l on l."id" = k."idLine"
          join coupons c on c."id" = l."idCoupon" where c."idFilial" = $1`,
          values: [idFilial],
        })
        const spent = good(
          await keeper.get(`/expenses?filter[idFilial]=${idFilial}&filter[status][in]=approved,paid&limit=100`),
        ).items
        expect(kop(profit.totals.revenue)).toBe(charged?.sum)
        expect(kop(profit.totals.costs)).toBe(kop(slip.total) + sumOf(spent))
        expect(kop(profit.totals.profit)).toBe(kop(profit.totals.revenue) - kop(profit.totals.costs))
        // The adjacent months have nothing of the branch.
        const around = `from=${monthsLater(month, -1).slice(0, 7)}&to=${monthsLater(month, 1).slice(0, 7)}&filials=${idFilial}`
        const wide = good(await keeper.get(`/expenses/profit?${around}`))
        expect(wide.totals).toEqual(profit.totals)
        expect(wide.profit).toEqual([0, profit.totals.profit, 0])
        // By branch it equals the result by month.
        expect(good(await keeper.get(`/expenses/profit?${query}&by=filial`)).totals).toEqual(profit.totals)
        // The drawer.
        const paidFromDesk = sumOf(
          spent.filter((one: { status: string; payFrom: string }) => one.status === 'paid' && one.payFrom === 'desk'),
        )
        const report = good(await keeper.get(`/cash-shifts/${desk.idShift}/report`))
        expect(kop(report.cashOut)).toBe(paidFromDesk)
        const drawer = await clinic.db.one<{ sum: number }>({
          text: `select coalesce(sum(e."amount"), 0)::float8 as sum from ledger_entries e join ledger_accounts a on a."id" = e."idAccount"
          where a."kind" = 'desk' and a."idDesk" = $1`,
          values: [desk.idDesk],
        })
        expect(kop(report.drawer)).toBe(drawer?.sum)
      },
    ),
    { numRuns: runs(3, 30), endOnFailure: true },
  )
  // The debt to contractors equals the approved and unpaid sum.
  const owed = await clinic.db.one<{ ledger: number; documents: number }>({
    text: `select (select -coalesce(sum(e."amount"), 0) from ledger_entries e join ledger_accounts a on a."id" = e."idAccount"
        where a."kind" = 'supplier')::float8 as ledger,
      (select coalesce(sum("sum"), 0) * 100 from expenses where "status" = 'approved' and not "deleted")::float8 as documents`,
  })
  expect(owed?.ledger).toBe(owed?.documents)
})
