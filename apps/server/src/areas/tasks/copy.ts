/**
 * Deep copies of tasks: description, people, tags, check lists unticked, files by reference and, if requested,
 * subtasks. State, comments and reminders are not copied; in a linked column a copy gets the column's state. A tree of
 * any size, and many trees at once, take the same few statements.
 */
import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { TaskFile } from '@ordinator/model/areas/tasks/file'
import { TaskLink } from '@ordinator/model/areas/tasks/link'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Assigned, Executor, Responsible, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { Entity, Row } from '@ordinator/model/entity'
import { isDay } from '@ordinator/model/fields/date'
import { momentIn, wallOf } from '@ordinator/model/zone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { badRequest, notFound } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { WriteContext } from '#records/define.ts'
import { lockGroup } from '#records/move.ts'
import type { Records, Sets } from '#records/records.ts'
import { missing } from '#records/reference.ts'
import { lockColumn } from './boards.ts'
import { withTaskAt } from './scope.ts'
import { shifted } from './shift.ts'
import { isBypass } from './standing.ts'
import { stateInColumn } from './states.ts'

/** Maximum number of tasks and subtasks per call. */
const MAX_MADE = 1000

export interface CopyOptions {
  /** Target column of the copies' cards, on top, in the order of the sources. */
  idColumn: number
  isTemplate?: boolean
  /**
   * New dates of the task; dates not given, and those of the subtasks, are moved by the same distance.
   * Absent: all dates unchanged; null: no dates.
   */
  shiftTo?: { dateStart?: string | null | undefined; dateEnd?: string | null | undefined } | null
  withSubtasks: boolean
}

export interface Copy {
  /** The source, the copy and its card. */
  from: number
  idTask: number
  idAssigned: number
  /** The copies of the subtasks, at every depth. */
  subtasks: { from: number; idTask: number; idAssigned: number }[]
}

/**
 * Copies a task with its parts. The caller checks that the actor sees the task and may create in the column; subtasks
 * outside the actor's scope are omitted. The actor is the copies' creator.
 */
export async function copyTask(context: WriteContext, idTask: number, options: CopyOptions): Promise<Copy> {
  const [copy] = await copyTasks(context, [idTask], options)
  if (!copy) throw notFound()
  return copy
}

/** The same for several tasks, in order; a missing one is omitted. */
export async function copyTasks(
  { actor, tx, records }: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  idTasks: readonly number[],
  options: CopyOptions,
): Promise<Copy[]> {
  if (idTasks.length === 0) return []
  await lockColumn(tx, options.idColumn, 'share')
  const column = await tx.one<{ idBoard: number }>(
    sql`select "idBoard" from tasks_management_columns where "id" = ${options.idColumn} and not "deleted"`,
  )
  if (!column) throw missing('idColumn')
  const tree = await treeOf(tx, actor, idTasks, options.withSubtasks)
  if (tree.length > MAX_MADE) throw badRequest(`За один раз можно сделать не больше ${MAX_MADE} копий с подзадачами`)
  const made = planned(idTasks, tree, options, actor.timeZone)
  const state = options.isTemplate ? {} : await stateInColumn(tx, options.idColumn)
  const into: Into = {
    tx,
    actor,
    records,
    ...options,
    idBoard: column.idBoard,
    map: mapSql(made),
    count: made.length,
    state,
  }
  await copyRows(into)
  const cards = new Map((await copyCards(into)).map((card) => [card.idTask, card.id]))
  await copyPeople(into)
  await copyParts(into)
  await copyCheckLists(into)
  const named = (one: Planned) => ({ from: one.from, idTask: one.made, idAssigned: cards.get(one.made) as number })
  return made
    .filter((one) => one.from === one.root)
    .map((one) => ({
      ...named(one),
      subtasks: made.filter((part) => part.root === one.root && part !== one).map(named),
    }))
}

interface Source {
  root: number
  from: number
  made: number
  dateStart: string | null
  dateEnd: string | null
}

/** The sources with an id for each copy. A task reachable by several paths is copied once. */
function treeOf(tx: Tx, actor: ServerActor, ids: readonly number[], withSubtasks: boolean): Promise<Source[]> {
  const isVisible = isBypass(actor) ? raw('true') : withTaskAt('view', sql`s."idTask"`, { me: sql`${actor.id}` })
  return tx.query<Source>(sql`
    with recursive tree as (
      select t."id" as root, t."id", t."isTemplate" from tasks_management_tasks t
        where t."id" in (${join(ids)}) and not t."deleted"
      union
      select tree.root, t."id", t."isTemplate" from tree
        join tasks_management_subtasks s on s."idParentTask" = tree."id" and not s."deleted"
        join tasks_management_tasks t on t."id" = s."idTask" and not t."deleted" and t."isTemplate" = tree."isTemplate"
        where ${withSubtasks} and ${isVisible}
    )
    select tree.root, t."id" as "from", nextval(pg_get_serial_sequence('tasks_management_tasks', 'id')) as made,
      t."dateStart", t."dateEnd"
    from tree join tasks_management_tasks t on t."id" = tree."id" order by tree.root, t."id" limit ${MAX_MADE + 1}`)
}

interface Planned extends Source {
  place: number
  /** The moments between which the dates move. */
  since: string | null
  until: string | null
}

function planned(ids: readonly number[], tree: readonly Source[], options: CopyOptions, timeZone: string): Planned[] {
  const byRoot = Map.groupBy(tree, (one) => one.root)
  const inOrder = [...new Set(ids)].flatMap((root) => {
    const all = byRoot.get(root) ?? []
    const main = all.find((one) => one.from === root)
    if (!main) return []
    const parts = all.filter((one) => one !== main)
    const shiftTo = options.shiftTo && onDay(options.shiftTo, main, timeZone)
    const [since, until] = shiftTo ? distance(main, all, shiftTo) : [null, null]
    const dates =
      options.shiftTo === null
        ? { dateStart: null, dateEnd: null }
        : { dateStart: shiftTo?.dateStart ?? null, dateEnd: shiftTo?.dateEnd ?? null }
    return [
      { ...main, ...dates, since, until },
      ...parts.map((one) => ({ ...one, dateStart: null, dateEnd: null, since, until })),
    ]
  })
  return inOrder.map((one, place) => ({ ...one, place }))
}

/** A day without a time gets the hour of the task's due date; without one, the day's last minute. */
function onDay<T extends NonNullable<CopyOptions['shiftTo']>>(to: T, { dateEnd }: Source, timeZone: string): T {
  if (!to.dateEnd || !isDay(to.dateEnd)) return to
  const time = dateEnd ? new Date(wallOf(Date.parse(dateEnd), timeZone)).toISOString().slice(11, 16) : '23:59'
  return { ...to, dateEnd: momentIn(timeZone, to.dateEnd, time) }
}

/** A date of the main task and its new value; without one, the earliest date of its subtasks. */
function distance(
  main: Source,
  all: readonly Source[],
  to: NonNullable<CopyOptions['shiftTo']>,
): [string | null, string | null] {
  if (to.dateEnd && main.dateEnd) return [main.dateEnd, to.dateEnd]
  if (to.dateStart && main.dateStart) return [main.dateStart, to.dateStart]
  const earliest = all
    .flatMap((one) => [one.dateStart, one.dateEnd])
    .filter((date) => date !== null)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0]
  return [earliest ?? null, to.dateStart ?? to.dateEnd ?? null]
}

interface Into extends CopyOptions {
  tx: Tx
  actor: ServerActor
  records: Records
  idBoard: number
  /** The sources and their copies, as a table `m`. */
  map: Sql
  count: number
  /** Fields set by the column's state. */
  state: Partial<Row<typeof Task>>
}

const mapSql = (made: readonly Planned[]): Sql => sql`jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m(
  root bigint, "from" bigint, made bigint, place int, "dateStart" timestamptz, "dateEnd" timestamptz,
  since timestamptz, until timestamptz)`

const pastHooks = 'what a copy is made of was asked of the source and of the column'

/** Inserts a row of `values` for each row of `from`; existing rows stay. @returns the ids */
const insert = <E extends Entity>(
  { records }: Into,
  entity: E,
  from: Sql,
  values: Sets<E>,
): Promise<{ id: number }[]> => records.asSystem.createFrom(entity, from, values, { skipTaken: true, pastHooks })

async function copyRows(into: Into): Promise<void> {
  const { actor, shiftTo, map, state } = into
  const date = (name: 'dateStart' | 'dateEnd') => {
    const column = raw(`t."${name}"`)
    if (shiftTo === null) return null
    return sql`coalesce(m.${raw(`"${name}"`)}, ${shifted(column, raw('m.since'), raw('m.until'), actor.timeZone)}, ${column})`
  }
  await insert(into, Task, sql`${map} join tasks_management_tasks t on t."id" = m."from" order by m.place`, {
    id: raw('m.made'),
    name: raw('t."name"'),
    description: raw('t."description"'),
    importance: raw('t."importance"'),
    approvedAllChildrenTasks: raw('t."approvedAllChildrenTasks"'),
    idCover: raw('t."idCover"'),
    isTemplate: into.isTemplate ?? false,
    dateStart: date('dateStart'),
    dateEnd: date('dateEnd'),
    idUser: actor.id,
    ...state,
  })
}

async function copyCards({ records, tx, idColumn, map, count }: Into): Promise<{ id: number; idTask: number }[]> {
  await lockGroup(tx, Assigned.path, { idColumn })
  return records.asSystem.createFrom(
    Assigned,
    sql`${map} order by m.place`,
    {
      idTask: raw('m.made'),
      idColumn,
      order: sql`(
        select coalesce(floor(min(a."order")), 1) from tasks_management_assigned a where a."idColumn" = ${idColumn}
      ) - ${count} + m.place`,
    },
    { fields: ['id', 'idTask'], skipTaken: true, pastHooks },
  )
}

/** People are copied by their membership of the target board; others are omitted. */
async function copyPeople(into: Into): Promise<void> {
  const { actor, idBoard, map } = into
  const person = { idTask: raw('p.made'), idMember: raw('p."id"') }
  for (const entity of [Executor, Responsible]) {
    await insert(
      into,
      entity,
      sql`(select distinct m.made, n."id" from ${map} join ${raw(entity.table)} p on p."idTask" = m."from"
        join tasks_management_members was on was."id" = p."idMember" and not was."deleted"
        join tasks_management_members n on n."idUser" = was."idUser" and n."idBoard" = ${idBoard} and not n."deleted") p`,
      person,
    )
  }
  // With access level «свои» people must be assigned: the creator would otherwise lose access to a copy without people.
  const level = raw(into.isTemplate ? 'n."permissionToEditTemplates"' : 'n."permissionToViewTasks"')
  await insert(
    into,
    Executor,
    sql`${map}
      join tasks_management_boards b on b."id" = ${idBoard} and b."idUser" <> ${actor.id}
      join tasks_management_members n on n."idUser" = ${actor.id} and n."idBoard" = b."id" and not n."deleted" and ${level} = 'my'
      where not exists (select 1 from tasks_management_executors e where e."idTask" = m.made)
        and not exists (select 1 from tasks_management_responsible r where r."idTask" = m.made)`,
    { idTask: raw('m.made'), idMember: raw('n."id"') },
  )
}

async function copyParts(into: Into): Promise<void> {
  const { map } = into
  const idTask = raw('m.made')
  await insert(
    into,
    TaskTag,
    sql`${map} join tasks_management_tags t on t."idTask" = m."from" order by m.place, t."id"`,
    {
      idTask,
      name: raw('t."name"'),
      color: raw('t."color"'),
      icon: raw('t."icon"'),
      entityType: raw('t."entityType"'),
    },
  )
  await insert(
    into,
    TaskFile,
    sql`${map}
      join tasks_management_task_files f on f."idTask" = m."from" and not f."deleted"
      join tasks_management_files x on x."id" = f."idFile" and not x."deleted" order by m.place, f."id"`,
    { idTask, idFile: raw('f."idFile"') },
  )
  if (!into.withSubtasks) return
  await insert(
    into,
    Subtask,
    sql`${map}
      join tasks_management_subtasks s on s."idParentTask" = m."from" and not s."deleted"
      join ${partSql(map)} on part."from" = s."idTask" and part.root = m.root order by m.place, s."index", s."id"`,
    {
      idParentTask: raw('m.made'),
      idTask: raw('part.made'),
      index: raw('s."index"'),
      canViewUpperTask: raw('s."canViewUpperTask"'),
    },
  )
}

/** The same table once more, as `part`. */
const partSql = (map: Sql): Sql => sql`(select m.* from ${map}) part`

async function copyCheckLists(into: Into): Promise<void> {
  const { tx, actor, idBoard, map } = into
  const lists = await tx.query<{ from: number; made: number; idTask: number; order: string }>(sql`
    select l."id" as "from", nextval(pg_get_serial_sequence('tasks_management_check_lists', 'id')) as made,
      m.made as "idTask", e."order"
    from ${map} join tasks_management_entities e on e."idTask" = m."from" and e."type" = 'checklist' and not e."deleted"
    join tasks_management_check_lists l on l."id" = e."idEntity" and not l."deleted" order by m.place, e."order", e."id"`)
  if (lists.length === 0) return
  const all = sql`jsonb_to_recordset(${JSON.stringify(lists)}::jsonb) as c("from" bigint, made bigint, "idTask" bigint, "order" numeric)`
  // Links come first: the history of a list finds its task by them.
  await insert(into, TaskLink, sql`${all} order by c.made`, {
    idTask: raw('c."idTask"'),
    type: 'checklist',
    idEntity: raw('c.made'),
    order: raw('c."order"'),
  })
  await insert(into, CheckList, sql`${all} join tasks_management_check_lists l on l."id" = c."from" order by c.made`, {
    id: raw('c.made'),
    name: raw('l."name"'),
    idUser: actor.id,
  })
  await insert(
    into,
    CheckListItem,
    sql`${all}
      join tasks_management_check_list_items i on i."idCheckList" = c."from" and not i."deleted"
      left join tasks_management_members was on was."id" = i."idExecutor" and not was."deleted"
      left join tasks_management_members n on n."idUser" = was."idUser" and n."idBoard" = ${idBoard} and not n."deleted"
      order by c.made, i."order", i."id"`,
    {
      idCheckList: raw('c.made'),
      name: raw('i."name"'),
      order: raw('i."order"'),
      idExecutor: raw('n."id"'),
    },
  )
}
