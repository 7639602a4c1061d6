/**
 * Writes of a whole board or column at once, one statement each, so that 10,000 cards take no 10,000 round trips.
 * Each changed row gets its history line, as the engine's own writes do.
 */
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import type { ServerActor } from '../../records/actor.ts'
import { noteMade } from '../../records/noted.ts'
import { editedCard } from './scope.ts'

/** History of the rows of `made`; `changes`, `parent` and `about` (the task that the line also tells of) are SQL over it. */
export const noted = (
  path: string,
  action: 'create' | 'update' | 'delete',
  actor: ServerActor,
  changes: Sql,
  parent: Sql,
  about: Sql = parent,
): Sql => noteMade({ path, action, actor, changes, parent, about: { path: Task.path, id: about } })

const trash = raw(`"deleted" = true, "_deletedAt" = now(), "_version" = "_version" + 1`)

/** Moves all cards of a column, those of deleted tasks too, to the end of another one in their order. */
export async function pourCards(tx: Tx, actor: ServerActor, from: number, to: number): Promise<number> {
  const found = await tx.one<{ moved: number }>(sql`
    with places as (
      select a."id", a."order" as was, (
        select coalesce(ceil(max(t."order")), 0) from tasks_management_assigned t where t."idColumn" = ${to} and not t."deleted"
      ) + row_number() over (order by a."order", a."id") as place
      from tasks_management_assigned a where a."idColumn" = ${from} and not a."deleted"
    ), made as (
      update tasks_management_assigned a
      set "idColumn" = ${to}, "order" = places.place, "dateChange" = now(), "_version" = a."_version" + 1
      from places where a."id" = places."id" returning a.*, places.was
    ), noted as (${noted(
      Assigned.path,
      'update',
      actor,
      sql`jsonb_build_object('idColumn', jsonb_build_array(${from}::bigint, ${to}::bigint), 'order', jsonb_build_array(made.was, made."order"))`,
      sql`made."idTask"`,
    )})
    select count(*)::int as moved from made`)
  return found?.moved ?? 0
}

/**
 * Archives the board's cards of completed tasks; of others than masters, those they may edit there.
 * @returns ids of the cards, for an undo
 */
export async function archiveCards(tx: Tx, actor: ServerActor, idBoard: number, isMaster: boolean): Promise<number[]> {
  const own = isMaster ? raw('true') : editedCard({ row: raw('a'), me: sql`${actor.id}::bigint` })
  const made = await tx.query<{ id: number }>(sql`
    with made as (
      update tasks_management_assigned set "isArchive" = true, "dateChange" = now(), "_version" = "_version" + 1
      where "id" in (select a."id" from tasks_management_assigned a
        join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
        join tasks_management_tasks t on t."id" = a."idTask" and not t."deleted" and not t."isTemplate"
        where c."idBoard" = ${idBoard} and not a."deleted" and not a."isArchive" and t."isCompleted" and not t."isArchive"
          and ${own})
      returning *
    ), noted as (${noted(Assigned.path, 'update', actor, sql`'{"isArchive": [false, true]}'::jsonb`, sql`made."idTask"`)})
    select "id" from made`)
  return made.map((card) => card.id)
}

/**
 * Puts the tasks that are on this board alone into the trash, with their cards untouched, so that a restored task is back
 * in its place; of tasks that are on other boards too, only the cards here go.
 * @returns how many tasks went, and the ids of those that live on elsewhere
 */
export async function clearBoard(
  tx: Tx,
  actor: ServerActor,
  idBoard: number,
): Promise<{ tasks: number; shared: number[] }> {
  const here = sql`tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
    join tasks_management_tasks t on t."id" = a."idTask" and not t."deleted" and not t."isTemplate"
    where c."idBoard" = ${idBoard} and not c."deleted" and not a."deleted"`
  const elsewhere = sql`exists (select 1 from tasks_management_assigned oa
    join tasks_management_columns oc on oc."id" = oa."idColumn" and not oc."deleted" and oc."idBoard" <> ${idBoard}
    join tasks_management_boards ob on ob."id" = oc."idBoard" and not ob."deleted"
    where oa."idTask" = a."idTask" and not oa."deleted")`
  const shared = await tx.query<{ idTask: number }>(sql`
    with made as (
      update tasks_management_assigned set ${trash}
      where "id" in (select a."id" from ${here} and ${elsewhere}) returning *
    ), noted as (${noted(Assigned.path, 'delete', actor, sql`'{}'::jsonb`, sql`made."idTask"`)})
    select "idTask" from made`)
  const gone = await tx.one<{ tasks: number }>(sql`
    with made as (
      update tasks_management_tasks set ${trash} where "id" in (select a."idTask" from ${here}) returning *
    ), noted as (${noted(Task.path, 'delete', actor, sql`'{}'::jsonb`, sql`null::bigint`)})
    select count(*)::int as tasks from made`)
  return { tasks: gone?.tasks ?? 0, shared: shared.map((card) => card.idTask) }
}

/** SQL of the column that board `b` links to the state of task `t`. */
export const columnOfState: Sql = raw(`case when t."isCompleted" then b."idColumnCompleted"
  when t."isWaitCheck" then b."idColumnWait"
  when t."isNeedChange" or t."dateWorkStart" is not null then b."idColumnWork" else b."idColumnNew" end`)

/**
 * Puts the cards of these tasks on top of a column of their own board, on every board that has it; a card that stands
 * there already stays where it is.
 * @param to SQL of the column over board `b` and task `t`; null: the card stays
 * @param only condition on card `a`, board `b` and task `t`
 * @param takeOut brings archived cards back
 */
export async function putCards(
  tx: Tx,
  actor: ServerActor,
  idTasks: readonly number[],
  to: Sql,
  only: Sql = raw('true'),
  takeOut = false,
): Promise<void> {
  await tx.query(sql`
    with wanted as (
      select a."id", a."idColumn", a."order", a."isArchive", w."id" as "toColumn",
        a."isArchive" and not ${takeOut}::boolean as "toArchive"
      from tasks_management_assigned a
      join tasks_management_columns c on c."id" = a."idColumn"
      join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
      join tasks_management_tasks t on t."id" = a."idTask"
      join tasks_management_columns w on w."id" = ${to} and not w."deleted"
      where a."idTask" = any(${idTasks}::bigint[]) and not a."deleted" and w."id" <> a."idColumn" and (${only})
      for update of a for share of w
    ), places as (
      select wanted.*, (
        select coalesce(floor(min(o."order")), 1) from tasks_management_assigned o where o."idColumn" = wanted."toColumn"
      ) - row_number() over (partition by "toColumn" order by wanted."id" desc) as place from wanted
    ), made as (
      update tasks_management_assigned a set "idColumn" = places."toColumn", "order" = places.place,
        "isArchive" = places."toArchive", "dateChange" = now(), "_version" = a."_version" + 1
      from places where a."id" = places."id"
      returning a.*, places."idColumn" as "wasColumn", places."order" as "wasOrder", places."isArchive" as "wasArchive"
    ), noted as (${noted(
      Assigned.path,
      'update',
      actor,
      sql`jsonb_build_object('idColumn', jsonb_build_array(made."wasColumn", made."idColumn"),
        'order', jsonb_build_array(made."wasOrder", made."order"))
        || case when made."wasArchive" = made."isArchive" then '{}'::jsonb
          else jsonb_build_object('isArchive', jsonb_build_array(made."wasArchive", made."isArchive")) end`,
      sql`made."idTask"`,
    )}) select 1`)
}
