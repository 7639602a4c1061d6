/** Helpers shared by the messenger adapters. */
import { timingSafeEqual } from 'node:crypto'
import { phoneOf } from '@ordinator/model/phone'
import { ValidationError } from '#platform/errors.ts'

const SILENT_S = 15
const BYTES_IN_S = 128 * 1024
/** Timeout in seconds for this many bytes. */
export const answerSeconds = (bytes: number): number => SILENT_S + Math.ceil(bytes / BYTES_IN_S)

/** An object from a messenger: untrusted. */
export type Told = Record<string, unknown>

export const toldOf = (value: unknown): Told => (typeof value === 'object' && value !== null ? (value as Told) : {})
export const listOf = (value: unknown): Told[] => (Array.isArray(value) ? value.map(toldOf) : [])
export const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A whole number as text; empty if it is none. */
export const numberOf = (value: unknown): string => (Number.isSafeInteger(value) ? String(value) : '')
/** A visitor's name, joined from its parts. */
export const nameOf = (...parts: unknown[]): string => parts.map(wordsOf).filter(Boolean).join(' ').trim().slice(0, 128)
export const fileName = (name: unknown, otherwise: string): string => (wordsOf(name) || otherwise).slice(0, 200)
export const contactWords = (phone: string, name: string): string =>
  `Контакт: ${[phoneOf(phone) ?? phone, name].filter(Boolean).join(', ')}`

/** Empty if it is no location. */
export const placeWords = ({ latitude, longitude }: Told, ...called: string[]): string =>
  typeof latitude === 'number' && typeof longitude === 'number'
    ? `Геопозиция: ${[latitude, longitude, ...called].filter((part) => part !== '').join(', ')}`
    : ''

/** Placeholder for content that a chat cannot show. */
export const UNSHOWN = '[Сообщение, которое чат не показывает]'

export const sumOf = (files: readonly { content: Blob }[]): number =>
  files.reduce((sum, { content }) => sum + content.size, 0)

/** Compares secrets in constant time. */
export function isSame(told: unknown, secret: string): boolean {
  const [theirs, ours] = [Buffer.from(String(told ?? '')), Buffer.from(secret)]
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}

interface Ask {
  /** Absent: a request without data. */
  body?: FormData | URLSearchParams | Told
  /** Absent: POST with a body, GET without one. */
  method?: 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** Size of the body, which sets the timeout. */
  bytes?: number
}

/** Requests JSON from a messenger; follows no redirects. */
export async function ask(
  url: string,
  { body, method, headers = {}, bytes = 0 }: Ask,
): Promise<{ status: number; said: Told }> {
  const isJson = body !== undefined && !(body instanceof FormData || body instanceof URLSearchParams)
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    signal: AbortSignal.timeout(answerSeconds(bytes) * 1000),
    redirect: 'error',
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as FormData | URLSearchParams) }),
  })
  return { status: answer.status, said: toldOf(await answer.json()) }
}

/** A validation error at the token field. */
export const wrongToken = (message: string): ValidationError => new ValidationError([{ field: 'token', message }])

/** The error of a connect attempt: its own message, or that the messenger cannot be reached. */
export const unreachable = (error: unknown, messenger: string): ValidationError =>
  error instanceof ValidationError
    ? error
    : wrongToken(`${messenger} не отвечает. Проверьте, есть ли у сервера выход к нему`)

const UNOPENED = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** A connection that never opened has transferred nothing. With several addresses each error is checked. */
export function wasNeverOpened(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException | AggregateError }
  const faults = cause instanceof AggregateError ? (cause.errors as NodeJS.ErrnoException[]) : cause ? [cause] : []
  return (
    faults.length > 0 &&
    faults.every(
      ({ code = '', syscall }: NodeJS.ErrnoException) =>
        UNOPENED.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect'),
    )
  )
}
