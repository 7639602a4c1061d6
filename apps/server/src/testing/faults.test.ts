/** Every client of an outside system against every fault: what is certain is told as certain, and nothing else. */
import { createHash } from 'node:crypto'
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import { type AdapterCode, adapters } from '@ordinator/model/areas/exchange/exchangeMessage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudLine } from '#areas/calls/telephony/cloud.ts'
import { adapters as messengers } from '#areas/chats/channels/adapters.ts'
import type { ChannelSecret } from '#areas/chats/channels/secrets.ts'
import { sfrOf } from '#areas/eln/sfr.ts'
import { adaptersOf } from '#areas/exchange/health.ts'
import { live, Unheard } from '#areas/metrika/client.ts'
import { atolOnlineKkt } from '#areas/money/atolOnline.ts'
import { DeviceError, type PrintTask } from '#areas/money/devices.ts'
import { AnswerFault, yookassa } from '#areas/money/yookassa.ts'
import { askModel } from '#areas/prompts/llm.ts'
import { signatureForSimulator } from '#areas/signatures/index.ts'
import { mdlpOf } from '#areas/warehouse/mdlp/wire.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import { openOutbound } from '#platform/outbound.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import { smsGateway } from '#platform/sms.ts'
import { type SmsProvider, smsProvider } from '#platform/smsProviders.ts'
import { startAiSimulator } from './aiSimulator.ts'
import { type AtolOnlineSimulator, startAtolOnlineSimulator } from './atolOnlineSimulator.ts'
import { startEgisz } from './egiszSimulator.ts'
import { startElnSimulator } from './elnSimulator.ts'
import { type Fault, type FaultProxy, faults, startFaultProxy } from './faultProxy.ts'
import { good } from './good.ts'
import { type Clinic, testApp } from './harness.ts'
import { MAX_TOKEN, startMaxSimulator } from './maxSimulator.ts'
import { type MdlpSimulator, startMdlpSimulator } from './mdlpSimulator.ts'
import { startMetrikaSimulator } from './metrikaSimulator.ts'
import { addPerson } from './people.ts'
import { play, say } from './simulatorPage.ts'
import { startCarriersSimulator } from './smsProvidersSimulator.ts'
import { startSmsSimulator } from './smsSimulator.ts'
import { startTelegramSimulator, TOKEN } from './telegramSimulator.ts'
import { startVkSimulator, VK_TOKEN } from './vkSimulator.ts'
import { startWhatsappSimulator, WHATSAPP_SECRET, WHATSAPP_SENDER, WHATSAPP_TOKEN } from './whatsappSimulator.ts'
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

type Simulator = { url: string; close(): Promise<void> }
interface Wire {
  start(): Promise<Simulator>
  /** Milliseconds of its silence are no setting: it is not waited for. */
  isPatient?: true
  /** Base path of the simulator. */
  path?: string
  /** One request that changes something there, under a key of its own. */
  act(url: string, key: string): Promise<Verdict>
  /** Signs in anew after a refused sign-in, as a person's check does. */
  signIn?(url: string): Promise<unknown>
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

const cloudKkt = (url: string) =>
  atolOnlineKkt(
    byRemote(url),
    {
      ...{ group: 'g', login: 'l', password: 'p', email: 'a@b.ru', address: 'https://b.ru', inn: '7707083893' },
      taxSystem: null,
    },
    url,
  )
async function printed(url: string, key: string): Promise<Verdict> {
  try {
    await cloudKkt(url).print({
      ...{ key, request: key, kind: 'sell', receipt, idPayment: 1, expectedFd: null, operator: null },
      day: '2026-11-29',
    })
    return 'done'
  } catch (error) {
    if (error instanceof DeviceError) return error.isCertain ? 'certain' : 'unknown'
    throw error
  }
}

/** A line of a chat, as a messenger's adapter sends it. `to`: a chat of any visitor. */
const messenger = (kind: ChannelKind, start: Wire['start'], secret: Partial<ChannelSecret>, to: string): Wire => ({
  start,
  isPatient: true,
  async act(url, key) {
    const access = { token: '', secret: 's', confirmation: null, appSecret: '', sender: '', ...secret }
    const config = { telegramUrl: url, vkUrl: url, maxUrl: url, whatsappUrl: url }
    const number = Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 8), 16)
    const { outcome } = await messengers[kind].send(config, access, {
      key: number,
      to,
      text: `Визит ${key}`,
      files: [],
    })
    return outcome === 'sent' ? 'done' : outcome === 'unknown' ? 'unknown' : 'certain'
  },
})

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
    act: printed,
    signIn: async (url) => cloudKkt(url).signIn?.(),
  },
  Метрика: {
    isPatient: true,
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
  Telegram: messenger('telegram', startTelegramSimulator, { token: TOKEN }, '501'),
  ВКонтакте: messenger('vk', startVkSimulator, { token: VK_TOKEN }, '501'),
  MAX: messenger('max', startMaxSimulator, { token: MAX_TOKEN }, '501'),
  WhatsApp: messenger(
    'whatsapp',
    startWhatsappSimulator,
    { token: WHATSAPP_TOKEN, sender: WHATSAPP_SENDER, appSecret: WHATSAPP_SECRET },
    '79161000001',
  ),
}

describe.each(Object.entries(wires))('%s', (_name, wire) => {
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

  const met: Fault[] = faults.filter((fault) => !wire.isPatient || fault !== 'silent')
  it.each(met)('%s', async (fault) => {
    proxy.fault = fault
    const verdict = await wire.act(proxy.url, `key-${fault}`)
    proxy.fault = undefined
    expect(truths[fault]).toContain(verdict)
    await wire.signIn?.(proxy.url)
    // The next request is as good as the first.
    expect(await wire.act(proxy.url, `after-${fault}`)).toBe('done')
  })
})

/** Settings of the clinic that connect each system to its simulator, behind a proxy of faults. */
const state = { eln: '/eln', snils: '/snils', tfoms: '/tfoms' } as const
const cards = ['eln', 'snils', 'tfoms', 'mdlp', 'egisz', 'nsi', 'mango'] as const

describe('in a clinic', () => {
  let clinic: Clinic
  let mdlp: MdlpSimulator
  let simulators: Simulator[]
  const proxies: FaultProxy[] = []
  const numbers = async (): Promise<Verdict> => {
    const said = await (await sfrOf(clinic.context)).newNumbers('1027700132195', 1)
    return said.isGood ? 'done' : 'certain'
  }

  beforeAll(async () => {
    mdlp = await startMdlpSimulator()
    const [sfr, egisz, pbx] = await Promise.all([
      startElnSimulator(),
      startEgisz({}),
      play(0, (_request, reply) => say(reply, 200, { result: 1000 })),
    ])
    simulators = [mdlp, sfr, egisz, pbx]
    const through = async (url: string) => {
      const proxy = await startFaultProxy(url)
      proxies.push(proxy)
      return proxy.url
    }
    const [own, register, registry, exchange] = await Promise.all(
      [sfr, egisz, mdlp, pbx].map(({ url }) => through(url)),
    )
    clinic = await testApp({
      env: {
        ...Object.fromEntries(
          Object.entries(state).map(([name, path]) => [`${name.toUpperCase()}_URL`, `${own}${path}`]),
        ),
        EGISZ_URL: register as string,
        MDLP_URL: registry as string,
        MANGO_URL: exchange as string,
      },
      outbound: { allow: ['127.0.0.1'], timeout: PATIENCE },
      prepare: (app) => addPerson(app, 'chief', ['mainSettings', 'editUsers', 'viewElnList', 'manageSignatures']),
    })
    good(
      await clinic.as('chief').put('/settings/common', {
        ...{ elnMode: 'test', sosnilsSearch: true, sosnilsMode: 'test', tfomsMode: 'test', tfomsCode: '630001' },
        ...{ mdlpMode: 'test', mdlpClientId: 'clinic', mdlpUser: 'chief', mdlpPassword: 'demo' },
        ...{ egiszMode: 'simulator', egiszOid: '1.2.643.5.1.13.13.12.2.63.9999' },
        ...{ telephonyProvider: 'mango', telephonyKey: 'key', telephonySecret: 'salt' },
      }),
    )
  })
  afterAll(async () => {
    await clinic.close()
    await Promise.all([...proxies, ...simulators].map((one) => one.close()))
  })

  it.each(faults.filter((fault) => fault !== 'silent'))('each card tells: %s', async (fault) => {
    const on = (await adaptersOf(clinic.context)).filter(({ key }) => (cards as readonly string[]).includes(key))
    expect(on.map(({ key, mode }) => [key, mode !== 'off'])).toEqual(
      expect.arrayContaining(cards.map((key) => [key, true])),
    )
    for (const proxy of proxies) proxy.fault = fault
    for (const card of on) {
      const told = await Promise.resolve(card.check()).then(
        () => 'works',
        (error: unknown) => (error instanceof AdapterFault || error instanceof HttpError ? 'told' : error),
      )
      const wanted = { late: ['works'], twice: ['works', 'told'], refused: ['told'], fails: ['told'], busy: ['told'] }
      expect([card.key, told]).toEqual([
        card.key,
        expect.toBeOneOf(
          (wanted as Partial<Record<Fault, string[]>>)[fault] ?? (fault === 'stranger' ? ['told'] : ['works', 'told']),
        ),
      ])
    }
    for (const proxy of proxies) proxy.fault = undefined
  })

  const verdictOf = (work: () => Promise<unknown>): Promise<Verdict> =>
    work().then(
      () => 'done',
      (error: unknown) => {
        if (!(error instanceof RemoteFault)) throw error
        return error.mayHaveArrived ? 'unknown' : 'certain'
      },
    )
  const signature = signatureForSimulator(Buffer.from('<x/>')).toString('base64')
  /** What changes something there. */
  const acts: Readonly<Record<string, (key: string) => Promise<Verdict>>> = {
    'СФР: номера': () => verdictOf(numbers),
    МДЛП: (key) => verdictOf(async () => (await mdlpOf(clinic.context))?.send('<x/>', signature, key)),
    'Mango Office': (session) =>
      verdictOf(async () =>
        (await cloudLine(clinic.context))?.exchange.originate({
          sipPhone: '201',
          phone: '+79161234567',
          session,
          failed: () => {},
        }),
      ),
  }
  it.each(faults.filter((fault) => fault !== 'silent'))('each change is told as it is: %s', async (fault) => {
    await (await mdlpOf(clinic.context))?.check()
    for (const [name, act] of Object.entries(acts)) {
      for (const proxy of proxies) proxy.fault = fault
      const verdict = await act(`key-${fault}`)
      for (const proxy of proxies) proxy.fault = undefined
      expect([name, verdict]).toEqual([name, expect.toBeOneOf([...truths[fault]])])
      await (await mdlpOf(clinic.context))?.check()
      expect([name, await act(`after-${fault}`)]).toEqual([name, 'done'])
    }
  })

  it('does not leave numbers of sick leaves to a person where the sign-in was refused', async () => {
    for (const proxy of proxies) proxy.fault = 'stranger'
    await expect(numbers()).rejects.toMatchObject({ mayHaveArrived: false, why: 'stranger' })
    for (const proxy of proxies) proxy.fault = undefined
    expect(await numbers()).toBe('done')
  })

  describe('sign-ins by a token', () => {
    let cloud: AtolOnlineSimulator
    beforeAll(async () => {
      cloud = await startAtolOnlineSimulator()
    })
    afterAll(() => cloud.close())

    const rows = {
      'АТОЛ Онлайн': () => ({
        simulator: cloud as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'works',
        act: (key: string) => printed(cloud.url, key),
        signIn: async () => cloudKkt(cloud.url).signIn?.(),
      }),
      МДЛП: () => ({
        simulator: mdlp as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'accepts',
        async act(): Promise<Verdict> {
          try {
            await (await mdlpOf(clinic.context))?.states(['04607143560598Serial0000001'])
            return 'done'
          } catch (error) {
            if (error instanceof RemoteFault) return error.mayHaveArrived ? 'unknown' : 'certain'
            throw error
          }
        },
        signIn: async () => (await mdlpOf(clinic.context))?.check(),
      }),
    } as const

    it.each(Object.keys(rows) as (keyof typeof rows)[])('%s renews a token once, and does not hammer', async (name) => {
      const { simulator, works, act, signIn } = rows[name]()
      await signIn()
      expect(await act('first')).toBe('done')
      // It ends early, or another system of the login takes it: renewed once, and the message goes out.
      const before = simulator.tokens
      simulator.expire()
      expect(await Promise.all([act('second'), act('third')])).toEqual(['done', 'done'])
      expect(simulator.tokens - before).toBeLessThanOrEqual(2)
      // Taken at each turn: certain, after one renewal.
      const taken = simulator.tokens
      simulator.mood = 'taken'
      expect(await act('fourth')).toBe('certain')
      expect(simulator.tokens - taken).toBeLessThanOrEqual(2)
      // Refused for good: told at once, and asked once for all messages.
      simulator.mood = 'refuses'
      const asked = simulator.asked
      for (const key of ['fifth', 'sixth', 'seventh']) expect(await act(key)).toBe('certain')
      if (name === 'АТОЛ Онлайн') await expect(cloudKkt(cloud.url).state()).rejects.toThrow()
      expect(simulator.asked - asked).toBe(1)
      // A person checks after the password is right again.
      await expect(signIn()).rejects.toThrow()
      simulator.mood = works
      await signIn()
      expect(await act('eighth')).toBe('done')
    })
  })

  it('has a fault matrix for every system of the exchange journal', () => {
    const met: Record<AdapterCode, keyof typeof wires | (typeof cards)[number] | { why: string }> = {
      sms: 'SMSC',
      mail: { why: 'SMTP: mail.test.ts' },
      telegram: 'Telegram',
      vk: 'ВКонтакте',
      max: 'MAX',
      whatsapp: 'WhatsApp',
      ami: { why: 'A socket of Asterisk: telephony.test.ts' },
      agent: { why: 'Our own program: agents.test.ts' },
      kkt: 'АТОЛ Онлайн',
      terminal: { why: 'A program beside the terminal: bank.test.ts' },
      yookassa: 'ЮKassa',
      mango: 'mango',
      zadarma: { why: 'The client of mango: cloud.test.ts' },
      eln: 'eln',
      snils: 'snils',
      tfoms: 'tfoms',
      mdlp: 'mdlp',
      webhooks: { why: 'Addresses of the clinic: webhooks.test.ts' },
      egisz: 'egisz',
      nsi: 'nsi',
      laboratory: { why: 'Folders of files: partner.test.ts' },
      llm: 'Нейросеть',
      asr: { why: 'The client of the AI server' },
      metrika: 'Метрика',
    }
    for (const name of Object.values(met))
      if (typeof name === 'string') expect([...Object.keys(wires), ...cards]).toContain(name)
    expect(Object.keys(met).sort()).toEqual(Object.keys(adapters).sort())
  })
})
