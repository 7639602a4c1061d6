/** A page loads much at once before it subscribes: each answer carries the cursor from which to subscribe without a gap. */
import type { AppContext } from '#records/context.ts'
import { cursorNow } from './feed.ts'

/** Request header with any value; the answer's value is a cursor from before the call was executed. */
const HEADER = 'x-cursor'
/** Calls of one page load share a cursor: an older one only replays a little more. */
const SHARED_MS = 200

declare module 'fastify' {
  interface FastifyRequest {
    /** From before the call was executed; for pages being loaded. */
    cursor: string | undefined
  }
}

export function sendCursor({ server, db }: Pick<AppContext, 'server' | 'db'>): void {
  let at = Number.NEGATIVE_INFINITY
  let read: Promise<string | undefined> = Promise.resolve(undefined)
  const lately = () => {
    if (performance.now() - at > SHARED_MS) {
      at = performance.now()
      read = cursorNow(db).catch(() => undefined)
    }
    return read
  }
  server.decorateRequest('cursor', undefined)
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.headers[HEADER] === undefined || !request.headers.authorization) return done()
    lately().then((cursor) => {
      request.cursor = cursor
      done()
    }, done)
  })
  // Only for signed-in users, which the call has established by now.
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.cursor !== undefined && request.idUser !== undefined) reply.header(HEADER, request.cursor)
    done(null, payload)
  })
}
