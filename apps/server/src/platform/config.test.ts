import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { warnOfForgottenProxy } from './forgottenProxy.ts'

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
    anyAddress: false,
    uploadMbPerDay: 2_048,
  })
})

test('a real clinic listens to everyone', () => {
  expect(read({ DEMO: '0' })).toMatchObject({
    demo: false,
    demoYears: false,
    ready: true,
    host: '0.0.0.0',
    logLevel: 'info',
  })
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

test('a readable secret is encrypted, one that cannot be read is reported', () => {
  const path = join(dir, 'secret')
  writeFileSync(path, 'x'.repeat(40), { mode: 0o644 })
  expect(read({}).secret).toBe('x'.repeat(40))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  rmSync(path)
  mkdirSync(path)
  expect(() => read({})).toThrow(new ConfigError(`DATA_DIR: не удалось прочитать ${path} (EISDIR).`))
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
  ['FILES', 's3://bucket?endpoint=storage.example.ru'],
  ['FILES', 's3://bucket?endpoint=ftp://storage.example.ru'],
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

test.each([
  ['', 'http://clinic.test', 0, 1],
  ['', 'https://clinic.test', 1, 1],
  ['10.0.0.1', 'https://clinic.test', 0, 0],
])('a balancer that TRUST_PROXY «%s» does not name is reported once (%s)', async (proxy, publicUrl, atStart, inLog) => {
  const server = fastify()
  const warnings: string[] = []
  const config = { ...readConfig({ DATA_DIR: dir, TRUST_PROXY: proxy }), publicUrl }
  const lines = warnOfForgottenProxy(server, config, {
    warn: (_: unknown, text?: string) => void warnings.push(text ?? ''),
  } as never)
  await server.inject({ url: '/' })
  expect(warnings).toEqual([])
  for (let i = 0; i < 2; i++) await server.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.5' } })
  expect([lines.length, warnings.length]).toEqual([atStart, inLog])
  expect([...lines, ...warnings].every((text) => text.includes('TRUST_PROXY не задан'))).toBe(true)
  await server.close()
})
