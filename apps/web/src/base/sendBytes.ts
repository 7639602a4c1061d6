import { urlOf } from '#kit/root.ts'
import { addressOf, type CallName } from './api.ts'
import { toApiError } from './apiError.ts'
import { handleForbidden } from './http.ts'
import { token } from './token.ts'

/** Sends a file's bytes to a call with a raw body. @throws ApiError */
export async function sendBytes<T>(name: CallName, asked: object, file: Blob): Promise<T> {
  const { method, path } = addressOf(name, asked)
  const used = token.get()
  const answer = await fetch(urlOf(path), {
    method,
    body: file,
    headers: { 'content-type': 'application/octet-stream', ...(used && { authorization: `Bearer ${used}` }) },
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return body as T
  throw handleForbidden(toApiError(answer.status, body), { forbidden: 'toast' })
}
