/** The built web app of patients: one page, with its own content security policy. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {} from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { serveBuilt } from '#platform/webFiles.ts'

const DIST = join(import.meta.dirname, '../../../../web/dist-portal')

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** As people type it, and as it is linked. */
const PATHS = ['/portal', '/portal/'] as const

/** @param style colours and font of the clinic's site */
export async function servePortal(server: FastifyInstance, style: () => Promise<string>, root = DIST): Promise<void> {
  const page = { schema: { hide: true }, config: { aside: 'free' } } as const
  if (!existsSync(join(root, 'portal.html'))) {
    for (const path of PATHS)
      server.get(path, page, (_request, reply) =>
        reply.code(503).send('Личный кабинет ещё не собран: запустите npm start'),
      )
    return
  }
  await server.register(async (scope) => {
    await serveBuilt(scope, { root, prefix: '/portal/files/', page: '/portal' })
    // After the app's own stylesheet, so that the clinic's colours override it.
    const html = readFileSync(join(root, 'portal.html'), 'utf8').replace(
      '</head>',
      '<link rel="stylesheet" href="/portal/theme.css" /></head>',
    )
    scope.get('/portal/theme.css', page, async (_request, reply) =>
      reply
        .headers({ 'cache-control': 'public, max-age=300' })
        .type('text/css; charset=utf-8')
        .send(await style()),
    )
    for (const path of PATHS)
      scope.get(path, page, (_request, reply) =>
        reply
          .removeHeader('x-frame-options')
          .headers({ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'cache-control': 'no-cache' })
          .type('text/html; charset=utf-8')
          .send(html),
      )
  })
}
