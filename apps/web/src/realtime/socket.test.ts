import { expect, test, vi } from 'vitest'
import { FakeSocket, last, make, opened, withFakeSockets } from './fakeSocket.ts'

withFakeSockets()

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

test('one tab too many shows a notice and polls less often, until a tab is closed', async () => {
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

test('a token that is not available now is requested again; without a sign-in it ends', async () => {
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

test('what is sent while closed goes out in order, 100 ms apart', async () => {
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

test('the end of a session is reported, and the session is not resumed', async () => {
  const { socket, received } = await opened()
  last().say({ action: 'signOut' })
  last().onclose?.({ code: 4001 })
  expect(received.signOut).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeSocket.made).toHaveLength(1)
  expect(socket.state).toBe('closed')
})

test('another person begins from nothing', async () => {
  const { socket, received } = await opened()
  socket.listen({ path: 'users' })
  last().ack()
  last().event('users', 1, 100, '20')
  socket.disconnect()
  socket.connect()
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().of('addListener')).toEqual([{ path: 'users' }])
  last().event('users', 1, 100, '20')
  expect(received.event).toHaveLength(2)
  expect(socket.reconnects).toBe(0)
})

test('what is no message of the contract is passed over', async () => {
  const { received } = await opened()
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
  expect(received.event).toEqual([])
})
