/** Requests to МДЛП and its answers. */
import type { Answered } from '#platform/outbound.ts'
import { RemoteFault, type RemoteRequest } from '#platform/remote.ts'
import { MdlpRefusal } from './client.ts'

export const requestOf = (method: 'GET' | 'POST', path: string, body?: unknown): RemoteRequest => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
})

/** @throws MdlpRefusal; RemoteFault if the answer cannot be read: it may follow after the work */
export function read({ status, bytes }: Answered): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    body = undefined
  }
  if (status >= 400) {
    const { error_description, message } = (body ?? {}) as { error_description?: string; message?: string }
    const words = (error_description ?? message ?? `МДЛП отказывает (${status})`).slice(0, 500)
    throw new MdlpRefusal(words, status)
  }
  if (typeof body !== 'object' || body === null) throw new RemoteFault('Ответ МДЛП не читается', true, String(status))
  return body as Record<string, unknown>
}
