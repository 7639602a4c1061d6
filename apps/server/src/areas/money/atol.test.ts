/** The agent of a desk with АТОЛ's driver: every receipt is printed once, whatever fails on the way. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type RunningAgent, runAgent } from '#areas/agents/index.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { type KktSimulator, startKktSimulator } from '#testing/kktSimulator.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let keeper: Caller
let cashier: Caller
let kkt: KktSimulator
let server: string
let dir: string
let agent: { running: RunningAgent; id: number } | undefined

beforeAll(async () => {
  world = await cashWorld('Садовая')
  ;({ clinic, keeper, cashier } = world)
  server = await clinic.listen()
  dir = mkdtempSync(join(tmpdir(), 'ordinator-agent-'))
})
afterEach(async () => {
  agent?.running.stop()
  agent = undefined
  await kkt?.close()
})
afterAll(async () => {
  await clinic.close()
  rmSync(dir, { recursive: true, force: true })
})

const tokenOf = async (id: number): Promise<string> => {
  const { text } = good(await keeper.post(`/desk-agents/${id}/file`))
  return /"token": "([\w-]+)"/.exec(text)?.[1] as string
}
const start = (id: number, token: string) => {
  agent = { id, running: runAgent({ server, token }, join(dir, `${id}.journal`), () => {}) }
  return online(id)
}
const online = (id: number, isOnline = true) =>
  expect.poll(async () => good(await keeper.get(`/desk-agents/${id}`)).isOnline, { timeout: 60_000 }).toBe(isOnline)

let serial = 0
/** A desk with a register behind its agent. */
async function desk(more: object = {}) {
  kkt = await startKktSimulator()
  const { id } = good(await keeper.post('/desk-agents', { name: `Место ${++serial}` }), 201)
  const token = await tokenOf(id)
  await start(id, token)
  const opened = await world.openDesk({
    kktMode: 'atol',
    idAgent: id,
    kktAddress: kkt.url,
    terminalMode: 'none',
    ...more,
  })
  return { ...opened, idAgent: id, token }
}
const pay = async (idDesk: number, sum = 100): Promise<number> =>
  good(
    await cashier.post('/payments/take', {
      key: world.key(),
      idDesk,
      idCustomer: await world.patient(),
      parts: [{ method: 'cash', sum }],
      contact: '+79161234567',
    }),
  ).id
const receipt = async (idPayment: number) =>
  good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}`)).items[0]
const setStatus = (idPayment: number, wanted: object) =>
  expect
    .poll(
      async () => {
        await clinic.context.jobs.run('money.receipts')
        return receipt(idPayment)
      },
      { timeout: 40_000, interval: 200 },
    )
    .toMatchObject(wanted)
/** A request of the driver to print a sale. */
const sale = (uuid: string) =>
  JSON.stringify({ uuid, request: [{ type: 'sell', items: [{ amount: 1 }], payments: [{ sum: 1 }] }] })
const printed = () => kkt.documents.map(({ kind }) => kind)

it("prints a shift and a receipt line by line, and closes the shift with the register's sums", async () => {
  const { idDesk, idShift } = await desk()
  const id = await pay(idDesk, 150.5)
  await setStatus(id, { status: 'done', fd: 2 })
  expect(printed()).toEqual(['openShift', 'sell'])
  expect(kkt.documents[1]?.task).toMatchObject({
    operator: { name: 'cashier Т.' },
    clientInfo: { emailOrPhone: '+79161234567' },
    items: [{ name: 'Аванс', price: 150.5, paymentMethod: 'advance', paymentObject: 'payment', tax: { type: 'none' } }],
    payments: [{ type: 'cash', sum: 150.5 }],
    total: 150.5,
  })
  good(await cashier.post(`/cash-shifts/${idShift}/close`, { key: world.key(), counted: 150.5 }))
  await expect
    .poll(async () => good(await keeper.get(`/cash-shifts/${idShift}`)), { timeout: 60_000 })
    .toMatchObject({ zNumber: 1, closing: { kkt: { sell: { cash: 15_050, electronically: 0 } } } })
  expect(printed()).toEqual(['openShift', 'sell', 'closeShift'])
})

it('reports what to do when the paper runs out, and prints once it is loaded', async () => {
  const { idDesk } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  kkt.mood = 'noPaper'
  const id = await pay(idDesk)
  await setStatus(id, { status: 'queued', error: 'Нет бумаги: вставьте ленту и повторите' })
  // A retry of the queue may be running.
  await expect
    .poll(async () => {
      const { trouble, waiting } = good(await cashier.get(`/cash-desks/${idDesk}/state`))
      return [trouble, waiting]
    })
    .toEqual(['Нет бумаги: вставьте ленту и повторите', 1])
  kkt.mood = 'works'
  await setStatus(id, { status: 'done', fd: 3 })
})

it.each([
  ['ofd', 'В ОФД не ушло документов: 7. Проверьте интернет кассы: через 18 дн. она перестанет пробивать чеки'],
  ['driveEnding', 'Срок фискального накопителя кончается через 10 дн.: закажите новый и вызовите сервисный центр'],
  ['noPaper', 'Нет бумаги: вставьте ленту'],
] as const)(
  'warns what will soon stop the register when it simulates «%s», at the desk and on its card',
  async (mood, words) => {
    const { idDesk } = await desk()
    const signs = async () => good(await cashier.get(`/cash-desks/${idDesk}/state`)).warnings
    const card = async () =>
      good(await keeper.get('/integrations')).items.find(({ key }: { key: string }) => key === `kkt-${idDesk}`)
    expect(await signs()).toEqual([])
    kkt.mood = mood
    await clinic.context.jobs.run('money.registers')
    expect(await signs()).toContain(words)
    expect((await card()).warnings).toContain(words)
    kkt.mood = 'works'
    good(await cashier.post(`/cash-desks/${idDesk}/queue`, { act: 'repeat' }))
    expect([await signs(), (await card()).warnings]).toEqual([[], []])
  },
)

it('reports an exhausted fiscal drive, and refuses receipts with an instruction', async () => {
  const { idDesk } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  kkt.mood = 'driveOver'
  const id = await pay(idDesk)
  await setStatus(id, {
    status: 'queued',
    error: 'Ресурс фискального накопителя исчерпан: замените его, без этого чеки не пробить',
  })
  await clinic.context.jobs.run('money.registers')
  expect(good(await cashier.get(`/cash-desks/${idDesk}/state`)).warnings[0]).toContain('чеки пробивать нельзя')
})

it('prints a receipt of correction with its ground, once', async () => {
  const { idDesk } = await desk()
  const body = {
    key: world.key(),
    kind: 'sell',
    means: 'cash',
    sum: 1250,
    correction: { type: 'instruction', date: '2026-11-20', number: '12-34/567', reason: 'Чек не пробит при оплате' },
  }
  const { id } = good(await keeper.post(`/cash-desks/${idDesk}/correct-receipt`, body), 201)
  expect(good(await keeper.post(`/cash-desks/${idDesk}/correct-receipt`, body), 201).id).toBe(id)
  await expect
    .poll(async () => good(await keeper.get(`/fiscal-tasks/${id}`)), { timeout: 60_000 })
    .toMatchObject({ status: 'done', kind: 'sellCorrection' })
  expect(printed().filter((kind) => kind === 'sellCorrection')).toHaveLength(1)
  expect(kkt.documents.at(-1)?.task).toMatchObject({
    type: 'sellCorrection',
    correctionType: 'instruction',
    correctionBaseDate: '2026.11.20',
    correctionBaseNumber: '12-34/567',
    correctionBaseName: 'Чек не пробит при оплате',
    payments: [{ type: 'cash', sum: 1250 }],
    total: 1250,
  })
})

it.each(['lost', 'tornPaper'] as const)('prints once when the driver simulates «%s»', async (mood) => {
  const { idDesk } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  kkt.mood = mood
  const id = await pay(idDesk)
  await setStatus(id, { status: 'done', fd: 3 })
  expect(printed()).toEqual(['openShift', 'sell', 'sell'])
})

it('queries a document number after the driver stopped responding, and prints nothing twice', async () => {
  const { idDesk } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  kkt.mood = 'silentAfter'
  const id = await pay(idDesk)
  await setStatus(id, { status: 'done', fd: 3 })
  expect(printed()).toEqual(['openShift', 'sell', 'sell'])
})

it('keeps a receipt of unknown outcome while the register cannot be queried, and does not print it twice', async () => {
  const { idDesk, idAgent, token } = await desk()
  const id = await pay(idDesk)
  await setStatus(id, { status: 'done', fd: 2 })
  // Its reply was lost: the register has it, the clinic does not know.
  const unknown = `update fiscal_tasks set "status" = 'unknown', "fd" = null, "fpd" = null where "idPayment" = $1 returning "request"`
  const forget = async () => (await clinic.db.query<{ request: string }>({ text: unknown, values: [id] }))[0]?.request
  const request = await forget()
  agent?.running.stop()
  await online(idAgent, false)
  await setStatus(id, { status: 'unknown', error: 'Агент кассы не на связи: проверьте компьютер кассы' })
  expect(await forget()).toBe(request)
  await start(idAgent, token)
  await setStatus(id, { status: 'done', fd: 2 })
  // The driver has forgotten its tasks, and the register does not answer what its drive holds.
  await forget()
  kkt.forget()
  kkt.mood = 'offline'
  await setStatus(id, {
    status: 'unknown',
    error: 'Драйвер не видит кассу: проверьте, включена ли она и подключён ли кабель',
  })
  kkt.mood = 'works'
  await setStatus(id, { status: 'done', fd: 2 })
  expect(printed()).toEqual(['openShift', 'sell'])
})

it('prints once what an agent receives late, after its requester died', async () => {
  const { idDesk, idAgent, token } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  agent?.running.stop()
  await online(idAgent, false)
  const id = await pay(idDesk)
  await setStatus(id, { status: 'queued' })
  await clinic.db.query({
    text: `insert into desk_agent_tasks ("key", "idAgent", "once", "state", "task", "dateCreate")
      values ('late', $1, false, 'queued', $2, now() - interval '1 minute')`,
    values: [
      idAgent,
      { kind: 'http', method: 'POST', url: `${kkt.url}/api/v2/requests`, body: sale('late'), timeout: 15_000 },
    ],
  })
  await start(idAgent, token)
  await setStatus(id, { status: 'done', fd: 3 })
  expect(printed()).toEqual(['openShift', 'sell', 'sell'])
})

it('accepts no receipt in a shift older than a day until the cashier closes and reopens it', async () => {
  const { idDesk } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  kkt.shiftOpened -= 25 * 3_600_000
  const id = await pay(idDesk)
  await setStatus(id, { status: 'queued', error: 'Смена длится больше 24 часов: закройте её и откройте новую' })
  good(await cashier.post(`/cash-desks/${idDesk}/queue`, { act: 'openShift' }))
  await setStatus(id, { status: 'done' })
  expect(printed()).toEqual(['openShift', 'sell', 'closeShift', 'openShift', 'sell'])
})

it('keeps receipts while the agent is offline, and prints them when it reconnects', async () => {
  const { idDesk, idAgent, token } = await desk()
  await setStatus(await pay(idDesk), { status: 'done' })
  agent?.running.stop()
  await online(idAgent, false)
  const id = await pay(idDesk)
  await setStatus(id, { status: 'queued', error: 'Агент кассы не на связи: проверьте компьютер кассы' })
  await start(idAgent, token)
  await expect.poll(async () => (await receipt(id)).status, { timeout: 60_000 }).toBe('done')
})

it('rejects a replaced or revoked token', async () => {
  const { idAgent, token } = await desk()
  good(await keeper.post(`/desk-agents/${idAgent}/revoke`), 204)
  await online(idAgent, false)
  agent?.running.stop()
  const next = await tokenOf(idAgent)
  expect(next).not.toBe(token)
  await start(idAgent, next)
  expect(good(await keeper.post(`/desk-agents/${idAgent}/check`))).toMatchObject({ isOld: false })
  const cards = good(await keeper.get('/integrations')).items as { key: string; mode: string }[]
  expect(cards.find(({ key }) => key === `agent-${idAgent}`)).toMatchObject({ mode: 'prod' })
})
