import type { Page } from '@ordinator/model/page'
import { pageAllowed, pages } from '@ordinator/model/pages'
import { permissionNames } from '@ordinator/model/permissions'
import { modules } from '@ordinator/model/tariff'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { standardRoles } from '#areas/staff/index.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

const T = '/tasks-management'
const S = '/sales-management'
let clinic: Clinic
let admin: Caller
let anna: Caller
let boris: Caller
let idBoard: number
let idTask: number
let idLead: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'chief', permissionNames)
      await addPerson(app, 'anna', ['viewTasksManagement'], { surname: 'Щукина', name: 'Анна', post: 'Врач УЗИ' })
      await addPerson(app, 'boris', [], {})
      await addPerson(app, 'dina', ['viewSalesManagement', 'editSalesManagement'], {})
      for (const [key, { permissions }] of Object.entries(standardRoles))
        await addPerson(app, `role-${key}`, permissions, {})
    },
  })
  admin = clinic.as('chief')
  anna = clinic.as('anna')
  boris = clinic.as('boris')
  const board = good(await admin.post(`${T}/boards`, { name: 'Ремонт корпуса' }), 201)
  idBoard = board.id
  const put = async (name: string, more: object = {}) =>
    good(await admin.post(`${T}/tasks`, { name, idColumn: board.idColumnNew, ...more }), 201).id
  idTask = await put('Ремонт кабинета УЗИ', { dateEnd: '2031-05-09T20:59:00.000Z' })
  await put('Закупить бумагу')
  await put('Отчёт о ремонте')
  await put('Ремонт')
  const funnel = good(await admin.post(`${S}/funnels`, { name: 'Первичные' }), 201)
  const stage = good(await admin.post(`${S}/stages`, { name: 'Новая', idFunnel: funnel.id }), 201)
  idLead = good(await admin.post(`${S}/leads`, { title: 'Имплантация 100% скидка', idStage: stage.id }), 201).id
  for (const title of ['Закупить', 'Закупить бумагу для УЗИ'])
    good(await admin.post(`${S}/leads`, { title, idStage: stage.id }), 201)
  const person = { surname: 'Щербинин', name: 'Олег', phone: '8 (912) 345-67-89', birthday: '09.05.1985' }
  good(await admin.post(`${S}/contacts`, { idLead, ...person }), 201)
})
afterAll(() => clinic.close())

const find = async (caller: Caller, q: string) =>
  good(await caller.get(`/search?q=${encodeURIComponent(q)}`)).groups as {
    path: string
    name: string
    hasMore: boolean
    items: { id: number; title: string; hint: string | null; link: string }[]
  }[]
const titles = async (caller: Caller, q: string, path: string) =>
  (await find(caller, q)).find((group) => group.path === path)?.items.map(({ title }) => title) ?? []

describe('the search of the product', () => {
  it('is planned for each search text: a generic plan would scan whole tables', async () => {
    const asked = vi.spyOn(clinic.context.db.reads, 'query')
    for (let times = 0; times < 4; times++) await find(admin, 'ремонт')
    const searches = asked.mock.calls.map(([query]) => query).filter(({ text }) => text.includes('f.title'))
    asked.mockRestore()
    expect(searches).toHaveLength(4)
    for (const search of searches) expect(search).not.toHaveProperty('name')
  })

  it('ranks the exact name first, then matches at the beginning, then the rest', async () => {
    expect(await titles(admin, 'ремонт', 'tasks-management/tasks')).toEqual([
      'Ремонт',
      'Ремонт кабинета УЗИ',
      'Отчёт о ремонте',
    ])
  })

  it('ranks the group with the best match first', async () => {
    const order = async (q: string) => (await find(admin, q)).map(({ path }) => path)
    expect(await order('закупить бумагу')).toEqual(['tasks-management/tasks', 'sales-management/leads'])
    expect(await order('закупить бумагу для узи')).toEqual(['sales-management/leads'])
    expect(await order('закупить')).toEqual(['sales-management/leads', 'tasks-management/tasks'])
  })

  it('shows the place and the link of a record', async () => {
    const [tasks] = await find(admin, 'кабинета узи')
    expect(tasks).toMatchObject({
      name: 'Задачи',
      hasMore: false,
      items: [{ id: idTask, title: 'Ремонт кабинета УЗИ', hint: 'Ремонт корпуса · Новые' }],
    })
    expect(tasks?.items[0]?.link).toMatch(new RegExp(`^/tasks\\?board=${idBoard}&assignedColumn=\\d+$`))
  })

  it('matches words in any order, and requires all of them', async () => {
    expect(await titles(admin, 'УЗИ ремонт', 'tasks-management/tasks')).toEqual(['Ремонт кабинета УЗИ'])
    expect(await find(admin, 'ремонт кабинета хирурга')).toEqual([])
  })

  it('finds a person by two letters at the beginning of a word', async () => {
    expect(await titles(admin, 'щу', 'users')).toEqual(['Щукина Анна'])
    expect(await titles(admin, 'ук', 'users')).toEqual([])
  })

  it.each(['+7 912 345-67-89', '89123456789', '9123456789', '345-67'])('recognises the phone %s', async (phone) => {
    const contacts = (await find(admin, phone)).find((group) => group.path === 'sales-management/contacts')
    expect(contacts?.items).toMatchObject([
      { title: 'Щербинин Олег', hint: '+79123456789', link: expect.stringContaining(`lead=${idLead}`) },
    ])
  })

  it('finds a person by the initials and by a part of the phone beside the name', async () => {
    for (const typed of ['Щербинин О.', 'О. Щербинин', 'Щербинин 345-67-89'])
      expect(await titles(admin, typed, 'sales-management/contacts'), typed).toEqual(['Щербинин Олег'])
    expect(await titles(admin, 'Щербинин П.', 'sales-management/contacts')).toEqual([])
  })

  it("recognises a day: of a birthday, and of a task in the user's time zone", async () => {
    expect(await titles(admin, '09.05.1985', 'sales-management/contacts')).toEqual(['Щербинин Олег'])
    expect(await titles(admin, '09.05.2031', 'tasks-management/tasks')).toEqual(['Ремонт кабинета УЗИ'])
    expect(await titles(admin, '10.05.2031', 'tasks-management/tasks')).toEqual([])
  })

  it('is filtered by kind, day and person', async () => {
    const narrowed = async (more: string) =>
      good(await admin.get(`/search?q=${encodeURIComponent('закупить')}&${more}`)).groups.map(
        ({ path }: { path: string }) => path,
      )
    expect(await narrowed('kind=sales-management/leads')).toEqual(['sales-management/leads'])
    expect(await narrowed('from=2000-01-01&to=2000-01-02')).toEqual([])
    expect(await narrowed('from=2000-01-01&kind=sales-management/leads')).toEqual(['sales-management/leads'])
    expect(await narrowed('person=999999')).toEqual([])
    expect((await admin.get('/search?q=ремонт&from=вчера')).status).toBe(400)
  })

  it('finds a task without a workspace, and shows that', async () => {
    const { id } = good(await admin.post(`${T}/tasks`, { name: 'Бездомная задача' }), 201)
    const [tasks] = await find(admin, 'бездомная')
    expect(tasks?.items[0]).toMatchObject({ id, link: `/tasks/mine?task=${id}`, hint: 'вне пространств' })
  })

  it('returns the tags of all areas visible to the user, with their counts', async () => {
    for (const surname of ['Меткина', 'Метлина']) {
      const { id } = good(await admin.post('/customers', { surname }), 201)
      good(await admin.post('/customers/tags', { idCustomer: id, name: 'Постоянный' }), 201)
    }
    good(await admin.post(`${S}/tags`, { idLead, name: 'Срочно' }), 201)
    const tags = async (caller: Caller, query = '') =>
      good(await caller.get(`/tags${query}`)).items.map(({ name, entityType, count }: Record<string, unknown>) => [
        entityType,
        name,
        count,
      ])
    expect(await tags(admin)).toEqual(
      expect.arrayContaining([
        ['customers', 'Постоянный', 2],
        ['sales-management/leads', 'Срочно', 1],
      ]),
    )
    expect(await tags(admin, '?entityType=customers')).toEqual([['customers', 'Постоянный', 2]])
    expect(await tags(boris)).toEqual([])
    // The parameters of every list.
    expect(await tags(admin, '?sort=name&limit=1&filter[entityType]=customers')).toEqual([
      ['customers', 'Постоянный', 2],
    ])
    expect((await tags(admin, '?sort=count,-name'))[0]?.[2]).toBe(1)
    expect(await tags(admin, '?filter[name][ilike]=сроч')).toEqual([['sales-management/leads', 'Срочно', 1]])
    const page = good(await admin.get('/tags?limit=1&page=2&count=1'))
    expect([page.items.length, page._meta]).toEqual([
      1,
      {
        currentPage: 2,
        perPage: 1,
        hasMore: page._meta.totalCount > 2,
        totalCount: expect.any(Number),
        pageCount: page._meta.totalCount,
      },
    ])
    expect((await admin.get('/tags?sort=color')).status).toBe(400)
    expect((await admin.get('/tags?nope=1')).status).toBe(400)
    expect((await clinic.anonymous.get('/tags')).status).toBe(401)
  })

  it('recognises a number', async () => {
    expect(await titles(admin, `#${idTask}`, 'tasks-management/tasks')).toEqual(['Ремонт кабинета УЗИ'])
  })

  it("recognises a number of any record, only within the user's scope", async () => {
    const groups = async (caller: Caller) => (await find(caller, `#${idLead}`)).map(({ path }) => path)
    expect(await titles(admin, `#${idLead}`, 'sales-management/leads')).toEqual(['Имплантация 100% скидка'])
    expect(await groups(boris)).not.toContain('sales-management/leads')
  })

  it('shows five of a group and whether there are more', async () => {
    const { idColumnNew } = good(await admin.get(`${T}/boards/${idBoard}?fields=idColumnNew`))
    for (let n = 1; n <= 6; n++)
      good(await admin.post(`${T}/tasks`, { name: `Ковёр ${n}`, idColumn: idColumnNew }), 201)
    const [tasks] = await find(admin, 'ковёр')
    expect([tasks?.items.length, tasks?.hasMore]).toEqual([5, true])
    const [fewer] = await find(admin, 'ковёр 6')
    expect([fewer?.items.length, fewer?.hasMore]).toEqual([1, false])
  })

  it('covers these records, each under its own heading', () => {
    const found = clinic.context.registry.definitions.flatMap((d) => (d.found ? [d.found.group] : []))
    expect(found).toEqual(
      expect.arrayContaining([
        'Задачи',
        'Пространства',
        'Файлы задач',
        'Сделки',
        'Контакты',
        'Клиенты',
        'Регламенты',
        'Скрипты',
        'Новости',
        'Сотрудники',
        'Звонки',
        'Обращения',
      ]),
    )
    expect(new Set(found).size).toBe(found.length)
  })

  it('treats wildcard characters literally', async () => {
    expect(await titles(admin, '100%', 'sales-management/leads')).toEqual(['Имплантация 100% скидка'])
    expect(await find(admin, '%%')).toEqual([])
  })

  it("shows only records in the user's scope", async () => {
    expect(await titles(anna, 'ремонт', 'tasks-management/tasks')).toEqual([])
    expect(await titles(anna, 'имплантация', 'sales-management/leads')).toEqual([])
    expect(await titles(anna, 'ремонт', 'tasks-management/boards')).toEqual([])
    expect((await find(boris, 'ремонт')).map(({ path }) => path)).toEqual([])
    const member = good(await admin.post(`${T}/members`, { idBoard, idUser: (await userOf('anna')).id }), 201)
    expect(await titles(anna, 'ремонт', 'tasks-management/boards')).toEqual(['Ремонт корпуса'])
    good(await admin.put(`${T}/members/${member.id}`, { permissionToViewTasks: 'all' }))
    expect(await titles(anna, 'ремонт', 'tasks-management/tasks')).toHaveLength(3)
  })

  it('finds records in the registries of newer areas, with access to their page', async () => {
    await clinic.db.query({
      text: `insert into calls ("contactPhone", "callType", "dateCreate") values ('+79265550143', 1, now())`,
    })
    const made = async (path: string, body: object) => good(await admin.post(path, body), 201).id as number
    const [list, dictionary, page] = [
      await made('/price-lists', { name: 'Ярмарочный прайс' }),
      await made('/dictionaries', { name: 'Ярмарочные жалобы', code: 'fair' }),
      await made('/client/pages', { title: 'Ярмарочные акции', slug: 'fair' }),
    ]
    expect((await find(admin, 'ярмароч')).map(({ name, items }) => [name, items[0]?.link])).toEqual(
      expect.arrayContaining([
        ['Прайс-листы', `/services/price-lists?open=${list}`],
        ['Медицинские справочники', `/settings/dictionaries?open=${dictionary}`],
        ['Страницы сайта', `/settings/client/pages/${page}`],
      ]),
    )
    expect(await titles(admin, '555-01-43', 'calls')).toEqual(['+79265550143'])
    expect(await find(boris, 'ярмароч')).toEqual([])
  })

  it('finds nothing that opens on pages closed to the user, even if readable', async () => {
    good(await admin.post('/old-scripts', { name: 'Ярмарочный звонок' }), 201)
    expect(await titles(admin, 'ярмарочный звонок', 'old-scripts')).toEqual(['Ярмарочный звонок'])
    // Sales staff reads scripts beside a deal, without a page of scripts.
    const dina = clinic.as('dina')
    expect(good(await dina.get('/old-scripts')).items).toHaveLength(1)
    expect(await find(dina, 'ярмарочный звонок')).toEqual([])
    expect(await titles(dina, 'имплантация', 'sales-management/leads')).toHaveLength(1)
  })

  it.each(Object.entries(standardRoles))('links %s to no page that is closed to the role', async (key, role) => {
    const actor = { id: 0, permissions: Object.fromEntries(role.permissions.map((name) => [name, true])), modules }
    const opens = (link: string) =>
      (pages as readonly Page[]).some(
        (page) => pageAllowed(page, actor) && patternOf(page.path).test(link.split('?')[0] as string),
      )
    for (const typed of ['ярмароч', 'ремонт', 'закупить', '#1', '#2', '555-01-43'])
      for (const { items } of await find(clinic.as(`role-${key}`), typed))
        for (const { link } of items) expect([link, opens(link)]).toEqual([link, true])
  })

  it('omits only these registries', () => {
    const { registry } = clinic.context
    const registries = new Set((pages as readonly Page[]).flatMap(({ entity }) => entity ?? []))
    const known = [...registries].filter((path) => registry.at(path).entity.title && !registry.at(path).found)
    expect(known.sort()).toEqual([
      // Short lists of choices, settings, and journal lines: their pages are found. A dialogue with a patient is found
      // by the patient.
      'appeals/causes',
      'appeals/outcomes',
      'attachment/areas',
      'booking-channels',
      'calendar-days',
      'calls/transcript-lines',
      'cash-desks',
      'client/acceptances',
      'client/policies',
      'client/redirects',
      'clinical-recommendations',
      'clinical-recommendations/criteria',
      'consents/incidents',
      'consents/requests',
      'customer-sources',
      'customers/statuses',
      'desk-agents',
      'egisz/dictionaries',
      'egisz/documents',
      'egisz/editions',
      'egisz/events',
      'egisz/operations',
      'egisz/rules',
      'egisz/semds',
      'egisz/staff',
      'eln/numbers',
      'equipment-kinds',
      'exchange/mappings',
      'expenses/articles',
      'families',
      'insured-persons',
      'kpi/definitions',
      'laboratory/analytes',
      'laboratory/catalog',
      'laboratory/containers',
      'laboratory/list',
      'laboratory/units',
      'live-assist/channels',
      'live-assist/domains',
      'live-assist/groups',
      'live-assist/suggestions',
      'membership-types',
      'metrika/counters',
      'metrika/goals',
      'metrika/uploads',
      'outside-bookings',
      'payer-contracts',
      'payer-registries',
      'payment-links',
      'referrer-acts',
      'reports/mailings',
      'review-routes',
      'reviews',
      'roles',
      'sales-management/loss-reasons',
      'sales-management/offer-service-reason',
      'sales-management/sources',
      'sequences',
      'service-online',
      'service-types',
      'signatures/certificates',
      'warehouse/names',
      'warehouses',
      'webhooks',
    ])
  })

  it('refuses one letter, and too many', async () => {
    expect((await admin.get('/search?q=%D1%80')).status).toBe(400)
    expect((await admin.get(`/search?q=${'a'.repeat(101)}`)).status).toBe(400)
  })
})

const patternOf = (path: string) => new RegExp(`^/${path.replace(/:\w+/g, '[^/]+')}$`)
const userOf = async (login: string) => good(await admin.get(`/users?filter[login]=${login}`)).items[0]

describe('the choice of a record in a form', () => {
  const sought = async (path: string, q: string, more = '') =>
    (
      good(await admin.get(`${path}?q=${encodeURIComponent(q)}${more}`)).items as {
        nameService?: string
        fio?: string
      }[]
    ).map(({ nameService, fio }) => nameService ?? fio)
  const first = 'Приём (осмотр, консультация) врача-невролога первичный'
  const second = 'Приём (осмотр, консультация) врача-невролога повторный'
  beforeAll(async () => {
    for (const nameService of [first, second, 'Вызов невролога на дом', 'Первичная обработка раны'])
      good(await admin.post('/services', { nameService, code: `N${nameService.length}`, priceService: 100 }), 201)
    good(await admin.post('/customers', { surname: 'Кириллова', name: 'Зоя', phone: '+79120001122' }), 201)
  })

  it('takes all words in any order, with any ending', async () => {
    for (const typed of [
      'невролог первич',
      'первичный невролог',
      'неврологу первичного',
      'консультация первичная невролога',
    ])
      expect(await sought('/services', typed), typed).toEqual([first])
    expect(await sought('/services', 'первичный хирург')).toEqual([])
  })

  it('forgives a mistake in a word only when nothing matches without', async () => {
    for (const typed of ['нервичный невролог', 'первичый невролог', 'первчиный невролог', 'первиичный невролог'])
      expect(await sought('/services', typed), typed).toEqual([first])
    expect(await sought('/services', 'невролог')).toHaveLength(3)
    expect(await sought('/customers', 'Зоя Кирилова')).toEqual(['Кириллова Зоя'])
    const [group] = await find(admin, 'первчиный невролог')
    expect(group?.items.map(({ title }) => title)).toEqual([first])
  })

  it('puts a name that begins so first, keeps the filter, and a requested order wins', async () => {
    expect((await sought('/services', 'первичн'))[0]).toBe('Первичная обработка раны')
    expect((await sought('/services', 'первичн', '&sort=-nameService'))[0]).toBe(first)
    expect(await sought('/services', 'невролог', '&filter[code]=N22')).toEqual(['Вызов невролога на дом'])
    expect(await sought('/services', 'невролог', '&limit=1&page=2')).toHaveLength(1)
  })

  it('finds a code and a phone as they are written, and is refused where there is no order by match', async () => {
    expect(await sought('/services', 'N22')).toEqual(['Вызов невролога на дом'])
    expect(await sought('/customers', '8 (912) 000-11-22')).toEqual(['Кириллова Зоя'])
    expect((await admin.get('/services?q=a&after=')).status).toBe(400)
    expect((await admin.get('/services/export?format=csv&q=a')).status).toBe(400)
  })
})
