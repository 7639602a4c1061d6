/** Every client of an outside system against every fault: what is certain is told as certain, and nothing else. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { AttachmentArea } from '@ordinator/model/areas/attachment/area'
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Semd } from '@ordinator/model/areas/egisz/semd'
import { SnilsQuery } from '@ordinator/model/areas/eln/snils'
import { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import { type AdapterCode, adapters } from '@ordinator/model/areas/exchange/exchangeMessage'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { perform } from '#areas/agents/index.ts'
import { tfomsAdapter } from '#areas/attachment/tfoms.ts'
import { openAmi } from '#areas/calls/telephony/ami.ts'
import { cloudLine } from '#areas/calls/telephony/cloud.ts'
import { adapters as messengers } from '#areas/chats/channels/adapters.ts'
import type { ChannelSecret } from '#areas/chats/channels/secrets.ts'
import { house as messengerHouse } from '#areas/chats/channels/wire.ts'
import { nsiConnection } from '#areas/egisz/connection.ts'
import { registerAdapter } from '#areas/egisz/register.ts'
import { sfrOf } from '#areas/eln/sfr.ts'
import { snilsAdapter } from '#areas/eln/snils.ts'
import { post } from '#areas/exchange/deliver.ts'
import { adaptersOf } from '#areas/exchange/health.ts'
import { live, Unheard } from '#areas/metrika/client.ts'
import { atolKkt } from '#areas/money/atol.ts'
import { atolOnlineKkt } from '#areas/money/atolOnline.ts'
import { bankTerminal } from '#areas/money/bankCommand.ts'
import { DeviceError, type Kkt, type PrintTask } from '#areas/money/devices.ts'
import { AnswerFault, yookassa } from '#areas/money/yookassa.ts'
import { posted } from '#areas/outside/pushing.ts'
import { askModel } from '#areas/prompts/llm.ts'
import { signatureForSimulator } from '#areas/signatures/index.ts'
import { hear } from '#areas/transcripts/asr.ts'
import { mdlpOf } from '#areas/warehouse/mdlp/wire.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import { createMailer } from '#platform/mail.ts'
import { type Outbound, openOutbound } from '#platform/outbound.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import { smsGateway } from '#platform/sms.ts'
import { type SmsProvider, smsProvider } from '#platform/smsProviders.ts'
import { systemActor } from '#records/actor.ts'
import { startAggregators } from './aggregatorsSimulator.ts'
import { startAiSimulator } from './aiSimulator.ts'
import { startAmiSimulator } from './amiSimulator.ts'
import { type AtolOnlineSimulator, startAtolOnlineSimulator } from './atolOnlineSimulator.ts'
import { startBankSimulator } from './bankSimulator.ts'
import { smallDictionary, startEgisz } from './egiszSimulator.ts'
import { startElnSimulator } from './elnSimulator.ts'
import { good } from './good.ts'
import { type Clinic, testApp } from './harness.ts'
import { startKktSimulator } from './kktSimulator.ts'
import { startMailSimulator } from './mailSimulator.ts'
import { MAX_TOKEN, startMaxSimulator } from './maxSimulator.ts'
import { type MdlpSimulator, startMdlpSimulator } from './mdlpSimulator.ts'
import { startMetrikaSimulator } from './metrikaSimulator.ts'
import { outboxDue } from './outboxDue.ts'
import { addPerson } from './people.ts'
import { type Fault, faults, say, simulator } from './simulator.ts'
import { startCarriersSimulator } from './smsProvidersSimulator.ts'
import { startSmsSimulator } from './smsSimulator.ts'
import { startTelegramSimulator, TOKEN } from './telegramSimulator.ts'
import { startVkSimulator, VK_TOKEN } from './vkSimulator.ts'
import { startWebhookReceiver } from './webhookReceiver.ts'
import { startWhatsappSimulator, WHATSAPP_SECRET, WHATSAPP_SENDER, WHATSAPP_TOKEN } from './whatsappSimulator.ts'
import { startYookassaSimulator } from './yookassaSimulator.ts'

/** Milliseconds: a late answer comes within them, a silent one does not. */
const PATIENCE = 2_000

/** Each client has a patience of its own; here none waits longer. */
function hasty(outbound: Outbound): Outbound {
  const { ask, post: send } = outbound
  return Object.assign(outbound, {
    ask: (url, options) => ask(url, { ...options, timeout: PATIENCE }),
    post: (url, body, options) => send(url, body, { ...options, timeout: PATIENCE }),
  } satisfies Partial<Outbound>)
}

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
/** The receiver's answer says nothing beside its status. */
const byStatus = { html: ['done'], half: ['done'], short: ['done', 'unknown'] } as const
/** What is certain of the whole, as nothing was changed there, or not yet. */
const doubtful = ['certain', 'unknown'] as const
const vain = { silent: doubtful, lost: doubtful, html: doubtful, half: doubtful, short: doubtful, fails: doubtful }
/** An answer of this protocol is certain: no gateway stands between. */
const direct = { fails: ['certain'] } as const

interface Wire {
  /** What plays the other side. */
  by: { fault: Fault | undefined; close(): unknown }
  /** One request that changes something there, under a key of its own. */
  act(key: string): Promise<Verdict>
  /** Verdicts that are true of this system after these faults, in place of the common ones. */
  truths?: Partial<Record<Fault, readonly Verdict[]>>
  /** Signs in anew after a refused sign-in, as a person's check does; or waits until it has done so by itself. */
  signIn?(): Promise<unknown>
}
/** Wires of a system; or why it has none, and its test. */
type Wires = Readonly<Record<string, Wire>> | { files: string }

const outbound = hasty(openOutbound())
hasty(messengerHouse.outbound)
const exchanged = async () => {}
const byRemote = (url: string) =>
  remote(
    { outbound, exchanged },
    { adapter: 'yookassa', url, isOwn: true, auth: () => ({ authorization: 'Basic a2V5OnM=' }) },
  )
/** @param done kinds of a thrown error that are certain */
const verdictOf = (work: () => Promise<unknown>): Promise<Verdict> =>
  work().then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DeviceError) return error.isCertain ? 'certain' : 'unknown'
      if (error instanceof RemoteFault) return error.mayHaveArrived ? 'unknown' : 'certain'
      if (error instanceof Unheard) return 'unknown'
      if (error instanceof AnswerFault || error instanceof AdapterFault) return 'certain'
      throw error
    },
  )
const verdictIn = ({ kind }: Outcome): Verdict =>
  kind === 'done' || kind === 'accepted' ? 'done' : kind === 'unknown' ? 'unknown' : 'certain'

const receipt: PrintTask['receipt'] = {
  items: [
    { name: 'Приём', price: 10_000, quantity: 1, amount: 10_000, settlement: 'fullPayment', subject: 4, tax: 'none' },
  ],
  payments: [{ type: 'electronically', sum: 10_000 }],
  total: 10_000,
}
const printed = (kkt: Kkt, key: string, kind: 'sell' | 'openShift' = 'sell') =>
  kkt.print({
    ...{ key, request: key, kind, receipt, idPayment: 1, expectedFd: null, operator: null },
    day: '2026-11-29',
  })
const cloudKkt = (url: string) =>
  atolOnlineKkt(
    byRemote(url),
    {
      ...{ group: 'g', login: 'l', password: 'p', email: 'a@b.ru', address: 'https://b.ru', inn: '7707083893' },
      taxSystem: null,
    },
    url,
  )

/** A line of a chat, as a messenger's adapter sends it. `to`: a chat of any visitor. */
async function messenger(
  kind: ChannelKind,
  start: () => Promise<Wire['by'] & { url: string }>,
  secret: Partial<ChannelSecret>,
  to = '501',
): Promise<Wires> {
  const by = await start()
  const access = { token: '', secret: 's', confirmation: null, appSecret: '', sender: '', ...secret }
  const config = { telegramUrl: by.url, vkUrl: by.url, maxUrl: by.url, whatsappUrl: by.url }
  return {
    [kind]: {
      by,
      async act(key) {
        const number = Number.parseInt(createHash('sha256').update(key).digest('hex').slice(0, 8), 16)
        const text = `Визит ${key}`
        const { outcome } = await messengers[kind].send(config, access, { key: number, to, text, files: [] })
        return outcome === 'sent' ? 'done' : outcome === 'unknown' ? 'unknown' : 'certain'
      },
    },
  }
}

async function sms(): Promise<Wires> {
  const [own, carriers] = await Promise.all([startSmsSimulator(), startCarriersSimulator()])
  const by = async (gateway: ReturnType<typeof smsGateway>, key: string): Promise<Verdict> => {
    const { outcome } = await gateway.send({ to: '+79161234567', text: `Визит ${key}`, key })
    return outcome === 'accepted' ? 'done' : outcome === 'failed' ? 'certain' : 'unknown'
  }
  const carrier = (provider: SmsProvider, path: string): Wire => {
    const url = `${carriers.url}${path}`
    const place = { url, login: 'clinic', key: 'key', sender: 'CLINIC', timeout: PATIENCE }
    return { by: carriers, act: (key) => by(smsProvider(provider, place), key) }
  }
  return {
    'Шлюз СМС': { by: own, act: (key) => by(smsGateway(own.url, { timeout: PATIENCE }), key) },
    SMSC: carrier('smsc', '/smsc'),
    'SMS.RU': carrier('smsru', '/smsru'),
    'SMS Aero': carrier('smsaero', '/aero'),
  }
}

async function mail(): Promise<Wires> {
  const by = await startMailSimulator()
  const mailer = createMailer({ url: by.url, from: 'clinic@b.ru', timeout: PATIENCE })
  return {
    SMTP: {
      by,
      truths: direct,
      async act(key) {
        const { outcome } = await mailer.send({ to: 'a@b.ru', subject: key, text: key, html: key })
        return outcome === 'sent' ? 'done' : outcome === 'unknown' ? 'unknown' : 'certain'
      },
    },
  }
}

async function asterisk(): Promise<Wires> {
  const by = await startAmiSimulator()
  const { hostname, port } = new URL(by.url)
  let isIn: (() => void) | undefined
  const listener = { line: (word: string) => word === 'in' && isIn?.(), event: () => {}, living: () => {} }
  const silent = { error: () => {} } as unknown as Parameters<typeof openAmi>[2]
  const entered = new Promise<void>((done) => (isIn = done))
  const line = openAmi({ host: hostname, port: Number(port), user: 'ordinator', secret: 'secret' }, listener, silent, {
    ...{ ping: 60_000, dead: PATIENCE, firstRetry: 20, lastRetry: 20, originate: 5_000 },
  })
  await entered
  return {
    AMI: {
      by: {
        get fault() {
          return by.fault
        },
        set fault(fault) {
          by.fault = fault
        },
        close() {
          line.stop()
          return by.close()
        },
      },
      truths: direct,
      act: (session) =>
        line.originate({ sipPhone: '201', phone: '+79161234567', session, failed: () => {} }).then(
          () => 'done',
          // A broken line and silence are told in these words, a refusal in the exchange's.
          ({ message }: Error) => (message === 'away' || message === 'silent' ? 'unknown' : 'certain'),
        ),
      // It signs in by itself: a moment later at most.
      signIn: () => vi.waitFor(() => line.ping(), { timeout: 5_000, interval: 20 }),
    },
  }
}

async function registers(): Promise<Wires> {
  const [cloud, driver] = await Promise.all([startAtolOnlineSimulator(), startKktSimulator()])
  const kkt = atolKkt(
    async ({ body, path, poll }) => {
      const answer = await perform(
        {
          ...{ kind: 'http', method: body === undefined ? 'GET' : 'POST', url: `${driver.url}${path}` },
          ...(body !== undefined && { body }),
          ...(poll && { poll: { url: `${driver.url}${poll.path}`, pending: poll.pending } }),
          timeout: PATIENCE,
        },
        {},
      )
      if (answer.ok) return answer
      throw new DeviceError(answer.error, { isCertain: answer.isCertain })
    },
    async () => ({ taxSystem: null }),
  )
  await printed(kkt, 'shift', 'openShift')
  return {
    'АТОЛ Онлайн': {
      by: cloud,
      act: (key) => verdictOf(() => printed(cloudKkt(cloud.url), key)),
      signIn: async () => cloudKkt(cloud.url).signIn?.(),
    },
    // The drive is read before a receipt, so that most faults are met before anything is printed.
    'Драйвер АТОЛ': {
      by: driver,
      act: (key) => verdictOf(() => printed(kkt, key)),
      truths: { ...vain, busy: ['certain', 'unknown'] },
    },
  }
}

/** What an agent does at the desk: a request to a device. */
async function agent(): Promise<Wires> {
  const by = await simulator({ routes: (_request, reply) => say(reply, 200, { done: true }) })
  return {
    'Устройство у кассы': {
      by,
      truths: byStatus,
      async act() {
        const answer = await perform(
          { kind: 'http', method: 'POST', url: `${by.url}/do`, body: '{}', timeout: PATIENCE },
          {},
        )
        if (!answer.ok) return answer.isCertain ? 'certain' : 'unknown'
        return answer.status < 300 ? 'done' : answer.status < 500 ? 'certain' : 'unknown'
      },
    },
  }
}

const BANK = join(tmpdir(), `faults-bank-${process.pid}`)
/** The bank's program, as its answers reach the terminal: it ends without an answer when its own bank is away. */
async function terminal(): Promise<Wires> {
  const bank = await startBankSimulator(BANK)
  const words = new TextDecoder('ibm866')
  const device = bankTerminal(
    {
      async run(_operation, { args }) {
        try {
          const body = JSON.stringify(args)
          const reply = await fetch(`${bank.url}/run`, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE) })
          const { files = {} } = (await reply.json()) as { files?: Record<string, string> }
          return { text: '', files: Object.values(files).map((one) => words.decode(Buffer.from(one, 'base64'))) }
        } catch {
          return { text: '' }
        }
      },
      fate: async () => undefined,
    },
    {
      ...{ terminalProgram: 'terminal', terminalPay: '1 {копейки}', terminalRefund: '3 {копейки} {rrn}' },
      ...{ terminalFiles: 'e p', terminalEncoding: 'ibm866', terminalApproved: '0,*', terminalDeclined: '????,*' },
      terminalRrn: '*: {rrn}',
    },
  )
  return {
    'Программа банка': {
      by: bank,
      act: (key) => verdictOf(() => device.pay(key, 100)),
      truths: { busy: ['unknown'] },
    },
  }
}

async function shop(): Promise<Wires> {
  const by = await startYookassaSimulator()
  const order = { kopecks: 100, about: 'Приём', returnUrl: 'http://clinic.test', metadata: {} }
  return { ЮKassa: { by, act: (key) => verdictOf(() => yookassa(byRemote(by.url)).create({ key, ...order })) } }
}

async function counter(): Promise<Wires> {
  const by = await startMetrikaSimulator()
  const upload = (key: string) => live(outbound, by.url, '1', 'token').upload('a,b', 'client', key)
  return { Метрика: { by, act: (key) => verdictOf(() => upload(key)) } }
}

async function models(): Promise<Record<'llm' | 'asr', Wires>> {
  const by = await startAiSimulator()
  const place = { mode: 'prod', url: by.url, model: '', name: 'simulator' } as const
  const wave = Buffer.alloc(44 + 16_000)
  return {
    llm: {
      Нейросеть: {
        by,
        async act(key) {
          const asked = { system: 'Ответь JSON', user: key, model: '', temperature: 0 }
          const { is } = await askModel(place, asked, PATIENCE)
          return is === 'said' ? 'done' : is === 'refused' ? 'certain' : 'unknown'
        },
      },
    },
    asr: {
      'Распознавание речи': {
        by,
        // Nothing is changed there: that it was asked in vain is all that is told.
        truths: vain,
        act: async () => ((await hear(place, wave, 'unknown', PATIENCE)).is === 'heard' ? 'done' : 'certain'),
      },
    },
  }
}

const state = { eln: '/eln', snils: '/snils', tfoms: '/tfoms' } as const
const cards = ['eln', 'snils', 'tfoms', 'mdlp', 'egisz', 'nsi', 'mango'] as const
const OID = '1.2.643.5.1.13.13.11.1002'

let clinic: Clinic
let mdlp: MdlpSimulator
const numbers = () => verdictOf(numbersAsked)
async function numbersAsked(): Promise<void> {
  const said = await (await sfrOf(clinic.context)).newNumbers('1027700132195', 1)
  if (!said.isGood) throw new AdapterFault(said.words)
}
const signature = signatureForSimulator(Buffer.from('<x/>')).toString('base64')

/** What a channel of booking is sent: the seller's answer says nothing beside its status. */
async function sellers(): Promise<Wires> {
  const by = await startAggregators()
  const wire = remote({ outbound, exchanged }, { adapter: 'sellers', url: `${by.url}/rta/api/v1`, isOwn: true })
  return {
    'Площадка записи': {
      by,
      truths: byStatus,
      act: (key) => verdictOf(() => posted(wire, { path: '/clinics', body: { clinics: [{ name: key }] } })),
    },
  }
}

/** Systems that a clinic connects by its settings. */
async function inClinic(): Promise<
  Record<'eln' | 'snils' | 'tfoms' | 'mdlp' | 'egisz' | 'nsi' | 'mango' | 'zadarma' | 'webhooks', Wires>
> {
  mdlp = await startMdlpSimulator()
  const [sfr, egisz, pbx, receiver] = await Promise.all([
    startElnSimulator(),
    startEgisz({}),
    simulator({ routes: (_request, reply) => say(reply, 200, { result: 1000, status: 'success' }) }),
    startWebhookReceiver(),
  ])
  egisz.dictionaries.set(OID, smallDictionary('1.0', { '1': 'врач' }))
  let idUser = 0
  clinic = await testApp({
    env: {
      ...Object.fromEntries(
        Object.entries(state).map(([name, path]) => [`${name.toUpperCase()}_URL`, `${sfr.url}${path}`]),
      ),
      EGISZ_URL: egisz.url,
      MDLP_URL: mdlp.url,
      MANGO_URL: pbx.url,
      ZADARMA_URL: pbx.url,
    },
    outbound: { allow: ['127.0.0.1'], timeout: PATIENCE },
    async prepare(app) {
      idUser = (await addPerson(app, 'chief', ['mainSettings', 'editUsers', 'viewElnList', 'manageSignatures'])).id
    },
  })
  const { context } = clinic
  hasty(context.outbound)
  const set = async (values: object) => good(await clinic.as('chief').put('/settings/common', values))
  const use = (telephonyProvider: string) => set({ telephonyProvider, telephonyKey: 'key', telephonySecret: 'salt' })
  await set({
    ...{ elnMode: 'test', sosnilsSearch: true, sosnilsMode: 'test', tfomsMode: 'test', tfomsCode: '630001' },
    ...{ mdlpMode: 'test', mdlpClientId: 'clinic', mdlpUser: 'chief', mdlpPassword: 'demo' },
    ...{ egiszMode: 'simulator', egiszOid: '1.2.643.5.1.13.13.12.2.63.9999' },
  })
  await use('mango')

  const system = context.engine.for(systemActor).asSystem
  const patient = await system.create(Customer, {
    ...{ surname: 'Сбоев', name: 'Пётр', birthday: '01.02.1980', gender: 'male' },
  })
  const query = await system.create(SnilsQuery, { idCustomer: patient.id })
  const now = new Date().toISOString()
  const { id: idFilial } = await system.create(Filial, { nameFilial: 'Первый', shortFilialName: 'П', filialCode: 'П1' })
  const area = await system.create(AttachmentArea, { name: '№ 1', kind: 'therapy', idFilial, idUser })
  const application = await system.create(AttachmentApplication, {
    ...{ surname: 'Сбоев', name: 'Пётр', birthday: '01.02.1980', idFilial, idArea: area.id },
    ...{ submittedAt: now, dueAt: now },
  })
  const kind = await system.create(EgiszDocument, {
    ...{ kind: 'laboratory', code: '9001', edition: 1, dateFrom: '2026-01-01' },
  })
  const semd = await system.create(Semd, {
    ...{ title: 'Справка', idKind: kind.id, source: 'taxCertificate', idSource: 1, idCustomer: patient.id },
    ...{ localUid: 'uid-1', setUid: 'set-1', findings: [], dateDocument: now },
  })
  const message = (key: string, payload: object) => ({
    ...{ id: 1, operation: 'cancel', title: '', key, subject: null, about: null, correlationId: null },
    ...{ attempts: 0, memo: undefined, payload },
  })
  const attempt = { signal: new AbortController().signal, remember: async () => {} }
  const sent = async (
    adapter: { send(...given: never[]): Promise<Outcome> },
    key: string,
    payload: object,
  ): Promise<Verdict> => {
    const send = adapter.send as (of: object, attempt: object) => Promise<Outcome>
    return verdictIn(await send(message(key, payload), attempt))
  }
  let turn: Promise<unknown> = Promise.resolve()
  /** One provider is set at a time. */
  const dial = (provider: 'mango' | 'zadarma') => (session: string) => {
    const line = turn.then(async () => {
      await use(provider)
      return cloudLine(context)
    })
    turn = line.catch(() => {})
    return verdictOf(async () =>
      (await line)?.exchange.originate({ sipPhone: '201', phone: '+79161234567', session, failed: () => {} }),
    )
  }
  return {
    eln: { 'СФР: номера': { by: sfr, act: numbers } },
    snils: {
      'СФР: СНИЛС': {
        by: sfr,
        truths: byStatus,
        act: (key) => sent(snilsAdapter(context), key, { idQuery: query.id }),
      },
    },
    tfoms: {
      ТФОМС: {
        by: sfr,
        truths: byStatus,
        act: (key) => sent(tfomsAdapter(context), key, { idApplication: application.id }),
      },
    },
    mdlp: {
      МДЛП: {
        by: mdlp,
        act: (key) => verdictOf(async () => (await mdlpOf(context))?.send('<x/>', signature, key)),
        signIn: async () => (await mdlpOf(context))?.check(),
      },
    },
    egisz: {
      РЭМД: { by: egisz, act: (key) => sent(registerAdapter(context), key, { idSemd: semd.id, reason: 'Проверка' }) },
    },
    nsi: {
      // Read only: its answer is judged by who reads it.
      НСИ: {
        by: egisz,
        truths: byStatus,
        act: () =>
          verdictOf(async () => (await nsiConnection(context)).remote.quietly({ path: `/passport?identifier=${OID}` })),
      },
    },
    mango: { 'Mango Office': { by: pbx, act: dial('mango') } },
    zadarma: { Zadarma: { by: pbx, act: dial('zadarma') } },
    webhooks: {
      // The answer's body says nothing, and a message without an answer is repeated.
      Вебхук: {
        by: receiver,
        truths: { ...byStatus, fails: ['certain'] },
        async act(key) {
          const request = JSON.stringify({ id: key })
          const { isTaken, code } = await post(context, { url: receiver.url, secret: 'whsec_c2VjcmV0', request })
          return isTaken ? 'done' : code === null ? 'unknown' : 'certain'
        },
      },
    },
  }
}

describe('an outside system', () => {
  let wires: Record<AdapterCode, Wires>
  let all: { name: string; wire: Wire }[]

  beforeAll(async () => {
    const { llm, asr } = await models()
    wires = {
      ...(await inClinic()),
      ...{ sms: await sms(), mail: await mail(), ami: await asterisk(), agent: await agent() },
      ...{ kkt: await registers(), terminal: await terminal(), yookassa: await shop(), metrika: await counter() },
      ...{ sellers: await sellers(), llm, asr },
      ...{ laboratory: { files: 'Folders of files, no network: areas/laboratory/partner.test.ts' } },
      telegram: await messenger('telegram', startTelegramSimulator, { token: TOKEN }),
      vk: await messenger('vk', startVkSimulator, { token: VK_TOKEN }),
      max: await messenger('max', startMaxSimulator, { token: MAX_TOKEN }),
      whatsapp: await messenger(
        'whatsapp',
        startWhatsappSimulator,
        { token: WHATSAPP_TOKEN, sender: WHATSAPP_SENDER, appSecret: WHATSAPP_SECRET },
        '79161000001',
      ),
    }
    all = Object.values(wires)
      .filter((of): of is Readonly<Record<string, Wire>> => typeof of.files !== 'string')
      .flatMap((of) => Object.entries(of).map(([name, wire]) => ({ name, wire })))
    expect(await acted('first')).toEqual(all.map(({ name }) => [name, 'done']))
  })
  afterAll(async () => {
    await clinic?.close()
    await Promise.all([...new Set((all ?? []).map(({ wire }) => wire.by))].map((by) => by.close()))
    rmSync(BANK, { recursive: true, force: true })
  })

  const acted = (key: string) =>
    Promise.all(all.map(async ({ name, wire }, at) => [name, await wire.act(`${key}-${at}`)] as const))
  const setAll = (fault: Fault | undefined) => {
    for (const { wire } of all) wire.by.fault = fault
  }

  it('stands in the matrix of faults, every one of the exchange journal', () => {
    expect(Object.keys(wires).sort()).toEqual(Object.keys(adapters).sort())
  })

  it.each(Object.keys(faults) as Fault[])('is told as it is: %s', async (fault) => {
    setAll(fault)
    const told = await acted(fault)
    setAll(undefined)
    for (const [at, { name, wire }] of all.entries())
      expect.soft([name, told[at]?.[1]]).toEqual([name, expect.toBeOneOf([...(wire.truths?.[fault] ?? truths[fault])])])
    await Promise.all(all.map(({ wire }) => wire.signIn?.()))
    // The next request is as good as the first.
    expect(await acted(`after-${fault}`)).toEqual(all.map(({ name }) => [name, 'done']))
  })

  it.each((Object.keys(faults) as Fault[]).filter((fault) => fault !== 'silent'))(
    'says on its card: %s',
    async (fault) => {
      const on = (await adaptersOf(clinic.context)).filter(({ key }) => (cards as readonly string[]).includes(key))
      expect(on.map(({ key, mode }) => [key, mode !== 'off'])).toEqual(
        expect.arrayContaining(cards.filter((key) => key !== 'mango').map((key) => [key, true])),
      )
      setAll(fault)
      const told = await Promise.all(
        on.map(({ check }) =>
          Promise.resolve(check()).then(
            () => 'works',
            (error: unknown) => (error instanceof AdapterFault || error instanceof HttpError ? 'told' : error),
          ),
        ),
      )
      setAll(undefined)
      const wanted = { late: ['works'], twice: ['works', 'told'], refused: ['told'], fails: ['told'], busy: ['told'] }
      const right =
        (wanted as Partial<Record<Fault, string[]>>)[fault] ?? (fault === 'stranger' ? ['told'] : ['works', 'told'])
      for (const [at, { key }] of on.entries()) expect.soft([key, told[at]]).toEqual([key, expect.toBeOneOf(right)])
    },
  )

  it('does not leave numbers of sick leaves to a person where the sign-in was refused', async () => {
    setAll('stranger')
    await expect(numbersAsked()).rejects.toMatchObject({ mayHaveArrived: false, why: 'stranger' })
    setAll(undefined)
    expect(await numbers()).toBe('done')
  })

  describe('signed in to by a token', () => {
    let cloud: AtolOnlineSimulator
    beforeAll(async () => {
      cloud = await startAtolOnlineSimulator()
    })
    afterAll(() => cloud.close())

    const rows = {
      'АТОЛ Онлайн': () => ({
        simulator: cloud as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'works',
        act: (key: string) => verdictOf(() => printed(cloudKkt(cloud.url), key)),
        signIn: async () => cloudKkt(cloud.url).signIn?.(),
      }),
      МДЛП: () => ({
        simulator: mdlp as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'accepts',
        act: () => verdictOf(async () => (await mdlpOf(clinic.context))?.states(['04607143560598Serial0000001'])),
        signIn: async () => (await mdlpOf(clinic.context))?.check(),
      }),
    } as const

    it.each(Object.keys(rows) as (keyof typeof rows)[])('%s renews a token once, and does not hammer', async (name) => {
      const { simulator: played, works, act, signIn } = rows[name]()
      await signIn()
      expect(await act('first')).toBe('done')
      // It ends early, or another system of the login takes it: renewed once, and the message goes out.
      const before = played.tokens
      played.expire()
      expect(await Promise.all([act('second'), act('third')])).toEqual(['done', 'done'])
      expect(played.tokens - before).toBeLessThanOrEqual(2)
      // Taken at each turn: certain, after one renewal.
      const taken = played.tokens
      played.mood = 'taken'
      expect(await act('fourth')).toBe('certain')
      expect(played.tokens - taken).toBeLessThanOrEqual(2)
      // Refused for good: told at once, and asked once for all messages.
      played.mood = 'refuses'
      const asked = played.asked
      for (const key of ['fifth', 'sixth', 'seventh']) expect(await act(key)).toBe('certain')
      if (name === 'АТОЛ Онлайн') await expect(cloudKkt(cloud.url).state()).rejects.toThrow()
      expect(played.asked - asked).toBe(1)
      // A person checks after the password is right again.
      await expect(signIn()).rejects.toThrow()
      played.mood = works
      await signIn()
      expect(await act('eighth')).toBe('done')
    })
  })

  describe('with a queue', () => {
    const kinds = ['done', 'accepted', 'refused', 'failed', 'unknown', 'later', 'absent'] as const
    const outcomeOf = (kind: (typeof kinds)[number]): Outcome =>
      kind === 'refused'
        ? { kind, reasons: [] }
        : kind === 'later'
          ? { kind, seconds: 60 }
          : kind === 'failed' || kind === 'unknown'
            ? { kind, error: 'Сбой' }
            : { kind }
    afterAll(() => vi.restoreAllMocks())

    it('ends each message, or leaves it due or with a button, whatever its answers', async () => {
      const { outbox, db } = clinic.context
      const registered = outbox.adapters()
      expect(registered.length).toBeGreaterThan(10)
      let left: (typeof kinds)[number][] = []
      const next = async () => outcomeOf(left.shift() ?? 'done')
      for (const adapter of registered) {
        vi.spyOn(adapter, 'send').mockImplementation(next)
        if (adapter.ask) vi.spyOn(adapter as Required<typeof adapter>, 'ask').mockImplementation(next)
        if (adapter.settled) vi.spyOn(adapter as Required<typeof adapter>, 'settled').mockResolvedValue()
        if (adapter.settledMany) vi.spyOn(adapter as Required<typeof adapter>, 'settledMany').mockResolvedValue()
      }
      let made = 0
      const check = async (
        adapter: (typeof registered)[number],
        script: readonly (typeof kinds)[number][],
        act: 'repeat' | 'cancel' | 'settleAsDone',
        payload: object,
      ) => {
        await db.query(sql`delete from outbox`)
        left = [...script]
        const lane = adapter.lane ?? adapter.code
        const operation = 'проверка'
        const key = `button-${made++}`
        const { id } = await db.tx((tx) =>
          outbox.add(tx, { adapter: adapter.code, operation, title: 'Проверка', key, lane, payload }),
        )
        for (const _ of script) {
          await outboxDue(db)
          await outbox.run(lane)
          // A run of the server itself may have claimed it before.
          await expect.poll(() => db.one(sql`select 1 from outbox where "state" = 'claimed'`)).toBeUndefined()
        }
        const row = await db.one<{ state: string; isDue: boolean }>(
          sql`select "state", "dateDue" is not null as "isDue" from outbox where "id" = ${id}`,
        )
        if (!row) return
        const changed = await outbox[act]([id], 'Проверка')
        const { state } = row
        const asIs = [lane, script, state, act]
        // A stopped one is repeated, one of an unknown outcome settled or repeated; all others are cancelled.
        if (act === 'repeat' && (state === 'dead' || state === 'unknown'))
          expect([...asIs, changed]).toEqual([...asIs, 1])
        if (act === 'settleAsDone' && state === 'unknown') expect([...asIs, changed]).toEqual([...asIs, 1])
        if (act === 'cancel' && state !== 'dead') expect([...asIs, changed]).toEqual([...asIs, 1])
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...registered),
          fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }),
          fc.constantFrom(...(['repeat', 'cancel', 'settleAsDone'] as const)),
          fc.constantFrom({}, { kind: 'numbers' }),
          check,
        ),
        { numRuns: runs(60, 1_000) },
      )
    })
  })
})
