import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'

/** A cookie that is HttpOnly and SameSite. */
export interface OwnCookie {
  get(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, value: string, options?: Pick<CookieSerializeOptions, 'maxAge'>): void
  clear(reply: FastifyReply): void
}

/**
 * Under https the name begins with `__Host-`: the browser accepts it only from this host, over https, for path `/`
 * (RFC 6265bis §4.1.3.2), so that no other host of the domain can replace it. Under plain http, as in a clinic's local
 * network, it is set under `path`.
 */
export function ownCookie({ publicUrl, training }: Config, plain: string, path: string): OwnCookie {
  const secure = publicUrl.startsWith('https:')
  // A training clinic has the clinic's host and a path of its own below it.
  const own = training ? `${plain}_training` : plain
  const name = secure ? `__Host-${own}` : own
  const below = training ? `${new URL(publicUrl).pathname}${path === '/' ? '' : path}` : path
  const fixed = { path: secure ? '/' : below, httpOnly: true, sameSite: 'strict', secure } as const
  return {
    get: ({ cookies }) => cookies[name],
    set: (reply, value, options = {}) => void reply.setCookie(name, value, { ...fixed, ...options }),
    clear: (reply) => void reply.clearCookie(name, fixed),
  }
}
