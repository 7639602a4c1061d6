import type { Call } from '@ordinator/model/call'
import sql from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Records } from './records.ts'

/** A request with an idempotency key. */
export interface Keyed {
  /** The call that executes it; a key of one call is refused by another. */
  call: Pick<Call, 'method' | 'path'>
  key: string
  /** All of the input: a repeat with another one is refused. */
  asked: unknown
}

/** Outcome of a request with a key: of the first one and of each repeat alike. */
export interface Outcome {
  /** What the first request has made; null if it makes nothing that has an id. */
  id: number | null
  isNew: boolean
}

/**
 * Executes a request once by its key, in one transaction with the key: a request that fails releases its key, a second
 * one at the same time waits for the first. The only implementation of idempotency keys; calls declare `once` instead of
 * using it.
 * @param run returns the id of what it makes, if anything
 * @throws HttpError 409 `key` if the key was used for another request
 */
export const once = (
  records: Records,
  keyed: Keyed,
  run: (inside: Records, tx: Tx) => Promise<number | undefined>,
): Promise<Outcome> =>
  records.tx(async (inside, tx) => {
    const { call, key } = keyed
    const isNew = await tx.one(sql`insert into request_keys ("key", "call", "fingerprint")
      values (${key}, ${nameOf(call)}, md5(${fingerprintOf(keyed)})) on conflict do nothing returning 1`)
    if (!isNew) return { id: (await findOutcome(tx, keyed))?.id ?? null, isNew: false }
    const id = await run(inside, tx)
    if (id !== undefined) await tx.query(sql`update request_keys set "idResult" = ${id} where "key" = ${key}`)
    return { id: id ?? null, isNew: true }
  })

/**
 * Outcome of an earlier request with this key; undefined if there is none.
 * @throws HttpError 409 `key` if the key was used for another request
 */
export async function findOutcome(db: Queryable, keyed: Keyed): Promise<{ id: number | null } | undefined> {
  // Keys from before calls were recorded have none.
  const found = await db.one<{ same: boolean; id: number | null }>(sql`
    select coalesce("fingerprint" = md5(${fingerprintOf(keyed)}), true)
      and coalesce("call" = ${nameOf(keyed.call)}, true) as same, "idResult"::int as id
    from request_keys where "key" = ${keyed.key}`)
  if (found && !found.same) throw new HttpError(409, 'Этот ключ уже использован для другой операции', { code: 'key' })
  return found
}

/** Id of what a request with this key has made, whatever it was; undefined if nothing. */
export const resultOf = async (db: Queryable, key: string): Promise<number | undefined> =>
  (
    await db.one<{ id: number }>(
      sql`select "idResult"::int as id from request_keys where "key" = ${key} and "idResult" is not null`,
    )
  )?.id

const nameOf = ({ method, path }: Keyed['call']): string => `${method} ${path}`
const fingerprintOf = ({ asked }: Keyed): string => JSON.stringify(asked)
