/**
 * Sign-in by a token that the other side may forget at any time. A token that is not accepted is renewed once and the
 * request is sent again: without a sign-in nothing was carried out. A sign-in that is refused for good is remembered for
 * a growing time, so that waiting messages do not lock the account.
 */
import { createHash } from 'node:crypto'
import type { Answered } from './outbound.ts'
import { type Remote, RemoteFault, type RemoteRequest } from './remote.ts'

/** Seconds for which a refused sign-in is not tried again with the same credentials: the first, and the longest. */
const REFUSED_S = [60, 900] as const
/** Milliseconds before its end at which a token is renewed. */
const EARLY_MS = 60_000

/** The credentials are wrong; only a person can change that. In Russian. */
export class SignInRefused extends RemoteFault {
  override name = 'SignInRefused'
  constructor(message: string) {
    super(message.slice(0, 300), false, '401', 'stranger')
  }
}

export interface TokenStore {
  read(): Promise<string | undefined>
  keep(token: string, seconds: number): Promise<void>
  /** Removes the token unless another has replaced it. */
  drop(token: string): Promise<void>
}

export interface SessionOf {
  /** Everything that is signed in with, secrets included: another key is another session. */
  key: readonly string[]
  /** Absent: the memory of this process. */
  store?: TokenStore
  /**
   * Signs in, by requests with `isSignIn`.
   * @throws SignInRefused; RemoteFault without an answer
   */
  signIn(): Promise<{ token: string; seconds: number }>
  headers(token: string): Record<string, string>
  /** Answers beside status 401 that the token is not accepted. */
  isStranger?(answer: Answered): boolean
  /** In Russian, for a new token that is not accepted either: another system of the login takes it. */
  taken: string
}

export interface Session extends Pick<Remote, 'quietly'> {
  /** Signs in unless there is a token, or a refusal is remembered. @throws as `signIn` */
  ready(): Promise<void>
  /** Signs in now, also after a refusal: for a person's check. @throws as `signIn` */
  renew(): Promise<void>
}

interface Memory {
  token?: string
  /** Milliseconds. */
  until: number
  pending?: Promise<string>
  refused?: { error: SignInRefused; until: number; times: number }
}
/** By the digest of the key. */
const memories = new Map<string, Memory>()

export function session(remote: Pick<Remote, 'quietly'>, of: SessionOf): Session {
  const name = createHash('sha256').update(JSON.stringify(of.key)).digest('base64')
  const memory = memories.get(name) ?? { until: 0 }
  memories.set(name, memory)
  const store = of.store ?? inMemory(memory)

  async function signedIn(): Promise<string> {
    try {
      const { token, seconds } = await of.signIn()
      await store.keep(token, seconds)
      delete memory.refused
      return token
    } catch (error) {
      if (error instanceof SignInRefused) {
        const times = (memory.refused?.times ?? 0) + 1
        const seconds = Math.min(REFUSED_S[1], REFUSED_S[0] * 4 ** (times - 1))
        memory.refused = { error, times, until: Date.now() + seconds * 1000 }
        throw error
      }
      // The request itself was not sent yet.
      throw error instanceof RemoteFault ? new RemoteFault(error.message, false, error.code, error.why) : error
    }
  }

  /** Concurrent requests share one sign-in: a second one would end the token of the first. */
  const renewed = (): Promise<string> =>
    (memory.pending ??= signedIn().finally(() => {
      delete memory.pending
    }))

  async function tokenOf(stale?: string): Promise<string> {
    if (stale !== undefined) await store.drop(stale)
    const known = await store.read()
    if (known !== undefined) return known
    if (memory.refused && memory.refused.until > Date.now()) throw memory.refused.error
    return renewed()
  }

  /** @returns undefined if the token was not accepted */
  async function sent(request: RemoteRequest, token: string): Promise<Answered | undefined> {
    try {
      const answer = await remote.quietly({ ...request, headers: { ...request.headers, ...of.headers(token) } })
      return of.isStranger?.(answer) ? undefined : answer
    } catch (error) {
      if (error instanceof RemoteFault && error.why === 'stranger') return undefined
      throw error
    }
  }

  return {
    async quietly(request) {
      const token = await tokenOf()
      const answer = (await sent(request, token)) ?? (await sent(request, await tokenOf(token)))
      if (answer) return answer
      throw new RemoteFault(of.taken, false, '401', 'stranger')
    },
    async ready() {
      await tokenOf()
    },
    async renew() {
      await renewed()
    },
  }
}

const inMemory = (memory: Memory): TokenStore => ({
  read: async () => (memory.until - EARLY_MS > Date.now() ? memory.token : undefined),
  async keep(token, seconds) {
    Object.assign(memory, { token, until: Date.now() + seconds * 1000 })
  },
  async drop(token) {
    if (memory.token === token) delete memory.token
  },
})
