/** Every operation that changes a task, for every person of the table of rights. */
import { describe, expect, it } from 'vitest'
import type { Caller } from '#testing/harness.ts'
import { good } from './testing/hands.ts'
import { as, extra, of, openRightsTable, people, type Row, T, writes } from './testing/rightsTable.ts'

openRightsTable()

/** Every operation that changes a task. @returns whether it was allowed; a change is undone */
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

describe.each(Object.entries(actions))('%s', (name, act) => {
  it.each(people.map((person) => [person.login, person] as const))(
    'is allowed to %s within their scope',
    async (login, person) => {
      for (const row of of(login)) {
        const status = await act(as(login), row)
        expect([row.relation, name, status < 300, status]).toEqual([
          row.relation,
          name,
          writes(person, row.relation),
          status,
        ])
        // An invisible task is not found, whatever the rights.
        if (status >= 300) expect([403, 404, 422]).toContain(status)
      }
    },
  )
})
