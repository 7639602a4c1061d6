/**
 * Full table of access to tasks: every level × every relation of the user to the task. The expected results are written
 * by hand from spec §6, not derived from the rules under test.
 */
import { Task } from '@ordinator/model/areas/tasks/task'
import { afterAll, beforeAll } from 'vitest'
import type { ServerActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './hands.ts'

export const T = '/tasks-management'
const levels = ['none', 'my', 'emptymy', 'all'] as const
type Level = (typeof levels)[number]

/** The user's relation to the task; «withPeople»: the task has assigned people. */
export const relations = [
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

/** People outside the levels. */
const others = ['owner', 'outsider', 'bypass'] as const
type Other = (typeof others)[number]

export interface Person {
  login: string
  view: Level
  /** For editing, assigning and deleting alike. */
  write: Level
  other?: Other
}
export const people: Person[] = [
  ...levels.flatMap((view) => levels.map((write) => ({ login: `v-${view}-w-${write}`, view, write }))),
  ...others.map((other) => ({ login: other, view: 'none' as const, write: 'none' as const, other })),
]

export const sees = ({ view, other }: Person, relation: Relation): boolean =>
  other ? other !== 'outsider' : reached[view].includes(relation)
export const writes = (person: Person, relation: Relation): boolean =>
  person.other ? person.other !== 'outsider' : sees(person, relation) && reached[person.write].includes(relation)

export interface Row {
  person: Person
  relation: Relation
  /** A unique word, so that a search finds only this task. */
  word: string
  id: number
  idCard: number
  idItem: number
}

export let clinic: Clinic
const callers = new Map<string, Caller>()
export const as = (login: string) => {
  const found = callers.get(login) ?? clinic.as(login)
  callers.set(login, found)
  return found
}
export let helper: number
export let extra: number
export const rows: Row[] = []
export let board: Record<string, number>
export let actors: Map<string, ServerActor>

/** One workspace with a task for each person and relation; created anew for each file. */
export function openRightsTable(): void {
  beforeAll(async () => {
    callers.clear()
    rows.length = 0
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
    // The creator's own defaults must not assign anyone.
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
          permissions: {
            viewTasksManagement: true,
            ...(other === 'bypass' ? { bypassTaskRights: true as const } : {}),
          },
          timeZone: 'Europe/Moscow',
        },
      ]),
    )
  })
  afterAll(() => clinic.close())
}

export const of = (login: string) => rows.filter((row) => row.person.login === login)
export const found = (answer: { body: { items: { id: number }[] } }) => answer.body.items.map(({ id }) => id)

/** Visibility of others' assigned tasks without a relation to them: all or nothing. */
export const seesOf = ({ view, other }: Person): boolean => (other ? true : view === 'all')
