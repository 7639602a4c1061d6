/** Every client of an outside system against every fault: what is certain is told as certain, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { live, Unheard } from '#areas/metrika/client.ts'
import { atolOnlineKkt } from '#areas/money/atolOnline.ts'
import { DeviceError, type PrintTask } from '#areas/money/devices.ts'
import { AnswerFault, yookassa } from '#areas/money/yookassa.ts'
import { askModel } from '#areas/prompts/llm.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { openOutbound } from '#platform/outbound.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import { smsGateway } from '#platform/sms.ts'
import { type SmsProvider, smsProvider } from '#platform/smsProviders.ts'
import { startAiSimulator } from './aiSimulator.ts'
import { startAtolOnlineSimulator } from './atolOnlineSimulator.ts'
import { type Fault, type FaultProxy, faults, startFaultProxy } from './faultProxy.ts'
import { startMetrikaSimulator } from './metrikaSimulator.ts'
import { startCarriersSimulator } from './smsProvidersSimulator.ts'
import { startSmsSimulator } from './smsSimulator.ts'
import { startYookassaSimulator } from './yookassaSimulator.ts'

/** Milliseconds: a late answer comes within them, a silent one does not. */
const PATIENCE = 1_500

type Verdict = 'done' | 'certain' | 'unknown'
/** Verdicts that are true after a fault. A request that breaks before it is read may be told as unknown. */
const truths: Readonly<Record<Fault, readonly Verdict[]>> = {
  refused: ['unknown', 'certain'],
  silent: ['unknown'],
  late: ['done'],
  lost: ['unknown'],
  twice: ['done'],
  html: ['unknown'],
  half: ['unknown'],
  short: ['unknown'],
  fails: ['unknown'],
  busy: ['certain'],
  stranger: ['certain', 'unknown'],
}

interface Wire {
  start(): Promise<{ url: string; close(): Promise<void> }>
  /** Base path of the simulator. */
  path?: string
  /** One request that changes something there, under a key of its own. */
  act(url: string, key: string): Promise<Verdict>
}

const outbound = openOutbound()
const exchanged = async () => {}
const byRemote = (url: string) =>
  remote(
    { outbound, exchanged },
    { adapter: 'yookassa', url, isOwn: true, timeout: PATIENCE, auth: () => ({ authorization: 'Basic a2V5OnM=' }) },
  )

const receipt: PrintTask['receipt'] = {
  items: [
    { name: 'Приём', price: 10_000, quantity: 1, amount: 10_000, settlement: 'fullPayment', subject: 4, tax: 'none' },
  ],
  payments: [{ type: 'electronically', sum: 10_000 }],
  total: 10_000,
}

const sms = (provider: SmsProvider): Wire => ({
  start: startCarriersSimulator,
  path: { smsc: '/smsc', smsru: '/smsru', smsaero: '/aero' }[provider],
  act: (url, key) =>
    smsBy(smsProvider(provider, { url, login: 'clinic', key: 'key', sender: 'CLINIC', timeout: PATIENCE }), key),
})
const smsBy = async (gateway: ReturnType<typeof smsGateway>, key: string): Promise<Verdict> => {
  const { outcome } = await gateway.send({ to: '+79161234567', text: `Визит ${key}`, key })
  return outcome === 'accepted' ? 'done' : outcome === 'failed' ? 'certain' : 'unknown'
}

const wires: Readonly<Record<string, Wire>> = {
  ЮKassa: {
    start: startYookassaSimulator,
    async act(url, key) {
      try {
        await yookassa(byRemote(url)).create({
          key,
          kopecks: 100,
          about: 'Приём',
          returnUrl: 'http://clinic.test',
          metadata: {},
        })
        return 'done'
      } catch (error) {
        if (error instanceof AnswerFault) return 'certain'
        if (error instanceof RemoteFault) return error.mayHaveArrived ? 'unknown' : 'certain'
        throw error
      }
    },
  },
  'АТОЛ Онлайн': {
    start: startAtolOnlineSimulator,
    async act(url, key) {
      const desk = {
        group: 'g',
        login: 'l',
        password: 'p',
        email: 'a@b.ru',
        address: 'https://b.ru',
        inn: '7707083893',
        taxSystem: null,
      }
      const task: PrintTask = {
        key,
        request: key,
        kind: 'sell',
        receipt,
        idPayment: 1,
        expectedFd: null,
        operator: null,
        day: '2026-11-29',
      }
      try {
        await atolOnlineKkt(byRemote(url), desk, url).print(task)
        return 'done'
      } catch (error) {
        if (error instanceof DeviceError) return error.isCertain ? 'certain' : 'unknown'
        throw error
      }
    },
  },
  Метрика: {
    start: startMetrikaSimulator,
    async act(url, key) {
      try {
        await live(outbound, url, '1', 'token').upload('a,b', 'client', key)
        return 'done'
      } catch (error) {
        if (error instanceof Unheard) return 'unknown'
        if (error instanceof AdapterFault) return 'certain'
        throw error
      }
    },
  },
  Нейросеть: {
    start: startAiSimulator,
    path: '/v1',
    async act(url, key) {
      const place = { mode: 'prod', url, model: '', name: 'simulator' } as const
      const { is } = await askModel(place, { system: 'Ответь JSON', user: key, model: '', temperature: 0 }, PATIENCE)
      return is === 'said' ? 'done' : is === 'refused' ? 'certain' : 'unknown'
    },
  },
  'Шлюз СМС': {
    start: startSmsSimulator,
    act: (url, key) => smsBy(smsGateway(url, { timeout: PATIENCE }), key),
  },
  SMSC: sms('smsc'),
  'SMS.RU': sms('smsru'),
  'SMS Aero': sms('smsaero'),
}

describe.each(Object.entries(wires))('%s', (name, wire) => {
  let simulator: Awaited<ReturnType<Wire['start']>>
  let proxy: FaultProxy
  beforeAll(async () => {
    simulator = await wire.start()
    proxy = await startFaultProxy(`${simulator.url}${wire.path ?? ''}`)
    expect(await wire.act(proxy.url, 'first')).toBe('done')
  })
  afterAll(async () => {
    await proxy.close()
    await simulator.close()
  })

  // Метрика waits for 20 s, and its time is no setting.
  const met: Fault[] = faults.filter((fault) => name !== 'Метрика' || fault !== 'silent')
  it.each(met)('%s', async (fault) => {
    proxy.fault = fault
    const verdict = await wire.act(proxy.url, `key-${fault}`)
    proxy.fault = undefined
    expect(truths[fault]).toContain(verdict)
    // The next request is as good as the first.
    expect(await wire.act(proxy.url, `after-${fault}`)).toBe('done')
  })
})
