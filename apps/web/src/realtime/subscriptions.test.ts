import { expect, test, vi } from 'vitest'
import { type FakeSocket, last, make, opened, withFakeSockets } from './fakeSocket.ts'

withFakeSockets()

test('listens again after a break, from the last cursor', async () => {
  const { socket, received } = await opened()
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
  received.reset = []
  last().event('users', 1, 100, '20')
  last().event('users', 2, 101, '20')
  last().ack({ cursor: '30' }, 'addListeners')
  expect(received.event?.map((event) => event.seq)).toEqual([100, 101])
  expect(received.reset).toEqual([])
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  expect(last().of('addListeners')[0].since).toBe('30')
})

test('a listener whose answer never came begins where it began, whatever others have received since', async () => {
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

test('paths whose events are lost are reset', async () => {
  const { socket, received } = await opened()
  socket.listen({ path: 'users' })
  last().ack()
  // Data read before the first answer may be stale.
  expect(received.reset).toEqual([['users']])
  socket.listen({ path: 'tasks' })
  last().ack()
  expect(received.reset).toHaveLength(1)
  last().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(2_000)
  last().open()
  last().ack({ reset: true }, 'addListeners')
  expect(received.reset).toEqual([['users'], ['users', 'tasks']])
})

test('with a cursor from before the first reading nothing is read twice', async () => {
  const { socket, received } = make()
  socket.listen({ path: 'users' })
  socket.connect('7')
  socket.listen({ path: 'tasks' })
  await vi.advanceTimersByTimeAsync(0)
  last().open()
  expect(last().of('addListeners')).toEqual([{ listeners: [{ path: 'users' }, { path: 'tasks' }], since: '7' }])
  last().event('users', 1, 100, '7')
  last().ack({ cursor: '9' }, 'addListeners')
  expect(received.event).toHaveLength(1)
  expect(received.reset).toEqual([])
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
  const { socket, received } = await opened()
  socket.listen({ path: 'users' })
  socket.listen({ path: 'roles' })
  last().ack()
  last().say({ action: 'addListener', data: { status: 403, message: 'нет' }, isError: true })
  expect(socket.subscriptions()).toEqual([
    { path: 'users', state: 'on', message: undefined },
    { path: 'roles', state: 'refused', message: 'нет' },
  ])
  received.reset = []
  last().say({ action: 'reset', data: { paths: ['users'] } })
  expect(last().of('addListeners')).toEqual([{ listeners: [{ path: 'users' }, { path: 'roles' }] }])
  last().ack({}, 'addListeners')
  // Data of a subscription refused until now were never read.
  expect(received.reset).toEqual([['users'], ['roles']])
  expect(socket.subscriptions().map((one) => one.state)).toEqual(['on', 'on'])
  expect(last().of('addListeners')).toHaveLength(1)
})

test('one refused among many is found, the others are accepted', async () => {
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
