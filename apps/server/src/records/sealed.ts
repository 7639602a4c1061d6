/** Records that are opened for a reason alone: what of them is seen without one, and what a reason opens. */
import type { Entity } from '@ordinator/model/entity'
import { OPENED_HOURS, SEALED } from '@ordinator/model/sealed'
import sql, { raw, type Sql } from 'sql-template-tag'
import { HttpError } from '../platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, RowSql, Sealed } from './define.ts'

interface Asks {
  actor: ServerActor
}

/** The seal that holds for this actor; the server's own code passes all. */
export const sealOf = ({ actor }: Asks, { sealed }: Definition): Sealed | undefined =>
  actor.system ? undefined : sealed

/** SQL of whether the actor may see all of the row: it is not sealed, or a reason of the actor's is in force. */
export function openSql(env: Asks & Pick<RowSql, 'me'>, d: Definition, row: Sql): Sql {
  const seal = sealOf(env, d)
  return seal ? unsealedSql(seal, { row, me: env.me }) : raw('true')
}

/** The same for a condition of an area, which the server's own code is not asked. */
export const unsealedSql = ({ when }: Sealed, { row, me }: RowSql): Sql =>
  sql`(not (${when({ row, me })}) or opened_because(${me}, ${row}."id", ${raw(String(OPENED_HOURS))}) is not null)`

/** Whether the field is one that only an open record shows. */
export const isHidden = ({ actor }: Asks, d: Definition, field: string): boolean => {
  const seal = sealOf({ actor }, d)
  return seal !== undefined && field !== 'id' && field !== '_version' && !seal.shown.includes(field)
}

/**
 * A condition on a field, for whoever may not see it: of a sealed record it holds only where the record is found by what
 * it shows. Whatever `match` tells of other records is left as it is.
 * @param pattern of words that are looked for inside the field; absent: of another kind of condition
 */
export function guarded(
  env: Asks & Pick<RowSql, 'me'>,
  d: Definition,
  field: string,
  row: Sql,
  match: Sql,
  pattern?: Sql,
): Sql {
  if (!isHidden(env, d, field)) return match
  const found = pattern && sealOf(env, d)?.contains?.[field]?.({ row, me: env.me }, pattern)
  const open = openSql(env, d, row)
  return found ? sql`(${match} and (${open} or ${found}))` : sql`(${open} and ${match})`
}

export const sealedRefusal = ({ label }: Entity): HttpError =>
  new HttpError(403, `${label[0]}: доступ к карте ограничен. Укажите причину, чтобы её открыть`, { code: SEALED })
