/**
 * A link of one visit at one time, for the recipient of its message: it confirms or cancels the visit, and reveals
 * nothing else. It is signed and not stored; for a moved visit it is invalid.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'

const FORM = /^(\d{1,15})\.([\w-]{22})$/

/** @param at the start of the visit, ISO */
const markOf = (secret: string, id: number, at: string): Buffer =>
  createHmac('sha256', secret).update(`visit ${id} ${at}`).digest().subarray(0, 16)

const startSql = sql`to_char("dateFrom" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** URL where the patient answers for this visit. */
export async function visitLink(db: Queryable, { config }: Pick<AppContext, 'config'>, id: number): Promise<string> {
  const found = await db.one<{ at: string }>(sql`select ${startSql} as at from appointments where "id" = ${id}`)
  return found
    ? `${config.publicUrl}/portal#visit=${id}.${markOf(config.secret, id, found.at).toString('base64url')}`
    : ''
}

/** The visit of such a token; undefined if it is invalid, or the visit has another time. */
export async function visitOfLink(
  db: Queryable,
  { config }: Pick<AppContext, 'config'>,
  token: string,
): Promise<{ id: number; idCustomer: number } | undefined> {
  const [, number, mark = ''] = FORM.exec(token) ?? []
  if (number === undefined) return undefined
  const found = await db.one<{ id: number; idCustomer: number; at: string }>(sql`
    select "id"::int as id, "idCustomer"::int as "idCustomer", ${startSql} as at from appointments
    where "id" = ${Number(number)} and not "deleted"`)
  if (!found) return undefined
  const { at, ...visit } = found
  return timingSafeEqual(markOf(config.secret, visit.id, at), Buffer.from(mark, 'base64url')) ? visit : undefined
}

const scoreMark = (secret: string, id: number): Buffer =>
  createHmac('sha256', secret).update(`score ${id}`).digest().subarray(0, 16)

/** URL where the patient rates this visit. */
export const scoreLink = ({ config }: Pick<AppContext, 'config'>, id: number): string =>
  `${config.publicUrl}/portal#score=${id}.${scoreMark(config.secret, id).toString('base64url')}`

/** The id of the visit of such a token. */
export function visitOfScoreLink({ config }: Pick<AppContext, 'config'>, token: string): number | undefined {
  const [, number, mark = ''] = FORM.exec(token) ?? []
  if (number === undefined) return undefined
  const id = Number(number)
  return timingSafeEqual(scoreMark(config.secret, id), Buffer.from(mark, 'base64url')) ? id : undefined
}
