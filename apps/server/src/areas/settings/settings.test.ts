import { userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import { everyCall } from '@ordinator/model/calls'
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import type { Page } from '@ordinator/model/page'
import { pageAllowed, pages } from '@ordinator/model/pages'
import { permissionNames } from '@ordinator/model/permissions'
import { gateOf, type Module, modules, type Tariff, tariffIncludes, tariffs } from '@ordinator/model/tariff'
import { waitingModules } from '@ordinator/model/waiting'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let me: Caller
let other: Caller
let boss: Caller

beforeAll(async () => {
  clinic = await testApp()
  await addPerson(clinic.context, 'me')
  await addPerson(clinic.context, 'other', ['viewTasksManagement'])
  await addPerson(clinic.context, 'boss', ['mainSettings'])
  ;[me, other, boss] = [clinic.as('me'), clinic.as('other'), clinic.as('boss')]
})
afterAll(() => clinic.close())

describe('a view of a list shared with a role', () => {
  const share = (by: Caller, idRole: number, more: object = {}) =>
    by.post('/shared-views/share', {
      screen: 'customers',
      name: 'Должники',
      value: { search: 'долг' },
      idRole,
      ...more,
    })
  const listed = async (by: Caller) =>
    good(await by.get('/shared-views?filter[screen]=customers')).items.map(({ name }: { name: string }) => name)

  test('is visible to its holders, and changed by its author and users who edit roles', async () => {
    const role = await clinic.db.one<{ id: number }>(
      sql`insert into roles ("name") values ('Регистратура видов') returning "id"`,
    )
    const idRole = Number(role?.id)
    const give = (login: string) =>
      clinic.db.query(
        sql`insert into user_roles ("idUser", "idRole") select "id", ${idRole} from users where "login" = ${login}`,
      )
    await addPerson(clinic.context, 'keeper', ['editUsers'])
    const keeper = clinic.as('keeper')
    expect((await share(me, idRole)).body[0].message).toBe('Показать можно роли, которая есть у вас')
    await give('me')
    const made = good(await share(me, idRole), 201)
    expect(made).toMatchObject({ roleName: 'Регистратура видов', idUser: expect.any(Number) })
    expect([await listed(other), await listed(me)]).toEqual([[], ['Должники']])
    await give('other')
    expect(await listed(other)).toEqual(['Должники'])
    const rename = (by: Caller, name: string) => by.put(`/shared-views/${made.id}`, { name })
    expect((await rename(other, 'Чужой')).status).toBe(403)
    expect((await other.delete(`/shared-views/${made.id}`)).status).toBe(403)
    good(await rename(me, 'Долги'))
    good(await rename(keeper, 'Долги клиники'))
    // Into a role that one does not have only with the right to edit roles.
    good(await share(keeper, idRole, { name: 'От администратора' }), 201)
    expect(await listed(other)).toEqual(['Долги клиники', 'От администратора'])
    expect((await share(me, idRole, { value: { search: 'я'.repeat(30_000) } })).body[0].field).toBe('value')
    expect((await me.delete(`/shared-views/${made.id}`)).status).toBeLessThan(300)
    expect(await listed(other)).toEqual(['От администратора'])
  })
})

describe('own settings', () => {
  test("have the specification's defaults until set, and are set in parts", async () => {
    expect((await me.get('/user-settings/main')).body).toEqual(userSettingDefaults.main)
    expect((await me.get('/user-settings/notifications')).body).toEqual({
      id: expect.any(Number),
      ...userSettingDefaults.notifications,
    })
    const put = await me.put('/user-settings/main', { pinLeftMenu: true })
    expect([put.status, put.body]).toEqual([200, { ...userSettingDefaults.main, pinLeftMenu: true }])
    await me.post('/user-settings/main', { messageNotifyTimeStart: '08:30' })
    expect((await me.get('/user-settings/main')).body).toMatchObject({
      pinLeftMenu: true,
      messageNotifyTimeStart: '08:30',
    })
    expect((await other.get('/user-settings/main')).body).toEqual(userSettingDefaults.main)
    expect((await me.post('/common/get-account', {})).body.user.settings.main.pinLeftMenu).toBe(true)
  })

  test('can be written back as read', async () => {
    const { body } = await me.get('/user-settings/notifications')
    expect((await me.put('/user-settings/notifications', { ...body, tasksMy: true })).status).toBe(200)
    expect((await me.get('/user-settings/notifications')).body.tasksMy).toBe(true)
  })

  test.each<[string, object, string, string]>([
    ['main', { pinLeftMenu: 'yes' }, 'pinLeftMenu', 'Должен иметь логический тип данных'],
    ['main', { messageNotifyTimeEnd: '25:00' }, 'messageNotifyTimeEnd', 'Нужно время, например 09:30'],
    ['main', { colour: 1 }, 'colour', 'Неизвестное поле'],
    ['notifications', { sourceNamesLiveAssist: 'site' }, 'sourceNamesLiveAssist', 'Выберите значения из списка'],
    [
      'examination-dictionaries',
      { openDictionaryOnClick: null },
      'openDictionaryOnClick',
      'Должен иметь логический тип данных',
    ],
  ])('%s %j: 422 names the field', async (group, body, field, message) => {
    const answer = await me.put(`/user-settings/${group}`, body)
    expect([answer.status, answer.body]).toEqual([422, [{ field, message }]])
  })

  test('a group is validated as a record too', async () => {
    const poisoned = { name: 'notifications', value: { tasks: 'boom' } }
    const refused = [422, [{ field: 'tasks', message: 'Должен иметь логический тип данных' }]]
    const created = await other.post('/user-settings', poisoned)
    expect([created.status, created.body]).toEqual(refused)
    const kept = (await other.post('/user-settings', { name: 'columns', value: { tasks: 'boom' } })).body
    const renamed = await other.put(`/user-settings/${kept.id}`, { name: 'notifications' })
    expect([renamed.status, renamed.body]).toEqual(refused)
    const { body } = await other.post('/user-settings', { name: 'notifications', value: { tasks: false } })
    const changed = await other.put(`/user-settings/${body.id}`, { value: { tasks: 1 } })
    expect([changed.status, changed.body]).toEqual(refused)
    expect((await other.get('/user-settings/notifications')).body.tasks).toBe(false)
  })

  test('an invalid stored value is ignored', async () => {
    await clinic.context.db.query(sql`update user_settings set "value" = '{"tasks":"boom","sendToTg":false}'
      where "name" = 'notifications' and "idUser" = (select "id" from users where "login" = 'other')`)
    expect((await other.get('/user-settings/notifications')).body).toMatchObject({ tasks: true, sendToTg: false })
    expect((await other.put('/user-settings/notifications', { tasksMy: true })).status).toBe(200)
  })

  describe('limits per person:', () => {
    const tooMany = [409, 'Сохранено слишком много настроек: удалите лишние виды списков']
    const outcomeOf = ({ status, body }: Answer) => (status < 300 ? [status] : [status, body.message])
    /** A person with this many settings of this many characters. */
    async function keeper(login: string, settings: number, characters: number) {
      const { id } = await addPerson(clinic.context, login)
      await clinic.db.query(sql`insert into user_settings ("idUser", "name", "value")
        select ${id}, 'view ' || n, to_jsonb(repeat('x', ${characters}::int)) from generate_series(1, ${settings}::int) n`)
      return clinic.as(login)
    }

    test('number of settings', async () => {
      const hoarder = await keeper('hoarder', 299, 10)
      const { status, body } = await hoarder.post('/user-settings', { name: 'the last', value: {} })
      expect(status).toBe(201)
      expect(outcomeOf(await hoarder.post('/user-settings', { name: 'one more', value: {} }))).toEqual(tooMany)
      expect(outcomeOf(await hoarder.put('/user-settings/main', { pinLeftMenu: true }))).toEqual(tooMany)
      expect(outcomeOf(await hoarder.put(`/user-settings/${body.id}`, { value: { order: ['fio'] } }))).toEqual([200])
      await hoarder.delete(`/user-settings/${body.id}`)
      expect(outcomeOf(await hoarder.post('/user-settings', { name: 'one more', value: {} }))).toEqual([201])
    })

    test('number of characters, in a new setting or in a change', async () => {
      const writer = await keeper('writer', 21, 95_000)
      const text = (length: number) => ({ value: { text: 'x'.repeat(length) } })
      const { status, body } = await writer.post('/user-settings', { name: 'small', ...text(1_000) })
      expect(status).toBe(201)
      expect(outcomeOf(await writer.post('/user-settings', { name: 'large', ...text(20_000) }))).toEqual(tooMany)
      expect(outcomeOf(await writer.put(`/user-settings/${body.id}`, text(20_000)))).toEqual(tooMany)
      expect(outcomeOf(await writer.put(`/user-settings/${body.id}`, text(900)))).toEqual([200])
    })
  })

  test('eight concurrent first saves create one row, and none is lost', async () => {
    const names = [
      'appointmentChange',
      'appointmentCreate',
      'appointmentDelete',
      'scheduleDelete',
      'scheduleNew',
      'scheduleUpdate',
      'tasksMy',
      'allNotifyLiveAssist',
    ]
    await Promise.all(names.map((name) => other.put('/user-settings/notifications', { [name]: true })))
    expect((await other.get('/user-settings/notifications')).body).toMatchObject(
      Object.fromEntries(names.map((name) => [name, true])),
    )
    expect((await other.get('/user-settings?filter[name]=notifications')).body.items).toHaveLength(1)
  })

  test('rows of others are not found', async () => {
    const mine = (await me.post('/user-settings', { name: 'columns/users', value: { order: ['fio'] } })).body
    for (const answer of [
      await other.get(`/user-settings/${mine.id}`),
      await other.put(`/user-settings/${mine.id}`, { value: {} }),
      await other.delete(`/user-settings/${mine.id}`),
    ])
      expect(answer.status).toBe(404)
    expect(JSON.stringify((await other.get('/user-settings')).body)).not.toContain('columns/users')
    expect((await me.post('/user-settings', { name: 'x', value: {}, idUser: 1 })).status).toBe(422)
  })

  test('without a sign-in there are none', async () => {
    for (const group of ['main', 'notifications', 'examination-dictionaries']) {
      expect((await clinic.anonymous.get(`/user-settings/${group}`)).status).toBe(401)
    }
  })
})

describe('the clinic’s settings', () => {
  test("default to the specification's hours for messages to patients", async () => {
    expect(good(await boss.get('/settings/common')).messageHours).toEqual({ start: '10:00', end: '18:00' })
  })

  test('default to the cookies of the shared sign-in, and no older CRM', async () => {
    expect((await me.post('/common/get-account', {})).body.common.settings).toMatchObject({
      oldCrmUrl: '',
      cookieNameCurrent: 'ordinator_user',
      cookieNameOther: 'crm_user',
      cookieNameLogout: 'crm_logout',
    })
  })

  test('require mainSettings', async () => {
    expect((await me.get('/settings/common')).status).toBe(403)
    expect((await me.put('/settings/common', { productName: 'X' })).status).toBe(403)
    expect((await clinic.anonymous.get('/settings/common')).status).toBe(401)
  })

  test.each<[object, string]>([
    [{ timeZone: 'Mars' }, 'timeZone'],
    [{ tariff: 'free' }, 'tariff'],
    [{ messageHours: { start: '9', end: '21:00' } }, 'messageHours.start'],
    [{ companyPhone: 'abc' }, 'companyPhone'],
    [{ oldCrmUrl: 'javascript:alert(1)' }, 'oldCrmUrl'],
    [{ cookieNameOther: 'a;b' }, 'cookieNameOther'],
    [{ secret: 1 }, 'secret'],
    [{ productName: '' }, 'productName'],
  ])('%j is refused by name, and nothing is stored', async (wrong, field) => {
    const answer = await boss.put('/settings/common', { productName: 'Другое', ...wrong })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject([{ field }])
    expect((await boss.get('/settings/common')).body.productName).toBe('Ординатор')
  })

  test('tariff and modules apply to everyone at the next request', async () => {
    const common = async () => (await me.post('/common/get-account', {})).body.common
    expect((await common()).tariff).toBe('premium')
    await boss.put('/settings/common', { tariff: 'basic', additionalServices: ['omnichannel'], productName: 'Клиника' })
    expect(await common()).toMatchObject({
      tariff: 'basic',
      additionalServices: ['omnichannel'],
      settings: { productName: 'Клиника' },
    })
  })
})

describe('tariff', () => {
  const everybody = { permissions: Object.fromEntries(permissionNames.map((name) => [name, true as const])) }
  let all: Caller

  beforeAll(async () => {
    await addPerson(clinic.context, 'all', permissionNames)
    all = clinic.as('all')
  })
  afterAll(() => boss.put('/settings/common', { tariff: 'premium', additionalServices: modules }))

  type Has = { tariff: Tariff; modules: readonly Module[] }
  const closedBy = ({ tariff, modules }: Has, path: string) => {
    const gate = gateOf(path)
    return !tariffIncludes(tariff, gate?.tariff ?? 'basic') || (gate?.module && !modules.includes(gate.module)) === true
  }
  const isClosed = ({ status, body }: { status: number; body?: { message?: string } }) =>
    status === 403 && body?.message === 'Этого раздела нет в тарифе клиники'

  test('the paths it closes', () => {
    expect(['deals', 'deals/requests', 'regulations', '/sales-management/leads/:id/logs'].map(gateOf)).toEqual(
      Array(4).fill({ tariff: 'standard' }),
    )
    expect(gateOf('deals/:id/analytics')).toEqual({ tariff: 'premium' })
    expect(['', 'tasks', 'news', 'users', 'settings/main', 'deals-of-day'].map(gateOf)).toEqual(
      Array(6).fill(undefined),
    )
  })

  const gated = modules.filter((module) =>
    [...pages, ...(entities as readonly Entity[])].some(({ path }) => gateOf(path)?.module === module),
  )

  test('each module gates pages or is listed as waiting', () => {
    expect(modules.filter((module) => !gated.includes(module) && !waitingModules[module])).toEqual([])
  })

  test.each([
    ...tariffs.map((tariff) => [`${tariff}: pages, records and calls`, { tariff, modules }] as const),
    ...gated.map(
      (closed) =>
        [`without ${closed}`, { tariff: 'premium', modules: modules.filter((one) => one !== closed) }] as const,
    ),
  ])('%s', async (_, has) => {
    const closedHere = (path: string) => closedBy(has, path)
    const { tariff, modules } = has
    expect((await boss.put('/settings/common', { tariff, additionalServices: modules })).status).toBe(200)
    expect(pages.some(({ path }) => closedHere(path))).toBe(
      tariff !== 'premium' || gated.some((one) => !modules.includes(one)),
    )
    for (const page of pages as readonly Page[])
      if (!page.public)
        expect(pageAllowed(page, { id: 1, tariff, modules, ...everybody }), page.path).toBe(!closedHere(page.path))
    for (const { path } of entities as readonly Entity[]) {
      const expected = closedHere(path)
      const list = await all.get(`/${path}?limit=0`)
      expect(list.status === 403, `${path} ${list.text}`).toBe(expected)
    }
    const here = (path: string) => path.replace(/:\w+/g, '1')
    for (const { method, path, access } of everyCall) {
      if (!closedHere(path)) continue
      const answer = await (access === 'public' ? clinic.anonymous : all).call(method, here(path), {})
      expect(isClosed(answer), `${method} ${path} ${answer.text}`).toBe(true)
    }
  })
})
