/**
 * Simulators of Mango Office and Zadarma: a page whose buttons lead one call step by step, or send whole calls to the
 * product, also doubled, late and forged; and their API for calls dialled from the screen and for recordings.
 * `npm run simulate telephony` runs it (MANGO_URL=http://127.0.0.1:8100/mango, ZADARMA_URL=http://127.0.0.1:8100/zadarma); set the
 * key to `key` and the secret to `secret`.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type Simulator, say, simulator } from './simulator.ts'

const [KEY, SECRET] = ['key', 'secret']
const LINE = '74951234567'
/** Extensions of who answers, and of who gets the call then. */
const [FIRST, SECOND] = ['201', '202']

/** Steps of one call, in the words of the page. */
const steps = {
  rings: 'звонит',
  answers: 'ответили',
  moves: 'переводят',
  takes: 'перевели',
  ends: 'повесили трубку',
  gives: 'сдались',
  records: 'готова запись',
} as const
type Step = keyof typeof steps
const scenes = {
  answered: ['rings', 'answers', 'ends'],
  transfer: ['rings', 'answers', 'moves', 'takes', 'ends'],
  missed: ['rings', 'gives'],
  recorded: ['rings', 'answers', 'ends', 'records'],
  doubled: ['rings', 'rings', 'answers', 'answers', 'ends', 'ends'],
  backwards: ['ends', 'answers', 'rings'],
  forged: ['rings', 'answers', 'ends'],
} satisfies Record<string, readonly Step[]>
type Scene = keyof typeof scenes

interface Conversation {
  entry: string
  /** The patient's. */
  phone: string
  /** Milliseconds of the epoch. */
  begin: number
  extension: string
  /** The name that the product gave a call dialled from its screen. */
  command?: string
}

interface Notice {
  path: string
  form: Record<string, string>
  signature?: string
}

/** Seconds after the beginning at which each step takes place, when a whole call is sent at once. */
const moments: Record<Step, number> = { rings: 0, answers: 6, moves: 40, takes: 45, ends: 120, gives: 25, records: 121 }

function mango(call: Conversation, step: Step, after: number, secret: string): Notice[] {
  const notice = (kind: string, more: object): Notice => {
    const json = JSON.stringify({ entry_id: call.entry, ...more })
    const sign = createHash('sha256').update(`${KEY}${json}${secret}`).digest('hex')
    return { path: `/telephony/mango/events/${kind}`, form: { vpbx_api_key: KEY, sign, json } }
  }
  const outward = { from: { extension: call.extension }, to: { number: call.phone, line_number: LINE } }
  const state = (leg: 'a' | 'b', seq: number, call_state: string) =>
    notice('call', {
      ...{ call_id: leg, seq, call_state, timestamp: Math.floor(call.begin / 1000) + after, location: 'abonent' },
      ...(call.command
        ? { command_id: call.command, ...outward }
        : {
            from: { number: call.phone },
            to: { extension: leg === 'a' ? FIRST : SECOND, line_number: LINE },
          }),
    })
  switch (step) {
    case 'rings':
      return [state('a', 1, 'Appeared')]
    case 'answers':
      return [state('a', 2, 'Connected')]
    case 'moves':
      return [state('b', 1, 'Appeared')]
    case 'takes':
      return [state('b', 2, 'Connected'), state('a', 3, 'Disconnected')]
    case 'ends':
    case 'gives':
      return [state(call.extension === SECOND && !call.command ? 'b' : 'a', 3, 'Disconnected')]
    case 'records':
      return [notice('recording', { recording_id: `rec-${call.entry}`, recording_state: 'Completed' })]
  }
}

function zadarma(call: Conversation, step: Step, after: number, secret: string): Notice[] {
  const isOut = call.command !== undefined
  const clock = new Date(call.begin + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const own: Record<string, string> = isOut
    ? { pbx_call_id: call.entry, internal: call.extension, destination: call.phone, call_start: clock }
    : { pbx_call_id: call.entry, caller_id: call.phone, called_did: LINE, call_start: clock }
  const notice = (event: string, more: Record<string, string>, fields: readonly string[]): Notice => {
    const form: Record<string, string> = { event, ...own, ...more }
    const words = fields.map((name) => form[name] ?? '').join('')
    const hex = createHmac('sha1', secret).update(words).digest('hex')
    return { path: '/telephony/zadarma', form, signature: Buffer.from(hex).toString('base64') }
  }
  const usual = isOut ? ['internal', 'destination', 'call_start'] : ['caller_id', 'called_did', 'call_start']
  const rings = (internal: string) => notice('NOTIFY_INTERNAL', { internal }, usual)
  const answers = (internal: string) =>
    notice('NOTIFY_ANSWER', { internal, destination: internal }, ['caller_id', 'destination', 'call_start'])
  const over = isOut ? 'NOTIFY_OUT_END' : 'NOTIFY_END'
  switch (step) {
    case 'rings':
      return isOut ? [notice('NOTIFY_OUT_START', {}, usual)] : [notice('NOTIFY_START', {}, usual), rings(FIRST)]
    case 'answers':
      return isOut ? [] : [answers(FIRST)]
    case 'moves':
      return [rings(SECOND)]
    case 'takes':
      return [answers(SECOND)]
    case 'ends': {
      const duration = String(Math.max(1, after - moments.answers))
      const more = { disposition: 'answered', duration, ...(!isOut && { last_internal: call.extension }) }
      return [notice(over, more, usual)]
    }
    case 'gives':
      return [notice(over, { disposition: 'no answer', duration: '0' }, usual)]
    case 'records':
      return [notice('NOTIFY_RECORD', { call_id_with_rec: `rec-${call.entry}` }, ['pbx_call_id', 'call_id_with_rec'])]
  }
}

const providers = { mango, zadarma } as const
type Provider = keyof typeof providers

/** A second of silence as a sound of 8 kHz. */
function recording(): Buffer {
  const sound = Buffer.alloc(8_000, 0x80)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + sound.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(sound.length, 40)
  return Buffer.concat([head, sound])
}

/** @param product where events are sent */
async function startTelephonySimulator(port: number, product: string) {
  const lines: string[] = []
  const current: Partial<Record<Provider, Conversation>> = {}

  async function post(provider: Provider, notices: readonly Notice[]): Promise<void> {
    for (const { path, form, signature } of notices) {
      const answer = await fetch(`${product}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...(signature && { signature }) },
        body: new URLSearchParams(form).toString(),
      }).catch((error: Error) => ({ status: String(error.cause ?? error) }))
      lines.push(`→ ${provider} ${path} ${JSON.stringify(form)}: ${answer.status}`)
    }
  }

  const begin = (provider: Provider, more: Partial<Conversation> = {}): Conversation => {
    const now = Date.now()
    const entry = provider === 'zadarma' ? `${more.command ? 'out' : 'in'}_${randomUUID()}` : randomUUID()
    return (current[provider] = { entry, phone: `7916${String(now).slice(-7)}`, begin: now, extension: FIRST, ...more })
  }

  /** One step of the call that goes on, as time passes. */
  async function go(provider: Provider, step: Step): Promise<void> {
    const call = step === 'rings' || !current[provider] ? begin(provider) : (current[provider] as Conversation)
    if (step === 'takes') call.extension = SECOND
    await post(provider, providers[provider](call, step, Math.round((Date.now() - call.begin) / 1000), SECRET))
  }

  async function whole(provider: Provider, scene: Scene): Promise<void> {
    const list: readonly Step[] = scenes[scene]
    const call = begin(provider, { begin: Date.now() - 130_000 })
    for (const step of list) {
      if (step === 'takes') call.extension = SECOND
      await post(provider, providers[provider](call, step, moments[step], scene === 'forged' ? 'guess' : SECRET))
    }
  }

  /** A call dialled from the screen: the employee's phone rings, and the rest is led from the page. */
  async function dialled(provider: Provider, url: URL, body: string): Promise<void> {
    const asked = provider === 'mango' ? JSON.parse(new URLSearchParams(body).get('json') ?? '{}') : undefined
    const call = begin(provider, {
      extension: asked?.from?.extension ?? url.searchParams.get('from') ?? FIRST,
      phone: (asked?.to_number ?? url.searchParams.get('to') ?? '').replace(/\D/g, ''),
      command: asked?.command_id ?? 'callback',
    })
    await post(provider, providers[provider](call, 'rings', 0, SECRET))
  }

  const names = Object.keys(providers) as Provider[]
  const server: Simulator = await simulator({
    port,
    page: {
      title: 'Облачная телефония',
      lines: () => lines,
      actions: () =>
        names.flatMap((one) => [
          ...(Object.keys(scenes) as Scene[]).map(
            (scene) => [`${one}-${scene}`, `${one}-${scene}`, () => whole(one, scene)] as const,
          ),
          ...(Object.keys(steps) as Step[]).map(
            (step) => [`${one}-${step}`, `${one}: ${steps[step]}`, () => go(one, step)] as const,
          ),
        ]),
    },
    routes(request, reply, body, url): unknown {
      const provider = names.find((one) => url.pathname.startsWith(`/${one}/`))
      if (!provider) return say(reply, 404, {})
      lines.push(`← ${request.method} ${request.url} ${body}`)
      if (url.pathname.includes('/recording/link/')) return reply.writeHead(200).end(recording())
      if (url.pathname.endsWith('/callback') || url.pathname.endsWith('/callback/'))
        setTimeout(() => void dialled(provider, url, body), 300)
      return say(reply, 200, {
        ...{ result: 1000, status: 'success' },
        ...(url.pathname.includes('/record/request') && {
          link: `${server.url}/zadarma/recording/link/${url.searchParams.get('call_id')}`,
        }),
      })
    },
  })
  return server
}

/** Port of `npm run simulate telephony`; the product is at its default port, or at the given address. */
const PORT = 8100
if (import.meta.main)
  console.log(
    `Облачная телефония играется здесь: ${(await startTelephonySimulator(PORT, process.argv[2] ?? 'http://127.0.0.1:8080')).url}`,
  )
