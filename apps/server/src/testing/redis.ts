/** Redis for tests: a simulator, and the real one if it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { need } from '@ordinator/model/testing/needs'

export interface TestRedis {
  url: string
  /** Accepts connections and bytes without answering. */
  silence(): void
  /** After `silence`. */
  resume(): void
  /** Breaks all connections and refuses new ones. */
  kill(): Promise<void>
  /** After `kill`, at the same address. */
  revive(): Promise<void>
}

const REAL = process.env.REDIS_SERVER ?? 'redis-server'
export const redisServer = need(
  'Два сервера с настоящим Redis (redis-server)',
  spawnSync(REAL, ['--version'], { stdio: 'ignore' }).status === 0,
)

/** @param atEnd registers a cleanup */
export async function realRedis(atEnd: (run: () => unknown) => void): Promise<TestRedis> {
  const port = await freePort()
  let child: ChildProcess
  const start = async () => {
    child = spawn(REAL, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    })
    while (!(await answers(port))) await sleep(20)
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  atEnd(kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    silence: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    revive: start,
  }
}

/** Simulates the part of Redis that a fan-out needs (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
export async function playedRedis(atEnd: (run: () => unknown) => void): Promise<TestRedis> {
  const port = await freePort()
  const sockets = new Map<Socket, Set<string>>()
  let server: Server
  let silent = false

  function answer(socket: Socket, [name = '', ...words]: string[]): string {
    const channels = sockets.get(socket) as Set<string>
    switch (name.toUpperCase()) {
      case 'PING':
        return channels.size > 0 ? array('pong', '') : '+PONG\r\n'
      case 'SUBSCRIBE':
        return words
          .map((channel) => `*3\r\n${bulk('subscribe')}${bulk(channel)}:${channels.add(channel).size}\r\n`)
          .join('')
      case 'PUBLISH': {
        const [channel = '', text = ''] = words
        const listeners = [...sockets].filter(([, subscribed]) => subscribed.has(channel))
        for (const [one] of listeners) one.write(array('message', channel, text))
        return `:${listeners.length}\r\n`
      }
      case 'INFO':
        return bulk('redis_version:7.0.0\r\nloading:0\r\n')
      case 'QUIT':
      case 'CLIENT':
      case 'SELECT':
        return '+OK\r\n'
      default:
        return `-ERR unknown command '${name}'\r\n`
    }
  }

  function serve(socket: Socket): void {
    sockets.set(socket, new Set())
    let unread = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes])
      for (let taken = command(unread); taken && !silent; taken = command(unread)) {
        unread = unread.subarray(taken.end)
        socket.write(answer(socket, taken.words))
      }
    })
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }

  const revive = async () => {
    server = createServer(serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const kill = async () => {
    for (const socket of sockets.keys()) socket.destroy()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  await revive()
  atEnd(kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    silence: () => {
      silent = true
    },
    resume: () => {
      silent = false
      for (const socket of sockets.keys()) socket.emit('data', Buffer.alloc(0))
    },
    kill,
    revive,
  }
}

/** The first complete command, an array of bulk strings, and its end. */
function command(bytes: Buffer): { words: string[]; end: number } | undefined {
  const lineAt = (from: number) => {
    const end = bytes.indexOf('\r\n', from)
    return end < 0 ? undefined : { text: bytes.toString('utf8', from, end), next: end + 2 }
  }
  const head = lineAt(0)
  if (!head) return undefined
  const words: string[] = []
  let at = head.next
  for (let left = Number(head.text.slice(1)); left > 0; left--) {
    const length = lineAt(at)
    if (!length) return undefined
    const end = length.next + Number(length.text.slice(1))
    if (bytes.length < end + 2) return undefined
    words.push(bytes.toString('utf8', length.next, end))
    at = end + 2
  }
  return { words, end: at }
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
const array = (...texts: string[]): string => `*${texts.length}\r\n${texts.map(bulk).join('')}`

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
