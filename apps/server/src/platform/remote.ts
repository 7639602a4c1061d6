/**
 * HTTP client of an outside system: address guard, authentication, errors for people, and a line in the exchange journal.
 * An outbox message already has its journal line: its adapter calls `quietly` and converts a fault into an outcome.
 */
import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import { AdapterFault } from './adapter.ts'
import { ValidationError } from './errors.ts'
import type { Exchanged } from './exchange.ts'
import { type Answered, type Outbound, Unreached } from './outbound.ts'
import type { Outcome } from './outboxMessage.ts'

export interface RemoteSystem {
  adapter: AdapterCode
  /** Base URL, without a trailing slash. */
  url: string
  /** A server setting, not an address entered by a user. */
  isOwn?: boolean
  /** Authentication headers, requested for each call. */
  auth?(): Record<string, string> | Promise<Record<string, string>>
  /** Milliseconds for a request; absent: 10 s. */
  timeout?: number
  /** Maximum bytes of an answer; absent: 10 MB. */
  maxAnswer?: number
  /** The adapter judges every status itself, failures and requests to wait included. */
  judgesAll?: true
  /** In Russian, for status 401; absent: that key or password are wrong. */
  stranger?: string
}

export interface RemoteRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Appended to the base URL, with its leading slash. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Signs in: status 401 is returned too. */
  isSignIn?: true
}

/** The request in the journal. */
export type JournalLine = Pick<Exchanged, 'operation' | 'key' | 'about'>

/** No answer, or an unreadable one. In Russian, without secrets and patients' data. */
export class RemoteFault extends AdapterFault {
  override name = 'RemoteFault'
  /** The request may have reached the other side. */
  readonly mayHaveArrived: boolean
  readonly code: string | undefined
  /**
   * `barred`: the address may not be called; `tooLong`: the answer exceeds the limit; `stranger`: the sign-in is not
   * accepted, so nothing was carried out (status 401).
   */
  readonly why: 'barred' | 'tooLong' | 'stranger' | undefined
  constructor(message: string, mayHaveArrived: boolean, code?: string, why?: RemoteFault['why']) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
    this.code = code
    this.why = why
  }
}

export interface Remote {
  /** Sends without a journal line. @throws RemoteFault if there is no answer, or a status of 5xx, 401, 408 or 429 */
  quietly(request: RemoteRequest): Promise<Answered>
  /** Sends with a journal line. Any other status is returned for the caller to judge. */
  ask(line: JournalLine, request: RemoteRequest): Promise<Answered>
}

interface RemoteContext {
  outbound: Pick<Outbound, 'ask'>
  exchanged(line: Exchanged): Promise<void>
}

const MAX_ANSWER = 10 * 1024 * 1024
const STRANGER = 'Вход не принят (401): проверьте логин, пароль или ключ в настройках'

export function remote({ outbound, exchanged }: RemoteContext, system: RemoteSystem): Remote {
  async function quietly({ method = 'GET', path, headers, body, isSignIn }: RemoteRequest): Promise<Answered> {
    const answer = await outbound
      .ask(`${system.url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...(await system.auth?.()),
          ...headers,
        },
        ...(body !== undefined && { body }),
        maxAnswer: system.maxAnswer ?? MAX_ANSWER,
        ...(system.timeout && { timeout: system.timeout }),
        ...(system.isOwn && { isOwn: true }),
      })
      .catch((error: unknown) => {
        if (error instanceof Unreached)
          throw new RemoteFault(error.message, error.mayHaveArrived, undefined, error.isTooLong ? 'tooLong' : undefined)
        if (error instanceof ValidationError) throw new RemoteFault(error.message, false, undefined, 'barred')
        throw error
      })
    const { status } = answer
    if (system.judgesAll) return answer
    // A failing gateway may have forwarded the request before it failed.
    if (status >= 500 || status === 408) throw new RemoteFault(`Ответ ${status}`, true, String(status))
    if (status === 429) throw new RemoteFault('Слишком много запросов, просит подождать', false, '429')
    if (status === 401 && !isSignIn) throw new RemoteFault(system.stranger ?? STRANGER, false, '401', 'stranger')
    return answer
  }

  return {
    quietly,
    async ask(line, request) {
      const start = performance.now()
      const logExchange = (how: Pick<Exchanged, 'status' | 'error' | 'code'>) =>
        exchanged({ adapter: system.adapter, ...line, durationMs: performance.now() - start, ...how })
      try {
        const answer = await quietly(request)
        const isGood = answer.status < 400
        await logExchange({
          status: isGood ? 'done' : 'rejected',
          code: String(answer.status),
          error: isGood ? undefined : `Ответ ${answer.status}`,
        })
        return answer
      } catch (error) {
        if (error instanceof RemoteFault)
          await logExchange({ status: 'network_error', error: error.message, code: error.code })
        throw error
      }
    },
  }
}

/** Converts a fault to an outbox outcome. @throws errors that are not the other side's fault */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof RemoteFault)) throw error
  const { message, mayHaveArrived, code } = error
  return { kind: mayHaveArrived ? 'unknown' : 'failed', error: message, code }
}
