import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export const SALT = { key: 'bench-key', secret: 'bench-salt' }

/** Events of a call that is answered and transferred. */
export function callOf(at: number): object[] {
  const start = Math.floor(Date.now() / 1000) - 200
  const side = (extension: string) => ({
    from: { number: `7916${String(at).padStart(7, '0')}` },
    to: { extension, line_number: '74951234567' },
  })
  const state = (call_id: string, seq: number, call_state: string, after: number, extension: string) => ({
    ...{ entry_id: `bench-call-${at}`, call_id, seq, call_state, timestamp: start + after, location: 'abonent' },
    ...side(extension),
  })
  return [
    state('a', 1, 'Appeared', 0, '201'),
    state('a', 2, 'Connected', 6, '201'),
    state('a', 3, 'Disconnected', 60, '201'),
    state('b', 1, 'Appeared', 58, '202'),
    state('b', 2, 'Connected', 61, '202'),
    state('b', 3, 'Disconnected', 120, '202'),
  ]
}

/** Reordered and partly duplicated, reproducibly by number. */
export function shuffled(events: object[], at: number): object[] {
  const all = at % 3 === 0 ? [...events, ...events.slice(0, 3)] : events
  const by = (index: number) => createHash('sha1').update(`${at}/${index}`).digest('hex')
  return at % 2 === 0
    ? all
    : all
        .map((one, index) => [by(index), one] as const)
        .sort((a, b) => (a[0] < b[0] ? -1 : 1))
        .map(([, one]) => one)
}

export async function postMango(url: string, body: object): Promise<void> {
  const json = JSON.stringify(body)
  const sign = createHash('sha256').update(`${SALT.key}${json}${SALT.secret}`).digest('hex')
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`${url}/telephony/mango/events/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ vpbx_api_key: SALT.key, sign, json }).toString(),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined)
    await answer?.text().catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(200)
  }
  throw new Error('the events of a call were not taken')
}
