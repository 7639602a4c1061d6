import multipart, { type FastifyMultipartOptions } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** True for a multipart request. */
export const isForm = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-type']?.startsWith('multipart/') === true

/** Registers multipart handling. The plugin's per-request hooks run only for multipart requests. */
export function takeForms(server: FastifyInstance, options: FastifyMultipartOptions): Promise<void> {
  const scoped = (scope: FastifyInstance, given: FastifyMultipartOptions, done: (error?: Error) => void) => {
    const gated = Object.create(scope, {
      addHook: {
        value: (name: 'onRequest' | 'onResponse', hook: Hook) =>
          scope.addHook(name, (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
            if (!isForm(request)) return next()
            hook(request, reply).then(() => next(), next)
          }),
      },
    })
    multipart(gated, given, done)
  }
  // Like the plugin itself: its decorators are visible to all scopes.
  return Promise.resolve(server.register(Object.assign(scoped, { [Symbol.for('skip-override')]: true }), options)).then(
    () => undefined,
  )
}
