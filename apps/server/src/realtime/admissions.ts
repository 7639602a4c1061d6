import { setImmediate as breathe } from 'node:timers/promises'
import { can } from '@ordinator/model/access'
import { entityAt } from '@ordinator/model/entities'
import { forbidden, HttpError, notFound } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Visibility } from '#records/sight.ts'
import type { Words } from './announcements.ts'
import { Audience } from './audience.ts'
import type { Connection } from './connection.ts'
import type { Delivery, Parcels } from './delivery.ts'
import type { Feed, HistoryRow, Snapshot } from './feed.ts'
import type { Lines } from './lines.ts'
import { type Listener, systemMessage, type Wish } from './messages.ts'
import type { People } from './people.ts'
import { sendParcels } from './sender.ts'
import { personTurn, type Turns } from './turns.ts'

/** Filters checked between two yields. */
const CHECKS_AT_ONCE = 10

/** Subscriptions of a connection that wait to be admitted. */
export interface Admission {
  connection: Connection
  wishes: Wish[]
  settle(answer: Admitted | Error): void
}

export interface Admitted {
  cursor: string
  reset: boolean
}

/** `from`: the lowest cursor from which everything missed is available. */
interface Missed {
  parcels: Parcels
  from: bigint | undefined
}

/** What admissions use of the hub. */
export interface AdmissionParts {
  log: Pick<Logger, 'warn'>
  visibility: Visibility
  feed: Feed
  turns: Turns
  delivery: Delivery
  people: People
  words: Words
  lines: Lines
  audience: Audience<Connection>
}

/** Subscriptions: checked, admitted at a position, and answered after the missed events since their cursor are sent. */
export class Admissions {
  readonly #parts: AdmissionParts
  #waiting: Admission[] = []

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  /** Number of connections' requests that wait. */
  get size(): number {
    return this.#waiting.length
  }

  /**
   * Checks the subscriptions one after another, in the person's turn.
   * @throws HttpError when there are too many, or the actor may not subscribe to one
   */
  async check({ actor }: Connection, wishes: readonly Wish[]): Promise<void> {
    const { people } = this.#parts
    people.ask(actor.id, wishes.length)
    await people.inTurn(actor.id, async () => {
      for (const [n, wish] of wishes.entries()) {
        await this.checkListener(actor, wish)
        if ((n + 1) % CHECKS_AT_ONCE === 0) await breathe()
      }
    })
  }

  /** Throws an HttpError when the actor may not subscribe to it. */
  async checkListener(actor: ServerActor, { path, filter }: Listener): Promise<void> {
    if (!entityAt(path)) throw notFound(`Неизвестный путь «${path.slice(0, 64)}»`)
    if (!mayView(actor, path)) throw forbidden()
    if (filter) await this.#parts.visibility.checkFilter(path, filter, actor)
  }

  /** Puts checked subscriptions in the queue. Resolves when they are active and missed events are sent. */
  wait(connection: Connection, wishes: Wish[]): Promise<Admitted> {
    return new Promise((resolve, reject) => {
      const settle = (answer: Admitted | Error) => (answer instanceof Error ? reject(answer) : resolve(answer))
      this.#waiting.push({ connection, wishes, settle })
    })
  }

  /** Takes all that wait. */
  take(): Admission[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  /** Admits subscriptions at a position, each person's together. */
  admit(admissions: readonly Admission[], at: Snapshot): void {
    for (const [idUser, theirs] of Map.groupBy(admissions, ({ connection }) => connection.actor.id))
      this.#admitPerson(idUser, theirs, at)
  }

  /** Answers that the history cannot be read now. */
  refuse(admissions: readonly Admission[]): void {
    for (const one of admissions) one.settle(unavailable())
  }

  /** Ends one subscription. */
  dismiss(connection: Connection, listener: Listener): void {
    if (connection.listeners.delete(listener.key)) this.#parts.audience.remove(connection, listener)
  }

  /** Ends all subscriptions of a closed connection, also those that wait. */
  leave(connection: Connection): void {
    for (const listener of connection.listeners.values()) this.#parts.audience.remove(connection, listener)
    for (const one of this.#waiting)
      if (one.connection === connection) one.settle(new HttpError(503, 'Соединение закрыто'))
    this.#waiting = this.#waiting.filter((one) => one.connection !== connection)
  }

  #admitPerson(idUser: number, asked: readonly Admission[], at: Snapshot): void {
    const { words, lines } = this.#parts
    const back = new Audience<Connection>()
    const since = new Map<Connection, bigint>()
    const admitted = asked.flatMap((admission) => {
      const fresh = this.#begin(idUser, admission, back, since)
      return fresh ? [{ ...admission, fresh }] : []
    })
    let missed: Missed | Error | undefined
    const replaying =
      since.size > 0 ? this.#replay(idUser, back, since, at).then((found) => (missed = found)) : undefined
    lines.put(idUser, replaying, { before: at.xmin, after: at.xmin }, async () => {
      for (const { connection, wishes, settle, fresh } of admitted) {
        if (connection.over) continue
        if (missed instanceof Error) {
          for (const listener of fresh) this.dismiss(connection, listener)
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

  /**
   * Makes the subscriptions of a connection active, and notes which of them miss events since a cursor.
   * @returns the new ones; undefined if the connection is closed or refused
   */
  #begin(
    idUser: number,
    { connection, wishes, settle }: Admission,
    back: Audience<Connection>,
    since: Map<Connection, bigint>,
  ): Wish[] | undefined {
    if (connection.over) return undefined
    // Rights may have changed since the check.
    const fresh = wishes.filter(({ key, path }) => !connection.listeners.has(key) && mayView(connection.actor, path))
    const refusal = this.#parts.people.listenersRefusal(idUser, new Set(fresh.map(({ key }) => key)).size)
    if (refusal) {
      settle(refusal)
      return undefined
    }
    for (const { since: _, ...listener } of fresh) {
      connection.listeners.set(listener.key, listener)
      this.#parts.audience.add(connection, listener)
    }
    for (const wish of wishes) {
      if (wish.since === undefined) continue
      back.add(connection, wish)
      since.set(connection, least(since.get(connection), wish.since))
    }
    return fresh
  }

  /** Collects a person's missed events, when it is their turn. Never rejects. */
  async #replay(
    idUser: number,
    back: Audience<Connection>,
    since: ReadonlyMap<Connection, bigint>,
    at: Snapshot,
  ): Promise<Missed | Error> {
    const { feed, turns, words, delivery, log } = this.#parts
    const turn = await turns.take(personTurn(idUser))
    // The queue is too long: they re-read.
    if (!turn) return { parcels: new Map(), from: undefined }
    try {
      // Otherwise clients that have read after a change would get a reset.
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
}

const unavailable = () => new HttpError(503, 'Сервер временно недоступен, повторите позже')

const least = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b < a ? b : a)

function mayView(actor: ServerActor, path: string): boolean {
  const entity = entityAt(path)
  return entity !== undefined && can(actor, 'view', entity)
}
