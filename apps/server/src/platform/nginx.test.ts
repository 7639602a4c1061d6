/** The product behind nginx with `deploy/nginx.conf`, if nginx is installed (Debian: nginx-light). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { need } from '@ordinator/model/testing/needs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const NGINX = '/usr/sbin/nginx'
const GIVEN = new URL('../../../../deploy/nginx.conf', import.meta.url)
/** A client whose address differs from the proxy's. */
const CALLER = '127.0.0.2'
const MB = 1024 * 1024

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

/** The configuration file with the test's addresses and certificate. */
function configOf(folder: string, upstream: string, plain: number, secure: number): string {
  const site = readFileSync(GIVEN, 'utf8')
    .replace('127.0.0.1:8080', upstream)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`)
    .replaceAll(/\/etc\/letsencrypt\/live\/clinic\.example\.ru/g, folder)
    .replace('/var/log/nginx/ordinator.log', join(folder, 'access.log'))
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  return `worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; daemon off;
    events { worker_connections 256; }
    http { ${own.join(' ')} ${site} }`
}

const nginx = need('Сервер за nginx (nginx-light)', existsSync(NGINX))
describe.runIf(nginx.there)('behind nginx', nginx.options, () => {
  let folder: string
  let clinic: Clinic
  let nginx: ChildProcess
  let plain: number
  let secure: number
  let token: string

  interface Answer {
    status: number
    body: any
    headers: Record<string, string | string[] | undefined>
  }
  const call = (method: string, path: string, body?: Buffer | object, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const asked = request(
        {
          ...{ host: '127.0.0.1', port: secure, localAddress: CALLER, method, path, rejectUnauthorized: false },
          headers: {
            host: 'clinic.example.ru',
            ...(bytes && { 'content-length': bytes.length, 'content-type': 'application/json' }),
            ...(token && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part) => parts.push(part))
          answer.on('end', () => {
            const text = Buffer.concat(parts).toString()
            const body = /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(text) : text
            resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers })
          })
        },
      )
      asked.once('error', reject)
      asked.end(bytes)
    })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nginx-'))
    clinic = await testApp({
      env: { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://clinic.example.ru' },
      prepare: (app) => addPerson(app, 'desk', ['viewTasksManagement']),
    })
    const upstream = new URL(await clinic.listen()).host
    ;[plain, secure] = [await freePort(), await freePort()]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=clinic.example.ru'].concat([
        '-keyout',
        join(folder, 'privkey.pem'),
        '-out',
        join(folder, 'fullchain.pem'),
      ]),
      { stdio: 'ignore' },
    )
    writeFileSync(join(folder, 'nginx.conf'), configOf(folder, upstream, plain, secure))
    nginx = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
    token = ''
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => nginx.once('exit', resolve))
    nginx.kill('SIGTERM')
    await ended
    await clinic.close()
    rmSync(folder, { recursive: true })
  })

  test('people sign in over TLS and are recorded by their own address, whatever they claim', async () => {
    await expect
      .poll(
        () =>
          call('GET', '/health').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200)
    const signed = await call(
      'POST',
      '/auth/login',
      { login: 'desk', password: 'demo' },
      { 'x-forwarded-for': '203.0.113.9' },
    )
    expect(signed.status).toBe(200)
    expect(String(signed.headers['set-cookie'])).toMatch(/__(Host|Secure)-[^;]+;.*Secure/)
    expect(signed.headers['strict-transport-security']).toContain('max-age')
    token = signed.body.accessToken
    const { body } = await call('GET', '/auth/sessions')
    expect(body.items.map(({ ip }: { ip: string }) => ip)).toEqual([CALLER])
  })

  test('plain http leads to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${plain}/app?x=1`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://127.0.0.1/app?x=1'])
  })

  test('a socket opens and answers, and its token is in no log', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${secure}/ws?token=${token}`, {
      rejectUnauthorized: false,
      headers: { host: 'clinic.example.ru' },
    })
    const answer = await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.on('open', () => socket.send(JSON.stringify({ controller: 'system', action: 'ping' })))
      socket.on('message', (data) => {
        const message = JSON.parse(String(data))
        if (message.action === 'pong') resolve(message.controller)
      })
    })
    expect(answer).toBe('system')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.close()
    await closed
    await expect.poll(() => readFileSync(join(folder, 'access.log'), 'utf8'), { timeout: 60_000 }).toContain('/ws')
    expect(readFileSync(join(folder, 'access.log'), 'utf8')).not.toContain(token)
  })

  test('a file of 50 MB passes', async () => {
    const size = 50 * MB
    const mark = 'ordinator-boundary'
    const head = `--${mark}\r\ncontent-disposition: form-data; name="file"; filename="snimki.txt"\r\ncontent-type: text/plain\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'x'), Buffer.from(`\r\n--${mark}--\r\n`)])
    const sent = await call('POST', '/tasks-management/files', body, {
      'content-type': `multipart/form-data; boundary=${mark}`,
    })
    expect([sent.status, sent.body.size ?? sent.body]).toEqual([201, size])
  })
})
