/** How messengers are read and asked: what all of their adapters have in common. */
import { timingSafeEqual } from 'node:crypto'
import { phoneOf } from '@ordinator/model/phone'
import { ValidationError } from '#platform/errors.ts'

const SILENT_S = 15
const BYTES_IN_S = 128 * 1024
/** Seconds within which a messenger answers to so many bytes, or does not answer at all. */
export const answerSeconds = (bytes: number): number => SILENT_S + Math.ceil(bytes / BYTES_IN_S)

/** An object of what a messenger tells: nothing in it is trusted. */
export type Told = Record<string, unknown>

export const toldOf = (value: unknown): Told => (typeof value === 'object' && value !== null ? (value as Told) : {})
export const listOf = (value: unknown): Told[] => (Array.isArray(value) ? value.map(toldOf) : [])
export const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A whole number as text; empty: it is none. */
export const numberOf = (value: unknown): string => (Number.isSafeInteger(value) ? String(value) : '')
/** The name of a person of its parts, as a visitor has it. */
export const nameOf = (...parts: unknown[]): string => parts.map(wordsOf).filter(Boolean).join(' ').trim().slice(0, 128)
export const fileName = (name: unknown, otherwise: string): string => (wordsOf(name) || otherwise).slice(0, 200)
export const contactWords = (phone: string, name: string): string =>
  `Контакт: ${[phoneOf(phone) ?? phone, name].filter(Boolean).join(', ')}`

/** Empty: it is no place. */
export const placeWords = ({ latitude, longitude }: Told, ...called: string[]): string =>
  typeof latitude === 'number' && typeof longitude === 'number'
    ? `Геопозиция: ${[latitude, longitude, ...called].filter((part) => part !== '').join(', ')}`
    : ''

/** Of what a chat cannot show: it is there, at least. */
export const UNSHOWN = '[Сообщение, которое чат не показывает]'

export const sumOf = (files: readonly { content: Blob }[]): number =>
  files.reduce((sum, { content }) => sum + content.size, 0)

/** Compares secrets in time that tells nothing of them. */
export function isSame(told: unknown, secret: string): boolean {
  const [theirs, ours] = [Buffer.from(String(told ?? '')), Buffer.from(secret)]
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}

interface Ask {
  /** Absent: it is only asked for something. */
  body?: FormData | URLSearchParams | Told
  /** Absent: POST with a body, GET without one. */
  method?: 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** That go along, and so the time that they take. */
  bytes?: number
}

/** Asks a messenger, which answers JSON; goes nowhere else, wherever the answer points. */
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

/** A refusal at the field of the token. */
export const wrongToken = (message: string): ValidationError => new ValidationError([{ field: 'token', message }])

/** What a way to connect throws: its own words, or that the messenger is not to be reached. */
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
/** A line that was never opened has carried nothing. Of several addresses that were tried each says what it was. */
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
