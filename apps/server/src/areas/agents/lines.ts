/**
 * Connections of agents, and their tasks. A task is stored in `desk_agent_tasks` before it is sent, so that the server
 * process with the connection can deliver it, and the requesting process can read the result.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { BEAT_S, LOST_S } from '@ordinator/model/areas/agents/agent'
import sql, { type Sql } from 'sql-template-tag'
import { WebSocket, WebSocketServer } from 'ws'
import { answerBare } from '#platform/answers.ts'
import type { Queryable } from '#platform/db.ts'
import { announce, announceSql } from '#platform/fanout.ts'
import { fixedHeaders } from '#platform/securityHeaders.ts'
import { openEndpoint } from '#platform/sockets.ts'
import type { AppContext } from '#records/context.ts'
import { AGENT_VERSION, type AgentAnswer, type AgentTask, type AgentWord, type ServerWord } from './agent.ts'

const PATH = '/agent/ws'
/** Signals `{ idAgent }`: a task is waiting; `{ key }`: it has a result; `{ gone }`: its token was revoked. */
const CHANNEL = 'agents'
const MAX_MESSAGE = 2 * 1024 * 1024
/** Milliseconds beyond the task's own timeout for its result to arrive. */
const TRAVEL_MS = 3_000
/** Days that finished tasks are kept, to recognize a late repeat of a key. */
const KEPT_DAYS = 14
/** Close code: replaced by a later connection, or the token was revoked. */
const REPLACED = 4001

/** An agent is offline or has failed. `isCertain`: the action was certainly not performed. */
export class AgentFault extends Error {
  override name = 'AgentFault'
  readonly isCertain: boolean
  constructor(message: string, isCertain: boolean) {
    super(message)
    this.isCertain = isCertain
  }
}

interface AgentConnections {
  /** Connections of this process. */
  lines: Map<number, WebSocket>
  /** Who waits here for the answer of a key; it comes with the answer where that came in here. */
  waiting: Map<string, (answer?: AgentAnswer) => void>
  /** Callbacks for connecting agents. */
  arrived: Set<(idAgent: number) => void>
}
const connectionsByApp = new WeakMap<AppContext, AgentConnections>()
const connectionsOf = (app: AppContext): AgentConnections => {
  let connections = connectionsByApp.get(app)
  if (!connections)
    connectionsByApp.set(app, (connections = { lines: new Map(), waiting: new Map(), arrived: new Set() }))
  return connections
}

/**
 * The key of an action on the wire: it cannot be guessed from the number of a payment. The caller's own key stays the
 * same for all its repeats, so it is derived and not drawn. A task from before an update keeps its plain key.
 */
async function wireKeyOf(app: AppContext, own: string): Promise<string> {
  if (await stateOf(app, own)) return own
  return createHmac('sha256', app.config.secret).update(`agent task ${own}`).digest('hex').slice(0, 40)
}

export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Calls back whenever an agent connects to this process. */
export const onAgent = (app: AppContext, run: (idAgent: number) => void): void =>
  void connectionsOf(app).arrived.add(run)

/** SQL condition: the agent of the row `a` is online. */
export const isOnlineSql = (idAgent: ReturnType<typeof sql>) => sql`exists (select from desk_agent_lines l
  where l."idAgent" = ${idAgent} and l."holder" is not null and l."seenAt" > now() - make_interval(secs => ${LOST_S}))`

export function startLines(app: AppContext): void {
  const connections = connectionsOf(app)
  const holder = app.life.id
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const fixed = fixedHeaders(app.config.publicUrl)

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const token = /^Bearer ([\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1]
    const agent = token
      ? await app.db.one<{ id: number; name: string }>(sql`select a."id"::int as id, a."name" from desk_agent_lines l
          join desk_agents a on a."id" = l."idAgent" where l."tokenHash" = ${digestOf(token)} and a."active" and not a."deleted"`)
      : undefined
    if (!agent) return answerBare(socket, 401, fixed, 'Ключ агента не подходит')
    sockets.handleUpgrade(request, socket, head, (line) => void join(app, line, agent))
  }

  openEndpoint(app.server.server, PATH, upgrade)
  app.fanout.subscribe(CHANNEL, (payload) => {
    const message = JSON.parse(payload) as {
      idAgent?: number
      key?: string
      gone?: number
      ask?: string
      joined?: number
      mark?: string
    }
    if (message.key) connections.waiting.get(message.key)?.()
    if (message.joined && message.mark !== holder) connections.lines.get(message.joined)?.close(REPLACED, 'replaced')
    if (message.gone) connections.lines.get(message.gone)?.close(REPLACED, 'revoked')
    if (message.idAgent && connections.lines.has(message.idAgent)) {
      if (message.ask) send(app, message.idAgent, { type: 'ask', key: message.ask })
      else void deliver(app, message.idAgent).catch((error) => app.log.error({ err: error }, 'agents: not delivered'))
    }
  })
  app.jobs.register('agents.forget', {
    cron: '17 3 * * *',
    handler: () =>
      app.db.query(sql`delete from desk_agent_tasks where "dateCreate" < now() - make_interval(days => ${KEPT_DAYS})
        or (not "once" and "dateCreate" < now() - interval '1 day')`),
  })
  // Its agents are not on the line until they come in here.
  app.life.onDeath((life) =>
    app.db.query(sql`update desk_agent_lines set "holder" = null where starts_with("holder", ${`${life}/`})`),
  )
  app.onClose(() => {
    for (const line of connections.lines.values()) line.close(1012, 'restart')
    // Connections that do not close are terminated.
    setTimeout(() => {
      for (const line of connections.lines.values()) line.terminate()
    }, 500).unref()
  })
}

/** Takes over the line of an agent that has connected, and sends what waits for it. */
async function join(app: AppContext, line: WebSocket, { id, name }: { id: number; name: string }): Promise<void> {
  const connections = connectionsOf(app)
  const holder = app.life.id
  const mark = `${holder}/${randomUUID()}`
  let isAlive = true
  const say = (word: ServerWord) => line.readyState === line.OPEN && line.send(JSON.stringify(word))
  line.on('pong', () => {
    isAlive = true
  })
  line.on('error', () => line.terminate())
  line.on('message', (data) => {
    isAlive = true
    let word: AgentWord
    try {
      word = JSON.parse(String(data)) as AgentWord
    } catch {
      return line.close(1007)
    }
    onMessage(app, id, word, say).catch((error) =>
      app.log.error({ err: error, idAgent: id }, 'agents: a word was lost'),
    )
  })
  const beat = setInterval(() => {
    if (!isAlive) return line.terminate()
    isAlive = false
    line.ping()
    say({ type: 'beat' })
    void app.db
      .query(sql`update desk_agent_lines set "seenAt" = now() where "idAgent" = ${id} and "holder" = ${mark}`)
      .catch(() => undefined)
  }, BEAT_S * 1000)
  line.on('close', () => {
    clearInterval(beat)
    if (connections.lines.get(id) === line) connections.lines.delete(id)
    void app.db
      .query(sql`with l as (update desk_agent_lines set "holder" = null where "idAgent" = ${id} and "holder" = ${mark} returning "seenAt")
        update desk_agents set "dateSeen" = now() from l where "id" = ${id}`)
      .catch(() => undefined)
  })
  connections.lines.get(id)?.close(REPLACED, 'replaced')
  connections.lines.set(id, line)
  await app.db.query(sql`update desk_agent_lines set "holder" = ${mark}, "seenAt" = now() where "idAgent" = ${id}`)
  app.fanout.publish(CHANNEL, JSON.stringify({ joined: id, mark: holder }))
  say({ type: 'welcome', name, version: AGENT_VERSION })
  await deliver(app, id)
  // Queries tasks sent over a former connection without a result.
  for (const { key } of await app.db.query<{ key: string }>(sql`select "key" from desk_agent_tasks
      where "idAgent" = ${id} and "state" = 'sent' and "once"`))
    say({ type: 'ask', key })
  for (const run of connections.arrived) run(id)
}

/** Stores what an agent says of a task, and wakes the caller. */
async function onMessage(
  app: AppContext,
  idAgent: number,
  word: AgentWord,
  say: (word: ServerWord) => void,
): Promise<void> {
  if (word.type === 'hello') {
    await app.db.query(sql`update desk_agents set "computer" = ${String(word.computer).slice(0, 128)},
      "version" = ${String(word.version).slice(0, 32)}, "dateSeen" = now() where "id" = ${idAgent}`)
    return
  }
  const key = String(word.key)
  // The waiting caller is in this process, or in another one, which the same statement notifies.
  const here = connectionsOf(app).waiting.get(key)
  const note = (change: Sql) =>
    app.db.query<{ state: string }>(
      here
        ? sql`${change} returning "state"`
        : sql`with noted as (${change} returning "state") select "state", ${announceSql(CHANNEL, JSON.stringify({ key }))} from noted`,
    )
  if (word.type === 'answer') {
    const noted =
      await note(sql`update desk_agent_tasks set "state" = 'done', "answer" = ${JSON.stringify(word.answer)}::jsonb,
      "task" = null, "dateDone" = now() where "key" = ${key} and "idAgent" = ${idAgent} and "state" <> 'done'`)
    say({ type: 'taken', key })
    // A row of another agent, or one that has its answer: no caller is woken by it.
    if (noted.length > 0) here?.(word.answer)
  } else if (word.fate === 'never') {
    const noted = await note(sql`update desk_agent_tasks set "state" = 'never', "task" = null, "dateDone" = now()
      where "key" = ${key} and "idAgent" = ${idAgent} and "state" in ('queued', 'sent')`)
    if (noted.length > 0) here?.()
  }
}

const send = (app: AppContext, idAgent: number, word: ServerWord): boolean => {
  const line = connectionsOf(app).lines.get(idAgent)
  if (line?.readyState !== line?.OPEN || !line) return false
  line.send(JSON.stringify(word))
  return true
}

/**
 * Sends the waiting tasks of an agent connected to this process. Tasks without a waiting requester are withdrawn first.
 */
async function deliver(app: AppContext, idAgent: number): Promise<void> {
  if (!connectionsOf(app).lines.has(idAgent)) return
  await app.db.query(sql`update desk_agent_tasks set "state" = 'withdrawn', "task" = null
    where "idAgent" = ${idAgent} and "state" = 'queued'
      and "dateCreate" < now() - make_interval(secs => (("task"->>'timeout')::int + ${TRAVEL_MS}) / 1000.0)`)
  const tasks = await app.db.query<{ key: string; once: boolean; task: AgentTask }>(sql`update desk_agent_tasks
    set "state" = 'sent', "dateSent" = now() where "idAgent" = ${idAgent} and "state" = 'queued' returning "key", "once", "task"`)
  for (const { key, once, task } of tasks) send(app, idAgent, { type: 'task', key, once, task })
}

/** Closes the connection of an agent with a revoked token, in any process, after the commit. */
export const endLine = (tx: Queryable, idAgent: number): Promise<void> =>
  announce(tx, CHANNEL, [JSON.stringify({ gone: idAgent })])

export interface Asked {
  /** Idempotency key of an action; absent: a repeat is harmless. */
  key?: string
  task: AgentTask
}

/**
 * Sends a task to an agent and waits for its result. A repeated key only reads the outcome.
 * @throws AgentFault: certain if the agent is offline or has refused, else the outcome is unknown
 */
export async function askAgent(
  app: AppContext,
  idAgent: number,
  { key: own, task }: Asked,
): Promise<Extract<AgentAnswer, { ok: true }>> {
  const key = own === undefined ? randomUUID() : await wireKeyOf(app, own)
  const connections = connectionsOf(app)
  let isDone: (answer?: AgentAnswer) => void = () => {}
  const done = new Promise<AgentAnswer | undefined>((resolve) => {
    isDone = resolve
  })
  connections.waiting.set(key, isDone)
  let timer: NodeJS.Timeout | undefined
  try {
    // A line held by this process sends it at once; otherwise the same statement notifies the process that holds the
    // line.
    const isHere = connections.lines.get(idAgent)?.readyState === WebSocket.OPEN
    const make = sql`insert into desk_agent_tasks ("key", "idAgent", "task", "once", "state", "dateSent")
      select ${key}, ${idAgent}, ${JSON.stringify(task)}::jsonb, ${own !== undefined}, ${isHere ? 'sent' : 'queued'},
        case when ${isHere} then now() end
      where ${isOnlineSql(sql`${idAgent}`)} on conflict do nothing returning 1`
    const made = await app.db.query(
      isHere ? make : sql`with made as (${make}) select ${announceSql(CHANNEL, JSON.stringify({ idAgent }))} from made`,
    )
    if (made.length === 0) {
      const before = await stateOf(app, key)
      if (!before) throw new AgentFault('Агент кассы не на связи: проверьте компьютер кассы', true)
      if (before.state === 'done') return read(before.answer)
      if (before.state !== 'sent' && before.state !== 'queued')
        throw new AgentFault('Задание снято: оно уже не будет выполнено', true)
    }
    const isNew = made.length > 0
    if (isNew && isHere && !send(app, idAgent, { type: 'task', key, once: own !== undefined, task })) {
      // The line has broken meanwhile: it did not go out.
      await app.db.query(sql`update desk_agent_tasks set "state" = 'queued', "dateSent" = null
        where "key" = ${key} and "state" = 'sent'`)
      app.fanout.publish(CHANNEL, JSON.stringify({ idAgent }))
    }
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), task.timeout + TRAVEL_MS)
    })
    const answer = await Promise.race([done, late])
    if (answer) return read(answer)
    const now = await stateOf(app, key)
    if (now?.state === 'done') return read(now.answer)
    if (now?.state === 'never') throw new AgentFault('Агент не получил задание', true)
    const isBack = await app.db.one(sql`update desk_agent_tasks set "state" = 'withdrawn', "task" = null
      where "key" = ${key} and "state" = 'queued' returning 1`)
    if (isBack) throw new AgentFault('Агент кассы не на связи: задание снято', true)
    throw new AgentFault('Агент кассы не ответил', false)
  } finally {
    clearTimeout(timer)
    connections.waiting.delete(key)
  }
}

const stateOf = (app: AppContext, key: string) =>
  app.db.one<{ state: 'queued' | 'sent' | 'done' | 'withdrawn' | 'never'; answer: AgentAnswer }>(
    sql`select "state", "answer" from desk_agent_tasks where "key" = ${key}`,
  )

function read(answer: AgentAnswer): Extract<AgentAnswer, { ok: true }> {
  if (answer.ok) return answer
  throw new AgentFault(String(answer.error).slice(0, 300), answer.isCertain)
}

/**
 * The outcome of a keyed task; undefined if it was not performed, and never will be.
 * @param timeout milliseconds for the agent's reply
 * @throws AgentFault if unknown
 */
export async function fateOf(
  app: AppContext,
  idAgent: number,
  own: string,
  timeout = 8_000,
): Promise<Extract<AgentAnswer, { ok: true }> | undefined> {
  const key = await wireKeyOf(app, own)
  await app.db.query(sql`insert into desk_agent_tasks ("key", "idAgent", "once", "state") values (${key}, ${idAgent}, true, 'never')
    on conflict ("key") do update set "state" = 'withdrawn', "task" = null where desk_agent_tasks."state" = 'queued'`)
  const connections = connectionsOf(app)
  for (let isAsked = false; ; isAsked = true) {
    const now = await stateOf(app, key)
    if (now?.state === 'done') return read(now.answer)
    if (now?.state !== 'sent') return undefined
    if (isAsked) throw new AgentFault('Агент кассы ещё не сказал, чем кончилась операция', false)
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((resolve) => {
        connections.waiting.set(key, () => resolve())
        timer = setTimeout(resolve, timeout)
        if (!send(app, idAgent, { type: 'ask', key }))
          app.fanout.publish(CHANNEL, JSON.stringify({ idAgent, ask: key }))
      })
    } finally {
      clearTimeout(timer)
      connections.waiting.delete(key)
    }
  }
}
