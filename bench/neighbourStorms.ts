/** The storms of neighbours.ts, each in its own thread: runs until stopped, then reports the answers it received. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'
import { packed } from '../apps/server/src/platform/zip.ts'
import { twoFaced } from '../apps/server/src/testing/zipBomb.ts'
import { moverOf, patientsTable, visitsTable } from './mover.ts'
import type { Storm } from './neighbours.ts'

/** Count of each answer, by status and, for a refusal, its message. */
export type Counts = Record<string, number>

/** The first server is the colleague's too. */
const { storm, urls, token } = workerData as { storm: Storm; urls: string[]; token: string }
const [url = ''] = urls
let sentSoFar = 0
const TASKS = 'tasks-management/tasks'
const PAUSE_MS = 100
const MAX_FILE = 104_857_600
const counts: Counts = {}
let stopped = false
const stops: (() => void)[] = []
parentPort?.once('message', () => {
  stopped = true
  for (const stop of stops) stop()
  parentPort?.postMessage(counts)
})

function count(status: number | string, words = ''): void {
  const answer = `${status} ${words}`.trim().slice(0, 140)
  counts[answer] = (counts[answer] ?? 0) + 1
}

async function sent(path: string, init: RequestInit = {}, json = true): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, ...(json ? { 'content-type': 'application/json' } : {}) }
  try {
    const response = await fetch(`${urls[sentSoFar++ % urls.length]}/${path}`, {
      headers,
      signal: AbortSignal.timeout(60_000),
      ...init,
    })
    const text = await response.text()
    if (stopped) return
    count(response.status, response.ok ? '' : wordsOf(text))
    if (response.status === 429) await sleep(PAUSE_MS)
  } catch (error) {
    if (!stopped) count('broken', error instanceof Error ? ((error.cause as Error)?.message ?? error.message) : '')
    await sleep(PAUSE_MS)
  }
}

function wordsOf(text: string): string {
  try {
    const answer = JSON.parse(text)
    return (Array.isArray(answer) ? answer[0]?.message : answer.message) ?? ''
  } catch {
    return text.slice(0, 80)
  }
}

function repeat(atOnce: number, run: (n: number) => Promise<unknown>): void {
  let n = 0
  for (let i = 0; i < atOnce; i++)
    void (async () => {
      while (!stopped) await run(n++)
    })()
}

/** True when an HTTP/1.1 response is complete. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1]
  return length ? answer.length >= head + 4 + Number(length) : answer.endsWith('\r\n0\r\n\r\n')
}

const anyWord = () => Math.random().toString(36).slice(2, 6)
const form = (bytes: Uint8Array, name: string, fields: Record<string, string> = {}): RequestInit => {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  body.append('file', new Blob([bytes as BlobPart]), name)
  return { method: 'POST', body }
}

const storms: Record<Storm, () => void> = {
  /** As many relations as a filter allows, sometimes more; each text is new. */
  filters: () =>
    repeat(24, (n) => {
      const branches = Array.from(
        { length: n % 10 === 0 ? 50 : 6 },
        (_, i) => `filter[or][${i}][task.executors.member.description][ilike]=${anyWord()}`,
      )
      return sent(`tasks-management/assigned?limit=1&sort=id&${branches.join('&')}`)
    }),

  exports() {
    const agent = new Agent({ maxSockets: 100 })
    const one = () =>
      new Promise<void>((resolve) => {
        const asked = request(
          `${url}/${TASKS}/export?format=csv`,
          { agent, headers: { authorization: `Bearer ${token}` } },
          (response) => {
            count(response.statusCode ?? 0, response.statusCode === 200 ? '' : 'of an export')
            if (response.statusCode !== 200) return void response.resume().on('end', resolve)
            // The response is never read.
            response.pause()
            response.on('close', resolve)
          },
        )
        stops.push(() => asked.destroy())
        asked.on('error', () => resolve())
        asked.end()
      })
    repeat(12, async () => {
      await one()
      await sleep(PAUSE_MS)
    })
  },

  listeners() {
    const sockets = 40
    const wishes = (n: number) =>
      Array.from({ length: 75 }, (_, i) => ({
        path: TASKS,
        filter: {
          or: Object.fromEntries(
            Array.from({ length: 1 + (i % 6) }, (_x, k) => [
              k,
              { 'executors.member.description': { ilike: `${anyWord()}${n}` } },
            ]),
          ),
        },
      }))
    for (let n = 0; n < sockets; n++) {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`)
      stops.push(() => socket.terminate())
      socket.on('open', () =>
        socket.send(JSON.stringify({ controller: 'system', action: 'addListeners', data: { listeners: wishes(n) } })),
      )
      socket.on('message', (data: Buffer) => {
        const { action, controller, data: answer, isError } = JSON.parse(data.toString())
        if (isError) count(`${action} ${answer.status}`, answer.message)
        else if (action === 'reset') count('reset', answer.message)
        else if (controller === 'system') count(action)
        else count('event')
      })
      socket.on('close', (code) => !stopped && count(`closed ${code}`))
      socket.on('error', (error) => count('broken', error.message))
    }
  },

  archives() {
    const sheet = Buffer.from(
      `<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(700_000)}</sheetData></worksheet>`,
    )
    const book = (content: Buffer) => new Map([['xl/worksheets/sheet1.xml', content]])
    const large = packed(book(sheet))
    const liar = twoFaced(book(Buffer.from('<worksheet/>')), book(sheet))
    repeat(6, (n) =>
      sent('imports/preview', form(n % 2 ? large : liar, 'a.xlsx', { kind: 'tasks', params: '{}' }), false),
    )
  },

  uploads() {
    const file = Buffer.alloc(MAX_FILE)
    repeat(5, () => sent('tasks-management/files', form(file, 'a.bin'), false))
  },

  bodies() {
    const bodies = [
      `{"name":"x","value":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"name":"x","value":[${'1,'.repeat(900_000)}1]}`,
      JSON.stringify({ name: 'Задача', description: '<b>'.repeat(66_000) }),
      JSON.stringify({ name: 'Задача', description: '&'.repeat(199_000) }),
    ]
    repeat(16, (n) => {
      const at = n % bodies.length
      return sent(at < 2 ? 'user-settings' : TASKS, { method: 'POST', body: bodies[at] as string })
    })
  },

  strangers: () =>
    repeat(100, (n) =>
      sent(n % 2 ? `portal/booking/services?q=${anyWord()}` : `portal/booking/times?service=${1 + (n % 40)}`, {
        headers: { 'x-forwarded-for': `203.0.${n % 2}.${n % 100}` },
      }),
    ),

  signIns: () =>
    repeat(400, (n) =>
      sent('auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${100 + (n % 2)}.${n % 200}` },
        body: JSON.stringify({ login: `nobody${n % 5_000}`, password: 'wrong' }),
      }),
    ),

  /** Numbers that match no card: as much work as those that do. */
  codes: () =>
    repeat(100, (n) =>
      sent('portal/code', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.1.${n % 2}.${n % 100}` },
        body: JSON.stringify({ phone: `+7999${String(1_000_000 + (n % 1_000_000))}` }),
      }),
    ),

  /** 300 connections of 60 chat visitors, each from its own address: they poll for answers and write. */
  visitors: () => void stormOfVisitors(60, 5),

  moving: () => void stormOfMove().catch((error: Error) => stopped || count('broken', error.message)),

  /** Raw sockets: a real storm spends its CPU on another machine, while here both sides share the same cores. */
  connections() {
    const asked = `GET /${TASKS}?limit=20 HTTP/1.1\r\nHost: storm\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const { hostname, port } = new URL(url)
    const open = () => {
      const socket = connect(Number(port), hostname, () => socket.write(asked))
      let answer = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        answer += text
        if (!isWhole(answer)) return
        if (!stopped) count(Number(answer.slice(9, 12)))
        answer = ''
        socket.write(asked)
      })
      socket.on('error', (error) => !stopped && count('broken', error.message))
      socket.on('close', () => stopped || setTimeout(open, PAUSE_MS))
      stops.push(() => socket.destroy())
    }
    for (let n = 0; n < 5_000; n++) open()
  },
}

/** Tables small enough that what has begun ends before the next quiet time. */
const MOVED_PATIENTS = 1_000
const MOVED_VISITS = 3_000

async function stormOfMove(): Promise<void> {
  const { call, take } = moverOf(url, token)
  const made = async (path: string, body: object): Promise<number> =>
    (await call(path, { method: 'POST', body: JSON.stringify(body) })).id
  const name = `Переезд ${anyWord()}`
  const idFilial = await made('/filials', { nameFilial: name, timeZone: 'Europe/Moscow' })
  const idOrganization = await made('/organizations', { shortName: name, kind: 'own' })
  const move = await made('/moving', { name, program: 'other', idFilial, idOrganization })
  const below = (n: number) => Math.floor(Math.random() * n)
  const first = below(900_000_000)
  repeat(1, async (n) => {
    if (n % 4 === 0) {
      const from = first + n * MOVED_PATIENTS
      await take(move, 'customers', 'table.csv', patientsTable(from, from + MOVED_PATIENTS, below))
    }
    const visits = visitsTable(n * MOVED_VISITS, (n + 1) * MOVED_VISITS, MOVED_PATIENTS, below)
    const shifted = visits.replace(/^(в\d+);(\d+);/gm, (_, id, at) => `${id};${first + Number(at)};`)
    const { rows, wrong } = await take(move, 'visits', 'table.csv', shifted)
    if (!stopped) count('taken', wrong ? `with ${wrong} of ${rows} left` : '')
  })
}

async function stormOfVisitors(visitors: number, connections: number): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const made = await fetch(`${url}/live-assist/domains`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: `${anyWord()}-${Date.now()}.test` }),
  })
  const { key } = (await made.json()) as { key: string }
  for (let n = 0; n < visitors; n++) {
    const own = { ...json, 'x-client-version': '3', 'x-forwarded-for': `203.2.0.${n}` }
    void (async () => {
      const entered = await fetch(`${url}/live-assist?token=${key}`, {
        method: 'POST',
        headers: own,
        body: JSON.stringify({ name: `Гость ${n}`, consent: { version: 1 } }),
      })
      if (!entered.ok) return count(entered.status, wordsOf(await entered.text()))
      const { token: visitor } = (await entered.json()) as { token: string }
      const headers = { ...own, authorization: `Visitor ${visitor}` }
      repeat(1, async () => {
        const body = JSON.stringify({ clientId: crypto.randomUUID(), text: 'Когда вы работаете?' })
        await sent('live-assist/visitor/messages', { method: 'POST', headers, body })
        await sleep(PAUSE_MS)
      })
      repeat(connections - 1, () => sent('live-assist/visitor/messages?wait=25', { headers }))
    })().catch((error: Error) => count('broken', error.message))
  }
}

storms[storm]()
