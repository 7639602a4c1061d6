import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientAddress, isWithin } from '#platform/address.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let boss: Caller
const PASSWORD = 'Первый снег 2024'

beforeAll(async () => {
  clinic = await testApp()
  await addPerson(clinic.context, 'boss', ['mainSettings'])
  await addPerson(clinic.context, 'anna', [])
  boss = clinic.as('boss')
})
afterAll(() => clinic.close())

const set = async (body: object) => good(await boss.put('/settings/common', body))
const usual = {
  secondSignIn: 'ask',
  allowedAddresses: [],
  passwordLength: 8,
  passwordMixed: false,
  passwordDays: 0,
  sessionHours: 12,
  sessionDays: 30,
  sessionMostDays: 30,
}
afterEach(async () => {
  await clinic.db.query(sql`delete from common_settings where name = 'allowedAddresses'`)
  await set(usual)
})

/** A person who signs in with their own password. */
async function signer(login: string, permissions: Parameters<typeof addPerson>[2] = []) {
  const { id } = await addPerson(clinic.context, login, permissions)
  const { hashPassword, storePassword } = await import('./passwords.ts')
  await storePassword(clinic.db, id, await hashPassword(PASSWORD), false)
  return {
    id,
    signIn: (more: object = {}) => clinic.anonymous.post('/auth/login', { login, password: PASSWORD, ...more }),
  }
}
const life = async (id: number) =>
  (
    await clinic.db.one<{ hours: number }>(
      sql`select round(extract(epoch from "expiresAt" - now()) / 3600)::int as hours from sessions
        where "idUser" = ${id} and "endedAt" is null order by "dateCreate" desc limit 1`,
    )
  )?.hours

test("a session is as long as the clinic's setting", async () => {
  await set({ sessionHours: 3, sessionDays: 2 })
  const one = await signer('short')
  good(await one.signIn())
  expect(await life(one.id)).toBe(3)
  good(await one.signIn({ rememberMe: true, forceLogin: true }))
  expect(await life(one.id)).toBe(48)
})

test('a session ends at last, however often it is refreshed', async () => {
  await set({ sessionMostDays: 10 })
  const one = await signer('long')
  const { headers } = await one.signIn({ rememberMe: true })
  expect(await life(one.id)).toBe(240)
  const cookie = [headers['set-cookie']].flat().find((line) => line?.startsWith('ordinator_refresh=')) as string
  const value = decodeURIComponent(cookie.slice('ordinator_refresh='.length).split(';')[0] as string)
  const age = (days: number) =>
    clinic.db.query(
      sql`update sessions set "dateCreate" = now() - make_interval(days => ${days}) where "idUser" = ${one.id}`,
    )
  const refresh = () =>
    clinic.anonymous.post('/auth/refresh-token', undefined, { cookies: { ordinator_refresh: value } })
  await age(9)
  expect((await refresh()).status).toBe(200)
  expect(await life(one.id)).toBe(24)
  await age(10)
  expect((await refresh()).status).toBe(401)
  expect(await life(one.id)).toBeUndefined()
})

describe('a second sign-in', () => {
  test("replaces the first without a question, if the clinic's setting is so", async () => {
    const one = await signer('twice')
    good(await one.signIn())
    expect(good(await one.signIn())).toMatchObject({ success: false, showSessionWarning: true })
    await set({ secondSignIn: 'replace' })
    expect(good(await one.signIn())).toMatchObject({ success: true, showSessionWarning: false })
  })

  test('is refused, whatever is asked, but to who sets the clinic up', async () => {
    await set({ secondSignIn: 'refuse' })
    const one = await signer('only')
    good(await one.signIn())
    const refused = await one.signIn({ forceLogin: true })
    expect([refused.status, refused.body.errorText]).toEqual([
      401,
      'Вы уже вошли на другом компьютере: завершите тот сеанс там',
    ])
    const chief = await signer('chief', ['mainSettings'])
    good(await chief.signIn())
    expect(good(await chief.signIn()).showSessionWarning).toBe(true)
    expect(good(await chief.signIn({ forceLogin: true })).success).toBe(true)
  })
})

describe('the list of addresses', () => {
  test('cannot shut out who sets it', async () => {
    const answer = await boss.put('/settings/common', { allowedAddresses: ['203.0.113.0/24'] })
    expect([answer.status, answer.body]).toMatchObject([
      422,
      [{ field: 'allowedAddresses', message: expect.stringContaining('Вы сами сейчас работаете с адреса 127.0.0.1') }],
    ])
    await set({ allowedAddresses: ['127.0.0.0/8', '::1'] })
    expect((await boss.get('/settings/common')).status).toBe(200)
  })

  test('closes sign-in, every call and the way back from history for who comes from elsewhere', async () => {
    const one = await signer('outside')
    const anna = clinic.as('anna')
    expect((await anna.get('/user-settings/main')).status).toBe(200)
    await set({ allowedAddresses: ['127.0.0.1'] })
    const [{ id }] = good(await boss.get('/settings/changes?name=allowedAddresses')).items
    // Simulates a clinic whose addresses have changed.
    await clinic.db.tx(async (tx) => {
      const { signal } = await import('./signals.ts')
      await tx.query(sql`update common_settings set value = '["203.0.113.7"]' where name = 'allowedAddresses'`)
      await tx.query(sql`update common_setting_changes set "from" = '["203.0.113.7"]' where id = ${id}`)
      await signal(tx, { all: true })
    })
    const refused = await one.signIn()
    expect([refused.status, refused.body.errorText]).toEqual([
      401,
      'С этого адреса вход закрыт. Обратитесь к администратору',
    ])
    const answer = await anna.get('/user-settings/main')
    expect([answer.status, answer.body.code]).toEqual([403, 'address'])
    await clinic.db.tx(async (tx) => {
      const { signal } = await import('./signals.ts')
      await tx.query(sql`update common_settings set value = '["127.0.0.1"]' where name = 'allowedAddresses'`)
      await signal(tx, { all: true })
    })
    const undo = await boss.post(`/settings/changes/${id}/undo`, { version: 1 })
    expect(undo.body).toMatchObject([{ field: 'allowedAddresses' }])
  })

  test.each<[string[], string, boolean]>([
    [[], '8.8.8.8', true],
    [['10.0.0.0/8'], '10.200.3.4', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['2001:db8::/32'], '2001:db8:1::5', true],
    [['2001:db8::/32'], '2001:db9::5', false],
  ])('%j accepts %s: %s', (allowed, ip, expected) => expect(isWithin(allowed, ip)).toBe(expected))

  test.each<[string, string | undefined, string[], string]>([
    ['198.51.100.1', undefined, [], '198.51.100.1'],
    ['198.51.100.1', '203.0.113.7', [], '198.51.100.1'],
    ['10.0.0.1', '203.0.113.7', ['10.0.0.1'], '203.0.113.7'],
    ['127.0.0.1', '6.6.6.6, 203.0.113.7', ['loopback'], '203.0.113.7'],
    ['127.0.0.1', '203.0.113.7, 10.0.0.5', ['loopback', 'uniquelocal'], '203.0.113.7'],
    ['127.0.0.1', 'nonsense', ['loopback'], '127.0.0.1'],
  ])('a socket of %s with %s behind %j is of %s', (remoteAddress, forwarded, trusted, expected) =>
    expect(clientAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }, trusted)).toBe(
      expected,
    ),
  )
})

describe('the rule of passwords', () => {
  test('is asked of a new one', async () => {
    const one = await signer('changer')
    const token = good(await one.signIn()).accessToken
    const change = (newPassword: string) =>
      clinic.withToken(token).post('/auth/change-password', { currentPassword: PASSWORD, newPassword })
    await set({ passwordLength: 12, passwordMixed: true })
    expect((await change('Коротко 1')).body).toEqual([
      { field: 'newPassword', message: 'Пароль должен быть не короче 12 знаков' },
    ])
    expect((await change('Только буквы и пробелы')).body).toEqual([
      { field: 'newPassword', message: 'В пароле должны быть и буквы, и цифры' },
    ])
    expect((await change('Буквы и цифра 7')).status).toBe(200)
  })

  test('asks for another when it is too old', async () => {
    const one = await signer('aged')
    const token = good(await one.signIn()).accessToken
    await clinic.db.query(
      sql`update user_secrets set "dateChange" = now() - interval '31 days' where "idUser" = ${one.id}`,
    )
    await set({ passwordDays: 60 })
    expect((await clinic.withToken(token).get('/user-settings/main')).status).toBe(200)
    await set({ passwordDays: 30 })
    const answer = await clinic.withToken(token).get('/user-settings/main')
    expect([answer.status, answer.body.code]).toEqual([403, 'password'])
  })
})
