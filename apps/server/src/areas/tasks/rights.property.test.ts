import { Board, BoardColumn, BoardMember } from '@ordinator/model/areas/tasks/board'
import {
  levelOf,
  mayWithTask,
  reachesTask,
  type Standing,
  type TaskLevel,
  type TaskRelation,
  type TaskRight,
  taskLevels,
  taskRights,
} from '@ordinator/model/areas/tasks/rights'
import { Assigned, Executor, Responsible, Task } from '@ordinator/model/areas/tasks/task'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import sql, { join } from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerActor } from '#records/actor.ts'
import { createVisibility } from '#records/visibility.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good } from './testing/hands.ts'

const T = '/tasks-management'
const LOGINS = ['ann', 'bob', 'cat', 'dan'] as const
let clinic: Clinic
let ids: number[]
let actors: ServerActor[]
/** dan has the bypass right. */
const BYPASS = 3

beforeAll(async () => {
  let people: Record<string, number> = {}
  clinic = await testApp({
    prepare: async (app) =>
      void (people = await addPeople(app, { ann: [], bob: [], cat: [], dan: ['bypassTaskRights'] })),
  })
  ids = LOGINS.map((login) => people[login] as number)
  actors = ids.map((id, i) => ({
    id,
    permissions: { viewTasksManagement: true, ...(i === BYPASS ? { bypassTaskRights: true as const } : {}) },
    timeZone: 'Europe/Moscow',
  }))
})
afterAll(() => clinic.close())

const levels = Object.keys(taskLevels) as TaskLevel[]
const level = fc.constantFrom(...levels)
const user = fc.nat(2)
const member = fc.record({
  user,
  view: level,
  edit: level,
  assign: level,
  delete: level,
  templates: level,
  gone: fc.boolean(),
})
const board = fc.record({
  owner: user,
  members: fc.uniqueArray(member, { selector: (one) => one.user, minLength: 2, maxLength: 3 }),
  gone: fc.integer({ min: 0, max: 6 }).map((n) => n === 0),
})
const BOARDS = 3
const place = fc.record({
  board: fc.nat(BOARDS - 1),
  gone: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  lostColumn: fc.integer({ min: 0, max: 6 }).map((n) => n === 0),
})
const person = fc.record({ board: fc.nat(BOARDS - 1), user })
const task = fc.record({
  creator: user,
  isTemplate: fc.boolean(),
  on: fc.uniqueArray(place, { selector: (one) => one.board, maxLength: 3 }),
  executors: fc.uniqueArray(person, { selector: (one) => `${one.board} ${one.user}`, maxLength: 2 }),
  responsible: fc.uniqueArray(person, { selector: (one) => `${one.board} ${one.user}`, maxLength: 2 }),
})
const world = fc.record({
  boards: fc.array(board, { minLength: BOARDS, maxLength: BOARDS }),
  tasks: fc.array(task, { minLength: 1, maxLength: 6 }),
})
type World = typeof world extends fc.Arbitrary<infer W> ? W : never

const rightsOf = (one: World['boards'][number]['members'][number]) =>
  ({
    ...Object.fromEntries(Object.entries(taskRights).map(([right, name]) => [name, one[right as TaskRight]])),
    permissionToEditTemplates: one.templates,
  }) as unknown as NonNullable<Standing['member']>

/** Every relation of bob, a member of this level, to a task. */
function everyRelation(one: TaskLevel): World {
  const rights = { view: one, edit: one, assign: one, delete: one, templates: one, gone: false }
  const home = {
    owner: 0,
    members: [
      { user: 1, ...rights },
      { user: 2, ...rights },
    ],
    gone: false,
  }
  const flags = [false, true]
  const tasks = flags.flatMap((mine) =>
    flags.flatMap((executes) =>
      flags.flatMap((answers) =>
        flags.map((others) => ({
          creator: mine ? 1 : 0,
          isTemplate: false,
          on: [{ board: 0, gone: false, lostColumn: false }],
          executors: [...(executes ? [{ board: 0, user: 1 }] : []), ...(others ? [{ board: 0, user: 2 }] : [])],
          responsible: answers ? [{ board: 0, user: 1 }] : [],
        })),
      ),
    ),
  )
  return { boards: [home, home, home], tasks: [...tasks, ...tasks.map((t) => ({ ...t, isTemplate: true }))] }
}

/** Result of the pure rules for each of the world's tasks and cards, for each user. */
function expected(w: World) {
  const living = (b: number, u: number) => w.boards[b]?.members.some((m) => m.user === u && !m.gone) ?? false
  const people = (list: { board: number; user: number }[]) =>
    list.filter((p) => living(p.board, p.user)).map((p) => p.user)
  const relation = (t: World['tasks'][number], u: number): TaskRelation => {
    const [executors, responsible] = [people(t.executors), people(t.responsible)]
    return {
      isCreator: t.creator === u,
      isExecutor: executors.includes(u),
      isResponsible: responsible.includes(u),
      hasPeople: executors.length + responsible.length > 0,
      isTemplate: t.isTemplate,
    }
  }
  const standing = (b: number, u: number): Standing => {
    const one = w.boards[b] as World['boards'][number]
    const found = one.members.find((m) => m.user === u && !m.gone)
    return { isOwner: one.owner === u, bypass: u === BYPASS, member: found && rightsOf(found) }
  }
  const boardsOf = (t: World['tasks'][number]) =>
    t.on.filter((p) => !p.gone && !p.lostColumn && !w.boards[p.board]?.gone).map((p) => p.board)
  return {
    may: (right: TaskRight, t: World['tasks'][number], u: number) =>
      mayWithTask(
        right,
        relation(t, u),
        boardsOf(t).map((b) => standing(b, u)),
        u === BYPASS,
      ),
    seesCard: (t: World['tasks'][number], b: number, u: number) => {
      const on = standing(b, u)
      return (
        u === BYPASS ||
        on.isOwner ||
        (on.member !== undefined && reachesTask(levelOf('view', t, on.member), relation(t, u)))
      )
    },
    boardsOf,
  }
}

/** Writes the world to the database without hooks: the scopes must hold for rows of any origin. */
async function lay(w: World, mark: string) {
  const { db } = clinic
  const insert = async (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    const text = `insert into ${table} (${columns.map((c) => `"${c}"`).join()}) values (${columns.map((_, i) => `$${i + 1}`).join()}) returning id`
    return (await db.one<{ id: number }>({ text, values: Object.values(row) }))?.id as number
  }
  const now = new Date().toISOString()
  const dated = { dateCreate: now, dateChange: now }
  const off = {
    isDefaultResponsible: false,
    isTaskDefaultResponsible: false,
    isTaskDefaultExecutor: false,
    isFavourite: false,
    isConfirmCreate: false,
    openAfterCreate: false,
    canCreateTask: false,
    canRelationBoard: false,
    canEditBoard: false,
    canEditColumn: false,
    canManuallyDragTask: false,
    creatorClosesTaskAsExecutor: false,
  }
  const columns: number[] = []
  const lost: number[] = []
  const members = new Map<string, number>()
  for (const [b, one] of w.boards.entries()) {
    const idBoard = await insert(Board.table, {
      name: mark,
      color: '#000000',
      isPublic: false,
      approvedAllChildrenTasks: 'none',
      timeArchiveTaskCompleted: 0,
      ...dated,
      idUser: ids[one.owner],
      deleted: one.gone,
    })
    columns.push(await insert(BoardColumn.table, { name: 'a', color: '#000000', order: 1, idBoard }))
    lost.push(await insert(BoardColumn.table, { name: 'b', color: '#000000', order: 2, idBoard, deleted: true }))
    for (const m of one.members) {
      members.set(
        `${b} ${m.user}`,
        await insert(BoardMember.table, {
          idBoard,
          idUser: ids[m.user],
          ...off,
          ...rightsOf(m),
          dateCreate: now,
          deleted: m.gone,
        }),
      )
    }
  }
  const tasks = []
  for (const t of w.tasks) {
    const idTask = await insert(Task.table, {
      name: mark,
      importance: 1,
      isCompleted: false,
      isWaitCheck: false,
      isNeedChange: false,
      isArchive: false,
      isTemplate: t.isTemplate,
      approvedAllChildrenTasks: 'none',
      ...dated,
      idUser: ids[t.creator],
    })
    const cards: Record<number, number> = {}
    for (const p of t.on) {
      const idColumn = (p.lostColumn ? lost : columns)[p.board]
      cards[p.board] = await insert(Assigned.table, {
        idTask,
        idColumn,
        order: 1,
        isArchive: false,
        ...dated,
        deleted: p.gone,
      })
    }
    for (const [entity, list] of [
      [Executor, t.executors],
      [Responsible, t.responsible],
    ] as const) {
      for (const p of list) {
        const idMember = members.get(`${p.board} ${p.user}`)
        if (idMember) await insert(entity.table, { idTask, idMember })
      }
    }
    tasks.push({ id: idTask, cards })
  }
  return { tasks, columns }
}

it('the scopes in SQL equal the pure rules at every exit', async () => {
  let run = 0
  const visibility = createVisibility(clinic.db, clinic.context.registry)
  await fc.assert(
    fc.asyncProperty(world, async (w) => {
      const mark = `w${process.pid}x${run++}x`
      const rule = expected(w)
      const { tasks, columns } = await lay(w, mark)
      const idsOf = (body: { items: { id: number }[] }) => body.items.map((one) => one.id).sort((a, b) => a - b)
      const all = tasks.map((t) => t.id)
      const listened = await visibility.checkVisibility(
        Task.path,
        all,
        actors.map((actor) => ({ id: actor.id, actor })),
      )
      for (const [u, login] of LOGINS.entries()) {
        const caller = clinic.as(login)
        const visible = tasks.filter((_, i) => rule.may('view', w.tasks[i] as never, u)).map((t) => t.id)
        const cards = tasks.flatMap((t, i) =>
          rule
            .boardsOf(w.tasks[i] as never)
            .filter((b) => rule.seesCard(w.tasks[i] as never, b, u))
            .map((b) => t.cards[b] as number),
        )
        const list = good(await caller.get(`${T}/tasks?filter[name]=${mark}&limit=500&count=1&expand=assigned`))
        expect([login, idsOf(list), list._meta.totalCount]).toEqual([login, visible, visible.length])
        expect(idsOf(good(await caller.get(`${T}/tasks?filter[name][ilike]=${mark}&limit=500`)))).toEqual(visible)
        expect([...(listened.get(ids[u] as number) ?? [])].sort((a, b) => a - b)).toEqual(visible)
        if (u !== BYPASS) {
          // Cards on deleted boards or columns are visible only with the bypass right.
          const nested = list.items.flatMap((one: { assigned: { id: number }[] }) => one.assigned)
          expect(idsOf({ items: nested })).toEqual(cards)
          expect(idsOf(good(await caller.get(`${T}/assigned?filter[task.name]=${mark}&limit=500`)))).toEqual(cards)
          for (const [b, idColumn] of columns.entries()) {
            const through = good(await caller.get(`${T}/tasks?filter[assigned.idColumn]=${idColumn}&limit=500`))
            expect(idsOf(through)).toEqual(tasks.filter((t) => cards.includes(t.cards[b] as number)).map((t) => t.id))
          }
        }
        const exported = await caller.get(`${T}/tasks/export?format=csv&filter[name]=${mark}&fields=id,name`)
        expect(exported.text.split(mark).length - 1).toBe(visible.length)
        for (const [i, { id }] of tasks.entries()) {
          const t = w.tasks[i] as World['tasks'][number]
          expect((await caller.get(`${T}/tasks/${id}`)).status).toBe(visible.includes(id) ? 200 : 404)
          const refused = visible.includes(id) ? 403 : 404
          const written = await caller.put(`${T}/tasks/${id}`, { importance: 5 })
          expect([login, 'edit', written.status]).toEqual([
            login,
            'edit',
            visible.includes(id) && rule.may('edit', t, u) ? 200 : refused,
          ])
          const gone = await caller.delete(`${T}/tasks/${id}`)
          expect([login, 'delete', gone.status]).toEqual([
            login,
            'delete',
            visible.includes(id) && rule.may('delete', t, u) ? 204 : refused,
          ])
          if (gone.status === 204)
            await clinic.db.query(
              sql`update tasks_management_tasks set "deleted" = false, "_deletedAt" = null where "id" = ${id}`,
            )
        }
      }
      await clinic.db.query(sql`update tasks_management_tasks set "deleted" = true where "id" in (${join(all)})`)
    }),
    { numRuns: runs(8, 200), examples: levels.map((one) => [everyRelation(one)]) },
  )
})
