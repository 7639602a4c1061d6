/** Who is connected, by person: what one person may have open, and ask for, over all sockets together. */
import { type HttpError, tooMany } from '../platform/errors.ts'
import type { Connection } from './connection.ts'

/** Every window and tab has one. */
export const MAX_SOCKETS = 30
/** A page listens to about twenty paths. */
const MAX_LISTENERS = 1_500
/** Listeners that may be asked for at once, as when all tabs come back, and each second after that. */
const ASKED = { atOnce: 3_000, perSecond: 50 }

interface Person {
  connections: Set<Connection>
  /** The work asked for last. */
  work: Promise<unknown>
  /** Listeners that may be asked for now, as of `at`. */
  left: number
  at: number
}

export class People {
  readonly #people = new Map<number, Person>()

  /** What stands against one more socket; undefined: nothing. */
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

  /** What stands against so many more listeners; undefined: nothing. */
  listenersRefusal(idUser: number, more: number): HttpError | undefined {
    let sum = more
    for (const { listeners } of this.of(idUser)) sum += listeners.size
    if (sum <= MAX_LISTENERS) return undefined
    return tooMany(30, `У вас открыто слишком много подписок (больше ${MAX_LISTENERS}): закройте лишние вкладки`)
  }

  /** Work for a person, of all sockets together: one piece after another, so that many tabs take no more than one. */
  inTurn<T>(idUser: number, run: () => Promise<T>): Promise<T> {
    const person = this.#at(idUser)
    const done = person.work.then(run)
    person.work = done.catch(() => {})
    return done
  }

  /** Lets go of those who have left and whose count has no memory. */
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
