import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { WebSocket } from 'ws'
import { createDb, type Db } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import { createFanout } from '#platform/fanout.ts'
import { createLog } from '#platform/log.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { PastEvent, Viewer, Visibility, VisibleIds } from '#records/sight.ts'
import { testDb } from '#testing/harness.ts'
import { cursorNow, openRealtime, type Realtime } from '../index.ts'

/** Soft-deleted; visible to all who hold viewTasksManagement. */
export const TASKS = 'tasks-management/tasks'
/** Physically deleted; within a task. */
export const TAGS = 'tasks-management/tags'
export const USERS = 'users'

interface Message {
  controller: string
  action: string
  data: Record<string, any>
  meta: Record<string, any>
  isError: boolean
}

/** One server process: the hub with a test engine and test authentication. */
interface Process {
  url: string
  realtime: Realtime
  wake(): void
  close(): Promise<void>
}

export const actors = new Map<string, ServerActor>()
/** `user path id` of records hidden from a user. */
export const hidden = new Set<string>()
export const before = new Set<string>()
/** The hub's queries for visibility, and whether they fail. */
export const asked = {
  questions: [] as { path: string; users: number; filters?: number }[],
  broken: false,
  /** Delays the answer about these users' filters. */
  held: undefined as ((users: number[]) => Promise<void> | undefined) | undefined,
  /** Called for each filter that is checked before a subscription. */
  checks: undefined as (() => void) | undefined,
}
export const ended = new Set<(idSession: string) => void>()
export const changed = new Set<(idUser: number | undefined) => void>()

const visibleTo = (path: string, ids: number[], users: Viewer[], not = hidden): VisibleIds =>
  new Map(users.map(({ id }) => [id, new Set(ids.filter((record) => !not.has(`${id} ${path} ${record}`)))]))

const visibility: Visibility = {
  async checkVisibility(path, ids, users) {
    asked.questions.push({ path, users: users.length })
    if (asked.broken) throw new Error('no answer')
    return visibleTo(path, ids, users)
  },
  async checkFilters(path, ids, filters) {
    asked.questions.push({
      path,
      users: new Set(filters.flatMap(({ viewers }) => viewers.map(({ id }) => id))).size,
      filters: filters.length,
    })
    await asked.held?.(filters.flatMap(({ viewers }) => viewers.map(({ id }) => id)))
    return filters.map(({ filter, viewers }) =>
      visibleTo(path, filter['filter[importance]'] === '2' ? ids.filter((id) => id % 2 === 0) : ids, viewers),
    )
  },
  shapeOf: (filter) => Object.keys(filter).join(),
  async deletedVisibility(path, events: PastEvent[], users) {
    return visibleTo(
      path,
      events.filter((event) => event.idParent !== 13).map((event) => event.id),
      users,
    )
  },
  async visibleBefore(path, events, users) {
    return new Map(
      users.map(({ id }) => [
        id,
        new Set(events.map((e) => e.id).filter((record) => before.has(`${id} ${path} ${record}`))),
      ]),
    )
  },
  checkFilter(_path, filter) {
    asked.checks?.()
    if (!('filter[importance]' in filter || 'filter[idTask]' in filter)) throw badRequest('Неизвестное поле в фильтре')
  },
}

export let db: Db
export let one: Process
export let two: Process
export const sockets: WebSocket[] = []

export function person(
  token: string,
  id: number,
  permissions: ServerActor['permissions'] = { viewTasksManagement: true },
): void {
  actors.set(token, { id, permissions, idSession: `s-${token}`, timeZone: 'Europe/Moscow' })
}

/** A cursor after everything committed so far. Transactions in other databases of the cluster hold it back for a while. */
export async function settledCursor(): Promise<string> {
  const now = await db.one<{ xmax: string }>({ text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as xmax' })
  let cursor = '0'
  await expect
    .poll(async () => BigInt((cursor = await cursorNow(db))) >= BigInt(now?.xmax ?? 0), { timeout: 240_000 })
    .toBe(true)
  return cursor
}

export async function start(): Promise<Process> {
  const log = createLog('fatal')
  const own = createDb({ url: db.url, log, max: 4, connectTimeout: 300_000 })
  const server = fastify()
  const fanout = createFanout({ db: own, redisUrl: undefined, log })
  await fanout.start()
  const onClose: (() => unknown)[] = []
  const context = {
    db: own,
    log,
    server,
    fanout,
    config: { publicUrl: 'http://clinic.test', trustProxy: [] },
    onClose: (run: () => unknown) => onClose.push(run),
  } as unknown as AppContext
  const realtime = openRealtime(
    context,
    {
      actorOfToken: async (token) => actors.get(token),
      actorOfSession: async (session) => [...actors.values()].find((actor) => actor.idSession === session),
      onSessionEnded: (run) => ended.add(run),
      onRightsChanged: (run) => changed.add(run),
    },
    visibility,
  )
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    url: url.replace('http', 'ws'),
    realtime,
    wake: () => fanout.publish('records', ''),
    async close() {
      for (const run of onClose) await run()
      await server.close()
      await fanout.close()
      await own.end()
    },
  }
}

export class Client {
  readonly messages: Message[] = []
  readonly closed: Promise<number>
  readonly socket: WebSocket
  #arrived: (() => void)[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)))
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)))
      for (const run of this.#arrived.splice(0)) run()
    })
  }

  say(action: string, data?: unknown): void {
    this.socket.send(JSON.stringify({ controller: 'system', action, data }))
  }

  async next(test: (message: Message) => boolean, ms = 60_000): Promise<Message> {
    const end = Date.now() + ms
    for (;;) {
      const found = this.messages.find(test)
      if (found) return found
      if (Date.now() > end) throw new Error(`did not come; came: ${JSON.stringify(this.messages)}`)
      await Promise.race([new Promise<void>((resolve) => this.#arrived.push(resolve)), sleep(50)])
    }
  }

  async ask(action: string, data?: unknown): Promise<Message> {
    const from = this.messages.length
    this.say(action, data)
    return this.next((message) => this.messages.indexOf(message) >= from && message.action === action)
  }

  async ping(): Promise<Message> {
    const from = this.messages.length
    this.say('ping')
    return this.next((message) => this.messages.indexOf(message) >= from && message.action === 'pong')
  }

  events(): Message[] {
    return this.messages.filter((message) => message.controller !== 'system')
  }

  ids = (): number[] => this.events().map((event) => event.data.id)

  async event(id: number): Promise<Message> {
    return this.next((message) => message.controller !== 'system' && message.data.id === id)
  }
}

export async function connect(process: Process, token = 'ann'): Promise<Client> {
  const socket = new WebSocket(`${process.url}/ws?token=${token}`)
  const client = new Client(socket)
  sockets.push(socket)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return client
}

export async function listening(process: Process, data: object = { path: TASKS }, token = 'ann'): Promise<Client> {
  const client = await connect(process, token)
  expect(await client.ask('addListener', data)).toMatchObject({ isError: false })
  return client
}

interface Written {
  path?: string
  action?: string
  changes?: object
  idParent?: number
}

export async function write(
  id: number,
  { path = TASKS, action = 'update', changes = { name: ['a', 'b'] }, idParent }: Written = {},
  by: Pick<Db, 'query'> = db,
) {
  const rows = await by.query<{ id: number }>({
    text: `INSERT INTO history (path, "idEntity", action, "idUser", changes, version, "idParent") VALUES ($1, $2, $3, 7, $4, 3, $5) RETURNING id`,
    values: [path, id, action, JSON.stringify(changes), idParent ?? null],
  })
  return Number(rows[0]?.id)
}

export const by = (client: pg.Client): Pick<Db, 'query'> => ({
  query: async (query) => (await client.query(query)).rows,
})

/** Two processes on a database of this file; each test begins with the users Ann and Bob, and no subscriptions. */
export function openStand(): void {
  beforeAll(async () => {
    db = await testDb()
    one = await start()
    two = await start()
  })

  afterAll(async () => {
    for (const socket of sockets) socket.terminate()
    await one.close()
    await two.close()
    await db.end()
  })

  beforeEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate()
    actors.clear()
    hidden.clear()
    before.clear()
    asked.questions = []
    asked.broken = false
    asked.held = undefined
    person('ann', 1)
    person('bob', 2)
  })
}
