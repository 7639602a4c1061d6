import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordKeys } from '#records/keys.ts'
import { Live } from './live.ts'
import { Presence } from './presence.ts'
import { bindQueryCache } from './queryCache.ts'
import type { Socket, SocketHandlers } from './socket.ts'
import { type Listener, type LiveEvent, listenerKey } from './wire.ts'

const TASKS = 'tasks-management/tasks'
const TAGS = 'tasks-management/tags'

/** The part of the socket that Live uses. */
class FakeLine {
  readonly listeners = new Map<string, Listener>()
  messages = 0
  runs: Partial<SocketHandlers> = {}

  on<K extends keyof SocketHandlers>(kind: K, run: SocketHandlers[K]): () => void {
    this.runs = { ...this.runs, [kind]: run }
    return () => {}
  }
  listen(...listeners: Listener[]): void {
    this.messages++
    for (const listener of listeners) {
      expect(this.listeners.has(listenerKey(listener))).toBe(false)
      this.listeners.set(listenerKey(listener), listener)
    }
  }
  unlisten(listener: Listener): void {
    expect(this.listeners.delete(listenerKey(listener))).toBe(true)
  }
  event(path: string, id: number, more: Partial<LiveEvent> = {}): void {
    const event: LiveEvent = { path, id, action: 'update', fields: [], seq: 1, idUser: null, version: null, ...more }
    this.runs.event?.(event)
  }
  reset(...paths: string[]): void {
    this.runs.reset?.(paths)
  }
  paths(): (string | number)[] {
    return [...this.listeners.values()].map(({ path, id }) => (id === undefined ? path : `${path}#${id}`)).sort()
  }
}

let line: FakeLine
let live: Live
beforeEach(() => {
  vi.useFakeTimers()
  line = new FakeLine()
  // The fake has only what Live needs of a socket.
  live = new Live(line as unknown as Socket)
})
afterEach(() => vi.useRealTimers())

test('one listener for all who listen to the same; it lingers a little', async () => {
  const ends = [
    live.subscribe(TASKS, {}, () => {}),
    live.subscribe(TASKS, {}, () => {}),
    live.subscribe(TASKS, { id: 1 }, () => {}),
  ]
  await Promise.resolve()
  expect(line.paths()).toEqual([TASKS, `${TASKS}#1`])
  expect(line.messages).toBe(1)
  for (const end of ends) end()
  for (const end of ends) end()
  expect(line.paths()).toHaveLength(2)
  const again = live.subscribe(TASKS, {}, () => {})
  await vi.advanceTimersByTimeAsync(2_000)
  expect(line.paths()).toEqual([TASKS])
  again()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(line.paths()).toEqual([])
})

test('events come in batches, to each its own', async () => {
  const all: number[][] = []
  const one: number[][] = []
  live.subscribe(TASKS, {}, (batch) => all.push(batch.map((event) => event.id)))
  live.subscribe(TASKS, { id: 2 }, (batch) => one.push(batch.map((event) => event.id)))
  line.event(TASKS, 7)
  line.event(TASKS, 8)
  await vi.advanceTimersByTimeAsync(20)
  expect(all.splice(0)).toEqual([[7, 8]])
  line.event(TASKS, 1)
  await vi.advanceTimersByTimeAsync(20)
  expect(all).toEqual([])
  line.event(TASKS, 2)
  line.event(TAGS, 2)
  await vi.advanceTimersByTimeAsync(30)
  expect([all, one]).toEqual([[[1, 2]], [[2]]])
})

test('a reset reaches who listens to the path', () => {
  const resets: string[] = []
  live.subscribe(
    TASKS,
    {},
    () => {},
    () => resets.push('tasks'),
  )
  live.subscribe(
    TAGS,
    {},
    () => {},
    () => resets.push('tags'),
  )
  line.reset(TASKS)
  expect(resets).toEqual(['tasks'])
})

interface Shown {
  reads: number
  end: () => void
}

function show(
  client: QueryClient,
  queryKey: readonly unknown[],
  data: unknown = {},
  meta?: Record<string, unknown>,
): Shown {
  const shown: Shown = { reads: 0, end: () => {} }
  const observer = new QueryObserver(client, {
    queryKey: [...queryKey],
    meta,
    gcTime: 1_000,
    queryFn: () => {
      shown.reads++
      return data
    },
  })
  shown.end = observer.subscribe(() => {})
  return shown
}

async function cacheOf() {
  const client = new QueryClient()
  const end = bindQueryCache(client, live)
  await vi.advanceTimersByTimeAsync(0)
  return { client, end }
}

const settle = (ms = 1_200) => vi.advanceTimersByTimeAsync(ms)

test('cached queries are subscribed while they are in the cache', async () => {
  const { client } = await cacheOf()
  const list = show(client, recordKeys.list(TASKS, { expand: ['tags'] }))
  const view = show(client, recordKeys.view('users', 5))
  const other = show(client, ['boards', 1], {}, { live: ['tasks-management/columns'] })
  await settle()
  expect(line.paths()).toEqual(['tasks-management/columns', TAGS, TASKS, 'users#5'].sort())
  for (const { end } of [list, view, other]) end()
  await settle(5_000)
  expect(line.paths()).toEqual([])
})

test('only what an event touches is read again, and once for a burst', async () => {
  const { client } = await cacheOf()
  const list = show(client, recordKeys.list(TASKS, { expand: ['tags'] }))
  const five = show(client, recordKeys.view(TASKS, 5), { id: 5, _version: 3 })
  const six = show(client, recordKeys.view(TASKS, 6), { id: 6, _version: 3 })
  const users = show(client, recordKeys.list('users', {}))
  await settle()
  for (let n = 0; n < 10; n++) line.event(TASKS, 5, { version: 4 })
  await settle()
  expect([list, five, six, users].map((shown) => shown.reads)).toEqual([2, 2, 1, 1])
  line.event(TAGS, 77)
  await settle()
  expect([list, five, six, users].map((shown) => shown.reads)).toEqual([3, 2, 1, 1])
})

test('an event that the shown record already holds reads nothing', async () => {
  const { client } = await cacheOf()
  const own = show(client, recordKeys.view(TASKS, 5), { id: 5, _version: 4 })
  await settle()
  line.event(TASKS, 5, { version: 4 })
  await settle()
  expect(own.reads).toBe(1)
  line.event(TASKS, 5, { version: 4, action: 'delete' })
  await settle()
  expect(own.reads).toBe(2)
})

test('a busy path is read again at most each second, three times at once aside', async () => {
  const { client } = await cacheOf()
  const list = show(client, recordKeys.list(TASKS, {}))
  await settle()
  for (let n = 0; n < 50; n++) {
    line.event(TASKS, n)
    await vi.advanceTimersByTimeAsync(100)
  }
  await settle()
  expect(list.reads).toBeGreaterThanOrEqual(7)
  expect(list.reads).toBeLessThanOrEqual(9)
  await settle(10_000)
  const reads = list.reads
  line.event(TASKS, 1)
  await vi.advanceTimersByTimeAsync(100)
  expect(list.reads).toBe(reads + 1)
})

test('a busy list does not delay others, and parts of one record are subscribed by that record', async () => {
  const { client } = await cacheOf()
  const list = show(client, recordKeys.list('live-assist', {}))
  const thread = show(client, recordKeys.endless('live-assist/messages', { filter: { idLiveAssist: 7 }, limit: 40 }))
  const marks = show(client, ['marks'], {}, { live: [{ path: 'live-assist', id: 3 }] })
  const found = show(client, recordKeys.list('live-assist/messages', { filter: { message: { ilike: 'а' } } }))
  await settle()
  expect([...line.listeners.values()]).toContainEqual({ path: 'live-assist/messages', filter: { idLiveAssist: 7 } })
  expect(line.paths()).toEqual(['live-assist', 'live-assist#3', 'live-assist/messages', 'live-assist/messages'])
  found.end()
  await settle(5_000)
  expect(line.paths()).toEqual(['live-assist', 'live-assist#3', 'live-assist/messages'])
  for (let n = 0; n < 10; n++) {
    line.event('live-assist', n)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect([list.reads, thread.reads, marks.reads]).toEqual([4, 1, 2])
  line.event('live-assist/messages', 1, { action: 'create' })
  await vi.advanceTimersByTimeAsync(100)
  expect(thread.reads).toBe(2)
  await settle()
  expect([list.reads, thread.reads]).toEqual([5, 2])
})

test('a list all of which is shown is not read again for a word in what it does not show', async () => {
  const { client } = await cacheOf()
  const list = (hasMore: boolean) => ({
    pages: [{ items: [{ id: 1 }, { id: 2 }], _meta: { hasMore } }],
    pageParams: [''],
  })
  const filter = { idUser: 5 }
  const whole = show(client, recordKeys.endless('live-assist', { filter, limit: 30 }), list(false))
  const part = show(client, recordKeys.endless('live-assist', { filter, limit: 2 }), list(true))
  const unread = show(client, recordKeys.endless('live-assist', { filter: { inCount: { gt: 3 } } }), list(false))
  const counts = show(client, ['counts'], {}, { live: ['live-assist'], everyMs: 5_000 })
  await settle()
  const word = { fields: ['lastMessage', 'inCount'] }
  line.event('live-assist', 9, word)
  await settle()
  expect([whole, part, unread, counts].map((shown) => shown.reads)).toEqual([1, 2, 2, 2])
  line.event('live-assist', 2, word)
  await settle()
  expect(whole.reads).toBe(2)
  // It may have entered the list by a change that is not sent.
  for (const fields of [['lastMessage', 'idUser'], []]) {
    const { reads } = whole
    line.event('live-assist', 9, { fields })
    await settle()
    expect(whole.reads).toBe(reads + 1)
  }
  line.event('live-assist', 9, { ...word, action: 'create' })
  await settle()
  expect(whole.reads).toBe(5)
  const { reads } = counts
  for (let n = 0; n < 100; n++) {
    line.event('live-assist', 9, word)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(counts.reads - reads).toBeLessThanOrEqual(3)
})

test('of one record with its fields named only those count, and whatever may be another change', async () => {
  const { client } = await cacheOf()
  const thread = show(client, ['thread'], {}, { live: [{ path: 'live-assist', id: 7, fields: ['readOut'] }] })
  await settle()
  const readsAfter = async (id: number, more: object) => {
    const { reads } = thread
    line.event('live-assist', id, more)
    await vi.advanceTimersByTimeAsync(5_000)
    return thread.reads - reads
  }
  expect(await readsAfter(7, { fields: ['readIn', 'inCount'] })).toBe(0)
  expect(await readsAfter(7, { fields: ['readIn', 'readOut'] })).toBe(1)
  expect(await readsAfter(8, { fields: ['readOut'] })).toBe(0)
  expect(await readsAfter(7, { fields: [] })).toBe(1)
  expect(await readsAfter(7, { fields: ['readIn'], action: 'delete' })).toBe(1)
  // Two changes at the same time are both known.
  line.event('live-assist', 7, { fields: ['readOut'] })
  expect(await readsAfter(7, { fields: ['readIn'] })).toBe(1)
})

test('a reset reads everything of the path again', async () => {
  const { client } = await cacheOf()
  const list = show(client, recordKeys.list(TASKS, {}))
  const view = show(client, recordKeys.view(TASKS, 5), { id: 5, _version: 9 })
  const users = show(client, recordKeys.list('users', {}))
  await settle()
  line.reset(TASKS)
  await settle()
  expect([list, view, users].map((shown) => shown.reads)).toEqual([2, 2, 1])
})

test('many single records become one listener to their path', async () => {
  const { client } = await cacheOf()
  for (let id = 1; id <= 150; id++) show(client, recordKeys.view(TASKS, id))
  await settle()
  expect(line.paths()).toHaveLength(101)
  expect(line.paths()).toContain(TASKS)
})

test('presence is asked for new faces, each 3 minutes, and when the page is seen again; never while hidden', async () => {
  let visible = true
  const asked: number[][] = []
  const presence = new Presence({
    visible: () => visible,
    ask: async (users) => {
      asked.push(users)
      return Object.fromEntries(users.map((id) => [id, id === 1]))
    },
  })
  presence.start(9)
  await vi.advanceTimersByTimeAsync(0)
  // Reading the account has just reported this user's presence.
  expect(asked).toEqual([])
  const end = presence.watch([1, 2])
  presence.watch([2, 3])
  await vi.advanceTimersByTimeAsync(200)
  expect(asked[0]).toEqual([1, 2, 3])
  expect([...presence.online()]).toEqual([
    [9, true],
    [1, true],
    [2, false],
    [3, false],
  ])
  end()
  await vi.advanceTimersByTimeAsync(180_000 - 201)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked[1]).toEqual([9, 2, 3])
  visible = false
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toHaveLength(2)
  visible = true
  presence.visibilityChanged()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(3)
  presence.stop()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toHaveLength(3)
  expect(presence.online().size).toBe(0)
})
