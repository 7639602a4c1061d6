import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { smsGateway } from './sms.ts'

const answers: Record<string, unknown> = {}
const site = createServer((request, reply) =>
  reply.end(JSON.stringify(answers[(request.url ?? '').split('?')[0] as string] ?? {})),
)
let url = ''
beforeAll(async () => {
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => site.close(done)))

it('takes all the replies that have waited, however many, as they can be kept', async () => {
  const replies = Array.from({ length: 500 }, (_, at) => ({
    number: at + 1,
    from: '+79120000000',
    text: `1\0 ${'я'.repeat(60)}`,
  }))
  answers['/replies'] = { replies }
  const taken = await smsGateway(url).repliesAfter(0)
  expect(taken.length).toBe(500)
  expect(taken.some(({ text }) => text.includes('\0'))).toBe(false)
  answers['/messages'] = { id: `\0${'7'.repeat(200)}` }
  expect(await smsGateway(url).send({ to: '+79120000000', text: 'Да', key: 'k' })).toEqual({
    outcome: 'accepted',
    id: '7'.repeat(128),
  })
})
