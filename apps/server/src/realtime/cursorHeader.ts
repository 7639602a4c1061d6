/** A page that opens reads much at once, before it can listen: each answer says from where nothing of it is missed. */
import type { AppContext } from '../records/context.ts'
import { cursorNow } from './feed.ts'

/** Asked for by any value, answered by a cursor from before the call was carried out. */
const HEADER = 'x-cursor'
/** The calls of one opening share a cursor: an older one only replays a little more. */
const SHARED_MS = 200

declare module 'fastify' {
  interface FastifyRequest {
    /** From before the call was carried out; for pages that open. */
    cursor: string | undefined
  }
}

export function tellCursor({ server, db }: Pick<AppContext, 'server' | 'db'>): void {
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
  // Only who is signed in, which the call itself has found out by now.
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.cursor !== undefined && request.idUser !== undefined) reply.header(HEADER, request.cursor)
    done(null, payload)
  })
}
