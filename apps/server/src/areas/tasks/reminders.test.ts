import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
const HOUR = 3_600_000
const DAY = 24 * HOUR
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
const LOGINS = ['owner', 'worker', 'approver', 'onlooker'] as const

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) =>
      void (ids = await addPeople(app, { owner: [], worker: [], approver: [], onlooker: [], stranger: [] })),
  })
  await clinic.db.query(sql`update users set "timeZone" = 'America/New_York' where "login" = 'worker'`)
  owner = as('owner')
})
afterAll(() => clinic.close())

const callers = new Map<string, Caller>()
/** One session each: another one would end it. */
function as(login: string): Caller {
  const caller = callers.get(login) ?? clinic.as(login)
  callers.set(login, caller)
  return caller
}
const id = (login: string) => ids[login] as number
const from = (ms: number) => new Date(Date.now() + ms).toISOString()
const run = () => clinic.context.jobs.run('tasks.reminders')
const read = async (idTask: number) => good(await owner.get(`${T}/tasks/${idTask}`))

/** A task with an executor, a responsible and a watcher besides its creator. */
async function manned(body: object = {}) {
  const board = await hands(owner).board()
  const task = await hands(owner).task(board.idColumnWork, { name: 'Сверка кассы', ...body })
  for (const [login, path] of [
    ['worker', 'executors'],
    ['approver', 'responsible'],
    ['onlooker', undefined],
  ] as const) {
    const there = await hands(owner).member(board.id, id(login), {
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'all',
    })
    if (path) good(await owner.post(`${T}/${path}`, { idTask: task.id, idMember: there.id }), 201)
    else good(await as(login).post(`${T}/watchers`, { idTask: task.id }), 201)
  }
  return { board, task }
}

/** Simulates the due time: the reminder began this long ago, and its next occurrence was then. */
async function due(idTask: number, ago = 60_000, first = ago): Promise<void> {
  await clinic.db.query(sql`update tasks_management_tasks set "notificationDate" = ${from(-first)},
    "notificationNext" = ${from(-ago)} where "id" = ${idTask}`)
}

const noticesOf = async (login: string, idTask: number) =>
  good(await as(login).get(`/notifications?filter[kind]=task.reminder&filter[idEntity]=${idTask}`)).items

describe('a write', () => {
  it.each([
    [{ notificationType: 'CUSTOM' }, ['notificationCustomRepeatType', 'notificationCustomRepeatValue']],
    [{ notificationType: 'CUSTOM', notificationCustomRepeatType: 'DAY' }, ['notificationCustomRepeatValue']],
  ])('%j requires the period', async (body, fields) => {
    const answer = await owner.post(`${T}/tasks`, { name: 'а', notificationDate: from(DAY), ...body })
    expect([answer.status, answer.body.map((one: { field: string }) => one.field)]).toEqual([422, fields])
    expect((await owner.post(`${T}/tasks`, { name: 'а', notificationNext: from(DAY) })).status).toBe(422)
  })

  it("stores the author's time zone, and computes the next occurrence", async () => {
    const { task } = await manned({ notificationDate: from(DAY) })
    expect(task).toMatchObject({ notificationTimeZone: 'Europe/Moscow', notificationType: 'ONCE' })
    expect(Date.parse(task.notificationNext)).toBe(Date.parse(task.notificationDate))
    const byWorker = good(
      await as('worker').put(`${T}/tasks/${task.id}`, {
        notificationDate: '2020-01-31T12:00:00Z',
        notificationType: 'EVERYDAY',
      }),
    )
    expect(byWorker.notificationTimeZone).toBe('America/New_York')
    expect(Date.parse(byWorker.notificationNext)).toBeGreaterThan(Date.now())
    expect(Date.parse(byWorker.notificationNext)).toBeLessThan(Date.now() + 25 * HOUR)
    const past = good(await owner.put(`${T}/tasks/${task.id}`, { notificationType: 'ONCE' }))
    expect(past.notificationNext).toBeNull()
    const none = good(await owner.put(`${T}/tasks/${task.id}`, { notificationDate: null }))
    expect(none).toMatchObject({ notificationNext: null, notificationTimeZone: null })
  })
})

describe('a reminder', () => {
  it('notifies executors, responsible, creator and watchers once, in any number of processes', async () => {
    const { task } = await manned({ notificationDate: from(DAY), notificationDescription: 'Пересчитать наличные' })
    await due(task.id)
    const second = await clinic.secondProcess()
    try {
      await Promise.all([
        run(),
        second.context.jobs.run('tasks.reminders'),
        run(),
        second.context.jobs.run('tasks.reminders'),
      ])
    } finally {
      await second.close()
    }
    for (const login of LOGINS) {
      const notices = await noticesOf(login, task.id)
      expect([login, notices.length]).toEqual([login, 1])
      expect(notices[0]).toMatchObject({ title: 'Напоминание: Сверка кассы', text: 'Пересчитать наличные' })
    }
    expect((await as('stranger').get('/notifications')).body.items).toEqual([])
    expect((await read(task.id)).notificationNext).toBeNull()
  })

  it('missed for days fires once and continues with the next occurrence', async () => {
    const { task } = await manned({ notificationDate: from(DAY), notificationType: 'EVERYDAY' })
    await due(task.id, 5 * DAY, 9 * DAY)
    await run()
    await run()
    expect(await noticesOf('worker', task.id)).toHaveLength(1)
    const next = Date.parse((await read(task.id)).notificationNext)
    expect(next).toBeGreaterThan(Date.now())
    expect(next).toBeLessThanOrEqual(Date.now() + DAY)
  })

  it.each([
    ['done', async (idTask: number) => good(await owner.put(`${T}/tasks/${idTask}`, { isCompleted: true }))],
    ['archived', async (idTask: number) => good(await owner.put(`${T}/tasks/${idTask}`, { isArchive: true }))],
    [
      'archived on its board',
      async (idTask: number) => {
        const { id } = await hands(owner).card(idTask)
        good(await owner.put(`${T}/assigned/${id}`, { isArchive: true }))
      },
    ],
    ['deleted', async (idTask: number) => good(await owner.delete(`${T}/tasks/${idTask}`), 204)],
    [
      'template',
      async (idTask: number) =>
        clinic.db.query(sql`update tasks_management_tasks set "isTemplate" = true where "id" = ${idTask}`),
    ],
  ])('does not fire for a task that is %s', async (_, make) => {
    const { task } = await manned({ notificationDate: from(DAY) })
    await due(task.id)
    await make(task.id)
    await run()
    for (const login of LOGINS) expect(await noticesOf(login, task.id)).toEqual([])
  })
})

describe('a repeating task', () => {
  it('when done becomes new again, with its subtasks and its dates moved to this occurrence', async () => {
    const { board, task } = await manned({ notificationDate: from(DAY), notificationType: 'WEEKLY' })
    const part = await hands(owner).task(board.idColumnNew, { name: 'Часть' })
    good(await owner.post(`${T}/subtasks`, { idParentTask: task.id, idTask: part.id }), 201)
    const list = good(await owner.post(`${T}/check-lists`, { idTask: task.id, name: 'Шаги' }), 201)
    const item = good(
      await owner.post(`${T}/check-list-items`, { idCheckList: list.id, name: 'Раз', isCheck: true }),
      201,
    )
    for (const one of [task, part]) {
      good(await owner.put(`${T}/tasks/${one.id}`, { isCompleted: true }))
      const { id } = await hands(owner).card(one.id)
      await clinic.db.query(
        sql`update tasks_management_assigned set "idColumn" = ${board.idColumnCompleted} where "id" = ${id}`,
      )
      await clinic.db.query(sql`update tasks_management_tasks set "dateStart" = ${from(-14 * DAY)},
        "dateEnd" = ${from(-13 * DAY)}, "notificationRound" = null where "id" = ${one.id}`)
    }
    // It began two weeks ago; two occurrences were missed, the dates are those of the first.
    await due(task.id, 7 * DAY, 14 * DAY + HOUR)
    await run()
    for (const one of [task, part]) {
      const anew = await read(one.id)
      expect(anew).toMatchObject({ isCompleted: false, isWaitCheck: false, dateCompleted: null, dateWorkStart: null })
      expect(Math.abs(Date.parse(anew.dateStart) - Date.now())).toBeLessThan(2 * HOUR)
      expect(Math.abs(Date.parse(anew.dateEnd) - Date.now() - DAY)).toBeLessThan(2 * HOUR)
      expect((await hands(owner).card(one.id)).idColumn).toBe(board.idColumnNew)
    }
    expect(good(await owner.get(`${T}/check-list-items/${item.id}`)).isCheck).toBe(false)
    expect(await noticesOf('worker', task.id)).toHaveLength(1)
    const lines = good(await owner.get(`${T}/comments?filter[type]=task&filter[idEntity]=${task.id}`)).items
    expect(lines.filter((one: { message: string }) => one.message === '<p>Задача повторена</p>')).toHaveLength(1)
    const { items } = good(await owner.get(`${T}/tasks/${task.id}/history?limit=10`))
    expect(JSON.stringify(items)).toContain('"isCompleted":[true,false]')

    // The next week's occurrence moves the dates by one more week, not by three.
    good(await owner.put(`${T}/tasks/${task.id}`, { isCompleted: true }))
    const before = await read(task.id)
    await clinic.db.query(sql`update tasks_management_tasks set "notificationDate" = "notificationDate" - interval '7 days',
      "notificationRound" = "notificationRound" - interval '7 days', "notificationNext" = ${from(-HOUR)} where "id" = ${task.id}`)
    await run()
    expect(Date.parse((await read(task.id)).dateEnd) - Date.parse(before.dateEnd)).toBe(7 * DAY)
  })

  it('when not done only reminds', async () => {
    const { board, task } = await manned({ notificationDate: from(DAY), notificationType: 'EVERYDAY' })
    await due(task.id)
    await run()
    expect((await hands(owner).card(task.id)).idColumn).toBe(board.idColumnWork)
    expect(await noticesOf('worker', task.id)).toHaveLength(1)
  })
})
