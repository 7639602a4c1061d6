/**
 * Claims by time. A process claims a row before it works on something outside its transaction, so that no other process
 * does the same. A claim ends when it is released, when its process is killed (life.ts), or after its seconds.
 *
 * A table of claims has the columns "life" uuid and "claimedUntil" timestamptz (null or past: free). The claim is named
 * by its end, which no later claim of the row shares: a process that was stalled neither extends nor releases the claim
 * of its successor.
 */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './db.ts'
import type { Life } from './life.ts'

export interface Claims {
  /** Name of the table. */
  table: string
  /** Columns of its primary key. */
  key: readonly string[]
}

/** Values of the key's columns, in their order. */
export type ClaimKey = readonly (string | number)[]

/** Names one claim of a row: the end that it was given. */
export type ClaimToken = string

const nameOf = (name: string): Sql => raw(`"${name}"`)
const rowSql = ({ key }: Claims, values: ClaimKey): Sql =>
  sql`(${join(
    key.map((name, at) => sql`${nameOf(name)} = ${values[at]}`),
    ' and ',
  )})`
const untilSql = (seconds: number): Sql => sql`now() + make_interval(secs => ${seconds})`

/** SQL condition: nobody holds the row. @param row alias of the row, with a dot; empty: none */
export const isFreeSql = (row = ''): Sql => raw(`(${row}"claimedUntil" is null or ${row}"claimedUntil" <= now())`)

/**
 * Claims an existing row.
 * @param seconds for which others are excluded; longer than the work takes
 * @returns undefined while another process holds it, or without such a row
 */
export const claim = async (
  db: Queryable,
  claims: Claims,
  key: ClaimKey,
  life: Pick<Life, 'id'>,
  seconds: number,
): Promise<ClaimToken | undefined> =>
  (
    await db.one<{ token: string }>(sql`update ${nameOf(claims.table)}
      set "claimedUntil" = ${untilSql(seconds)}, "life" = ${life.id}::uuid
      where ${rowSql(claims, key)} and ${isFreeSql()} returning "claimedUntil"::text as token`)
  )?.token

/** Claims a row that may not be there yet. @returns undefined while another process holds it */
export const claimNew = async (
  db: Queryable,
  claims: Claims,
  key: ClaimKey,
  life: Pick<Life, 'id'>,
  seconds: number,
): Promise<ClaimToken | undefined> =>
  (
    await db.one<{ token: string }>(sql`
      insert into ${nameOf(claims.table)} as c (${join(claims.key.map(nameOf))}, "life", "claimedUntil")
      values (${join(key.map((value) => sql`${value}`))}, ${life.id}::uuid, ${untilSql(seconds)})
      on conflict (${join(claims.key.map(nameOf))}) do update
        set "life" = excluded."life", "claimedUntil" = excluded."claimedUntil" where ${isFreeSql('c.')}
      returning "claimedUntil"::text as token`)
  )?.token

/** @returns the new name of the claim; undefined if it is lost */
export const extendClaim = async (
  db: Queryable,
  claims: Claims,
  key: ClaimKey,
  token: ClaimToken,
  seconds: number,
): Promise<ClaimToken | undefined> =>
  (
    await db.one<{ token: string }>(sql`update ${nameOf(claims.table)} set "claimedUntil" = ${untilSql(seconds)}
      where ${rowSql(claims, key)} and "claimedUntil" = ${token}::timestamptz returning "claimedUntil"::text as token`)
  )?.token

/** Ends a claim; one that is lost meanwhile stays with its holder. */
export const releaseClaim = async (db: Queryable, claims: Claims, key: ClaimKey, token: ClaimToken): Promise<void> => {
  await db.query(sql`update ${nameOf(claims.table)} set "claimedUntil" = now()
    where ${rowSql(claims, key)} and "claimedUntil" = ${token}::timestamptz`)
}

/** Ends all claims of a killed process. @returns the keys of their rows */
export const releaseDead = <R>(db: Queryable, claims: Claims, life: string): Promise<R[]> =>
  db.query<R>(sql`update ${nameOf(claims.table)} set "claimedUntil" = now()
    where "life" = ${life}::uuid and "claimedUntil" > now() returning ${join(claims.key.map(nameOf))}`)
