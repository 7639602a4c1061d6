/** Payers over HTTP: coverage at the booking, shares, limits, lists, registries; the ledger agrees with all of them. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn, plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dbfOf } from '#platform/dbf.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'
import { billing } from './testing/billing.ts'
import { worldOf } from './testing/world.ts'

const today = dayIn('Europe/Moscow', Date.now())
const year = today.slice(0, 4)
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let desk: Awaited<ReturnType<typeof billing>>
let idOrganization = 0

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      const rights = [
        'viewPayers',
        'editPayers',
        'viewPaymentsReport',
        'editExpenses',
        'viewTasksManagement',
        'payroll',
      ] as const
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
afterAll(() => clinic.close())

/** The visit of an arrived patient takes place. */
async function finish(id: number): Promise<Answer> {
  await desk.to(id, 'inProgress')
  return desk.to(id, 'completed')
}

let serial = 0
const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]

/** The tenth digit of an organization's ИНН checks the others. */
function innOf(number: number): string {
  const digits = String(770_000_000 + number)
  const sum = [2, 4, 10, 3, 5, 9, 4, 6, 8].reduce((all, weight, at) => all + weight * Number(digits[at]), 0)
  return `${digits}${(sum % 11) % 10}`
}

/** Sends a bank statement of payments by the payer, each with a number and purpose of its own. */
async function statement({ inn }: { inn: string }, ...sums: string[]): Promise<Answer> {
  const own = '40702810938000000001'
  const day = today.split('-').reverse().join('.')
  const lines = [
    ...['1CClientBankExchange', 'Кодировка=UTF-8', `РасчСчет=${own}`],
    ...sums.flatMap((sum) => [
      ...['СекцияДокумент=Платежное поручение', `Номер=${sum.length}`, `Дата=${day}`, `Сумма=${sum}`],
      ...[`ПлательщикСчет=40702810000000000002`, `ПлательщикИНН=${inn}`, 'Плательщик1=Страховая'],
      ...[`ПолучательСчет=${own}`, `ДатаПоступило=${day}`, `НазначениеПлатежа=Оплата ${sum}`, 'КонецДокумента'],
    ]),
    'КонецФайла',
  ]
  const answer = await clinic.app.server.inject({
    method: 'POST',
    url: '/expenses/statements/upload?name=kl_to_1c.txt',
    payload: Buffer.from(lines.join('\r\n')),
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await keeper.token()}` },
  })
  return { status: answer.statusCode, body: JSON.parse(answer.body) } as Answer
}

/** An insurer with a contract, a programme and its rules. */
async function payer(contract: object = {}, rules: object[] = [{ kind: 'allow' }]) {
  const number = ++serial
  const inn = innOf(number)
  const { id: idPayer } = good(
    await keeper.post('/organizations', { shortName: `Страховая ${number}`, kind: 'insurer', inn }),
    201,
  )
  const body = { idPayer, idOrganization, number: `Д-${number}`, dateFrom: `${year}-01-01`, ...contract }
  const { id: idContract } = good(await keeper.post('/payer-contracts', body), 201)
  const { id: idProgramme } = good(
    await keeper.post('/organizations/programmes', { idOrganization: idPayer, name: 'Стандарт' }),
    201,
  )
  for (const rule of rules) good(await keeper.post('/programme-rules', { idProgramme, ...rule }), 201)
  return { idPayer: idPayer as number, idContract: idContract as number, idProgramme: idProgramme as number, inn }
}
type Payer = Awaited<ReturnType<typeof payer>>

async function insure({ idContract, idProgramme }: Payer, idCustomer?: number) {
  const who = idCustomer ?? (await worlds.patient())
  const body = {
    idContract,
    idProgramme,
    policy: `П-${++serial}`,
    surname: 'Иванов',
    dateFrom: `${year}-01-01`,
    idCustomer: who,
  }
  good(await keeper.post('/insured-persons', body), 201)
  return who
}
const claim = async ({ idPayer }: Payer): Promise<number> => {
  const [row] = await clinic.db.query<{ sum: number }>({
    text: `select coalesce(sum(e."amount"), 0)::float8 / 100 as sum from ledger_accounts a
      join ledger_entries e on e."idAccount" = a."id" where a."kind" = 'insurer' and a."idInsurer" = $1`,
    values: [idPayer],
  })
  return row?.sum ?? 0
}
const shares = async (id: number) =>
  (await clinic.db.query<{ insurer: number; due: number }>({
    text: `select l."insurer"::float8 as insurer, (round(l."price" * l."qty", 2) - l."discount" - l."insurer")::float8 as due
      from coupon_services l join coupons c on c."id" = l."idCoupon" where c."idAppointment" = $1 order by l."id"`,
    values: [id],
  })) as { insurer: number; due: number }[]

it('shares a line between the payer and the patient, to each account, whatever happens to the visit', async () => {
  const one = await payer({ copay: 20 }, [{ kind: 'limit', idService: desk.idService, qty: 2 }])
  const who = await insure(one)
  const visit = await desk.visit([1], { idCustomer: who })
  expect(await shares(visit.id)).toEqual([{ insurer: 800, due: 200 }])
  const told = good(await keeper.get(`/appointments/${visit.id}/coverage`))
  expect(told).toMatchObject({
    insured: { programme: 'Стандарт' },
    lines: [{ isCovered: true, payer: 800, patient: 200, words: 'Покрыто, осталось 1 из 2' }],
  })
  expect((await desk.unpaid(who, `?idAppointment=${visit.id}`))[0]).toMatchObject({ due: 200 })
  expect(await claim(one)).toBe(0)
  good(await finish(visit.id))
  expect([await claim(one), await desk.owes(who)]).toEqual([800, [200, 0]])
  good(await desk.to(visit.id, 'inProgress'))
  expect([await claim(one), await desk.owes(who)]).toEqual([0, [0, 0]])
  good(await finish(visit.id))
  const paid = good(await desk.take(who, 200))
  expect((await desk.receipts(paid.id))[0].task).toMatchObject({ total: 200_00, items: [{ amount: 200_00 }] })
  // The second is covered, the third is beyond the limit; a cancelled one gives its place back.
  const second = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  const third = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  expect([await shares(second.id), await shares(third.id)]).toEqual([
    [{ insurer: 800, due: 200 }],
    [{ insurer: 0, due: 1000 }],
  ])
  good(await desk.to(second.id, 'cancelled', { cancelReason: 'ill' }))
  const [line] = await desk.linesOf(third.id)
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: false }))).toEqual({
    insurer: 800,
    patient: 200,
  })
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: true }))).toEqual({
    insurer: 0,
    patient: 1000,
  })
  expect(await claim(one)).toBe(800)
})

it('holds a limit under eight rivals', async () => {
  const one = await payer({}, [{ kind: 'limit', qty: 3 }])
  const who = await insure(one)
  const visits = await Promise.all(
    Array.from({ length: 8 }, () => desk.book(who, [{ idService: desk.idService, qty: 1 }])),
  )
  const all = await Promise.all(visits.map(async (answer) => shares(good(answer, 201).id)))
  expect(all.flat().filter(({ insurer }) => insurer > 0)).toHaveLength(3)
})

it('asks for a letter where the contract says so, and tells what a programme says of a service', async () => {
  const one = await payer({ letter: 'always' })
  const who = await insure(one)
  const visit = good(await desk.book(who, [{ idService: desk.idService, qty: 1 }]), 201)
  expect(await shares(visit.id)).toEqual([{ insurer: 0, due: 1000 }])
  expect(good(await keeper.get(`/appointments/${visit.id}/coverage`)).lines).toMatchObject([
    { needsLetter: true, words: 'Нужно гарантийное письмо' },
  ])
  const ask = (to: number) => keeper.post(`/appointments/${visit.id}/letter-task`, { name: 'Письмо', idBoard: to })
  const task = good(await ask(await board()), 201)
  const { description } = good(await keeper.get(`/tasks-management/tasks/${task.id}`))
  expect(description.replace(/\s/g, ' ')).toMatch(/по полису П-\d+, программа «Стандарт».*Сумма 1 000,00 ₽\./)
  const letter = {
    idCustomer: who,
    idInsurer: one.idPayer,
    number: 'Г-1',
    dateFrom: today,
    dateTo: `${year}-12-31`,
    limit: 600,
  }
  const { id } = good(await keeper.post('/guarantee-letters', letter), 201)
  const [line] = await desk.linesOf(visit.id)
  expect(good(await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: false }))).toEqual({
    insurer: 600,
    patient: 400,
  })
  expect(good(await keeper.get(`/guarantee-letters/${id}`))).toMatchObject({ used: 600 })
  const two = await payer({ copay: 10 }, [{ kind: 'deny', diagnoses: 'K00-K14' }, { kind: 'allow' }])
  const asked = { idProgramme: two.idProgramme, idService: desk.idService }
  const check = async (more: object) =>
    good(await keeper.post(`/payer-contracts/${two.idContract}/check`, { ...asked, ...more }))
  expect(await check({ diagnosis: 'K02.1' })).toMatchObject({ isCovered: false, words: 'Не покрыто программой' })
  expect(await check({})).toMatchObject({ isCovered: true, total: 1000, payer: 900, patient: 100 })
})

it('loads a list twice without a change, finds cards by name and birthday, and closes the absent of a full one', async () => {
  const one = await payer()
  const { take } = importFiles(clinic, 'insured')
  const { id } = good(
    await keeper.post('/customers', {
      surname: 'Сидорова',
      name: 'Анна',
      middleName: 'Петровна',
      birthday: '03.04.1990',
    }),
    201,
  )
  const params = { idContract: one.idContract, idProgramme: one.idProgramme, kind: 'full', day: today }
  const head = 'Полис;Фамилия;Имя;Отчество;Дата рождения'
  const list = csv(head, '77-1;Сидорова;Анна;Петровна;03.04.1990', '77-2;Петров;Пётр;;01.02.1980')
  expect(await take(keeper, list, params)).toMatchObject({ state: 'done', created: 2 })
  const seen = async () =>
    good(await keeper.get(`/insured-persons?filter[idContract]=${one.idContract}&sort=policy`)).items
  const first = await seen()
  expect(first).toMatchObject([
    { policy: '77-1', idCustomer: id, dateTo: null },
    { policy: '77-2', idCustomer: null },
  ])
  expect(await take(keeper, list, params)).toMatchObject({ state: 'done', created: 0, failed: 0 })
  expect(await seen()).toEqual(first)
  // What is wrong is told at its row, and the rest is taken; a known person is changed, and another surname kept.
  const more = csv(
    `${head};По`,
    '77-2;Петров;Пётр;;01.02.1980;31.12.2099',
    '77-2;Дважды;;;;',
    '77-3;Поздно;Ия;;;01.01.2020',
  )
  expect(await take(keeper, more, { ...params, kind: 'add' }, { skipWrong: true })).toMatchObject({
    created: 1,
    failed: 2,
  })
  expect(await seen()).toMatchObject([
    first[0],
    { ...first[1], dateTo: '2099-12-31', birthday: '01.02.1980', _version: 2 },
  ])
  await take(keeper, list, params)
  // The same by DBF, as programs of insurers write it.
  const fields = ['POLIS', 'FAM', 'IM', 'OT', 'DR'].map((name) => ({ name, label: name }))
  const table = dbfOf(
    fields,
    list
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(';')),
    today,
  )
  expect(await take(keeper, table, params)).toMatchObject({ state: 'done', created: 0, failed: 0 })
  expect(await seen()).toEqual([first[0], { ...first[1], _version: 3 }])
  await clinic.db.query({
    text: `update insured_persons set "dateListed" = "dateListed" - 30 where "idContract" = $1`,
    values: [one.idContract],
  })
  await take(keeper, csv(head, '77-2;Петров;Пётр;;01.02.1980'), params)
  const close = (more: object) =>
    keeper.post(`/payer-contracts/${one.idContract}/close-absent`, { day: today, ...more })
  expect(good(await close({ dryRun: true }))).toEqual({ closed: 1, kept: 1 })
  expect(good(await close({}))).toEqual({ closed: 1, kept: 1 })
  expect(await seen()).toMatchObject([
    { policy: '77-1', dateTo: today },
    { policy: '77-2', dateTo: null },
  ])
})

/** A board, whose column for new tasks comes with it. */
const board = async (): Promise<number> =>
  good(await keeper.post('/tasks-management/boards', { name: `Письма ${++serial}` }), 201).id

/** Gives a line of a registry all that it may lack. */
async function complete(idContract: number) {
  await clinic.db.query({
    text: `update services set "medicalCode" = 'B01.047.001' where "id" = $1`,
    values: [desk.idService],
  })
  await clinic.db.query({
    text: `update payer_registries_lines z set "values" = z."values" || '{"diagnosis": "K02.1", "birthday": "01.01.1980", "code": "B01.047.001"}'
      from payer_registries y where y."id" = z."idRegistry" and y."idContract" = $1`,
    values: [idContract],
  })
}

/** The patient lets the clinic hand the diagnosis over. */
const consent = (idCustomer: number) =>
  clinic.db.query({
    text: `with t as (insert into consents_templates ("name", "type") values ($2, 'payer') returning "id"),
      v as (insert into consents_versions ("idTemplate", "number", "dateFrom", "purpose", "text", "idUser")
        select "id", 1, '2026-01-01', 'ДМС', 'ДМС', (select min("id") from users) from t returning "id")
      insert into consents ("idCustomer", "idVersion", "name", "type", "purpose", "signedAt", "idUser")
        select $1, "id", 'ДМС', 'payer', 'ДМС', now(), (select min("id") from users) from v`,
    values: [idCustomer, `ДМС ${++serial}`],
  })

it('collects a month, tells all lacks at once, freezes what was sent, and follows cuts to the last kopeck', async () => {
  const one = await payer()
  const who = await insure(one)
  const visits = [await desk.visit([1], { idCustomer: who }), await desk.visit([1], { idCustomer: who })]
  for (const { id } of visits) good(await finish(id))
  const collect = () => keeper.post('/payer-registries/collect', { idContract: one.idContract, month: today })
  const registry = good(await collect())
  expect(registry).toMatchObject({ state: 'draft', lines: 2, claimed: 2000, open: 2000 })
  expect(good(await collect()).id).toBe(registry.id)
  const { items } = good(await keeper.get(`/payer-registries/${registry.id}/lacks`))
  expect(items).toHaveLength(2)
  expect(items[0].lacks).toContain('нет диагноза')
  expect((await keeper.post(`/payer-registries/${registry.id}/send`, {})).body).toMatchObject({ code: 'lacks' })
  await complete(one.idContract)
  await consent(who)
  const sent = good(await keeper.post(`/payer-registries/${registry.id}/send`, {}))
  expect(sent).toMatchObject({ state: 'sent', dateSent: today })
  expect((await keeper.get(`/payer-registries/${registry.id}/file?format=xlsx`)).status).toBe(200)
  expect((await keeper.get(`/payer-registries/${registry.id}/file?format=dbf`)).status).toBe(200)
  const lines = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}&sort=id`)).items
  const decide = (body: object) => keeper.post(`/payer-registries/${registry.id}/decide`, { lines: [], ...body })
  expect(faults(await decide({ lines: [{ id: lines[0].id, cut: 300 }] }))).toEqual(['lines.0.reason: Укажите причину'])
  const answers = importFiles(clinic, 'payer-cuts')
  const table = (...rows: string[]) => csv('№;Полис;Снято;Принято;Причина;Код дефекта', ...rows)
  const asked = { idRegistry: registry.id }
  // What is wrong is told at its row, and the rest is written; the same table again changes nothing.
  const wrong = table('1;;1200;;Много;1', '2;чужой;0;;;', '9;;0;;;', '1;;300;600;Не сходится;', '2;;200;;;')
  const seen = good(await answers.preview(keeper, wrong, asked))
  expect(seen.errors.map(({ row, field, message }) => `${row} ${field}: ${message.replace(/\s/g, ' ')}`)).toEqual([
    '1 Снято: Заявлено только 1 000,00 ₽',
    expect.stringMatching(/^2 Полис: В строке № 2 реестра полис П-\d+$/),
    '3 №: В реестре нет строки № 9',
    '4 Снято: Снято и принято вместе — не 1000.00, как заявлено',
    '5 Причина: Укажите причину',
  ])
  const written = async () =>
    good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}&sort=id`)).items.map(
      (line: Record<string, unknown>) => [line.state, line.accepted, line.cut, line.reason, line.reasonCode],
    )
  for (const time of ['first', 'again']) {
    await answers.take(keeper, table('1;;;750;;2.1'), asked)
    expect([time, await written()]).toEqual([
      time,
      [
        ['cut', 750, 250, 'Код 2.1', '2.1'],
        ['claimed', 0, 0, null, null],
      ],
    ])
  }
  const cut = { id: lines[0].id, cut: 300, reason: 'Нет показаний', code: '2.1' }
  expect(good(await decide({ lines: [cut], isRestAccepted: true }))).toMatchObject({
    claimed: 2000,
    accepted: 1700,
    cut: 300,
    open: 0,
  })
  const pay = (id: number, sum: number) =>
    keeper.post(`/payer-registries/${id}/pay`, { key: desk.key(), sum, date: today, document: '15' })
  expect(faults(await pay(registry.id, 1700.01))).toEqual(['sum: Принято и не оплачено 1 700,00 ₽'])
  const debts = async () => good(await keeper.get(`/reports/payer-debts?by=age&is=payer:${one.idPayer}`)).total.values
  expect(await debts()).toEqual({ debt: 1700, accepted: 1700, overdue: 0, registries: 1 })
  good(await pay(registry.id, 700))
  expect(await debts()).toMatchObject({ debt: 1000, accepted: 1000 })
  const settle = (id: number, as: string) =>
    keeper.post(`/payer-registries/lines/${id}/settle`, { key: desk.key(), as, reason: 'По акту' })
  good(await settle(lines[0].id, 'reissue'))
  const again = good(await collect())
  expect(again).toMatchObject({ state: 'draft', lines: 1, claimed: 300 })
  await complete(one.idContract)
  good(await keeper.post(`/payer-registries/${again.id}/send`, {}))
  const [row] = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${again.id}`)).items
  expect(row).toMatchObject({ idReissueOf: lines[0].id, sum: 300 })
  good(
    await keeper.post(`/payer-registries/${again.id}/decide`, { lines: [{ id: row.id, cut: 100, reason: 'Дубль' }] }),
  )
  good(await settle(row.id, 'patient'))
  expect((await settle(row.id, 'writeOff')).status).toBe(409)
  good(await pay(again.id, 200))
  // The rest comes by a bank statement: the whole finds its registry, a part is sorted by a person.
  const { body: rest } = await statement(one, '600.00', '400.00')
  expect(rest).toMatchObject({ added: 2, matched: 0 })
  const [part, last] = good(await keeper.get('/expenses/statement-lines?filter[state]=new&sort=-sum')).items
  const sort = (line: number, body: object) => keeper.post(`/expenses/statement-lines/${line}/sort`, body)
  expect(good(await sort(part.id, { as: 'registry', idRegistry: registry.id }))).toMatchObject({ state: 'matched' })
  expect((await sort(part.id, { as: 'registry', idRegistry: registry.id })).status).toBe(409)
  good(await sort(last.id, { as: 'ignored' }))
  expect(faults(await sort(last.id, { as: 'registry', idRegistry: again.id }))).toEqual([
    'idRegistry: Принято и не оплачено 0,00 ₽',
  ])
  expect((await statement(one, '400.00', '1.00')).body).toMatchObject({ added: 1, repeated: 1 })
  good(await pay(registry.id, 300))
  expect((await statement(one, '100.00')).body).toMatchObject({ added: 1, matched: 1 })
  expect([await claim(one), await desk.owes(who)]).toEqual([0, [100, 0]])
  expect(good(await keeper.get(`/payer-registries/${registry.id}`))).toMatchObject({ state: 'closed', paid: 1700 })
  const report = good(await keeper.get(`/reports/payers?from=${year}-01-01&until=${year}-12-31&by=payer`))
  expect((await debts()).debt).toBe(0)
  await clinic.db.query({
    text: `insert into payroll_service_costs ("idService", "materials", "laboratory") values ($1, 250, 50)`,
    values: [desk.idService],
  })
  const own = good(
    await keeper.get(`/reports/payers?from=${year}-01-01&until=${year}-12-31&by=programme&is=payer:${one.idPayer}`),
  )
  // Two services cost 600; what was claimed again cost nothing more.
  expect(own.total.values).toMatchObject({ accepted: 1900, margin: 1300, paid: 1900 })
  const { claimed, accepted, cut: off, open } = report.total.values
  expect(claimed).toBe(accepted + off + open)
})

it('counts what payers accept instead of what was claimed, by a setting; a late answer in its own month', async () => {
  desk = await billing(keeper, worlds, idOrganization)
  const { idFilial } = desk
  const one = await payer()
  const who = await insure(one)
  const { id: visit } = await desk.visit([1], { idCustomer: who })
  good(await finish(visit))
  // The service was in the month before.
  const [now, before] = [today.slice(0, 7), plusDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)]
  await clinic.db.tx(async (tx) => {
    await tx.query({ text: 'alter table ledger_txs disable trigger ledger_txs_keep' })
    await tx.query({
      text: `update ledger_txs set "localDate" = $1 where "idCouponService" in (select l."id" from coupon_services l
        join coupons c on c."id" = l."idCoupon" where c."idFilial" = $2)`,
      values: [`${before}-20`, idFilial],
    })
    for (const table of ['coupons', 'appointments'])
      await tx.query({
        text: `update ${table} set "localDate" = $1 where "idFilial" = $2`,
        values: [`${before}-20`, idFilial],
      })
    await tx.query({ text: 'alter table ledger_txs enable trigger ledger_txs_keep' })
  })
  const revenue = async () => {
    const answer = good(await keeper.get(`/expenses/profit?from=${before}&to=${now}&filials=${idFilial}`))
    return [answer.payerIncome, ...answer.revenue]
  }
  const rules = [
    { code: 'd', type: 'percent', rate: 10, base: 'discounted' },
    { code: 'p', type: 'percent', rate: 1, base: 'paid' },
  ]
  good(
    await keeper.post('/payroll/schemes', { name: 'С', idUser: desk.idUser, idFilial, dateFrom: '2020-01-01', rules }),
    201,
  )
  const open = async (month: string) =>
    good(await keeper.post('/payroll/periods', { month: `${month}-01`, idFilial }), 201).id as number
  const calculate = async (id: number) => {
    good(await keeper.post(`/payroll/periods/${id}/calculate`, {}), 201)
    await clinic.context.jobs.drain()
    const { total, payerIncome } = good(await keeper.get(`/payroll/periods/${id}`))
    return [payerIncome, total]
  }
  const by = (payerIncome: string) => keeper.put('/settings/common', { payerIncome }).then((answer) => good(answer))
  const [past, present] = [await open(before), await open(now)]
  expect([await revenue(), await calculate(past)]).toEqual([
    ['claimed', 1000, 0],
    ['claimed', 110],
  ])
  await by('accepted')
  expect([await revenue(), await calculate(past)]).toEqual([
    ['accepted', 0, 0],
    ['accepted', 0],
  ])
  const registry = good(
    await keeper.post('/payer-registries/collect', { idContract: one.idContract, month: `${before}-01` }),
  )
  await complete(one.idContract)
  await consent(who)
  good(await keeper.post(`/payer-registries/${registry.id}/send`, {}))
  const [line] = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}`)).items
  const answer = async (cut: number) =>
    good(
      await keeper.post(`/payer-registries/${registry.id}/decide`, { lines: [{ id: line.id, cut, reason: 'Дубль' }] }),
    )
  await answer(400)
  expect([await revenue(), await calculate(past)]).toEqual([
    ['accepted', 600, 0],
    ['accepted', 66],
  ])
  for (const status of ['checked', 'approved']) good(await keeper.post(`/payroll/periods/${past}/status`, { status }))
  const [slip] = good(await keeper.get(`/payroll/slips?filter[idPeriod]=${past}`)).items
  await clinic.db.query({
    text: `insert into payroll_payouts ("idSlip", "kind", "sum", "payFrom", "localDate", "idAuthor") values ($1, 'salary', 66, 'account', $2, $3)`,
    values: [slip.id, today, desk.idUser],
  })
  for (const status of ['paid', 'closed']) good(await keeper.post(`/payroll/periods/${past}/status`, { status }))
  // The payer thinks again, and the rest is charged to the patient: the closed month stays as it was.
  await answer(300)
  good(
    await keeper.post(`/payer-registries/lines/${line.id}/settle`, {
      key: desk.key(),
      as: 'patient',
      reason: 'По акту',
    }),
  )
  expect([await revenue(), await calculate(present)]).toEqual([
    ['accepted', 600, 400],
    ['accepted', 44],
  ])
  // Another setting changes the report, and not how a closed month was paid.
  await by('claimed')
  expect([await revenue(), await calculate(present)]).toEqual([
    ['claimed', 1000, 0],
    ['claimed', 44],
  ])
})

interface Step {
  act: 'book' | 'done' | 'cancel' | 'restore' | 'reopen' | 'own'
  which: number
}
const step = fc.record<Step>({
  act: fc.constantFrom('book', 'book', 'done', 'done', 'cancel', 'restore', 'reopen', 'own'),
  which: fc.nat(3),
})

it("keeps patient + payer = line, the payer's account = the given shares, and limits, whatever happens at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        copay: fc.integer({ min: 0, max: 100_00 }),
        qty: fc.integer({ min: 1, max: 3 }),
        sum: fc.integer({ min: 1, max: 3000_00 }),
      }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
      async ({ copay, qty, sum }, all) => {
        // A day has few times.
        desk = await billing(keeper, worlds, idOrganization)
        const one = await payer({ copay: copay / 100 }, [{ kind: 'limit', qty, sum: sum / 100 }])
        const who = await insure(one)
        const made: number[] = []
        const carry = async ({ act, which }: Step): Promise<void> => {
          const visit = made[which % Math.max(1, made.length)] ?? 0
          if (act === 'book') made.push((await desk.visit([1], { idCustomer: who })).id)
          else if (visit && act === 'own') {
            const [line] = await desk.linesOf(visit)
            expect([200, 409]).toContain(
              (await keeper.post(`/coupon-services/${line?.id}/payer`, { isOwn: which % 2 === 0 })).status,
            )
          } else if (visit) {
            const to = { done: 'completed', cancel: 'cancelled', restore: 'booked', reopen: 'inProgress', own: '' }[
              act as 'done'
            ]
            expect([200, 409]).toContain(
              (await desk.to(visit, to, act === 'cancel' ? { cancelReason: 'ill' } : {})).status,
            )
          }
        }
        for (const group of all) {
          await Promise.all(group.map(carry))
          const rows = await clinic.db.query<{ cost: number; insurer: number; given: boolean; on: boolean }>({
            text: `select (round(l."price" * l."qty", 2) - l."discount")::float8 * 100 as cost, l."insurer"::float8 * 100 as insurer,
              l."completed" as given, not l."cancelled" and not c."cancelled" and a."visitStatus" not in ('cancelled', 'noShow', 'moved') as "on"
              from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
              where a."idCustomer" = $1`,
            values: [who],
          })
          const on = rows.filter((row) => row.on)
          const total = (some: typeof rows, of: (row: (typeof rows)[number]) => number) =>
            Math.round(some.reduce((sums, row) => sums + of(row), 0))
          const given = on.filter((row) => row.given)
          expect(Math.round((await claim(one)) * 100)).toBe(total(given, ({ insurer }) => insurer))
          const [debt] = await desk.owes(who)
          expect(Math.round(debt * 100)).toBe(total(given, ({ cost, insurer }) => cost - insurer))
          for (const { cost, insurer } of on) expect(insurer).toBeLessThanOrEqual(cost)
          expect(on.filter(({ insurer }) => insurer > 0).length).toBeLessThanOrEqual(qty)
          expect(total(on, ({ insurer }) => insurer)).toBeLessThanOrEqual(sum)
        }
      },
    ),
    { numRuns: runs(4, 60), endOnFailure: true },
  )
})

interface Turn {
  act:
    | 'visit'
    | 'send'
    | 'answer'
    | 'rest'
    | 'reissue'
    | 'patient'
    | 'writeOff'
    | 'pay'
    | 'bank'
    | 'take'
    | 'refund'
    | 'undo'
  which: number
  part: number
}
const turn = fc.record<Turn>({
  act: fc.constantFrom(
    ...(['visit', 'visit', 'send', 'send', 'answer', 'answer', 'rest', 'reissue', 'reissue'] as const),
    ...(['patient', 'writeOff', 'pay', 'pay', 'bank', 'take', 'refund', 'undo'] as const),
  ),
  which: fc.nat(5),
  /** Of a sum, in percent. */
  part: fc.integer({ min: 1, max: 100 }),
})
/** What is allowed to refuse. */
const told = [200, 201, 204, 409, 422]

it("keeps claimed = accepted + cut + open and the payer's account = registries − payments, whatever is answered, paid, claimed again or refunded", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60_00 }),
      fc.array(fc.array(turn, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8 }),
      async (copay, all) => {
        desk = await billing(keeper, worlds, idOrganization)
        const one = await payer({ copay: copay / 100 })
        const who = await insure(one)
        await consent(who)
        const visits: number[] = []
        const payments: number[] = []
        const month = { idContract: one.idContract, month: today }
        const sent = async (): Promise<{ id: number; accepted: number; paid: number }[]> =>
          good(await keeper.get(`/payer-registries?filter[idContract]=${one.idContract}&filter[state]=sent&sort=id`))
            .items
        const lines = async (state?: string): Promise<{ id: number; idRegistry: number; sum: number }[]> =>
          good(
            await keeper.get(
              `/payer-registries/lines?filter[registry.idContract]=${one.idContract}${state ? `&filter[state]=${state}` : ''}&sort=id`,
            ),
          ).items
        const pick = <T>(some: readonly T[], which: number): T | undefined => some[which % Math.max(1, some.length)]
        const decide = (idRegistry: number, body: object) =>
          keeper.post(`/payer-registries/${idRegistry}/decide`, { lines: [], ...body })
        const acts: Record<Turn['act'], (of: Turn) => Promise<Answer | undefined>> = {
          async visit() {
            const { id } = await desk.visit([1], { idCustomer: who })
            visits.push(id)
            return finish(id)
          },
          async send() {
            const registry = await keeper.post('/payer-registries/collect', month)
            await complete(one.idContract)
            return keeper.post(`/payer-registries/${registry.body.id}/send`, {})
          },
          async answer({ which, part }) {
            const line = pick(await lines(), which)
            const cut = line && Math.round(line.sum * part) / 100
            return line && decide(line.idRegistry, { lines: [{ id: line.id, cut, reason: 'Дубль' }] })
          },
          async rest({ which }) {
            const registry = pick(await sent(), which)
            return registry && decide(registry.id, { isRestAccepted: true })
          },
          reissue: (of) => settle('reissue', of),
          patient: (of) => settle('patient', of),
          writeOff: (of) => settle('writeOff', of),
          async pay({ which, part }) {
            const registry = pick(await sent(), which)
            const sum = registry && Math.round((registry.accepted - registry.paid) * part) / 100
            const body = { key: desk.key(), sum, date: today, document: '15' }
            return registry && sum ? keeper.post(`/payer-registries/${registry.id}/pay`, body) : undefined
          },
          async bank({ which }) {
            const registry = pick(await sent(), which)
            const sum = registry && registry.accepted - registry.paid
            return sum ? statement(one, sum.toFixed(2)) : undefined
          },
          async take({ part }) {
            const answer = await desk.take(who, part)
            if (answer.status === 200) payments.push(answer.body.id)
            return answer
          },
          async refund({ which, part }) {
            const payment = pick(payments, which)
            return payment ? desk.refund(payment, part) : undefined
          },
          async undo({ which }) {
            const visit = pick(visits, which)
            return visit ? desk.to(visit, 'inProgress') : undefined
          },
        }
        async function settle(as: string, { which }: Turn): Promise<Answer | undefined> {
          const line = pick(await lines('cut'), which)
          const body = { key: desk.key(), as, reason: 'По акту' }
          return line && keeper.post(`/payer-registries/lines/${line.id}/settle`, body)
        }
        for (const group of all) {
          await Promise.all(
            group.map(async (of) => {
              const answer = await acts[of.act](of)
              if (answer) expect(told, `${of.act} ${JSON.stringify(answer.body)}`).toContain(answer.status)
            }),
          )
          for (const { claimed, accepted, cut, open, paid } of good(
            await keeper.get(`/payer-registries?filter[idContract]=${one.idContract}`),
          ).items) {
            expect(Math.round(claimed * 100)).toBe(Math.round((accepted + cut + open) * 100))
            for (const sum of [accepted, cut, open, paid, accepted - paid]) expect(sum).toBeGreaterThanOrEqual(0)
          }
          const [sums] = await clinic.db.query<Record<string, number>>({
            text: `select
              (select coalesce(sum(l."insurer"), 0) from coupon_services l join insured_persons i on i."id" = l."idInsured"
                join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
                where i."idContract" = $1 and l."completed" and not exists (select 1 from payer_registries_lines z
                  join payer_registries y on y."id" = z."idRegistry" where z."idCouponService" = l."id" and y."state" <> 'draft'))::float8 as unsent,
              (select coalesce(sum(z."sum" - z."cut" + case
                  when z."state" = 'cut' and not exists (select 1 from payer_moves m where m."idLine" = z."id") then z."cut"
                  when z."state" = 'reissued' and not exists (select 1 from payer_registries_lines n
                    join payer_registries x on x."id" = n."idRegistry" where n."idReissueOf" = z."id" and x."state" <> 'draft') then z."cut"
                  else 0 end), 0)
                from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
                where y."idContract" = $1 and y."state" <> 'draft')::float8 as asked,
              (select coalesce(sum(m."amount") filter (where m."as" = 'paid'), 0) from payer_moves m
                join payer_registries y on y."id" = m."idRegistry" where y."idContract" = $1)::float8 as paid,
              (select coalesce(sum(m."amount") filter (where m."as" = 'patient'), 0) from payer_moves m
                join payer_registries y on y."id" = m."idRegistry" where y."idContract" = $1)::float8 as charged,
              (select coalesce(sum(round(l."price" * l."qty", 2) - l."discount" - l."insurer"), 0) from coupon_services l
                join coupons c on c."id" = l."idCoupon" where c."idAppointment" = any ($2::bigint[]) and l."completed")::float8 as own,
              (select coalesce(sum(case p."kind" when 'payment' then p."sum" else -p."sum" end), 0) from payments p
                where p."idCustomer" = $3 and p."idStatus" = 2)::float8 as got,
              (select count(*) from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
                where y."idContract" = $1 and z."accepted" <> coalesce((select sum(a."amount") from payer_answers a
                  where a."idLine" = z."id"), 0))::int as untold`,
            values: [one.idContract, visits, who],
          })
          const { unsent = 0, asked = 0, paid = 0, charged = 0, own = 0, got = 0, untold } = sums ?? {}
          expect(Math.round((await claim(one)) * 100)).toBe(Math.round((unsent + asked - paid) * 100))
          const [debt, advance] = await desk.owes(who)
          expect(Math.round((debt - advance) * 100)).toBe(Math.round((own + charged - got) * 100))
          expect(untold).toBe(0)
        }
      },
    ),
    { numRuns: runs(3, 40), endOnFailure: true },
  )
})
