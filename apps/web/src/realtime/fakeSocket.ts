import { afterEach, beforeEach, vi } from 'vitest'
import { Socket, type SocketHandlers, type SocketOptions } from './socket.ts'

/** A websocket whose other side is played by the test. */
export class FakeSocket {
  static made: FakeSocket[] = []
  readonly url: string
  readonly sent: { at: number; message: Record<string, any> }[] = []
  closed = false
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  constructor(url: string) {
    this.url = url
    FakeSocket.made.push(this)
  }

  send(text: string): void {
    this.sent.push({ at: Date.now(), message: JSON.parse(text) })
  }

  close(): void {
    this.closed = true
  }

  open(): void {
    this.onopen?.()
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify({ controller: 'system', data: {}, meta: {}, isError: false, ...message }) })
  }

  event(path: string, id: number, seq: number, cursor: string): void {
    this.say({
      controller: path,
      action: 'update',
      data: { id, fields: ['name'] },
      meta: { seq, cursor, idUser: 1, version: 2 },
    })
  }

  ack(data: object = {}, action = 'addListener'): void {
    this.say({ action, data: { listeners: 1, cursor: '10', reset: false, ...data } })
  }

  pong(): void {
    this.say({ action: 'pong' })
  }

  of(action: string): any[] {
    return this.sent.filter(({ message }) => message.action === action).map(({ message }) => message.data)
  }
}

/** The socket made last. */
export const last = (): FakeSocket => FakeSocket.made.at(-1) as FakeSocket

export function make(token: SocketOptions['token'] = async () => 't'): {
  socket: Socket
  received: Record<string, any[]>
} {
  const socket = new Socket({
    token,
    url: 'ws://clinic/ws',
    // The fake has only what Socket needs of a websocket.
    create: (url, protocols) => new FakeSocket(`${url} ${protocols.join(' ')}`) as unknown as WebSocket,
  })
  const received: Record<string, any[]> = { event: [], reset: [], signOut: [] }
  for (const kind of ['event', 'reset', 'signOut'] as (keyof SocketHandlers)[]) {
    socket.on(kind, (value?: unknown) => void received[kind]?.push(value))
  }
  return { socket, received }
}

export async function opened(token?: SocketOptions['token']) {
  const made = make(token)
  made.socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  last().pong()
  return made
}

/** Fake timers and a fresh list of sockets for each test of the calling file. */
export function withFakeSockets(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    FakeSocket.made = []
  })
  afterEach(() => vi.useRealTimers())
}
