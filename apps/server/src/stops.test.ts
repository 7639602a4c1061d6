/** A stop at every moment of a start leaves no PostgreSQL. Each start goes on from where the last one was stopped. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linux, long } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processesIn } from '#platform/postgres/processes.ts'
import { pidFile } from '#platform/postgres/server.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const STARTED_MS = 300_000
/** The limit of a stop (main.ts), and the time PostgreSQL takes then on a loaded machine. */
const STOPPED_MS = 60_000

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'stops-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Processes that work on the clinic's database: as root it may lie elsewhere, behind a link. */
function postgresProcesses(): number[] {
  const places = [join(dir, 'pg'), ...halfMade()].flatMap((path) => {
    try {
      return [realpathSync(path)]
    } catch {
      return []
    }
  })
  return places.flatMap(processesIn)
}

const halfMade = () =>
  readdirSync(dir)
    .filter((name) => name.startsWith('pg.new-'))
    .map((name) => join(dir, name))

const ready = () => pidFile(realpathSync(join(dir, 'pg')))?.status === 'ready'
const quietly = (holds: () => boolean) => () => {
  try {
    return holds()
  } catch {
    return false
  }
}

/** In the order of a start. */
const phases: [string, (output: string) => boolean, env?: Record<string, string>][] = [
  ['while the database is made', () => halfMade().some((path) => readdirSync(path).includes('base'))],
  ['while PostgreSQL starts', quietly(() => processesIn(realpathSync(join(dir, 'pg'))).length > 0 && !ready())],
  ['at the first connection', quietly(ready)],
  ['in the migrations', quietly(() => ready() && processesIn(realpathSync(join(dir, 'pg'))).length > 6)],
  ['when it runs', (output) => output.includes('Ординатор работает')],
]

/** Making the demo clinic takes minutes of processor. */
const demo: (typeof phases)[number] = [
  'while the demo clinic is made',
  (output) => output.includes('making the demo clinic'),
  { DEMO: '1', DEMO_YEARS: '0', LOG_LEVEL: 'info' },
]

describe.runIf(linux.there)('a stop', linux.options, () => {
  const tried = long.there ? [...phases.slice(0, -1), demo, ...phases.slice(-1)] : phases
  test.each(tried)('%s leaves nothing running', { timeout: STARTED_MS + STOPPED_MS }, async (_, isThere, env) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'error', DEMO: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((done) => child.once('close', done))
    await expect.poll(() => isThere(output), { interval: 2, timeout: STARTED_MS }).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect.poll(postgresProcesses, { timeout: STOPPED_MS }).toEqual([])
    // What the stop itself breaks is no message for the operator; the log may have it.
    const lines = output.split('\n').filter((line) => !line.startsWith('{'))
    expect(lines.join('\n')).not.toMatch(/Error|не удалось|прерван|^ +at /im)
  })
})
