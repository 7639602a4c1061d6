/** Letters to a real SMTP server that is none of ours (Debian: python3-aiosmtpd), if it is installed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailer } from './mail.ts'

const SERVER = '/usr/bin/aiosmtpd'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const smtp = need('Письма настоящему серверу SMTP (python3-aiosmtpd)', existsSync(SERVER))
describe.runIf(smtp.there)('a real SMTP server', smtp.options, () => {
  let folder: string
  let port: number
  let server: ChildProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'smtp-'))
    port = await freePort()
    const box = join(folder, 'box')
    server = spawn(SERVER, ['-n', '-l', `127.0.0.1:${port}`, '-c', 'aiosmtpd.handlers.Mailbox', box], {
      stdio: 'ignore',
    })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
    await rm(folder, { recursive: true })
  })

  it('takes a letter in Russian with a file, and keeps its recipient, subject and text', async () => {
    const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, from: 'clinic@clinic.test' })
    const isUp = () =>
      mailer.check().then(
        () => true,
        () => false,
      )
    await expect.poll(isUp, { timeout: 60_000 }).toBe(true)
    const text = 'Ждём вас завтра.\n.Точка в начале строки'
    const sent = await mailer.send({
      to: 'p@mail.test',
      subject: 'Запись на приём',
      text,
      html: `<p>${text}</p>`,
      attachments: [{ filename: 'памятка.txt', content: Buffer.from('Не есть с утра') }],
    })
    expect(sent).toEqual({ outcome: 'sent' })
    const kept = join(folder, 'box', 'new')
    const [name] = await readdir(kept)
    const letter = await readFile(join(kept, name as string), 'utf8')
    expect(letter).toMatch(/^To: p@mail\.test\r?$/m)
    const words = /^Subject: =\?UTF-8\?B\?([^?]+)\?=/m.exec(letter)?.[1] ?? ''
    expect(Buffer.from(words, 'base64').toString()).toBe('Запись на приём')
    const bodies = [
      ...letter.matchAll(/Content-Transfer-Encoding: base64\r?\n(?:[^\r\n]+\r?\n)*\r?\n([\w+/=\r\n]+)/g),
    ].map(([, body]) => Buffer.from(body as string, 'base64').toString())
    expect(bodies).toEqual([text, `<p>${text}</p>`, 'Не есть с утра'].map((one) => expect.stringContaining(one)))
  })
})
