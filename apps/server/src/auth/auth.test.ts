import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { createTokens, readRefresh, writeRefresh } from './tokens.ts'

let clinic: Clinic
let people = 0

beforeAll(async () => {
  clinic = await testApp()
})
afterAll(() => clinic.close())
// Throttling of one test must not affect the next.
beforeEach(() => clinic.db.query({ text: 'delete from login_attempts' }))

/** A new person for each test. */
async function person(...permissions: Parameters<typeof addPerson>[2] & object) {
  const login = `person${++people}`
  const { id } = await addPerson(clinic.context, login, permissions)
  return { login, id }
}

type Body = Record<string, unknown>
const signIn = (body: Body, where: Clinic = clinic, cookies: Record<string, string> = {}) =>
  where.anonymous.post('/auth/login', body, { cookies })

interface Cookie {
  value: string
  text: string
}

function cookie(answer: Answer, name: string): Cookie | undefined {
  const set = [answer.headers['set-cookie'] ?? []].flat()
  const text = set.find((line) => line.startsWith(`${name}=`))
  return text === undefined
    ? undefined
    : { text, value: decodeURIComponent(text.slice(name.length + 1).split(';')[0] as string) }
}
const refreshOf = (answer: Answer) => cookie(answer, 'ordinator_refresh')?.value as string
const refresh = (value: string, where: Clinic = clinic) =>
  where.anonymous.post('/auth/refresh-token', undefined, { cookies: { ordinator_refresh: value } })
const account = (token: string, where: Clinic = clinic) => where.withToken(token).post('/common/get-account', {})

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

  test('of the same browser replaces its own without a word', async () => {
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

const openCount = async (idUser: number) =>
  (
    await clinic.db.one<{ n: number }>({
      text: 'select count(*) as n from sessions where "idUser" = $1 and "endedAt" is null',
      values: [idUser],
    })
  )?.n

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

describe('access token', () => {
  const jwt = (header: object, payload: object, key: Buffer | string) => {
    const part = (o: object) => Buffer.from(JSON.stringify(o)).toString('base64url')
    const text = `${part(header)}.${part(payload)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }

  test.each<[string, (good: string) => string | undefined]>([
    ['none', () => undefined],
    ['empty', () => ''],
    ['not a token', () => 'abc'],
    ['changed', (good) => good.slice(0, -4) + (good.endsWith('AAAA') ? 'BBBB' : 'AAAA')],
    ['alg none', (good) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`],
    [
      'signed by the secret itself',
      (good) =>
        jwt(
          { alg: 'HS256' },
          JSON.parse(Buffer.from(good.split('.')[1] as string, 'base64url').toString()),
          clinic.config.secret,
        ),
    ],
  ])('%s: 401', async (_, make) => {
    const { login } = await person()
    const token = make((await clinic.as(login).token()) as string)
    const answer = token === undefined ? await clinic.anonymous.post('/common/get-account', {}) : await account(token)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ status: 401, message: 'Необходимо войти в систему' })
  })

  test('is no token once its time is over, and the files token never is one', async () => {
    const { login, id } = await person()
    const signed = await signIn({ login, password: 'demo' })
    const { idSession } = readRefresh(refreshOf(signed)) as { idSession: string }
    const tokens = createTokens(clinic.config.secret)
    expect((await account(await tokens.access(idSession, id))).status).toBe(200)
    expect((await account(await tokens.access(idSession, id, 60))).status).toBe(200)
    const brief = await tokens.access(idSession, id, 1)
    await expect.poll(async () => (await account(brief)).status).toBe(401)
    expect((await account(cookie(signed, 'ordinator_files')?.value as string)).status).toBe(401)
  })
})

describe('refresh', () => {
  test('rotates; parallel tabs within the grace get one and the same token', async () => {
    const { login } = await person()
    const first = refreshOf(await signIn({ login, password: 'demo' }))
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(first)))
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200, 200])
    expect(answers[0]?.body).toEqual({ status: 'ok', token: expect.any(String) })
    const next = new Set(answers.map(refreshOf))
    expect(next.size).toBe(1)
    expect(next.has(first)).toBe(false)
    expect((await account(answers[4]?.body.token)).status).toBe(200)
    expect((await refresh([...next][0] as string)).status).toBe(200)
  })

  test('an old token beyond the grace ends the session', async () => {
    const { login, id } = await person()
    const signed = await signIn({ login, password: 'demo' })
    const rotated = await refresh(refreshOf(signed))
    await clinic.db.query({
      text: `update sessions set "dateRefresh" = now() - interval '11 s' where "idUser" = $1`,
      values: [id],
    })
    expect((await refresh(refreshOf(signed))).status).toBe(401)
    expect((await account(rotated.body.token)).status).toBe(401)
    expect((await refresh(refreshOf(rotated))).status).toBe(401)
    const [line] = await clinic.db.query<{ basis: string }>({
      text: `select basis from access_log where "idUser" = $1 and action = 'refused'`,
      values: [id],
    })
    expect(line?.basis).toMatch(/Повторное использование/)
  })

  test('one two steps old ends it at once', async () => {
    const { login } = await person()
    const first = refreshOf(await signIn({ login, password: 'demo' }))
    const second = refreshOf(await refresh(first))
    const third = await refresh(second)
    expect((await refresh(first)).status).toBe(401)
    expect((await account(third.body.token)).status).toBe(401)
  })

  test.each<[string, (good: string) => string]>([
    ['nothing', () => ''],
    ['rubbish', () => 'rubbish'],
    ['a made-up secret for a known session', (good) => good.replace(/[\w-]{43}$/, 'A'.repeat(43))],
    ['a count of the future', (good) => good.replace(/\.0\./, '.7.')],
  ])('%s is refused and ends nothing', async (_, make) => {
    const { login } = await person()
    const good = refreshOf(await signIn({ login, password: 'demo' }))
    expect((await refresh(make(good))).status).toBe(401)
    expect((await refresh(good)).status).toBe(200)
  })

  test('ends with its time', async () => {
    const { login, id } = await person()
    const signed = await signIn({ login, password: 'demo' })
    await clinic.db.query({
      text: `update sessions set "expiresAt" = now() - interval '1 s' where "idUser" = $1`,
      values: [id],
    })
    expect((await refresh(refreshOf(signed))).status).toBe(401)
  })

  test('the database holds no token', async () => {
    const { login } = await person()
    const value = refreshOf(await signIn({ login, password: 'demo' }))
    const { secret } = readRefresh(value) as { secret: Buffer }
    const rows = await clinic.db.query<{ row: string }>({ text: 'select s::text as row from sessions s' })
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(secret.toString('hex'))
    expect(writeRefresh(readRefresh(value) as never)).toBe(value)
  })
})

describe('sessions', () => {
  test('logout ends the session and clears the cookies; again, or of nobody, it is no error', async () => {
    const { login } = await person()
    const signed = await signIn({ login, password: 'demo' })
    const out = await clinic
      .withToken(signed.body.accessToken)
      .post('/auth/logout', {}, { cookies: { ordinator_refresh: refreshOf(signed) } })
    expect([out.status, out.body]).toEqual([200, { status: 'ok' }])
    expect(cookie(out, 'ordinator_refresh')?.value).toBe('')
    expect(cookie(out, 'ordinator_files')?.value).toBe('')
    expect((await account(signed.body.accessToken)).status).toBe(401)
    expect((await refresh(refreshOf(signed))).status).toBe(401)
    expect((await clinic.anonymous.post('/auth/logout')).status).toBe(200)
  })

  test('logout by the cookie alone, when the access token is out of date', async () => {
    const { login, id } = await person()
    const signed = await signIn({ login, password: 'demo' })
    await clinic.anonymous.post(
      '/auth/logout',
      {},
      { cookies: { ordinator_refresh: refreshOf(signed) }, headers: { authorization: 'Bearer old' } },
    )
    expect(await openCount(id)).toBe(0)
  })

  test('one sees and ends own sessions only', async () => {
    const [one, other] = [await person(), await person()]
    const mine = await clinic.as(one.login).get('/auth/sessions')
    expect(mine.body.items).toMatchObject([{ isCurrent: true, remember: false, ip: '127.0.0.1' }])
    const [session] = mine.body.items
    expect((await clinic.as(other.login).delete(`/auth/sessions/${session.id}`)).status).toBe(404)
    expect((await clinic.as(other.login).delete('/auth/sessions/1')).status).toBe(404)
    const me = clinic.withToken(
      (await signIn({ login: one.login, password: 'demo', forceLogin: true })).body.accessToken,
    )
    const [now] = (await me.get('/auth/sessions')).body.items
    expect(now.id).not.toBe(session.id)
    expect((await me.delete(`/auth/sessions/${now.id}`)).status).toBe(204)
    expect((await me.get('/auth/sessions')).status).toBe(401)
  })

  test('the files cookie opens files by GET and nothing else', async () => {
    const { login } = await person()
    const signed = await signIn({ login, password: 'demo' })
    const cookies = { ordinator_files: cookie(signed, 'ordinator_files')?.value as string }
    expect((await clinic.anonymous.get('/users/1/avatar/000000000000')).status).toBe(401)
    expect((await clinic.anonymous.get('/users/1/avatar/000000000000', { cookies })).status).toBe(404)
    expect((await clinic.anonymous.get('/users', { cookies })).status).toBe(401)
    await clinic.withToken(signed.body.accessToken).post('/auth/logout', {})
    expect((await clinic.anonymous.get('/users/1/avatar/000000000000', { cookies })).status).toBe(401)
  })
})

describe('what acts by the cookie alone', () => {
  test.each(['/auth/refresh-token', '/auth/logout'])('%s is not asked for by a foreign page', async (path) => {
    const { login } = await person()
    const refresh = cookie(await signIn({ login, password: 'demo' }), 'ordinator_refresh')?.value as string
    const ask = (origin?: string) =>
      clinic.anonymous.post(
        path,
        {},
        { cookies: { ordinator_refresh: refresh }, headers: { host: 'clinic.local', ...(origin && { origin }) } },
      )
    for (const foreign of ['https://evil.example', 'null', 'http://clinic.test.evil.example'])
      expect((await ask(foreign)).status, foreign).toBe(403)
    expect((await ask('http://clinic.local')).status).toBe(200)
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

describe('two processes', () => {
  let twin: Clinic
  beforeAll(async () => {
    twin = await clinic.twin()
  })
  afterAll(() => twin.close())

  async function soon(check: () => Promise<boolean>): Promise<boolean> {
    for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((r) => setTimeout(r, 10)))
      if (await check()) return true
    return false
  }

  test('a session ended here is ended there, with an event for the sockets', async () => {
    const { login } = await person()
    const { authOf } = await import('./index.ts')
    const heard: string[] = []
    const quiet = authOf(twin.context).onSessionEnded((id) => heard.push(id))
    const signed = await signIn({ login, password: 'demo' })
    const token = signed.body.accessToken
    expect((await account(token, twin)).status).toBe(200)
    await clinic.withToken(token).post('/auth/logout', {})
    expect((await account(token)).status).toBe(401)
    expect(await soon(async () => (await account(token, twin)).status === 401)).toBe(true)
    expect(await soon(async () => heard.includes(readRefresh(refreshOf(signed))?.idSession as string))).toBe(true)
    quiet()
  })

  test('a right given and taken here counts there', async () => {
    const { login, id } = await person()
    const chief = await person('editUsers')
    const token = (await clinic.as(login).token()) as string
    const heard: (number | undefined)[] = []
    const { authOf } = await import('./index.ts')
    authOf(twin.context).onRightsChanged((idUser) => heard.push(idUser))
    const has = async () => 'editUsers' in (await account(token, twin)).body.user.permissions
    expect(await has()).toBe(false)
    const grant = await clinic.as(chief.login).post('/user-permissions', { idUser: id, permission: 'editUsers' })
    expect(grant.status).toBe(201)
    expect(await soon(has)).toBe(true)
    // Both servers share one Node process here, so only the notification shows the path between processes.
    expect(await soon(async () => heard.includes(id))).toBe(true)
    await clinic.as(chief.login).delete(`/user-permissions/${grant.body.id}`)
    expect(await soon(async () => !(await has()))).toBe(true)
  })
})

test('the journal tells of each step, holds no secret and cannot be rewritten', async () => {
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
