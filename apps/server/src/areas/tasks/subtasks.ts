import { mayWithTask } from '@ordinator/model/areas/tasks/rights'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { subtaskScope } from './scope.ts'
import { boardsOfTask, isBypass, relationTo, standingsOn } from './standing.ts'

type Link = Pick<Row<typeof Subtask>, 'idParentTask' | 'idTask'>

/** Tasks as parts of tasks: a task may be a part of several, and never, at any depth, of itself. */
export const subtasks = records(Subtask, {
  scope: subtaskScope,
  about: { path: Task.path, id: ({ row }) => sql`${row}."idParentTask"` },
  computed: {
    nameParentTask: ({ row }) =>
      sql`(select pt."name" from tasks_management_tasks pt where pt."id" = ${row}."idParentTask" and not pt."deleted")`,
  },
  hooks: {
    beforeCreate: ({ tx }, value) => checkLink(tx, value),
    // Meanwhile only the reverse link may be valid.
    afterRestore: ({ tx }, row) => checkLink(tx, row),
  },
})

/**
 * Two links that are valid alone may close a cycle together. A cycle leaves the part by a link of its own: while the part
 * has none, its lock keeps others from adding one, and only links of parts that have some wait for all others.
 * Links to deleted tasks count too, because these may be restored.
 */
async function checkLink(tx: Tx, { idParentTask, idTask }: Link): Promise<void> {
  for (const id of [idParentTask, idTask].toSorted((a, b) => a - b))
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${Subtask.path} ${id}`}, 0))`)
  const hasParts = await tx.one(sql`select 1 from tasks_management_subtasks where "idParentTask" = ${idTask} limit 1`)
  if (hasParts) await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${Subtask.path}, 0))`)
  const circle = await tx.one(sql`
    with recursive down as (
      select ${idTask}::bigint as id
      union
      select s."idTask" from down join tasks_management_subtasks s on s."idParentTask" = down.id and not s."deleted"
    ) select 1 from down where id = ${idParentTask}`)
  if (circle) {
    const message =
      idTask === idParentTask
        ? 'Задача не может быть частью самой себя'
        : 'Эта задача уже содержит родительскую: получился бы круг'
    throw new ValidationError([{ field: 'idTask', message }])
  }
  const [both] = await tx.query<{ mixed: boolean }>(sql`
    select count(distinct "isTemplate") > 1 as mixed from tasks_management_tasks where "id" in (${idTask}, ${idParentTask})`)
  if (both?.mixed)
    throw new ValidationError([{ field: 'idTask', message: 'Шаблон и задача не бывают частями друг друга' }])
}

/** Checks the right to the parent of a new task, and sets the default column. */
export async function prepareSubtask({ actor, tx }: WriteContext, value: Create<typeof Task>): Promise<void> {
  const idParent = value.idParentTask
  if (!idParent) return
  const on = await standingsOn(
    tx,
    actor,
    (await boardsOfTask(tx, idParent)).map((board) => board.idBoard),
  )
  const relation = await relationTo(tx, actor.id, idParent)
  if (!mayWithTask('edit', relation, [...on.values()], isBypass(actor)))
    throw forbidden('Вам нельзя изменять родительскую задачу')
  if (!value.idColumn) value.idColumn = await columnBeside(tx, idParent, [...on.keys()])
}

/** The column of new tasks on the parent's board, or the parent's own; of several boards, the first. */
async function columnBeside(db: Queryable, idParent: number, boards: readonly number[]): Promise<number | null> {
  if (boards.length === 0) return null
  const found = await db.one<{ id: number }>(sql`
    select coalesce(n."id", c."id") as id from tasks_management_assigned a
    join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
    join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
    left join tasks_management_columns n on n."id" = b."idColumnNew" and not n."deleted"
    where a."idTask" = ${idParent} and not a."deleted" order by a."id" limit 1`)
  return found?.id ?? null
}
