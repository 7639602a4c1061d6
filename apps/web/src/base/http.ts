import { SEALED } from '@ordinator/model/sealed'
import { notify } from '#kit/notify.tsx'
import { urlOf } from '#kit/root.ts'
import { ApiError, plainMessage, toApiError } from './apiError.ts'
import { earlyCalls } from './earlyCalls.ts'
import { VERSION_HEADER, versionSeen } from './newVersion.ts'
import { progress } from './progress.ts'
import { askProof } from './proof.ts'
import { type Query, queryString } from './query.ts'
import { isSelfRetry } from './selfRetry.ts'
import { expiryOf, token } from './token.ts'

const GET_TIMEOUT_MS = 30_000
const REFRESH_LOCK = 'ordinator:refresh'

export interface CallOptions {
  query?: Query
  signal?: AbortSignal
  headers?: Record<string, string>
  /**
   * A 403 always shows its toast. 'page' (default) then opens the error page, for data that a page depends on; 'toast'
   * stays, for a refused save; 'silent' only throws.
   */
  forbidden?: 'page' | 'toast' | 'silent'
  /** No progress bar and no toast without a connection: for background work. */
  quiet?: boolean
  /** Without the token and its refresh: for the sign-in itself. */
  anonymous?: boolean
  /** Milliseconds; default 30 s for GET, none for others. */
  timeout?: number
}

/** Handlers set once by session.ts, so that this file needs neither React nor the router. */
export const httpEvents = {
  /** The session is over: sign out and show the login page. */
  unauthorized: (): void => {},
  /** Show the error page of the refused access. */
  forbidden: (_message: string): void => {},
  /** This tab has written something. */
  written: (_path: string): void => {},
}

/** Calls of the clinic's own server: JSON, bearer token, one refresh for many requests. */
export const http = {
  get: <T>(path: string, options?: CallOptions) => call<T>('GET', path, undefined, options),
  /** `body`: a plain object is sent as JSON; FormData and URLSearchParams as they are. */
  post: <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('PUT', path, body, options),
  delete: <T = void>(path: string, options?: CallOptions & { body?: unknown }) =>
    call<T>('DELETE', path, options?.body, options),
  /** A file by its URL, with the token: for exports and downloads. */
  blob: async (path: string, options?: CallOptions): Promise<Blob> =>
    (await request('GET', path, undefined, options)).blob(),
}

/** Downloads a file and saves it with the browser. */
export async function download(path: string, fileName: string, options?: CallOptions): Promise<void> {
  const blob = await http.blob(path, { timeout: 600_000, forbidden: 'toast', ...options })
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Opens a document in a new tab, for printing; saves it if the browser blocks the tab. */
export async function openFile(path: string, fileName: string, options?: CallOptions): Promise<void> {
  const blob = await http.blob(path, { timeout: 600_000, forbidden: 'toast', ...options })
  const url = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(url), 600_000)
  if (window.open(url, '_blank')) return
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

async function call<T>(method: string, path: string, body: unknown, options?: CallOptions): Promise<T> {
  const response = await request(method, path, body, options)
  return (await readBody(response)) as T
}

async function request(method: string, path: string, body: unknown, asked: CallOptions = {}): Promise<Response> {
  // Read at once: the repeat begins in this very moment.
  const options = isSelfRetry() ? { ...asked, quiet: true } : asked
  const done = options.quiet ? undefined : progress.begin()
  const onResponse = options.anonymous ? undefined : earlyCalls.begin()
  let response: Response | undefined
  try {
    if (!options.anonymous) await (renewed ??= renew())
    let used = options.anonymous ? null : token.get()
    // A screen still mounted during the sign-out refetches: there is nothing to request any more.
    if (!used && !options.anonymous) throw new ApiError({ status: 401, message: plainMessage(401) })
    response = await send(method, path, body, options, used)
    if (response.status === 401 && used) {
      used = await freshToken(used)
      if (used) response = await send(method, path, body, options, used)
      if (!used || response.status === 401) httpEvents.unauthorized()
    }
    if (response.ok) {
      if (method !== 'GET' && !options.quiet) httpEvents.written(path)
      return response
    }
    const error = toApiError(response.status, await readBody(response), response.headers.get('Retry-After'))
    if (error.code === 'proof' && (await askProof())) return request(method, path, body, options)
    throw handleForbidden(error, options)
  } finally {
    done?.()
    onResponse?.(response)
  }
}

let renewed: Promise<unknown> | undefined

/** Refreshes an expired token before the first calls, as after a night with the browser closed. */
async function renew(): Promise<void> {
  const old = token.get()
  if (old !== null && expiryOf(old) < Date.now()) await freshToken(old).catch(() => undefined)
}

/** A 403 shows its toast and, unless the caller stays, opens the error page. Shared with upload.ts. */
export function handleForbidden(error: ApiError, options: CallOptions): ApiError {
  // A sealed record, which opens for a reason, has its own dialog.
  const isAskedAgain = error.code === 'proof'
  const way = isAskedAgain
    ? 'toast'
    : options.forbidden === 'toast' || error.code !== SEALED
      ? (options.forbidden ?? 'page')
      : 'silent'
  if (error.status === 403 && way !== 'silent') {
    notify.denied(error.message)
    error.isShown = true
    if (way === 'page') httpEvents.forbidden(error.message)
  }
  return error
}

async function send(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions,
  bearer: string | null,
): Promise<Response> {
  const url = path + queryString(options.query)
  const early = bearer === null ? undefined : await earlyCalls.answer(method, url)?.catch(() => undefined)
  if (early) return early
  const headers: Record<string, string> = { Accept: 'application/json', ...earlyCalls.headers(), ...options.headers }
  if (bearer) headers.Authorization = `Bearer ${bearer}`
  const raw = body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob
  if (body !== undefined && !raw) headers['Content-Type'] = 'application/json'
  const limit = options.timeout ?? (method === 'GET' ? GET_TIMEOUT_MS : undefined)
  const timer = limit ? AbortSignal.timeout(limit) : undefined
  try {
    const response = await fetch(urlOf(url), {
      method,
      headers,
      credentials: 'include',
      body: body === undefined ? undefined : raw ? (body as BodyInit) : JSON.stringify(body),
      signal: both(timer, options.signal),
    })
    versionSeen(response.headers.get(VERSION_HEADER))
    return response
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (timer?.aborted) throw new ApiError({ status: 0, code: 'timeout', message: 'Сервер слишком долго не отвечает' })
    const lost = new ApiError({ status: 0, code: 'network', message: plainMessage(0) })
    if (!options.quiet) {
      notify.offline()
      lost.isShown = true
    }
    throw lost
  }
}

function both(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    if (response.ok) return text
    return undefined
  }
}

let refreshing: Promise<string | null> | undefined

/**
 * A token newer than `stale`, or null when the session is over. Concurrent requests share one refresh, and so do tabs: a
 * tab that waited for the lock finds the token stored by the other.
 */
export function freshToken(stale: string): Promise<string | null> {
  refreshing ??= exclusively(async () => {
    const stored = token.get()
    if (stored === null) return null
    if (stored !== stale) return stored
    const response = await send('POST', '/auth/refresh-token', {}, { timeout: GET_TIMEOUT_MS }, stale)
    if (response.status >= 500) throw toApiError(response.status, await readBody(response))
    const answer = (await readBody(response)) as { status?: string; token?: string } | undefined
    if (!response.ok || answer?.status !== 'ok' || !answer.token) return null
    token.set(answer.token)
    return answer.token
  }).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** navigator.locks is absent outside secure contexts (plain http in a clinic's network). */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request(REFRESH_LOCK, work) as Promise<T>) : work()
}
