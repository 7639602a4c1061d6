/** Templates of tasks and bulk copies (spec §7, Task calls). */
import { MAX_COPIES, taskCalls } from '@ordinator/model/areas/tasks/calls'
import { mayCreateTask, mayMakeTemplates } from '@ordinator/model/areas/tasks/rights'
import { Assigned, Task, wrongDates } from '@ordinator/model/areas/tasks/task'
import type { Create, Row } from '@ordinator/model/entity'
import { messages } from '@ordinator/model/messages'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { missing } from '#records/reference.ts'
import { type Copy, type CopyOptions, copyTask, copyTasks } from './copy.ts'
import { notifyOfTask } from './notices.ts'
import { standingAtColumn } from './standing.ts'

const fromTasks = operation(taskCalls.makeTemplates, async ({ records, query, body }) => {
  const cards = await cardsOf(records, body.ids)
  const made = await records.tx(async (inside, tx) => {
    const context = { actor: inside.actor, tx, records: inside }
    const copies: Copy[] = []
    const columns = await newColumns(tx, cards)
    for (const [idColumn, group] of Map.groupBy(cards, (card) => columns.get(card.idColumn) ?? card.idColumn)) {
      if (!mayMakeTemplates(await standingAtColumn(tx, inside.actor, idColumn))) throw forbidden(noTemplates)
      copies.push(...(await copyTasks(context, tasksOf(group), { idColumn, isTemplate: true, withSubtasks: true })))
    }
    return copies
  })
  return { items: await answered(records, cards, made, body.expand ?? query.expand) }
})

const createFrom = operation(taskCalls.createFromTemplate, async ({ records, params, body }) => {
  const card = await records.row(Assigned, params.id)
  const template = await records.row(Task, card.idTask)
  if (!template.isTemplate) throw notFound('Шаблон не найден')
  const wrong = wrongDates(body as { dateStart?: string | null; dateEnd?: string | null })
  if (wrong) throw new ValidationError([{ field: 'dateEnd', message: wrong }])
  const idColumn = body.idColumn ?? card.idColumn
  const shiftTo = body.dateStart || body.dateEnd ? { dateStart: body.dateStart, dateEnd: body.dateEnd } : null
  const copy = await records.tx(async (inside, tx) => {
    const context = { actor: inside.actor, tx, records: inside }
    await checkMayCreate(context, idColumn)
    const made = await copyTask(context, template.id, { idColumn, shiftTo, withSubtasks: true })
    await notifyPeople(context, [made])
    return made
  })
  const made = await tasksMade(records, [copy.idTask, ...copy.subtasks.map((part) => part.idTask)])
  return { main: made[0] as MadeTask, subtasks: made.slice(1) }
})

const duplicate = operation(taskCalls.duplicate, async ({ records, query, body }) => {
  const cards = await cardsOf(records, body.ids)
  const options: Omit<CopyOptions, 'idColumn'> = {
    withSubtasks: true,
    ...(body.date ? { shiftTo: { dateEnd: body.date } } : {}),
  }
  const made = await records.tx(async (inside, tx) => {
    const context = { actor: inside.actor, tx, records: inside }
    const copies: Copy[] = []
    for (const [idColumn, group] of Map.groupBy(cards, (card) => body.idColumn ?? card.idColumn)) {
      await checkMayCreate(context, idColumn)
      copies.push(...(await copyTasks(context, tasksOf(group), { idColumn, ...options })))
    }
    await notifyPeople(context, copies)
    return copies
  })
  return { items: await answered(records, cards, made, body.expand ?? query.expand) }
})

export const templateOperations = [fromTasks, createFrom, duplicate]

const noTemplates = 'Вам нельзя создавать шаблоны в этом рабочем пространстве'

/** A template created directly requires the right to templates, and a workspace. */
export async function checkNewTemplate(
  { actor, tx }: Pick<WriteContext, 'actor' | 'tx'>,
  value: Pick<Create<typeof Task>, 'idColumn'>,
): Promise<void> {
  if (!value.idColumn) throw new ValidationError([{ field: 'idColumn', message: messages.required }])
  if (!mayMakeTemplates(await standingAtColumn(tx, actor, value.idColumn))) throw forbidden(noTemplates)
}

/** The cards of these ids in order; invisible ones are omitted. */
async function cardsOf(records: Records, wanted: readonly number[]): Promise<Row<typeof Assigned>[]> {
  const found = await records.rows(Assigned, { 'filter[id][in]': wanted.join(), limit: String(MAX_COPIES) })
  const byId = new Map(found.map((card) => [card.id, card]))
  const lost = wanted.findIndex((one) => !byId.has(one))
  if (lost >= 0) throw new ValidationError([{ field: `ids.${lost}`, message: 'Запись не найдена' }])
  return [...new Set(wanted)].map((one) => byId.get(one) as Row<typeof Assigned>)
}

/** The board's column of new tasks by a column of the board: a template, like a new task, has no state. */
async function newColumns(tx: Tx, cards: readonly Row<typeof Assigned>[]): Promise<Map<number, number>> {
  const found = await tx.query<{ id: number; idColumnNew: number }>(sql`
    select c."id", b."idColumnNew" from tasks_management_columns c
    join tasks_management_boards b on b."id" = c."idBoard"
    join tasks_management_columns n on n."id" = b."idColumnNew" and not n."deleted"
    where c."id" = any(${cards.map((card) => card.idColumn)}::bigint[])`)
  return new Map(found.map((one) => [one.id, one.idColumnNew]))
}

const tasksOf = (cards: readonly Row<typeof Assigned>[]): number[] => cards.map((card) => card.idTask)

async function checkMayCreate({ actor, tx }: Pick<WriteContext, 'actor' | 'tx'>, idColumn: number): Promise<void> {
  const on = await standingAtColumn(tx, actor, idColumn)
  // A workspace outside the actor's scope gets the same error as a missing one.
  if (!on.isOwner && !on.bypass && !on.member) throw missing('idColumn')
  if (!mayCreateTask(on)) throw forbidden('Вам нельзя создавать задачи в этом рабочем пространстве')
}

/** Whether the actor sees the card and may create a task like it in its column. */
export async function mayCopyCard(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  id: number,
): Promise<boolean> {
  try {
    const { idColumn } = await context.records.row(Assigned, id)
    await checkMayCreate(context, idColumn)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return false
    throw error
  }
}

type MadeTask = Row<typeof Task> & { assigned: Row<typeof Assigned>[] }

/** New tasks are returned to their author even if invisible afterwards. */
async function tasksMade(records: Records, made: readonly number[]): Promise<MadeTask[]> {
  const found = new Map<number, MadeTask>()
  for (let at = 0; at < made.length; at += PAGE) {
    const rows = await records.asSystem.rows(Task, {
      'filter[id][in]': made.slice(at, at + PAGE).join(),
      limit: String(PAGE),
      expand: 'assigned',
    })
    for (const row of rows as MadeTask[]) found.set(row.id, row)
  }
  return made.map((one) => found.get(one) as MadeTask)
}

const PAGE = 500

/** The cards of the copies in the order of their sources. */
async function answered(
  records: Records,
  sources: readonly Row<typeof Assigned>[],
  made: readonly Copy[],
  expand?: string | string[],
): Promise<Row<typeof Assigned>[]> {
  const rows = await records.asSystem.rows(Assigned, {
    'filter[id][in]': made.map((copy) => copy.idAssigned).join(),
    limit: String(MAX_COPIES),
  })
  const expanded = expand
    ? await records.rows(Assigned, {
        'filter[id][in]': made.map((copy) => copy.idAssigned).join(),
        limit: String(MAX_COPIES),
        expand: Array.isArray(expand) ? expand.join() : expand,
      })
    : []
  const byId = new Map([...rows, ...expanded].map((row) => [row.id, row]))
  const byTask = new Map(made.map((copy) => [copy.from, byId.get(copy.idAssigned)]))
  return [...new Set(tasksOf(sources))].flatMap((from) => byTask.get(from) ?? [])
}

async function notifyPeople(context: WriteContext, copies: readonly Copy[]): Promise<void> {
  const names = new Map(
    (
      await tasksMade(
        context.records,
        copies.map((copy) => copy.idTask),
      )
    ).map((task) => [task.id, task.name]),
  )
  for (const { idTask } of copies) {
    const task = { id: idTask, name: names.get(idTask) ?? '' }
    await notifyOfTask(context, task, { event: 'assigned', title: 'Вам назначена задача', to: ['executors'] })
    await notifyOfTask(context, task, { event: 'assigned', title: 'Вы отвечаете за задачу', to: ['responsible'] })
  }
}
