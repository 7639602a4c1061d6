import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long an answer waits for the one who has asked for it, in milliseconds. */
export interface Patience {
  /** While nothing of it is taken. */
  stall: number
  /** In all: 100 MB over a bad line. */
  whole: number
}

const PATIENCE: Patience = { stall: 30_000, whole: 30 * 60_000 }

/** Characters that the system takes at once, whether or not they are read. */
const SMALL = 4_096

/** Cuts off whoever does not read what he has asked for: it would be held for him in memory, or as an open file. */
export function cutStalledReaders(server: FastifyInstance, patience: Patience = PATIENCE): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length > SMALL) watch(reply.raw, patience)
    done(null, payload)
  })
}

function watch(response: ServerResponse, { stall, whole }: Patience): void {
  const { socket } = response
  // What is asked without a connection is read at once.
  if (!(socket instanceof Socket)) return
  // Of the connection: nothing has gone either way for so long; a write that goes on counts as going.
  response.setTimeout(stall, () => {
    // Nothing waits to be taken: it is we who are slow.
    if (socket.writableLength === 0) socket.setTimeout(stall)
    else socket.destroy()
  })
  const end = setTimeout(() => socket.destroy(), whole)
  end.unref()
  response.once('close', () => clearTimeout(end))
}
