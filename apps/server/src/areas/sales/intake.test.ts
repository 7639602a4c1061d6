/** Simulated outside senders: valid and invalid signatures, repeats, malformed data, floods, timeouts. */
import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { good } from './testing/deals.ts'
import { intakeClinic, sign } from './testing/intakeClinic.ts'

const S = '/sales-management'
const { clinic, makeIntake, form, idSource, oneOf, reader, requestsOf, seller, send, webhook } = await intakeClinic()
afterAll(() => clinic.close())

describe('a webhook', () => {
  it('with a valid signature creates a request, with its source, once', async () => {
    const intake = await makeIntake('webhook', { idSource })
    const body = {
      id: 'call-7',
      timestamp: Date.now(),
      name: 'Белова Ирина Сергеевна',
      phone: '8 (900) 111-22-33',
      email: 'i@example.com',
      message: 'УЗИ',
      utm_source: 'yandex',
      page: 'https://clinic.example/uzi',
    }
    expect((await webhook(intake, body)).body).toEqual({ ok: true, repeated: false })
    for (let i = 0; i < 3; i++) expect((await webhook(intake, body)).body).toEqual({ ok: true, repeated: true })
    const [request, ...more] = await requestsOf(intake)
    expect(more).toEqual([])
    expect(request).toMatchObject({
      state: 'new',
      name: 'Белова Ирина Сергеевна',
      phone: '+79001112233',
      email: 'i@example.com',
      message: 'УЗИ',
      brand: 'yandex',
      utm: { utm_source: 'yandex' },
      idExternal: 'call-7',
    })
    expect(request?.idSource).not.toBe(idSource)
    const other = await makeIntake('webhook', { idSource })
    good(await webhook(other, { ...body, utm_source: 'friends' }))
    expect((await oneOf(other)).idSource).toBe(idSource)
  })

  it('is stored once even with concurrent repeats', async () => {
    const intake = await makeIntake('webhook')
    const answers = await Promise.all(Array.from({ length: 8 }, () => webhook(intake, { phone: '9001112233' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1)
    expect(await requestsOf(intake)).toHaveLength(1)
    // Without an id the same body is the same request.
    good(await webhook(intake, { phone: '9001112244' }))
    good(await webhook(intake, { phone: '9001112244' }))
    expect(await requestsOf(intake)).toHaveLength(2)
  })

  it('replayed by a third party is stored once, whatever id is in its headers', async () => {
    const intake = await makeIntake('webhook')
    const caught = { phone: '9001112255', timestamp: Math.floor(Date.now() / 1000) }
    for (const number of ['r1', 'r2', 'r3']) good(await webhook(intake, caught, { 'x-request-id': number }))
    expect(await requestsOf(intake)).toHaveLength(1)
  })

  it("with a wrong, missing or another intake's signature changes nothing", async () => {
    const [intake, other] = [await makeIntake('webhook'), await makeIntake('webhook')]
    const text = JSON.stringify({ phone: '9001112233' })
    const right = sign(intake.secret, text)
    const wrong = [
      undefined,
      '',
      'sha256=',
      right.slice(7),
      `sha1=${right.slice(7)}`,
      right.slice(0, -1),
      sign(other.secret, text),
      sign('', text),
      sign(intake.secret, `${text} `),
    ]
    for (const signature of wrong) {
      const answer = await send(intake.key, text, {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'x-signature': signature }),
      })
      expect([answer.status, answer.body.code], String(signature)).toEqual([401, 'signature'])
    }
    expect(await requestsOf(intake)).toEqual([])
  })

  it('with an old or future time is refused', async () => {
    const intake = await makeIntake('webhook')
    const minutes = (n: number) => Date.now() + n * 60_000
    const times = [
      minutes(-11),
      minutes(11),
      Math.floor(minutes(-11) / 1000),
      new Date(minutes(-60)).toISOString(),
      'вчера',
      {},
    ]
    for (const timestamp of times) {
      const answer = await webhook(intake, { phone: '9001112233', timestamp })
      expect([answer.status, answer.body.code], String(timestamp)).toEqual([400, 'timestamp'])
    }
    expect(await requestsOf(intake)).toEqual([])
    for (const timestamp of [minutes(-9), Math.floor(minutes(9) / 1000), new Date().toISOString()])
      good(await webhook(intake, { phone: '9001112233', timestamp }))
  })

  it('of malformed data is refused with a message and leaves the server working', async () => {
    const intake = await makeIntake('webhook')
    const bodies = ['', 'null', '[]', '"x"', '{', '\u0000', '{"phone":', Buffer.from([0xff, 0xfe, 0, 1])]
    for (const body of bodies) {
      const answer = await send(intake.key, body, { 'x-signature': sign(intake.secret, body) })
      expect(answer.status, String(body)).toBe(400)
    }
    expect((await webhook(intake, {})).body).toEqual([{ field: 'phone', message: 'Укажите телефон или почту' }])
    const strange = {
      id: { a: 1 },
      name: ['x'],
      phone: 5,
      utm: 'no',
      ['__proto__']: 1,
      '\ud800': '\ud800',
      deep: { a: { b: [null] } },
    }
    good(await webhook(intake, strange))
    expect((await oneOf(intake)).phone).toBeNull()
  })

  it('too large is refused before it is read', async () => {
    const intake = await makeIntake('webhook')
    const huge = JSON.stringify({ phone: '9001112233', message: 'я'.repeat(60_000) })
    expect((await send(intake.key, huge, { 'x-signature': sign(intake.secret, huge) })).status).toBe(413)
    expect(await requestsOf(intake)).toEqual([])
  })

  it('that stops half-way blocks nothing', async () => {
    const intake = await makeIntake('webhook')
    const { port } = new URL(await clinic.listen())
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    await new Promise<void>((resolve) => {
      socket.write(`POST /intake/${intake.key} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"pho`, () =>
        resolve(),
      )
    })
    good(await webhook(intake, { phone: '9001112233' }))
    socket.destroy()
    expect(await requestsOf(intake)).toHaveLength(1)
  })

  it('has a secret that is shown once and never again; a new one replaces the old', async () => {
    const intake = await makeIntake('webhook')
    const record = good(await seller.get(`${S}/intakes/${intake.id}`))
    expect(record).toMatchObject({ hasSecret: true, key: intake.key })
    const answers = [
      JSON.stringify(record),
      (await seller.get(`${S}/intakes/${intake.id}/history?parts=1`)).text,
      (await seller.get(`${S}/intakes/export?format=csv`)).text,
    ]
    for (const text of answers) expect(text).not.toContain(intake.secret)
    const { secret } = good(await seller.post(`${S}/intakes/${intake.id}/secret`))
    expect((await webhook(intake, { phone: '9001112233' })).status).toBe(401)
    expect((await webhook({ ...intake, secret }, { phone: '9001112233' })).status).toBe(200)
    expect((await reader.post(`${S}/intakes/${intake.id}/secret`)).status).toBe(403)
    expect((await reader.get(`${S}/intakes`)).status).toBe(403)
  })

  it('to a disabled, deleted or unknown intake gets the same response', async () => {
    const intake = await makeIntake('webhook')
    const knock = async (key: string) => {
      const { status, body } = await webhook({ ...intake, key }, { phone: '9001112233' })
      return [status, body.message]
    }
    const none = [404, 'Приём заявок не найден']
    expect(await knock('AAAAAAAAAAAAAAAAAAAAAAAA')).toEqual(none)
    expect(await knock('x')).toEqual(none)
    good(await seller.put(`${S}/intakes/${intake.id}`, { isActive: false }))
    expect(await knock(intake.key)).toEqual(none)
    good(await seller.put(`${S}/intakes/${intake.id}`, { isActive: true }))
    await seller.delete(`${S}/intakes/${intake.id}`)
    expect(await knock(intake.key)).toEqual(none)
  })
})

describe('a form', () => {
  it('is a page in a frame, without scripts, and records its location', async () => {
    const intake = await makeIntake('form', { title: 'Запись <на> УЗИ' })
    const page = await clinic.anonymous.get(`/intake/${intake.key}/form?utm_source=yandex&x=1`, {
      headers: { referer: 'https://clinic.example/uzi?a="><script>' },
    })
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors \*/)
    expect(page.headers['x-frame-options']).toBeUndefined()
    expect(page.text).toContain('Запись &lt;на&gt; УЗИ')
    expect(page.text).toContain('name="utm_source" value="yandex"')
    expect(page.text).toContain('name="page" value="https://clinic.example/uzi?a=')
    expect(page.text).not.toContain('<script')
    expect(page.text).not.toContain('name="x"')
    const hook = await makeIntake('webhook')
    expect((await clinic.anonymous.get(`/intake/${hook.key}/form`)).status).toBe(404)
  })

  it('is accepted from a browser and from a script, with thanks', async () => {
    const intake = await makeIntake('form', { thanks: 'Перезвоним за час', idSource })
    const fields = {
      name: 'Анна',
      phone: '8 900 111 22 33',
      message: 'Болит <b>спина</b>',
      page: 'https://site.example',
    }
    const html = await form(intake, fields, { accept: 'text/html,*/*' })
    expect([html.status, html.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html.text).toContain('Перезвоним за час')
    const json = await send(intake.key, JSON.stringify({ ...fields, email: 'a@b.ru' }), {
      'content-type': 'application/json',
    })
    expect(json.body).toEqual({ ok: true, thanks: 'Перезвоним за час' })
    expect(json.headers['access-control-allow-origin']).toBe('*')
    expect(await requestsOf(intake)).toMatchObject([
      { email: 'a@b.ru' },
      {
        name: 'Анна',
        phone: '+79001112233',
        message: 'Болит <b>спина</b>',
        brand: 'site',
        page: 'https://site.example',
      },
    ])
  })

  it('without a phone and an e-mail is shown again with the entered values', async () => {
    const intake = await makeIntake('form')
    const empty = await form(intake, { name: '<Анна>', utm_source: 'x' }, { accept: 'text/html' })
    expect(empty.status).toBe(422)
    expect(empty.text).toContain('role="alert">Укажите телефон или почту')
    expect(empty.text).toContain('value="&lt;Анна&gt;"')
    expect(empty.text).toContain('name="utm_source" value="x"')
    expect((await form(intake, { name: 'Анна' })).body).toEqual([
      { field: 'phone', message: 'Укажите телефон или почту' },
    ])
    good(await form(intake, { phone: '12-34' }))
    expect(await oneOf(intake)).toMatchObject({ phone: null, message: 'Телефон: 12-34' })
  })

  it('filled in by a bot is acknowledged and discarded', async () => {
    const intake = await makeIntake('form')
    const answer = await form(intake, { phone: '9001112233', topic_check: 'buy' })
    expect(answer.body).toEqual({ ok: true, thanks: 'Спасибо! Мы свяжемся с вами.' })
    expect(await requestsOf(intake)).toEqual([])
  })

  it('allows other sites, a webhook does not', async () => {
    const [open, closed] = [await makeIntake('form'), await makeIntake('webhook')]
    const asked = await clinic.anonymous.call('OPTIONS', `/intake/${open.key}`)
    expect([
      asked.status,
      asked.headers['access-control-allow-origin'],
      asked.headers['access-control-allow-headers'],
    ]).toEqual([204, '*', 'content-type'])
    expect((await clinic.anonymous.call('OPTIONS', `/intake/${closed.key}`)).status).toBe(404)
    expect((await webhook(closed, { phone: '9001112233' })).headers['access-control-allow-origin']).toBeUndefined()
    expect((await send(open.key, '<a/>', { 'content-type': 'text/xml' })).status).toBe(415)
    expect((await send(open.key, 'x', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(400)
    expect(
      (await send(open.key, 'phone=9'.repeat(20_000), { 'content-type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(413)
  })

  it('reads a form in windows-1251, and ignores a probe', async () => {
    const intake = await makeIntake('form')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    // «Анна Петровна» in windows-1251, percent-encoded.
    good(await send(intake.key, 'name=%C0%ED%ED%E0+%CF%E5%F2%F0%EE%E2%ED%E0&phone=89001112244', type))
    expect(await oneOf(intake)).toMatchObject({ name: 'Анна Петровна', phone: '+79001112244' })
    good(await send(intake.key, 'test=test', type))
    expect(await requestsOf(intake)).toHaveLength(1)
  })

  it('reads FormData of a script, JSON sent as text and JSON of windows-1251', async () => {
    const intake = await makeIntake('form')
    const field = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const file = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n'
    good(
      await send(intake.key, field('Ваше имя', 'Анна') + field('phone', '89001112255') + file, {
        'content-type': 'multipart/form-data; boundary=b',
      }),
    )
    expect(await oneOf(intake)).toMatchObject({ name: 'Анна', phone: '+79001112255', message: null })
    good(await send(intake.key, '{"name":"Ольга","phone":"89001112256"}', { 'content-type': 'text/plain' }))
    const json = Buffer.from('{"name":"\xCE\xEB\xE5\xE3","phone":"89001112257"}', 'latin1')
    good(await send(intake.key, json, { 'content-type': 'application/json; charset=windows-1251' }))
    expect((await requestsOf(intake)).map(({ name }) => name).sort()).toEqual(['Анна', 'Олег', 'Ольга'])
  })

  it('is rate-limited per address', async () => {
    const intake = await makeIntake('form')
    const statuses = []
    for (let i = 0; i < 70; i++) {
      const { statusCode } = await clinic.app.server.inject({
        method: 'POST',
        url: `/intake/${intake.key}`,
        payload: 'name=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        remoteAddress: '203.0.113.9',
      })
      statuses.push(statusCode)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await form(intake, { phone: '9001112233' })).status).toBe(200)
  })
})
