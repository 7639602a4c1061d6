/**
 * Sends events to subscribers. One worker (`worker.ts`) admits new subscriptions (`admissions.ts`) and reads the history;
 * each person has a queue (`lines.ts`), in which missed events and slow filter results precede later events. So a
 * subscriber gets each event once, in order, its cursor is never ahead of what was sent, and no subscriber waits for
 * another person's work. Without clients the hub is idle.
 */
import type { HubStats } from '@ordinator/model/socketCalls'
import type { WebSocket } from 'ws'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Visibility } from '#records/sight.ts'
import { Admissions, type Admitted } from './admissions.ts'
import { Words } from './announcements.ts'
import { Audience, type PathSubscribers } from './audience.ts'
import { Connection, closeCodes, type Desk, turnAway } from './connection.ts'
import { addResets, createDelivery, type Delivery, type Parcels } from './delivery.ts'
import { createFeed, type HistoryRow } from './feed.ts'
import { Lines } from './lines.ts'
import { errorMessage, type Listener, systemMessage, type Wish } from './messages.ts'
import { People } from './people.ts'
import { type Cursors, Sender } from './sender.ts'
import { createTurns } from './turns.ts'
import { Worker } from './worker.ts'

const PING_MS = 30_000
const IDLE_MS = 60_000
/** Sessions re-read at once when everybody's rights may have changed. */
const SESSIONS_AT_ONCE = 10

/** Current actor of a session; undefined: the session has ended. */
export type Fresh = (idSession: string) => Promise<ServerActor | undefined>

export interface HubDeps {
  /** The connection for the hub's own reads. */
  db: Queryable
  log: Pick<Logger, 'warn' | 'error'>
  visibility: Visibility
}

export class Hub implements Desk {
  readonly #connections = new Set<Connection>()
  readonly #people = new People()
  readonly #audience = new Audience<Connection>()
  readonly #lines: Lines
  readonly #words: Words
  readonly #delivery: Delivery
  readonly #sender: Sender
  readonly #admissions: Admissions
  readonly #worker: Worker
  readonly #heartbeat: NodeJS.Timeout
  /** Of closed connections: messages sent, and how many were too slow. */
  readonly #past = { sent: 0, slow: 0 }
  #beats = 0
  #isClosed = false

  constructor({ db, log, visibility }: HubDeps) {
    const feed = createFeed(db)
    const turns = createTurns()
    const [people, audience] = [this.#people, this.#audience]
    const words = new Words(feed)
    const lines = new Lines((error) => log.error({ err: error }, 'realtime: sending'))
    const delivery = createDelivery(visibility, turns, log)
    const admissions = new Admissions({ log, visibility, feed, turns, delivery, people, words, lines, audience })
    this.#words = words
    this.#lines = lines
    this.#delivery = delivery
    this.#sender = new Sender(lines, people)
    this.#admissions = admissions
    this.#worker = new Worker(feed, log, {
      isIdle: () => this.#connections.size === 0,
      hasAdmissions: () => admissions.size > 0,
      takeAdmissions: () => admissions.take(),
      admit: (taken, at) => admissions.admit(taken, at),
      refuse: (taken) => admissions.refuse(taken),
      send: (rows, isCut, cursors) => this.#send(rows, isCut, cursors),
    })
    this.#heartbeat = setInterval(() => this.#beat(), PING_MS / 2)
    this.#heartbeat.unref()
  }

  /** Schedules a read. Called after each commit. */
  wake(): void {
    this.#worker.wake()
  }

  join(socket: WebSocket, actor: ServerActor): void {
    const refusal = this.#people.refusal(actor.id)
    if (this.#isClosed) socket.close(closeCodes.goingAway)
    else if (refusal) turnAway(socket, errorMessage('error', refusal))
    else {
      const connection = new Connection(socket, actor, this)
      this.#connections.add(connection)
      this.#people.add(connection)
    }
  }

  sessionEnded(idSession: string): void {
    for (const connection of [...this.#connections]) if (connection.actor.idSession === idSession) signOut(connection)
  }

  /** Without an id: everybody's rights may have changed. */
  async rightsChanged(idUser: number | undefined, fresh: Fresh): Promise<void> {
    this.#words.add(idUser === undefined ? {} : { idUsers: [idUser] })
    const touched = [...this.#connections].filter(({ actor }) => idUser === undefined || actor.id === idUser)
    for (let i = 0; i < touched.length; i += SESSIONS_AT_ONCE) {
      await Promise.all(
        touched
          .slice(i, i + SESSIONS_AT_ONCE)
          .map((connection) => this.#renew(connection, idUser === undefined, fresh)),
      )
    }
  }

  /** Sends a reset to these users' subscriptions to these paths. */
  reset(idUsers: readonly number[], paths: readonly string[]): void {
    this.#words.add({ idUsers, paths })
    for (const connection of this.#connections) {
      if (!idUsers.includes(connection.actor.id)) continue
      const subscribed = pathsOf(connection)
      const lost = paths.filter((path) => subscribed.includes(path))
      if (lost.length > 0) connection.send(systemMessage('reset', { paths: lost }))
    }
  }

  stats(): HubStats {
    const open = [...this.#connections]
    return {
      clients: open.length,
      users: new Set(open.map((connection) => connection.actor.id)).size,
      listeners: open.reduce((sum, connection) => sum + connection.listeners.size, 0),
      ...this.#worker.count,
      slow: this.#past.slow,
      sent: open.reduce((sum, connection) => sum + connection.sent, this.#past.sent),
      queue: this.#admissions.size,
      unread: open.reduce((sum, connection) => sum + connection.unread, 0),
      cursor: this.#worker.cursor ?? null,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    const stopped = this.#worker.close()
    for (const connection of [...this.#connections]) connection.close(closeCodes.goingAway, 'going away')
    await stopped
  }

  /* ---- what a connection asks (Desk) ---- */

  async admit(connection: Connection, wishes: Wish[]): Promise<Admitted> {
    await this.#admissions.check(connection, wishes)
    if (this.#isClosed || connection.over) throw new HttpError(503, 'Соединение закрывается')
    const admitted = this.#admissions.wait(connection, wishes)
    this.#worker.schedule(0)
    return admitted
  }

  dismiss(connection: Connection, listener: Listener): void {
    this.#admissions.dismiss(connection, listener)
  }

  cursor({ actor }: Connection): string {
    return this.#lines.cursorOf(actor.id) ?? this.#worker.cursor ?? '0'
  }

  left(connection: Connection, code?: number): void {
    if (!this.#connections.delete(connection)) return
    this.#people.remove(connection)
    this.#admissions.leave(connection)
    if (code === closeCodes.slow) this.#past.slow++
    this.#past.sent += connection.sent
    if (this.#connections.size === 0) this.#worker.rest()
  }

  /* ---- events ---- */

  async #send(rows: HistoryRow[], isCut: boolean, cursors: Cursors): Promise<void> {
    const { parcels, owed } = isCut
      ? { parcels: this.#resets(), owed: new Map() }
      : await this.#delivery.parcelsOf(rows, this.#audience)
    await this.#sender.sendAll(parcels, owed, cursors)
  }

  /** Sends a reset to every subscription. */
  #resets(): Parcels {
    const parcels: Parcels = new Map()
    for (const path of this.#audience.paths())
      addResets(parcels, path, this.#audience.at(path) as PathSubscribers<Connection>)
    return parcels
  }

  /* ---- heartbeat and rights ---- */

  #beat(): void {
    const now = Date.now()
    const pings = this.#beats++ % 2 === 0
    this.#people.forget()
    for (const connection of [...this.#connections]) {
      if (now - connection.receivedAt > IDLE_MS) connection.close(closeCodes.idle, 'idle')
      else if (pings) connection.ping()
    }
  }

  /** @param maybe send nothing when the rights are unchanged */
  async #renew(connection: Connection, maybe: boolean, fresh: Fresh): Promise<void> {
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
      await this.#admissions.checkListener(actor, listener).catch(() => this.dismiss(connection, listener))
    }
    connection.send(systemMessage('reset', { paths }))
  }
}

function signOut(connection: Connection): void {
  connection.send(systemMessage('signOut'))
  connection.close(closeCodes.sessionEnded, 'session ended')
}

const pathsOf = ({ listeners }: Connection): string[] => [
  ...new Set(Array.from(listeners.values(), ({ path }) => path)),
]

const rightsOf = ({ permissions, tariff, modules, onlyFilials }: ServerActor): string =>
  JSON.stringify([Object.keys(permissions).sort(), tariff, modules, onlyFilials])
