/** What the doors for signed senders from outside have in common: the key of the address, the secret, the signature, the number. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import sql, { raw } from 'sql-template-tag'
import type { Queryable, Tx } from './db.ts'
import { badRequest, unauthorized } from './errors.ts'
import { JsonLimit, readJson } from './json.ts'

/** Milliseconds by which a sender's clock may differ from ours; also for how long a body without a number is one and the same. */
const MAX_AGE = 10 * 60_000
const MAX_ID = 128

/** A key for the address of a door; guessing it takes forever. */
export const newDoorKey = (): string => randomBytes(18).toString('base64url')

/** Whether this may be the key of a door at all. */
export const isDoorKey = (key: string): boolean => /^[\w-]{16,64}$/.test(key)

/**
 * Gives a door a new secret, which ends the one before; it is shown once, and stands in `table` alone.
 * @param by the column of the table that says whose it is
 */
export async function renewSecret(db: Queryable, table: string, idDoor: number, by = 'idIntake'): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const door = raw(`"${by}"`)
  await db.query(sql`insert into ${raw(table)} (${door}, "secret") 
    values (${idDoor}, ${db.cipher.encrypt(`${table}.secret`, idDoor, secret)})
    on conflict (${door}) do update set "secret" = excluded."secret", "dateCreate" = now()`)
  return secret
}

/** The secret of a door as it was read from `table`; null: the door has none. */
export const openSecret = (db: Queryable, table: string, idDoor: number, stored: string | null): string | null =>
  stored === null ? null : db.cipher.decrypt(`${table}.secret`, idDoor, stored)

export interface Signed {
  /** The body without what was only for the door: number and time. */
  told: Record<string, unknown>
  /** The sender's own number; without one the body itself: for ever with a time in it, else within ten minutes. */
  idExternal: string
}

/**
 * A signed body: `X-Signature: sha256=<hex HMAC-SHA256 of the bytes>`, number in `id`, time in `timestamp`.
 * Only what is signed tells a repeat: a number in a header could be changed by who has caught the call.
 * @throws HttpError 401 `signature`; 400 for what is no JSON object; 400 `timestamp` for a time too far from now
 */
export function readSigned(secret: string | null, headers: IncomingHttpHeaders, bytes: Buffer): Signed {
  if (!isSigned(secret, bytes, headers['x-signature'])) throw unauthorized('Подпись не подходит', 'signature')
  const { id, timestamp, ...told } = readObject(bytes)
  refuseOld(timestamp)
  return { told, idExternal: externalId(id, timestamp, bytes) }
}

/**
 * The headers by which the receiver of our own messages knows that they are ours and not a repeat of old ones: the time
 * of this try in seconds, and the HMAC-SHA256 of `<time>.<body>`.
 */
export function signedHeaders(secret: string, body: string, now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const hex = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-timestamp': timestamp, 'x-signature': `sha256=${hex}` }
}

/** @throws HttpError 400 for what is no JSON object */
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

/** Until the end of the transaction nobody else takes in what has this name: the repeat waits and finds the first one. */
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
  // Seconds until the year 5138, milliseconds above.
  const at = number === undefined ? Date.parse(String(timestamp)) : number < 1e11 ? number * 1000 : number
  if (Number.isNaN(at)) throw badRequest('Время запроса составлено неверно', 'timestamp')
  if (Math.abs(Date.now() - at) > MAX_AGE) throw badRequest('Запрос слишком старый', 'timestamp')
}

function externalId(said: unknown, timestamp: unknown, bytes: Buffer): string {
  const id = typeof said === 'string' || typeof said === 'number' ? String(said).trim() : ''
  if (id && id.length <= MAX_ID && !/\p{Cc}/u.test(id)) return id
  const hash = createHash('sha256').update(bytes).update(id).digest('hex')
  const isDated = timestamp !== undefined && timestamp !== null
  return id || isDated ? `sha256:${hash}` : `sha256:${hash}:${Math.floor(Date.now() / MAX_AGE)}`
}
