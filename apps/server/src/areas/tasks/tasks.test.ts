import { overdueToDo } from '@ordinator/model/areas/tasks/mine'
import { queryText } from '@ordinator/model/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
let boris: Caller
let boss: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, { owner: [], anna: [], boris: [], boss: ['bypassTaskRights'] })
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
  boris = clinic.as('boris')
  boss = clinic.as('boss')
})
afterAll(() => clinic.close())

const id = (login: string) => ids[login] as number

describe('a workspace', () => {
  it('starts with its owner as a member with every right and five linked columns', async () => {
    const board = await hands(owner).board({ name: 'Регистратура', icon: 'phone', color: '#1971C2' })
    expect(board).toMatchObject({
      isMember: true,
      isFavourite: false,
      membersCount: 1,
      idUser: id('owner'),
      color: '#1971c2',
      isPublic: false,
    })
    const columns = good(await owner.get(`${T}/columns?filter[idBoard]=${board.id}`)).items
    expect(columns.map((c: { name: string }) => c.name)).toEqual([
      'Новые',
      'В работе',
      'На проверке',
      'Завершённые',
      'Просроченные',
    ])
    expect([
      board.idColumnNew,
      board.idColumnWork,
      board.idColumnWait,
      board.idColumnCompleted,
      board.idColumnExpired,
    ]).toEqual(columns.map((c: { id: number }) => c.id))
    const [member] = good(await owner.get(`${T}/members?filter[idBoard]=${board.id}`)).items
    expect(member).toMatchObject({
      idUser: id('owner'),
      permissionToViewTasks: 'all',
      canEditBoard: true,
      canManuallyDragTask: true,
    })
  })

  it.each([
    [{ name: 'я'.repeat(65) }, 'name', 'Количество символов не должно превышать 64'],
    [{ name: '' }, 'name', 'Обязательное поле'],
    [{ color: 'red' }, 'color', 'Выберите цвет из набора'],
    [{ icon: 'a b' }, 'icon', 'Выберите одно из предложенных значений'],
    [{ idColumnNew: 1 }, 'idColumnNew', 'Колонка должна быть из этого рабочего пространства'],
  ])('refuses %j', async (body, field, message) => {
    const answer = await owner.post(`${T}/boards`, { name: 'Доска', ...body })
    expect([answer.status, answer.body]).toEqual([422, [{ field, message }]])
  })

  it('accepts only its own columns as links, each for one state', async () => {
    const [one, other] = [await hands(owner).board(), await hands(owner).board()]
    const foreign = await owner.put(`${T}/boards/${one.id}`, { idColumnWork: other.idColumnWork })
    expect(foreign.body).toEqual([
      { field: 'idColumnWork', message: 'Колонка должна быть из этого рабочего пространства' },
    ])
    const twice = await owner.put(`${T}/boards/${one.id}`, { idColumnWork: one.idColumnNew })
    expect(twice.body).toEqual([{ field: 'idColumnWork', message: 'Колонка уже связана с другим состоянием' }])
    expect(
      (await owner.put(`${T}/boards/${one.id}`, { idColumnWork: one.idColumnNew, idColumnNew: one.idColumnWork }))
        .status,
    ).toBe(200)
  })

  it('is for its members; a public one is visible to all and joined by POST', async () => {
    const closed = await hands(owner).board()
    expect((await anna.get(`${T}/boards/${closed.id}`)).status).toBe(404)
    expect((await anna.post(`${T}/boards/${closed.id}`)).status).toBe(404)
    const open = await hands(owner).board({ isPublic: true })
    await hands(owner).task(open.idColumnNew)
    expect(good(await anna.get(`${T}/boards/${open.id}`))).toMatchObject({ isMember: false, membersCount: 1 })
    expect(good(await anna.get(`${T}/members?filter[idBoard]=${open.id}`)).items).toEqual([])
    expect(good(await anna.get(`${T}/assigned?filter[idColumn]=${open.idColumnNew}`)).items).toEqual([])
    expect(await hands(anna).status('POST', 'tasks', { name: 'x', idColumn: open.idColumnNew })).toBe(403)
    const joined = good(await anna.post(`${T}/boards/${open.id}`))
    expect(joined).toMatchObject({
      idUser: id('anna'),
      idBoard: open.id,
      permissionToViewTasks: 'my',
      canEditBoard: false,
    })
    expect(good(await anna.post(`${T}/boards/${open.id}`)).id).toBe(joined.id)
    expect(good(await anna.get(`${T}/boards/${open.id}`))).toMatchObject({ isMember: true, membersCount: 2 })
  })

  it('is joined once under repeated clicks', async () => {
    const open = await hands(owner).board({ isPublic: true })
    const joined = await Promise.all(Array.from({ length: 5 }, () => anna.post(`${T}/boards/${open.id}`)))
    expect(new Set(joined.map((answer) => good(answer).id)).size).toBe(1)
  })

  it('is changed by its owner and with the right, deleted by the owner, and restored', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'))
    await hands(owner).member(board.id, id('boris'), { canEditBoard: true })
    expect(await hands(anna).status('PUT', `boards/${board.id}`, { name: 'Анна' })).toBe(403)
    expect(await hands(boris).status('PUT', `boards/${board.id}`, { name: 'Борис' })).toBe(200)
    expect(await hands(boris).status('DELETE', `boards/${board.id}`)).toBe(403)
    expect(await hands(owner).status('DELETE', `boards/${board.id}`)).toBe(204)
    expect(await hands(anna).status('GET', `boards/${board.id}`)).toBe(404)
    expect(await hands(boss).status('GET', `boards/${board.id}`)).toBe(404)
    expect(await hands(owner).status('POST', `boards/${board.id}/restore`)).toBe(200)
    expect(await hands(anna).status('GET', `boards/${board.id}`)).toBe(200)
  })

  it('is cleared by its owner only: tasks are deleted, those of other boards only leave', async () => {
    const [board, other] = [await hands(owner).board(), await hands(owner).board()]
    await hands(owner).member(board.id, id('anna'), { permissionToDeleteTasks: 'all', permissionToViewTasks: 'all' })
    const here = await hands(owner).task(board.idColumnNew)
    const both = await hands(owner).task(board.idColumnNew)
    good(await owner.post(`${T}/assigned`, { idTask: both.id, idColumn: other.idColumnNew }), 201)
    expect(await hands(anna).status('DELETE', `boards/${board.id}/tasks`)).toBe(403)
    expect(good(await owner.delete(`${T}/boards/${board.id}/tasks`))).toEqual({ tasks: 1, cards: 1 })
    expect(good(await owner.get(`${T}/assigned?filter[column.idBoard]=${board.id}`)).items).toEqual([])
    expect(await hands(owner).status('GET', `tasks/${both.id}`)).toBe(200)
    expect(await hands(owner).status('POST', `tasks/${here.id}/restore`)).toBe(200)
    expect(await hands(owner).card(here.id)).toMatchObject({ idColumn: board.idColumnNew })
  })
})

describe('members', () => {
  it('are added by users who may edit the board, with no right beyond their own', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), { canEditBoard: true, permissionToViewTasks: 'emptymy' })
    const beyond = await anna.post(`${T}/members`, {
      idBoard: board.id,
      idUser: id('boris'),
      permissionToViewTasks: 'all',
      canEditColumn: true,
    })
    expect([beyond.status, beyond.body]).toEqual([
      422,
      [
        { field: 'permissionToViewTasks', message: 'Нельзя дать право больше своего' },
        { field: 'canEditColumn', message: 'Нельзя дать право больше своего' },
      ],
    ])
    const member = await hands(anna).member(board.id, id('boris'), { permissionToViewTasks: 'emptymy' })
    expect(await hands(anna).status('PUT', `members/${member.id}`, { permissionToEditTasks: 'all' })).toBe(422)
    good(await owner.put(`${T}/members/${member.id}`, { permissionToEditTasks: 'all' }))
    // Rights given by the owner may stay when anna changes other fields.
    good(await anna.put(`${T}/members/${member.id}`, { permissionToEditTasks: 'all', description: 'Стажёр' }))
    expect(await hands(boris).status('POST', 'members', { idBoard: board.id, idUser: id('boss') })).toBe(403)
    expect(await hands(anna).status('POST', 'members', { idBoard: board.id, idUser: id('boris') })).toBe(422)
  })

  it('change only their own settings, leave, and cannot restore themselves', async () => {
    const board = await hands(owner).board()
    const me = await hands(owner).member(board.id, id('anna'))
    const other = await hands(owner).member(board.id, id('boris'))
    good(await anna.put(`${T}/members/${me.id}`, { isFavourite: true, openAfterCreate: true, isConfirmCreate: true }))
    expect(good(await anna.get(`${T}/boards/${board.id}`)).isFavourite).toBe(true)
    expect(good(await boris.get(`${T}/boards/${board.id}`)).isFavourite).toBe(false)
    expect(await hands(anna).status('PUT', `members/${me.id}`, { permissionToViewTasks: 'all' })).toBe(403)
    expect(await hands(anna).status('PUT', `members/${me.id}`, { description: 'Главная' })).toBe(403)
    expect(await hands(anna).status('PUT', `members/${other.id}`, { isFavourite: true })).toBe(403)
    expect(await hands(anna).status('DELETE', `members/${other.id}`)).toBe(403)
    expect(await hands(anna).status('DELETE', `members/${me.id}`)).toBe(204)
    expect(await hands(anna).status('POST', `members/${me.id}/restore`)).toBe(404)
    expect(await hands(anna).status('GET', `boards/${board.id}`)).toBe(404)
    expect(await hands(owner).status('POST', `members/${me.id}/restore`)).toBe(200)
    expect(await hands(anna).status('GET', `boards/${board.id}`)).toBe(200)
  })

  it('cannot remove the owner', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), { canEditBoard: true })
    const [own] = good(await owner.get(`${T}/members?filter[idBoard]=${board.id}&filter[idUser]=${id('owner')}`)).items
    expect(await hands(anna).status('DELETE', `members/${own.id}`)).toBe(403)
    expect(await hands(owner).status('DELETE', `members/${own.id}`)).toBe(403)
    expect(await hands(anna).status('PUT', `members/${own.id}`, { canEditBoard: false })).toBe(403)
  })
})

describe('columns', () => {
  it('are created, renamed, coloured and ordered with the right', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'))
    await hands(owner).member(board.id, id('boris'), { canEditColumn: true })
    expect(await hands(anna).status('POST', 'columns', { idBoard: board.id, name: 'Идеи' })).toBe(403)
    const column = good(await boris.post(`${T}/columns`, { idBoard: board.id, name: 'Идеи' }), 201)
    good(await boris.put(`${T}/columns/${column.id}`, { name: 'Мысли', color: '#ff0000' }))
    expect(await hands(anna).status('PUT', `columns/${column.id}`, { name: 'x' })).toBe(403)
    expect(await hands(anna).status('POST', `columns/${column.id}/move`, { at: 'first' })).toBe(403)
    good(await boris.post(`${T}/columns/${column.id}/move`, { before: board.idColumnWork }))
    expect(await hands(boris).names(`columns?filter[idBoard]=${board.id}`)).toEqual([
      'Новые',
      'Мысли',
      'В работе',
      'На проверке',
      'Завершённые',
      'Просроченные',
    ])
    expect(await hands(anna).status('DELETE', `columns/${column.id}`)).toBe(403)
    expect(await hands(boris).status('DELETE', `columns/${column.id}`)).toBe(204)
    expect(await hands(boris).status('POST', `columns/${column.id}/restore`)).toBe(200)
  })

  it('are deleted when empty, or after their cards moved to another column in order', async () => {
    const [board, other] = [await hands(owner).board(), await hands(owner).board()]
    for (const name of ['в', 'б', 'а']) await hands(owner).task(board.idColumnNew, { name })
    await hands(owner).task(board.idColumnWork, { name: 'первая' })
    const refused = await owner.delete(`${T}/columns/${board.idColumnNew}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'В колонке есть задачи (3), в том числе из архива. Выберите, куда их перенести',
    ])
    const path = `${T}/columns/${board.idColumnNew}/delete`
    expect((await owner.post(path, {})).status).toBe(409)
    for (const idColumn of [other.idColumnNew, board.idColumnNew, 999_999]) {
      expect((await owner.post(path, { idColumn })).body).toEqual([
        { field: 'idColumn', message: 'Нужна другая колонка этого же рабочего пространства' },
      ])
    }
    expect(good(await owner.post(path, { idColumn: board.idColumnWork }))).toEqual({ moved: 3 })
    const cards = good(await owner.get(`${T}/assigned?filter[idColumn]=${board.idColumnWork}&expand=task`)).items
    expect(cards.map((card: { task: { name: string } }) => card.task.name)).toEqual(['первая', 'а', 'б', 'в'])
    expect((await owner.get(`${T}/assigned/${cards[1].id}/history`)).body.items[0]).toMatchObject({ action: 'update' })
  })
})

describe('tasks', () => {
  it('are created at the top of their column; importance is clamped, dates must be in order', async () => {
    const board = await hands(owner).board()
    await hands(owner).task(board.idColumnNew, { name: 'старая' })
    const task = await hands(owner).task(board.idColumnNew, {
      name: 'новая',
      importance: 99,
      description: '<b>да</b><script>нет</script>',
    })
    expect(task).toMatchObject({ importance: 10, description: '<b>да</b>', idUser: id('owner'), isCompleted: false })
    const cards = good(await owner.get(`${T}/assigned?filter[idColumn]=${board.idColumnNew}&expand=task`)).items
    expect(cards.map((card: { task: { name: string } }) => card.task.name)).toEqual(['новая', 'старая'])
    const wrong = await owner.put(`${T}/tasks/${task.id}`, {
      dateStart: '2026-11-20T10:00:00Z',
      dateEnd: '2026-11-20T12:00:00+03:00',
    })
    expect([wrong.status, wrong.body]).toEqual([
      422,
      [{ field: 'dateEnd', message: 'Срок не может быть раньше начала' }],
    ])
    const done = good(await owner.put(`${T}/tasks/${task.id}`, { isCompleted: true }))
    expect(Date.now() - Date.parse(done.dateCompleted)).toBeLessThan(60_000)
    expect(good(await owner.put(`${T}/tasks/${task.id}`, { isCompleted: false })).dateCompleted).toBeNull()
  })

  it('without a column belong to their creator only', async () => {
    const task = await hands(anna).task(undefined)
    expect(await hands(anna).status('GET', `tasks/${task.id}`)).toBe(200)
    expect(await hands(anna).status('PUT', `tasks/${task.id}`, { name: 'Моё' })).toBe(200)
    expect(await hands(owner).status('GET', `tasks/${task.id}`)).toBe(404)
    expect(await hands(boss).status('GET', `tasks/${task.id}`)).toBe(200)
  })

  it("get the people of the members' settings, and a creator who would lose access becomes executor", async () => {
    const board = await hands(owner).board()
    const a = await hands(owner).member(board.id, id('anna'))
    const people = async (idTask: number) => {
      const task = good(await owner.get(`${T}/tasks/${idTask}?expand=executors,responsible`))
      const members = (list: { idMember: number }[]) => list.map((one) => one.idMember)
      return [members(task.executors), members(task.responsible), task.usersTotalCount]
    }
    expect(await people((await hands(owner).task(board.idColumnNew)).id)).toEqual([[], [], 0])
    const own = await hands(anna).task(board.idColumnNew)
    expect(await people(own.id)).toEqual([[a.id], [], 1])
    expect(await hands(anna).status('GET', `tasks/${own.id}`)).toBe(200)
    const b = await hands(owner).member(board.id, id('boris'), { isDefaultResponsible: true })
    expect(await people((await hands(anna).task(board.idColumnNew)).id)).toEqual([[], [b.id], 1])
    good(await owner.put(`${T}/members/${a.id}`, { isTaskDefaultExecutor: true, isTaskDefaultResponsible: true }))
    expect(await people((await hands(anna).task(board.idColumnNew)).id)).toEqual([[a.id], [a.id, b.id], 2])
    expect(await people((await hands(owner).task(board.idColumnNew)).id)).toEqual([[], [b.id], 1])
  })

  it('are assigned to members of their boards with the right', async () => {
    const [board, other] = [await hands(owner).board(), await hands(owner).board()]
    const a = await hands(owner).member(board.id, id('anna'), {
      permissionToViewTasks: 'all',
      permissionToAssignTasks: 'none',
    })
    const stranger = await hands(owner).member(other.id, id('boris'))
    const task = await hands(owner).task(board.idColumnNew)
    expect(await hands(anna).status('POST', 'executors', { idTask: task.id, idMember: a.id })).toBe(403)
    const refused = await owner.post(`${T}/executors`, { idTask: task.id, idMember: stranger.id })
    expect(refused.body).toEqual([
      { field: 'idMember', message: 'Назначить можно только участника рабочего пространства задачи' },
    ])
    const executor = good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: a.id }), 201)
    expect((await owner.post(`${T}/executors`, { idTask: task.id, idMember: a.id })).status).toBe(422)
    expect(await hands(anna).status('DELETE', `executors/${executor.id}`)).toBe(403)
    // The overdue count of «Мои задачи» is shown to the people of the task only.
    const late = async (caller: Caller) => [
      good(await caller.get('/common/badges')).myTasks ?? 0,
      good(await caller.post('/common/get-account')).user.badges.myTasks ?? 0,
    ]
    const before = await Promise.all([late(anna), late(owner)])
    good(await owner.put(`${T}/tasks/${task.id}`, { dateEnd: new Date(Date.now() - 60_000).toISOString() }))
    expect(await Promise.all([late(anna), late(owner)])).toEqual([before[0].map((n) => n + 1), before[1]])
    // A submitted task is not to be done; the list counts the same.
    const listed = async () => {
      const filter = overdueToDo(id('anna'), new Date().toISOString())
      return good(await anna.get(`${T}/tasks${queryText({ filter, count: true, limit: 0 })}`))._meta.totalCount
    }
    expect(await listed()).toBe((await late(anna))[0])
    good(await owner.put(`${T}/tasks/${task.id}`, { isWaitCheck: true }))
    expect([await listed(), await listed()]).toEqual(before[0])
    expect(await late(anna)).toEqual(before[0])
    good(await owner.put(`${T}/tasks/${task.id}`, { isCompleted: true }))
    expect(await late(anna)).toEqual(before[0])
    expect(await hands(owner).status('DELETE', `executors/${executor.id}`)).toBe(204)
  })

  it('are deleted and restored with the right, into an existing column', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), { permissionToViewTasks: 'all', permissionToDeleteTasks: 'none' })
    await hands(owner).member(board.id, id('boris'), { permissionToViewTasks: 'all', permissionToDeleteTasks: 'all' })
    const task = await hands(owner).task(board.idColumnWork)
    expect(await hands(anna).status('DELETE', `tasks/${task.id}`)).toBe(403)
    expect(await hands(boris).status('DELETE', `tasks/${task.id}`)).toBe(204)
    for (const who of [owner, anna]) {
      expect(good(await who.get(`${T}/assigned?filter[idColumn]=${board.idColumnWork}`)).items).toEqual([])
    }
    expect(await hands(owner).status('DELETE', `columns/${board.idColumnWork}`)).toBe(204)
    expect(await hands(anna).status('POST', `tasks/${task.id}/restore`)).toBe(403)
    expect(await hands(boris).status('POST', `tasks/${task.id}/restore`)).toBe(200)
    expect(await hands(boris).card(task.id)).toMatchObject({ idColumn: board.idColumnNew })
  })

  it('are deleted with their cards, people and tags, for bypass users too', async () => {
    const board = await hands(owner).board()
    const a = await hands(owner).member(board.id, id('anna'))
    const task = await hands(owner).task(board.idColumnNew)
    good(await owner.post(`${T}/executors`, { idTask: task.id, idMember: a.id }), 201)
    expect(await hands(boss).status('DELETE', `tasks/${task.id}`)).toBe(204)
    for (const path of ['assigned', 'executors']) {
      expect([path, good(await boss.get(`${T}/${path}?filter[idTask]=${task.id}`)).items]).toEqual([path, []])
    }
  })

  it('can be tagged by their editors', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), { permissionToViewTasks: 'all' })
    const task = await hands(owner).task(board.idColumnNew)
    const tag = good(await owner.post(`${T}/tags`, { idTask: task.id, name: 'срочно', color: '#ff0000' }), 201)
    expect(good(await anna.get(`${T}/tasks/${task.id}?expand=tags`)).tags).toMatchObject([
      { name: 'срочно', entityType: 'task' },
    ])
    expect(await hands(anna).status('POST', 'tags', { idTask: task.id, name: 'нет' })).toBe(403)
    expect(await hands(anna).status('DELETE', `tags/${tag.id}`)).toBe(403)
    expect(await hands(owner).status('DELETE', `tags/${tag.id}`)).toBe(204)
  })
})

describe('cards', () => {
  it('are moved with the drag right, and keep their order', async () => {
    const board = await hands(owner).board()
    // Into a linked column a card is dropped by the verb of its state.
    good(await owner.put(`${T}/boards/${board.id}`, { idColumnNew: null, idColumnWork: null }))
    await hands(owner).member(board.id, id('anna'), { permissionToViewTasks: 'all', permissionToEditTasks: 'all' })
    await hands(owner).member(board.id, id('boris'), {
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'none',
      canManuallyDragTask: true,
    })
    const cards: Record<string, number> = {}
    for (const name of ['в', 'б', 'а']) {
      const task = await hands(owner).task(board.idColumnNew, { name })
      cards[name] = (await hands(owner).card(task.id)).id
    }
    const order = async (idColumn: number) =>
      good(await boris.get(`${T}/assigned?filter[idColumn]=${idColumn}&expand=task`))
        .items.map((card: { task: { name: string } }) => card.task.name)
        .join('')
    expect(await order(board.idColumnNew)).toBe('абв')
    expect(await hands(anna).status('POST', `assigned/${cards.а}/move`, { at: 'last' })).toBe(403)
    expect(await hands(anna).status('PUT', `assigned/${cards.а}`, { idColumn: board.idColumnWork })).toBe(403)
    good(await boris.post(`${T}/assigned/${cards.а}/move`, { after: cards.б }))
    expect(await order(board.idColumnNew)).toBe('бав')
    good(await boris.post(`${T}/assigned/${cards.в}/move`, { to: { idColumn: board.idColumnWork } }))
    good(await boris.put(`${T}/assigned/${cards.б}`, { idColumn: board.idColumnWork }))
    expect([await order(board.idColumnNew), await order(board.idColumnWork)]).toEqual(['а', 'бв'])
    good(await boris.post(`${T}/assigned/${cards.а}/move`, { before: cards.в, to: { idColumn: board.idColumnWork } }))
    expect(await order(board.idColumnWork)).toBe('бав')
  })

  it('are archived on their board by editors, and everywhere by the task', async () => {
    const board = await hands(owner).board()
    await hands(owner).member(board.id, id('anna'), {
      permissionToViewTasks: 'all',
      canManuallyDragTask: true,
      permissionToEditTasks: 'none',
    })
    const task = await hands(owner).task(board.idColumnNew)
    const card = await hands(owner).card(task.id)
    expect(await hands(anna).status('PUT', `assigned/${card.id}`, { isArchive: true })).toBe(403)
    expect(good(await owner.put(`${T}/assigned/${card.id}`, { isArchive: true })).isArchive).toBe(true)
    expect(await hands(owner).status('GET', `tasks/${task.id}`)).toBe(200)
    expect(good(await owner.put(`${T}/tasks/${task.id}`, { isArchive: true })).isArchive).toBe(true)
  })

  it('move to another board by the right of relation on both, once to each, with their people', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board()]
    const onHere = await hands(owner).member(here.id, id('anna'), {
      permissionToViewTasks: 'all',
      canRelationBoard: true,
    })
    const b = await hands(owner).member(here.id, id('boris'))
    const task = await hands(owner).task(here.idColumnNew)
    for (const idMember of [onHere.id, b.id])
      good(await owner.post(`${T}/executors`, { idTask: task.id, idMember }), 201)
    const card = await hands(owner).card(task.id)
    const move = { to: { idColumn: there.idColumnNew } }
    expect(await hands(anna).status('POST', `assigned/${card.id}/move`, move)).toBe(422)
    const onThere = await hands(owner).member(there.id, id('anna'), { permissionToViewTasks: 'all' })
    expect(await hands(anna).status('POST', `assigned/${card.id}/move`, move)).toBe(403)
    good(await owner.put(`${T}/members/${onThere.id}`, { canRelationBoard: true }))
    const second = good(await anna.post(`${T}/assigned`, { idTask: task.id, idColumn: there.idColumnWork }), 201)
    expect((await anna.post(`${T}/assigned/${card.id}/move`, move)).body.message).toBe(
      'Задача уже есть в этом рабочем пространстве',
    )
    expect((await anna.post(`${T}/assigned`, { idTask: task.id, idColumn: there.idColumnNew })).status).toBe(409)
    expect(await hands(anna).status('DELETE', `assigned/${second.id}`)).toBe(204)
    good(await anna.post(`${T}/assigned/${card.id}/move`, move))
    const moved = good(await owner.get(`${T}/tasks/${task.id}?expand=executors,assigned`))
    expect(moved.executors.map((one: { idMember: number }) => one.idMember)).toEqual([onThere.id])
    expect(moved.assigned.map((one: { idColumn: number }) => one.idColumn)).toEqual([there.idColumnNew])
    expect((await anna.post(`${T}/assigned/${second.id}/restore`)).status).toBe(409)
  })

  it('of a foreign board stay hidden from those who see the task elsewhere', async () => {
    const [mine, foreign] = [await hands(owner).board(), await hands(owner).board({ name: 'Тайная' })]
    await hands(owner).member(mine.id, id('anna'), {
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'all',
      canManuallyDragTask: true,
    })
    const task = await hands(owner).task(mine.idColumnNew)
    const secret = good(await owner.post(`${T}/assigned`, { idTask: task.id, idColumn: foreign.idColumnNew }), 201)
    expect(good(await anna.get(`${T}/assigned?filter[idTask]=${task.id}&count=1`))).toMatchObject({
      items: [{ idColumn: mine.idColumnNew }],
      _meta: { totalCount: 1 },
    })
    expect(good(await anna.get(`${T}/tasks/${task.id}?expand=assigned.column`)).assigned).toHaveLength(1)
    expect(good(await anna.get(`${T}/tasks?filter[assigned.idColumn]=${foreign.idColumnNew}`)).items).toEqual([])
    expect(await hands(anna).status('GET', `assigned/${secret.id}`)).toBe(404)
    expect(await hands(anna).status('PUT', `assigned/${secret.id}`, { isArchive: true })).toBe(404)
    expect(await hands(anna).status('DELETE', `assigned/${secret.id}`)).toBe(404)
    expect(await hands(anna).status('POST', 'assigned', { idTask: task.id, idColumn: foreign.idColumnWork })).toBe(422)
  })

  it('are added once to a board under concurrent requests', async () => {
    const [here, there] = [await hands(owner).board(), await hands(owner).board()]
    const task = await hands(owner).task(here.idColumnNew)
    const made = await Promise.all(
      Array.from({ length: 4 }, () => owner.post(`${T}/assigned`, { idTask: task.id, idColumn: there.idColumnNew })),
    )
    expect(made.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409])
  })
})
