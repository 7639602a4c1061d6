/**
 * The program is updated while people work: a server of the version before runs, one of this version starts beside it and
 * changes the database, both serve, the former one stops. Every write that was answered is there once, sessions go on,
 * events of writes at one version arrive at the other, and nobody gets an error.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { http } from './centreScreen.ts'
import { freePort, hold, removeData, startProcess } from './clinic.ts'
import { type Line, ms, type Part, percentile } from './table.ts'

const PEOPLE = 16
const PHASE_MS = 20_000
const TRY_EVERY_MS = 100
const TRY_FOR_MS = 60_000
const WAIT_MS = 10_000
/** Of a person's work, in milliseconds. */
const MOST_PAUSE = 1_000
const TASKS = '/tasks-management/tasks'
const SECRET = 'the same secret of both versions of the bench'

interface Written {
  id: number
  name: string
}

/** @param before folder of the version before, with its packages installed */
export async function measureUpgrade(before: string | undefined): Promise<Part> {
  if (!before) throw new Error('--before=FOLDER: the version before, with its packages installed')
  const other = (await import(join(resolve(before), 'bench/clinic.ts'))) as typeof import('./clinic.ts')
  hold(other.releaseAll)
  const clinic = await other.startClinic({ tasks: 20_000, users: PEOPLE + 1, env: { SECRET } })
  const old = clinic.product
  let servers = [old.url]
  const any = () => servers[Math.floor(Math.random() * servers.length)] as string
  const tokens: string[] = []
  for (let at = 0; at < PEOPLE; at++) tokens.push(await clinic.signIn(at === 0 ? 'bench-admin' : `bench-${at}`))

  let phase = 'before'
  const times = new Map<string, number[]>()
  const faults = new Map<string, number>()
  const written: Written[] = []
  let repeats = 0
  let over = false

  /** Repeats a request that found no server; any other failure is one that a person sees. */
  async function insist(method: 'GET' | 'POST' | 'PUT', path: string, token: string, body?: object) {
    const began = performance.now()
    for (;;) {
      const answer = await http(
        method,
        any() + path,
        { authorization: `Bearer ${token}` },
        body,
        AbortSignal.timeout(30_000),
      ).catch(() => undefined)
      const took = performance.now() - began
      if (answer && answer.status < 300) {
        times.set(phase, [...(times.get(phase) ?? []), took])
        return answer.body
      }
      if ((answer && answer.status !== 503) || took > TRY_FOR_MS) {
        const what = `${method} ${path.replace(/\d+/g, ':id')} ${answer?.status ?? 'no answer'}`
        faults.set(what, (faults.get(what) ?? 0) + 1)
        return
      }
      repeats++
      await sleep(TRY_EVERY_MS)
    }
  }

  let no = 0
  const work = tokens.map(async (token, at) => {
    while (!over) {
      const name = `обновление ${++no}`
      const made =
        at === 0 ? await insist('POST', '/customers', token, patient(no)) : await insist('POST', TASKS, token, { name })
      if (made && at > 0) {
        written.push({ id: made.id, name })
        await insist('PUT', `${TASKS}/${made.id}`, token, { name: `${name}, готово`, _version: made._version })
      }
      await insist('GET', at === 0 ? '/customers?limit=20' : `${TASKS}?limit=20&expand=executors`, token)
      await sleep(50)
    }
  })

  await sleep(PHASE_MS)
  phase = 'migration'
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  hold(() => removeData(dir))
  const began = performance.now()
  const next = await startProcess('apps/server/src/main.ts', `http://127.0.0.1:${port}`, [], {
    DATABASE_URL: clinic.db.url,
    DATA_DIR: dir,
    DEMO: '0',
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    UPDATE_COPY: '0',
    SECRET,
  })
  const started = performance.now() - began
  phase = 'together'
  servers = [old.url, next.url]
  const receivedTwice = await receivedByBoth([old.url, next.url], tokens[1] as string)
  await sleep(PHASE_MS)
  phase = 'stop'
  servers = [next.url]
  process.kill(old.pid, 'SIGTERM')
  await sleep(PHASE_MS / 2)
  phase = 'after'
  await sleep(PHASE_MS / 2)
  over = true
  await Promise.all(work)

  const { rows } = await clinic.client.query<Written & { count: number }>(
    `select "name", count(*)::int as count from tasks_management_tasks where "name" like 'обновление %' group by 1`,
  )
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  const lost = written.filter(({ name }) => !counts.has(`${name}, готово`) && !counts.has(name)).length
  const doubled = rows.filter(({ count }) => count > 1).length
  const sessions = await Promise.all(
    tokens.map((token) => http('GET', `${next.url}${TASKS}?limit=1`, { authorization: `Bearer ${token}` })),
  )
  const ended = sessions.filter(({ status }) => status !== 200).length
  const lines: Line[] = [...times].map(([name, all]) => {
    const sorted = Float64Array.from(all).sort()
    const longest = sorted.at(-1) as number
    return {
      what: `${name}: ${all.length} answers, p50 / p99 / longest`,
      product: `${ms(percentile(sorted, 0.5))} / ${ms(percentile(sorted, 0.99))} / ${ms(longest)}`,
      ...(name === 'before' ? {} : { goal: { text: `longest ≤ ${MOST_PAUSE} ms`, met: longest <= MOST_PAUSE } }),
    }
  })
  const kinds = [...faults].map(([what, count]) => `${what} × ${count}`)
  return {
    title: `An update under the work of ${PEOPLE} people, from ${before}`,
    lines: [
      ...lines,
      { what: 'start of the new server with its migrations', product: ms(started) },
      {
        what: 'writes that were answered and are lost, or are there twice',
        product: `${lost}, ${doubled} of ${written.length}`,
        goal: { text: 'none', met: lost + doubled === 0 },
      },
      {
        what: 'errors that a person meets',
        product: `${kinds.length}`,
        goal: { text: 'none', met: kinds.length === 0 },
      },
      { what: 'sessions that ended', product: `${ended} of ${PEOPLE}`, goal: { text: 'none', met: ended === 0 } },
      {
        what: 'events received from the server of the other version',
        product: `${receivedTwice} of 2`,
        goal: { text: 'both', met: receivedTwice === 2 },
      },
    ],
    notes: [`${repeats} requests were repeated because no server took them`, ...kinds],
  }
}

const patient = (no: number) => ({
  surname: `Обновлённый${no}`,
  name: 'Иван',
  phone: `7900${String(no).padStart(7, '0')}`,
})

/** Writes at each version reach a socket at the other. @returns how many did */
async function receivedByBoth(urls: readonly [string, string], token: string): Promise<number> {
  let count = 0
  for (const [from, to] of [urls, [urls[1], urls[0]] as const]) {
    const texts: string[] = []
    const socket = new WebSocket(`${to.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`)
    hold(() => socket.terminate())
    const listening = new Promise<void>((done, fail) => {
      socket.on('open', () =>
        socket.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: TASKS.slice(1) } })),
      )
      socket.on('message', (received: Buffer) => {
        texts.push(received.toString())
        if (texts.at(-1)?.includes('addListener')) done()
      })
      socket.on('error', fail)
    })
    await listening
    const { body } = await http('POST', `${from}${TASKS}`, { authorization: `Bearer ${token}` }, { name: 'слышно' })
    const isReceived = () => texts.some((text) => text.includes(`"id":${body.id},`))
    for (const end = Date.now() + WAIT_MS; !isReceived() && Date.now() < end; ) await sleep(TRY_EVERY_MS)
    if (isReceived()) count++
    socket.terminate()
  }
  return count
}
