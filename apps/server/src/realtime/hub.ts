/**
 * Sends events to subscribers. One worker admits new subscriptions and reads the history when woken (or every second, in
 * case a wake-up is lost); each person has a queue, in which missed events and slow filter results precede later events.
 * So a subscriber gets each event once, in order, its cursor is never ahead of what was sent, and nobody waits for
 * another person's work. Without clients the hub is idle.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { can } from '@ordinator/model/access'
import { entityAt } from '@ordinator/model/entities'
import type { HubStats } from '@ordinator/model/socketCalls'
import type { WebSocket } from 'ws'
import type { Queryable } from '#platform/db.ts'
import { forbidden, HttpError, notFound } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Visibility } from '#records/sight.ts'
import { Words } from './announcements.ts'
import { Audience, type Hall } from './audience.ts'
import { Connection, closeCodes, type Desk, turnAway } from './connection.ts'
import { addResets, createDelivery, type Owed, type Parcels } from './delivery.ts'
import { createFeed, type HistoryRow, type Snapshot } from './feed.ts'
import { Lines } from './lines.ts'
import { errorMessage, type Listener, systemMessage, type Wish } from './messages.ts'
import { People } from './people.ts'
import { createTurns, personTurn } from './turns.ts'

/** Minimum interval between reads. */
const READ_EVERY_MS = 20
const POLL_MS = 1_000
const PING_MS = 30_000
const IDLE_MS = 60_000
/** Sessions re-read at once when everybody's rights may have changed. */
const SESSIONS_AT_ONCE = 10
/** Sends between two yields to the event loop. */
const SENDS_AT_ONCE = 2_000
/** Filters checked between two yields. */
const CHECKS_AT_ONCE = 10

/** Current actor of a session; undefined: the session has ended. */
export type Fresh = (idSession: string) => Promise<ServerActor | undefined>

export interface Hub {
  /** Schedules a read. Called after each commit. */
  wake(): void
  join(socket: WebSocket, actor: ServerActor): void
  sessionEnded(idSession: string): void
  /** Without an id: everybody's rights may have changed. */
  rightsChanged(idUser: number | undefined, fresh: Fresh): Promise<void>
  /** Tells these users' subscriptions to these paths to re-read. */
  reset(idUsers: readonly number[], paths: readonly string[]): void
  stats(): HubStats
  close(): Promise<void>
}

export interface HubDeps {
  /** The connection for the hub's own reads. */
  db: Queryable
  log: Pick<Logger, 'warn' | 'error'>
  visibility: Visibility
}

/** The cursors before and after what is sent. */
interface Cursors {
  before: string
  after: string
}

/** `from`: the lowest cursor from which everything missed is available. */
interface Missed {
  parcels: Parcels
  from: bigint | undefined
}

interface Admission {
  connection: Connection
  wishes: Wish[]
  settle(answer: { cursor: string; reset: boolean } | Error): void
}

export function createHub({ db, log, visibility }: HubDeps): Hub {
  const feed = createFeed(db)
  const turns = createTurns()
  const delivery = createDelivery(visibility, turns, log)
  const connections = new Set<Connection>()
  const people = new People()
  const words = new Words(feed)
  const lines = new Lines((error) => log.error({ err: error }, 'realtime: sending'))
  const audience = new Audience<Connection>()
  let admissions: Admission[] = []
  let place: Snapshot | undefined
  let woken = false
  let working: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let readAt = 0
  let closed = false
  const count = { sent: 0, events: 0, slow: 0, reads: 0, lastReadMs: 0, lastReadAt: null as string | null }

  const rounds = setInterval(lookRound, PING_MS / 2)
  rounds.unref()
  let round = 0

  /* ---- the worker ---- */

  function schedule(wait = Math.max(0, readAt + READ_EVERY_MS - Date.now())): void {
    if (closed || working) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      working = work().finally(() => {
        working = undefined
        if (connections.size === 0) place = undefined
        else if (admissions.length > 0 || woken) schedule()
        else poll()
      })
    }, wait)
  }

  function poll(): void {
    if (closed) return
    timer = setTimeout(wake, POLL_MS)
    timer.unref()
  }

  async function work(): Promise<void> {
    const asked = admissions
    admissions = []
    try {
      place ??= await feed.here()
      for (const [idUser, theirs] of Map.groupBy(asked, ({ connection }) => connection.actor.id))
        admit(idUser, theirs, place)
      if (woken) {
        woken = false
        readAt = Date.now()
        await read(place)
      }
    } catch (error) {
      // The position is unchanged, so nothing is lost: the poll reads from it again.
      log.warn({ err: error }, 'realtime: history was not read')
      for (const one of asked) one.settle(unavailable())
    }
  }

  function wake(): void {
    if (connections.size === 0) return
    woken = true
    schedule()
  }

  async function read(from: Snapshot): Promise<void> {
    const start = performance.now()
    const { rows, place: next, more } = await feed.after(from)
    count.reads++
    if (rows.length > 0) {
      count.events += rows.length
      const { parcels, owed } = more ? { parcels: resets(), owed: new Map() } : await delivery.parcelsOf(rows, audience)
      await sendAll(parcels, owed, { before: from.xmin, after: next.xmin })
      count.lastReadMs = Math.round((performance.now() - start) * 10) / 10
      count.lastReadAt = new Date().toISOString()
    }
    place = next
  }

  /* ---- subscriptions ---- */

  /** Admits a person's subscriptions; each is answered after the missed events since its cursor are sent. */
  function admit(idUser: number, asked: Admission[], at: Snapshot): void {
    const back = new Audience<Connection>()
    const since = new Map<Connection, bigint>()
    const admitted = asked.flatMap(({ connection, wishes, settle }) => {
      if (connection.over) return []
      // Rights may have changed since the check.
      const fresh = wishes.filter(({ key, path }) => !connection.listeners.has(key) && mayView(connection.actor, path))
      const refusal = people.listenersRefusal(idUser, new Set(fresh.map(({ key }) => key)).size)
      if (refusal) {
        settle(refusal)
        return []
      }
      for (const { since: _, ...listener } of fresh) {
        connection.listeners.set(listener.key, listener)
        audience.add(connection, listener)
      }
      for (const wish of wishes) {
        if (wish.since === undefined) continue
        back.add(connection, wish)
        since.set(connection, least(since.get(connection), wish.since))
      }
      return [{ connection, wishes, settle, fresh }]
    })
    let missed: Missed | Error | undefined
    const replaying = since.size > 0 ? replay(idUser, back, since, at).then((found) => (missed = found)) : undefined
    lines.put(idUser, replaying, { before: at.xmin, after: at.xmin }, async () => {
      for (const { connection, wishes, settle, fresh } of admitted) {
        if (connection.over) continue
        if (missed instanceof Error) {
          for (const listener of fresh) desk.dismiss(connection, listener)
          settle(missed)
          continue
        }
        const from = since.get(connection)
        // The cursor advances only with the answer: a connection that breaks earlier resumes from its old cursor.
        if (from !== undefined) sendParcels(connection, missed?.parcels, { before: String(from), after: String(from) })
        const whole = missed?.from
        settle({ cursor: at.xmin, reset: from !== undefined && (whole === undefined || from < whole) })
        const lost = words.lost(idUser, wishes)
        if (lost.length > 0) connection.send(systemMessage('reset', { paths: lost }))
      }
      // The answers precede later events.
      if (replaying) await breathe()
    })
  }

  /** Collects a person's missed events, when it is their turn. Never rejects. */
  async function replay(
    idUser: number,
    back: Audience<Connection>,
    since: ReadonlyMap<Connection, bigint>,
    at: Snapshot,
  ): Promise<Missed | Error> {
    const turn = await turns.take(personTurn(idUser))
    // The queue is too long: they re-read.
    if (!turn) return { parcels: new Map(), from: undefined }
    try {
      // Otherwise clients that have read after a change would be told to re-read.
      await words.placed()
      const oldest = [...since.values()].reduce((a, b) => least(a, b))
      const { rows, from } = await feed.replay(oldest, back.paths(), at)
      const isMissed = (connection: Connection, row: HistoryRow) => {
        const start = since.get(connection) as bigint
        return from !== undefined && start >= from && BigInt(row.xid) >= start
      }
      const { parcels, owed } = await delivery.parcelsOf(rows, back, isMissed)
      turn.leave()
      await owed.get(idUser)
      return { parcels, from }
    } catch (error) {
      log.warn({ err: error }, 'realtime: history was not read')
      return unavailable()
    } finally {
      turn.leave()
    }
  }

  const desk: Desk = {
    async admit(connection, wishes) {
      people.ask(connection.actor.id, wishes.length)
      await people.inTurn(connection.actor.id, async () => {
        for (const [n, wish] of wishes.entries()) {
          await checkListener(connection.actor, wish)
          if ((n + 1) % CHECKS_AT_ONCE === 0) await breathe()
        }
      })
      if (closed || connection.over) throw new HttpError(503, 'Соединение закрывается')
      return new Promise((resolve, reject) => {
        const settle = (answer: { cursor: string; reset: boolean } | Error) =>
          answer instanceof Error ? reject(answer) : resolve(answer)
        admissions.push({ connection, wishes, settle })
        schedule(0)
      })
    },
    dismiss(connection, listener) {
      if (connection.listeners.delete(listener.key)) audience.remove(connection, listener)
    },
    cursor: ({ actor }) => lines.cursorOf(actor.id) ?? place?.xmin ?? '0',
    left(connection, code) {
      if (!connections.delete(connection)) return
      people.remove(connection)
      if (code === closeCodes.slow) count.slow++
      for (const listener of connection.listeners.values()) audience.remove(connection, listener)
      for (const one of admissions)
        if (one.connection === connection) one.settle(new HttpError(503, 'Соединение закрыто'))
      admissions = admissions.filter((one) => one.connection !== connection)
      count.sent += connection.sent
      if (connections.size === 0 && !working) {
        clearTimeout(timer)
        timer = undefined
        place = undefined
        woken = false
      }
    },
  }

  /* ---- sending ---- */

  /** Sends each person's messages as soon as all of them are available. */
  async function sendAll(parcels: Parcels, owed: Owed, cursors: Cursors): Promise<void> {
    const byPerson = Map.groupBy(parcels.keys(), ({ actor }) => actor.id)
    let sends = 0
    for (const idUser of new Set([...byPerson.keys(), ...owed.keys()])) {
      const waits = owed.get(idUser)
      lines.put(idUser, waits, cursors, () => {
        // Some connections have parcels only now.
        for (const connection of waits ? people.of(idUser) : (byPerson.get(idUser) ?? []))
          sends += sendParcels(connection, parcels, cursors)
      })
      if (sends < SENDS_AT_ONCE) continue
      sends = 0
      await breathe()
    }
  }

  /** Only a client's last message carries the new cursor: the connection may break in between. */
  function sendParcels(connection: Connection, parcels: Parcels | undefined, { before, after }: Cursors): number {
    const list = parcels?.get(connection)?.sort((a, b) => a.at - b.at) ?? []
    for (const [n, parcel] of list.entries()) {
      if (connection.over) break
      connection.send(parcel.message(n === list.length - 1 ? after : before))
    }
    return list.length
  }

  function resets(): Parcels {
    const parcels: Parcels = new Map()
    for (const path of audience.paths()) addResets(parcels, path, audience.at(path) as Hall<Connection>)
    return parcels
  }

  /** Throws an HttpError when the actor may not subscribe to it. */
  async function checkListener(actor: ServerActor, { path, filter }: Listener): Promise<void> {
    if (!entityAt(path)) throw notFound(`Неизвестный путь «${path.slice(0, 64)}»`)
    if (!mayView(actor, path)) throw forbidden()
    if (filter) await visibility.checkFilter(path, filter, actor)
  }

  /* ---- heartbeat ---- */

  function lookRound(): void {
    const now = Date.now()
    const pings = round++ % 2 === 0
    people.forget()
    for (const connection of [...connections]) {
      if (now - connection.heardAt > IDLE_MS) connection.close(closeCodes.idle, 'idle')
      else if (pings) connection.ping()
    }
  }

  /* ---- rights ---- */

  function signOut(connection: Connection): void {
    connection.send(systemMessage('signOut'))
    connection.close(closeCodes.sessionEnded, 'session ended')
  }

  /** @param maybe send nothing when the rights are unchanged */
  async function renew(connection: Connection, maybe: boolean, fresh: Fresh): Promise<void> {
    const { idSession } = connection.actor
    let actor: ServerActor | undefined
    try {
      actor = idSession ? await fresh(idSession) : undefined
    } catch {
      // The session cannot be checked now: the client reconnects and is checked then.
      return connection.close(closeCodes.rightsChanged, 'rights changed')
    }
    if (connection.over) return
    if (!actor) return signOut(connection)
    const same = rightsOf(actor) === rightsOf(connection.actor)
    connection.actor = actor
    if (maybe && same) return
    const paths = pathsOf(connection)
    for (const listener of [...connection.listeners.values()]) {
      await checkListener(actor, listener).catch(() => desk.dismiss(connection, listener))
    }
    connection.send(systemMessage('reset', { paths }))
  }

  return {
    wake,

    join(socket, actor) {
      if (closed) return socket.close(closeCodes.goingAway)
      const refusal = people.refusal(actor.id)
      if (refusal) return turnAway(socket, errorMessage('error', refusal))
      const connection = new Connection(socket, actor, desk)
      connections.add(connection)
      people.add(connection)
    },

    sessionEnded(idSession) {
      for (const connection of [...connections]) if (connection.actor.idSession === idSession) signOut(connection)
    },

    async rightsChanged(idUser, fresh) {
      words.add(idUser === undefined ? {} : { idUsers: [idUser] })
      const touched = [...connections].filter(({ actor }) => idUser === undefined || actor.id === idUser)
      for (let i = 0; i < touched.length; i += SESSIONS_AT_ONCE) {
        await Promise.all(
          touched.slice(i, i + SESSIONS_AT_ONCE).map((connection) => renew(connection, idUser === undefined, fresh)),
        )
      }
    },

    reset(idUsers, paths) {
      words.add({ idUsers, paths })
      for (const connection of connections) {
        if (!idUsers.includes(connection.actor.id)) continue
        const heard = pathsOf(connection)
        const lost = paths.filter((path) => heard.includes(path))
        if (lost.length > 0) connection.send(systemMessage('reset', { paths: lost }))
      }
    },

    stats() {
      const open = [...connections]
      return {
        clients: open.length,
        users: new Set(open.map((connection) => connection.actor.id)).size,
        listeners: open.reduce((sum, connection) => sum + connection.listeners.size, 0),
        ...count,
        sent: open.reduce((sum, connection) => sum + connection.sent, count.sent),
        queue: admissions.length,
        unread: open.reduce((sum, connection) => sum + connection.unread, 0),
        cursor: place?.xmin ?? null,
      }
    },

    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(rounds)
      for (const connection of [...connections]) connection.close(closeCodes.goingAway, 'going away')
      await working
    },
  }
}

const pathsOf = ({ listeners }: Connection): string[] => [
  ...new Set(Array.from(listeners.values(), ({ path }) => path)),
]

const unavailable = () => new HttpError(503, 'Сервер временно недоступен, повторите позже')

const least = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b < a ? b : a)

function mayView(actor: ServerActor, path: string): boolean {
  const entity = entityAt(path)
  return entity !== undefined && can(actor, 'view', entity)
}

const rightsOf = ({ permissions, tariff, modules }: ServerActor): string =>
  JSON.stringify([Object.keys(permissions).sort(), tariff, modules])
