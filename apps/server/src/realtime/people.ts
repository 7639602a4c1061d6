/** Connections by person: limits over all sockets of one person. */
import { type HttpError, tooMany } from '#platform/errors.ts'
import type { Connection } from './connection.ts'

/** Each window and tab has one socket. */
export const MAX_SOCKETS = 30
/** A page subscribes to about twenty paths. */
const MAX_LISTENERS = 1_500
/** Token bucket of new subscriptions: the burst, as when all tabs reconnect, and the rate per second. */
const ASKED = { atOnce: 3_000, perSecond: 50 }

interface Person {
  connections: Set<Connection>
  /** The last requested work. */
  work: Promise<unknown>
  /** Subscriptions still allowed, as of `at`. */
  left: number
  at: number
}

export class People {
  readonly #people = new Map<number, Person>()

  /** Reason to refuse another socket; undefined: none. */
  refusal(idUser: number): HttpError | undefined {
    if (this.of(idUser).size < MAX_SOCKETS) return undefined
    return tooMany(30, `Открыто слишком много вкладок: обновляться сами могут не больше ${MAX_SOCKETS}`)
  }

  add(connection: Connection): void {
    this.#at(connection.actor.id).connections.add(connection)
  }

  remove(connection: Connection): void {
    this.#people.get(connection.actor.id)?.connections.delete(connection)
  }

  of(idUser: number): ReadonlySet<Connection> {
    return this.#people.get(idUser)?.connections ?? NOBODY
  }

  /** @throws HttpError 429 */
  ask(idUser: number, listeners: number): void {
    const person = this.#at(idUser)
    this.#refill(person)
    if (person.left < listeners)
      throw tooMany(Math.ceil(listeners / ASKED.perSecond), 'Слишком много подписок подряд, повторите позже')
    person.left -= listeners
  }

  /** Reason to refuse so many more subscriptions; undefined: none. */
  listenersRefusal(idUser: number, more: number): HttpError | undefined {
    let sum = more
    for (const { listeners } of this.of(idUser)) sum += listeners.size
    if (sum <= MAX_LISTENERS) return undefined
    return tooMany(30, `У вас открыто слишком много подписок (больше ${MAX_LISTENERS}): закройте лишние вкладки`)
  }

  /** Runs a person's work sequentially over all sockets, so that many tabs use no more than one slot. */
  inTurn<T>(idUser: number, run: () => Promise<T>): Promise<T> {
    const person = this.#at(idUser)
    const done = person.work.then(run)
    person.work = done.catch(() => {})
    return done
  }

  /** Drops people who have disconnected and whose bucket is full again. */
  forget(): void {
    for (const [idUser, person] of this.#people) {
      this.#refill(person)
      if (person.connections.size === 0 && person.left === ASKED.atOnce) this.#people.delete(idUser)
    }
  }

  #at(idUser: number): Person {
    const person = this.#people.get(idUser) ?? {
      connections: new Set(),
      work: Promise.resolve(),
      left: ASKED.atOnce,
      at: Date.now(),
    }
    this.#people.set(idUser, person)
    return person
  }

  #refill(person: Person): void {
    const now = Date.now()
    person.left = Math.min(ASKED.atOnce, person.left + ((now - person.at) / 1_000) * ASKED.perSecond)
    person.at = now
  }
}

const NOBODY: ReadonlySet<Connection> = new Set()
