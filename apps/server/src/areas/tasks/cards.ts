import { mayCreateTask, mayDrag, mayRelate, mayWithTask } from '@ordinator/model/areas/tasks/rights'
import { Assigned, Executor, Responsible } from '@ordinator/model/areas/tasks/task'
import type { Update } from '@ordinator/model/entity'
import sql, { join, raw } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, HttpError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { lockGroup } from '#records/move.ts'
import { missing } from '#records/reference.ts'
import { firstColumn, lockColumn } from './boards.ts'
import { assignedScope } from './scope.ts'
import { boardsOfTask, isBypass, relationTo, standingAtColumn, standingsOn } from './standing.ts'
import { dropInto } from './states.ts'

/** The cards of tasks on boards. The rules of moving are in rights.ts: `mayDrag`, `mayRelate`. */
export const assigned = records(Assigned, {
  scope: assignedScope,
  hooks: {
    async beforeCreate(context, value) {
      const { actor, tx } = context
      await lockColumn(tx, value.idColumn, 'share')
      await lockTask(tx, value.idTask)
      const there = await standingAtColumn(tx, actor, value.idColumn)
      const on = await boardsOfTask(tx, value.idTask)
      if (isBypass(actor)) return refuseDuplicate(on, there.idBoard)
      // An invisible column gets the same error as a missing one.
      if (!there.isOwner && !there.member) throw missing('idColumn')
      const here = await standingsOn(
        tx,
        actor,
        on.map((board) => board.idBoard),
      )
      const relation = await relationTo(tx, actor.id, value.idTask)
      const visibleOn = [...here.values()].filter((board) => mayWithTask('view', relation, [board]))
      if (on.length === 0 ? !relation.isCreator : visibleOn.length === 0) throw missing('idTask')
      const allowed = on.length === 0 ? mayCreateTask(there) : visibleOn.some((board) => mayRelate(board, there))
      if (!allowed) throw forbidden(noRelation)
      refuseDuplicate(on, there.idBoard)
    },
    async afterCreate(context, row) {
      if (!context.actor.system) await dropInto(context, row)
    },
    async beforeUpdate(context, value, before) {
      const { actor, tx } = context
      const here = await standingAtColumn(tx, actor, before.idColumn)
      const idColumn = value.idColumn ?? before.idColumn
      if (idColumn !== before.idColumn) {
        await lockColumn(tx, idColumn, 'share')
        await moveInto(context, value, before, here)
      } else if (value.order !== undefined && Number(value.order) !== Number(before.order) && !mayDrag(here)) {
        throw forbidden(noDrag)
      }
      if (value.isArchive !== undefined && value.isArchive !== before.isArchive) {
        const relation = await relationTo(tx, actor.id, before.idTask)
        if (!mayWithTask('edit', relation, [here], here.bypass))
          throw forbidden('Вам нельзя отправлять эту задачу в архив')
      }
    },
    async afterUpdate(context, row, before) {
      if (row.idColumn === before.idColumn) return
      if (!context.actor.system) await dropInto(context, row)
      await keepPeople(context, row.idTask)
    },
    afterDelete: (context, row) => keepPeople(context, row.idTask),
    async afterRestore({ records, tx }, row) {
      await lockTask(tx, row.idTask)
      const column = await tx.one<{ idBoard: number; deleted: boolean }>(
        sql`select "idBoard", "deleted" from tasks_management_columns where "id" = ${row.idColumn}`,
      )
      if (!column) throw missing('idColumn')
      refuseDuplicate(
        (await boardsOfTask(tx, row.idTask)).filter((on) => on.idAssigned !== row.id),
        column.idBoard,
      )
      const idColumn = column.deleted ? await firstColumn(tx, column.idBoard) : undefined
      if (idColumn) await records.asSystem.update(Assigned, row.id, { idColumn })
    },
  },
})

const noDrag = 'Вам нельзя перемещать задачи в этом рабочем пространстве'
export const noRelation = 'Вам нельзя переносить задачи между этими рабочими пространствами'

/** Checks a move into another column: by drag within the board, by the right of relation to another one. */
async function moveInto(
  { actor, tx }: WriteContext,
  value: Update<typeof Assigned>,
  before: { id: number; idTask: number },
  here: Awaited<ReturnType<typeof standingAtColumn>>,
): Promise<void> {
  const there = await standingAtColumn(tx, actor, value.idColumn as number)
  if (there.idBoard === here.idBoard) {
    if (!mayDrag(here)) throw forbidden(noDrag)
  } else {
    if (!there.bypass && !there.isOwner && !there.member) throw missing('idColumn')
    if (!mayRelate(here, there)) throw forbidden(noRelation)
    await lockTask(tx, before.idTask)
    refuseDuplicate(
      (await boardsOfTask(tx, before.idTask)).filter((on) => on.idAssigned !== before.id),
      there.idBoard,
    )
  }
  if (value.order === undefined) value.order = await topOf(tx, value.idColumn as number)
}

async function topOf(tx: Queryable, idColumn: number): Promise<number> {
  await lockGroup(tx, Assigned.path, { idColumn })
  const found = await tx.one<{ order: number }>(
    sql`select coalesce(floor(min("order")) - 1, 1)::float8 as "order" from tasks_management_assigned where "idColumn" = ${idColumn}`,
  )
  return found?.order ?? 1
}

/** Serializes adding cards to a task, so that it is never on one board twice. */
const lockTask = (tx: Tx, id: number) =>
  tx.query(sql`select 1 from tasks_management_tasks where "id" = ${id} for no key update`)

function refuseDuplicate(on: readonly { idBoard: number }[], idBoard: number): void {
  if (!on.some((board) => board.idBoard === idBoard)) return
  throw new HttpError(409, 'Задача уже есть в этом рабочем пространстве', { code: 'twin' })
}

/**
 * Updates the people of a task after it has left a board: they become members of its remaining boards; people who are a
 * member of none are removed. A task without a board keeps its people, so that an undo restores everything.
 */
export async function keepPeople({ records, tx }: Pick<WriteContext, 'records' | 'tx'>, idTask: number): Promise<void> {
  const boards = (await boardsOfTask(tx, idTask)).map((on) => on.idBoard)
  if (boards.length === 0) return
  const system = records.asSystem
  for (const [entity, table] of [
    [Executor, 'executors'],
    [Responsible, 'responsible'],
  ] as const) {
    const strangers = await tx.query<{ id: number; idMember: number | null; held: boolean }>(
      strangersSql(table, idTask, boards),
    )
    const given = new Set<number>()
    for (const { id, idMember, held } of strangers) {
      // Add before removing: a person who keeps the task gets no new notice.
      if (idMember !== null && !held && !given.has(idMember)) {
        given.add(idMember)
        await system.create(entity, { idTask, idMember })
      }
      await system.remove(entity, id)
    }
  }
}

/** People of the task by a membership elsewhere, each with the same user's membership of one of the boards. */
const strangersSql = (table: 'executors' | 'responsible', idTask: number, boards: readonly number[]) => sql`
  select p."id", n."id" as "idMember",
    exists (select 1 from ${raw(`tasks_management_${table}`)} h where h."idTask" = ${idTask} and h."idMember" = n."id") as held
  from ${raw(`tasks_management_${table}`)} p
  join tasks_management_members m on m."id" = p."idMember"
  left join lateral (
    select s."id" from tasks_management_members s
    where s."idUser" = m."idUser" and s."idBoard" in (${join(boards)}) and not s."deleted" order by s."id" limit 1
  ) n on true
  where p."idTask" = ${idTask} and m."idBoard" not in (${join(boards)}) order by p."id"`
