import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { lockWaits } from '#testing/locks.ts'
import { addPerson } from '#testing/people.ts'
import { chief, clinic, idChief, idPlain, newcomer, openStaffClinic, plain } from './testing/staffClinic.ts'

openStaffClinic()

describe('rights', () => {
  const permissionsOf = async (caller: Caller) =>
    Object.keys((await caller.post('/common/get-account', {})).body.user.permissions).sort()

  test('of roles and single grants are combined, and a change applies to the next request', async () => {
    const { id, login } = (await newcomer()) as { id: number; login: string }
    const me = clinic.as(login)
    expect(await permissionsOf(me)).toEqual([])
    const role = (await chief.post('/roles', { name: 'Касса', permissions: ['payroll', 'viewExpenses'] })).body
    await chief.post('/user-roles', { idUser: id, idRole: role.id })
    await chief.post('/user-permissions', { idUser: id, permission: 'viewDiscounts' })
    expect(await permissionsOf(me)).toEqual(['payroll', 'viewDiscounts', 'viewExpenses'])
    await chief.put(`/roles/${role.id}`, { permissions: ['payroll'] })
    expect(await permissionsOf(me)).toEqual(['payroll', 'viewDiscounts'])
    expect((await chief.get(`/roles/${role.id}`)).body.usersCount).toBe(1)
    await chief.delete(`/roles/${role.id}`)
    expect(await permissionsOf(me)).toEqual(['viewDiscounts'])
    expect((await chief.get(`/user-roles?filter[idUser]=${id}`)).body.items).toEqual([])
  })

  test.each(['/roles', '/user-roles', '/user-permissions'])('%s is refused without the right', async (path) => {
    expect((await plain.get(path)).status).toBe(403)
    expect((await plain.post(path, {})).status).toBe(403)
    expect((await plain.get('/users?expand=roles')).status).toBe(403)
  })

  test('unknown permissions are refused', async () => {
    expect((await chief.post('/roles', { name: 'X', permissions: ['everything'] })).body).toMatchObject([
      { field: 'permissions' },
    ])
    expect((await chief.post('/user-permissions', { idUser: idPlain, permission: 'everything' })).body).toMatchObject([
      { field: 'permission' },
    ])
  })

  test('standard roles cannot be deleted', async () => {
    const [role] = (await chief.get('/roles?filter[isSystem]=1')).body.items
    const answer = await chief.delete(`/roles/${role.id}`)
    expect([answer.status, answer.body.message]).toEqual([409, 'Системную роль удалить нельзя'])
  })
})

describe('the last administrator', () => {
  const LAST = /не останется ни одного действующего сотрудника/
  let own: Clinic
  let admin: Caller
  let idAdmin: number
  let grant: number

  beforeAll(async () => {
    own = await testApp()
    idAdmin = (await addPerson(own.context, 'only', ['editUsers'])).id
    admin = own.as('only')
    // The administrator of the first start is removed, so that one person is left.
    const [first] = (await admin.get('/users?filter[login]=admin')).body.items
    expect((await admin.post(`/users/${first.id}/block`)).status).toBe(200)
    grant = (await admin.get(`/user-permissions?filter[idUser]=${idAdmin}`)).body.items[0].id
  })
  afterAll(() => own.close())

  test('cannot give up the right', async () => {
    const answer = await admin.delete(`/user-permissions/${grant}`)
    expect([answer.status, answer.body[0].field]).toEqual([422, 'permission'])
    expect(answer.body[0].message).toMatch(LAST)
    expect((await admin.get('/roles')).status).toBe(200)
  })

  test('nor lose it through a role: by its assignment, permissions or removal', async () => {
    const role = (await admin.post('/roles', { name: 'Кадры', permissions: ['editUsers'] })).body
    const held = (await admin.post('/user-roles', { idUser: idAdmin, idRole: role.id })).body
    expect((await admin.delete(`/user-permissions/${grant}`)).status).toBe(204)
    for (const answer of [
      await admin.delete(`/user-roles/${held.id}`),
      await admin.put(`/roles/${role.id}`, { permissions: [] }),
      await admin.delete(`/roles/${role.id}`),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body[0].message).toMatch(LAST)
    }
    expect((await admin.get('/roles')).status).toBe(200)
  })

  test('a person without a password does not count as another, one with a password does', async () => {
    const [held] = (await admin.get(`/user-roles?filter[idUser]=${idAdmin}`)).body.items
    const empty = (await admin.post('/users', { login: 'no-password' })).body
    await admin.post('/user-permissions', { idUser: empty.id, permission: 'editUsers' })
    expect((await admin.delete(`/user-roles/${held.id}`)).status).toBe(422)
    await addPerson(own.context, 'second', ['editUsers'])
    expect((await admin.delete(`/user-roles/${held.id}`)).status).toBe(204)
    expect((await admin.get('/roles')).status).toBe(403)
  })

  test('of two concurrent removals of each other one is refused', async () => {
    const [a, b] = await Promise.all([
      addPerson(own.context, 'left', ['editUsers']),
      addPerson(own.context, 'right', ['editUsers']),
    ])
    const [left, right] = [own.as('left'), own.as('right')]
    await Promise.all([left.token(), right.token()])
    const second = (await left.get('/users?filter[login]=second')).body.items[0]
    await left.post(`/users/${second.id}/block`)
    // Both have written and neither has counted yet when the table lock is released.
    const answers = await own.db.tx(async (tx) => {
      await tx.query({ text: 'lock table user_secrets in access exclusive mode' })
      const running = [left.post(`/users/${b.id}/block`), right.post(`/users/${a.id}/block`)]
      await lockWaits(own.db, 2)
      return running
    })
    const settled = await Promise.all(answers)
    expect(settled.filter((answer) => answer.status === 200)).toHaveLength(1)
  })
})

describe('avatar', () => {
  const image = (format: 'png' | 'jpeg' | 'webp' = 'png', side = 300) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#0a8' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .toFormat(format)
      .toBuffer()
  const form = (files: Record<string, Buffer>) => {
    const data = new FormData()
    for (const [field, bytes] of Object.entries(files))
      data.append(field, new Blob([new Uint8Array(bytes)]), 'photo.png')
    return data
  }
  const path = () => `/users/${idPlain}/avatar`

  test('is re-encoded in two sizes, without metadata, and served to signed-in users', async () => {
    const put = await plain.post(path(), form({ originalFile: await image('jpeg', 900), croppedFile: await image() }))
    expect([put.status, put.body]).toEqual([
      200,
      { id: idPlain, avatar: expect.stringMatching(/^\/users\/\d+\/avatar\/[0-9a-f]{12}$/) },
    ])
    const { avatar } = put.body
    expect((await clinic.anonymous.get(avatar)).status).toBe(401)
    for (const [query, width] of [
      ['', 256],
      ['?size=64', 64],
      ['?size=original', 900],
    ] as const) {
      const got = await chief.get(avatar + query)
      expect(got.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': expect.stringContaining('immutable'),
      })
      const meta = await sharp(got.bytes).metadata()
      expect([meta.format, meta.width, meta.exif]).toEqual(['webp', width, undefined])
    }
    expect((await chief.get(`/users/${idPlain}`)).body.avatar).toBe(avatar)
    const [line] = (await chief.get(`/users/${idPlain}/history?limit=1`)).body.items
    expect(line.changes).toEqual({ avatar: [null, avatar] })

    const again = await plain.post(path(), form({ croppedFile: await image('webp') }))
    expect(again.body.avatar).not.toBe(avatar)
    expect((await chief.get(avatar)).status).toBe(404)
    expect((await plain.delete(path())).body).toEqual({ id: idPlain, avatar: null })
    expect((await chief.get(again.body.avatar)).status).toBe(404)
  })

  test.each<[string, () => Promise<Record<string, Buffer>>, number]>([
    ['no file', async () => ({}), 422],
    [
      'text with a picture’s name',
      async () => ({ croppedFile: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
      422,
    ],
    ['a broken picture', async () => ({ croppedFile: (await image()).subarray(0, 200) }), 422],
    [
      'a bomb: few bytes, 100 million pixels',
      async () => ({
        croppedFile: await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
      }),
      422,
    ],
    ['over 10 MB', async () => ({ croppedFile: Buffer.alloc(11 * 1024 * 1024, 1) }), 413],
  ])('%s', async (_, files, status) => {
    expect((await plain.post(path(), form(await files()))).status).toBe(status)
    expect((await chief.get(`/users/${idPlain}`)).body.avatar).toBe(null)
  })

  test('of another person requires the right to manage staff', async () => {
    const other = (await newcomer()).id
    expect((await plain.post(`/users/${other}/avatar`, form({ croppedFile: await image() }))).status).toBe(403)
    expect((await plain.delete(`/users/${other}/avatar`)).status).toBe(403)
    expect((await chief.post(`/users/${other}/avatar`, form({ croppedFile: await image() }))).status).toBe(200)
    expect((await chief.post('/users/999999/avatar', form({ croppedFile: await image() }))).status).toBe(404)
    expect((await clinic.anonymous.get(`/users/${other}/avatar/..%2f..%2fsecret`)).status).toBe(404)
  })
})

describe('explain', () => {
  const ask = async (idUser: number, query: string) =>
    (await chief.get(`/staff/explain?idUser=${idUser}&${query}`)).body

  test('the missing permission, and the roles that grant it', async () => {
    const { verdicts } = await ask(idPlain, 'page=users')
    expect(verdicts).toMatchObject([
      {
        kind: 'page',
        key: 'users',
        open: false,
        reason: 'permission',
        text: 'Нет права «Сотрудники, роли и права»',
        permissions: [{ name: 'editUsers' }],
      },
    ])
    expect(verdicts[0].roles).toEqual([{ id: expect.any(Number), name: 'Полный доступ', held: false }])
  })

  test('the source of a permission', async () => {
    const { id } = await newcomer()
    const [role] = (await chief.get('/roles?filter[name]=' + encodeURIComponent('Полный доступ'))).body.items
    await chief.post('/user-roles', { idUser: id, idRole: role.id })
    expect((await ask(id, 'page=users')).verdicts[0]).toMatchObject({ open: true, text: 'Даёт роль «Полный доступ»' })
    expect((await ask(idChief, 'page=users')).verdicts[0]).toMatchObject({
      open: true,
      text: 'Есть право «Сотрудники, роли и права»',
    })
    expect((await ask(id, 'page=dashboard')).verdicts[0]).toMatchObject({
      open: true,
      text: 'Доступно каждому, кто вошёл',
    })
    await chief.post(`/users/${id}/block`)
    expect((await ask(id, 'page=users')).verdicts[0]).toMatchObject({ open: false, reason: 'blocked' })
  })

  test('one record: the row scope applies', async () => {
    const mine = (await plain.post('/user-settings', { name: 'mine', value: { a: 1 } })).body
    const view = async (idUser: number) =>
      (await ask(idUser, `entity=user-settings&action=update&id=${mine.id}`)).verdicts[0]
    expect(await view(idPlain)).toMatchObject({ open: true })
    expect(await view(idChief)).toMatchObject({ open: false, reason: 'row' })
    expect((await ask(idPlain, 'entity=user-settings&action=view&id=999999')).verdicts[0]).toMatchObject({
      open: false,
      reason: 'missing',
    })
    expect((await plain.get(`/user-settings/${mine.id}`)).body._version).toBe(1)
  })

  test('the whole agrees with the pages and the engine', async () => {
    const { verdicts } = await ask(idPlain, '')
    expect(verdicts.length).toBeGreaterThan(40)
    const open = (kind: string, key: string, action: string) =>
      verdicts.find((v: Record<string, unknown>) => v.kind === kind && v.key === key && v.action === action)?.open
    expect(open('action', 'users', 'Видеть')).toBe((await plain.get('/users')).status === 200)
    expect(open('action', 'roles', 'Видеть')).toBe((await plain.get('/roles')).status === 200)
    expect(open('action', 'users', 'Выгружать')).toBe((await plain.get('/users/export?format=csv')).status === 200)
  })

  test.each([
    ['idUser=1&page=nowhere', 404],
    ['idUser=999999', 404],
    ['page=users', 400],
    ['idUser=1&entity=nothing', 404],
    ['idUser=1&id=5', 400],
    ['idUser=1&action=fly', 400],
  ])('?%s: %i', async (query, status) => {
    expect((await chief.get(`/staff/explain?${query}`)).status).toBe(status)
    expect((await plain.get(`/staff/explain?${query}`)).status).toBe(403)
  })
})
