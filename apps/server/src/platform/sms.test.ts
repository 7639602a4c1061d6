import { afterEach, beforeEach, expect, it } from 'vitest'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { smsGateway } from './sms.ts'

let simulator: SmsSimulator
beforeEach(async () => {
  simulator = await startSmsSimulator()
})
afterEach(() => simulator.close())

const message = { to: '+79120001122', text: 'Здравствуйте', key: 'one' }

it('is taken and delivered, once however often it is sent', async () => {
  const gateway = smsGateway(simulator.url)
  const first = await gateway.send(message)
  expect(first).toEqual({ outcome: 'accepted', id: 'sms-1' })
  expect(await gateway.send(message)).toEqual(first)
  expect(simulator.messages).toHaveLength(1)
  expect(await gateway.deliveryOf('sms-1')).toBe('delivered')
})

it.each([
  ['refuses', { outcome: 'failed', reason: 'Номер в чёрном списке' }],
  ['broken', { outcome: 'unknown' }],
  ['silent', { outcome: 'unknown' }],
] as const)('reports what is known when the gateway %s', async (mood, outcome) => {
  simulator.mood = mood
  expect(await smsGateway(simulator.url, { timeout: 300 }).send(message)).toEqual(outcome)
})

it('goes out once though the gateway fell silent and it was sent again', async () => {
  simulator.mood = 'silent'
  const gateway = smsGateway(simulator.url, { timeout: 300 })
  expect(await gateway.send(message)).toEqual({ outcome: 'unknown' })
  simulator.mood = 'delivers'
  expect(await smsGateway(simulator.url).send(message)).toEqual({ outcome: 'accepted', id: 'sms-1' })
  expect(simulator.messages).toHaveLength(1)
})

it('reports nothing where no system answers', async () => {
  await simulator.close()
  const gateway = smsGateway(simulator.url)
  expect(await gateway.send(message)).toEqual({ outcome: 'unknown' })
  expect(await gateway.deliveryOf('sms-1')).toBe('unknown')
  simulator = await startSmsSimulator()
})
