import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Socket, type SocketHandlers, type SocketOptions } from './socket.ts'

class FakeSocket {
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

const last = (): FakeSocket => FakeSocket.made.at(-1) as FakeSocket

function make(token: SocketOptions['token'] = async () => 't'): { socket: Socket; heard: Record<string, any[]> } {
  const socket = new Socket({
    token,
    url: 'ws://clinic/ws',
    // The fake has only what Socket needs of a websocket.
    create: (url, protocols) => new FakeSocket(`${url} ${protocols.join(' ')}`) as unknown as WebSocket,
  })
  const heard: Record<string, any[]> = { event: [], reset: [], signOut: [] }
  for (const kind of ['event', 'reset', 'signOut'] as (keyof SocketHandlers)[]) {
    socket.on(kind, (value?: unknown) => void heard[kind]?.push(value))
  }
  return { socket, heard }
}

async function opened(token?: SocketOptions['token']) {
  const made = make(token)
  made.socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  last().pong()
  return made
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.made = []
})
afterEach(() => vi.useRealTimers())

test('goes through its states', async () => {
  const { socket } = make()
  expect(socket.state).toBe('closed')
  socket.connect()
  expect(socket.state).toBe('connecting')
  await vi.advanceTimersByTimeAsync(0)
  expect(last().url).toBe('ws://clinic/ws ordinator bearer.t')
  last().open()
  expect(socket.state).toBe('open')
  socket.disconnect()
  expect(socket.state).toBe('closed')
  expect(last().closed).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeSocket.made).toHaveLength(1)
})

test('pings each 20 seconds and measures the delay', async () => {
  const { socket } = await opened()
  expect(last().of('ping')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(last().of('ping')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(last().of('ping')).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(37)
  last().pong()
  expect(socket.delay).toBe(37)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(FakeSocket.made).toHaveLength(1)
})

test('without a pong in 10 seconds it connects anew', async () => {
  const { socket } = await opened()
  const first = last()
  await vi.advanceTimersByTimeAsync(20_000 + 9_999)
  expect(FakeSocket.made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(first.closed).toBe(true)
  expect(FakeSocket.made).toHaveLength(2)
  last().open()
  expect(socket.state).toBe('open')
  expect(socket.reconnects).toBe(1)
})

test('comes back after 2 seconds with a token read anew', async () => {
  let token = 'one'
  const asked: boolean[] = []
  const { socket } = await opened(async (refused) => {
    asked.push(refused)
    return token
  })
  token = 'two'
  last().onclose?.({ code: 1006 })
  expect(socket.state).toBe('closed')
  expect(socket.retrying).toBe(true)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(FakeSocket.made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(FakeSocket.made).toHaveLength(2)
  expect(last().url).toContain('bearer.two')
  // Refused before it opened: the next token is requested as after a refusal.
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toEqual([false, false, true])
})

test('gives up after 100 tries; the network or the eye brings it back', async () => {
  const { socket } = await opened()
  last().onclose?.({ code: 1006 })
  for (let n = 0; n < 100; n++) {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(FakeSocket.made).toHaveLength(n + 2)
    last().onclose?.({ code: 1006 })
  }
  await vi.advanceTimersByTimeAsync(600_000)
  expect(FakeSocket.made).toHaveLength(101)
  expect(socket).toMatchObject({ state: 'closed', retrying: false })
  socket.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.made).toHaveLength(102)
  last().open()
  expect(socket.state).toBe('open')
})

test('one tab too many says so and asks less often, until a tab is closed', async () => {
  const { socket } = await opened()
  last().onclose?.({ code: 4030 })
  expect(socket).toMatchObject({ crowded: true, state: 'closed' })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(FakeSocket.made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(FakeSocket.made).toHaveLength(2)
  last().open()
  expect(socket.crowded).toBe(true)
  last().pong()
  expect(socket.crowded).toBe(false)
})

test('a line that hangs before it opens counts as lost', async () => {
  const { socket } = make()
  socket.connect()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(last().closed).toBe(true)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(FakeSocket.made).toHaveLength(2)
})

test('a token that cannot be had now is asked for again; nobody signed in is the end', async () => {
  let answer: () => Promise<string | null> = () => Promise.reject(new Error('no network'))
  const { socket } = make(() => answer())
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  expect(socket).toMatchObject({ state: 'closed', retrying: true })
  answer = async () => null
  await vi.advanceTimersByTimeAsync(2_000)
  expect(socket).toMatchObject({ state: 'closed', retrying: false })
  expect(FakeSocket.made).toHaveLength(0)
})

test('waking checks an open line and hurries a closed one', async () => {
  const { socket } = await opened()
  socket.wake()
  expect(last().of('ping')).toHaveLength(2)
  last().onclose?.({ code: 1006 })
  socket.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.made).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(FakeSocket.made).toHaveLength(2)
})

test('what is said while closed is sent in order, 100 ms apart', async () => {
  const { socket } = make()
  for (const action of ['a', 'b', 'c']) socket.send({ controller: 'x', action })
  expect(socket.queued).toBe(3)
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  last().pong()
  const start = Date.now()
  await vi.advanceTimersByTimeAsync(50)
  socket.send({ controller: 'x', action: 'd' })
  await vi.advanceTimersByTimeAsync(1_000)
  socket.send({ controller: 'x', action: 'e' })
  const own = last().sent.filter(({ message }) => message.controller === 'x')
  expect(own.map(({ message, at }) => [message.action, at - start])).toEqual([
    ['a', 0],
    ['b', 100],
    ['c', 200],
    ['d', 300],
    ['e', 1_050],
  ])
})

test('the queue is bounded, the oldest go', async () => {
  const { socket } = make()
  for (let n = 0; n < 150; n++) socket.send({ controller: 'x', action: String(n) })
  expect(socket.queued).toBe(100)
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().sent.find(({ message }) => message.controller === 'x')?.message.action).toBe('50')
})

test('listens again after a break, from the last cursor', async () => {
  const { socket, heard } = await opened()
  socket.listen({ path: 'users' })
  socket.listen({ path: 'tasks', id: 5 })
  socket.listen({ path: 'users' })
  expect(last().of('addListener')).toEqual([{ path: 'users' }, { path: 'tasks', id: 5 }])
  last().ack({ cursor: '10' })
  last().ack({ cursor: '11' })
  last().event('users', 1, 100, '20')
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  expect(last().of('addListeners')).toEqual([{ listeners: [{ path: 'users' }, { path: 'tasks', id: 5 }], since: '20' }])
  heard.reset = []
  last().event('users', 1, 100, '20')
  last().event('users', 2, 101, '20')
  last().ack({ cursor: '30' }, 'addListeners')
  expect(heard.event?.map((event) => event.seq)).toEqual([100, 101])
  expect(heard.reset).toEqual([])
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  expect(last().of('addListeners')[0].since).toBe('30')
})

test('a listener whose answer never came begins where it began, whatever others have heard since', async () => {
  const { socket } = await opened()
  socket.listen({ path: 'users' })
  last().ack({ cursor: '10' })
  socket.listen({ path: 'tasks' })
  last().event('users', 1, 100, '20')
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  expect(last().of('addListener')).toEqual([
    { path: 'users', since: '20' },
    { path: 'tasks', since: '10' },
  ])
})

test('what could not be made up for is told to be read again', async () => {
  const { socket, heard } = await opened()
  socket.listen({ path: 'users' })
  last().ack()
  // Data read before the first answer may be stale.
  expect(heard.reset).toEqual([['users']])
  socket.listen({ path: 'tasks' })
  last().ack()
  expect(heard.reset).toHaveLength(1)
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  last().ack({ reset: true }, 'addListeners')
  expect(heard.reset).toEqual([['users'], ['users', 'tasks']])
})

test('with a cursor from before the first reading nothing is read twice', async () => {
  const { socket, heard } = make()
  socket.listen({ path: 'users' })
  socket.connect('7')
  socket.listen({ path: 'tasks' })
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().of('addListeners')).toEqual([{ listeners: [{ path: 'users' }, { path: 'tasks' }], since: '7' }])
  last().event('users', 1, 100, '7')
  last().ack({ cursor: '9' }, 'addListeners')
  expect(heard.event).toHaveLength(1)
  expect(heard.reset).toEqual([])
  socket.listen({ path: 'roles' })
  expect(last().of('addListener')).toEqual([{ path: 'roles', since: '9' }])
  // A cursor that has advanced is not reset.
  socket.connect('7')
  socket.reconnect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().of('addListeners').at(-1)?.since).toBe('9')
})

test('after a reset by the server listeners are asked for once more, and it does not go in circles', async () => {
  const { socket, heard } = await opened()
  socket.listen({ path: 'users' })
  socket.listen({ path: 'roles' })
  last().ack()
  last().say({ action: 'addListener', data: { status: 403, message: 'нет' }, isError: true })
  expect(socket.subscriptions()).toEqual([
    { path: 'users', state: 'on', message: undefined },
    { path: 'roles', state: 'refused', message: 'нет' },
  ])
  heard.reset = []
  last().say({ action: 'reset', data: { paths: ['users'] } })
  expect(last().of('addListeners')).toEqual([{ listeners: [{ path: 'users' }, { path: 'roles' }] }])
  last().ack({}, 'addListeners')
  // Data of a subscription refused until now were never read.
  expect(heard.reset).toEqual([['users'], ['roles']])
  expect(socket.subscriptions().map((one) => one.state)).toEqual(['on', 'on'])
  expect(last().of('addListeners')).toHaveLength(1)
})

test('one refused among many is found, the others are let in', async () => {
  const { socket } = make()
  for (const path of ['a', 'b', 'c', 'd', 'e']) socket.listen({ path })
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  for (let done = 0; done < last().sent.length; done++) {
    const { action, data } = (last().sent[done] as (typeof FakeSocket.prototype.sent)[number]).message
    if (!String(action).startsWith('addListener')) continue
    const paths = (data.listeners ?? [data]).map((one: { path: string }) => one.path)
    if (paths.includes('d')) last().say({ action, data: { status: 403, message: 'нет' }, isError: true })
    else last().ack({}, action)
  }
  expect(socket.subscriptions().map(({ path, state }) => [path, state])).toEqual([
    ['a', 'on'],
    ['b', 'on'],
    ['c', 'on'],
    ['d', 'refused'],
    ['e', 'on'],
  ])
})

test('a server that cannot answer now is connected to again', async () => {
  const { socket } = await opened()
  socket.listen({ path: 'users' })
  last().say({ action: 'addListener', data: { status: 503, message: '' }, isError: true })
  expect(socket.state).toBe('closed')
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  expect(last().of('addListener')).toEqual([{ path: 'users' }])
})

test('answers to messages sent by hand are not taken for others', async () => {
  const { socket } = await opened()
  socket.send({ controller: 'system', action: 'addListener', data: { path: 'nowhere' } })
  socket.listen({ path: 'users' })
  last().say({ action: 'addListener', data: { status: 404, message: 'нет' }, isError: true })
  expect(socket.subscriptions()).toMatchObject([{ path: 'users', state: 'waiting' }])
  last().ack()
  expect(socket.subscriptions()).toMatchObject([{ path: 'users', state: 'on' }])
})

test('stops listening', async () => {
  const { socket } = await opened()
  socket.listen({ path: 'users', filter: { id: 1 } })
  last().ack()
  socket.unlisten({ path: 'users', filter: { id: 1 } })
  expect(last().of('removeListener')).toEqual([{ path: 'users', filter: { id: 1 } }])
  expect(socket.subscriptions()).toEqual([])
})

test('a session that has ended is told, and not come back to', async () => {
  const { socket, heard } = await opened()
  last().say({ action: 'signOut' })
  last().onclose?.({ code: 4001 })
  expect(heard.signOut).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeSocket.made).toHaveLength(1)
  expect(socket.state).toBe('closed')
})

test('another person begins from nothing', async () => {
  const { socket, heard } = await opened()
  socket.listen({ path: 'users' })
  last().ack()
  last().event('users', 1, 100, '20')
  socket.disconnect()
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().of('addListener')).toEqual([{ path: 'users' }])
  last().event('users', 1, 100, '20')
  expect(heard.event).toHaveLength(2)
  expect(socket.reconnects).toBe(0)
})

test('what is no message of the contract is passed over', async () => {
  const { heard } = await opened()
  for (const data of [
    '',
    '{',
    '[]',
    'null',
    '1',
    '{"controller":1}',
    '{"controller":"a","action":"update","data":null}',
  ]) {
    last().onmessage?.({ data })
  }
  last().onmessage?.({ data: new ArrayBuffer(1) })
  expect(heard.event).toEqual([])
})
