/** Serves the built web app: its assets under /web/app/, its single page under /app. */
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type {} from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

export const WEB_DIST = join(import.meta.dirname, '../../../web/dist')

const HASHED = `${sep}assets${sep}`
const YEAR = 'public, max-age=31536000, immutable'
const ASK = 'no-cache'

/** Pages shown in a frame of another program of the clinic. */
const FRAMED = /^\/app\/migration\//

/** @param framedBy origin of the program that may embed such pages; undefined: only this product may */
export async function serveWebFiles(
  server: FastifyInstance,
  framedBy: () => Promise<string | undefined>,
  root = WEB_DIST,
): Promise<void> {
  const page = { schema: { hide: true }, config: { aside: 'free' } } as const
  server.get('/', page, (_request, reply) => reply.redirect('/app'))
  if (!existsSync(join(root, 'index.html'))) {
    server.get('/app', page, (_request, reply) => reply.code(503).send(NOT_BUILT))
    return
  }
  await server.register(async (scope) => {
    await serveBuilt(scope, { root, prefix: '/web/app/', page: '/app/' })
    for (const path of ['/app', '/app/*']) {
      scope.get(path, page, async (request, reply) => {
        const origin = FRAMED.test(request.url) ? await framedBy() : undefined
        if (origin !== undefined) {
          const policy = String(reply.getHeader('content-security-policy'))
          reply.header(
            'content-security-policy',
            policy.replace("frame-ancestors 'self'", `frame-ancestors 'self' ${origin}`),
          )
          reply.removeHeader('x-frame-options')
        }
        return reply.sendFile('index.html')
      })
    }
  })
}

/**
 * Serves the files of a built app, outside the queues. Hashed assets are kept for a year.
 * @param page path of its page, which the service worker controls: the worker is stored beside the assets
 */
export async function serveBuilt(
  scope: FastifyInstance,
  { root, prefix, page }: { root: string; prefix: string; page: string },
): Promise<void> {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, aside: 'free' }
  })
  await scope.register(fastifyStatic, {
    root,
    prefix,
    index: false,
    preCompressed: true,
    cacheControl: false,
    schemaHide: true,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes(HASHED) ? YEAR : ASK)
      // Compressed copies too.
      if (/sw\.js(\.\w+)?$/.test(path)) reply.header('service-worker-allowed', page)
    },
  })
}

const NOT_BUILT = 'Веб-приложение ещё не собрано: запустите npm start'
