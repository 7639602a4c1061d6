/** WebSocket endpoints besides the contract's own: a registered path handles its upgrade requests. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes over the socket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void | Promise<void>

const doors = new WeakMap<Server, Map<string, Upgrade>>()

/** Registers a WebSocket endpoint at a path. */
export function openDoor(server: Server, path: string, upgrade: Upgrade): void {
  const own = doors.get(server) ?? new Map<string, Upgrade>()
  doors.set(server, own.set(path, upgrade))
}

/** The endpoint at a path, if any. */
export const doorAt = (server: Server, path: string): Upgrade | undefined => doors.get(server)?.get(path)
