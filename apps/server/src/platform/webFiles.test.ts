import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fixedHeaders } from './securityHeaders.ts'
import { serveWebFiles } from './webFiles.ts'

const OLD = 'https://old.clinic.test'

let server: FastifyInstance
let root: string
let framedBy: string | undefined

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ordinator-web-'))
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Ординатор</title>')
  server = fastify()
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(fixedHeaders('https://clinic.test'))
    done()
  })
  await serveWebFiles(server, () => Promise.resolve(framedBy), root)
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  framedBy = OLD
})

async function ancestors(url: string) {
  const { statusCode, headers } = await server.inject({ method: 'GET', url })
  expect(statusCode).toBe(200)
  const [, of = ''] = /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
  return { of: of.trim(), x: headers['x-frame-options'] }
}

it('lets the older program frame the pages of migration, and no other site', async () => {
  for (const page of ['customer-calls', 'customer-chats', 'customer-chats?idCustomer=5'])
    expect(await ancestors(`/app/migration/${page}`)).toEqual({ of: `'self' ${OLD}`, x: undefined })
})

it('lets no site frame anything else, however the address is written', async () => {
  for (const url of [
    '/app',
    '/app/customers',
    '/app/migration',
    '/app/migrations/customer-calls',
    '/app/customers?back=/app/migration/customer-calls',
    '/app//migration/customer-calls',
    '/app/x/app/migration/customer-calls',
  ])
    expect([url, await ancestors(url)]).toEqual([url, { of: "'self'", x: 'SAMEORIGIN' }])
})

it('lets no site frame the pages of migration where no older program is set', async () => {
  framedBy = undefined
  expect(await ancestors('/app/migration/customer-calls')).toEqual({ of: "'self'", x: 'SAMEORIGIN' })
})
