/**
 * Who reaches which task, as a whole table: every level × every relation of the user to the task × every exit and
 * action. The expected answers are written out here by hand from spec §6, not taken from the rules under test.
 */
import { Task } from '@ordinator/model/areas/tasks/task'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerActor } from '../../records/actor.ts'
import { createVisibility } from '../../records/visibility.ts'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
const levels = ['none', 'my', 'emptymy', 'all'] as const
type Level = (typeof levels)[number]

/** What the user is to the task; «withPeople»: somebody is assigned. */
const relations = [
  'creator withPeople',
  'creator alone',
  'executor',
  'responsible',
  'watcher withPeople',
  'stranger withPeople',
  'stranger alone',
] as const
type Relation = (typeof relations)[number]

/** Spec §6, by hand. */
const reached: Record<Level, readonly Relation[]> = {
  none: [],
  my: ['creator withPeople', 'executor', 'responsible'],
  emptymy: ['creator withPeople', 'creator alone', 'executor', 'responsible', 'stranger alone'],
  all: relations,
}

/** People beside the members of each level: who stands outside the levels. */
const others = ['owner', 'outsider', 'bypass'] as const
type Other = (typeof others)[number]

interface Person {
  login: string
  view: Level
  /** Of editing, assigning and deleting alike. */
  write: Level
  other?: Other
}
const people: Person[] = [
  ...levels.flatMap((view) => levels.map((write) => ({ login: `v-${view}-w-${write}`, view, write }))),
  ...others.map((other) => ({ login: other, view: 'none' as const, write: 'none' as const, other })),
]

const sees = ({ view, other }: Person, relation: Relation): boolean =>
  other ? other !== 'outsider' : reached[view].includes(relation)
const writes = (person: Person, relation: Relation): boolean =>
  person.other ? person.other !== 'outsider' : sees(person, relation) && reached[person.write].includes(relation)

interface Row {
  person: Person
  relation: Relation
  /** Carries its own word, so that a search finds it alone. */
  word: string
  id: number
  idCard: number
  idItem: number
}

let clinic: Clinic
const callers = new Map<string, Caller>()
const as = (login: string) => {
  const found = callers.get(login) ?? clinic.as(login)
  callers.set(login, found)
  return found
}
let helper: number
let extra: number
const rows: Row[] = []
let board: Record<string, number>
let actors: Map<string, ServerActor>

beforeAll(async () => {
  let ids: Record<string, number> = {}
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, {
        ...Object.fromEntries(
          people.map(({ login, other }) => [login, other === 'bypass' ? ['bypassTaskRights'] : []]),
        ),
        helper: [],
        extra: [],
      } as never)
    },
  })
  const owner = hands(as('owner'))
  board = await owner.board()
  const idBoard = board.id as number
  helper = (await owner.member(idBoard, ids.helper as number)).id
  extra = (await owner.member(idBoard, ids.extra as number)).id
  const members = new Map<string, number>()
  for (const { login, view, write, other } of people) {
    if (other) continue
    const rights = {
      permissionToViewTasks: view,
      permissionToEditTasks: write,
      permissionToAssignTasks: write,
      permissionToDeleteTasks: write,
    }
    members.set(login, (await owner.member(idBoard, ids[login] as number, rights)).id)
  }
  const system = clinic.context.engine.for({
    id: ids.owner as number,
    permissions: {},
    timeZone: 'UTC',
    system: true,
  }).asSystem
  for (const [at, person] of people.entries()) {
    for (const [n, relation] of relations.entries()) {
      const word = `слово${at}х${n}х`
      const task = await system.create(Task, {
        name: `Задача ${word}`,
        idColumn: board.idColumnWork as number,
        dateEnd: '2026-11-15T12:00:00Z',
        idUser: (relation.startsWith('creator') ? ids[person.login] : ids.owner) as number,
      })
      rows.push({ person, relation, word, id: task.id, idCard: 0, idItem: 0 })
    }
  }
  // The creator's own defaults must not put anybody on a task.
  for (const path of ['executors', 'responsible'])
    for (const { id } of good(await as('owner').get(`${T}/${path}?limit=500`)).items)
      good(await as('owner').delete(`${T}/${path}/${id}`), 204)
  const make = async (path: string, create: object[]): Promise<{ id: number }[]> => {
    const made: { id: number }[] = []
    for (let from = 0; from < create.length; from += 100)
      made.push(
        ...good(await as('owner').post(`${T}/${path}/batch`, { create: create.slice(from, from + 100) })).create,
      )
    return made
  }
  const put = (row: Row, idMember: number | undefined) => (idMember ? [{ idTask: row.id, idMember }] : [])
  await make(
    'executors',
    rows.flatMap((row) => [
      ...(row.relation.endsWith('withPeople') ? put(row, helper) : []),
      ...(row.relation === 'executor' ? put(row, members.get(row.person.login)) : []),
    ]),
  )
  await make(
    'responsible',
    rows.flatMap((row) => (row.relation === 'responsible' ? put(row, members.get(row.person.login)) : [])),
  )
  for (const { relation, id, person } of rows)
    if (relation.startsWith('watcher'))
      await clinic.db.query({
        text: 'insert into tasks_management_watchers ("idTask", "idUser") values ($1, $2)',
        values: [id, ids[person.login]],
      })
  const lists = await make(
    'check-lists',
    rows.map(({ word, id }) => ({ name: `Список ${word}`, idTask: id })),
  )
  const items = await make(
    'check-list-items',
    rows.map(({ word }, at) => ({ name: word, idCheckList: lists[at]?.id })),
  )
  await make(
    'comments',
    rows.map(({ word, id }) => ({ type: 'task', idEntity: id, message: `<p>Слова ${word}</p>` })),
  )
  const cards = new Map<number, number>()
  for (const { id, idTask } of good(await as('owner').get(`${T}/assigned?limit=500&fields=id,idTask`)).items)
    cards.set(idTask, id)
  for (const [at, row] of rows.entries())
    Object.assign(row, { idCard: cards.get(row.id), idItem: items[at]?.id } satisfies { [K in keyof Row]?: unknown })
  actors = new Map(
    people.map(({ login, other }) => [
      login,
      {
        id: ids[login] as number,
        permissions: { viewTasksManagement: true, ...(other === 'bypass' ? { bypassTaskRights: true as const } : {}) },
        timeZone: 'Europe/Moscow',
      },
    ]),
  )
})
afterAll(() => clinic.close())

const of = (login: string) => rows.filter((row) => row.person.login === login)
const found = (answer: { body: { items: { id: number }[] } }) => answer.body.items.map(({ id }) => id)

/** Every way out of the server that could tell of a task; answers whether it told of this one. */
const exits: Record<string, (caller: Caller, row: Row) => Promise<boolean>> = {
  list: async (caller, { word, id }) =>
    found(await caller.get(`${T}/tasks?filter[name]=${encodeURIComponent(`Задача ${word}`)}`)).includes(id),
  view: async (caller, { id }) => (await caller.get(`${T}/tasks/${id}`)).status === 200,
  count: async (caller, { id }) =>
    good(await caller.get(`${T}/tasks?filter[id]=${id}&limit=0&count=1`))._meta.totalCount === 1,
  search: async (caller, { word, id }) =>
    found(await caller.get(`${T}/tasks?filter[name][ilike]=${encodeURIComponent(word)}`)).includes(id),
  'board card': async (caller, { idCard }) =>
    found(await caller.get(`${T}/assigned?filter[id]=${idCard}`)).length === 1,
  'card of the column': async (caller, { idCard }) =>
    found(await caller.get(`${T}/assigned?filter[idColumn]=${board.idColumnWork}&limit=500`)).includes(idCard),
  expand: async (caller, { idItem, id }) =>
    found(
      await caller.get(`${T}/entities?filter[type]=checklist&filter[task.id]=${id}&expand=task&filter[idEntity][gt]=0`),
    ).length +
      Number((await caller.get(`${T}/check-list-items/${idItem}?expand=checkList`)).status === 200) >
    0,
  history: async (caller, { id }) => (await caller.get(`${T}/tasks/${id}/history?parts=1`)).status === 200,
  comments: async (caller, { id }) =>
    found(await caller.get(`${T}/comments?filter[type]=task&filter[idEntity]=${id}`)).length > 0,
  'check list': async (caller, { idItem }) => (await caller.get(`${T}/check-list-items/${idItem}`)).status === 200,
  people: async (caller, { id }) =>
    found(await caller.get(`${T}/executors?filter[idTask]=${id}`)).length > 0 ||
    found(await caller.get(`${T}/entities?filter[idTask]=${id}`)).length > 0,
  calendar: async (caller, { id }) => {
    const answer = await caller.get(
      `${T}/tasks/calendar/${board.id}?dateStart=2026-11-01&dateEnd=2026-11-30&filter[id]=${id}`,
    )
    return answer.status === 200 && found(answer).includes(id)
  },
  'search everywhere': async (caller, { word, id }) =>
    found(await caller.get(`${T}/tasks?filter[text][ilike]=${encodeURIComponent(word)}`)).includes(id),
  event: async (_caller, { person, id }) => {
    const actor = actors.get(person.login) as ServerActor
    const visibility = createVisibility(clinic.db, clinic.context.registry)
    const seen = await visibility.checkVisibility(Task.path, [id], [{ id: actor.id, actor }])
    return seen.get(actor.id)?.has(id) ?? false
  },
}

/** Every way to change a task; answers whether it was let through. What was done is undone. */
const actions: Record<string, (caller: Caller, row: Row) => Promise<number>> = {
  edit: async (caller, { id }) => (await caller.put(`${T}/tasks/${id}`, { importance: 5 })).status,
  batch: async (caller, { id }) => (await caller.post(`${T}/tasks/batch`, { update: [{ id, importance: 6 }] })).status,
  tag: async (caller, { id }) => (await caller.post(`${T}/tags`, { idTask: id, name: 'срочно' })).status,
  'check list': async (caller, { id }) => (await caller.post(`${T}/check-lists`, { idTask: id, name: 'ещё' })).status,
  'tick an item': async (caller, { idItem }) =>
    (await caller.put(`${T}/check-list-items/${idItem}`, { isCheck: true })).status,
  assign: async (caller, { id }) => {
    const answer = await caller.post(`${T}/executors`, { idTask: id, idMember: extra })
    if (answer.status === 201) await as('owner').delete(`${T}/executors/${answer.body.id}`)
    return answer.status
  },
  archive: async (caller, { idCard }) => {
    const answer = await caller.put(`${T}/assigned/${idCard}`, { isArchive: true })
    if (answer.status === 200) good(await as('owner').put(`${T}/assigned/${idCard}`, { isArchive: false }))
    return answer.status
  },
  delete: async (caller, { id }) => {
    const answer = await caller.delete(`${T}/tasks/${id}`)
    if (answer.status === 204) good(await as('owner').post(`${T}/tasks/${id}/restore`))
    return answer.status
  },
}

describe.each(Object.entries(exits))('%s', (_name, tells) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'tells %s of what it reaches alone',
    async (login, person) => {
      const told = await Promise.all(of(login).map(async (row) => [row.relation, await tells(as(login), row)]))
      expect(told).toEqual(relations.map((relation) => [relation, sees(person, relation)]))
    },
  )
})

/** A file tells of all tasks at once: a person asks for one, and it is read for each row. */
const files: Record<string, { path: string; tells: (line: string, row: Row) => boolean }> = {
  export: { path: `${T}/tasks/export?format=csv`, tells: (line, { word }) => line.includes(word) },
  'export of cards': {
    path: `${T}/assigned/export?format=csv&fields=id`,
    tells: (line, { idCard }) => line.replaceAll('"', '') === String(idCard),
  },
}

describe.each(Object.entries(files))('%s', (_name, { path, tells }) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'tells %s of what it reaches alone',
    async (login, person) => {
      const answer = await as(login).get(path)
      expect(answer.status).toBe(200)
      const lines = answer.text.trim().split('\r\n')
      const told = of(login).map((row) => [row.relation, lines.some((line) => tells(line, row))])
      expect(told).toEqual(relations.map((relation) => [relation, sees(person, relation)]))
    },
  )
})

describe.each(Object.entries(actions))('%s', (name, act) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'is let to %s as far as it reaches',
    async (login, person) => {
      for (const row of of(login)) {
        const status = await act(as(login), row)
        expect([row.relation, name, status < 300, status]).toEqual([
          row.relation,
          name,
          writes(person, row.relation),
          status,
        ])
        // What one does not see is not there, whatever one may do.
        if (status >= 300) expect([403, 404, 422]).toContain(status)
      }
    },
  )
})

describe('counters', () => {
  it.each(people.map((person) => [person.login, person] as const))(
    'count for %s what it sees',
    async (login, person) => {
      if (person.other === 'outsider') return
      const { items } = good(
        await as(login).get(
          `${T}/members?filter[id]=${helper}&fields=tasksToday,tasksTomorrow,tasksYesterday,tasksOther`,
        ),
      )
      const seen = rows.filter(
        (row) =>
          row.relation.endsWith('withPeople') &&
          (row.person.login === login ? sees(person, row.relation) : seesOf(person)),
      )
      const { tasksToday, tasksTomorrow, tasksYesterday, tasksOther } = items[0]
      expect(tasksToday + tasksTomorrow + tasksYesterday + tasksOther).toBe(seen.length)
    },
  )
})

/** Of others' tasks with people on them, who has to do with none of them sees all or nothing. */
const seesOf = ({ view, other }: Person): boolean => (other ? true : view === 'all')
