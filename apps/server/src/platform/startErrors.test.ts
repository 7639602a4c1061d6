/** Wrong settings abort the start with one sentence that names the setting. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { testDb } from '#testing/harness.ts'
import { type S3Simulator, simulateS3 } from '#testing/s3.ts'
import { buildApp } from '../app.ts'
import { checkPlaces, openBase, sentenceOf } from '../start.ts'
import { watchBase } from './baseWatch.ts'
import { readConfig } from './config.ts'
import type { Db } from './db.ts'
import { createLog } from './log.ts'
import { failure } from './postgres/error.ts'
import { starting } from './startErrors.ts'

let dir: string
let silent: ReturnType<typeof createServer>
let silentPort: number
let made: Db
let s3: S3Simulator
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'start-'))
  await asAdmin(`CREATE DATABASE ${DEAF} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`)
  made = await testDb()
  s3 = await simulateS3()
  s3.refusal = 'AccessDenied'
  silent = createServer(() => {})
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  silentPort = (silent.address() as { port: number }).port
})
afterAll(async () => {
  await asAdmin(`DROP DATABASE IF EXISTS ${DEAF} WITH (FORCE)`)
  silent.close()
  await s3.close()
  await made.end()
  rmSync(dir, { recursive: true, force: true })
})

afterEach(() => void vi.unstubAllEnvs())

/** The sentence with which a start with these settings fails. */
async function sentence(env: Record<string, string>): Promise<string> {
  const held: (() => Promise<void>)[] = []
  try {
    const config = readConfig({ DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'silent', DEMO: '0', ...env })
    const log = createLog('silent')
    const { db, watch } = await openBase(config, log, { hold: (one) => held.push(one), say() {}, lost() {} })
    held.push(async () => watch.end())
    const app = await buildApp({ config, db, log })
    held.push(() => app.close())
    await checkPlaces(app)
    return 'it starts'
  } catch (error) {
    return sentenceOf(error) ?? String((error as Error).stack)
  } finally {
    for (const release of held.reverse()) await release().catch(() => {})
  }
}

/** Output and exit code of a separate server process. */
function started(env: Record<string, string>): Promise<{ output: string; code: number | null }> {
  const main = join(import.meta.dirname, '../main.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'silent', DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const onOutput = (chunk: Buffer) => {
    output += chunk
    // It should have failed before this.
    if (output.includes('Ординатор работает')) child.kill('SIGKILL')
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', onOutput)
  return new Promise((done) => child.once('close', (code) => done({ output: output.trim(), code })))
}

const baseOf = (database: string) => inject('testDatabaseUrl').replace('{database}', database)
const base = () => baseOf('postgres')
const SECRET = 'a secret of the tests, long enough for everyone'
/** A database with the C locale, where Cyrillic words are not letters for the search. */
const DEAF = `test_${process.pid}_deaf`

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: base() })
  await admin.connect()
  await admin.query(statement).finally(() => admin.end())
}

describe('a start with a wrong setting', () => {
  test.each<[string, () => Record<string, string>, RegExp]>([
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
    [
      'a data folder that is there and takes nothing',
      () => ({ DATA_DIR: '/sys/kernel' }),
      /^DATA_DIR: не удалось записать \/sys\/kernel\/secret \(E[A-Z]+\)\.$/,
    ],
    [
      'one that takes no base',
      () => ({ DATA_DIR: '/sys/kernel', SECRET }),
      /^DATA_DIR: (нет права на запись|диск открыт только для чтения) \(\/sys\/kernel\/pg\.lock.*\)\.$/,
    ],
    [
      'one that takes no files on their way',
      () => ({ DATA_DIR: '/sys/kernel', SECRET, DATABASE_URL: made.url, FILES: dir }),
      /^DATA_DIR: (нет права на запись|диск открыт только для чтения) \(\/sys\/kernel\/tmp\)\.$/,
    ],
    [
      'a store that refuses',
      () => {
        vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
        vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
        return { DATABASE_URL: made.url, FILES: s3.files }
      },
      /^FILES: ключу доступа не разрешено писать в это хранилище\.$/,
    ],
    ['a proxy that is no address', () => ({ TRUST_PROXY: 'foo' }), /^Неверные настройки\. TRUST_PROXY: .*\.$/],
  ])('%s', async (_what, env, expected) => {
    expect(await sentence(env())).toMatch(expected)
  })

  test('ends the server with the sentence alone', async () => {
    const { output, code } = await started({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' })
    expect(output).toBe('DATABASE_URL: там никто не отвечает (127.0.0.1:1).')
    expect(code).toBe(1)
  })
})

test('a silent database is waited for, and given up with a message', async () => {
  const watch = watchBase(`postgres://a:b@127.0.0.1:${silentPort}/x`, 'DATABASE_URL', () => {}, 3_000)
  await expect(watch.during(new Promise(() => {}))).rejects.toThrow(/^DATABASE_URL: база данных не отвечает/)
  watch.end()
})

test.each([
  ['ENOSPC', '/data/x', 'DATA_DIR: на диске не осталось места (/data/x).'],
  ['EROFS', '/data/x', 'DATA_DIR: диск открыт только для чтения (/data/x).'],
])('%s of the disk is reported', async (code, path, sentence) => {
  const failed = starting('DATA_DIR', () => Promise.reject(Object.assign(new Error(code), { code, path })))
  await expect(failed).rejects.toThrow(sentence)
})

test('a Redis that accepts the connection and stays silent does not block the start', async () => {
  const { createFanout } = await import('./fanout.ts')
  const log = { warn() {}, error() {}, info() {} } as never
  const fanout = createFanout({ db: {} as never, redisUrl: `redis://127.0.0.1:${silentPort}`, log, patience: 1_000 })
  await expect(fanout.start()).rejects.toThrow('REDIS_URL: ответа нет слишком долго.')
  await fanout.close()
})

test.each([
  ['wants another password', '-WRONGPASS invalid username-password pair\r\n', 'Redis не принял имя или пароль'],
  ['wants a password', '-NOAUTH Authentication required.\r\n', 'Redis не принял имя или пароль'],
  ['is none', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'там отвечает не Redis'],
  ['is not there', undefined, 'там никто не отвечает (127.0.0.1:1)'],
])('a Redis that %s is reported as it is', async (_what, answer, why) => {
  const { createFanout } = await import('./fanout.ts')
  // Answers each command.
  const commands = (sent: Buffer) => String(sent).match(/^\*\d+\r$/gm)?.length ?? 0
  const played = createServer((socket) =>
    socket.on('error', () => {}).on('data', (sent) => socket.write(answer?.repeat(commands(sent)) ?? '')),
  )
  await new Promise<void>((listening) => played.listen(0, '127.0.0.1', listening))
  const port = answer === undefined ? 1 : (played.address() as { port: number }).port
  const log = { warn() {}, error() {}, info() {} } as never
  const fanout = createFanout({ db: {} as never, redisUrl: `redis://:x@127.0.0.1:${port}`, log })
  await expect(fanout.start()).rejects.toThrow(`REDIS_URL: ${why}.`)
  await fanout.close()
  played.close()
})

test.each([
  [{ message: 'The server does not support SSL connections' }, 'база данных не умеет TLS: уберите sslmode из адреса'],
  [
    { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
    'сертификату того сервера не верят: назовите его издателя в NODE_EXTRA_CA_CERTS',
  ],
])('%j of the database is reported', async (fault, why) => {
  const failed = starting('DATABASE_URL', () => Promise.reject(Object.assign(new Error(), fault)))
  await expect(failed).rejects.toThrow(`DATABASE_URL: ${why}.`)
})

test('a full disk of the embedded database is reported in Russian, anything else with the output of its programs', () => {
  const full = 'FATAL:  could not write blocks 19..19 in file "base/1/2": No space left on device'
  expect(failure('Не удалось создать базу данных.', full).message).toBe(
    'На диске с базой данных не осталось места: освободите его и запустите снова.',
  )
  expect(failure('Не удалось создать базу данных.', 'initdb: error').message).toBe(
    'Не удалось создать базу данных.\ninitdb: error',
  )
})
