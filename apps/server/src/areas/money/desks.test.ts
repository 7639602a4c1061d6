/** Scope of cash desks: those of the user's own branches; all for a manager. Checked at every exit. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { formatDateTime } from '@ordinator/model/format'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const rights = ['viewCashDesk', 'takePayments', 'refundPayments', 'cashInOut', 'correctReceipts'] as const

let clinic: Clinic
let manager: Caller
let cashier: Caller
let idCashier: number
let idOrganization: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'manager', [...rights, 'mainSettings', 'viewAllCashDesks'])
      idCashier = (await addPerson(app, 'cashier', rights)).id
      const system = app.engine.for(systemActor)
      idOrganization = (await system.create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })).id
    },
  })
  manager = clinic.as('manager')
  cashier = clinic.as('cashier')
  await Promise.all([manager.token(), cashier.token()])
})
afterAll(() => clinic.close())

let serial = 0
const key = (): string => `branch-${++serial}`
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

/** A branch with a desk, an open shift, a payment and its receipt. */
async function branch() {
  const system = clinic.context.engine.for(systemActor)
  const idFilial = (await system.create(Filial, { nameFilial: `Филиал ${++serial}` })).id
  const idCustomer = (await system.create(Customer, { surname: `Кассов${++serial}` })).id
  const body = { name: `Касса ${serial}`, idFilial, idOrganization, kktMode: 'simulator', terminalMode: 'simulator' }
  const { id: idDesk } = good(await manager.post('/cash-desks', body), 201)
  const { id: idShift } = good(await manager.post('/cash-shifts/open', { key: key(), idDesk }), 201)
  const take = (who: Caller) =>
    who.post('/payments/take', { key: key(), idDesk, idCustomer, parts: [{ method: 'cash', sum: 100 }] })
  const { id: idPayment } = good(await take(manager))
  const { items } = good(await manager.get(`/fiscal-tasks?filter[idPayment]=${idPayment}`))
  return { idFilial, idDesk, idShift, idPayment, idCustomer, idTask: items[0].id as number, take }
}

it('a cashier has the desks of the own branches, a manager has all, at every exit', async () => {
  const [here, there] = [await branch(), await branch()]
  const refused = await cashier.get(`/cash-desks/${here.idDesk}`)
  expect(refused.status).toBe(404)
  good(await manager.post('/filials/desks', { idFilial: here.idFilial, idUser: idCashier }), 201)
  const own = {
    'cash-desks': [here.idDesk, there.idDesk],
    'cash-shifts': [here.idShift, there.idShift],
    payments: [here.idPayment, there.idPayment],
    'fiscal-tasks': [here.idTask, there.idTask],
  } as const
  for (const [path, [mine, foreign]] of Object.entries(own)) {
    const idsOf = async (who: Caller) =>
      sorted(
        good(await who.get(`/${path}?filter[id][in]=${mine},${foreign}&count=1`)).items.map(
          ({ id }: { id: number }) => id,
        ),
      )
    expect([path, await idsOf(cashier), await idsOf(manager)]).toEqual([path, [mine], sorted([mine, foreign])])
    const filter = `filter[id][in]=${mine},${foreign}`
    expect([path, good(await cashier.get(`/${path}?${filter}&count=1`))._meta.totalCount]).toEqual([path, 1])
    for (const [id, status] of [
      [mine, 200],
      [foreign, 404],
    ] as const)
      for (const url of [`/${path}/${id}`, `/${path}/${id}/history`])
        expect([url, (await cashier.get(url)).status]).toEqual([url, status])
    const { text } = await cashier.get(`/${path}/export?format=csv&${filter}`)
    expect([path, text.trim().split('\n').length]).toEqual([path, 2])
  }
  const parts = async ({ idPayment }: typeof here) =>
    good(await cashier.get(`/payments/parts?filter[idPayment]=${idPayment}`)).items.length
  expect([await parts(here), await parts(there)]).toEqual([1, 0])
  // Filters by a visible field reveal nothing of the other desk.
  const joined = good(await cashier.get(`/payments?filter[desk.idFilial]=${there.idFilial}&count=1`))
  expect(joined._meta.totalCount).toBe(0)

  // Actions at that desk.
  const { idDesk, idShift, idPayment, idTask } = there
  const some = [{ method: 'cash', sum: 10 }]
  const correction = { type: 'self', date: '2026-03-01', number: '1', reason: 'Сбой' }
  const asks = [
    cashier.get(`/cash-desks/${idDesk}/state`),
    cashier.get(`/cash-shifts/${idShift}/report`),
    cashier.post('/cash-shifts/open', { key: key(), idDesk }),
    cashier.post(`/cash-shifts/${idShift}/close`, { key: key(), counted: 100 }),
    cashier.post(`/cash-shifts/${idShift}/cash`, { key: key(), kind: 'in', sum: 1, reason: 'Размен' }),
    there.take(cashier),
    cashier.post(`/payments/${idPayment}/refund`, { key: key(), parts: some, reason: 'Ошибка' }),
    cashier.post(`/payments/${here.idPayment}/refund`, { key: key(), idDesk, parts: some, reason: 'Ошибка' }),
    cashier.post(`/payments/${idPayment}/settle`, {}),
    cashier.post(`/fiscal-tasks/${idTask}/repair`, { as: 'resend' }),
    cashier.post(`/cash-desks/${idDesk}/correct-receipt`, {
      key: key(),
      kind: 'sell',
      means: 'cash',
      sum: 1,
      correction,
    }),
  ]
  expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(asks.map(() => 404))
  expect(good(await manager.get(`/cash-shifts/${idShift}/report`)).drawer).toBe(100)
  good(await here.take(cashier))
  expect(good(await cashier.get(`/cash-shifts/${here.idShift}/report`)).drawer).toBe(200)
})

it('shows the whole account of a patient, but payments behind its lines only of the branch', async () => {
  const [here, there] = [await branch(), await branch()]
  good(await manager.post('/filials/desks', { idFilial: here.idFilial, idUser: idCashier }), 201)
  const parts = [{ method: 'cash', sum: 100 }]
  const { idCustomer } = there
  good(await cashier.post('/payments/take', { key: key(), idDesk: here.idDesk, idCustomer, parts }))
  const account = good(await cashier.get(`/customers/${idCustomer}/account`))
  expect(account).toEqual(good(await manager.get(`/customers/${idCustomer}/account`)))
  // A partial debt would be collected twice.
  expect([account.advance, account.lines.map(({ sum }: { sum: number }) => sum)]).toEqual([200, [-100, -100]])
  const foreign = account.lines.find(({ idPayment }: { idPayment: number }) => idPayment === there.idPayment)
  expect((await cashier.get(`/payments/${foreign.idPayment}`)).status).toBe(404)
  const list = good(await cashier.get(`/payments?filter[idCustomer]=${idCustomer}&count=1`))
  expect(list._meta.totalCount).toBe(1)
  const { text } = await cashier.get(`/payments/export?format=csv&filter[idCustomer]=${idCustomer}`)
  expect(text.trim().split('\n')).toHaveLength(2)
})

it('delivers events of a desk only to users who can see it', async () => {
  const [here, there] = [await branch(), await branch()]
  good(await manager.post('/filials/desks', { idFilial: here.idFilial, idUser: idCashier }), 201)
  const address = await clinic.listen()
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${await cashier.token()}`)
  const events: { controller: string; action: string; data: { id?: number } }[] = []
  socket.on('message', (data) => events.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: 'payments' } }))
  await vi.waitFor(() => expect(events.map(({ action }) => action)).toContain('addListener'), { timeout: 60_000 })
  good(await there.take(manager))
  const { id } = good(await here.take(manager))
  const paymentIds = () => events.filter(({ controller }) => controller === 'payments').map(({ data }) => data.id)
  await vi.waitFor(() => expect(paymentIds()).toContain(id), { timeout: 60_000 })
  expect(new Set(paymentIds())).toEqual(new Set([id]))
  socket.close()
})

it('an export formats times in the time zone of the branch, and without a branch in that of the user', async () => {
  const far = await branch()
  const near = await branch()
  good(await manager.put(`/filials/${far.idFilial}`, { timeZone: 'Asia/Kamchatka' }))
  for (const [{ idShift, idPayment }, zone] of [
    [far, 'Asia/Kamchatka'],
    [near, 'Europe/Moscow'],
  ] as const) {
    const { dateOpened } = good(await manager.get(`/cash-shifts/${idShift}`))
    const at = formatDateTime(dateOpened, zone)
    const lines = async (url: string) => (await manager.get(url)).text.trim().split('\r\n').slice(1)
    expect(await lines(`/cash-shifts/export?filter[id]=${idShift}&fields=dateOpened`)).toEqual([at])
    // Joined to another record, and from its own.
    expect(await lines(`/payments/export?filter[id]=${idPayment}&fields=shift.dateOpened,idDesk,dateCreate`)).toEqual([
      expect.stringMatching(new RegExp(`^${at};.*;${at.slice(0, 13)}`)),
    ])
  }
})

it('a desk with an open shift reports it, and cannot be deleted until it is closed', async () => {
  const { idDesk, idShift } = await branch()
  const isOpen = async () => good(await manager.get(`/cash-desks?filter[id]=${idDesk}`)).items[0].isShiftOpen
  expect(await isOpen()).toBe(true)
  const words = 'В этой кассе открыта смена: сначала закройте её'
  const refused = await manager.delete(`/cash-desks/${idDesk}`)
  expect([refused.status, refused.body.message]).toEqual([409, words])
  const batch = await manager.post('/cash-desks/batch', { delete: [idDesk] })
  expect([batch.status, batch.body.message]).toEqual([409, expect.stringContaining(words)])
  await clinic.db.query({ text: `update cash_shifts set "dateClosed" = now() where id = ${idShift}` })
  expect(await isOpen()).toBe(false)
  // A desk with payments asks for confirmation.
  expect(await manager.delete(`/cash-desks/${idDesk}`)).toMatchObject({ status: 409, body: { code: 'asks' } })
  expect((await manager.delete(`/cash-desks/${idDesk}?sure=1`)).status).toBe(204)
})
