import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clinic } from '#testing/harness.ts'
import {
  account,
  clinic,
  cookie,
  openAuthClinic,
  openCount,
  person,
  refresh,
  refreshOf,
  signIn,
} from './testing/authClinic.ts'
import { createTokens, readRefresh, writeRefresh } from './tokens.ts'

openAuthClinic()

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
  test('logout ends the session and clears the cookies; again, or without a session, it is no error', async () => {
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

describe('two processes', () => {
  let second: Clinic
  beforeAll(async () => {
    second = await clinic.secondProcess()
  })
  afterAll(() => second.close())

  async function soon(check: () => Promise<boolean>): Promise<boolean> {
    for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((r) => setTimeout(r, 10)))
      if (await check()) return true
    return false
  }

  test('a session ended here is ended there, with an event for the sockets', async () => {
    const { login } = await person()
    const { authOf } = await import('./index.ts')
    const ended: string[] = []
    const quiet = authOf(second.context).onSessionEnded((id) => ended.push(id))
    const signed = await signIn({ login, password: 'demo' })
    const token = signed.body.accessToken
    expect((await account(token, second)).status).toBe(200)
    await clinic.withToken(token).post('/auth/logout', {})
    expect((await account(token)).status).toBe(401)
    expect(await soon(async () => (await account(token, second)).status === 401)).toBe(true)
    expect(await soon(async () => ended.includes(readRefresh(refreshOf(signed))?.idSession as string))).toBe(true)
    quiet()
  })

  test('a right given and taken here counts there', async () => {
    const { login, id } = await person()
    const chief = await person('editUsers')
    const token = (await clinic.as(login).token()) as string
    const changed: (number | undefined)[] = []
    const { authOf } = await import('./index.ts')
    authOf(second.context).onRightsChanged((idUser) => changed.push(idUser))
    const has = async () => 'editUsers' in (await account(token, second)).body.user.permissions
    expect(await has()).toBe(false)
    const grant = await clinic.as(chief.login).post('/user-permissions', { idUser: id, permission: 'editUsers' })
    expect(grant.status).toBe(201)
    expect(await soon(has)).toBe(true)
    // Both servers share one Node process here, so only the notification shows the path between processes.
    expect(await soon(async () => changed.includes(id))).toBe(true)
    await clinic.as(chief.login).delete(`/user-permissions/${grant.body.id}`)
    expect(await soon(async () => !(await has()))).toBe(true)
  })
})
