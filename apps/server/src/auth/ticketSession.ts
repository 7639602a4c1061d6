import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#records/context.ts'
import { readPolicy } from './policy.ts'
import { authOf } from './registerAuth.ts'
import { openSession } from './sessions.ts'

/** Opens a session of a user who is verified already; ends the user's others. @returns the access token */
export async function openSessionOf(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  idUser: number,
): Promise<string> {
  const auth = authOf(app)
  const policy = await readPolicy(app.db.kept)
  const userAgent = request.headers['user-agent']
  const own = {
    idUser,
    remember: false,
    force: true,
    ip: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
  }
  const opened = await app.db.kept.tx((tx) => openSession(tx, auth.tokens, own, policy))
  if (!opened) throw new Error('a forced session was not opened')
  return auth.handOut(reply, opened)
}
