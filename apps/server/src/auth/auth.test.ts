import { describe, expect, test } from 'vitest'
import { testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import {
  account,
  type Body,
  clinic,
  cookie,
  openAuthClinic,
  openCount,
  person,
  refresh,
  refreshOf,
  signIn,
} from './testing/authClinic.ts'

openAuthClinic()

let people = 0

const wrong = { success: false, showSessionWarning: false, accessToken: null, errorText: 'Неверный логин или пароль' }

describe('login', () => {
  test('form fields and JSON alike; the token opens the account', async () => {
    const { login, id } = await person('viewTasksManagement')
    const form = await clinic.app.server.inject({
      method: 'POST',
      url: '/auth/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `login=${login}&password=demo&rememberMe=0&sipPhone=712&forceLogin=0`,
    })
    expect(form.json()).toEqual({
      success: true,
      showSessionWarning: false,
      accessToken: expect.any(String),
      errorText: null,
    })
    const { status, body } = await account(form.json().accessToken)
    expect(status).toBe(200)
    expect(body.user.identity).toMatchObject({ id, login, sipPhone: '712', isOnline: true })
    expect(body.user.permissions).toEqual({ viewTasksManagement: true })
    expect(body.user.settings.main.messageNotifyTimeStart).toBe('10:00')
    expect(body.common).toMatchObject({
      tariff: 'premium',
      settings: { productName: 'Ординатор', websocket: { active: true } },
    })
    expect(body.common.settings).not.toHaveProperty('tariff')
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  test('the login is taken without case and blanks around it', async () => {
    const { login } = await person()
    expect((await signIn({ login: `  ${login.toUpperCase()} `, password: 'demo' })).status).toBe(200)
  })

  test.each<[string, Body, number, Body | Body[]]>([
    ['wrong password', { login: 'admin', password: 'nope' }, 401, wrong],
    ['no such login', { login: 'nobody-here', password: 'demo' }, 401, wrong],
    ['empty password', { login: 'admin', password: '' }, 422, [{ field: 'password', message: 'Обязательное поле' }]],
    ['no fields', {}, 422, [{ field: 'login', message: 'Обязательное поле' }]],
    [
      'a list for a login',
      { login: ['admin'], password: 'demo' },
      422,
      [{ field: 'login', message: 'Поле должно быть строкой' }],
    ],
    [
      'a very long password',
      { login: 'admin', password: 'x'.repeat(5_000) },
      422,
      [{ field: 'password', message: 'Количество символов не должно превышать 1000' }],
    ],
  ])('%s', async (_, body, status, expected) => {
    const answer = await signIn(body)
    expect(answer.status).toBe(status)
    if (Array.isArray(expected)) expect(answer.body).toEqual(expect.arrayContaining(expected))
    else expect(answer.body).toMatchObject(expected)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('SQL in the login finds nobody', async () => {
    expect((await signIn({ login: "' or 1=1 --", password: 'demo' })).status).toBe(401)
  })

  test('cookies: closed to scripts and to other sites; «запомнить меня» makes them last', async () => {
    const { login } = await person()
    const short = await signIn({ login, password: 'demo' })
    expect(cookie(short, 'ordinator_refresh')?.text).toMatch(/Path=\/auth; HttpOnly; SameSite=Strict/)
    expect(cookie(short, 'ordinator_files')?.text).toMatch(/Path=\/; HttpOnly; SameSite=Strict/)
    expect(cookie(short, 'ordinator_refresh')?.text).not.toMatch(/Max-Age/)
    const long = await signIn({ login, password: 'demo', rememberMe: '1', forceLogin: '1' })
    expect(cookie(long, 'ordinator_refresh')?.text).toMatch(/Max-Age=2592000/)
  })

  test('a secure address makes secure cookies', async () => {
    const { login } = await person()
    const secure = await testApp({
      env: { PUBLIC_URL: 'https://clinic.test' },
      prepare: (app) => addPerson(app, login),
    })
    const answer = await signIn({ login, password: 'demo' }, secure)
    for (const name of ['ordinator_refresh', 'ordinator_files', 'ordinator_device'])
      expect(cookie(answer, `__Host-${name}`)?.text).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Strict/)
    const value = cookie(answer, '__Host-ordinator_refresh')?.value as string
    const refreshed = await secure.anonymous.post('/auth/refresh-token', undefined, {
      cookies: { '__Host-ordinator_refresh': value },
    })
    expect(refreshed.status).toBe(200)
    await secure.close()
  })
})

describe('a second session', () => {
  test('is warned of, only after the right password, and forced', async () => {
    const { login } = await person()
    const first = await signIn({ login, password: 'demo' })
    expect((await signIn({ login, password: 'nope', forceLogin: '1' })).status).toBe(401)
    expect((await account(first.body.accessToken)).status).toBe(200)

    const warned = await signIn({ login, password: 'demo' })
    expect([warned.status, warned.body]).toEqual([
      200,
      { success: false, showSessionWarning: true, accessToken: null, errorText: null },
    ])
    expect(warned.headers['set-cookie']).toBeUndefined()
    expect((await account(first.body.accessToken)).status).toBe(200)

    const forced = await signIn({ login, password: 'demo', forceLogin: true })
    expect(forced.body.success).toBe(true)
    expect((await account(first.body.accessToken)).status).toBe(401)
    expect((await refresh(refreshOf(first))).status).toBe(401)
    expect((await account(forced.body.accessToken)).status).toBe(200)
  })

  test('of the same browser replaces its own without a question', async () => {
    const { login } = await person()
    const first = await signIn({ login, password: 'demo' })
    const second = await signIn({ login, password: 'demo' }, clinic, { ordinator_refresh: refreshOf(first) })
    expect(second.body.success).toBe(true)
    expect((await account(first.body.accessToken)).status).toBe(401)
  })

  test('two sign-ins at once leave one session', async () => {
    const { login, id } = await person()
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn({ login, password: 'demo' })))
    expect(answers.filter((a) => a.body.success)).toHaveLength(1)
    expect(await openCount(id)).toBe(1)
  })
})

describe('wrong passwords slow down', () => {
  const fails = async (login: string, times: number) => {
    for (let i = 0; i < times; i++) expect((await signIn({ login, password: 'nope' })).status).toBe(401)
  }

  test.each(['the account', 'an unknown login'])(
    '%s: after five, 429 with Retry-After, even for the right password',
    async (kind) => {
      const login = kind === 'the account' ? (await person()).login : `ghost${++people}`
      await fails(login, 5)
      const answer = await signIn({ login, password: 'demo' })
      expect(answer.status).toBe(429)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(25)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(30)
      expect(answer.body.errorText).toMatch(/^Слишком много попыток входа. Повторите через \d+ с$/)
      expect(answer.body.message).toBe(answer.body.errorText)
      expect(answer.body.requestId).toMatch(/\w+-\w+/)
    },
  )

  test('the delay doubles to fifteen minutes, and waiting it out lets one try again', async () => {
    const { login } = await person()
    await fails(login, 5)
    const waits: number[] = []
    for (let i = 0; i < 7; i++) {
      await clinic.db.query({ text: `update login_attempts set "lockedUntil" = now() - interval '1 s'` })
      expect((await signIn({ login, password: 'nope' })).status).toBe(401)
      waits.push(Number((await signIn({ login, password: 'nope' })).headers['retry-after']))
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900])
    await clinic.db.query({ text: `update login_attempts set "lockedUntil" = now() - interval '1 s'` })
    expect((await signIn({ login, password: 'demo' })).status).toBe(200)
  })

  test('a success forgets the account, and another account is not held up', async () => {
    const [one, other] = [await person(), await person()]
    await fails(one.login, 4)
    expect((await signIn({ login: one.login, password: 'demo' })).status).toBe(200)
    await fails(one.login, 5)
    expect((await signIn({ login: other.login, password: 'demo' })).status).toBe(200)
  })

  test('many at once do not slip through', async () => {
    const { login } = await person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn({ login, password: 'nope' })))
    expect(answers.filter((a) => a.status === 401).length).toBeLessThanOrEqual(5)
  })

  /** Sets the number of wrong passwords for this key, the last one just now. */
  const counted = (key: string, fails: number) =>
    clinic.db.query({
      text: 'update login_attempts set fails = $2 where key ~ $1',
      values: [key, fails],
    })
  const from = async (address: string, body: Body, cookies: Record<string, string> = {}) =>
    (
      await clinic.app.server.inject({
        method: 'POST',
        url: '/auth/login',
        payload: body,
        remoteAddress: address,
        cookies,
      })
    ).statusCode

  test('a stranger elsewhere does not lock an account for its owner', async () => {
    const { login } = await person()
    for (let i = 0; i < 6; i++) await from('203.0.113.7', { login, password: 'nope' })
    expect(await from('203.0.113.7', { login, password: 'demo' })).toBe(429)
    expect(await from('198.51.100.1', { login, password: 'demo' })).toBe(200)
  })

  test('a stranger at the same address does not lock a browser that its owner has signed in from', async () => {
    const [one, other] = [await person(), await person()]
    const known = cookie(await signIn({ login: one.login, password: 'demo' }), 'ordinator_device')
    expect(known?.text).toMatch(/; Path=\/auth; HttpOnly; SameSite=Strict/)
    const browser = { ordinator_device: known?.value as string }
    await fails(one.login, 5)
    const body = { login: one.login, password: 'demo', forceLogin: true }
    expect((await signIn(body)).status).toBe(429)
    expect((await signIn(body, clinic, { ordinator_device: 'x'.repeat(43) })).status).toBe(429)
    expect((await signIn(body, clinic, browser)).status).toBe(200)
    // It is unknown to another account, whose own wrong passwords count.
    await fails(other.login, 5)
    expect((await signIn({ login: other.login, password: 'demo' }, clinic, browser)).status).toBe(429)
    for (let i = 0; i < 5; i++) expect((await signIn({ ...body, password: 'nope' }, clinic, browser)).status).toBe(401)
    expect((await signIn(body, clinic, browser)).status).toBe(429)
  })

  test('the people of one address do not lock each other out; a sweep of hundreds is slowed down, for a minute at most', async () => {
    for (let i = 0; i < 30; i++) expect((await signIn({ login: `sweep${i}`, password: 'nope' })).status).toBe(401)
    const { login } = await person()
    expect((await signIn({ login, password: 'demo' })).status).toBe(200)
    await counted('^address:', 299)
    expect((await signIn({ login: 'sweep', password: 'nope' })).status).toBe(401)
    expect((await signIn({ login, password: 'demo', forceLogin: true })).status).toBe(429)
    await counted('^address:', 3_000)
    await clinic.db.query({ text: `update login_attempts set "lockedUntil" = now() - interval '1 s'` })
    expect((await signIn({ login: 'sweep', password: 'nope' })).status).toBe(401)
    const late = await signIn({ login, password: 'demo', forceLogin: true })
    expect(Number(late.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('an account guessed from everywhere is slowed down over all addresses', async () => {
    const { login } = await person()
    expect(await from('203.0.113.1', { login, password: 'nope' })).toBe(401)
    await counted('^account:[^:]*$', 99)
    expect(await from('203.0.113.2', { login, password: 'nope' })).toBe(401)
    expect(await from('203.0.113.3', { login, password: 'demo' })).toBe(429)
  })

  test('passwords of the change form count as well', async () => {
    const { login } = await person()
    const me = clinic.as(login)
    const body = { currentPassword: 'nope', newPassword: 'long enough 1' }
    for (let i = 0; i < 5; i++) expect((await me.post('/auth/change-password', body)).status).toBe(422)
    expect((await me.post('/auth/change-password', body)).status).toBe(429)
  })
})

describe('change of password', () => {
  test.each<[string, string, string, { field: string }]>([
    ['wrong current one', 'nope', 'a new password', { field: 'currentPassword' }],
    ['too short', 'demo', 'short', { field: 'newPassword' }],
    ['all alike', 'demo', 'aaaaaaaaaa', { field: 'newPassword' }],
    ['too long', 'demo', 'abcd'.repeat(60), { field: 'newPassword' }],
    ...[
      'password1',
      'Password123!',
      'qwerty12',
      'Пароль123',
      '1q2w3e4r',
      '12345678',
      '87654321',
      '1234qwer',
      'abcabcabc',
      'admin2026',
    ].map(
      (word) =>
        [`tried first: ${word}`, 'demo', word, { field: 'newPassword' }] as [string, string, string, { field: string }],
    ),
  ])('%s', async (_, currentPassword, newPassword, expected) => {
    const { login } = await person()
    const answer = await clinic.as(login).post('/auth/change-password', { currentPassword, newPassword })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject([expected])
    expect((await signIn({ login, password: 'demo', forceLogin: true })).status).toBe(200)
  })

  test('must not hold the login', async () => {
    const { login } = await person()
    const answer = await clinic
      .as(login)
      .post('/auth/change-password', { currentPassword: 'demo', newPassword: `my ${login} 1` })
    expect(answer.body).toEqual([{ field: 'newPassword', message: 'Пароль не должен содержать логин' }])
  })

  test('keeps this session, and the old password is gone', async () => {
    const { login } = await person()
    const me = clinic.as(login)
    expect(
      (await me.post('/auth/change-password', { currentPassword: 'demo', newPassword: 'тихий океан 7' })).status,
    ).toBe(200)
    expect((await me.get('/auth/sessions')).status).toBe(200)
    expect((await signIn({ login, password: 'demo', forceLogin: true })).status).toBe(401)
    expect((await signIn({ login, password: 'тихий океан 7', forceLogin: true })).status).toBe(200)
  })
})

test('the journal has each step, holds no secret and cannot be rewritten', async () => {
  const { login, id } = await person()
  await signIn({ login, password: 'wrong-secret' })
  const me = clinic.as(login)
  await me.post('/auth/change-password', { currentPassword: 'demo', newPassword: 'тихий океан 7' })
  await me.post('/auth/logout', {})
  const lines = await clinic.db.query<{ action: string; ip: string; row: string }>({
    text: 'select action, ip, l::text as row from access_log l where "idUser" = $1 order by id',
    values: [id],
  })
  expect(lines.map((line) => line.action)).toEqual(['refused', 'login', 'password', 'logout'])
  for (const { ip, row } of lines) {
    expect(ip).toBe('127.0.0.1')
    expect(row).not.toMatch(/wrong-secret|demo|океан|argon2/)
  }
  await expect(clinic.db.query({ text: `update access_log set basis = 'x'` })).rejects.toThrow('append-only')
  await expect(clinic.db.query({ text: 'delete from access_log' })).rejects.toThrow('append-only')
})
