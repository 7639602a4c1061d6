/** Bulk writes of a board or column, one statement each, so that 10,000 cards need no 10,000 round trips. */
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw, type Sql } from 'sql-template-tag'
import { lockGroup } from '#records/move.ts'
import type { Records } from '#records/records.ts'
import { editedCard } from './scope.ts'

/** Moves all cards of a column, also those of deleted tasks, to the end of another one in their order. */
export function pourCards(records: Records, from: number, to: number): Promise<number> {
  return records.tx(async ({ asSystem }, tx) => {
    await lockGroup(tx, Assigned.path, { idColumn: to })
    const poured = await asSystem.updateWhere(
      Assigned,
      {
        rows: sql`select a."id", (
            select coalesce(ceil(max(t."order")), 0) from tasks_management_assigned t where t."idColumn" = ${to} and not t."deleted"
          ) + row_number() over (order by a."order", a."id") as place
          from tasks_management_assigned a where a."idColumn" = ${from} and not a."deleted"`,
      },
      ({ picked }) => ({ idColumn: to, order: sql`${picked}.place` }),
      { pastHooks: 'a column that goes takes the state of no task along' },
    )
    return poured.length
  })
}

/**
 * Archives the board's cards of completed tasks; without master rights, only those the user may edit there.
 * @returns ids of the cards, for an undo
 */
export async function archiveCards(records: Records, idBoard: number, isMaster: boolean): Promise<number[]> {
  const cards = await records.asSystem.updateWhere(
    Assigned,
    ({ row, me }) => sql`not ${row}."isArchive" and exists (select 1 from tasks_management_columns c
      join tasks_management_tasks t on t."id" = ${row}."idTask" and not t."deleted" and not t."isTemplate"
        and t."isCompleted" and not t."isArchive"
      where c."id" = ${row}."idColumn" and not c."deleted" and c."idBoard" = ${idBoard})
      and ${isMaster ? raw('true') : editedCard({ row, me })}`,
    { isArchive: true },
    { pastHooks: 'the rights of the hook stand in the condition' },
  )
  return cards.map((card) => card.id)
}

/**
 * Moves the tasks that are only on this board to the trash, keeping their cards, so that a restored task is in its
 * place; for tasks on other boards too, only the cards here are deleted.
 * @returns the number of deleted tasks, and the ids of those that stay elsewhere
 */
export async function clearBoard(records: Records, idBoard: number): Promise<{ tasks: number; shared: number[] }> {
  const here = sql`tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
    join tasks_management_tasks t on t."id" = a."idTask" and not t."deleted" and not t."isTemplate"
    where c."idBoard" = ${idBoard} and not c."deleted" and not a."deleted"`
  const elsewhere = sql`exists (select 1 from tasks_management_assigned oa
    join tasks_management_columns oc on oc."id" = oa."idColumn" and not oc."deleted" and oc."idBoard" <> ${idBoard}
    join tasks_management_boards ob on ob."id" = oc."idBoard" and not ob."deleted"
    where oa."idTask" = a."idTask" and not oa."deleted")`
  const pastHooks = 'the board is cleared by its owner, who notifies the people'
  const shared = await records.asSystem.deleteWhere(
    Assigned,
    { rows: sql`select a."id" from ${here} and ${elsewhere}` },
    { fields: ['idTask'], pastHooks },
  )
  const gone = await records.asSystem.deleteWhere(
    Task,
    { rows: sql`select distinct a."idTask" as "id" from ${here}` },
    { pastHooks },
  )
  return { tasks: gone.length, shared: shared.map((card) => card.idTask) }
}

/** SQL of the column of board `b` linked to the state of task `t`. */
export const columnOfState: Sql = raw(`case when t."isCompleted" then b."idColumnCompleted"
  when t."isWaitCheck" then b."idColumnWait"
  when t."isNeedChange" or t."dateWorkStart" is not null then b."idColumnWork" else b."idColumnNew" end`)

/**
 * Moves the cards of these tasks to the top of a column of their own board, on every board that has it; a card already
 * in it keeps its place.
 * @param to SQL of the column over board `b` and task `t`; null: the card stays
 * @param only condition on card `a`, board `b` and task `t`
 * @param takeOut unarchives cards
 */
export function putCards(
  records: Records,
  idTasks: readonly number[],
  to: Sql,
  only: Sql = raw('true'),
  takeOut = false,
): Promise<void> {
  const wanted = sql`tasks_management_assigned a
    join tasks_management_columns c on c."id" = a."idColumn"
    join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
    join tasks_management_tasks t on t."id" = a."idTask"
    join tasks_management_columns w on w."id" = ${to} and not w."deleted"
    where a."idTask" = any(${idTasks}::bigint[]) and not a."deleted" and w."id" <> a."idColumn" and (${only})`
  return records.tx(async ({ asSystem }, tx) => {
    const columns = await tx.query<{ idColumn: number }>(
      sql`select distinct w."id" as "idColumn" from ${wanted} order by 1`,
    )
    if (columns.length === 0) return
    for (const { idColumn } of columns) await lockGroup(tx, Assigned.path, { idColumn })
    await asSystem.updateWhere(
      Assigned,
      {
        rows: sql`with wanted as (
            select a."id", w."id" as "toColumn", a."isArchive" and not ${takeOut}::boolean as "toArchive"
            from ${wanted} for update of a for share of w
          )
          select wanted.*, (
            select coalesce(floor(min(o."order")), 1) from tasks_management_assigned o where o."idColumn" = wanted."toColumn"
          ) - row_number() over (partition by "toColumn" order by wanted."id" desc) as place from wanted`,
      },
      ({ picked }) => ({
        idColumn: sql`${picked}."toColumn"`,
        order: sql`${picked}.place`,
        isArchive: sql`${picked}."toArchive"`,
      }),
      { pastHooks: 'the cards follow what the tasks have become' },
    )
  })
}
