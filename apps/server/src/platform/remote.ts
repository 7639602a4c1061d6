/**
 * HTTP of an outside system: the guard of addresses, its sign-in, words of errors for people, and a line of the journal of
 * exchange. A message of the outbox has its line already: its adapter asks `quietly` and turns a fault into an outcome.
 */
import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import { AdapterFault } from './adapter.ts'
import { ValidationError } from './errors.ts'
import type { Exchanged } from './exchange.ts'
import { type Answered, type Outbound, Unreached } from './outbound.ts'
import type { Outcome } from './outboxMessage.ts'

export interface RemoteSystem {
  adapter: AdapterCode
  /** Of the system, without a slash at the end. */
  url: string
  /** A setting of the server, and no address that a person has named. */
  isOwn?: boolean
  /** What signs us in, asked for with each request. */
  auth?(): Record<string, string> | Promise<Record<string, string>>
  /** Milliseconds for a request; absent: 10 s. */
  timeout?: number
  /** Bytes of an answer; absent: 10 MB. */
  maxAnswer?: number
}

export interface RemoteRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After the system's address, with its slash. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** What a request is in the journal. */
export type Told = Pick<Exchanged, 'operation' | 'key' | 'about'>

/** Nobody answered, or not in a way that can be read. In Russian, without secrets and patients' data. */
export class RemoteFault extends AdapterFault {
  override name = 'RemoteFault'
  /** The request may have reached the other side. */
  readonly mayHaveArrived: boolean
  readonly code: string | undefined
  constructor(message: string, mayHaveArrived: boolean, code?: string) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
    this.code = code
  }
}

export interface Remote {
  /** Asks without a line in the journal. @throws RemoteFault if nobody answers, or with a status of 5xx, 408 or 429 */
  quietly(request: RemoteRequest): Promise<Answered>
  /** The same with a line. Any other status is an answer: the caller judges it. */
  ask(told: Told, request: RemoteRequest): Promise<Answered>
}

interface House {
  outbound: Pick<Outbound, 'ask'>
  exchanged(line: Exchanged): Promise<void>
}

const MAX_ANSWER = 10 * 1024 * 1024

export function remote({ outbound, exchanged }: House, system: RemoteSystem): Remote {
  async function quietly({ method = 'GET', path, headers, body }: RemoteRequest): Promise<Answered> {
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
        if (error instanceof Unreached) throw new RemoteFault(error.message, error.mayHaveArrived)
        if (error instanceof ValidationError) throw new RemoteFault(error.message, false)
        throw error
      })
    const { status } = answer
    // A gateway that is out of order may have handed the request on before it failed.
    if (status >= 500 || status === 408) throw new RemoteFault(`Ответ ${status}`, true, String(status))
    if (status === 429) throw new RemoteFault('Слишком много запросов, просит подождать', false, '429')
    return answer
  }

  return {
    quietly,
    async ask(told, request) {
      const start = performance.now()
      const tell = (how: Pick<Exchanged, 'status' | 'error' | 'code'>) =>
        exchanged({ adapter: system.adapter, ...told, durationMs: performance.now() - start, ...how })
      try {
        const answer = await quietly(request)
        const isGood = answer.status < 400
        await tell({
          status: isGood ? 'done' : 'rejected',
          code: String(answer.status),
          error: isGood ? undefined : `Ответ ${answer.status}`,
        })
        return answer
      } catch (error) {
        if (error instanceof RemoteFault)
          await tell({ status: 'network_error', error: error.message, code: error.code })
        throw error
      }
    },
  }
}

/** What a fault is for the outbox. @throws what is no fault of the other side */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof RemoteFault)) throw error
  const { message, mayHaveArrived, code } = error
  return { kind: mayHaveArrived ? 'unknown' : 'failed', error: message, code }
}
