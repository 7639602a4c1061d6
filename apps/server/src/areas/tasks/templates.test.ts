import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
let boris: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => void (ids = await addPeople(app, { owner: [], anna: [], boris: [] })),
  })
  ;[owner, anna, boris] = [clinic.as('owner'), clinic.as('anna'), clinic.as('boris')]
})
afterAll(() => clinic.close())

const id = (login: string) => ids[login] as number
const day = (text: string) => `2026-12-${text}:00.000Z`
const same = (a: string | null, b: string) => expect(a && Date.parse(a)).toBe(Date.parse(b))

/** A board with a complete task: people, tags, a check list, a subtask of a subtask. */
async function laden() {
  const board = await hands(owner).board()
  const annaThere = await hands(owner).member(board.id, id('anna'), { permissionToViewTasks: 'all' })
  const task = await hands(owner).task(board.idColumnWork, {
    name: 'Отчёт',
    description: '<p>Как сдать</p>',
    importance: 7,
    dateStart: day('01T09:00'),
    dateEnd: day('03T18:00'),
  })
  good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: annaThere.id }), 201)
  good(await owner.post(`${T}/tags`, { idTask: task.id, name: 'Важное', color: '#ff0000' }), 201)
  const list = good(await owner.post(`${T}/check-lists`, { idTask: task.id, name: 'Шаги' }), 201)
  for (const name of ['Раз', 'Два'])
    good(
      await owner.post(`${T}/check-list-items`, {
        idCheckList: list.id,
        name,
        isCheck: true,
        idExecutor: annaThere.id,
      }),
      201,
    )
  const parts = []
  for (const [name, parent] of [
    ['Часть', 0],
    ['Часть части', 1],
  ] as const) {
    const part = await hands(owner).task(board.idColumnNew, { name, dateEnd: day('02T12:00') })
    parts.push(part)
    good(
      await owner.post(`${T}/subtasks`, { idParentTask: parent === 0 ? task.id : parts[0].id, idTask: part.id }),
      201,
    )
  }
  good(await owner.put(`${T}/tasks/${task.id}`, { isCompleted: true }))
  return { board, task, annaThere, card: await hands(owner).card(task.id) }
}

/** All copied data of a task. */
async function whole(idTask: number) {
  const task = good(await owner.get(`${T}/tasks/${idTask}?expand=executors,tags,entities,subtasks.task,assigned`))
  const lists = await Promise.all(
    task.entities.map(async (link: { idEntity: number }) =>
      good(await owner.get(`${T}/check-lists/${link.idEntity}?expand=items`)),
    ),
  )
  return { ...task, lists }
}

it('a template keeps everything but the state, and its task gets it back, with the dates moved alike', async () => {
  const { board, task, annaThere, card } = await laden()
  const made = good(await owner.post(`${T}/assigned/template`, { ids: [card.id], expand: 'task' }))
  expect(made.items).toHaveLength(1)
  // Relations are named in the address as well as in the body.
  for (const call of ['template', 'duplication'])
    expect(good(await owner.post(`${T}/assigned/${call}?expand=task`, { ids: [card.id] })).items).toMatchObject([
      { task: { name: 'Отчёт' } },
    ])
  expect(made.items[0]).toMatchObject({ idColumn: board.idColumnNew, task: { name: 'Отчёт', isTemplate: true } })
  const template = await whole(made.items[0].idTask)
  expect(template).toMatchObject({
    isTemplate: true,
    isCompleted: false,
    dateCompleted: null,
    description: '<p>Как сдать</p>',
    importance: 7,
    idUser: id('owner'),
    executors: [{ idMember: annaThere.id }],
    tags: [{ name: 'Важное', color: '#ff0000' }],
    subtasks: [{ task: { name: 'Часть', isTemplate: true } }],
    lists: [{ name: 'Шаги', items: [{ name: 'Раз', isCheck: false, idExecutor: annaThere.id }, { name: 'Два' }] }],
  })

  const { main, subtasks } = good(
    await anna.post(`${T}/assigned/${made.items[0].id}/create-from-template`, {
      idColumn: board.idColumnNew,
      dateStart: day('11T09:00'),
      dateEnd: day('20T18:00'),
    }),
  )
  const fresh = await whole(main.id)
  expect(fresh).toMatchObject({
    isTemplate: false,
    idUser: id('anna'),
    subtasks: [{ task: { name: 'Часть' } }],
    lists: [{ items: [{ isCheck: false }, { isCheck: false }] }],
    assigned: [{ idColumn: board.idColumnNew }],
  })
  same(fresh.dateStart, day('11T09:00'))
  same(fresh.dateEnd, day('20T18:00'))
  expect(subtasks.map((one: { name: string }) => one.name).sort()).toEqual(['Часть', 'Часть части'])
  // The end moved by 17 days.
  for (const part of subtasks) same(part.dateEnd, day('19T12:00'))
  const { items } = good(await owner.get(`${T}/tasks/${task.id}/history`))
  expect(JSON.stringify(items)).not.toContain('isTemplate"')
})

it('duplication: the new end, the start moved alike, into the given column, in order', async () => {
  const { board, card } = await laden()
  const other = await hands(owner).task(board.idColumnNew, { name: 'Вторая' })
  const second = await hands(owner).card(other.id)
  const { items } = good(
    await owner.post(`${T}/assigned/duplication`, {
      ids: [card.id, second.id],
      date: day('13T18:00'),
      idColumn: board.idColumnNew,
    }),
  )
  expect(items.map((one: { idColumn: number }) => one.idColumn)).toEqual([board.idColumnNew, board.idColumnNew])
  const [first, plain] = await Promise.all(items.map((one: { idTask: number }) => whole(one.idTask)))
  same(first.dateStart, day('11T09:00'))
  same(first.dateEnd, day('13T18:00'))
  same(first.subtasks[0].task.dateEnd, day('12T12:00'))
  same(plain.dateEnd, day('13T18:00'))
  const top = good(
    await owner.get(`${T}/assigned?filter[idColumn]=${board.idColumnNew}&expand=task&sort=order&limit=2`),
  )
  expect(top.items.map((one: { task: { name: string } }) => one.task.name)).toEqual(['Отчёт', 'Часть'])
  // A day without a time keeps the hour (spec §7); without one it is due at the end of the day.
  const undated = await hands(owner).card((await hands(owner).task(board.idColumnNew)).id)
  const ofDay = { ids: [card.id, undated.id], date: '2026-12-13', idColumn: board.idColumnWork }
  const again = good(await owner.post(`${T}/assigned/duplication`, ofDay)).items
  const ends = await Promise.all(again.map(async (one: { idTask: number }) => (await whole(one.idTask)).dateEnd))
  expect(ends.map((end) => new Date(end).toISOString())).toEqual([day('13T18:00'), '2026-12-13T20:59:00.000Z'])
  for (const date of ['2026-02-30', '13.12.2026', 'завтра'])
    expect((await owner.post(`${T}/assigned/duplication`, { ...ofDay, date })).status, date).toBe(422)
  const notices = good(await anna.get('/notifications?filter[kind]=task.assigned')).items
  expect(notices.some((one: { idEntity: number }) => one.idEntity === first.id)).toBe(true)
})

it('templates are visible to members, and created and changed with the right to them', async () => {
  const { board, card } = await laden()
  await hands(owner).member(board.id, id('boris'), { permissionToEditTasks: 'all', canCreateTask: false })
  const template = good(await owner.post(`${T}/assigned/template`, { ids: [card.id] })).items[0]
  // «Свои» задачи do not hide a template, and the right to edit tasks does not allow editing it.
  expect((await boris.get(`${T}/assigned/${template.id}`)).status).toBe(200)
  expect((await boris.put(`${T}/tasks/${template.idTask}`, { name: 'Иное' })).status).toBe(403)
  expect((await boris.delete(`${T}/tasks/${template.idTask}`)).status).toBe(403)
  const mine = await hands(owner).task(board.idColumnNew)
  const shown = await hands(anna).card(mine.id)
  expect((await anna.post(`${T}/assigned/template`, { ids: [shown.id] })).status).toBe(403)
  expect((await anna.post(`${T}/tasks`, { name: 'Ш', isTemplate: true, idColumn: board.idColumnNew })).status).toBe(403)
  const refused = await boris.post(`${T}/assigned/${template.id}/create-from-template`, { idColumn: board.idColumnNew })
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'Вам нельзя создавать задачи в этом рабочем пространстве',
  ])
  // A task cannot become a template, which would remove it from the board.
  expect((await owner.put(`${T}/tasks/${mine.id}`, { isTemplate: true })).status).toBe(422)
  expect((await owner.post(`${T}/tasks`, { name: 'Ш', isTemplate: true })).body).toEqual([
    { field: 'idColumn', message: 'Обязательное поле' },
  ])
  const editor = good(await owner.get(`${T}/members?filter[idBoard]=${board.id}&filter[idUser]=${id('boris')}`))
    .items[0]
  good(await owner.put(`${T}/members/${editor.id}`, { permissionToEditTemplates: 'all' }))
  expect((await boris.put(`${T}/tasks/${template.idTask}`, { name: 'Иное' })).status).toBe(200)
  good(await boris.post(`${T}/tasks`, { name: 'Ш', isTemplate: true, idColumn: board.idColumnNew }), 201)
})

it('invisible tasks are not copied, and a column outside the scope is not found', async () => {
  const { board, card } = await laden()
  const elsewhere = await hands(anna).board()
  const hidden = await boris.post(`${T}/assigned/duplication`, { ids: [card.id] })
  expect([hidden.status, hidden.body]).toEqual([422, [{ field: 'ids.0', message: 'Запись не найдена' }]])
  const into = await owner.post(`${T}/assigned/duplication`, { ids: [card.id], idColumn: elsewhere.idColumnNew })
  expect([into.status, into.body]).toEqual([422, [{ field: 'idColumn', message: 'Запись не найдена' }]])
  expect((await owner.post(`${T}/assigned/duplication`, { ids: Array(201).fill(card.id) })).status).toBe(422)
  // A member who sees the task as its executor does not get invisible subtasks.
  const there = await hands(owner).member(board.id, id('boris'))
  good(await owner.post(`${T}/executors`, { idTask: card.idTask, idMember: there.id }), 201)
  const [copy] = good(await boris.post(`${T}/assigned/duplication`, { ids: [card.id] })).items
  const copied = await whole(copy.idTask)
  expect([copied.name, copied.subtasks]).toEqual(['Отчёт', []])
})

it('clearing a workspace keeps its templates', async () => {
  const { board, card } = await laden()
  const template = good(await owner.post(`${T}/assigned/template`, { ids: [card.id] })).items[0]
  good(await owner.delete(`${T}/boards/${board.id}/tasks`))
  expect((await owner.get(`${T}/tasks/${template.idTask}`)).status).toBe(200)
})

it('two hundred copies with their subtasks take a bounded number of statements', async () => {
  const { board } = await laden()
  const cards = []
  for (let n = 0; n < 5; n++) cards.push(await hands(owner).card((await hands(owner).task(board.idColumnNew)).id))
  const counted = async (list: number[]) => {
    const before = await statements()
    good(await owner.post(`${T}/assigned/template`, { ids: list }))
    return (await statements()) - before
  }
  const one = await counted([cards[0].id])
  expect(await counted(cards.map((card) => card.id))).toBe(one)
})

let asked = 0
let watching = false
async function statements(): Promise<number> {
  if (!watching) {
    watching = true
    const { db } = clinic
    const own = db.tx.bind(db)
    db.tx = (run, options) =>
      own(
        (tx) =>
          run({
            ...tx,
            query: (q) => {
              asked++
              return tx.query(q)
            },
            one: (q) => {
              asked++
              return tx.one(q)
            },
          }),
        options,
      )
  }
  return asked
}
