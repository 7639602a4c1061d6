/** Wrong settings stop the start with one sentence that names the setting. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { starting } from './startErrors.ts'

let dir: string
let silent: ReturnType<typeof createServer>
let silentPort: number
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'start-'))
  await asAdmin(`CREATE DATABASE ${DEAF} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`)
  silent = createServer(() => {})
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  silentPort = (silent.address() as { port: number }).port
})
afterAll(async () => {
  await asAdmin(`DROP DATABASE IF EXISTS ${DEAF} WITH (FORCE)`)
  silent.close()
  rmSync(dir, { recursive: true, force: true })
})

/** What a server with these settings says, and the code it ends with. */
function started(env: Record<string, string>): Promise<{ said: string; code: number | null }> {
  const main = join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'silent', DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return new Promise((done) => child.once('close', (code) => done({ said: said.trim(), code })))
}

const baseOf = (database: string) => inject('testDatabaseUrl').replace('{database}', database)
const base = () => baseOf('postgres')
/** A base of the C locale, in which the words of a search are no letters. */
const DEAF = `test_${process.pid}_deaf`

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: base() })
  await admin.connect()
  await admin.query(statement).finally(() => admin.end())
}

describe('a start with a wrong setting', () => {
  test.concurrent.each<[string, () => Record<string, string>, RegExp]>([
    [
      'an address where nobody is',
      () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }),
      /^DATABASE_URL: там никто не отвечает \(127\.0\.0\.1:1\)\.$/,
    ],
    [
      'a name that is none',
      () => ({ DATABASE_URL: 'postgres://a:b@none.invalid/x' }),
      /^DATABASE_URL: .*(имен|имя).*$/,
    ],
    [
      'a base that is not there',
      () => ({
        DATABASE_URL: base()
          .replace('/postgres?', '/no_such_base?')
          .replace(/\/postgres$/, '/no_such_base'),
      }),
      /^DATABASE_URL: такой базы данных на сервере нет\.$/,
    ],
    [
      'a wrong password',
      () => ({ DATABASE_URL: base().replace(/:[^:@]+@/, ':wrong@') }),
      /^DATABASE_URL: база данных не приняла пароль\.$/,
    ],
    [
      'a base that makes nothing of Cyrillic',
      () => ({ DATABASE_URL: baseOf(DEAF) }),
      /^DATABASE_URL: база с LC_CTYPE=C не ищет по-русски\. Создайте её так: CREATE DATABASE .*\.$/,
    ],
    [
      'a data folder that cannot be made',
      () => ({ DATA_DIR: '/sys/ordinator' }),
      /^DATA_DIR: не удалось создать папку \/sys\/ordinator \(E[A-Z]+\)\.$/,
    ],
    ['a proxy that is no address', () => ({ TRUST_PROXY: 'foo' }), /^Неверные настройки\. TRUST_PROXY: .*\.$/],
  ])('%s', async (_what, env, sentence) => {
    const { said, code } = await started(env())
    expect(said).toMatch(sentence)
    expect(code).toBe(1)
  })
})

test.each([
  ['ENOSPC', '/data/x', 'DATA_DIR: на диске не осталось места (/data/x).'],
  ['EROFS', '/data/x', 'DATA_DIR: диск открыт только для чтения (/data/x).'],
])('%s of the disk is told', async (code, path, sentence) => {
  const failed = starting('DATA_DIR', () => Promise.reject(Object.assign(new Error(code), { code, path })))
  await expect(failed).rejects.toThrow(sentence)
})

test('a Redis that takes the connection and says nothing does not hold the start for ever', async () => {
  const { createFanout } = await import('./fanout.ts')
  const log = { warn() {}, error() {}, info() {} } as never
  const fanout = createFanout({ db: {} as never, redisUrl: `redis://127.0.0.1:${silentPort}`, log })
  await expect(fanout.start()).rejects.toThrow('REDIS_URL: ответа нет слишком долго.')
  await fanout.close()
})
