/** Parts of a task: links, check lists, client lists, polls; rights, and the journal. */
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller
let viewer: Caller
let stranger: Caller
let seller: Caller
let board: { id: number; idColumnNew: number }
let members: Record<string, number>
let task: { id: number }
let customers: number[]

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, {
        owner: ['viewCustomers', 'editCustomers'],
        anna: [],
        viewer: [],
        stranger: ['viewCustomers'],
        seller: ['editSalesManagement', 'editFunnels', 'supportOperator'],
      })
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
  viewer = clinic.as('viewer')
  stranger = clinic.as('stranger')
  seller = clinic.as('seller')
  board = await hands(owner).board()
  const join = async (login: string, rights: object) =>
    (await hands(owner).member(board.id, ids[login] as number, rights)).id
  members = {
    anna: await join('anna', { permissionToViewTasks: 'all', permissionToEditTasks: 'none' }),
    viewer: await join('viewer', { permissionToViewTasks: 'all', permissionToEditTasks: 'none' }),
    seller: await join('seller', { permissionToViewTasks: 'all', permissionToEditTasks: 'all' }),
  }
  customers = []
  for (const [surname, phone] of [
    ['Абрамова', '+79161112233'],
    ['Белов', '+79162223344'],
  ])
    customers.push(good(await owner.post('/customers', { surname, name: 'Тест', phone }), 201).id)
})
afterAll(() => clinic.close())
beforeEach(async () => {
  task = await hands(owner).task(board.idColumnNew)
})

const make = async (path: string, body: object, by = owner) => good(await by.post(`${T}/${path}`, body), 201)
const rows = async (path: string, by = owner) => good(await by.get(`${T}/${path}`)).items
const linksOf = (idTask: number, type: string) => rows(`entities?filter[idTask]=${idTask}&filter[type]=${type}`)
const statusOf = async (path: string, by = owner) => (await by.get(`${T}/${path}`)).status
const counters = async (fields: string) => good(await owner.get(`${T}/tasks/${task.id}?fields=${fields}`))

describe('a part of a task', () => {
  it.each([
    ['check-lists', 'checklist'],
    ['client-lists', 'clientlist'],
    ['polls', 'poll'],
  ])('%s: is deleted with its last link and restored with it', async (path, type) => {
    const part = await make(path, { name: 'Часть', idTask: task.id })
    const [link] = await linksOf(task.id, type)
    expect(link).toMatchObject({ type, idEntity: part.id })
    const second = await hands(owner).task(board.idColumnNew)
    const other = await make('entities', { idTask: second.id, type, idEntity: part.id })
    expect(await hands(owner).status('POST', 'entities', { idTask: second.id, type, idEntity: part.id })).toBe(422)

    good(await owner.delete(`${T}/entities/${other.id}`), 204)
    expect(await statusOf(`${path}/${part.id}`)).toBe(200)
    good(await owner.delete(`${T}/entities/${link.id}`), 204)
    expect(await statusOf(`${path}/${part.id}`)).toBe(404)
    good(await owner.post(`${T}/entities/${link.id}/restore`))
    expect(await statusOf(`${path}/${part.id}`, viewer)).toBe(200)
  })

  it('deleted itself removes all its links, and restores them', async () => {
    const list = await make('check-lists', { name: 'Список', idTask: task.id })
    const second = await hands(owner).task(board.idColumnNew)
    await make('entities', { idTask: second.id, type: 'checklist', idEntity: list.id })
    good(await owner.delete(`${T}/check-lists/${list.id}`), 204)
    expect([await linksOf(task.id, 'checklist'), await linksOf(second.id, 'checklist')]).toEqual([[], []])
    good(await owner.post(`${T}/check-lists/${list.id}/restore`))
    expect([await linksOf(task.id, 'checklist'), await linksOf(second.id, 'checklist')]).toMatchObject([
      [{ idEntity: list.id }],
      [{ idEntity: list.id }],
    ])
  })

  it('concurrent removals of the two last links leave nothing behind', async () => {
    const list = await make('check-lists', { name: 'Список', idTask: task.id })
    const second = await hands(owner).task(board.idColumnNew)
    const other = await make('entities', { idTask: second.id, type: 'checklist', idEntity: list.id })
    const [link] = await linksOf(task.id, 'checklist')
    const gone = await Promise.all([link, other].map(({ id }) => owner.delete(`${T}/entities/${id}`)))
    expect(gone.map(({ status }) => status)).toEqual([204, 204])
    const left = await clinic.db.one({
      text: 'select deleted from tasks_management_check_lists where id = $1',
      values: [list.id],
    })
    expect(left).toEqual({ deleted: true })
  })

  it('is linked only by users who may change it: a link grants rights', async () => {
    const list = await make('check-lists', { name: 'Чужой', idTask: task.id })
    const own = await hands(viewer).board()
    const mine = await hands(viewer).task(own.idColumnNew)
    const body = { idTask: mine.id, type: 'checklist', idEntity: list.id }
    expect((await viewer.post(`${T}/entities`, body)).status).toBe(403)
    const invisible = await stranger.post(`${T}/entities`, {
      ...body,
      idTask: (await hands(stranger).task(undefined)).id,
    })
    expect([invisible.status, invisible.body]).toEqual([422, [{ field: 'idEntity', message: 'Запись не найдена' }]])
  })

  it('links lead only to visible chats and deals', async () => {
    const lead = good(await seller.post('/sales-management/leads', { title: 'Имплантация' }), 201)
    const chat = good(await seller.post('/live-assist', { name: 'Гость' }), 201)
    for (const [type, idEntity] of [
      ['lead', lead.id],
      ['liveassist', chat.id],
    ]) {
      const body = { idTask: task.id, type, idEntity }
      const refused = await owner.post(`${T}/entities`, body)
      expect([refused.status, refused.body[0].field]).toEqual([422, 'idEntity'])
      good(await seller.post(`${T}/entities`, body), 201)
      expect((await seller.post(`${T}/entities`, { ...body, idEntity: 999_999 })).status).toBe(422)
    }
    expect(await counters('leadsCount,liveAssistCount')).toMatchObject({ leadsCount: 1, liveAssistCount: 1 })
    expect((await owner.get(`/sales-management/leads/${lead.id}`)).status).toBe(403)
  })

  it('links keep their order', async () => {
    for (const name of ['А', 'Б', 'В']) await make('check-lists', { name, idTask: task.id })
    const [a, , c] = await linksOf(task.id, 'checklist')
    good(await owner.post(`${T}/entities/${c.id}/move`, { before: a.id }))
    expect((await linksOf(task.id, 'checklist')).map((l: { id: number }) => l.id)[0]).toBe(c.id)
  })
})

describe('check lists', () => {
  it('are ticked by an executor who may change nothing else', async () => {
    const list = await make('check-lists', { name: 'Список', idTask: task.id })
    const item = await make('check-list-items', { name: 'Дело', idCheckList: list.id, idExecutor: members.anna })
    const path = `check-list-items/${item.id}`
    expect(good(await anna.put(`${T}/${path}`, { isCheck: true })).isCheck).toBe(true)
    for (const body of [{ name: 'Иначе' }, { isCheck: false, dateEnd: '2026-12-01T10:00:00Z' }, { idExecutor: null }])
      expect(await hands(anna).status('PUT', path, body)).toBe(403)
    expect(await hands(anna).status('DELETE', path)).toBe(403)
    expect(await hands(anna).status('POST', `${path}/move`, { at: 'first', to: { idCheckList: list.id } })).toBe(200)
    expect(await hands(viewer).status('PUT', path, { isCheck: false })).toBe(403)
    const forged = { name: 'Себе', idCheckList: list.id, idExecutor: members.anna }
    expect(await hands(anna).status('POST', 'check-list-items', forged)).toBe(403)
    expect((await counters('checkListCount')).checkListCount).toEqual({ total: 1, complete: 1 })
  })

  it('accept only members of a board of the task as executors', async () => {
    const list = await make('check-lists', { name: 'Список', idTask: task.id })
    const foreign = await hands(owner).board()
    const outside = await hands(owner).member(foreign.id, ids.anna as number)
    const answer = await owner.post(`${T}/check-list-items`, {
      name: 'Дело',
      idCheckList: list.id,
      idExecutor: outside.id,
    })
    expect([answer.status, answer.body[0].field]).toEqual([422, 'idExecutor'])
  })

  it('an item moves to another list, and loses an executor who is no member there', async () => {
    const there = await hands(owner).board()
    const far = await hands(owner).task(there.idColumnNew)
    const [from, to] = [
      await make('check-lists', { name: 'Отсюда', idTask: task.id }),
      await make('check-lists', { name: 'Туда', idTask: far.id }),
    ]
    const item = await make('check-list-items', { name: 'Дело', idCheckList: from.id, idExecutor: members.anna })
    const first = await make('check-list-items', { name: 'Первое', idCheckList: to.id })
    const place = { before: first.id, to: { idCheckList: to.id } }
    expect(good(await owner.post(`${T}/check-list-items/${item.id}/move`, place))).toMatchObject({
      idCheckList: to.id,
      idExecutor: null,
    })
    expect((await rows(`check-list-items?filter[idCheckList]=${to.id}`)).map((i: { name: string }) => i.name)).toEqual([
      'Дело',
      'Первое',
    ])
  })
})

describe('client lists', () => {
  it('show only the number of clients without the right', async () => {
    const list = await make('client-lists', { name: 'Обзвон', idTask: task.id })
    const items = []
    for (const idCustomer of customers)
      items.push(await make('client-list-items', { idClientList: list.id, idCustomer }))
    const twice = { idClientList: list.id, idCustomer: customers[0] }
    expect(await hands(owner).status('POST', 'client-list-items', twice)).toBe(422)

    const forSeller = await rows(`client-list-items?filter[idClientList]=${list.id}`, seller)
    expect(forSeller).toHaveLength(2)
    expect(forSeller[0]).not.toHaveProperty('idCustomer')
    expect((await seller.get(`${T}/client-list-items?expand=customer`)).status).toBeGreaterThanOrEqual(400)
    expect((await seller.get(`${T}/client-list-items?filter[idCustomer]=${customers[0]}`)).status).toBe(400)
    expect(await hands(seller).status('POST', 'client-list-items', twice)).toBe(422)
    expect((await counters('customersCount')).customersCount).toBe(2)

    good(await owner.delete(`${T}/client-list-items/${items[0].id}`), 204)
    good(await owner.post(`${T}/client-list-items/${items[0].id}/restore`))
  })

  it('record each shown customer in the access journal', async () => {
    const list = await make('client-lists', { name: 'Обзвон', idTask: task.id })
    for (const idCustomer of customers) await make('client-list-items', { idClientList: list.id, idCustomer })
    const journal = async () => {
      await clinic.context.journal.settle()
      return clinic.db.query<{ action: string; idEntity: number }>({
        text: `select action, "idEntity" from access_log where "idUser" = $1 and "entityType" = 'customers'
          and id > $2 order by "idEntity"`,
        values: [ids.owner, last],
      })
    }
    await clinic.context.journal.settle()
    const { last } = (await clinic.db.one<{ last: number }>({
      text: 'select coalesce(max(id), 0) as last from access_log',
    })) as { last: number }
    await rows(`client-list-items?filter[idClientList]=${list.id}`)
    expect(await journal()).toEqual([])
    await rows(`client-list-items?filter[idClientList]=${list.id}&expand=customer`)
    expect(await journal()).toEqual(customers.map((idEntity) => ({ action: 'view', idEntity })))
    good(await owner.get(`${T}/client-lists/${list.id}?expand=items.customer`))
    expect(await journal()).toHaveLength(4)
  })
})

describe('polls', () => {
  const poll = async (body: object = {}) => {
    const made = await make('polls', { name: 'Куда едем?', idTask: task.id, ...body })
    const options = []
    for (const name of ['Лес', 'Море']) options.push((await make('poll-options', { idPoll: made.id, name })).id)
    return { id: made.id as number, options: options as number[] }
  }
  const vote = (by: Caller, idOption: number | undefined) => by.post(`${T}/poll-results`, { idOption })
  const results = async (id: number) =>
    (await rows(`poll-options?filter[idPoll]=${id}`)).map((o: { resultsCount: number }) => o.resultsCount)
  const hour = 3_600_000
  const at = (from: number) => new Date(Date.now() + from).toISOString()

  it('a second vote replaces the first, also concurrently', async () => {
    const { id, options } = await poll()
    good(await vote(viewer, options[0]), 201)
    good(await vote(viewer, options[1]), 201)
    expect(await results(id)).toEqual([0, 1])
    await Promise.all([vote(anna, options[0]), vote(anna, options[1])])
    expect((await results(id)).reduce((a: number, b: number) => a + b)).toBe(2)
    expect((await vote(stranger, options[0])).status).toBe(422)
  })

  it('several votes are allowed in a multiple-choice poll, which then stays so', async () => {
    const { id, options } = await poll({ isMultiple: true })
    for (const option of options) good(await vote(viewer, option), 201)
    expect(await results(id)).toEqual([1, 1])
    const answer = await owner.put(`${T}/polls/${id}`, { isMultiple: false })
    expect([answer.status, answer.body[0].field]).toEqual([422, 'isMultiple'])
  })

  it('an undone withdrawal never leaves two votes', async () => {
    const { id, options } = await poll()
    const first = good(await vote(viewer, options[0]), 201)
    good(await viewer.delete(`${T}/poll-results/${first.id}`), 204)
    good(await vote(viewer, options[1]), 201)
    good(await viewer.post(`${T}/poll-results/${first.id}/restore`))
    expect(await results(id)).toEqual([1, 0])
  })

  it('a deleted option is restored with its votes, and no one has two', async () => {
    const { id, options } = await poll()
    good(await vote(viewer, options[0]), 201)
    good(await vote(anna, options[0]), 201)
    good(await owner.delete(`${T}/poll-options/${options[0]}`), 204)
    expect(await results(id)).toEqual([0])
    good(await vote(anna, options[1]), 201)
    good(await owner.post(`${T}/poll-options/${options[0]}/restore`))
    expect(await results(id)).toEqual([1, 1])
  })

  it.each<[string, () => object, string]>([
    ['before its start', () => ({ dateStart: at(hour) }), 'Опрос ещё не начался'],
    ['after its end', () => ({ dateEnd: at(-hour) }), 'Опрос завершён'],
  ])('accepts no votes %s', async (_, dates, message) => {
    const { id, options } = await poll()
    const early = good(await vote(anna, options[0]), 201)
    good(await owner.put(`${T}/polls/${id}`, dates()))
    const answer = await vote(viewer, options[0])
    expect([answer.status, answer.body.message]).toEqual([409, message])
    expect(await hands(anna).status('DELETE', `poll-results/${early.id}`)).toBe(409)
    expect(await results(id)).toEqual([1, 0])
  })

  it('refuses an end before the start', async () => {
    const answer = await owner.post(`${T}/polls`, {
      name: 'Когда?',
      idTask: task.id,
      dateStart: at(hour),
      dateEnd: at(0),
    })
    expect([answer.status, answer.body[0].field]).toEqual([422, 'dateEnd'])
  })

  it('users vote for themselves, and withdraw only the own vote', async () => {
    const { options } = await poll()
    const own = good(await vote(viewer, options[0]), 201)
    expect(own.idUser).toBe(ids.viewer)
    expect(await hands(anna).status('DELETE', `poll-results/${own.id}`)).toBe(403)
    expect(await hands(viewer).status('POST', 'poll-options', { idPoll: 1, name: 'Ещё' })).toBeGreaterThanOrEqual(403)
  })

  it('its picture is visible with the poll', async () => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0b7a70' } })
      .png()
      .toBuffer()
    const form = (name: string, content: Uint8Array | string) => {
      const data = new FormData()
      data.append('file', new Blob([content as string]), name)
      return data
    }
    const picture = good(await owner.post(`${T}/files`, form('лес.png', bytes)), 201)
    const text = good(await owner.post(`${T}/files`, form('лес.txt', 'лес')), 201)
    const { id } = await poll()
    expect((await viewer.get(picture.url)).status).toBe(404)
    expect((await owner.put(`${T}/polls/${id}`, { image: text.id })).body).toEqual([
      { field: 'image', message: 'Нужен файл с картинкой' },
    ])
    good(await owner.put(`${T}/polls/${id}`, { image: picture.id }))
    expect((await viewer.get(picture.url)).status).toBe(200)
    expect((await stranger.get(picture.url)).status).toBe(404)
  })
})
