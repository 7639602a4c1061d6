/** Every exit of the server, for every person of the table of rights. */
import { Task } from '@ordinator/model/areas/tasks/task'
import { describe, expect, it } from 'vitest'
import type { ServerActor } from '#records/actor.ts'
import { createVisibility } from '#records/visibility.ts'
import type { Caller } from '#testing/harness.ts'
import { good } from './testing/hands.ts'
import {
  actors,
  as,
  board,
  clinic,
  found,
  helper,
  of,
  openRightsTable,
  people,
  type Row,
  relations,
  rows,
  sees,
  seesOf,
  T,
} from './testing/rightsTable.ts'

openRightsTable()

/** Every exit that could reveal a task. @returns whether it revealed this one */
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
    const visible = await visibility.checkVisibility(Task.path, [id], [{ id: actor.id, actor }])
    return visible.get(actor.id)?.has(id) ?? false
  },
}

describe.each(Object.entries(exits))('%s', (_name, shows) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'reveals to %s only tasks in their scope',
    async (login, person) => {
      const shown = await Promise.all(of(login).map(async (row) => [row.relation, await shows(as(login), row)]))
      expect(shown).toEqual(relations.map((relation) => [relation, sees(person, relation)]))
    },
  )
})

/** A file contains all tasks at once: it is requested per person, and parsed per row. */
const files: Record<string, { path: string; shows: (line: string, row: Row) => boolean }> = {
  export: { path: `${T}/tasks/export?format=csv`, shows: (line, { word }) => line.includes(word) },
  'export of cards': {
    path: `${T}/assigned/export?format=csv&fields=id`,
    shows: (line, { idCard }) => line.replaceAll('"', '') === String(idCard),
  },
}

describe.each(Object.entries(files))('%s', (_name, { path, shows }) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'reveals to %s only tasks in their scope',
    async (login, person) => {
      const answer = await as(login).get(path)
      expect(answer.status).toBe(200)
      const lines = answer.text.trim().split('\r\n')
      const shown = of(login).map((row) => [row.relation, lines.some((line) => shows(line, row))])
      expect(shown).toEqual(relations.map((relation) => [relation, sees(person, relation)]))
    },
  )
})

describe('counters', () => {
  it.each(people.map((person) => [person.login, person] as const))(
    'count for %s the visible records',
    async (login, person) => {
      if (person.other === 'outsider') return
      const { items } = good(
        await as(login).get(
          `${T}/members?filter[id]=${helper}&fields=tasksToday,tasksTomorrow,tasksYesterday,tasksOther`,
        ),
      )
      const visible = rows.filter(
        (row) =>
          row.relation.endsWith('withPeople') &&
          (row.person.login === login ? sees(person, row.relation) : seesOf(person)),
      )
      const { tasksToday, tasksTomorrow, tasksYesterday, tasksOther } = items[0]
      expect(tasksToday + tasksTomorrow + tasksYesterday + tasksOther).toBe(visible.length)
    },
  )
})
