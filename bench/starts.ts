/**
 * Demo clinics that start at once on one machine, each with two years of its own to make: how long until all answer, how
 * busy the machine is after that, and how somebody at work in one of them fares, beside the same without the years.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, hold, removeData, startProcess } from './clinic.ts'
import { type Line, ms, type Part, percentile } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const START_MS = 600_000
/** The years begin twenty seconds after a start, and wait at most thirty for calm. */
const UNTIL_YEARS_MS = 25_000
const WORK_MS = 60_000
/** Somebody who works looks at something twice a second. */
const PAUSE_MS = 500
const PATHS = ['/customers?limit=50', '/coupons?limit=50', '/tasks-management/tasks?limit=50']
const MAX_P95 = 1.5

interface Found {
  started: number
  /** Milliseconds of each call of the person at work. */
  times: Float64Array
  /** Busy share of all cores while the person works, 0 to 1. */
  busy: number
}

/** @param clinics that start at once */
export async function measureStarts(clinics: number): Promise<Part> {
  const without = await startAll(clinics, '0')
  const withYears = await startAll(clinics, '1')
  const p95 = (found: Found) => percentile(found.times, 0.95)
  const line = (what: string, of: (found: Found) => number, show: (value: number) => string): Line => ({
    ...{ what, product: show(of(withYears)), yardstick: show(of(without)) },
    ratio: of(withYears) / of(without),
  })
  const work = line('somebody at work, p95 of a list', p95, ms)
  return {
    title: `${clinics} demo clinics start at once, with two years to make and without`,
    lines: [
      line(
        'until all answer',
        ({ started }) => started,
        (value) => `${(value / 1000).toFixed(0)} s`,
      ),
      line('p50 of a list', (found) => percentile(found.times, 0.5), ms),
      { ...work, goal: { text: `≤ ${MAX_P95}×`, met: (work.ratio as number) <= MAX_P95 } },
      line(
        'busy share of the machine meanwhile',
        ({ busy }) => busy,
        (value) => `${(value * 100).toFixed(0)} %`,
      ),
    ],
  }
}

async function startAll(clinics: number, years: '0' | '1'): Promise<Found> {
  const began = performance.now()
  const running = await Promise.all(Array.from({ length: clinics }, () => startDemo(years)))
  const started = performance.now() - began
  await sleep(UNTIL_YEARS_MS)
  const { url } = running[0] as { url: string }
  const before = coreTimes()
  const times = await work(url)
  const after = coreTimes()
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
  for (const { stop } of running.reverse()) await stop()
  return { started, times, busy }
}

async function startDemo(years: '0' | '1') {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const dir = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => removeData(dir))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const set = { DATA_DIR: dir, DEMO_YEARS: years, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' }
  const none = { DATABASE_URL: '', PUBLIC_URL: '', REDIS_URL: '', FILES: '', SECRET: '' }
  return startProcess('apps/server/src/main.ts', url, [], { ...set, ...none }, START_MS)
}

/** Calls of one registrar, one after another. */
async function work(url: string): Promise<Float64Array> {
  const signedIn = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'registrar', password: 'demo', forceLogin: true }),
  })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const times: number[] = []
  const end = performance.now() + WORK_MS
  for (let n = 0; performance.now() < end; n++) {
    const began = performance.now()
    const answer = await fetch(url + PATHS[n % PATHS.length], { headers: { authorization: `Bearer ${accessToken}` } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${PATHS[n % PATHS.length]}: ${answer.status}`)
    times.push(performance.now() - began)
    await sleep(PAUSE_MS)
  }
  return Float64Array.from(times).sort()
}

/** Milliseconds of all cores since the start of the machine. */
function coreTimes(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times)
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  }
}
