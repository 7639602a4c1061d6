import { Board, BoardColumn } from '@ordinator/model/areas/tasks/board'
import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { mayCreateTask, mayEditColumns } from '@ordinator/model/areas/tasks/rights'
import { Assigned, Executor, Responsible, Task, TaskTag, wrongDates } from '@ordinator/model/areas/tasks/task'
import { formatDateTime } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  plainName,
  type RowReader,
  readList,
  readParagraphs,
  rowReader,
  shortNames,
} from '#areas/imports/index.ts'
import { fioSql, loginSql, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { standingOn } from './standing.ts'

const params = z.strictObject({
  idBoard: z.int().positive(),
  /** Creates missing columns. */
  createColumns: z.boolean().default(false),
})
type Params = z.output<typeof params>

interface Member {
  id: number
  fio: string
}

interface Ready {
  timeZone: string
  createColumns: boolean
  mayEditColumns: boolean
  /** Ids of columns by normalized name; a batch adds those it creates. */
  columns: Map<string, { id: number; name: string }>
  firstColumn: { id: number; name: string } | undefined
  /** Members by normalized login, e-mail, full name and name with initials; more than one: the name is ambiguous. */
  members: Map<string, Member[]>
  /** Colours of the workspace's tags by normalized name. */
  colors: Map<string, string>
}

interface Values {
  name: string
  description: string | null
  importance: number
  dateStart: string | null
  dateEnd: string | null
  isCompleted: boolean
  column: string
  executors: Member[]
  responsible: Member[]
  tags: string[]
  checkList: string[]
}

/** Imports tasks from a table into a workspace. Reads the output of the workspace's «Экспорт» without loss. */
export const importTasks: Importer<Params, Cells, Ready, Values> = {
  kind: 'tasks',
  label: 'Задачи',
  access: 'viewTasksManagement',
  params,
  columns: columnsFor(Task, [
    {
      field: 'name',
      also: ['задача', 'name', 'title', 'имя', 'тема'],
      examples: ['Заказать перчатки', 'Обзвонить пациентов'],
    },
    { field: 'description', also: ['description', 'текст'], examples: ['Размер M, 20 упаковок', ''] },
    { field: 'importance', also: ['importance', 'приоритет', 'priority'], examples: ['5', '1'] },
    { field: 'dateStart', also: ['дата начала', 'start'], examples: ['01.12.2026 09:00', ''] },
    {
      field: 'dateEnd',
      dayTime: '23:59',
      also: ['дедлайн', 'срок исполнения', 'дата окончания', 'due', 'due date'],
      examples: ['05.12.2026 18:00', '10.12.2026'],
    },
    {
      field: 'idColumn',
      also: ['статус', 'этап', 'список', 'column', 'status'],
      examples: ['Новые', ''],
    },
    {
      name: 'Исполнители',
      also: ['исполнитель', 'assignee', 'executors'],
      examples: ['Иванова Анна Петровна', 'doctor, nurse'],
    },
    { name: 'Ответственные', also: ['ответственный', 'responsible'], examples: ['manager', ''] },
    { name: 'Метки', also: ['метка', 'теги', 'tags', 'labels'], examples: ['Склад, Срочно', ''] },
    {
      name: 'Чек-лист',
      also: ['чеклист', 'checklist', 'подпункты'],
      examples: ['Сверить остатки; Отправить заявку', ''],
    },
    {
      field: 'isCompleted',
      also: ['выполнена', 'завершено', 'выполнено', 'completed', 'done'],
      examples: ['нет', 'нет'],
    },
  ]),
  open,
  check,
  write,
}

async function open({ records, tx, params }: ImportContext<Params>): Promise<Ready> {
  const board = await records.row(Board, params.idBoard)
  const on = await standingOn(tx, records.actor, board.id)
  if (!mayCreateTask(on)) throw forbidden('Вам нельзя создавать задачи в этом рабочем пространстве')
  const columns = await tx.query<{ id: number; name: string }>(sql`select "id", "name" from tasks_management_columns
    where "idBoard" = ${board.id} and not "deleted" order by "order", "id"`)
  const people = await tx.query<Member & { login: string | null; email: string | null; shortFio: string }>(sql`
    select m."id", ${loginSql(raw('u'), records.actor)} as login, u."email", ${fioSql(raw('u'))} as fio, ${shortFioSql(raw('u'))} as "shortFio"
    from tasks_management_members m join users u on u."id" = m."idUser" and not u."deleted"
    where m."idBoard" = ${board.id} and not m."deleted"`)
  return {
    timeZone: records.actor.timeZone,
    createColumns: params.createColumns,
    mayEditColumns: mayEditColumns(on),
    columns: new Map(columns.toReversed().map((column) => [plainName(column.name), column])),
    firstColumn: columns.find((column) => column.id === board.idColumnNew) ?? columns[0],
    members: byNames(people, ({ login, email, fio, shortFio }) => [login, email, fio, ...shortNames(shortFio)]),
    colors: await tagColors(tx, board.id),
  }
}

async function tagColors(db: Queryable, idBoard: number): Promise<Map<string, string>> {
  const found = await db.query<{ name: string; color: string }>(sql`select distinct on (g."name") g."name", g."color"
    from tasks_management_columns c join tasks_management_assigned a on a."idColumn" = c."id" and not a."deleted"
    join tasks_management_tags g on g."idTask" = a."idTask"
    where c."idBoard" = ${idBoard} order by g."name", g."id" desc`)
  return new Map(found.map(({ name, color }) => [plainName(name), color]))
}

function check(ready: Ready, cells: Cells): Checked<Values> {
  const row = rowReader(importTasks.columns, cells, ready.timeZone)
  const { errors, text, refuse } = row
  const peopleOf = (column: string): Member[] =>
    readList(text(column)).flatMap(
      (name) => row.named(column, ready.members, 'нет такого участника рабочего пространства', SEVERAL, name) ?? [],
    )
  const fields = {
    ...{ importance: 1, dateStart: null, dateEnd: null, isCompleted: false },
    ...row.values(),
  } as Pick<Values, 'importance' | 'dateStart' | 'dateEnd' | 'isCompleted'>
  const { importance } = fields
  if (!(Number.isInteger(importance) && importance >= 1 && importance <= 10))
    refuse('Важность', 'Нужно целое число от 1 до 10')
  const values: Values = {
    ...fields,
    name: text('Название'),
    description: text('Описание') ? readParagraphs(text('Описание')) : null,
    column: text('Колонка'),
    executors: peopleOf('Исполнители'),
    responsible: peopleOf('Ответственные'),
    tags: readList(text('Метки')),
    checkList: text('Чек-лист')
      .split(/[;\n]/)
      .map((item) => item.trim())
      .filter(Boolean),
  }
  const { name, description, dateStart, dateEnd } = values
  row.check(Task, { name, description, importance, dateStart, dateEnd }, 'create', '')
  const order = wrongDates(values)
  if (order) refuse('Срок', order)
  checkColumn(ready, values.column, row)
  for (const tag of values.tags) row.check(TaskTag, { name: tag, idTask: 1 }, 'create', 'Метки', `«${tag}»: `)
  for (const item of values.checkList) row.check(CheckListItem, { name: item, idCheckList: 1 }, 'create', 'Чек-лист')
  return errors.length ? { errors } : { values, shown: shownOf(ready, values, cells) }
}

const SEVERAL = 'таких участников несколько: укажите электронную почту'

function checkColumn(ready: Ready, name: string, { check, refuse }: RowReader): void {
  if (!name) {
    if (!ready.firstColumn) refuse('Колонка', 'В рабочем пространстве нет колонок')
  } else if (!ready.columns.has(plainName(name))) {
    if (!ready.createColumns) refuse('Колонка', `Колонки «${name}» нет в рабочем пространстве`)
    else if (!ready.mayEditColumns) refuse('Колонка', `Колонки «${name}» нет, а создавать колонки вам нельзя`)
    else check(BoardColumn, { name, idBoard: 1 }, 'create', 'Колонка')
  }
}

function shownOf(ready: Ready, values: Values, cells: Cells): Cells {
  const column = ready.columns.get(plainName(values.column))
  return {
    Название: values.name,
    Описание: cells.Описание ?? '',
    Важность: String(values.importance),
    Начало: formatDateTime(values.dateStart, ready.timeZone),
    Срок: formatDateTime(values.dateEnd, ready.timeZone),
    Колонка: values.column ? (column?.name ?? `${values.column} (новая)`) : (ready.firstColumn?.name ?? ''),
    Исполнители: values.executors.map((one) => one.fio).join(', '),
    Ответственные: values.responsible.map((one) => one.fio).join(', '),
    Метки: values.tags.join(', '),
    'Чек-лист': values.checkList.join('; '),
    Завершена: values.isCompleted ? 'Да' : 'Нет',
  }
}

async function write({ records, tx, params }: ImportContext<Params>, ready: Ready, values: Values) {
  const made = []
  let column = values.column ? ready.columns.get(plainName(values.column)) : ready.firstColumn
  if (!column) {
    column = await records.create(BoardColumn, { name: values.column, idBoard: params.idBoard })
    made.push({ path: BoardColumn.path, id: column.id })
  }
  const { name, description, importance, dateStart, dateEnd, isCompleted } = values
  const body = { name, description, importance, dateStart, dateEnd, isCompleted, idColumn: column.id }
  const task = await records.create(Task, body)
  made.push({ path: Task.path, id: task.id })
  await putLast(records, tx, task.id)
  await assign(records, tx, task.id, values)
  for (const tag of values.tags) {
    const color = ready.colors.get(plainName(tag))
    await records.create(TaskTag, { idTask: task.id, name: tag, ...(color && { color }) })
  }
  await addCheckList(
    records,
    task.id,
    'Чек-лист',
    values.checkList.map((item) => ({ name: item })),
  )
  // A column created by a refused row is rolled back with it; register it for later rows only now.
  if (values.column) ready.columns.set(plainName(values.column), column)
  return made
}

/** Moves the card to the bottom: new cards come on top, but those of a file keep its order, below the existing ones. */
export async function putLast(records: Records, tx: Queryable, idTask: number): Promise<void> {
  const card = await tx.one<{ id: number }>(
    sql`select "id" from tasks_management_assigned where "idTask" = ${idTask} and not "deleted"`,
  )
  if (card) await records.asSystem.move(Assigned, card.id, { at: 'last' })
}

/** Adds people beyond those set by the members' defaults. */
async function assign(records: Records, tx: Queryable, idTask: number, values: Values): Promise<void> {
  for (const [entity, people] of [
    [Executor, values.executors],
    [Responsible, values.responsible],
  ] as const) {
    if (people.length === 0) continue
    const there = await tx.query<{ idMember: number }>(
      sql`select "idMember" from ${raw(`"${entity.table}"`)} where "idTask" = ${idTask}`,
    )
    for (const { id } of people)
      if (!there.some((one) => one.idMember === id)) await records.create(entity, { idTask, idMember: id })
  }
}

export async function addCheckList(
  records: Records,
  idTask: number,
  name: string,
  items: readonly { name: string; isCheck?: boolean; dateEnd?: string | null }[],
): Promise<void> {
  if (items.length === 0) return
  const list = await records.create(CheckList, { name, idTask })
  for (const item of items) await records.create(CheckListItem, { ...item, idCheckList: list.id })
}
