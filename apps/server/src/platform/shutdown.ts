import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpError } from './errors.ts'

const STOPPING = 'Сервер перезапускается: повторите через несколько секунд'
const CUT = 'Сервер перезапускается, запрос не принят: отправьте его ещё раз'

declare module 'fastify' {
  interface FastifyReply {
    /** Its index among the unanswered replies. */
    waitsAt: number
  }
}

/** Graceful shutdown of HTTP connections. */
export interface Leave {
  /** From now on new requests get 503, and each answer closes its connection. */
  begin(): void
  /** Answers 503 to requests still uploading or waiting, unless their answer has begun. */
  cut(): void
}

/** Must be registered before every other hook. */
export function prepareLeave(server: FastifyInstance): Leave {
  // An array instead of a Set: a Set with constant adding and deleting rebuilds its table again and again, and each old
  // table keeps its entries alive until the next full garbage collection.
  const unanswered: FastifyReply[] = []
  let leaving = false
  const answered = (reply: FastifyReply) => {
    const last = unanswered.pop()
    if (!last || last === reply) return
    last.waitsAt = reply.waitsAt
    unanswered[last.waitsAt] = last
  }
  server.decorateReply('waitsAt', 0)
  server.addHook('onRequest', (_request, reply, done) => {
    if (leaving) return done(new HttpError(503, STOPPING, { code: 'stopping', headers: { 'retry-after': '3' } }))
    reply.waitsAt = unanswered.push(reply) - 1
    reply.raw.once('close', () => answered(reply))
    done()
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (leaving) reply.header('connection', 'close')
    done(null, payload)
  })
  return {
    begin: () => {
      leaving = true
    },
    cut() {
      for (const reply of unanswered) {
        if (reply.raw.headersSent) continue
        reply.hijack()
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value)
        const body = {
          name: 'Service Unavailable',
          message: CUT,
          status: 503,
          code: 'stopping',
          requestId: reply.request.id,
        }
        reply.raw.writeHead(503, {
          'Content-Type': 'application/json; charset=utf-8',
          'Retry-After': '3',
          Connection: 'close',
        })
        reply.raw.end(JSON.stringify(body))
      }
    },
  }
}
