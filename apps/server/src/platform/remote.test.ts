import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Exchanged } from './exchange.ts'
import { openOutbound } from './outbound.ts'
import { outcomeOf, remote } from './remote.ts'

let server: Server
let url: string
const lines: Exchanged[] = []
const exchanged = async (line: Exchanged) => void lines.push(line)

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/broken') return void response.destroy()
    if (request.url === '/long') return void response.end('x'.repeat(5_000))
    response.statusCode = Number(request.url?.slice(1)) || 200
    response.end(request.headers.authorization ?? 'nobody')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (more: object = {}) =>
  remote(
    { outbound: openOutbound({ timeout: 300 }), exchanged },
    { adapter: 'webhooks', url, isOwn: true, maxAnswer: 1_000, auth: () => ({ authorization: 'token' }), ...more },
  )
const outcome = (path: string, more: object = {}) =>
  open(more)
    .quietly({ path })
    .then(() => 'answered', outcomeOf)

it('signs in with each request, and leaves a line in the journal', async () => {
  const { bytes } = await open().ask({ operation: 'Проверка', key: 'k1' }, { path: '/' })
  expect(bytes.toString()).toBe('token')
  await expect(open().ask({ operation: 'Проверка' }, { path: '/503' })).rejects.toThrow('Ответ 503')
  expect(lines.map(({ status, code, key }) => ({ status, code, key }))).toEqual([
    { status: 'done', code: '200', key: 'k1' },
    { status: 'network_error', code: '503', key: undefined },
  ])
})

it('distinguishes what may have arrived from what has not', async () => {
  expect(await outcome('/silent')).toMatchObject({ kind: 'unknown', error: 'Не ответил вовремя' })
  expect(await outcome('/broken')).toMatchObject({ kind: 'unknown' })
  expect(await outcome('/500')).toMatchObject({ kind: 'unknown', code: '500' })
  expect(await outcome('/429')).toMatchObject({ kind: 'failed' })
  expect(await outcome('/long')).toMatchObject({ kind: 'unknown', error: 'Ответ слишком велик' })
  expect(await outcome('/', { url: 'http://127.0.0.1:1' })).toMatchObject({
    kind: 'failed',
    error: 'Не удалось соединиться',
  })
  expect(await outcome('/404')).toBe('answered')
})

it('connects to no address of the inner network given by a user', async () => {
  expect(await outcome('/', { isOwn: false })).toMatchObject({
    kind: 'failed',
    error: expect.stringContaining('внутреннюю сеть'),
  })
})
