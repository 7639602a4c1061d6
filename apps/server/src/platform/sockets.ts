/** Websockets besides the one of the contract: who has a path of its own gets what is upgraded there. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Answers for the socket from here on. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void | Promise<void>

const doors = new WeakMap<Server, Map<string, Upgrade>>()

/** Gives a path to a socket of its own. */
export function openDoor(server: Server, path: string, upgrade: Upgrade): void {
  const own = doors.get(server) ?? new Map<string, Upgrade>()
  doors.set(server, own.set(path, upgrade))
}

/** Who answers at a path; undefined: nobody. */
export const doorAt = (server: Server, path: string): Upgrade | undefined => doors.get(server)?.get(path)
