/** States of tasks over HTTP: verbs, flags, linked columns in both directions, notices, undo, jobs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
/** Creates tasks; executes them; is responsible for them; sees everything and nothing more. */
let owner: Caller
let anna: Caller
let boris: Caller
let vera: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, { owner: [], anna: [], boris: [], vera: [] })
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
  boris = clinic.as('boris')
  vera = clinic.as('vera')
})
afterAll(() => clinic.close())

const columns = ['idColumnNew', 'idColumnWork', 'idColumnWait', 'idColumnCompleted', 'idColumnExpired'] as const
type Board = Record<(typeof columns)[number] | 'id', number>

/** A board with anna (sees, drags), boris and vera, and a task with anna as executor and boris as responsible. */
async function scene(body: object = {}, rights: object = {}) {
  const board = (await hands(owner).board()) as Board
  const see = { permissionToViewTasks: 'all', permissionToEditTasks: 'none', canManuallyDragTask: true, ...rights }
  const member: Record<string, number> = {}
  for (const name of ['anna', 'boris', 'vera'])
    member[name] = (await hands(owner).member(board.id, ids[name] as number, see)).id
  await closesForExecutors(board, false)
  const task = await hands(owner).task(board.idColumnNew, { name: 'Протокол', ...body })
  good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: member.anna }), 201)
  good(await owner.post(`${T}/responsible`, { idTask: task.id, idMember: member.boris }), 201)
  return { board, task, member, card: (await hands(owner).card(task.id)).id as number }
}

/** The owner's own membership cannot be changed over HTTP. */
const closesForExecutors = (board: Board, may: boolean) =>
  clinic.db.query({
    text: 'update tasks_management_members set "creatorClosesTaskAsExecutor" = $2 where "idBoard" = $1',
    values: [board.id, may],
  })

const use = (caller: Caller, idTask: number, verb: string, comment?: string) =>
  caller.post(`${T}/tasks/${idTask}/state`, { verb, ...(comment ? { comment } : {}) })
const columnOf = async (board: Board, idTask: number) => {
  const { idColumn } = await hands(owner).card(idTask)
  return columns.find((name) => board[name] === idColumn)?.slice('idColumn'.length)
}
const lines = async (idTask: number) =>
  good(await owner.get(`${T}/comments?filter[type]=task&filter[idEntity]=${idTask}&sort=id`)).items as {
    message: string
    isSystem: boolean
    idUser: number
    meta: { verb: string } | null
  }[]
const noticesOf = async (login: string, idTask: number): Promise<string[]> =>
  (
    await clinic.db.query<{ kind: string }>({
      text: 'select kind from notifications where "idUser" = $1 and "idEntity" = $2 and path = $3 and not deleted order by id',
      values: [ids[login], idTask, 'tasks-management/tasks'],
    })
  ).map(({ kind }) => kind)
const drop = (caller: Caller, card: number, idColumn: number) =>
  caller.post(`${T}/assigned/${card}/move`, { at: 'first', to: { idColumn } })

describe('verbs', () => {
  it('move a task from new to completed, with its card, its lines and its notices', async () => {
    const { board, task } = await scene()
    expect(await noticesOf('anna', task.id)).toEqual(['task.assigned'])
    expect(await noticesOf('boris', task.id)).toEqual(['task.assigned'])
    const started = good(await use(anna, task.id, 'start'))
    expect(Date.now() - Date.parse(started.dateWorkStart)).toBeLessThan(60_000)
    expect(await columnOf(board, task.id)).toBe('Work')
    expect(good(await use(anna, task.id, 'handIn'))).toMatchObject({ isWaitCheck: true })
    expect(await columnOf(board, task.id)).toBe('Wait')
    const back = good(await use(boris, task.id, 'sendBack', '<p>Нет подписи</p>'))
    expect(back).toMatchObject({ isWaitCheck: false, isNeedChange: true, dateWorkStart: started.dateWorkStart })
    expect(await columnOf(board, task.id)).toBe('Work')
    good(await use(anna, task.id, 'handIn'))
    const done = good(await use(boris, task.id, 'accept'))
    expect(done).toMatchObject({ isCompleted: true, isWaitCheck: false, isNeedChange: false })
    expect(Date.now() - Date.parse(done.dateCompleted)).toBeLessThan(60_000)
    expect(await columnOf(board, task.id)).toBe('Completed')
    expect(good(await use(owner, task.id, 'reopen'))).toMatchObject({ isCompleted: false, dateCompleted: null })
    expect(await columnOf(board, task.id)).toBe('Work')

    const written = await lines(task.id)
    expect(written.map((line) => [line.message, line.isSystem, line.meta?.verb])).toEqual([
      ['Задача взята в работу', true, 'start'],
      ['Задача сдана на проверку', true, 'handIn'],
      ['Задача возвращена на доработку', true, 'sendBack'],
      ['<p>Нет подписи</p>', false, 'sendBack'],
      ['Задача сдана на проверку', true, 'handIn'],
      ['Работа принята, задача завершена', true, 'accept'],
      ['Задача возвращена в работу', true, 'reopen'],
    ])
    expect(written[3]?.idUser).toBe(ids.boris)
    expect(await noticesOf('owner', task.id)).toEqual(['task.handIn', 'task.sentBack', 'task.handIn', 'task.accepted'])
    expect(await noticesOf('boris', task.id)).toEqual([
      'task.assigned',
      'task.handIn',
      'task.handIn',
      // His comment has started watching.
      'task.reopened',
    ])
    expect(await noticesOf('anna', task.id)).toEqual([
      'task.assigned',
      'task.sentBack',
      'task.accepted',
      'task.reopened',
    ])
    const { items } = good(await owner.get(`${T}/tasks/${task.id}/history?limit=50`))
    expect(items.filter((line: { changes: object }) => 'isWaitCheck' in line.changes)).toHaveLength(4)
  })

  it('are refused with the reason: by state, by right, and without access', async () => {
    const { task } = await scene()
    const refused = await use(vera, task.id, 'start')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Взять в работу может исполнитель или тот, кому дано право изменять задачу',
    ])
    const early = await use(owner, task.id, 'complete')
    expect([early.status, early.body.message]).toEqual([403, 'Сначала исполнители сдают задачу на проверку'])
    const idle = await use(anna, task.id, 'accept')
    expect([idle.status, idle.body.message]).toEqual([409, 'Задача не на проверке'])
    good(await use(anna, task.id, 'handIn'))
    for (const comment of [undefined, '<p> </p>']) {
      const mute = await use(owner, task.id, 'sendBack', comment)
      expect([mute.status, mute.body]).toEqual([422, [{ field: 'comment', message: 'Напишите, что нужно исправить' }]])
    }
    expect((await use(owner, task.id, 'fly')).status).toBe(422)
    const hidden = await scene({}, { permissionToViewTasks: 'none' })
    expect((await use(vera, hidden.task.id, 'start')).status).toBe(404)
    expect((await use(anna, hidden.task.id, 'start')).status).toBe(404)
  })

  it('the right lets the creator close for the executors, and a responsible always may', async () => {
    const { task, board } = await scene()
    const mine = await hands(boris).task(undefined)
    expect(good(await use(boris, mine.id, 'complete')).isCompleted).toBe(true)
    expect((await use(owner, task.id, 'complete')).status).toBe(403)
    await closesForExecutors(board, true)
    expect(good(await use(owner, task.id, 'complete')).isCompleted).toBe(true)
    const other = await scene()
    expect(good(await use(boris, other.task.id, 'complete')).isCompleted).toBe(true)
  })

  it('are applied once under concurrent clicks', async () => {
    const { task } = await scene()
    const answers = await Promise.all(Array.from({ length: 5 }, () => use(anna, task.id, 'handIn')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await lines(task.id)).toHaveLength(1)
  })
})

describe('flags of a PUT', () => {
  it('map to verbs and follow their rules', async () => {
    const { task, member } = await scene()
    const put = (caller: Caller, body: object) => caller.put(`${T}/tasks/${task.id}`, body)
    expect((await put(anna, { isWaitCheck: true })).status).toBe(403)
    good(await owner.put(`${T}/members/${member.vera}`, { permissionToEditTasks: 'all' }))
    // «Завершить» by an editor submits for check.
    expect(good(await put(vera, { isCompleted: true }))).toMatchObject({
      isCompleted: false,
      isWaitCheck: true,
      dateCompleted: null,
    })
    expect((await put(vera, { isCompleted: true })).status).toBe(403)
    expect((await put(owner, { isNeedChange: true })).body).toEqual([
      { field: 'isNeedChange', message: 'Напишите, что нужно исправить' },
    ])
    expect((await put(owner, { isWaitCheck: false })).body.message).toBe(
      'Верните задачу на доработку и напишите, что исправить',
    )
    const contrary = await put(owner, { isCompleted: true, isWaitCheck: true })
    expect([contrary.status, contrary.body[0].field]).toEqual([422, 'isWaitCheck'])
    const done = good(await put(owner, { isCompleted: true, name: 'Готово' }))
    expect(done).toMatchObject({ isCompleted: true, isWaitCheck: false, name: 'Готово' })
    expect((await lines(task.id)).map((line) => line.meta?.verb)).toEqual(['handIn', 'accept'])
    expect((await owner.post(`${T}/tasks`, { name: 'x', isCompleted: true, isNeedChange: true })).status).toBe(422)
  })
})

describe('linked columns', () => {
  it('a drop sets the state, and moves the card on every other board, in one write each', async () => {
    const { board, task, card } = await scene()
    const other = (await hands(owner).board()) as Board
    const second = good(await owner.post(`${T}/assigned`, { idTask: task.id, idColumn: other.idColumnNew }), 201)
    await hands(owner).task(other.idColumnWork, { name: 'раньше' })
    const before = good(await owner.get(`${T}/assigned/${card}`))._version
    good(await drop(anna, card, board.idColumnWork))
    expect(good(await owner.get(`${T}/assigned/${card}`))._version).toBe(before + 1)
    const moved = good(await owner.get(`${T}/assigned/${second.id}`))
    expect(moved).toMatchObject({ idColumn: other.idColumnWork, _version: second._version + 1 })
    expect(good(await owner.get(`${T}/assigned?filter[idColumn]=${other.idColumnWork}`)).items[0].id).toBe(second.id)
    good(await drop(anna, card, board.idColumnWait))
    expect(good(await owner.get(`${T}/tasks/${task.id}`))).toMatchObject({ isWaitCheck: true })
    expect((await lines(task.id)).map((line) => line.meta?.verb)).toEqual(['start', 'handIn'])
  })

  it("a drop is refused with the verb's reason, and changes nothing", async () => {
    const { board, task, card } = await scene()
    const cases: [Caller, number, string][] = [
      [vera, board.idColumnWork, 'Взять в работу может исполнитель или тот, кому дано право изменять задачу'],
      [owner, board.idColumnCompleted, 'Сначала исполнители сдают задачу на проверку'],
      [anna, board.idColumnCompleted, 'Завершит задачу тот, кто её проверяет: перенесите её на проверку'],
      [owner, board.idColumnExpired, 'В колонке просроченных бывают только задачи, срок которых прошёл'],
    ]
    for (const [who, column, reason] of cases) {
      const answer = await drop(who, card, column)
      expect([answer.status, answer.body.message]).toEqual([403, reason])
    }
    expect(await columnOf(board, task.id)).toBe('New')
    good(await use(anna, task.id, 'handIn'))
    expect((await drop(owner, card, board.idColumnWork)).body.message).toBe(
      'Верните задачу на доработку и напишите, что исправить',
    )
    expect(await columnOf(board, task.id)).toBe('Wait')
  })

  it('a drop into an unlinked column keeps the state, and a late task can be dropped among the late', async () => {
    const { board, task, card } = await scene({ dateEnd: new Date(Date.now() - 60_000).toISOString() })
    const free = good(await owner.post(`${T}/columns`, { idBoard: board.id, name: 'Ждём лабораторию' }), 201)
    good(await use(anna, task.id, 'start'))
    const version = good(await owner.get(`${T}/tasks/${task.id}`))._version
    good(await drop(anna, card, free.id))
    good(await drop(anna, card, board.idColumnExpired))
    good(await drop(anna, card, board.idColumnWork))
    expect(good(await owner.get(`${T}/tasks/${task.id}`))._version).toBe(version)
    // Without a column for the state the card stays in place.
    good(await owner.put(`${T}/boards/${board.id}`, { idColumnWait: null }))
    good(await use(anna, task.id, 'handIn'))
    expect(await columnOf(board, task.id)).toBe('Work')
  })

  it('a task created in a linked column gets its state', async () => {
    const { board } = await scene()
    expect((await hands(owner).task(board.idColumnNew)).dateWorkStart).toBeNull()
    expect((await hands(owner).task(board.idColumnWork)).dateWorkStart).not.toBeNull()
    expect(await hands(owner).task(board.idColumnWait)).toMatchObject({ isWaitCheck: true })
    const done = await hands(owner).task(board.idColumnCompleted)
    expect(done).toMatchObject({ isCompleted: true })
    expect(done.dateCompleted).not.toBeNull()
    expect((await owner.post(`${T}/tasks`, { name: 'x', idColumn: board.idColumnExpired })).status).toBe(403)
  })
})

describe('undo', () => {
  it('restores flags, dates and places, and removes the line, the comment and the notices', async () => {
    const { board, task, card } = await scene()
    await hands(owner).task(board.idColumnNew, { name: 'сверху' })
    const before = good(await owner.get(`${T}/tasks/${task.id}`))
    const place = good(await owner.get(`${T}/assigned/${card}`))
    good(await use(anna, task.id, 'handIn'))
    expect((await use(owner, task.id, 'undo')).body.message).toBe(
      'Отменить уже нельзя: состояние задачи с тех пор изменилось',
    )
    good(await use(anna, task.id, 'undo'))
    const after = good(await owner.get(`${T}/tasks/${task.id}`))
    const fields = ['isCompleted', 'isWaitCheck', 'isNeedChange', 'dateWorkStart', 'dateCompleted'] as const
    for (const name of fields) expect([name, after[name]]).toEqual([name, before[name]])
    expect(good(await owner.get(`${T}/assigned/${card}`))).toMatchObject({
      idColumn: place.idColumn,
      order: place.order,
    })
    expect(await lines(task.id)).toEqual([])
    expect((await use(anna, task.id, 'undo')).status).toBe(409)
    good(await use(anna, task.id, 'handIn'))
    good(await use(boris, task.id, 'sendBack', '<p>Не то</p>'))
    good(await use(boris, task.id, 'undo'))
    expect(good(await owner.get(`${T}/tasks/${task.id}`))).toMatchObject({ isWaitCheck: true, isNeedChange: false })
    expect((await lines(task.id)).map((line) => line.meta?.verb)).toEqual(['handIn'])
  })

  it('happens when a card is moved back', async () => {
    const { board, task, card } = await scene()
    good(await use(anna, task.id, 'start'))
    good(await drop(owner, card, board.idColumnWait))
    // As the reviewer, the owner would have to give a reason.
    good(await drop(owner, card, board.idColumnWork))
    expect(good(await owner.get(`${T}/tasks/${task.id}`))).toMatchObject({ isWaitCheck: false, isNeedChange: false })
    expect((await lines(task.id)).map((line) => line.meta?.verb)).toEqual(['start'])
  })
})

describe('jobs', () => {
  const past = () => new Date(Date.now() - 60_000).toISOString()

  it('mark late tasks once with two servers, and unmark them when their end moves', async () => {
    const { board, task } = await scene({ dateEnd: past() })
    const waiting = await scene({ dateEnd: past() })
    good(await use(anna, waiting.task.id, 'handIn'))
    const done = await hands(owner).task(board.idColumnCompleted, { dateEnd: past() })
    const other = await clinic.secondProcess()
    await Promise.all([clinic, other].map((app) => app.context.jobs.run('tasks.expiry')))
    await other.close()
    const late = good(await owner.get(`${T}/tasks/${task.id}`))
    expect(late.dateExpired).not.toBeNull()
    expect(await columnOf(board, task.id)).toBe('Expired')
    for (const login of ['anna', 'boris'])
      expect((await noticesOf(login, task.id)).filter((kind) => kind === 'task.expired')).toHaveLength(1)
    expect(await noticesOf('owner', task.id)).toEqual([])
    for (const id of [waiting.task.id, done.id])
      expect(good(await owner.get(`${T}/tasks/${id}`)).dateExpired).toBeNull()
    await clinic.context.jobs.run('tasks.expiry')
    expect(good(await owner.get(`${T}/tasks/${task.id}`))._version).toBe(late._version)

    good(await owner.put(`${T}/tasks/${task.id}`, { dateEnd: new Date(Date.now() + 3600_000).toISOString() }))
    expect(good(await owner.get(`${T}/tasks/${task.id}`)).dateExpired).toBeNull()
    expect(await columnOf(board, task.id)).toBe('New')
  })

  it('mark the late ones, even if one of them fails', async () => {
    const [bad, good1] = [await scene({ dateEnd: past() }), await scene({ dateEnd: past() })]
    await clinic.db.query({
      text: `create function refuse_late() returns trigger language plpgsql as $$
        begin if new."id" = ${Number(bad.task.id)} then raise exception 'no'; end if; return new; end $$;
        create trigger refuse_late before update on tasks_management_tasks for each row execute function refuse_late()`,
    })
    await clinic.context.jobs.run('tasks.expiry')
    await clinic.db.query({ text: 'drop function refuse_late() cascade' })
    expect(good(await owner.get(`${T}/tasks/${good1.task.id}`)).dateExpired).not.toBeNull()
    expect(good(await owner.get(`${T}/tasks/${bad.task.id}`)).dateExpired).toBeNull()
    await clinic.context.jobs.run('tasks.expiry')
    expect(good(await owner.get(`${T}/tasks/${bad.task.id}`)).dateExpired).not.toBeNull()
  })

  it('archive tasks completed long enough ago, per board', async () => {
    const [one, two] = [await scene(), await scene()]
    good(await owner.put(`${T}/boards/${one.board.id}`, { timeArchiveTaskCompleted: 3 }))
    const made = async ({ board }: { board: Board }, days: number) => {
      const task = await hands(owner).task(board.idColumnCompleted)
      await clinic.db.query({
        text: `update tasks_management_tasks set "dateCompleted" = now() - make_interval(days => $1) where id = $2`,
        values: [days, task.id],
      })
      return task.id as number
    }
    const [old, fresh, elsewhere] = [await made(one, 4), await made(one, 2), await made(two, 400)]
    const other = await clinic.secondProcess()
    await Promise.all([clinic, other].map((app) => app.context.jobs.run('tasks.archive')))
    await other.close()
    const archived = async (id: number) => (await hands(owner).card(id)).isArchive
    expect([await archived(old), await archived(fresh), await archived(elsewhere)]).toEqual([true, false, false])
    expect((await hands(owner).card(old))._version).toBe(2)
    // Reopening it restores it to the board.
    good(await use(owner, old, 'reopen'))
    expect(await hands(owner).card(old)).toMatchObject({ isArchive: false, idColumn: one.board.idColumnWork })
  })
})
