import { holds } from '@ordinator/model/access'
import { type Board, type BoardColumn, BoardMember } from '@ordinator/model/areas/tasks/board'
import { everyRight, type MemberRights, type Standing } from '@ordinator/model/areas/tasks/rights'
import type { StateRelation } from '@ordinator/model/areas/tasks/states'
import type { Row } from '@ordinator/model/entity'
import sql, { join } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import { missing } from '#records/reference.ts'

/** System code has the rights of the bypass. */
export const isBypass = (actor: ServerActor): boolean => actor.system === true || holds(actor, 'bypassTaskRights')

export type BoardStanding = Standing & { idBoard: number; idUser: number; isPublic: boolean; idMember: number | null }

/** The actor's role on each of these active boards; inactive ones are absent. */
export async function standingsOn(
  db: Queryable,
  actor: ServerActor,
  boards: readonly number[],
): Promise<Map<number, BoardStanding>> {
  if (boards.length === 0) return new Map()
  const found = await db.query<{
    id: number
    idUser: number
    isPublic: boolean
    idMember: number | null
    member: MemberRights | null
  }>(sql`
    select b."id", b."idUser", b."isPublic", m."id" as "idMember", to_jsonb(m) as member
    from tasks_management_boards b
    left join tasks_management_members m on m."idBoard" = b."id" and m."idUser" = ${actor.id} and not m."deleted"
    where b."id" in (${join(boards)}) and not b."deleted"`)
  const bypass = isBypass(actor)
  return new Map(
    found.map((b) => [
      b.id,
      {
        idBoard: b.id,
        idUser: b.idUser,
        isPublic: b.isPublic,
        idMember: b.idMember,
        isOwner: b.idUser === actor.id,
        bypass,
        member: b.member ?? undefined,
      },
    ]),
  )
}

/** @throws ValidationError on `field` when there is no such active board */
export async function standingOn(
  db: Queryable,
  actor: ServerActor,
  idBoard: number,
  field = 'idBoard',
): Promise<BoardStanding> {
  const found = (await standingsOn(db, actor, [idBoard])).get(idBoard)
  if (!found) throw missing(field)
  return found
}

/** The same for the board of an active column. */
export async function standingAtColumn(db: Queryable, actor: ServerActor, idColumn: number): Promise<BoardStanding> {
  const column = await db.one<Pick<Row<typeof BoardColumn>, 'idBoard'>>(
    sql`select "idBoard" from tasks_management_columns where "id" = ${idColumn} and not "deleted"`,
  )
  if (!column) throw missing('idColumn')
  return standingOn(db, actor, column.idBoard, 'idColumn')
}

/** The active boards with a card of the task, with the card's id. */
export const boardsOfTask = (db: Queryable, idTask: number): Promise<{ idBoard: number; idAssigned: number }[]> =>
  db.query(sql`select c."idBoard", a."id" as "idAssigned" from tasks_management_assigned a
    join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
    join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
    where a."idTask" = ${idTask} and not a."deleted"`)

/** The user's relation to a task. */
export async function relationTo(db: Queryable, idUser: number, idTask: number): Promise<StateRelation> {
  const found = await db.one<StateRelation>(sql`
    select t."idUser" = ${idUser} as "isCreator",
      coalesce(bool_or(p.kind = 'executor' and p."idUser" = ${idUser}), false) as "isExecutor",
      coalesce(bool_or(p.kind = 'responsible' and p."idUser" = ${idUser}), false) as "isResponsible",
      count(p."idUser") > 0 as "hasPeople", coalesce(bool_or(p.kind = 'executor'), false) as "hasExecutors",
      t."isTemplate"
    from tasks_management_tasks t left join lateral (
      select 'executor' as kind, m."idUser" from tasks_management_executors e
      join tasks_management_members m on m."id" = e."idMember" and not m."deleted" where e."idTask" = t."id"
      union all
      select 'responsible', m."idUser" from tasks_management_responsible r
      join tasks_management_members m on m."id" = r."idMember" and not m."deleted" where r."idTask" = t."id"
    ) p on true
    where t."id" = ${idTask} group by t."id"`)
  return found ?? { isCreator: false, isExecutor: false, isResponsible: false, hasPeople: false, hasExecutors: false }
}

/** Default rights of a new membership. */
export const defaultRights = Object.fromEntries(
  Object.keys(everyRight).map((name) => [name, BoardMember.fields[name as keyof MemberRights].options.default]),
) as unknown as MemberRights

export type BoardRow = Row<typeof Board>
