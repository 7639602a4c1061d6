/**
 * Simulators of Mango Office and Zadarma: a page whose buttons send call events to the product, in order, duplicated, late
 * and forged; and their API for outgoing calls. `npm run telephony` runs it (MANGO_URL=http://127.0.0.1:8100/mango,
 * ZADARMA_URL=http://127.0.0.1:8100/zadarma); set «Ключ АТС» to `key` and «Секрет АТС» to `secret`.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { play, say, showPage } from './simulatorPage.ts'

const [KEY, SECRET] = ['key', 'secret']
const scenes = [
  'mango-answered',
  'mango-transfer',
  'mango-missed',
  'mango-doubled',
  'mango-backwards',
  'mango-forged',
  'zadarma-answered',
  'zadarma-missed',
  'zadarma-late',
] as const
type Scene = (typeof scenes)[number]

/** Requests of a scenario, in order. */
function formsOf(scene: Scene, now: number): { path: string; form: Record<string, string>; signature?: string }[] {
  const entry = randomUUID()
  const phone = `7916${String(now).slice(-7)}`
  if (scene.startsWith('mango')) {
    const side = (extension: string) => ({ from: { number: phone }, to: { extension, line_number: '74951234567' } })
    const state = (call_id: string, seq: number, call_state: string, after: number, extension = '201') => ({
      kind: 'call',
      told: {
        entry_id: entry,
        call_id,
        seq,
        call_state,
        timestamp: Math.floor(now / 1000) + after,
        location: 'abonent',
        ...side(extension),
      },
    })
    const talk = [state('a', 1, 'Appeared', 0), state('a', 2, 'Connected', 6), state('a', 3, 'Disconnected', 60)]
    const events = {
      'mango-answered': talk,
      'mango-transfer': [
        ...talk,
        state('b', 1, 'Appeared', 58, '202'),
        state('b', 2, 'Connected', 61, '202'),
        state('b', 3, 'Disconnected', 120, '202'),
      ],
      'mango-missed': [state('a', 1, 'Appeared', 0), state('a', 2, 'Disconnected', 25)],
      'mango-doubled': talk.flatMap((one) => [one, one]),
      'mango-backwards': talk.toReversed(),
      'mango-forged': talk,
    }[scene as 'mango-answered']
    return events.map(({ kind, told }) => {
      const json = JSON.stringify(told)
      const sign = createHash('sha256')
        .update(`${KEY}${json}${scene === 'mango-forged' ? 'guess' : SECRET}`)
        .digest('hex')
      return { path: `/telephony/mango/events/${kind}`, form: { vpbx_api_key: KEY, sign, json } }
    })
  }
  const own = {
    pbx_call_id: `in_${entry}`,
    caller_id: phone,
    called_did: '74951234567',
    call_start: new Date(now + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
  }
  const signed = (form: Record<string, string>, fields: readonly string[]) => {
    const hex = createHmac('sha1', SECRET)
      .update(fields.map((name) => form[name] ?? '').join(''))
      .digest('hex')
    return { path: '/telephony/zadarma', form, signature: Buffer.from(hex).toString('base64') }
  }
  const usual = ['caller_id', 'called_did', 'call_start']
  const start = signed({ event: 'NOTIFY_START', ...own }, usual)
  const rings = signed({ event: 'NOTIFY_INTERNAL', ...own, internal: '201' }, usual)
  const ends = (disposition: string, duration: string) =>
    signed(
      {
        event: 'NOTIFY_END',
        ...own,
        disposition,
        duration,
        ...(disposition === 'answered' && { last_internal: '201' }),
      },
      usual,
    )
  if (scene === 'zadarma-missed') return [start, rings, ends('no answer', '0')]
  return scene === 'zadarma-late' ? [ends('answered', '30'), rings, start] : [start, rings, ends('answered', '30')]
}

async function startTelephonySimulator(port: number, product: string) {
  const lines: string[] = []
  let latest = ''
  return play(port, async (request, reply, body, url) => {
    if (url.pathname.startsWith('/mango') || url.pathname.startsWith('/zadarma')) {
      lines.push(`← ${request.method} ${request.url} ${body}`)
      return say(reply, 200, { result: 1000, status: 'success' })
    }
    const scene = scenes.find((one) => url.search === `?${one}`)
    if (scene) {
      latest = scene
      for (const { path, form, signature } of formsOf(scene, Date.now())) {
        const answer = await fetch(`${product}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...(signature && { signature }) },
          body: new URLSearchParams(form).toString(),
        }).catch((error: Error) => ({ status: String(error.cause ?? error) }))
        lines.push(`→ ${path} ${JSON.stringify(form)}: ${answer.status}`)
      }
    }
    return showPage(reply, 'Облачная телефония', { moods: scenes, mood: latest, lines })
  })
}

/** Port of `npm run telephony`; the product is at its default port, or at the given address. */
const PORT = 8100
if (import.meta.main)
  console.log(
    `Облачная телефония играется здесь: ${(await startTelephonySimulator(PORT, process.argv[2] ?? 'http://127.0.0.1:8080')).url}`,
  )
