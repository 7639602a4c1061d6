import { notify } from '#kit/notify.tsx'
import { urlOf } from '#kit/root.ts'
import { ApiError, plainMessage, toApiError } from './apiError.ts'
import { type CallOptions, freshToken, handleForbidden, httpEvents } from './http.ts'
import { type Query, queryString } from './query.ts'
import { token } from './token.ts'

export interface UploadOptions {
  query?: Query
  /** Cancels the transfer; the promise rejects with an AbortError. */
  signal?: AbortSignal
  /** 0 to 1. */
  onProgress?: (share: number) => void
  forbidden?: CallOptions['forbidden']
}

/**
 * Uploads a form with files by XMLHttpRequest, for its progress: fetch has none for uploads.
 * @param form a File alone is sent as the field `file`
 */
export async function upload<T>(path: string, form: FormData | File, options: UploadOptions = {}): Promise<T> {
  const data = form instanceof FormData ? form : singleFile(form)
  const used = token.get()
  let answer = await transfer(path, data, options, used)
  if (answer.status === 401 && used) {
    const fresh = await freshToken(used)
    if (fresh) answer = await transfer(path, data, options, fresh)
    if (!fresh || answer.status === 401) httpEvents.unauthorized()
  }
  for (let times = 0; times < AGAIN && isBusy(answer); times++) {
    const seconds = Math.min(Number(answer.retryAfter) || LONGEST_WAIT, LONGEST_WAIT)
    notify.info(`Сервер сейчас занят. Отправим картинку ещё раз через ${seconds} с`)
    await pause(seconds * 1000, options.signal)
    answer = await transfer(path, data, options, token.get())
  }
  if (answer.status >= 200 && answer.status < 300) return answer.body as T
  throw handleForbidden(toApiError(answer.status, answer.body, answer.retryAfter), { forbidden: 'toast', ...options })
}

/** Retries while the server is too busy to decode a picture, and the maximum delay in seconds. */
const AGAIN = 2
const LONGEST_WAIT = 30

const isBusy = ({ status, body }: Answer): boolean =>
  status === 503 && (body as { code?: unknown } | undefined)?.code === 'pictures'

/** @throws DOMException AbortError */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('Upload cancelled', 'AbortError'))
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

function singleFile(file: File): FormData {
  const form = new FormData()
  form.append('file', file)
  return form
}

interface Answer {
  status: number
  body: unknown
  retryAfter: string | null
}

function transfer(path: string, form: FormData, options: UploadOptions, bearer: string | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', urlOf(path) + queryString(options.query))
    request.withCredentials = true
    request.setRequestHeader('Accept', 'application/json')
    if (bearer) request.setRequestHeader('Authorization', `Bearer ${bearer}`)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    request.onload = () =>
      resolve({
        status: request.status,
        body: parsed(request.responseText),
        retryAfter: request.getResponseHeader('Retry-After'),
      })
    request.onerror = () => {
      notify.offline()
      reject(new ApiError({ status: 0, code: 'network', message: plainMessage(0) }))
    }
    request.onabort = () => reject(new DOMException('Upload cancelled', 'AbortError'))
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (options.signal?.aborted) reject(new DOMException('Upload cancelled', 'AbortError'))
    else request.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
