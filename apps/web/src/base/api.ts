/**
 * Calls of the server other than generic CRUD, by method and path: `api('POST /news/:id/read', { params: { id } })`.
 * Input and answer are declared in the model; only the types are imported here, so that the validator stays out of the
 * bundle.
 */

import type { Answered, Asked, BodyOf } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import { type AnyFilter, queryText } from '@ordinator/model/client'
import { urlOf } from '#kit/root.ts'
import { type CallOptions as HttpOptions, http } from './http.ts'
import { type Query, queryString } from './query.ts'

export type CallName = keyof Calls
export type Answer<N extends CallName> = Answered<Calls[N]>
/** The body of a call. */
export type Body<N extends CallName> = BodyOf<Calls[N]>
export type CallOptions = Omit<HttpOptions, 'query'>

/** The argument is optional where nothing is required. */
type Given<N extends CallName, O> =
  object extends Asked<Calls[N]> ? [asked?: Asked<Calls[N]>, options?: O] : [asked: Asked<Calls[N]>, options?: O]

interface Params {
  params?: Record<string, string | number>
  query?: Query & { filter?: AnyFilter }
  body?: unknown
}

/** Calls with a multipart form; they report progress. */
export type UploadName = { [N in CallName]: Calls[N] extends { bodyType: 'multipart' } ? N : never }[CallName]
/** Calls that answer with a file. */
type FileName = { [N in CallName]: Calls[N] extends { file: string } ? N : never }[CallName]

/** Sends a call; throws ApiError for a refusal. */
export async function api<N extends Exclude<CallName, UploadName>>(
  name: N,
  ...[asked, options]: Given<N, CallOptions>
): Promise<Answer<N>> {
  const { method, path } = addressOf(name, asked)
  const { body } = (asked ?? {}) as Params
  switch (method) {
    case 'GET':
      return http.get(path, options)
    case 'PUT':
      return http.put(path, body, options)
    case 'DELETE':
      return http.delete(path, { ...options, body })
    default:
      return http.post(path, body, options)
  }
}

/** The URL of a file, for links and pictures. */
export const apiUrl = <N extends FileName>(name: N, ...[asked]: Given<N, never>): string =>
  urlOf(addressOf(name, asked).path)

/** Method and path of a call, with the parameters filled in. */
export function addressOf(name: CallName, asked: unknown): { method: string; path: string } {
  const { params = {}, query } = (asked ?? {}) as Params
  const [method = '', path = ''] = name.split(' ')
  const { filter, ...rest } = query ?? {}
  const text = [queryString(rest as Query), queryText({ filter })].map((part) => part.slice(1)).filter(Boolean)
  return {
    method,
    path:
      path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? '')) +
      (text.length ? `?${text.join('&')}` : ''),
  }
}
