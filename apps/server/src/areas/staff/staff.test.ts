import { json } from 'node:stream/consumers'
import { fioOf, shortFioOf } from '@ordinator/model/areas/staff/names'
import { permissionNames } from '@ordinator/model/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { demoLogins, demoStaff } from './demoStaff.ts'
import { type StandardRoleKey, standardRoles } from './standardRoles.ts'
import { chief, clinic, idChief, idPlain, newcomer, openStaffClinic, plain } from './testing/staffClinic.ts'

openStaffClinic()

const signIn = (login: string, password = 'demo') =>
  clinic.anonymous.post('/auth/login', { login, password, forceLogin: true })

describe('users', () => {
  test.each([
    ['anonymous', 401, 401],
    ['plain', 200, 403],
    ['chief', 200, 422],
  ] as const)('%s: list %i, create %i', async (who, list, create) => {
    const caller = who === 'anonymous' ? clinic.anonymous : clinic.as(who)
    expect((await caller.get('/users')).status).toBe(list)
    expect((await caller.post('/users', {})).status).toBe(create)
  })

  test('login and block are hidden from others, also from filters and sorting', async () => {
    const { body } = await plain.get(`/users/${idChief}`)
    expect(body).toMatchObject({ id: idChief, fio: 'chief Тест', isActive: true })
    expect(body).not.toHaveProperty('login')
    expect(body).not.toHaveProperty('isBlocked')
    for (const query of [
      'filter[login]=chief',
      'filter[login][ilike]=c',
      'sort=login',
      'fields=login',
      'filter[isBlocked]=0',
    ]) {
      expect((await plain.get(`/users?${query}`)).status, query).toBe(400)
    }
    expect((await chief.get('/users?filter[login]=chief')).body.items).toMatchObject([
      { login: 'chief', isBlocked: false },
    ])
  })

  test.each([
    [{ surname: 'Иванова', name: 'анна', middleName: 'Петровна' }],
    [{ surname: 'Ли', name: '', middleName: 'Сергеевич' }],
    [{ surname: '', name: 'Анна', middleName: 'Петровна' }],
    [{ surname: null, name: null, middleName: null }],
    [{ surname: 'Ким', name: null, middleName: null }],
  ])('names in SQL equal those of the model: %j', async (name) => {
    const { id } = await newcomer(name)
    const { body } = await plain.get(`/users/view?id=${id}`)
    expect(body).toMatchObject({ fio: fioOf(name), shortFio: shortFioOf(name) })
  })

  test("the specification's search: filter[fio][ilike] with a limit", async () => {
    const { id } = await newcomer({ surname: 'Разыскиваемая', name: 'Ева' })
    const { body } = await plain.get(
      `/users?filter[fio][ilike]=${encodeURIComponent('скиваемая ев')}&limit=20&expand=fio`,
    )
    expect(body.items.map((user: { id: number }) => user.id)).toEqual([id])
    const one = (await plain.get(`/users/view?id=${id}&fields=id&expand=fio`)).body
    expect(one).toEqual({ id, _version: one._version, fio: 'Разыскиваемая Ева' })
  })

  test('logins are case-insensitive and without blanks', async () => {
    expect((await chief.post('/users', { login: 'Pair.One' })).body.login).toBe('pair.one')
    expect((await chief.post('/users', { login: 'PAIR.one' })).body).toMatchObject([{ field: 'login' }])
    expect((await chief.post('/users', { login: 'a b' })).body).toMatchObject([{ field: 'login' }])
    expect((await chief.post('/users', { login: 'zone', timeZone: 'Moon/Crater' })).body).toEqual([
      { field: 'timeZone', message: 'Неизвестный часовой пояс' },
    ])
  })

  test.each(['lastActive', 'avatar', 'hash', 'isOnline', 'fio'])('%s is set by the server only', async (field) => {
    expect((await chief.put(`/users/${idPlain}`, { [field]: 'x' })).body).toEqual([
      { field, message: 'Поле нельзя изменить' },
    ])
  })

  test('is-online: true for the requester and recent users; false for blocked, inactive and unknown ones', async () => {
    await plain.post('/users/is-online', { users: [idPlain] })
    const [here, gone, blocked, never] = await Promise.all([newcomer(), newcomer(), newcomer(), newcomer()])
    const setLastSeen = (ids: number[], ago: string) =>
      clinic.db.query({
        text: `update users set "lastActive" = now() - $2::interval where id = any($1::bigint[])`,
        values: [ids, ago],
      })
    await setLastSeen([idPlain, gone.id], '1 hour')
    await setLastSeen([here.id, blocked.id], '1 min')
    await chief.put(`/users/${blocked.id}`, { isBlocked: true })
    const users = [idPlain, here.id, gone.id, blocked.id, never.id, 999_999]
    const { status, body } = await plain.post('/users/is-online', { users })
    expect([status, users.filter((one) => body[one])]).toEqual([200, [idPlain, here.id]])
    expect(Object.keys(body)).toHaveLength(users.length)
    await setLastSeen([idPlain], '4 min')
    expect((await chief.get(`/users/${idPlain}?fields=isOnline`)).body.isOnline).toBe(false)
    expect((await plain.post('/users/is-online', { users: 'all' })).status).toBe(422)
  })

  test('set-sip-phone changes the own number, validated', async () => {
    expect((await plain.post('/users/set-sip-phone', { sipPhone: '712' })).body).toEqual({
      id: idPlain,
      sipPhone: '712',
    })
    expect((await plain.post('/users/set-sip-phone', { sipPhone: 'a b' })).body).toMatchObject([{ field: 'sipPhone' }])
    expect((await plain.post('/users/set-sip-phone', { sipPhone: '' })).body).toEqual({ id: idPlain, sipPhone: null })
  })

  test('the account shows whether the menu layout was chosen', async () => {
    const chosen = async () => (await plain.post('/common/get-account', {})).body.user.specials.menuChosen
    await plain.put('/user-settings/main', { showTableBorders: true })
    expect(await chosen()).toBe(false)
    await plain.put('/user-settings/main', { pinLeftMenu: false })
    expect(await chosen()).toBe(true)
  })

  test('set-contacts changes own phone and mail, in part or both, and nothing else', async () => {
    const set = (body: object) => plain.post('/users/set-contacts', body)
    expect((await set({ phone: '8 (912) 345-67-89', email: ' me@clinic.test ' })).body).toEqual({
      id: idPlain,
      phone: '+79123456789',
      email: 'me@clinic.test',
    })
    expect((await set({ email: 'no mail' })).body).toMatchObject([{ field: 'email' }])
    expect((await set({ phone: '12' })).body).toMatchObject([{ field: 'phone' }])
    expect((await set({ phone: '' })).body).toEqual({ id: idPlain, phone: null, email: 'me@clinic.test' })
    expect((await set({ post: 'Главный врач' })).status).toBe(422)
    const { changes } = (await chief.get(`/users/${idPlain}/history?limit=1`)).body.items[0]
    expect(changes).toEqual({ phone: ['+79123456789', null] })
  })
})

describe('blocked and deleted', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['PUT isBlocked', (id) => chief.put(`/users/${id}`, { isBlocked: true })],
    ['POST block', (id) => chief.post(`/users/${id}/block`)],
    ['DELETE', (id) => chief.delete(`/users/${id}`)],
  ])('%s ends the session at once and blocks sign-in', async (_, shut) => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    const token = (await signIn(login)).body.accessToken
    expect((await clinic.withToken(token).get('/auth/sessions')).status).toBe(200)
    await shut(id)
    expect((await clinic.withToken(token).get('/auth/sessions')).status).toBe(401)
    const answer = await signIn(login)
    expect(answer.status).toBe(401)
    expect(answer.body.success).toBe(false)
    expect((await signIn(login, 'wrong')).body.errorText).toBe('Неверный логин или пароль')
  })

  test('a blocked user learns it only after the right password, and can sign in after unblocking', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    await chief.post(`/users/${id}/block`)
    expect((await signIn(login)).body.errorText).toBe('Вход закрыт. Обратитесь к администратору')
    await clinic.db.query({ text: 'update users set "lastActive" = now() where id = $1', values: [id] })
    expect((await plain.get(`/users/${id}`)).body).toMatchObject({ isActive: false, isOnline: false })
    expect((await plain.post(`/users/${id}/unblock`)).status).toBe(403)
    await chief.post(`/users/${id}/unblock`)
    expect((await signIn(login)).status).toBe(200)
  })

  test('a deleted user stays named in old records, and the login is free again', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    await chief.delete(`/users/${id}`)
    expect((await chief.get(`/users/${id}`)).status).toBe(404)
    expect((await chief.get(`/users/${id}?deleted=1`)).body.login).toBe(login)
    expect((await chief.post('/users', { login })).status).toBe(201)
  })

  test('not allowed on oneself', async () => {
    expect((await chief.put(`/users/${idChief}`, { isBlocked: true })).status).toBe(409)
    expect((await chief.delete(`/users/${idChief}`)).status).toBe(409)
  })
})

describe('issued passwords', () => {
  test('reset shows one once, ends the sessions, requires a change', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    const token = (await signIn(login)).body.accessToken
    const reset = await chief.post(`/users/${id}/reset-password`)
    expect(reset.body).toEqual({ password: expect.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){2}$/) })
    expect((await clinic.withToken(token).get('/auth/sessions')).status).toBe(401)
    expect((await signIn(login)).status).toBe(401)
    const signed = await signIn(login, reset.body.password)
    const me = clinic.withToken(signed.body.accessToken)
    expect((await me.post('/common/get-account', {})).body.user.specials).toMatchObject({ mustChangePassword: true })
    await me.post('/auth/change-password', { currentPassword: reset.body.password, newPassword: 'море волнуется 1' })
    expect((await me.post('/common/get-account', {})).body.user.specials).toMatchObject({ mustChangePassword: false })
  })

  test('until it is changed every call, file and socket is refused; the change opens all at once', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    await chief.post('/user-permissions', { idUser: id, permission: 'editUsers' })
    const { password } = (await chief.post(`/users/${id}/reset-password`)).body
    const signed = await signIn(login, password)
    const token = signed.body.accessToken
    const me = clinic.withToken(token)
    const set = [signed.headers['set-cookie'] ?? []].flat().map((line) => (line.split(';')[0] as string).split('='))
    const cookies = Object.fromEntries(set.map(([name, value]) => [name, decodeURIComponent(value as string)]))
    const second = await clinic.secondProcess()
    const url = new URL(`/ws?token=${token}`, (await second.listen()).replace('http', 'ws'))
    const socket = () =>
      new Promise<unknown>((resolve) => {
        const one = new WebSocket(url)
        one.once('open', () => one.terminate()).once('close', () => resolve('open'))
        one.once('unexpected-response', async (_request, answer) =>
          resolve([answer.statusCode, ((await json(answer)) as { message: string }).message]),
        )
      })
    const calls: Record<string, () => Promise<Answer>> = {
      list: () => me.get('/users'),
      view: () => me.get(`/users/${id}`),
      write: () => me.put(`/users/${id}`, { post: 'Врач' }),
      batch: () => me.post('/users/batch', { update: [{ id, post: 'Врач' }] }),
      export: () => me.get('/users/export?format=csv'),
      'own sessions': () => me.get('/auth/sessions'),
      search: () => me.get('/search?q=врач'),
      file: () => clinic.anonymous.get('/files/1', { cookies }),
      'another server': () => second.withToken(token).get('/users'),
    }
    const refused = [403, 'Сначала задайте свой пароль вместо временного']
    for (const [name, ask] of Object.entries(calls)) {
      const { status, body } = await ask()
      expect([status, body?.message], name).toEqual(refused)
    }
    expect(await socket()).toEqual(refused)
    const renewed = await clinic.anonymous.post('/auth/refresh-token', {}, { cookies })
    expect((await clinic.withToken(renewed.body.token).get('/users')).status).toBe(403)
    expect(
      (await me.post('/auth/change-password', { currentPassword: password, newPassword: 'море волнуется 2' })).status,
    ).toBe(200)
    for (const [name, ask] of Object.entries(calls)) expect((await ask()).status, name).not.toBe(403)
    expect(await socket()).toBe('open')
    await second.close()
  })

  test('a temporary one allows signing out', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    const { password } = (await chief.post(`/users/${id}/reset-password`)).body
    const me = clinic.withToken((await signIn(login, password)).body.accessToken)
    expect((await me.post('/auth/logout', {})).status).toBe(200)
    expect((await me.post('/common/get-account', {})).status).toBe(401)
  })

  test.each(['reset-password', 'block', 'unblock'])('%s requires a right', async (verb) => {
    expect((await plain.post(`/users/${idChief}/${verb}`)).status).toBe(403)
    expect((await clinic.anonymous.post(`/users/${idChief}/${verb}`)).status).toBe(401)
    expect((await chief.post(`/users/999999/${verb}`)).status).toBe(404)
  })

  test('sessions of others are listed and ended with the right to manage staff', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    const token = (await signIn(login)).body.accessToken
    expect((await plain.get(`/users/${id}/sessions`)).status).toBe(403)
    const [session] = (await chief.get(`/users/${id}/sessions`)).body.items
    expect((await chief.delete(`/users/${idPlain}/sessions/${session.id}`)).status).toBe(404)
    expect((await chief.delete(`/users/${id}/sessions/${session.id}`)).status).toBe(204)
    expect((await clinic.withToken(token).get('/auth/sessions')).status).toBe(401)
  })
})

test('a read at page load returns the event cursor, to signed-in users', async () => {
  const asking = { headers: { 'x-cursor': '1' } }
  const header = (await plain.get('/users?limit=1', asking)).headers['x-cursor'] as string
  const { cursor } = (await plain.post('/common/get-account', {})).body
  expect(BigInt(header)).toBeLessThanOrEqual(BigInt(cursor))
  expect((await plain.get('/users?limit=1')).headers['x-cursor']).toBeUndefined()
  expect((await clinic.anonymous.get('/users?limit=1', asking)).headers['x-cursor']).toBeUndefined()
})

test('first start: one administrator with a random password, shown once, after the server listens', async () => {
  const fresh = await testApp()
  expect(fresh.context.banner.filter((text) => text.includes('admin'))).toEqual([])
  await fresh.app.start()
  const line = fresh.context.banner.find((text) => text.includes('admin'))
  const password = line?.match(/[a-z0-9]{4}(-[a-z0-9]{4}){2}/)?.[0] as string
  const me = fresh.as('admin', password)
  const { user } = (await me.post('/common/get-account', {})).body
  expect(Object.keys(user.permissions).sort()).toEqual([...permissionNames].sort())
  expect(user.roles).toMatchObject([{ name: 'Полный доступ' }])
  const again = await fresh.secondProcess()
  await again.app.start()
  expect(again.context.banner.filter((text) => text.includes('admin'))).toEqual([])
  await again.close()
  await fresh.close()
})

/** The first file that asks for the demo clinic makes it, which takes minutes on a busy machine. */
const LONGER = { timeout: 10 * 60_000 }

test.each([
  ['0.0.0.0', 'demo', true],
  ['0.0.0.0', 'its own', false],
  ['127.0.0.1', 'demo', false],
])('listening on %s with the passwords of %s is reported with a warning: %s', LONGER, async (HOST, whose, isWarned) => {
  const open = await testApp({ demo: whose === 'demo', env: { HOST } })
  await open.app.start()
  const warned = open.context.banner.filter((line) => line.startsWith('ВНИМАНИЕ'))
  expect(warned).toEqual(isWarned ? [expect.stringMatching(/HOST=0\.0\.0\.0 .* всей сети/)] : [])
  await open.close()
})

describe('the demo clinic’s staff', () => {
  let demo: Clinic
  beforeAll(async () => {
    demo = await testApp({ demo: true })
  })
  afterAll(() => demo.close())

  test('some thirty people, each with one standard role', async () => {
    const { body } = await demo.as('admin').get('/users?limit=100&expand=roles.role&count=1')
    expect(body._meta.totalCount).toBe(demoStaff.length)
    expect(demoStaff.length).toBeGreaterThanOrEqual(28)
    for (const user of body.items) expect(user.roles, user.login).toHaveLength(1)
  })

  test.each(demoLogins)('%s signs in with the rights of the role', async (login) => {
    const { user } = (await demo.as(login).post('/common/get-account', {})).body
    const role = standardRoles[login as StandardRoleKey]
    expect(user.roles).toMatchObject([{ name: role.name }])
    // Desk staff can give manual discounts from the first day.
    const [own] = (await demo.as('admin').get(`/roles?filter[name]=${encodeURIComponent(role.name)}`)).body.items
    const most: Record<string, number> = { admin: 100, manager: 20, registrar: 5 }
    expect(own.maxDiscount).toBe(most[login] ?? null)
    expect(Object.keys(user.permissions)).toEqual(expect.arrayContaining([...role.permissions]))
    for (const own of ['mainSettings', 'editUsers', 'testSocket', 'bypassTaskRights']) {
      expect(own in user.permissions, own).toBe(login === 'admin')
    }
  })
})
