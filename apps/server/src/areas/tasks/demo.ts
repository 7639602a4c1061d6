import { Board, BoardColumn, BoardMember, type defaultColumns } from '@ordinator/model/areas/tasks/board'
import { everyRight } from '@ordinator/model/areas/tasks/rights'
import { Executor, Responsible, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { Create } from '@ordinator/model/entity'
import { actorOfUser } from '#auth/actors.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type DemoBoard, type DemoColumn, type DemoTask, demoBoards, tagColors, tagIcons } from './demoBoards.ts'
import { demoThings } from './demoThings.ts'

/** Workspaces of the demo clinic, each created by its owner and filled by its members, with their own rights. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const people = await byLogin(records, tx)
  for (const board of demoBoards) await records.tx((inside) => makeBoard(inside, board, people))
  const author = at(records, people.get('manager'))
  if (author) await demoThings(people, author, tx)
}

type People = ReadonlyMap<string, Records>

/** The engine of every demo user who may use tasks, by login. */
async function byLogin(records: Records, db: Queryable): Promise<People> {
  const users = await db.query<{ id: number; login: string }>({ text: 'select id, login from users where not deleted' })
  const people = new Map<string, Records>()
  for (const { id, login } of users) {
    const actor = await actorOfUser(db, id)
    if (actor?.permissions.viewTasksManagement) people.set(login, records.as(actor))
  }
  return people
}

const linkOf: Record<DemoColumn, (typeof defaultColumns)[number]['link']> = {
  new: 'idColumnNew',
  work: 'idColumnWork',
  wait: 'idColumnWait',
  done: 'idColumnCompleted',
  late: 'idColumnExpired',
}

async function makeBoard(records: Records, demo: DemoBoard, people: People): Promise<void> {
  const owner = at(records, people.get(demo.owner))
  if (!owner) return
  const { name, description, icon, color, isPublic } = demo
  const board = await owner.create(Board, { name, description, icon, color, isPublic })
  if (demo.extraColumn) await owner.create(BoardColumn, { idBoard: board.id, name: demo.extraColumn, color: '#868e96' })
  const members = await join(owner, board.id, demo, people)
  // The last created is on top.
  for (const task of [...demo.tasks].reverse()) {
    const idColumn = board[linkOf[task[1]]]
    if (idColumn) await makeTask(records, owner, task, idColumn, members, people)
  }
}

/** The same user's engine inside this transaction. */
const at = (records: Records, person: Records | undefined) => person && records.as(person.actor)

async function join(owner: Records, idBoard: number, demo: DemoBoard, people: People): Promise<Map<string, number>> {
  const kinds: [readonly string[], Partial<Create<typeof BoardMember>>][] = [
    [demo.leads, { ...everyRight, description: 'Руководитель', canEditBoard: false, isFavourite: true }],
    [
      demo.workers,
      {
        description: 'Исполнитель',
        permissionToViewTasks: 'emptymy',
        permissionToEditTasks: 'emptymy',
        canManuallyDragTask: true,
        canRelationBoard: true,
        isTaskDefaultExecutor: true,
        isFavourite: true,
      },
    ],
    [demo.viewers, { description: 'Наблюдатель', permissionToViewTasks: 'my', canCreateTask: true }],
  ]
  const members = new Map<string, number>()
  const [own] = await owner.rows(BoardMember, { 'filter[idBoard]': String(idBoard) })
  if (own) {
    members.set(demo.owner, own.id)
    await owner.update(BoardMember, own.id, { isFavourite: true })
  }
  for (const [logins, rights] of kinds) {
    for (const login of logins) {
      const person = people.get(login)
      if (person && !members.has(login)) {
        members.set(login, (await owner.create(BoardMember, { idBoard, idUser: person.actor.id, ...rights })).id)
      }
    }
  }
  return members
}

const DAY = 86_400_000
/** Working hours in Moscow, in milliseconds of the UTC day. */
const MORNING = 6 * 3_600_000
const EVENING = 15 * 3_600_000

async function makeTask(
  records: Records,
  owner: Records,
  task: DemoTask,
  idColumn: number,
  members: Map<string, number>,
  people: People,
): Promise<void> {
  const [name, column, day, importance, who, tags = '', description] = task
  const logins = who.split(' ').filter((login) => members.has(login))
  const creator = at(records, people.get(logins.at(-1) ?? '')) ?? owner
  const today = Math.floor(Date.now() / DAY) * DAY
  const made = await creator.create(Task, {
    name,
    importance,
    idColumn,
    ...(description ? { description } : {}),
    ...(day === null
      ? {}
      : {
          dateStart: new Date(today + (day - 3) * DAY + MORNING).toISOString(),
          dateEnd: new Date(today + day * DAY + EVENING).toISOString(),
        }),
  })
  const system = owner.asSystem
  const [answers, ...others] = logins
  if (answers) await unlessThere(system, Responsible, made.id, members.get(answers) as number)
  for (const login of others.length ? others : logins)
    await unlessThere(system, Executor, made.id, members.get(login) as number)
  for (const tag of tags.split(',').filter(Boolean))
    await system.create(TaskTag, {
      idTask: made.id,
      name: tag,
      color: tagColors[tag] ?? '#868e96',
      icon: tagIcons[tag] ?? null,
    })
  if (column === 'done') await owner.update(Task, made.id, { isCompleted: true })
  if (column === 'wait') await owner.update(Task, made.id, { isWaitCheck: true })
}

async function unlessThere(
  records: Records,
  entity: typeof Executor | typeof Responsible,
  idTask: number,
  idMember: number,
): Promise<void> {
  const [there] = await records.rows(entity, {
    'filter[idTask]': String(idTask),
    'filter[idMember]': String(idMember),
    limit: '1',
  })
  if (!there) await records.create(entity as typeof Executor, { idTask, idMember })
}
