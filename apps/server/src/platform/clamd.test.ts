/**
 * Uploads are scanned where a scanner is configured: a simulator that speaks the protocol of clamd, and ClamAV's own daemon
 * if it is installed (Debian: clamav-daemon), with our own signature.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { scanFile } from './clamd.ts'

/** https://www.eicar.org/download-anti-malware-testfile/, split so that this file is not detected. */
const EICAR = `${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$'}${'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`

let clinic: Clinic
let daemon: Server
let isSilent = false

beforeAll(async () => {
  daemon = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more])
      if (isSilent) return void socket.end()
      const head = 'zINSTREAM\0'.length
      const parts: Buffer[] = []
      for (let at = head; at + 4 <= bytes.length; ) {
        const length = bytes.readUInt32BE(at)
        if (length === 0) {
          const text = Buffer.concat(parts).toString()
          return void socket.end(text.includes(EICAR) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
        }
        if (at + 4 + length > bytes.length) return
        parts.push(bytes.subarray(at + 4, at + 4 + length))
        at += 4 + length
      }
    })
  })
  await new Promise<void>((resolve) => daemon.listen(0, '127.0.0.1', () => resolve()))
  const { port } = daemon.address() as { port: number }
  clinic = await testApp({
    env: { CLAMD: `127.0.0.1:${port}` },
    prepare: (context) => addPerson(context, 'sender', ['viewTasksManagement']),
  })
})
afterAll(async () => {
  await clinic.close()
  daemon.close()
})

const send = (text: string) => {
  const form = new FormData()
  form.append('file', new Blob([text]), 'записка.txt')
  return clinic.as('sender').post('/tasks-management/files', form)
}

test('what the scanner finds is refused and not kept; what it cannot check waits', async () => {
  const clean = await send('Просто текст')
  expect([clean.status, clean.body]).toMatchObject([201, { size: expect.any(Number) }])
  const found = await send(`Вложение: ${EICAR}`)
  expect([found.status, found.body]).toEqual([
    422,
    [{ field: 'file', message: 'В файле найден вирус (Eicar-Signature): он не сохранён' }],
  ])
  isSilent = true
  const unchecked = await send('Ещё текст')
  expect([unchecked.status, unchecked.body.code]).toEqual([503, 'scanner'])
})

const DAEMON = '/usr/sbin/clamd'
const clamav = need('Настоящий ClamAV (clamav-daemon)', existsSync(DAEMON))
describe.runIf(clamav.there)('ClamAV itself', clamav.options, () => {
  let folder: string
  let real: ChildProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clamd-'))
    const hex = Buffer.from(EICAR).toString('hex')
    await writeFile(join(folder, 'own.ndb'), `Own.Eicar:0:*:${hex}\n`)
    const lines = [
      `DatabaseDirectory ${folder}`,
      `LocalSocket ${join(folder, 'socket')}`,
      'Foreground yes',
      'MaxThreads 2',
    ]
    await writeFile(join(folder, 'clamd.conf'), `${lines.join('\n')}\n`)
    real = spawn(DAEMON, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => real.once('exit', resolve))
    real.kill()
    await ended
    await rm(folder, { recursive: true })
  })

  test('finds what is in a file, in a large one too, and passes a clean one', async () => {
    await expect.poll(() => existsSync(join(folder, 'socket')), { timeout: 60_000 }).toBe(true)
    const address = `unix:${join(folder, 'socket')}`
    const scan = async (content: string | Buffer) => {
      const path = join(folder, 'file')
      await writeFile(path, content)
      return scanFile(address, path)
    }
    expect(await scan('Просто текст')).toBeUndefined()
    expect(await scan('')).toBeUndefined()
    expect(await scan(`Вложение: ${EICAR}`)).toMatch(/^Own\.Eicar/)
    const large = Buffer.alloc(12_000_000, 'а')
    expect(await scan(large)).toBeUndefined()
    expect(await scan(Buffer.concat([large, Buffer.from(EICAR)]))).toMatch(/^Own\.Eicar/)
  })
})
