import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long the server waits for a client to read an answer, in milliseconds. */
export interface Patience {
  /** While nothing is read. */
  stall: number
  /** In total: 100 MB over a slow connection. */
  whole: number
}

const PATIENCE: Patience = { stall: 30_000, whole: 30 * 60_000 }

/** Characters that the system accepts at once, whether or not the client reads them. */
const SMALL = 4_096

/** Disconnects clients that do not read their answer: it would stay in memory, or as an open file. */
export function cutStalledReaders(server: FastifyInstance, patience: Patience = PATIENCE): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length > SMALL) watch(reply.raw, patience)
    done(null, payload)
  })
}

function watch(response: ServerResponse, { stall, whole }: Patience): void {
  const { socket } = response
  // An injected request has no socket and is read at once.
  if (!(socket instanceof Socket)) return
  // Timeout of the socket: no traffic either way for this long; a write in progress counts as traffic.
  response.setTimeout(stall, () => {
    // Nothing is buffered: the server is slow, not the client.
    if (socket.writableLength === 0) socket.setTimeout(stall)
    else socket.destroy()
  })
  const end = setTimeout(() => socket.destroy(), whole)
  end.unref()
  response.once('close', () => clearTimeout(end))
}
