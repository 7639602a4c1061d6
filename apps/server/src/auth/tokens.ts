import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

/** Seconds. */
export const ACCESS_LIFE = 15 * 60
const MAX_CACHED = 10_000
/** Maximum number of refreshes after which an old token is still recognised as stolen: over 30 days of them. */
const MAX_CHAIN = 5_000

export interface Ticket {
  idSession: string
  idUser: number
  /** Milliseconds since 1970. */
  expires: number
}

export interface RefreshToken {
  idSession: string
  /** Number of earlier tokens of the session. */
  count: number
  secret: Buffer
}

export type Tokens = ReturnType<typeof createTokens>

/** Creates and reads all kinds of tokens; each has its own key derived from the server's secret. */
export function createTokens(secret: string) {
  const key = (use: string) => createHmac('sha256', secret).update(`ordinator ${use}`).digest()
  const keys = { access: key('access token'), files: key('files cookie'), telephony: key('telephony token') }
  const chainKey = key('refresh token')
  // Verified tokens are cached: the hot path is a look-up.
  const verified = {
    access: new Map<string, Ticket>(),
    files: new Map<string, Ticket>(),
    telephony: new Map<string, Ticket>(),
  }

  async function sign(use: keyof typeof keys, idSession: string, idUser: number, life: number): Promise<string> {
    return new SignJWT({ sid: idSession })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(String(idUser))
      .setAudience(use)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + Math.max(1, Math.floor(life)))
      .sign(keys[use])
  }

  /** A cached token; null: not cached. */
  function known(use: keyof typeof keys, token: string): Ticket | undefined | null {
    const found = verified[use].get(token)
    if (!found) return null
    return found.expires > Date.now() ? found : undefined
  }

  async function read(use: keyof typeof keys, token: string): Promise<Ticket | undefined> {
    const found = known(use, token)
    if (found !== null) return found
    try {
      const { payload } = await jwtVerify(token, keys[use], { algorithms: ['HS256'], audience: use })
      if (typeof payload.sid !== 'string' || !payload.exp) return undefined
      const ticket = { idSession: payload.sid, idUser: Number(payload.sub), expires: payload.exp * 1000 }
      const those = verified[use]
      if (those.size >= MAX_CACHED) those.delete(those.keys().next().value as string)
      those.set(token, ticket)
      return ticket
    } catch {
      return undefined
    }
  }

  /** The following token: deterministic, so that parallel tabs get the same one. */
  const next = (token: RefreshToken): RefreshToken => ({
    idSession: token.idSession,
    count: token.count + 1,
    secret: createHmac('sha256', chainKey).update(token.idSession).update(token.secret).digest(),
  })

  return {
    /** @param life remaining seconds of the session */
    access: (idSession: string, idUser: number, life = ACCESS_LIFE) =>
      sign('access', idSession, idUser, Math.min(life, ACCESS_LIFE)),
    files: (idSession: string, idUser: number, life: number) => sign('files', idSession, idUser, life),
    /** For the telephony plugin: only opens cards of calls. */
    telephony: (idSession: string, idUser: number, life: number) => sign('telephony', idSession, idUser, life),
    known,
    readTelephony: (token: string) => read('telephony', token),
    readAccess: (token: string) => read('access', token),
    readFiles: (token: string) => read('files', token),

    firstRefresh: (idSession: string): RefreshToken => ({ idSession, count: 0, secret: randomBytes(32) }),
    next,
    /** Follows the chain to the `count`th token of the session; undefined when it is too far ahead or behind. */
    forward(token: RefreshToken, count: number): RefreshToken | undefined {
      if (count < token.count || count - token.count > MAX_CHAIN) return undefined
      let at = token
      while (at.count < count) at = next(at)
      return at
    },
  }
}

export const refreshHash = (token: RefreshToken): Buffer => createHash('sha256').update(token.secret).digest()

export const isRefreshHash = (token: RefreshToken, hash: Buffer): boolean => timingSafeEqual(refreshHash(token), hash)

export const writeRefresh = ({ idSession, count, secret }: RefreshToken): string =>
  `${idSession}.${count}.${secret.toString('base64url')}`

export function readRefresh(written: string | undefined): RefreshToken | undefined {
  const parts = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.([\w-]{43})$/.exec(written ?? '')
  return parts
    ? { idSession: parts[1] as string, count: Number(parts[2]), secret: Buffer.from(parts[3] as string, 'base64url') }
    : undefined
}
