/** A bank's program run by the desk's agent: the command, the reply by patterns and encodings, and unknown outcomes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type RunningAgent, runAgent } from '#areas/agents/index.ts'
import { type BankSimulator, startBankSimulator } from '#testing/bankSimulator.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let keeper: Caller
let cashier: Caller
let bank: BankSimulator
let agent: RunningAgent
let idAgent: number
let dir: string

beforeAll(async () => {
  world = await cashWorld('Банковская')
  ;({ clinic, keeper, cashier } = world)
  dir = mkdtempSync(join(tmpdir(), 'ordinator-bank-'))
  bank = await startBankSimulator(dir)
  const server = await clinic.listen()
  idAgent = good(await keeper.post('/desk-agents', { name: 'Касса у окна', programs: bank.program }), 201).id
  const { text } = good(await keeper.post(`/desk-agents/${idAgent}/file`))
  const token = /"token": "([\w-]+)"/.exec(text)?.[1] as string
  expect(text).toContain(JSON.stringify(bank.program))
  agent = runAgent({ server, token, programs: [bank.program] }, join(dir, 'journal'), () => {})
  await vi.waitFor(async () => expect(good(await keeper.get(`/desk-agents/${idAgent}`)).isOnline).toBe(true), {
    timeout: 30_000,
  })
})
beforeEach(() => {
  bank.mood = 'works'
  bank.encoding = 'ibm866'
  bank.operations.length = 0
})
afterAll(async () => {
  agent.stop()
  await bank.close()
  await clinic.close()
  rmSync(dir, { recursive: true, force: true })
})

const desk = (more: object = {}) =>
  world.openDesk({
    ...{ kktMode: 'none', terminalMode: 'command', idAgent, terminalProgram: bank.program, refundLimit: 100_000 },
    ...{ terminalPay: '1 {копейки}', terminalRefund: '3 {копейки} {rrn}', terminalFiles: 'e p' },
    ...more,
  })
const pay = async (idDesk: number, key = world.key()) => {
  const body = { key, idDesk, idCustomer: await world.patient(), parts: [{ method: 'card', sum: 700.5 }] }
  return { again: () => cashier.post('/payments/take', body), answer: await cashier.post('/payments/take', body) }
}
const part = async (idPayment: number) =>
  good(await keeper.get(`/payments/parts?filter[idPayment]=${idPayment}`)).items[0]

it.each(['ibm866', 'windows-1251', 'utf-8'] as const)(
  'reads an approval in %s, and refunds by its reference',
  async (encoding) => {
    bank.encoding = encoding
    const { idDesk } = await desk({ terminalEncoding: encoding })
    const { answer } = await pay(idDesk)
    const payment = good(answer)
    expect(payment).toMatchObject({ idStatus: 2, sum: 700.5 })
    expect(bank.operations).toMatchObject([{ command: '1', kopecks: 70_050 }])
    const { rrn } = bank.operations[0] as { rrn: string }
    expect(await part(payment.id)).toMatchObject({ terminalState: 'approved', terminal: { rrn } })
    good(
      await cashier.post(`/payments/${payment.id}/refund`, {
        ...{ key: world.key(), reason: 'Отменили визит' },
        parts: [{ method: 'card', sum: 200 }],
      }),
    )
    expect(bank.operations[1]).toMatchObject({ command: '3', kopecks: 20_000, of: rrn })
  },
)

it("refuses with the bank's wording", async () => {
  bank.mood = 'declines'
  const { idDesk } = await desk()
  const { answer } = await pay(idDesk)
  expect([answer.status, answer.body.code, answer.body.message]).toEqual([
    409,
    'declined',
    'Оплата не прошла: 4451,НЕДОСТАТОЧНО СРЕДСТВ',
  ])
})

it.each(['dies', 'nonsense'] as const)(
  'waits for a person when the program «%s», and charges no patient twice',
  async (mood) => {
    bank.mood = mood
    const { idDesk, idShift } = await desk()
    const { answer, again } = await pay(idDesk)
    expect([answer.status, answer.body.code]).toEqual([409, 'unknown'])
    bank.mood = 'works'
    // A repeated request, manual or by the job, does not run the program again.
    expect((await again()).body.code).toBe('unknown')
    await clinic.context.jobs.run('money.settle')
    expect(bank.operations).toHaveLength(1)
    expect((await cashier.post(`/cash-shifts/${idShift}/close`, { key: world.key(), counted: 0 })).status).toBe(409)
    const [waiting] = good(await keeper.get(`/payments?filter[idDesk]=${idDesk}`)).items
    const settled = good(
      await cashier.post(`/payments/${waiting.id}/settle-by-hand`, { isApproved: true, rrn: '700000000001' }),
    )
    expect(settled).toMatchObject({ idStatus: 2 })
    expect(good(await again())).toMatchObject({ id: waiting.id, idStatus: 2 })
    expect(bank.operations).toHaveLength(1)
  },
)

it('runs only the program that the agent allows', async () => {
  const { idDesk } = await desk({ terminalProgram: '/bin/sh' })
  const { answer } = await pay(idDesk)
  expect(answer.status).toBe(409)
  expect(answer.body.message).toContain('Программа не разрешена')
  expect(bank.operations).toHaveLength(0)
})
