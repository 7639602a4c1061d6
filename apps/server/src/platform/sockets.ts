/** WebSocket endpoints besides the contract's own: a registered path handles its upgrade requests. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes over the socket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void | Promise<void>

const endpoints = new WeakMap<Server, Map<string, Upgrade>>()

/** Registers a WebSocket endpoint at a path. */
export function openEndpoint(server: Server, path: string, upgrade: Upgrade): void {
  const own = endpoints.get(server) ?? new Map<string, Upgrade>()
  endpoints.set(server, own.set(path, upgrade))
}

/** The endpoint at a path, if any. */
export const endpointAt = (server: Server, path: string): Upgrade | undefined => endpoints.get(server)?.get(path)
