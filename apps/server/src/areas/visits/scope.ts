/** Scope of visits, shifts and holds: the user's own, and those of the branches whose desk is theirs. */
import { holds } from '@ordinator/model/access'
import sql, { raw, type Sql } from 'sql-template-tag'
import { atDesk, desksOf, worksIn } from '#areas/filials/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch, mustBeOwnBranches } from '#records/branches.ts'
import type { RowCondition, Scope } from '#records/define.ts'

/** Scope of an appointment: its performers, and its branch's desk. */
const seesVisit: RowCondition = ({ row, me }) => sql`(${row}."idUser" = ${me} or ${atDesk({ row, me })}
  or exists (select 1 from coupons mine where mine."idAppointment" = ${row}."id" and mine."idUser" = ${me} and not mine."deleted"))`

const unless = 'viewAllAppointments'

export const visitScope: Scope = { unless, view: seesVisit }
export const groupScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${atDesk({ row, me })})`,
}

/**
 * SQL condition: an absence of an employee of one of the branches; it blocks them in every branch, whichever it names.
 */
const awayFrom = (row: Sql, filials: Sql): Sql =>
  sql`(${row}."type" <> 'shift' and ${worksIn(sql`${row}."idUser"`, filials)})`

/** Write scope: an absence that names another branch can be changed only by that branch. */
const keepsEvent: RowCondition = ({ row, me }) => sql`(${row}."idUser" = ${me} or ${atDesk({ row, me })}
  or (${row}."idFilial" is null and ${awayFrom(row, desksOf(me))}))`

/** Scope of shifts and absences: own ones, those of the desk's branch, and every absence of its employees. */
export const shiftScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${atDesk({ row, me })} or ${awayFrom(row, desksOf(me))})`,
  create: keepsEvent,
  update: keepsEvent,
  delete: keepsEvent,
}
/** Scope of holds. Only the owner may free a hold: a hook checks it beyond the scope. */
export const holdScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or ${row}."idAuthor" = ${me} or ${atDesk({ row, me })})`,
  create: () => raw('true'),
}

/** Scope of the waiting list: own entries, and those of the branches whose desk is theirs. */
export const waitingScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idAuthor" = ${me} or ${atDesk({ row, me })})`,
}

export const seesAll = (actor: ServerActor): boolean => actor.system === true || holds(actor, unless)

/** SQL condition: the actor sees this row of `staff_events`, by `shiftScope`. */
export const reachesEvent = (actor: ServerActor, row: Sql): Sql => {
  const me = sql`${actor.id}::bigint`
  return sql`(${reaches(actor, sql`${row}."idUser"`, sql`${row}."idFilial"`)}
    or (${awayFrom(row, desksOf(me))} and ${inOwnBranch(actor, sql`${row}."idFilial"`)}))`
}

/** SQL condition: the actor sees records of this performer in this branch. */
export const reaches = (actor: ServerActor, idUser: Sql, idFilial: Sql): Sql =>
  seesAll(actor)
    ? inOwnBranch(actor, idFilial)
    : sql`((${idUser} = ${actor.id} or ${idFilial} = any (${desksOf(sql`${actor.id}::bigint`)})) and ${inOwnBranch(actor, idFilial)})`

/**
 * Checks that the actor may edit the day of these performers in the branch.
 * @throws HttpError 403
 */
export async function mustReach(
  db: Queryable,
  actor: ServerActor,
  idFilial: number,
  idUsers: readonly number[],
): Promise<void> {
  mustBeOwnBranches(actor, [idFilial])
  if (seesAll(actor) || idUsers.every((id) => id === actor.id)) return
  const [own] = await db.query<{ ok: boolean }>(
    sql`select ${idFilial}::bigint = any (${desksOf(sql`${actor.id}::bigint`)}) as ok`,
  )
  if (!own?.ok) throw forbidden('Вы записываете только к себе и в свои филиалы')
}
