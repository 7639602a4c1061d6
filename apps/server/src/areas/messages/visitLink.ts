/**
 * A link of one visit at one time, for whoever got the message about it: by it a visit is confirmed or cancelled, and
 * nothing else is learnt. It is signed and stored nowhere; of a visit that was moved it opens nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'

const FORM = /^(\d{1,15})\.([\w-]{22})$/

/** @param at the moment at which the visit begins, ISO */
const markOf = (secret: string, id: number, at: string): Buffer =>
  createHmac('sha256', secret).update(`visit ${id} ${at}`).digest().subarray(0, 16)

const startSql = sql`to_char("dateFrom" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Where the patient of this visit answers. */
export async function visitLink(db: Queryable, { config }: Pick<AppContext, 'config'>, id: number): Promise<string> {
  const found = await db.one<{ at: string }>(sql`select ${startSql} as at from appointments where "id" = ${id}`)
  return found
    ? `${config.publicUrl}/portal#visit=${id}.${markOf(config.secret, id, found.at).toString('base64url')}`
    : ''
}

/** The visit that a token of such a link is of; undefined: it is none, or of another time by now. */
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

/** Where the patient of this visit says how it was. */
export const scoreLink = ({ config }: Pick<AppContext, 'config'>, id: number): string =>
  `${config.publicUrl}/portal#score=${id}.${scoreMark(config.secret, id).toString('base64url')}`

/** The id of the visit that a token of such a link is of. */
export function visitOfScoreLink({ config }: Pick<AppContext, 'config'>, token: string): number | undefined {
  const [, number, mark = ''] = FORM.exec(token) ?? []
  if (number === undefined) return undefined
  const id = Number(number)
  return timingSafeEqual(scoreMark(config.secret, id), Buffer.from(mark, 'base64url')) ? id : undefined
}
