/** Passes requests and sockets below `/training/` on to the process of the training clinic. */
import { Agent, request as ask, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBare } from '#platform/answers.ts'
import { fixedHeaders } from '#platform/securityHeaders.ts'
import { openEndpoint } from '#platform/sockets.ts'
import type { AppContext } from '#records/context.ts'
import { ROOT, type Training } from './process.ts'

/** Headers that belong to one connection (RFC 9110 §7.6.1). */
const HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']
const BODY_LIMIT = 250 * 1024 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export function passOn(app: AppContext, training: Training): void {
  const agent = new Agent({ keepAlive: true })
  app.onClose(() => agent.destroy())
  void app.server.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    // The body is not read here.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scope.route({
      method: [...METHODS],
      url: `${ROOT}/*`,
      bodyLimit: BODY_LIMIT,
      schema: { hide: true } as never,
      config: { aside: 'free' },
      handler: (request, reply) => pass(request, reply),
    })
  })

  function pass(request: FastifyRequest, reply: FastifyReply) {
    const address = training.address()
    const path = request.raw.url?.slice(ROOT.length) || '/'
    if (!address) {
      // A page of yesterday: the way in is in the clinic.
      if (/^\/app(\/|\?|$)/.test(path)) return reply.redirect('/app/training')
      return reply
        .code(401)
        .send({ name: 'Unauthorized', message: 'Учебная клиника закрыта: войдите в неё снова', status: 401 })
    }
    training.touch()
    const { hostname, port } = new URL(address)
    reply.hijack()
    const answer = reply.raw
    const asked = ask(
      {
        agent,
        hostname,
        port,
        path,
        method: request.method,
        headers: headersOf(request.headers, request.ip, request.protocol),
      },
      (come) => {
        answer.writeHead(come.statusCode ?? 502, without(come.headers))
        come.pipe(answer)
        come.on('error', () => answer.destroy())
      },
    )
    asked.on('error', () => {
      if (answer.headersSent) return answer.destroy()
      answer.writeHead(503, { 'content-type': 'application/json; charset=utf-8' })
      answer.end(JSON.stringify({ name: 'ServiceUnavailable', message: 'Учебная клиника не отвечает', status: 503 }))
    })
    answer.on('close', () => asked.destroy())
    request.raw.pipe(asked)
    return reply
  }

  openEndpoint(app.server.server, `${ROOT}/ws`, (request, socket, head) => {
    const address = training.address()
    if (!address) return answerBare(socket, 503, fixedHeaders(app.config.publicUrl))
    training.touch()
    joinSockets(request, socket, head, new URL(address))
  })
}

const without = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)))

const headersOf = (headers: OutgoingHttpHeaders, ip: string, protocol: string): OutgoingHttpHeaders => ({
  ...without(headers),
  'x-forwarded-for': ip,
  'x-forwarded-proto': protocol,
})

/** Repeats the handshake to the process and joins the two sockets. */
function joinSockets(request: IncomingMessage, socket: Duplex, head: Buffer, { hostname, port }: URL): void {
  const other = connect(Number(port), hostname)
  const end = () => {
    other.destroy()
    socket.destroy()
  }
  for (const one of [other, socket]) one.on('error', end).on('close', end)
  other.once('connect', () => {
    const lines = Object.entries(request.headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${one}`),
    )
    const path = request.url?.slice(ROOT.length) || '/'
    other.write(
      `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nx-forwarded-for: ${request.socket.remoteAddress ?? ''}\r\n\r\n`,
    )
    other.write(head)
    other.pipe(socket)
    socket.pipe(other)
  })
}
