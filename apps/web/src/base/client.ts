import { type AnyListQuery, type ExportFormat, exportPath, type Request, recordsClient } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { type CallOptions, http } from './http.ts'

/** Server records, typed by their entities. For use outside React; inside, use the hooks of records/. */
export const records = recordsClient((request) => send(request))

/** The same with options of the HTTP client: `recordsWith({ forbidden: 'silent' }).list(Task)`. */
export const recordsWith = (options: CallOptions) => recordsClient((request) => send(request, options))

async function send({ method, path, body, signal }: Request, options: CallOptions = {}): Promise<unknown> {
  // A refused read concerns the page; a refused write must leave the user's input in place.
  const call: CallOptions = {
    forbidden: method === 'GET' ? 'page' : 'toast',
    ...options,
    signal: signal ?? options.signal,
  }
  if (method === 'GET') return http.get(path, call)
  if (method === 'POST') return http.post(path, body, call)
  if (method === 'DELETE') return http.delete(path, call)
  return http.put(path, body, call)
}

const EXPORT_TIMEOUT_MS = 10 * 60_000

/** The exported file of a whole list, as filtered. */
export function exportBlob(
  entity: Entity,
  format: ExportFormat,
  query: AnyListQuery,
  titles: readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<Blob> {
  return http.blob(exportPath(entity, format, query, titles), {
    forbidden: 'toast',
    quiet: true,
    timeout: EXPORT_TIMEOUT_MS,
    signal,
  })
}
