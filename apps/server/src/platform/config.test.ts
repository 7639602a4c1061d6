import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'config-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const read = (env: Record<string, string>) => readConfig({ DATA_DIR: dir, ...env })

test('the defaults are the demo clinic on loopback', () => {
  expect(read({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    demo: true,
    dataDir: dir,
    files: join(dir, 'files'),
    publicUrl: 'http://localhost:8080',
    databaseUrl: undefined,
    redisUrl: undefined,
    trustProxy: [],
  })
})

test('a real clinic listens to everyone', () => {
  expect(read({ DEMO: '0' })).toMatchObject({ demo: false, host: '0.0.0.0', logLevel: 'info' })
  expect(read({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
})

test('the secret is made once and closed to others', () => {
  const { secret } = read({})
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(read({}).secret).toBe(secret)
  expect(readFileSync(join(dir, 'secret'), 'utf8').trim()).toBe(secret)
  expect(statSync(join(dir, 'secret')).mode & 0o777).toBe(0o600)
  const given = 'x'.repeat(40)
  expect(read({ SECRET: given }).secret).toBe(given)
})

test('an empty value is an absent one, a slash at the end is dropped', () => {
  expect(read({ PORT: '', REDIS_URL: '', PUBLIC_URL: 'https://crm.example.ru/' })).toMatchObject({
    port: 8080,
    redisUrl: undefined,
    publicUrl: 'https://crm.example.ru',
  })
})

test.each([['postgresql://me:x@db.local/base'], ['postgres://me@/base?host=%2Frun%2Fpostgresql']])(
  'DATABASE_URL %s',
  (url) => expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url),
)

test.each([
  ['PORT', '99999'],
  ['PORT', 'http'],
  ['HOST', 'a b'],
  ['DATABASE_URL', 'mysql://x/y'],
  ['REDIS_URL', 'localhost'],
  ['FILES', 'ftp://x'],
  ['PUBLIC_URL', 'crm.example.ru'],
  ['SECRET', 'short'],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['SMTP_URL', 'mail.ru'],
  ['MAIL_FROM', 'clinic'],
  ['DATA_DIR', '/dev/null/x'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(ConfigError)
  expect(() => read({ [name]: value })).toThrow(new RegExp(`${name}: .*[а-я]`))
})
