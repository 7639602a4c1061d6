/** «Мои задачи»: membership by several roles at once. */
import { waitsForCheck } from '@ordinator/model/areas/tasks/mine'
import { Task } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, type Filter, listPath } from '@ordinator/model/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createVisibility } from '#records/visibility.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
const ids: Record<string, number> = {}
beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      for (const login of ['boss', 'nurse', 'doctor'])
        ids[login] = (await addPerson(context, login, ['viewTasksManagement'])).id
    },
  })
})
afterAll(() => clinic.close())

it("includes tasks by executor or responsible, each once, and of others' only visible ones", async () => {
  const [boss, nurse] = [clinic.as('boss'), clinic.as('nurse')]
  const [me, other] = [ids.nurse as number, ids.doctor as number]
  const board = (await boss.post('/tasks-management/boards', { name: 'Чьи задачи' })).body
  const member = async (idUser: number, permissionToViewTasks: string) =>
    (await boss.post('/tasks-management/members', { idBoard: board.id, idUser, permissionToViewTasks })).body.id
  const [mine, theirs] = [await member(me, 'my'), await member(other, 'my')]
  const make = async (name: string, parts: [path: string, idMember: number][]) => {
    const { id } = (await boss.post('/tasks-management/tasks', { name, idColumn: board.idColumnNew })).body
    for (const [path, idMember] of parts) await boss.post(`/tasks-management/${path}`, { idTask: id, idMember })
    return id as number
  }
  const executes = await make('Исполняет', [['executors', mine]])
  const answers = await make('Отвечает', [['responsible', mine]])
  const both = await make('И то и другое', [
    ['executors', mine],
    ['responsible', mine],
    ['executors', theirs],
  ])
  const another = await make('Чужая', [['executors', theirs]])
  const found = async (who: typeof boss, filter: AnyFilter) => {
    const path = listPath(Task, { filter: filter as Filter<typeof Task>, sort: 'id', limit: 50, count: true })
    const { body } = await who.get(path)
    expect(body._meta.totalCount).toBe(body.items.length)
    return body.items.map(({ id }: { id: number }) => id)
  }
  const here: AnyFilter = { id: { in: [executes, answers, both, another] } }
  const of = (idUser: number): AnyFilter => ({
    or: [{ 'executors.member.idUser': idUser }, { 'responsible.member.idUser': idUser }],
  })
  expect(await found(boss, { and: [here, of(me)] })).toEqual([executes, answers, both])
  expect(await found(boss, { and: [here, { not: of(me) }] })).toEqual([another])
  expect(await found(nurse, { and: [here, of(me)] })).toEqual([executes, answers, both])
  // Of the doctor's tasks the nurse sees the one that is her own, too.
  expect(await found(nurse, { and: [here, of(other)] })).toEqual([both])
  expect(await found(nurse, { and: [here, { not: of(other) }] })).toEqual([executes, answers])

  // A subscription queries single tasks: it does not collect all own tasks for every event.
  const filters = vi.spyOn(clinic.db.filters, 'query')
  const actor = { id: me, permissions: { viewTasksManagement: true }, timeZone: 'Europe/Moscow' } as const
  const filter = {
    'filter[or][0][executors.member.idUser]': `${me}`,
    'filter[or][1][responsible.member.idUser]': `${me}`,
  }
  const [matched] = await createVisibility(clinic.db, clinic.context.registry).checkFilters(
    Task.path,
    [executes, answers, both, another],
    [{ filter, viewers: [{ id: me, actor }] }],
  )
  expect([...(matched?.get(me) ?? [])].sort((a, b) => a - b)).toEqual([executes, answers, both])
  expect(filters.mock.calls.map(([{ text }]) => text).join()).not.toMatch(/"id" in \(select/)

  await boss.put(`/tasks-management/tasks/${answers}`, { isWaitCheck: true })
  expect(await found(nurse, { and: [here, waitsForCheck(me)] })).toEqual([answers])
  expect(await found(nurse, { and: [here, waitsForCheck(other)] })).toEqual([])
})
