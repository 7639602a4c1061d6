import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OutboundOptions, openOutbound } from './outbound.ts'

const MAX = 1_000_000
let dir: string
let to: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ordinator-outbound-'))
  to = join(dir, 'file')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** The message of a refusal; undefined: the file was accepted. */
async function refusal(url: string, options?: OutboundOptions, maxBytes = MAX): Promise<string | undefined> {
  try {
    await openOutbound(options).download(url, to, { maxBytes })
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ status: 422, body: [{ field: 'url' }] })
    return (error as Error).message
  }
}

const INSIDE = 'Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя'

describe('where it may go', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/a.png',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2002:7f00:1::]/',
    'http://localhost/',
  ])('refuses %s', async (url) => {
    expect(await refusal(url)).toBe(INSIDE)
  })

  it.each([
    ['ftp://example.com/a.png', 'Подойдёт только адрес http или https'],
    ['file:///etc/passwd', 'Подойдёт только адрес http или https'],
    ['javascript:alert(1)', 'Подойдёт только адрес http или https'],
    ['data:image/png;base64,AAAA', 'Подойдёт только адрес http или https'],
    ['/files/1', 'Это не адрес: нужна ссылка вида https://…'],
    ['картинка', 'Это не адрес: нужна ссылка вида https://…'],
    [`https://example.com/${'a'.repeat(2000)}`, 'Это не адрес: нужна ссылка вида https://…'],
    ['https://user:secret@example.com/', 'В адресе не должно быть имени и пароля'],
  ])('refuses %s', async (url, text) => {
    expect(await refusal(url)).toBe(text)
  })

  it('refuses a name that also resolves to an inner address, and one that resolves to none', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    expect(await refusal('http://pictures.test/', { resolve })).toBe(INSIDE)
    expect(await refusal('http://pictures.test/', { resolve: async () => [] })).toContain('Адрес не найден')
  })
})

describe('from a site', () => {
  let site: Server
  let port: number
  let answer: RequestListener
  const inside = { allow: ['127.0.0.1'], timeout: 500 }
  const at = (path: string) => `http://127.0.0.1:${port}${path}`

  beforeAll(async () => {
    site = createServer((request, reply) => answer(request, reply))
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    port = (site.address() as AddressInfo).port
  })
  afterAll(() => {
    site.closeAllConnections()
    site.close()
  })

  it('takes the bytes as they are, and the name of the address', async () => {
    answer = (_request, reply) => reply.end('bytes')
    const got = await openOutbound(inside).download(at('/pic/%D0%BA%D0%BE%D1%82.png?x=1'), to, { maxBytes: 5 })
    expect(got).toEqual({ size: 5, name: 'кот.png' })
    expect(readFileSync(to, 'utf8')).toBe('bytes')
  })

  it('goes to the address that was checked, whatever the name resolves to later', async () => {
    answer = (_request, reply) => reply.end('ok')
    let asked = 0
    const resolve = async () => [{ address: ++asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    expect(await refusal(`http://rebinding.test:${port}/`, { ...inside, resolve })).toBeUndefined()
    expect(asked).toBe(1)
  })

  it('checks every redirect, and takes no more than three', async () => {
    answer = (_request, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end()
    expect(await refusal(at('/'), inside)).toBe(INSIDE)
    answer = (_request, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end()
    expect(await refusal(at('/'), inside)).toBe('Подойдёт только адрес http или https')
    answer = ({ url = '' }, reply) =>
      url === '/3' ? reply.end('there') : reply.writeHead(307, { location: `/${Number(url.slice(1)) + 1}` }).end()
    expect(await refusal(at('/0'), inside)).toBeUndefined()
    answer = (_request, reply) => reply.writeHead(301, { location: '/again' }).end()
    expect(await refusal(at('/'), inside)).toBe('Слишком много переадресаций')
  })

  it('refuses what is too large, declared or not', async () => {
    // This tests the size limit only: a busy machine must not count as a slow site.
    const patient = { ...inside, timeout: 20_000 }
    answer = (_request, reply) => reply.end(Buffer.alloc(2 * 1_048_576))
    expect(await refusal(at('/'), patient, 1_048_576)).toBe('Файл больше 1 МБ')
    answer = (_request, reply) => {
      reply.write(Buffer.alloc(1_048_576))
      reply.end('!')
    }
    expect(await refusal(at('/'), patient, 1_048_576)).toBe('Файл больше 1 МБ')
    answer = (_request, reply) => {
      const drip = setInterval(() => reply.write(Buffer.alloc(100_000)), 1)
      reply.on('close', () => clearInterval(drip))
    }
    expect(await refusal(at('/'), patient, 1_048_576)).toBe('Файл больше 1 МБ')
  })

  it('waits no longer than it may', async () => {
    answer = () => {}
    expect(await refusal(at('/'), inside)).toBe('Сайт не отдал файл вовремя')
    answer = (_request, reply) => {
      reply.write('a')
    }
    expect(await refusal(at('/'), inside)).toBe('Сайт не отдал файл вовремя')
  })

  it('reports a site that answers otherwise', async () => {
    answer = (_request, reply) => reply.writeHead(404).end('no')
    expect(await refusal(at('/'), inside)).toBe('Сайт не отдал файл: ответ 404')
    answer = (request) => request.socket.destroy()
    expect(await refusal(at('/'), inside)).toBe('Не удалось скачать файл по этому адресу')
    answer = (_request, reply) => {
      reply.writeHead(200, { 'content-length': '100' }).write('part')
      setTimeout(() => reply.destroy(), 20)
    }
    expect(await refusal(at('/'), inside)).toBe('Не удалось скачать файл по этому адресу')
  })
})
