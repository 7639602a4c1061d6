/** Shared parts of signed incoming webhooks: the key in the URL, the secret, the signature, deduplication. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from './db.ts'
import { badRequest, unauthorized } from './errors.ts'
import { JsonLimit, readJson } from './json.ts'

/** Allowed difference of the sender's clock, ms; also how long a body without a number is recognised as a repeat. */
const MAX_AGE = 10 * 60_000
const MAX_ID = 128

/** A random key for a webhook's URL that cannot be guessed. */
export const newWebhookKey = (): string => randomBytes(18).toString('base64url')

/** True when the text has the form of such a key. */
export const isWebhookKey = (key: string): boolean => /^[\w-]{16,64}$/.test(key)

/**
 * Gives a webhook a new secret, which invalidates the old one; it is shown once and stored only in `table`.
 * @param by the column with the webhook's id
 */
export async function renewSecret(db: Queryable, table: string, idWebhook: number, by = 'idIntake'): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const key = raw(`"${by}"`)
  await db.query(sql`insert into ${raw(table)} (${key}, "secret") 
    values (${idWebhook}, ${db.cipher.encrypt(`${table}.secret`, idWebhook, secret)})
    on conflict (${key}) do update set "secret" = excluded."secret", "dateCreate" = now()`)
  return secret
}

/** Decrypts a webhook's secret as read from `table`; null: it has none. */
export const openSecret = (db: Queryable, table: string, idWebhook: number, stored: string | null): string | null =>
  stored === null ? null : db.cipher.decrypt(`${table}.secret`, idWebhook, stored)

export interface Signed {
  /** The body without the fields used here: number and time. */
  payload: Record<string, unknown>
  /** The sender's number; without one the hash of the body: for ever if it has a time, else within ten minutes. */
  idExternal: string
}

/**
 * A signed body: `X-Signature: sha256=<hex HMAC-SHA256 of the bytes>`, number in `id`, time in `timestamp`.
 * Only signed data identifies a repeat: a number in a header could be changed by an attacker who replays the call.
 * @throws HttpError 401 `signature`; 400 if it is not a JSON object; 400 `timestamp` for a time too far from now
 */
export function readSigned(secret: string | null, headers: IncomingHttpHeaders, bytes: Buffer): Signed {
  if (!isSigned(secret, bytes, headers['x-signature'])) throw unauthorized('Подпись не подходит', 'signature')
  const { id, timestamp, ...payload } = readObject(bytes)
  refuseOld(timestamp)
  return { payload, idExternal: externalId(id, timestamp, bytes) }
}

/**
 * Headers by which a receiver verifies our own messages and detects replays: the time of this attempt in seconds, and the
 * HMAC-SHA256 of `<time>.<body>`.
 */
export function signedHeaders(secret: string, body: string, now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-timestamp': timestamp, 'x-signature': `sha256=${hex}` }
}

/** @throws HttpError 400 if it is not a JSON object */
export function readObject(bytes: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = readJson(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonLimit) throw badRequest(error.message)
    throw badRequest('Тело запроса — не JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('Нужен объект с полями')
  return value as Record<string, unknown>
}

/** Locks this name until the end of the transaction: a repeat waits and then finds the first one. */
export const oncePerSender = async (tx: Tx, name: string): Promise<void> =>
  void (await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`))

function isSigned(secret: string | null, bytes: Buffer, header: string | string[] | undefined): boolean {
  const hex = typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/i.exec(header.trim())?.[1] : undefined
  if (!secret || !hex) return false
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(hex, 'hex'))
}

function refuseOld(timestamp: unknown): void {
  if (timestamp === undefined || timestamp === null) return
  const number =
    typeof timestamp === 'number' || /^\d+(\.\d+)?$/.test(String(timestamp)) ? Number(timestamp) : undefined
  // Seconds up to the year 5138, milliseconds above.
  const at = number === undefined ? Date.parse(String(timestamp)) : number < 1e11 ? number * 1000 : number
  if (Number.isNaN(at)) throw badRequest('Время запроса составлено неверно', 'timestamp')
  if (Math.abs(Date.now() - at) > MAX_AGE) throw badRequest('Запрос слишком старый', 'timestamp')
}

function externalId(given: unknown, timestamp: unknown, bytes: Buffer): string {
  const id = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  if (id && id.length <= MAX_ID && !/\p{Cc}/u.test(id)) return id
  const hash = createHash('sha256').update(bytes).update(id).digest('hex')
  const isDated = timestamp !== undefined && timestamp !== null
  return id || isDated ? `sha256:${hash}` : `sha256:${hash}:${Math.floor(Date.now() / MAX_AGE)}`
}
