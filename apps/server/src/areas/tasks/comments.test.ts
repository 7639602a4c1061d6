import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let board: { id: number; idColumnNew: number }
let other: { id: number; idColumnNew: number }
const as = (login: string): Caller => clinic.as(login)
const id = (login: string) => ids[login] as number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, { owner: [], anna: [], boris: [], vera: [], lost: [], boss: ['bypassTaskRights'] })
    },
  })
  board = await hands(as('owner')).board({ name: 'Регистратура' })
  other = await hands(as('owner')).board({ name: 'Чужая', isPublic: true })
  for (const login of ['anna', 'boris', 'vera'])
    await hands(as('owner')).member(board.id, id(login), { permissionToViewTasks: 'all' })
  // Sees only tasks assigned to it.
  await hands(as('owner')).member(board.id, id('lost'), { permissionToViewTasks: 'my' })
})
afterAll(() => clinic.close())

const newTask = () => hands(as('owner')).task(board.idColumnNew)
const say = (login: string, idTask: number, message: string, more: object = {}) =>
  as(login).post(`${T}/comments`, { type: 'task', idEntity: idTask, message, ...more })
const posted = async (login: string, idTask: number, message = '<p>слово</p>', more: object = {}) =>
  good(await say(login, idTask, message, more), 201)
const mention = (login: string) =>
  `<span data-type="mention" data-id="${id(login)}" data-label="${login}">@${login}</span>`
/** The kinds of a person's notices about a record, oldest first. */
const noticesOf = async (login: string, idEntity: number, path = 'tasks-management/tasks'): Promise<string[]> =>
  good(
    await as(login).get(
      `/notifications?filter[idEntity]=${idEntity}&filter[path]=${encodeURIComponent(path)}&sort=id&limit=100`,
    ),
  ).items.map((notice: { kind: string }) => notice.kind)
const unread = async (login: string, idTask: number): Promise<number> =>
  good(await as(login).get(`${T}/tasks/${idTask}?fields=numberOfUnreadComments`)).numberOfUnreadComments
const read = (login: string, idEntity: number, more: object = {}) =>
  as(login).post(`${T}/comments/read`, { type: 'task', idEntity, ...more })

describe('a comment', () => {
  it('is written by users who see the task only', async () => {
    const task = await newTask()
    expect((await say('anna', task.id, '<p>да</p>')).status).toBe(201)
    const refused = await say('lost', task.id, '<p>нет</p>')
    expect([refused.status, refused.body]).toEqual([422, [{ field: 'idEntity', message: 'Запись не найдена' }]])
    expect((await say('boss', task.id, '<p>да</p>')).status).toBe(201)
    expect((await say('boss', 999_999, '<p>нет</p>')).status).toBe(422)
    good(await as('owner').delete(`${T}/tasks/${task.id}`), 204)
    expect((await say('boss', task.id, '<p>нет</p>')).status).toBe(422)
  })

  it('concurrent first comments are all stored, and the author watches the task once', async () => {
    const task = await newTask()
    // One sign-in: each further one would end the one before.
    const anna = as('anna')
    const message = (word: string) => ({ type: 'task', idEntity: task.id, message: `<p>${word}</p>` })
    await anna.token()
    const answers = await Promise.all(['раз', 'два', 'три'].map((word) => anna.post(`${T}/comments`, message(word))))
    for (const answer of answers) good(answer, 201)
    const { items } = good(await as('anna').get(`${T}/watchers?filter[idTask]=${task.id}`))
    expect(items.map(({ idUser }: { idUser: number }) => idUser)).toEqual([id('anna')])
  })

  it('on a workspace requires membership, even of a public one', async () => {
    const on = (login: string) =>
      as(login).post(`${T}/comments`, { type: 'board', idEntity: other.id, message: '<p>слово</p>' })
    const refused = await on('anna')
    expect([refused.status, refused.body.message]).toEqual([403, 'Обсуждение пространства — для его участников'])
    const mine = good(await on('owner'), 201)
    expect(await hands(as('anna')).status('GET', `comments/${mine.id}`)).toBe(404)
    // Ids of tasks and of workspaces overlap: each has its own comments.
    good(await as('owner').post(`${T}/comments`, { type: 'board', idEntity: board.id, message: '<p>слово</p>' }), 201)
    let task = await newTask()
    while (task.id < other.id) task = await newTask()
    const there = async (login: string, what: string, id: number): Promise<number[]> =>
      good(await as(login).get(`${T}/${what}/${id}?expand=comments`)).comments.map((one: { id: number }) => one.id)
    expect(await there('owner', 'boards', other.id)).toEqual([mine.id])
    expect(await there('anna', 'boards', other.id)).toEqual([])
    const word = await posted('anna', other.id)
    expect(await there('owner', 'tasks', other.id)).toContain(word.id)
    expect(await there('owner', 'boards', other.id)).toEqual([mine.id])
    const found = good(await as('owner').get(`${T}/boards?filter[comments.message][ilike]=слово&limit=50`)).items
    expect(found.map((one: { id: number }) => one.id).sort()).toEqual([board.id, other.id].sort())
  })

  it('replies to a comment of the same discussion, one level deep', async () => {
    const [task, another] = [await newTask(), await newTask()]
    const root = await posted('anna', task.id)
    const reply = await posted('boris', task.id, '<p>ответ</p>', { idComment: root.id })
    expect(reply.idComment).toBe(root.id)
    expect((await posted('vera', task.id, '<p>и мне</p>', { idComment: reply.id })).idComment).toBe(root.id)
    const refused = await say('anna', another.id, '<p>нет</p>', { idComment: root.id })
    expect(refused.body).toEqual([{ field: 'idComment', message: 'Ответить можно на комментарий этого же обсуждения' }])
    good(await as('anna').delete(`${T}/comments/${root.id}`), 204)
    expect((await say('boris', task.id, '<p>поздно</p>', { idComment: root.id })).status).toBe(422)
  })

  it('is edited by its author only, and shows the time of the edit', async () => {
    const task = await newTask()
    const comment = await posted('anna', task.id)
    expect(comment.dateChange).toBeNull()
    expect(good(await as('anna').put(`${T}/comments/${comment.id}`, { message: '<p>слово</p>' })).dateChange).toBeNull()
    for (const login of ['owner', 'boss', 'boris'])
      expect([login, await hands(as(login)).status('PUT', `comments/${comment.id}`, { message: '<p>я</p>' })]).toEqual([
        login,
        403,
      ])
    const changed = good(await as('anna').put(`${T}/comments/${comment.id}`, { message: '<p>иначе</p>' }))
    expect(Date.parse(changed.dateChange)).toBeGreaterThanOrEqual(Date.parse(comment.dateCreate))
    for (const forged of [{ isSystem: true }, { dateChange: null }, { idEntity: 1 }, { idUser: 1 }])
      expect((await as('anna').put(`${T}/comments/${comment.id}`, forged)).status).toBe(422)
  })

  it('is deleted by its author or a master of the board, and restored', async () => {
    const task = await newTask()
    const [first, second] = [await posted('anna', task.id), await posted('anna', task.id)]
    expect(await hands(as('boris')).status('DELETE', `comments/${first.id}`)).toBe(403)
    expect(await hands(as('anna')).status('DELETE', `comments/${first.id}`)).toBe(204)
    expect(await hands(as('owner')).status('DELETE', `comments/${second.id}`)).toBe(204)
    good(await as('anna').post(`${T}/comments/${first.id}/restore`))
    expect(
      good(await as('boris').get(`${T}/comments?filter[type]=task&filter[idEntity]=${task.id}`)).items,
    ).toHaveLength(1)
  })

  it('keeps neither scripts nor foreign markup', async () => {
    const task = await newTask()
    const { message } = await posted('anna', task.id, `<p onclick="x()">а${mention('boris')}</p><script>1</script>`)
    expect(message).toBe(`<p>а${mention('boris')}</p>`)
  })
})

describe('a system line', () => {
  it('cannot be changed or deleted', async () => {
    const task = await newTask()
    const line = await clinic.db.one<{ id: number }>({
      text: `insert into tasks_management_comments ("message", "type", "idEntity", "idUser", "isSystem")
        values ('<p>взята в работу</p>', 'task', $1, $2, true) returning "id"`,
      values: [task.id, id('anna')],
    })
    for (const login of ['anna', 'owner', 'boss']) {
      expect(await hands(as(login)).status('PUT', `comments/${line?.id}`, { message: '<p>нет</p>' })).toBe(403)
      expect(await hands(as(login)).status('DELETE', `comments/${line?.id}`)).toBe(403)
    }
    expect(await unread('boris', task.id)).toBe(0)
  })
})

describe('a file of a comment', () => {
  const file = async (login: string): Promise<number> => {
    const form = new FormData()
    form.append('file', new Blob(['привет'], { type: 'text/plain' }), 'записка.txt')
    return good(await as(login).post(`${T}/files`, form), 201).id
  }

  it('is visible with the comment, attached and removed by its author', async () => {
    const task = await newTask()
    const comment = await posted('anna', task.id)
    const idFile = await file('anna')
    expect(await hands(as('boris')).status('GET', `files/${idFile}`)).toBe(404)
    const link = good(await as('anna').post(`${T}/comment-files`, { idComment: comment.id, idFile }), 201)
    expect(await hands(as('boris')).status('GET', `files/${idFile}`)).toBe(200)
    expect(await hands(as('lost')).status('GET', `files/${idFile}`)).toBe(404)
    expect(await hands(as('boris')).status('DELETE', `comment-files/${link.id}`)).toBe(403)
    good(await as('anna').delete(`${T}/comments/${comment.id}`), 204)
    expect(await hands(as('boris')).status('GET', `files/${idFile}`)).toBe(404)
  })

  it("must be visible to the author, on the author's own comment", async () => {
    const task = await newTask()
    const [mine, theirs] = [await posted('boris', task.id), await posted('anna', task.id)]
    const hidden = await file('anna')
    expect((await as('boris').post(`${T}/comment-files`, { idComment: mine.id, idFile: hidden })).body).toEqual([
      { field: 'idFile', message: 'Запись не найдена' },
    ])
    expect(
      (await as('boris').post(`${T}/comment-files`, { idComment: theirs.id, idFile: await file('boris') })).status,
    ).toBe(403)
  })
})

describe('recipients', () => {
  it("are the task's people and watchers, but not the author", async () => {
    const task = await newTask()
    const executor = good(
      await as('owner').get(`${T}/members?filter[idBoard]=${board.id}&filter[idUser]=${id('vera')}`),
    ).items[0]
    good(await as('owner').post(`${T}/executors`, { idTask: task.id, idMember: executor.id }), 201)
    good(await as('boris').post(`${T}/watchers`, { idTask: task.id }), 201)
    await posted('anna', task.id)
    for (const login of ['owner', 'vera', 'boris']) expect(await noticesOf(login, task.id)).toContain('task.comment')
    expect(await noticesOf('anna', task.id)).toEqual([])
    expect(await noticesOf('lost', task.id)).toEqual([])
  })

  it('get one notice: of the mention, not of the comment as well', async () => {
    const task = await newTask()
    const comment = await posted('anna', task.id, `<p>${mention('owner')} ${mention('owner')} ${mention('boris')}</p>`)
    expect(await noticesOf('owner', task.id)).toEqual(['task.mention'])
    expect(await noticesOf('boris', task.id)).toEqual(['task.mention'])
    good(
      await as('anna').put(`${T}/comments/${comment.id}`, { message: `<p>${mention('boris')} ${mention('vera')}</p>` }),
    )
    expect(await noticesOf('boris', task.id)).toEqual(['task.mention'])
    expect(await noticesOf('vera', task.id)).toEqual(['task.mention'])
  })

  it('must see the task', async () => {
    const task = await newTask()
    await posted('anna', task.id, `<p>${mention('lost')} ${mention('boss')} ${mention('owner')}</p>`)
    expect(await noticesOf('lost', task.id)).toEqual([])
    // A watcher without access to the task gets no more notices.
    const watching = await newTask()
    good(await as('vera').post(`${T}/watchers`, { idTask: watching.id }), 201)
    const member = good(await as('owner').get(`${T}/members?filter[idBoard]=${board.id}&filter[idUser]=${id('vera')}`))
      .items[0]
    good(await as('owner').put(`${T}/members/${member.id}`, { permissionToViewTasks: 'none' }))
    await posted('anna', watching.id)
    expect(await noticesOf('vera', watching.id)).toEqual([])
    good(await as('owner').put(`${T}/members/${member.id}`, { permissionToViewTasks: 'all' }))
  })

  it('on a workspace are its owner, the thread and those mentioned', async () => {
    const path = 'tasks-management/boards'
    const on = async (login: string, message: string, more = {}) =>
      good(await as(login).post(`${T}/comments`, { type: 'board', idEntity: board.id, message, ...more }), 201)
    const root = await on('anna', `<p>${mention('lost')}</p>`)
    await on('boris', '<p>ответ</p>', { idComment: root.id })
    expect(await noticesOf('owner', board.id, path)).toEqual(['task.comment', 'task.comment'])
    expect(await noticesOf('lost', board.id, path)).toEqual(['task.mention'])
    expect(await noticesOf('anna', board.id, path)).toEqual(['task.comment'])
    expect(await noticesOf('vera', board.id, path)).toEqual([])
  })
})

describe('watching', () => {
  const watchers = async (idTask: number): Promise<number[]> =>
    good(await as('owner').get(`${T}/watchers?filter[idTask]=${idTask}`)).items.map((w: { idUser: number }) => w.idUser)

  it('starts with the first comment, and does not restart after it was stopped', async () => {
    const task = await newTask()
    await posted('anna', task.id)
    expect(await watchers(task.id)).toEqual([id('anna')])
    const mine = good(await as('anna').get(`${T}/watchers?filter[idTask]=${task.id}`)).items[0]
    good(await as('anna').delete(`${T}/watchers/${mine.id}`), 204)
    await posted('anna', task.id)
    expect(await watchers(task.id)).toEqual([])
  })

  it('is for oneself; users who assign people may remove a watcher', async () => {
    const task = await newTask()
    expect(await hands(as('lost')).status('POST', 'watchers', { idTask: task.id })).toBe(422)
    const mine = good(await as('anna').post(`${T}/watchers`, { idTask: task.id }), 201)
    expect(mine.idUser).toBe(id('anna'))
    expect(await hands(as('boris')).status('DELETE', `watchers/${mine.id}`)).toBe(403)
    expect(await hands(as('owner')).status('DELETE', `watchers/${mine.id}`)).toBe(204)
  })
})

describe('the read mark', () => {
  it('counts later comments of others, and never goes back', async () => {
    const task = await newTask()
    const first = await posted('anna', task.id)
    await posted('boris', task.id)
    const third = await posted('anna', task.id)
    expect([await unread('owner', task.id), await unread('anna', task.id)]).toEqual([3, 1])
    expect(good(await read('owner', task.id, { idComment: first.id }))).toEqual({ before: 0, idComment: first.id })
    expect(await unread('owner', task.id)).toBe(2)
    expect(good(await read('owner', task.id))).toEqual({ before: first.id, idComment: third.id })
    expect(good(await read('owner', task.id, { idComment: first.id })).idComment).toBe(third.id)
    expect(await unread('owner', task.id)).toBe(0)
    await posted('boris', task.id)
    expect(await unread('owner', task.id)).toBe(1)
    expect(await unread('vera', task.id)).toBe(4)
  })

  it('requires access to the task', async () => {
    const task = await newTask()
    expect((await read('lost', task.id)).status).toBe(422)
    expect((await as('lost').post(`${T}/comments/read`, { type: 'board', idEntity: other.id })).status).toBe(403)
  })
})
