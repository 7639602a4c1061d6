import { setImmediate as breathe } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import type { Owed, Parcels } from './delivery.ts'
import type { Lines } from './lines.ts'
import type { People } from './people.ts'

/** Sends between two yields to the event loop. */
const SENDS_AT_ONCE = 2_000

/** The cursors before and after what is sent. */
export interface Cursors {
  before: string
  after: string
}

/** Sends the messages of a read to the connections, in the order of each person's line. */
export class Sender {
  readonly #lines: Lines
  readonly #people: People

  constructor(lines: Lines, people: People) {
    this.#lines = lines
    this.#people = people
  }

  /** Sends each person's messages as soon as all of them are available. */
  async sendAll(parcels: Parcels, owed: Owed, cursors: Cursors): Promise<void> {
    const byPerson = Map.groupBy(parcels.keys(), ({ actor }) => actor.id)
    let sends = 0
    for (const idUser of new Set([...byPerson.keys(), ...owed.keys()])) {
      const waits = owed.get(idUser)
      this.#lines.put(idUser, waits, cursors, () => {
        // Some connections have parcels only now.
        for (const connection of waits ? this.#people.of(idUser) : (byPerson.get(idUser) ?? []))
          sends += sendParcels(connection, parcels, cursors)
      })
      if (sends < SENDS_AT_ONCE) continue
      sends = 0
      await breathe()
    }
  }
}

/**
 * Sends a connection its messages. Only the last one carries the new cursor: the connection may break in between.
 * @returns their number
 */
export function sendParcels(connection: Connection, parcels: Parcels | undefined, { before, after }: Cursors): number {
  const list = parcels?.get(connection)?.sort((a, b) => a.at - b.at) ?? []
  for (const [n, parcel] of list.entries()) {
    if (connection.over) break
    connection.send(parcel.message(n === list.length - 1 ? after : before))
  }
  return list.length
}
