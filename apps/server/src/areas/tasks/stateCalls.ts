/** The calls that change a task's state, copy it, and move it to a related workspace. */

import { BoardRelation } from '@ordinator/model/areas/tasks/board'
import { taskCalls } from '@ordinator/model/areas/tasks/calls'
import { mayCreateTask, mayRelate, mayWithTask } from '@ordinator/model/areas/tasks/rights'
import { needsComment } from '@ordinator/model/areas/tasks/states'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { wordsOfHtml } from '@ordinator/model/mentions'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { missing } from '#records/reference.ts'
import { firstColumn } from './boards.ts'
import { columnOfState, putCards } from './bulk.ts'
import { noRelation } from './cards.ts'
import { copyTask } from './copy.ts'
import { notifyOfTask } from './notices.ts'
import { boardsOfTask, relationTo, standingAtColumn, standingOn, standingsOn } from './standing.ts'
import { dropInto, rulingFor } from './states.ts'
import { changeState } from './stateWrites.ts'
import { moveBack, takeBack } from './takeBack.ts'

const within = <T>(records: Records, run: (context: WriteContext) => Promise<T>): Promise<T> =>
  records.tx((inside, tx) => run({ actor: inside.actor, tx, records: inside }))

const setState = operation(taskCalls.setState, async ({ records, params, body: { verb, comment } }) => {
  await records.view(Task, params.id, { fields: 'id' })
  const note = comment && wordsOfHtml(comment).trim() ? comment : undefined
  if (verb === 'sendBack' && !note) throw new ValidationError([{ field: 'comment', message: needsComment }])
  await within(records, async (context) => {
    await lockTask(context.tx, params.id)
    const task = await context.records.row(Task, params.id)
    if (verb === 'undo') return takeBack(context, task)
    const ruling = await rulingFor(context, verb, task)
    if (ruling.refused !== undefined) {
      if (ruling.by === 'right') throw forbidden(ruling.refused)
      throw new HttpError(409, ruling.refused, { code: 'state' })
    }
    const used = verb === 'complete' && ruling.to === 'wait' ? 'handIn' : verb
    return changeState(context, task, used, ruling.to, { comment: note })
  })
  return records.view(Task, params.id).catch(() => records.asSystem.view(Task, params.id))
})

/** Locks cards first, as a drop does: so a drop and a verb wait for each other instead of a deadlock. */
async function lockTask(tx: Tx, idTask: number): Promise<void> {
  await tx.query(
    sql`select 1 from tasks_management_assigned where "idTask" = ${idTask} and not "deleted" order by "id" for update`,
  )
  await tx.query(sql`select 1 from tasks_management_tasks where "id" = ${idTask} for update`)
}

const copy = operation(taskCalls.copy, async ({ records, params, body: { idColumn, name, withSubtasks } }) => {
  const source = await records.row(Task, params.id)
  if (source.isTemplate) throw notFound('Задача не найдена')
  return within(records, async (context) => {
    const on = await standingAtColumn(context.tx, context.actor, idColumn)
    if (!on.isOwner && !on.bypass && !on.member) throw missing('idColumn')
    if (!mayCreateTask(on)) throw forbidden('Вам нельзя создавать задачи в этом рабочем пространстве')
    const made = await copyTask(context, source.id, { idColumn, withSubtasks })
    if (name && name !== source.name) await context.records.asSystem.update(Task, made.idTask, { name })
    for (const { idTask } of [made, ...made.subtasks]) {
      const task = await context.records.asSystem.row(Task, idTask)
      await notifyOfTask(context, task, {
        event: 'assigned',
        title: 'Вам назначена задача',
        to: ['executors', 'responsible'],
      })
    }
    return { idTask: made.idTask, idAssigned: made.idAssigned }
  })
})

const toRelated = operation(taskCalls.moveToRelated, async ({ records, params, body }) => {
  const card = await records.row(Assigned, params.id)
  return within(records, async (context) => {
    const { tx, actor } = context
    const here = await standingAtColumn(tx, actor, card.idColumn)
    const relation = (await context.records.asSystem.rows(BoardRelation, { 'filter[id]': String(body.idRelation) }))[0]
    if (!relation || relation.idBoard !== here.idBoard) throw missing('idRelation')
    const there = await standingOn(tx, actor, relation.idRelationBoard, 'idRelation')
    const reached = await standingsOn(
      tx,
      actor,
      (await boardsOfTask(tx, card.idTask)).map((board) => board.idBoard),
    )
    if (!mayWithTask('view', await relationTo(tx, actor.id, card.idTask), [...reached.values()], here.bypass))
      throw notFound()
    if (!mayRelate(here, there, true)) throw forbidden(noRelation)
    const idColumn = await columnOfRelation(tx, relation)
    if (!idColumn) throw missing('idRelation')
    // Apply the column's state if the actor may set it; else the task keeps its own, in the linked column.
    const kept = await dropInto(context, { ...card, idColumn }).then(
      () => false,
      (error) => {
        if (error instanceof HttpError && error.status === 403) return true
        throw error
      },
    )
    await context.records.asSystem.move(Assigned, card.id, { at: 'first', to: { idColumn } })
    if (kept) await putCards(context.records, [card.idTask], columnOfState, sql`a."id" = ${card.id}`)
    return {
      idBoard: relation.idRelationBoard,
      idColumn: (await context.records.asSystem.row(Assigned, card.id)).idColumn,
    }
  })
})

const backFromRelated = operation(taskCalls.moveBack, async ({ records, params }) => {
  await within(records, async (context) => {
    const card = await context.tx.one<{ idTask: number }>(
      sql`select "idTask" from tasks_management_assigned where "id" = ${params.id} and not "deleted"`,
    )
    if (!card) throw notFound()
    await lockTask(context.tx, card.idTask)
    await moveBack(context, params.id)
  })
})

async function columnOfRelation(
  tx: Tx,
  { idRelationBoard, idColumn }: { idRelationBoard: number; idColumn: number | null },
): Promise<number | undefined> {
  const column = await tx.one(sql`select 1 from tasks_management_columns
    where "id" = ${idColumn ?? 0} and "idBoard" = ${idRelationBoard} and not "deleted"`)
  if (column && idColumn) return idColumn
  const board = await tx.one<{ id: number }>(sql`select c."id" from tasks_management_boards b
    join tasks_management_columns c on c."id" = b."idColumnNew" and not c."deleted" where b."id" = ${idRelationBoard}`)
  return board?.id ?? firstColumn(tx, idRelationBoard)
}

export const stateOperations = [setState, copy, toRelated, backFromRelated]
