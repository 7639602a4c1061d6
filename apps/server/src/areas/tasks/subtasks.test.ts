/** Subtasks: creation and links, without cycles, and the effect on a parent when the last one closes. */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
let other: Clinic

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, { owner: [], anna: [] })
    },
  })
  other = await clinic.secondProcess()
  owner = clinic.as('owner')
  anna = clinic.as('anna')
})
afterAll(async () => {
  await other.close()
  await clinic.close()
})

const link = (idParentTask: number, idTask: number, caller = owner) =>
  caller.post(`${T}/subtasks`, { idParentTask, idTask })
const part = (board: { idColumnNew: number }, idParentTask: number, body: object = {}) =>
  hands(owner)
    .task(undefined, { idParentTask, ...body })
    .then((task) => ({ ...task, board }))
const use = async (idTask: number, verb: string) => good(await owner.post(`${T}/tasks/${idTask}/state`, { verb }))
const task = async (id: number, fields = '') =>
  good(await owner.get(`${T}/tasks/${id}${fields && `?fields=${fields}`}`))

describe('subtasks', () => {
  it('are created in their parent, in the column of new tasks, and inherit nothing else', async () => {
    const board = await hands(owner).board()
    const parent = await hands(owner).task(board.idColumnWork, { importance: 9, dateEnd: '2030-01-01T00:00:00Z' })
    const made = await part(board, parent.id, { name: 'Часть' })
    expect(made).toMatchObject({ importance: 1, dateEnd: null, dateWorkStart: null })
    expect(await hands(owner).card(made.id)).toMatchObject({ idColumn: board.idColumnNew })
    expect(await task(parent.id, 'subtasksCount,subtasksCompletedCount')).toMatchObject({
      subtasksCount: 1,
      subtasksCompletedCount: 0,
    })
    good(await owner.put(`${T}/boards/${board.id}`, { idColumnNew: null }))
    expect(await hands(owner).card((await part(board, parent.id)).id)).toMatchObject({ idColumn: board.idColumnWork })
    const { items } = good(await owner.get(`${T}/subtasks?filter[idParentTask]=${parent.id}&expand=task`))
    expect(items.map((one: { task: { name: string } }) => one.task.name)).toEqual(['Часть', 'Задача'])
    good(await owner.post(`${T}/subtasks/${items[1].id}/move`, { at: 'first' }))
    const after = good(await owner.get(`${T}/subtasks?filter[idParentTask]=${parent.id}`)).items
    expect(after.map((one: { id: number }) => one.id)).toEqual([items[1].id, items[0].id])
  })

  it('require the right to change the parent; without access its name is shown only if allowed', async () => {
    const board = await hands(owner).board()
    const member = await hands(owner).member(board.id, ids.anna as number, { permissionToEditTasks: 'all' })
    const parent = await hands(owner).task(board.idColumnNew, { name: 'Тайный план' })
    const child = await part(board, parent.id)
    good(await owner.post(`${T}/executors`, { idTask: child.id, idMember: member.id }), 201)
    const up = async () => good(await anna.get(`${T}/subtasks?filter[idTask]=${child.id}&expand=parentTask`)).items
    expect(await up()).toMatchObject([{ nameParentTask: 'Тайный план', parentTask: null }])
    const [{ id }] = await up()
    good(await owner.put(`${T}/subtasks/${id}`, { canViewUpperTask: false }))
    expect(await up()).toEqual([])
    expect((await anna.post(`${T}/tasks`, { name: 'x', idParentTask: parent.id })).status).toBe(422)
    good(await owner.put(`${T}/members/${member.id}`, { permissionToViewTasks: 'all', permissionToEditTasks: 'none' }))
    const refused = await anna.post(`${T}/tasks`, { name: 'x', idParentTask: parent.id })
    expect([refused.status, refused.body.message]).toEqual([403, 'Вам нельзя изменять родительскую задачу'])
    expect((await link(parent.id, child.id, anna)).status).toBe(403)
  })

  it('are linked once, unlinked and relinked by an undo, and never in a cycle', async () => {
    const board = await hands(owner).board()
    const [a, b, c] = await Promise.all(['а', 'б', 'в'].map((name) => hands(owner).task(board.idColumnNew, { name })))
    expect((await link(a.id, a.id)).body).toEqual([
      { field: 'idTask', message: 'Задача не может быть частью самой себя' },
    ])
    const ab = good(await link(a.id, b.id), 201)
    expect((await link(a.id, b.id)).status).toBe(422)
    good(await link(b.id, c.id), 201)
    const circle = [{ field: 'idTask', message: 'Эта задача уже содержит родительскую: получился бы круг' }]
    expect((await link(c.id, a.id)).body).toEqual(circle)
    expect((await link(b.id, a.id)).body).toEqual(circle)
    expect(await hands(owner).status('DELETE', `subtasks/${ab.id}`)).toBe(204)
    good(await link(c.id, a.id), 201)
    expect((await owner.post(`${T}/subtasks/${ab.id}/restore`)).body).toEqual(circle)
    const template = await hands(owner).task(board.idColumnNew, { isTemplate: true })
    expect((await link(a.id, template.id)).status).toBe(422)
  })

  it('form no cycle under concurrent links and unlinks on two servers', async () => {
    const size = 4
    const board = await hands(owner).board()
    const callers = [owner, other.withToken((await owner.token()) as string)]
    const tasks: number[] = []
    for (let n = 0; n < size; n++) tasks.push((await hands(owner).task(board.idColumnNew)).id)
    const at = fc.nat(size - 1)
    const step = fc.record({ from: at, to: at, unlink: fc.boolean(), server: fc.nat(1) })
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const answers = await Promise.all(
          steps.map(async ({ from, to, unlink, server }) => {
            const caller = callers[server] as Caller
            const pair = `filter[idParentTask]=${tasks[from]}&filter[idTask]=${tasks[to]}`
            if (!unlink) return (await link(tasks[from] as number, tasks[to] as number, caller)).status
            const { items } = good(await caller.get(`${T}/subtasks?${pair}`))
            return items[0] ? (await caller.delete(`${T}/subtasks/${items[0].id}`)).status : 204
          }),
        )
        made += answers.filter((status) => status === 201).length
        for (const status of answers) expect([201, 204, 404, 422]).toContain(status)
        const links = await clinic.db.query<{ idParentTask: number; idTask: number }>({
          text: 'select "idParentTask", "idTask" from tasks_management_subtasks where not deleted and "idTask" = any($1)',
          values: [tasks],
        })
        expect(hasCircle(links.map((one) => [one.idParentTask, one.idTask]))).toBe(false)
      }),
      { numRuns: runs(6, 100) },
    )
    expect(made).toBeGreaterThan(0)
    // Each valid alone, a cycle together.
    for (let n = 0; n < 8; n++) {
      const [a, b] = [await hands(owner).task(board.idColumnNew), await hands(owner).task(board.idColumnNew)]
      const both = await Promise.all([link(a.id, b.id, callers[0]), link(b.id, a.id, callers[1])])
      expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    }
  })

  it('of a deleted parent stay, and are counted again when it is restored; a deleted one is not counted', async () => {
    const board = await hands(owner).board()
    const parent = await hands(owner).task(board.idColumnNew, { name: 'Целое' })
    const child = await part(board, parent.id)
    const up = async () =>
      good(await owner.get(`${T}/subtasks?filter[idTask]=${child.id}`)).items.map(
        (one: { nameParentTask: string | null }) => one.nameParentTask,
      )
    expect(await hands(owner).status('DELETE', `tasks/${parent.id}`)).toBe(204)
    expect((await task(child.id)).id).toBe(child.id)
    expect(await up()).toEqual([null])
    expect(await hands(owner).status('POST', `tasks/${parent.id}/restore`)).toBe(200)
    expect(await up()).toEqual(['Целое'])
    const count = async () => (await task(parent.id, 'subtasksCount')).subtasksCount
    expect(await hands(owner).status('DELETE', `tasks/${child.id}`)).toBe(204)
    expect(await count()).toBe(0)
    expect(await hands(owner).status('POST', `tasks/${child.id}/restore`)).toBe(200)
    expect(await count()).toBe(1)
    good(await owner.put(`${T}/tasks/${parent.id}`, { isArchive: true }))
    expect((await task(child.id)).isArchive).toBe(false)
  })

  it('are copied with their task on request, without state', async () => {
    const board = await hands(owner).board()
    const parent = await hands(owner).task(board.idColumnNew, { name: 'Приём', description: '<p>да</p>' })
    const child = await part(board, parent.id)
    await part(board, child.id)
    await use(child.id, 'complete')
    const copy = async (body: object) =>
      good(await owner.post(`${T}/tasks/${parent.id}/copy`, { idColumn: board.idColumnNew, ...body }), 201)
    const alone = await copy({ name: 'Приём (копия)' })
    expect(await task(alone.idTask, 'name,description,subtasksCount')).toMatchObject({
      name: 'Приём (копия)',
      description: '<p>да</p>',
      subtasksCount: 0,
    })
    const whole = await copy({ withSubtasks: true })
    expect(await task(whole.idTask, 'subtasksCount,subtasksCompletedCount')).toMatchObject({
      subtasksCount: 1,
      subtasksCompletedCount: 0,
    })
    expect((await owner.get(`${T}/assigned/${whole.idAssigned}`)).body).toMatchObject({ idColumn: board.idColumnNew })
    expect((await anna.post(`${T}/tasks/${parent.id}/copy`, { idColumn: board.idColumnNew })).status).toBe(404)
    // In a linked column a copy gets the column's state, as anything created there.
    const there = await copy({ idColumn: board.idColumnWork })
    expect((await task(there.idTask)).dateWorkStart).not.toBeNull()
  })
})

describe('when the last subtask closes', () => {
  const family = async (ofBoard: string, ofTask = 'none') => {
    const board = await hands(owner).board({ approvedAllChildrenTasks: ofBoard })
    const root = await hands(owner).task(board.idColumnNew)
    const parent = await part(board, root.id, { approvedAllChildrenTasks: ofTask })
    const children = [await part(board, parent.id), await part(board, parent.id)]
    return { board, root, parent, children: children.map((one) => one.id as number) }
  }
  const lines = async (id: number) =>
    good(await owner.get(`${T}/comments?filter[type]=task&filter[idEntity]=${id}`)).items.map(
      (line: { message: string }) => line.message,
    )

  it('the parents are completed one by one, with their cards and lines', async () => {
    const { board, root, parent, children } = await family('complete')
    await use(children[0] as number, 'complete')
    expect((await task(parent.id)).isCompleted).toBe(false)
    await use(children[1] as number, 'complete')
    expect(await task(parent.id)).toMatchObject({ isCompleted: true })
    expect(await task(root.id)).toMatchObject({ isCompleted: true })
    expect(await hands(owner).card(root.id)).toMatchObject({ idColumn: board.idColumnCompleted })
    expect(await lines(parent.id)).toEqual(['Закрыты все подзадачи: задача завершена'])
    await use(children[1] as number, 'undo')
    expect([(await task(parent.id)).isCompleted, (await task(root.id)).isCompleted]).toEqual([false, false])
    expect(await hands(owner).card(root.id)).toMatchObject({ idColumn: board.idColumnNew })
  })

  it("the task's setting overrides the board's; «wait» stops there; «none» does nothing", async () => {
    const waits = await family('complete', 'wait')
    for (const id of waits.children) await use(id, 'complete')
    expect(await task(waits.parent.id)).toMatchObject({ isCompleted: false, isWaitCheck: true })
    expect((await task(waits.root.id)).isCompleted).toBe(false)
    expect(await lines(waits.parent.id)).toEqual(['Закрыты все подзадачи: задача отправлена на проверку'])
    const idle = await family('none')
    for (const id of idle.children) await use(id, 'complete')
    expect(await task(idle.parent.id)).toMatchObject({ isCompleted: false, isWaitCheck: false })
  })

  it('even if the last two close concurrently', async () => {
    for (let n = 0; n < 5; n++) {
      const { parent, children } = await family('none', 'complete')
      await Promise.all(children.map((id) => use(id, 'complete')))
      expect((await task(parent.id)).isCompleted).toBe(true)
      expect(await lines(parent.id)).toHaveLength(1)
    }
  })
})

describe('a related workspace', () => {
  it('receives a task by the right of relation here alone, into the column of the relation', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board({ name: 'Лаборатория' })]
    await hands(owner).member(here.id, ids.anna as number, { permissionToViewTasks: 'all', canRelationBoard: true })
    const queue = good(await owner.post(`${T}/columns`, { idBoard: there.id, name: 'Очередь' }), 201)
    const made = await hands(owner).task(here.idColumnNew)
    const { id: idCard } = await hands(owner).card(made.id)
    const relation = good(
      await owner.post(`${T}/relations`, { idBoard: here.id, idRelationBoard: there.id, idColumn: queue.id }),
      201,
    )
    const back = good(await owner.post(`${T}/relations`, { idBoard: there.id, idRelationBoard: here.id }), 201)
    const take = (idRelation: number) => anna.post(`${T}/assigned/${idCard}/relation`, { idRelation })
    expect((await take(back.id)).status).toBe(422)
    expect(good(await take(relation.id))).toEqual({ idBoard: there.id, idColumn: queue.id })
    expect((await anna.get(`${T}/assigned/${idCard}`)).status).toBe(404)
    expect(await hands(owner).card(made.id)).toMatchObject({ id: idCard, idColumn: queue.id })
    expect((await take(relation.id)).status).toBe(404)
  })

  it('returns the task to its sender, with its place, its state and its people', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board({ name: 'Лаборатория' })]
    const member = await hands(owner).member(here.id, ids.anna as number, {
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'all',
      canRelationBoard: true,
    })
    const made = await hands(owner).task(here.idColumnNew)
    good(await owner.post(`${T}/executors`, { idTask: made.id, idMember: member.id }), 201)
    const before = await hands(owner).card(made.id)
    const relation = good(
      await owner.post(`${T}/relations`, {
        idBoard: here.id,
        idRelationBoard: there.id,
        idColumn: there.idColumnWork,
      }),
      201,
    )
    const path = `${T}/assigned/${before.id}/relation`
    expect((await anna.delete(path)).status).toBe(409)
    good(await anna.post(path, { idRelation: relation.id }))
    expect((await hands(owner).card(made.id)).idColumn).toBe(there.idColumnWork)
    expect(good(await owner.get(`${T}/executors?filter[idTask]=${made.id}`)).items).toEqual([])
    expect((await owner.delete(path)).status).toBe(409)
    good(await anna.delete(path), 204)
    expect(await hands(owner).card(made.id)).toMatchObject({ idColumn: here.idColumnNew, order: before.order })
    expect(good(await owner.get(`${T}/executors?filter[idTask]=${made.id}`)).items).toMatchObject([
      { idMember: member.id },
    ])
    expect(good(await anna.get(`${T}/tasks/${made.id}`))).toMatchObject({ dateWorkStart: null, isCompleted: false })
    expect((await anna.delete(path)).status).toBe(409)
  })

  it('is closed without the right, and open to members there by the relation alone', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board()]
    const see = { permissionToViewTasks: 'all' }
    const member = await hands(owner).member(here.id, ids.anna as number, see)
    await hands(owner).member(there.id, ids.anna as number, see)
    const made = await hands(owner).task(here.idColumnNew)
    const { id: idCard } = await hands(owner).card(made.id)
    const move = () => anna.post(`${T}/assigned/${idCard}/move`, { to: { idColumn: there.idColumnNew } })
    const relation = good(await owner.post(`${T}/relations`, { idBoard: here.id, idRelationBoard: there.id }), 201)
    expect((await anna.post(`${T}/assigned/${idCard}/relation`, { idRelation: relation.id })).status).toBe(403)
    expect((await move()).status).toBe(403)
    good(await owner.put(`${T}/members/${member.id}`, { canRelationBoard: true }))
    expect((await move()).status).toBe(403)
    good(await anna.post(`${T}/assigned/${idCard}/relation`, { idRelation: relation.id }))
    expect(await hands(owner).card(made.id)).toMatchObject({ idColumn: there.idColumnNew })
  })

  it('keeps a state that the mover may not change, in its column', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board()]
    await hands(owner).member(here.id, ids.anna as number, { permissionToViewTasks: 'all', canRelationBoard: true })
    const made = await hands(owner).task(here.idColumnWork)
    const { id: idCard } = await hands(owner).card(made.id)
    const relation = good(await owner.post(`${T}/relations`, { idBoard: here.id, idRelationBoard: there.id }), 201)
    const moved = good(await anna.post(`${T}/assigned/${idCard}/relation`, { idRelation: relation.id }))
    expect(moved).toEqual({ idBoard: there.id, idColumn: there.idColumnWork })
    expect((await task(made.id)).dateWorkStart).not.toBeNull()
  })
})

function hasCircle(links: [number, number][]): boolean {
  const below = (id: number, seen: number[]): boolean =>
    seen.includes(id) || links.filter(([from]) => from === id).some(([, to]) => below(to, [...seen, id]))
  return links.some(([from]) => below(from, []))
}
