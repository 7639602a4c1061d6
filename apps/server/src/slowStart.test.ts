/** A start waits for a slow database: here it is suspended for a while during the start. */
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { linux } from '@ordinator/model/testing/needs'
import { describe, expect, test } from 'vitest'
import { processesIn } from '#platform/postgres/processes.ts'
import { pidFile } from '#platform/postgres/server.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const isLong = Boolean(process.env.TEST_LONG)

interface Started {
  output: () => string
  /** Folder of the database. */
  data: string
  signal(name: NodeJS.Signals): void
  ended: Promise<number | null>
  stop(): Promise<void>
}

function start(dir: string, env: Record<string, string> = {}): Started {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'error', DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  // As root the database may be elsewhere, behind a link.
  const data = () => realpathSync(join(dir, 'pg'))
  return {
    output: () => output,
    get data() {
      return data()
    },
    signal(name) {
      for (const pid of processesIn(data())) process.kill(pid, name)
    },
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const isReady = (one: Started) => {
  try {
    return pidFile(one.data)?.status === 'ready'
  } catch {
    return false
  }
}

const phases = {
  'before the first connection': isReady,
  'in the migrations': (one: Started) => isReady(one) && processesIn(one.data).length > 6,
} as const

const cases = (isLong ? [12, 40, 90] : [12]).flatMap((seconds) =>
  (isLong ? (['before the first connection', 'in the migrations'] as const) : (['in the migrations'] as const)).map(
    (phase) => [phase, seconds] as const,
  ),
)

describe.runIf(linux.there)('a database that stops answering', linux.options, () => {
  test.each(cases)('%s for %i s does not end the start', { timeout: 900_000 }, async (phase, seconds) => {
    const dir = mkdtempSync(join(tmpdir(), 'slow-start-'))
    const one = start(dir)
    try {
      await expect.poll(() => phases[phase](one), { interval: 5, timeout: 120_000 }).toBe(true)
      one.signal('SIGSTOP')
      await sleep(seconds * 1_000)
      expect(one.output()).toContain('База данных отвечает медленно, ждём…')
      one.signal('SIGCONT')
      await expect.poll(one.output, { timeout: 600_000 }).toContain('Ординатор работает')
      expect(one.output()).not.toMatch(/Error|Warning|^ +at /m)
    } finally {
      one.signal('SIGCONT')
      await one.stop()
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
