import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpError } from './errors.ts'

const STOPPING = 'Сервер перезапускается: повторите через несколько секунд'
const CUT = 'Сервер перезапускается, запрос не принят: отправьте его ещё раз'

declare module 'fastify' {
  interface FastifyReply {
    /** Where it stands among the unanswered. */
    waitsAt: number
  }
}

/** How the server takes its leave of those who are connected. */
export interface Leave {
  /** From now on whoever asks anew is told to come again (503), and an answer ends its connection. */
  begin(): void
  /** Tells those who were still sending or waiting that nothing has come of it (503), as far as they have no answer yet. */
  cut(): void
}

/** Before every other hook. */
export function prepareLeave(server: FastifyInstance): Leave {
  // No Set: one that is added to and taken from makes itself anew again and again, and each time what it was before keeps
  // alive all that stood in it until the next full collection of garbage.
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
