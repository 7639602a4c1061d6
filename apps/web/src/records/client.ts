import { type AnyListQuery, type ExportFormat, exportPath, type Request, recordsClient } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { ApiError, plainMessage } from '../app/apiError.ts'
import { type CallOptions, http } from '../app/http.ts'

/** The records of the server, typed by their entities. Outside React too; inside, the hooks of this folder. */
export const records = recordsClient((request) => send(request))

/** The same, with the http client's own options: `recordsWith({ forbidden: 'silent' }).list(Task)`. */
export const recordsWith = (options: CallOptions) => recordsClient((request) => send(request, options))

async function send({ method, path, body, signal }: Request, options: CallOptions = {}): Promise<unknown> {
  // A refused read belongs to the page; a refused write leaves the person where they are, with what they have typed.
  const call: CallOptions = {
    forbidden: method === 'GET' ? 'page' : 'toast',
    ...options,
    signal: signal ?? options.signal,
  }
  if (method === 'GET') return http.get(path, call)
  if (method === 'POST') return http.post(path, body, call)
  if (method === 'DELETE') return http.delete(path, call)
  try {
    return await http.put(path, body, call)
  } catch (error) {
    throw await withCurrent(error, path, body)
  }
}

/** A stale write is thrown with the record as it is now, read again where the answer's own does not reach us. */
async function withCurrent(error: unknown, path: string, body: unknown): Promise<unknown> {
  const sent = (body as { _version?: number } | undefined)?._version
  if (!(error instanceof ApiError) || error.status !== 409 || sent === undefined || isRecord(error.current))
    return error
  const current = await http.get(path, { forbidden: 'silent', quiet: true }).catch(() => undefined)
  if (!isRecord(current) || current._version === sent) return error
  return new ApiError({ status: 409, code: 'stale', message: plainMessage(409), current })
}

export const isRecord = (value: unknown): value is { id: number; _version: number } =>
  typeof value === 'object' && value !== null && 'id' in value && '_version' in value

const EXPORT_TIMEOUT_MS = 10 * 60_000

/** The file of a whole list, as filtered and sorted. */
export function exportBlob(
  entity: Entity,
  format: ExportFormat,
  query: AnyListQuery,
  signal?: AbortSignal,
): Promise<Blob> {
  return http.blob(exportPath(entity, format, query), {
    forbidden: 'toast',
    quiet: true,
    timeout: EXPORT_TIMEOUT_MS,
    signal,
  })
}
