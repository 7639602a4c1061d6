/** Clients of outside systems that need no clinic, each with its simulator. */

import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelKind } from '@ordinator/model/areas/chats/chatSettings'
import { vi } from 'vitest'
import { perform } from '#areas/agents/index.ts'
import { openAmi } from '#areas/calls/telephony/ami.ts'
import { adapters as messengers } from '#areas/chats/channels/adapters.ts'
import type { ChannelSecret } from '#areas/chats/channels/secrets.ts'
import { remoteContext } from '#areas/chats/channels/wire.ts'
import { live } from '#areas/metrika/client.ts'
import { atolKkt } from '#areas/money/atol.ts'
import { bankTerminal } from '#areas/money/bankCommand.ts'
import { DeviceError } from '#areas/money/devices.ts'
import { yookassa } from '#areas/money/yookassa.ts'
import { askModel } from '#areas/prompts/llm.ts'
import { transcribeWave } from '#areas/transcripts/asr.ts'
import { createMailer } from '#platform/mail.ts'
import { smsGateway } from '#platform/sms.ts'
import { type SmsProvider, smsProvider } from '#platform/smsProviders.ts'
import { startAiSimulator } from './aiSimulator.ts'
import { startAmiSimulator } from './amiSimulator.ts'
import { startAtolOnlineSimulator } from './atolOnlineSimulator.ts'
import { startBankSimulator } from './bankSimulator.ts'
import {
  byRemote,
  byStatus,
  cloudKkt,
  direct,
  hasty,
  outbound,
  PATIENCE,
  printed,
  type Verdict,
  vain,
  verdictOf,
  type Wire,
  type Wires,
} from './faultVerdicts.ts'
import { startKktSimulator } from './kktSimulator.ts'
import { startMailSimulator } from './mailSimulator.ts'
import { startMetrikaSimulator } from './metrikaSimulator.ts'
import { say, simulator } from './simulator.ts'
import { startCarriersSimulator } from './smsProvidersSimulator.ts'
import { startSmsSimulator } from './smsSimulator.ts'
import { startYookassaSimulator } from './yookassaSimulator.ts'

hasty(remoteContext.outbound)

/** A line of a chat, as a messenger's adapter sends it. `to`: a chat of any visitor. */
export async function messenger(
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

export async function sms(): Promise<Wires> {
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

export async function mail(): Promise<Wires> {
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

export async function asterisk(): Promise<Wires> {
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
          // A broken line and silence are reported in these words, a refusal in the exchange's.
          ({ message }: Error) => (message === 'away' || message === 'silent' ? 'unknown' : 'certain'),
        ),
      // It signs in by itself: a moment later at most.
      signIn: () => vi.waitFor(() => line.ping(), { timeout: 5_000, interval: 20 }),
    },
  }
}

export async function registers(): Promise<Wires> {
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
export async function agent(): Promise<Wires> {
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

export const BANK = join(tmpdir(), `faults-bank-${process.pid}`)
/** The bank's program, as its answers reach the terminal: it ends without an answer when its own bank is away. */
export async function terminal(): Promise<Wires> {
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

export async function shop(): Promise<Wires> {
  const by = await startYookassaSimulator()
  const order = { kopecks: 100, about: 'Приём', returnUrl: 'http://clinic.test', metadata: {} }
  return { ЮKassa: { by, act: (key) => verdictOf(() => yookassa(byRemote(by.url)).create({ key, ...order })) } }
}

export async function counter(): Promise<Wires> {
  const by = await startMetrikaSimulator()
  const upload = (key: string) => live(outbound, by.url, '1', 'token').upload('a,b', 'client', key)
  return { Метрика: { by, act: (key) => verdictOf(() => upload(key)) } }
}

export async function models(): Promise<Record<'llm' | 'asr', Wires>> {
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
          return is === 'answered' ? 'done' : is === 'refused' ? 'certain' : 'unknown'
        },
      },
    },
    asr: {
      'Распознавание речи': {
        by,
        // Nothing is changed there: the report has only the failed request.
        truths: vain,
        act: async () => ((await transcribeWave(place, wave, 'unknown', PATIENCE)).is === 'done' ? 'done' : 'certain'),
      },
    },
  }
}
