/** Senders from outside, played: those who sign rightly and wrongly, repeat, talk nonsense, send too much, fall silent. */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'
import { incoming } from './incoming.ts'
import { deals, good } from './testing/deals.ts'

const S = '/sales-management'
let clinic: Clinic
let seller: Caller
let reader: Caller
let desk: Caller
let nobody: Caller
let funnel: { id: number; stages: number[] }
let idSource: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'seller', ['editSalesManagement'])
      await addPerson(app, 'desk', ['editSalesManagement', 'viewCustomers', 'editCustomers'])
      await addPerson(app, 'reader', ['viewSalesManagement'])
      await addPerson(app, 'nobody')
    },
  })
  seller = clinic.as('seller')
  reader = clinic.as('reader')
  desk = clinic.as('desk')
  nobody = clinic.as('nobody')
  funnel = await deals(seller).funnel()
  await deals(seller).make('sources', { name: 'Яндекс Директ', UTM: 'yandex' })
  idSource = (await deals(seller).make('sources', { name: 'Прочее' })).id
})
afterAll(() => clinic.close())

interface Door {
  id: number
  key: string
  secret: string
}

async function door(kind: 'webhook' | 'form', body: object = {}): Promise<Door> {
  const made = await deals(seller).make('intakes', { name: 'Сайт', kind, ...body })
  const secret = kind === 'webhook' ? good(await seller.post(`${S}/intakes/${made.id}/secret`)).secret : ''
  return { ...made, secret }
}

const sign = (secret: string, text: string | Buffer) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

/** Sends bytes as they are; `from` is another address for each sender that shall not meet the limit. */
async function send(key: string, payload: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await clinic.app.server.inject({
    method: 'POST',
    url: `/intake/${key}`,
    payload,
    headers,
    remoteAddress: address(),
  })
  const json = String(response.headers['content-type']).includes('json') && response.payload
  return {
    status: response.statusCode,
    body: json ? JSON.parse(response.payload) : undefined,
    text: response.payload,
    bytes: response.rawPayload,
    headers: response.headers as Answer['headers'],
  }
}
let sent = 0
const address = () => `10.0.${(++sent >> 8) & 255}.${sent & 255}`

const webhook = ({ key, secret }: Door, body: unknown, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body)
  return send(key, text, { 'content-type': 'application/json', 'x-signature': sign(secret, text), ...headers })
}
const form = ({ key }: Pick<Door, 'key'>, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(key, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded', ...headers })

const requestsOf = async ({ id }: Pick<Door, 'id'>) => deals(seller).list(`requests?filter[idIntake]=${id}&limit=100`)
const oneOf = async (intake: Door) => (await requestsOf(intake))[0]

describe('what a sender writes', () => {
  it.each([
    ['8 (999) 123-45-67', '+79991234567'],
    ['+7 999 123 45 67', '+79991234567'],
    ['9991234567', '+79991234567'],
    ['тел. 8‑999‑123‑45‑67', '+79991234567'],
    ['tel:+79991234567', '+79991234567'],
    ['８９９９１２３４５６７', '+79991234567'],
    ['123', null],
    ['позвоните вечером', null],
  ])('the phone %s is %s, and never lost', (phone, wanted) => {
    const told = incoming({ phone })
    expect(told.phone).toBe(wanted)
    expect(told.message).toBe(wanted ? null : `Телефон: ${phone}`)
  })

  it('is kept whole: a wrong e-mail, unknown fields, a name too long, what is no text', () => {
    const long = 'я'.repeat(300)
    const told = incoming({
      Name: long,
      EMAIL: 'нет',
      Comment: 'Жду',
      услуга: 'УЗИ',
      n: 5,
      list: [1],
      nul: 'а\0б',
      empty: '',
    })
    expect(told.name).toBe('я'.repeat(255))
    expect(told.message).toBe(`Жду\nПочта: нет\nИмя: ${long}\nуслуга: УЗИ\nn: 5\nlist: [1]\nnul: аб`)
  })

  it('has its marks by themselves, as one object, or in the address of the page', () => {
    expect(incoming({ utm_source: 'a', UTM_Medium: 'b' }).utm).toEqual({ utm_source: 'a', utm_medium: 'b' })
    expect(incoming({ utm: { source: 'a', utm_term: 't', __proto__: 1 } }).utm).toEqual({
      utm_source: 'a',
      utm_term: 't',
    })
    const page = 'https://clinic.example/?utm_source=2gis&x=1'
    expect(incoming({ page })).toMatchObject({ utm: { utm_source: '2gis' }, brand: '2gis' })
    expect(incoming({ page, utm_source: 'yandex' })).toMatchObject({ utm: { utm_source: 'yandex' }, brand: 'yandex' })
  })
})

describe('a webhook', () => {
  it('rightly signed brings a request, with its source, once', async () => {
    const intake = await door('webhook', { idSource })
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
    expect(request.idSource).not.toBe(idSource)
    const other = await door('webhook', { idSource })
    good(await webhook(other, { ...body, utm_source: 'friends' }))
    expect((await oneOf(other)).idSource).toBe(idSource)
  })

  it('comes once even when its repeats come at the same moment', async () => {
    const intake = await door('webhook')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => webhook(intake, { phone: '9001112233' }, { 'x-request-id': 'r1' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1)
    expect(await requestsOf(intake)).toHaveLength(1)
    // Without any number the same body is the same request.
    good(await webhook(intake, { phone: '9001112244' }))
    good(await webhook(intake, { phone: '9001112244' }))
    expect(await requestsOf(intake)).toHaveLength(2)
  })

  it('with a wrong signature, or none, or another door’s, changes nothing', async () => {
    const [intake, other] = [await door('webhook'), await door('webhook')]
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

  it('that is old, or from the future, is refused', async () => {
    const intake = await door('webhook')
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

  it('of garbage is refused in words and leaves the server well', async () => {
    const intake = await door('webhook')
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
    const intake = await door('webhook')
    const huge = JSON.stringify({ phone: '9001112233', message: 'я'.repeat(60_000) })
    expect((await send(intake.key, huge, { 'x-signature': sign(intake.secret, huge) })).status).toBe(413)
    expect(await requestsOf(intake)).toEqual([])
  })

  it('that falls silent half-way holds up nobody', async () => {
    const intake = await door('webhook')
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

  it('has a secret that is shown once and stands nowhere afterwards; a new one ends the old', async () => {
    const intake = await door('webhook')
    const record = good(await seller.get(`${S}/intakes/${intake.id}`))
    expect(record).toMatchObject({ hasSecret: true, key: intake.key })
    const said = [
      JSON.stringify(record),
      (await seller.get(`${S}/intakes/${intake.id}/history?parts=1`)).text,
      (await seller.get(`${S}/intakes/export?format=csv`)).text,
    ]
    for (const text of said) expect(text).not.toContain(intake.secret)
    const { secret } = good(await seller.post(`${S}/intakes/${intake.id}/secret`))
    expect((await webhook(intake, { phone: '9001112233' })).status).toBe(401)
    expect((await webhook({ ...intake, secret }, { phone: '9001112233' })).status).toBe(200)
    expect((await reader.post(`${S}/intakes/${intake.id}/secret`)).status).toBe(403)
    expect((await reader.get(`${S}/intakes`)).status).toBe(403)
  })

  it('at a door that is shut, gone or was never there gets the same answer', async () => {
    const intake = await door('webhook')
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
  it('stands as a page in a frame, without scripts, and carries where it stands', async () => {
    const intake = await door('form', { title: 'Запись <на> УЗИ' })
    const page = await clinic.anonymous.get(`/intake/${intake.key}/form?utm_source=yandex&x=1`, {
      headers: { referer: 'https://clinic.example/uzi?a="><script>' },
    })
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors \*/)
    expect(page.headers['x-frame-options']).toBeUndefined()
    expect(page.text).toContain('Запись &#60;на&#62; УЗИ')
    expect(page.text).toContain('name="utm_source" value="yandex"')
    expect(page.text).toContain('name="page" value="https://clinic.example/uzi?a=')
    expect(page.text).not.toContain('<script')
    expect(page.text).not.toContain('name="x"')
    const hook = await door('webhook')
    expect((await clinic.anonymous.get(`/intake/${hook.key}/form`)).status).toBe(404)
  })

  it('is taken from a browser and from a script, and thanks', async () => {
    const intake = await door('form', { thanks: 'Перезвоним за час', idSource })
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

  it('without a phone and an e-mail is shown again with what was written', async () => {
    const intake = await door('form')
    const empty = await form(intake, { name: '<Анна>', utm_source: 'x' }, { accept: 'text/html' })
    expect(empty.status).toBe(422)
    expect(empty.text).toContain('role="alert">Укажите телефон или почту')
    expect(empty.text).toContain('value="&#60;Анна&#62;"')
    expect(empty.text).toContain('name="utm_source" value="x"')
    expect((await form(intake, { name: 'Анна' })).body).toEqual([
      { field: 'phone', message: 'Укажите телефон или почту' },
    ])
    good(await form(intake, { phone: '12-34' }))
    expect(await oneOf(intake)).toMatchObject({ phone: null, message: 'Телефон: 12-34' })
  })

  it('filled by a machine is thanked and forgotten', async () => {
    const intake = await door('form')
    const answer = await form(intake, { phone: '9001112233', topic_check: 'buy' })
    expect(answer.body).toEqual({ ok: true, thanks: 'Спасибо! Мы свяжемся с вами.' })
    expect(await requestsOf(intake)).toEqual([])
  })

  it('is open to other sites, as a webhook is not', async () => {
    const [open, closed] = [await door('form'), await door('webhook')]
    const asked = await clinic.anonymous.call('OPTIONS', `/intake/${open.key}`)
    expect([
      asked.status,
      asked.headers['access-control-allow-origin'],
      asked.headers['access-control-allow-headers'],
    ]).toEqual([204, '*', 'content-type'])
    expect((await clinic.anonymous.call('OPTIONS', `/intake/${closed.key}`)).status).toBe(404)
    expect((await webhook(closed, { phone: '9001112233' })).headers['access-control-allow-origin']).toBeUndefined()
    expect((await send(open.key, 'x', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(415)
    expect(
      (await send(open.key, 'phone=9'.repeat(20_000), { 'content-type': 'application/x-www-form-urlencoded' })).status,
    ).toBe(413)
  })

  it('sent without end from one address has to wait', async () => {
    const intake = await door('form')
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

describe('a request', () => {
  let intake: Door
  beforeAll(async () => {
    intake = await door('form', { idFunnel: funnel.id })
  })
  const come = async (fields: Record<string, string>): Promise<any> => {
    good(await form(intake, fields))
    return oneOf(intake)
  }
  const act = (id: number, what: string, body: object = {}, caller = seller) =>
    caller.post(`${S}/requests/${id}/${what}`, body)

  it('is told of to those who sort them', async () => {
    const { id } = await come({ name: 'Вера', phone: '9005550001' })
    const noticesOf = async (caller: Caller) =>
      good(await caller.get('/notifications?filter[kind]=lead.request&sort=-id&limit=100')).items
    expect((await noticesOf(seller))[0]).toMatchObject({
      title: 'Новая заявка',
      text: 'Вера, +7 (900) 555-00-01',
      idEntity: id,
      link: `/deals?request=${id}`,
    })
    expect(await noticesOf(reader)).toEqual([])
    expect(await noticesOf(nobody)).toEqual([])
  })

  it('accepted becomes a deal with a contact in the funnel of its door', async () => {
    const request = await come({
      name: 'Белова Ирина Сергеевна',
      phone: '9005550002',
      email: 'v@b.ru',
      message: 'Хочу <b>УЗИ</b>\nутром',
      utm_source: 'yandex',
    })
    const accepted = good(await act(request.id, 'accept'))
    expect(accepted).toMatchObject({ state: 'accepted' })
    expect(accepted.idLead).toBeGreaterThan(0)
    const lead = good(await seller.get(`${S}/leads/${accepted.idLead}?expand=contacts,responsible`))
    expect(lead).toMatchObject({
      title: 'Заявка: Белова Ирина Сергеевна',
      idStage: funnel.stages[0],
      idSource: request.idSource,
      utm: { utm_source: 'yandex' },
      description: '<p>Хочу &lt;b&gt;УЗИ&lt;/b&gt;</p><p>утром</p>',
      contacts: [
        {
          surname: 'Белова',
          name: 'Ирина',
          middleName: 'Сергеевна',
          phone: '+79005550002',
          email: 'v@b.ru',
          idCustomer: null,
        },
      ],
    })
    expect(lead.responsible).toHaveLength(1)
    for (const [what, body] of [
      ['accept', {}],
      ['reject', { reason: 'Спам' }],
      ['link', { idLead: accepted.idLead }],
    ] as const) {
      const again = await act(request.id, what, body)
      expect([again.status, again.body.code], what).toEqual([409, 'sorted'])
    }
  })

  it('accepted by two at once makes one deal', async () => {
    const { id } = await come({ name: 'Оба', phone: '9005550003' })
    const answers = await Promise.all([act(id, 'accept'), act(id, 'accept', {}, desk)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await deals(seller).list('leads?filter[contacts.phone]=%2B79005550003')).toHaveLength(1)
  })

  it('goes to the stage, under the title and to the person that are said', async () => {
    const { id } = await come({ phone: '9005550004' })
    const colleague = await addPerson(clinic.context, 'colleague', ['viewSalesManagement'])
    const accepted = good(
      await act(id, 'accept', { idStage: funnel.stages[1], title: 'Перезвонить', idUser: colleague.id }),
    )
    const lead = good(await seller.get(`${S}/leads/${accepted.idLead}?expand=responsible`))
    expect(lead).toMatchObject({
      title: 'Перезвонить',
      idStage: funnel.stages[1],
      responsible: [{ idUser: colleague.id }],
    })
    const other = await come({ phone: '9005550005' })
    expect((await act(other.id, 'accept', { idStage: 99_999_999 })).status).toBe(422)
    expect(good(await seller.get(`${S}/requests/${other.id}`)).state).toBe('new')
  })

  it('is linked to the customer when exactly one has its phone and may be seen', async () => {
    const customer = (surname: string, body: object) => desk.post('/customers', { surname, ...body })
    const { id: idCustomer } = good(await customer('Один', { phoneMother: '8 900 555 00 06' }), 201)
    const first = await come({ phone: '+7 (900) 555-00-06' })
    const contactsOf = async (idLead: number) => deals(desk).list(`contacts?filter[idLead]=${idLead}`)
    const matches = good(await desk.get(`${S}/requests/${first.id}/matches`))
    expect(matches.customers.map((one: any) => one.id)).toEqual([idCustomer])
    const { idLead } = good(await act(first.id, 'accept', {}, desk))
    expect(await contactsOf(idLead)).toMatchObject([{ idCustomer }])
    // Now the deal is found as well, and whoever may not see customers finds only it.
    const second = await come({ phone: '89005550006' })
    const seen = good(await seller.get(`${S}/requests/${second.id}/matches`))
    expect([seen.leads.map((one: any) => one.id), seen.customers]).toEqual([[idLead], []])
    good(await customer('Два', { phone: '9005550006' }), 201)
    expect(await contactsOf(good(await act(second.id, 'accept', {}, desk)).idLead)).toMatchObject([
      { idCustomer: null },
    ])
  })

  it('linked to a deal brings its contact once and its message', async () => {
    const deal = await deals(seller).deal(funnel.stages[0])
    const link = async (fields: Record<string, string>) =>
      good(await act((await come(fields)).id, 'link', { idLead: deal.id }))
    expect(await link({ name: 'Олег', phone: '9005550007', message: 'Ещё раз' })).toMatchObject({
      state: 'linked',
      idLead: deal.id,
    })
    await link({ name: 'Олег', phone: '8 (900) 555-00-07' })
    expect(await deals(seller).list(`contacts?filter[idLead]=${deal.id}`)).toMatchObject([{ name: 'Олег' }])
    const comments = await deals(seller).list(`lead-comments?filter[idLead]=${deal.id}&sort=id`)
    expect(comments[0].message).toContain('Ещё раз')
    expect(comments).toHaveLength(2)
    const { id } = await come({ phone: '9005550008' })
    expect((await act(id, 'link', { idLead: 99_999_999 })).status).toBe(404)
  })

  it('rejected has a reason, and comes back', async () => {
    const { id } = await come({ phone: '9005550009' })
    expect((await act(id, 'reject', { reason: ' ' })).status).toBe(422)
    expect(good(await act(id, 'reject', { reason: 'Спам' }))).toMatchObject({ state: 'rejected', reason: 'Спам' })
    const back = good(await act(id, 'reopen'))
    expect(back).toMatchObject({ state: 'new', reason: null, idUser: null, dateSorted: null })
    expect((await act(id, 'reopen')).body.code).toBe('notSorted')
  })

  it('comes back from a deal: an untouched one goes to the trash, one at work stays', async () => {
    const { id } = await come({ name: 'Передумал', phone: '9005550010' })
    const { idLead } = good(await act(id, 'accept'))
    expect(good(await act(id, 'reopen'))).toMatchObject({ state: 'new', idLead: null })
    expect((await seller.get(`${S}/leads/${idLead}`)).status).toBe(404)
    const again = good(await act(id, 'accept'))
    expect(again.idLead).not.toBe(idLead)
    await deals(seller).make('lead-comments', { idLead: again.idLead, message: '<p>Позвонила</p>' })
    const worked = await act(id, 'reopen')
    expect([worked.status, worked.body.code]).toEqual([409, 'worked'])
    expect((await seller.get(`${S}/leads/${again.idLead}`)).status).toBe(200)
  })

  it('comes back from a deal that it was linked to, with what it brought and nothing else', async () => {
    const deal = await deals(seller).deal(funnel.stages[0])
    await deals(seller).make('lead-comments', { idLead: deal.id, message: '<p>Свой</p>' })
    const { id } = await come({ name: 'Мимо', phone: '9005550011' })
    good(await act(id, 'link', { idLead: deal.id }))
    good(await act(id, 'reopen'))
    expect(await deals(seller).list(`contacts?filter[idLead]=${deal.id}`)).toEqual([])
    expect(await deals(seller).list(`lead-comments?filter[idLead]=${deal.id}`)).toMatchObject([
      { message: '<p>Свой</p>' },
    ])
  })

  it('is sorted by those who may edit deals, and read by those who see them', async () => {
    const { id } = await come({ phone: '9005550012' })
    expect((await reader.get(`${S}/requests/${id}`)).status).toBe(200)
    for (const [what, body] of [
      ['accept', {}],
      ['reject', { reason: 'x' }],
      ['link', { idLead: 1 }],
      ['reopen', {}],
    ] as const) {
      expect((await act(id, what, body, reader)).status, what).toBe(403)
      expect((await act(id, what, body, clinic.anonymous)).status, what).toBe(401)
    }
    expect((await nobody.get(`${S}/requests/${id}/matches`)).status).toBe(403)
    expect((await act(99_999_999, 'accept')).status).toBe(404)
    expect((await reader.put(`${S}/requests/${id}`, { state: 'accepted' })).status).toBe(403)
  })
})
