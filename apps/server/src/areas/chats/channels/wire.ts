/** Helpers shared by the messenger adapters. */
import { timingSafeEqual } from 'node:crypto'
import { phoneOf } from '@ordinator/model/phone'
import { ValidationError } from '#platform/errors.ts'
import { openOutbound } from '#platform/outbound.ts'
import { RemoteFault, remote } from '#platform/remote.ts'

const SILENT_S = 15
const BYTES_IN_S = 128 * 1024
/** Timeout in seconds for this many bytes. */
export const answerSeconds = (bytes: number): number => SILENT_S + Math.ceil(bytes / BYTES_IN_S)

/** An object from a messenger: untrusted. */
export type JsonObject = Record<string, unknown>

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}
export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : [])
export const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A whole number as text; empty if it is none. */
export const numberOf = (value: unknown): string => (Number.isSafeInteger(value) ? String(value) : '')
/** A visitor's name, joined from its parts. */
export const nameOf = (...parts: unknown[]): string => parts.map(wordsOf).filter(Boolean).join(' ').trim().slice(0, 128)
export const fileName = (name: unknown, otherwise: string): string => (wordsOf(name) || otherwise).slice(0, 200)
export const contactWords = (phone: string, name: string): string =>
  `Контакт: ${[phoneOf(phone) ?? phone, name].filter(Boolean).join(', ')}`

/** Empty if it is no location. */
export const placeWords = ({ latitude, longitude }: JsonObject, ...called: string[]): string =>
  typeof latitude === 'number' && typeof longitude === 'number'
    ? `Геопозиция: ${[latitude, longitude, ...called].filter((part) => part !== '').join(', ')}`
    : ''

/** Placeholder for content that a chat cannot show. */
export const UNSHOWN = '[Сообщение, которое чат не показывает]'

export const sumOf = (files: readonly { content: Blob }[]): number =>
  files.reduce((sum, { content }) => sum + content.size, 0)

/** Compares secrets in constant time. */
export function isSame(received: unknown, secret: string): boolean {
  const [theirs, ours] = [Buffer.from(String(received ?? '')), Buffer.from(secret)]
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}

interface Ask {
  /** Absent: a request without data. */
  body?: FormData | URLSearchParams | JsonObject
  /** Absent: POST with a body, GET without one. */
  method?: 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** Size of the body, which sets the timeout. */
  bytes?: number
}

const MAX_ANSWER = 5 * 1024 * 1024
/** Exported for tests, which shorten its patience. */
export const remoteContext = { outbound: openOutbound(), exchanged: async () => {} }

/** Requests JSON from a messenger; follows no redirects. @throws RemoteFault without an answer; SyntaxError */
export async function ask(
  url: string,
  { body, method, headers = {}, bytes = 0 }: Ask,
): Promise<{ status: number; body: JsonObject }> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const encoded = body && (isForm ? new Response(body) : Response.json(body))
  // Addresses are settings of the server, or those that a messenger names for an upload. Messages have a journal line.
  const answer = await remote(remoteContext, {
    ...{ adapter: 'telegram', url, isOwn: true, judgesAll: true, maxAnswer: MAX_ANSWER },
    timeout: answerSeconds(bytes) * 1000,
  }).quietly({
    method: method ?? (encoded ? 'POST' : 'GET'),
    path: '',
    headers: { ...(encoded && { 'content-type': encoded.headers.get('content-type') ?? '' }), ...headers },
    ...(encoded && { body: Buffer.from(await encoded.arrayBuffer()) }),
  })
  return { status: answer.status, body: objectOf(JSON.parse(answer.bytes.toString('utf8'))) }
}

/** A validation error at the token field. */
export const wrongToken = (message: string): ValidationError => new ValidationError([{ field: 'token', message }])

/** The error of a connect attempt: its own message, or that the messenger cannot be reached. */
export const unreachable = (error: unknown, messenger: string): ValidationError =>
  error instanceof ValidationError
    ? error
    : wrongToken(`${messenger} не отвечает. Проверьте, есть ли у сервера выход к нему`)

/** A connection that never opened has transferred nothing. */
export const wasNeverOpened = (error: unknown): boolean => error instanceof RemoteFault && !error.mayHaveArrived
