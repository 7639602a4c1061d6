/** Two server processes on one database, with a Redis that hangs and is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { User } from '@ordinator/model/areas/staff/user'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemActor } from '#records/actor.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { freePort, playedRedis, realRedis, redisServer, type TestRedis } from '#testing/redis.ts'

/** Bound for signals through PostgreSQL, with room for a busy machine; a missed signal would take 60 s. */
const SOON_MS = 30_000
/** Shutdown time of an idle server. */
const STOP_MS = 30_000

describe('two servers with a played Redis', () => twoServers(playedRedis))
describe.runIf(redisServer.there)('two servers with the real Redis', redisServer.options, () => twoServers(realRedis))

function twoServers(open: typeof playedRedis): void {
  const ends: (() => unknown)[] = []
  let redis: TestRedis
  /** One server, in this process. */
  let here: Clinic
  /** The other, in a child process. */
  let other: { url: string; child: ChildProcess }
  let people = 0

  async function startOther(): Promise<typeof other> {
    const port = await freePort()
    const { databaseUrl, dataDir, secret } = here.config
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        SECRET: secret,
        REDIS_URL: redis.url,
        PORT: `${port}`,
        HOST: '127.0.0.1',
        DEMO: '0',
        READY: '0',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    ends.push(() => child.kill('SIGKILL'))
    // Its output stays open: a server whose output is closed fails at its next line.
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => String(chunk).includes('работает') && resolve())
      child.once('exit', (code) => reject(new Error(`the other server has ended: ${code}`)))
    })
    return { url: `http://127.0.0.1:${port}`, child }
  }

  /** Signed in here, with a socket to the other process. */
  async function signedIn() {
    const login = `walker${++people}`
    const { id } = await addPerson(here.context, login)
    const token = (await here.as(login).token()) as string
    const ask = async () =>
      (await fetch(`${other.url}/auth/sessions`, { headers: { authorization: `Bearer ${token}` } })).status
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/ws?token=${token}`)
    const events: { controller: string; data: { id?: number } }[] = []
    socket.on('message', (data) => events.push(JSON.parse(String(data))))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await once(socket, 'open')
    socket.send(JSON.stringify({ controller: 'system', action: 'addListener', data: { path: 'users' } }))
    await until(() => events.length > 0)
    return { id, token, ask, closed, events }
  }

  const until = (what: () => unknown) => expect.poll(async () => Boolean(await what()), { timeout: SOON_MS }).toBe(true)

  /** Signing out here ends the session in the other process. */
  async function leavesEverywhere(): Promise<void> {
    const one = await signedIn()
    expect(await one.ask()).toBe(200)
    const began = performance.now()
    expect((await here.withToken(one.token).post('/auth/logout', {})).status).toBe(200)
    await until(async () => (await one.ask()) === 401)
    expect(await one.closed).toBe(4001)
    expect(performance.now() - began).toBeLessThan(SOON_MS)
  }

  /** A write here reaches subscribers of the other process. */
  async function crosses(): Promise<void> {
    const one = await signedIn()
    await here.context.engine.for(systemActor).update(User, one.id, { post: 'Врач' })
    await until(() => one.events.some(({ controller, data }) => controller === 'users' && data.id === one.id))
  }

  async function stops(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit')
    const began = performance.now()
    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(performance.now() - began).toBeLessThan(STOP_MS)
  }

  beforeAll(async () => {
    redis = await open((run) => ends.push(run))
    here = await testApp({ env: { REDIS_URL: redis.url } })
    other = await startOther()
  })
  afterAll(async () => {
    await here.close()
    for (const end of ends.reverse()) await end()
  })

  test('events and sign-outs cross', async () => {
    const { Redis } = await import('ioredis')
    const listener = new Redis(redis.url)
    let carried = 0
    listener.on('message', () => carried++)
    await listener.subscribe('ordinator:0')
    await crosses()
    await leavesEverywhere()
    listener.disconnect()
    expect(carried).toBeGreaterThan(0)
  })

  test('that is silent: both still cross, and a stop ends', async () => {
    redis.silence()
    await leavesEverywhere()
    await crosses()
    await stops(other.child)
    redis.resume()
  })

  test('that is down: both are still delivered, a stop ends, and once it is back it is used again', async () => {
    other = await startOther()
    await redis.kill()
    await leavesEverywhere()
    await crosses()
    await redis.revive()
    const { Redis } = await import('ioredis')
    const listener = new Redis(redis.url)
    let carried = 0
    listener.on('message', () => carried++)
    await listener.subscribe('ordinator:0')
    await until(async () => {
      await crosses()
      return carried > 0
    })
    listener.disconnect()
    await redis.kill()
    await stops(other.child)
    const began = performance.now()
    await here.app.close()
    expect(performance.now() - began).toBeLessThan(STOP_MS)
  })
}
