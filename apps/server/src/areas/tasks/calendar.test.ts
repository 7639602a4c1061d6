import { User } from '@ordinator/model/areas/staff/user'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { momentsOf, monthAround } from './calendar.ts'
import { addPeople, good, hands } from './testing/hands.ts'

const T = '/tasks-management'
const zones = ['Europe/Moscow', 'Asia/Kamchatka', 'America/New_York', 'Pacific/Auckland', 'UTC']

let clinic: Clinic
let ids: Record<string, number>
let owner: Caller
let anna: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      ids = await addPeople(app, { owner: [], anna: [], kiwi: [] })
      await app.engine.for(systemActor).update(User, ids.kiwi as number, { timeZone: 'Pacific/Auckland' })
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
})
afterAll(() => clinic.close())

const names = (answer: { items: { name: string }[] }) => answer.items.map((task) => task.name).sort()
const calendar = async (caller: Caller, idBoard: number, query = '') =>
  good(await caller.get(`${T}/tasks/calendar/${idBoard}?${query}`))

describe('the days of a period', () => {
  const dayIn = (moment: number, timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment)

  it('begin at the first moment of the first day and end before the day after, across every clock change', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) }),
        fc.integer({ min: 0, max: 60 }),
        (timeZone, begin, length) => {
          const dateStart = new Date(begin).toISOString().slice(0, 10)
          const dateEnd = new Date(Date.parse(dateStart) + length * 86_400_000).toISOString().slice(0, 10)
          const { from, to } = momentsOf(dateStart, dateEnd, timeZone)
          expect(dayIn(Date.parse(from), timeZone)).toBe(dateStart)
          expect(dayIn(Date.parse(from) - 1, timeZone) < dateStart).toBe(true)
          expect(dayIn(Date.parse(to) - 1, timeZone)).toBe(dateEnd)
          expect(dayIn(Date.parse(to), timeZone) > dateEnd).toBe(true)
        },
      ),
      { numRuns: runs(200, 5_000) },
    )
  })

  it("are the whole month of the zone's calendar by default", () => {
    const turn = Date.parse('2026-12-31T22:30:00Z')
    expect(monthAround(turn, 'UTC')).toEqual({ dateStart: '2026-12-01', dateEnd: '2026-12-31' })
    expect(monthAround(turn, 'Europe/Moscow')).toEqual({ dateStart: '2027-01-01', dateEnd: '2027-01-31' })
    expect(monthAround(Date.parse('2028-02-10T00:00:00Z'), 'UTC').dateEnd).toBe('2028-02-29')
  })
})

describe('the calendar of a workspace', () => {
  it("returns the tasks within the period or overlapping it, in the user's time zone", async () => {
    const board = await hands(owner).board()
    const put = (name: string, dateStart?: string, dateEnd?: string) =>
      hands(owner).task(board.idColumnNew, { name, dateStart, dateEnd })
    // Moscow: 10 March is from 09T21:00Z to 10T21:00Z.
    await put('до', '2026-03-01T00:00:00Z', '2026-03-09T20:59:59Z')
    await put('кончается', '2026-03-01T00:00:00Z', '2026-03-09T21:00:00Z')
    await put('идёт мимо', '2026-03-01T00:00:00Z', '2026-03-30T00:00:00Z')
    await put('только срок', undefined, '2026-03-10T20:59:59Z')
    await put('только срок завтра', undefined, '2026-03-10T21:00:00Z')
    await put('только начало', '2026-03-10T10:00:00Z')
    await put('начинается завтра', '2026-03-10T21:00:00Z', '2026-03-20T00:00:00Z')
    await put('без дат')
    const tenth = 'dateStart=2026-03-10&dateEnd=2026-03-10'
    const here = ['идёт мимо', 'кончается', 'только начало', 'только срок']
    expect(names(await calendar(owner, board.id, tenth))).toEqual(here)
    const kiwi = clinic.as('kiwi')
    await hands(owner).member(board.id, ids.kiwi as number, { permissionToViewTasks: 'all' })
    // Auckland: 10 March is from 09T11:00Z to 10T11:00Z.
    expect(names(await calendar(kiwi, board.id, tenth))).toEqual(['до', 'идёт мимо', 'кончается', 'только начало'])
  })

  it('respects the workspace, its rights, the archive and the list filter', async () => {
    const board = await hands(owner).board()
    const other = await hands(owner).board()
    const end = '2026-05-05T09:00:00Z'
    const mine = await hands(owner).task(board.idColumnNew, { name: 'важная', dateEnd: end, importance: 9 })
    const done = await hands(owner).task(board.idColumnNew, { name: 'в архиве', dateEnd: end })
    await hands(owner).task(other.idColumnNew, { name: 'чужая доска', dateEnd: end })
    const card = await hands(owner).card(done.id)
    good(await owner.put(`${T}/assigned/${card.id}`, { isArchive: true }))
    const may = 'dateStart=2026-05-01&dateEnd=2026-05-31'
    expect(names(await calendar(owner, board.id, may))).toEqual(['важная'])
    expect(names(await calendar(owner, board.id, `${may}&includeArchived=1`))).toEqual(['в архиве', 'важная'])
    expect(names(await calendar(owner, board.id, `${may}&filter[importance][lt]=9`))).toEqual([])
    expect(names(await calendar(owner, board.id, `${may}&filter[or][0][name][ilike]=ВАЖ&filter[or][1][id]=0`))).toEqual(
      ['важная'],
    )
    const [item] = (await calendar(owner, board.id, `${may}&fields=name,dateEnd&expand=executors`)).items
    expect(item).toEqual({
      id: mine.id,
      _version: expect.any(Number),
      name: 'важная',
      dateEnd: expect.stringContaining('2026-05-05'),
      executors: [],
      assigned: [expect.objectContaining({ idColumn: board.idColumnNew })],
    })

    expect((await anna.get(`${T}/tasks/calendar/${board.id}?${may}`)).status).toBe(404)
    const member = await hands(owner).member(board.id, ids.anna as number)
    expect(names(await calendar(anna, board.id, may))).toEqual([])
    good(await owner.post(`${T}/executors`, { idTask: mine.id, idMember: member.id }), 201)
    expect(names(await calendar(anna, board.id, may))).toEqual(['важная'])
  })

  it.each([
    ['dateStart=2026-02-30', 400, 'dateStart'],
    ['dateStart=10.03.2026', 400, 'dateStart'],
    ['dateStart=2026-03-10&dateEnd=2026-03-09', 422, 'dateEnd'],
    ['dateStart=2026-03-10&dateEnd=2028-03-09', 422, 'dateEnd'],
    ['includeArchived=yes', 400, 'includeArchived'],
    ['filter[nothing]=1', 400, 'nothing'],
    ['sort=name', 400, 'sort'],
  ])('refuses %s', async (query, status, named) => {
    const board = await hands(owner).board()
    const answer = await owner.get(`${T}/tasks/calendar/${board.id}?${query}`)
    expect([answer.status, answer.text.includes(named)]).toEqual([status, true])
  })
})

describe('a full-text search of tasks', () => {
  it('covers names, descriptions without markup, and comments that are not deleted', async () => {
    const board = await hands(owner).board()
    const named = await hands(owner).task(board.idColumnNew, { name: 'Заказать бахилы' })
    const described = await hands(owner).task(board.idColumnNew, {
      name: 'Закупка',
      description: '<p><strong>Бахилы</strong> и перчатки, 100%</p>',
    })
    const commented = await hands(owner).task(board.idColumnNew, { name: 'Склад' })
    const comment = good(
      await owner.post(`${T}/comments`, { type: 'task', idEntity: commented.id, message: '<p>Нет бахил_ы</p>' }),
      201,
    )
    const found = async (text: string, caller = owner) => {
      const query = `filter[column.idBoard]=${board.id}&filter[task.text][ilike]=${encodeURIComponent(text)}&sort=idTask`
      return good(await caller.get(`${T}/assigned?${query}&count=1`)).items.map((c: { idTask: number }) => c.idTask)
    }
    expect(await found('БАХИЛ')).toEqual([named.id, described.id, commented.id])
    expect(await found('strong')).toEqual([])
    expect(await found('100%')).toEqual([described.id])
    expect(await found('_')).toEqual([commented.id])
    good(await owner.delete(`${T}/comments/${comment.id}`), 204)
    expect(await found('бахил')).toEqual([named.id, described.id])
    expect(await found('бахил', anna)).toEqual([])
    const tasks = good(await owner.get(`${T}/tasks?filter[id]=${described.id}&fields=text`)).items
    expect(tasks[0].text).toBe('Закупка Бахилы и перчатки, 100%')
  })
})

describe('cards sorted by their tasks', () => {
  it('are ordered by a field of the task, empty values last, across pages', async () => {
    const board = await hands(owner).board()
    for (const [name, dateEnd] of [
      ['в', undefined],
      ['б', '2026-05-07T09:00:00Z'],
      ['а', '2026-05-06T09:00:00Z'],
    ])
      await hands(owner).task(board.idColumnNew, { name, dateEnd })
    const list = async (sort: string) => {
      const names: string[] = []
      for (let after: string | undefined = ''; after !== undefined; ) {
        const query: string = `filter[column.idBoard]=${board.id}&sort=${sort}&limit=2&expand=task&after=${after}`
        const { items, _meta }: any = good(await owner.get(`${T}/assigned?${query}`))
        names.push(...items.map((card: { task: { name: string } }) => card.task.name))
        after = _meta.hasMore ? _meta.next : undefined
      }
      return names.join('')
    }
    expect(await list('task.dateEnd')).toBe('абв')
    expect(await list('-task.dateEnd')).toBe('бав')
    expect(await list('-task.name')).toBe('вба')
    for (const wrong of ['task.nothing', 'task.user.login', 'column.name', 'task.checkListCount'])
      expect((await owner.get(`${T}/assigned?sort=${wrong}`)).status).toBe(400)
  })
})
