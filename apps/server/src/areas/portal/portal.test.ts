import type { Call } from '@ordinator/model/call'
import { everyCall } from '@ordinator/model/calls'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let clinic: Clinic
let desk: Caller

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
    prepare: (app) =>
      addPerson(app, 'desk', [
        ...([
          'viewCalendar',
          'viewAllAppointments',
          'createAppointments',
          'editAppointments',
          'viewCustomers',
        ] as const),
        ...(['editCustomers', 'mainSettings', 'editServices', 'editShifts', 'editUsers', 'viewAccessLog'] as const),
      ]),
  })
  desk = clinic.as('desk')
  good(await desk.put('/settings/common', { portalActive: true }))
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

let phones = 0
const newPhone = () => `+7912${String(1_000_000 + ++phones)}`

/** A card of the clinic. */
const card = async (body: object = {}) =>
  good(await desk.post('/customers', { surname: 'Орлов', name: 'Пётр', birthday: '01.02.1980', ...body }), 201)

let addresses = 0
/** A separate address, outside the limit of one. */
const from = () => {
  const at = ++addresses
  return { headers: { 'x-forwarded-for': `10.1.${at >> 8}.${at & 255}` } }
}
const ask = (phone: string, where = from()) => clinic.anonymous.post('/portal/code', { phone }, where)

const codeTo = (phone: string): string | undefined =>
  /Код для входа: (\d{6})/.exec(sms.messages.filter(({ to }) => to === phone).at(-1)?.text ?? '')?.[1]

const cookieOf = ({ headers }: Answer): string | undefined =>
  /ordinator_patient=([\w-]{43})/.exec([headers['set-cookie']].flat().join(';'))?.[1]

const enter = (phone: string, code: string | undefined, birthday?: string) =>
  clinic.anonymous.post('/portal/session', { phone, code: code ?? '', ...(birthday && { birthday }) }, from())

async function codeFor(phone: string): Promise<string> {
  expect((await ask(phone)).status).toBe(202)
  await clinic.context.jobs.drain()
  return codeTo(phone) as string
}

/** A signed-in patient. */
async function signedIn(body: object = {}) {
  const phone = newPhone()
  const { id } = await card({ phone, ...body })
  const cookie = cookieOf(await enter(phone, await codeFor(phone))) as string
  const options = { cookies: { ordinator_patient: cookie } }
  return { id, phone, cookie, options, get: (url: string) => clinic.anonymous.get(url, options) }
}

describe('a phone changed by an employee', () => {
  it('opens the portal only with the birthday, and the former number is notified', async () => {
    const { id, phone } = await signedIn()
    const changed = newPhone()
    good(await desk.put(`/customers/${id}`, { phone: changed }))
    const code = await codeFor(changed)
    const refused = await enter(changed, code)
    expect([refused.status, refused.body[0].field]).toEqual([422, 'birthday'])
    expect(good(await enter(changed, code, '1980-02-01'))).toMatchObject({ person: { id } })
    await clinic.context.jobs.run('customers.phoneChanged')
    await clinic.context.jobs.run('customers.phoneChanged')
    const told = sms.messages.filter(({ to, text }) => to === phone && text.includes('указан другой телефон'))
    expect(told).toHaveLength(1)
    const { items } = good(await desk.get('/access-log/alerts'))
    expect(items).toContainEqual(expect.objectContaining({ kind: 'phone', what: 'Орлов Пётр' }))
  })

  it('is like any other after three days', async () => {
    const { id } = await signedIn()
    const changed = newPhone()
    good(await desk.put(`/customers/${id}`, { phone: changed }))
    await clinic.db.query({
      text: `update customer_phone_changes set "dateCreate" = now() - interval '73 hours' where "idCustomer" = $1`,
      values: [id],
    })
    expect(good(await enter(changed, await codeFor(changed)))).toMatchObject({ person: { id } })
  })
})

describe('the code', () => {
  it('is sent to a patient and opens the own card once', async () => {
    const phone = newPhone()
    const { id } = await card({ phone })
    const code = await codeFor(phone)
    const answer = await enter(phone, code)
    expect(good(answer)).toMatchObject({ person: { id, fio: 'Орлов Пётр' }, family: [], isProven: true })
    expect(String(answer.headers['set-cookie'])).toMatch(/Path=\/portal; HttpOnly; SameSite=Strict/)
    expect((await enter(phone, code)).status).toBe(422)
  })

  it('requested by a stranger gets the same response, and nothing is sent', async () => {
    const known = newPhone()
    await card({ phone: known })
    const stranger = newPhone()
    const [one, other] = [await ask(known), await ask(stranger)]
    expect([one.status, one.text]).toEqual([other.status, other.text])
    await clinic.context.jobs.drain()
    expect(codeTo(known)).toMatch(/^\d{6}$/)
    expect(sms.messages.some(({ to }) => to === stranger)).toBe(false)
    const wrong = await enter(known, '000000')
    const strange = await enter(stranger, '000000')
    expect([wrong.status, wrong.text]).toEqual([strange.status, strange.text])
    // An empty hash matches no code.
    expect((await enter(stranger, '')).status).toBe(422)
  })

  it('has five attempts, after which the right one fails', async () => {
    const phone = newPhone()
    await card({ phone })
    const code = await codeFor(phone)
    const wrong = code === '111111' ? '222222' : '111111'
    const tries = await Promise.all(Array.from({ length: 5 }, () => enter(phone, wrong)))
    expect(tries.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    expect((await enter(phone, code)).status).toBe(422)
  })

  it('expires after five minutes', async () => {
    const phone = newPhone()
    await card({ phone })
    const code = await codeFor(phone)
    await clinic.db.query({
      text: `update portal_codes set "dateExpires" = "dateExpires" - interval '5 minutes' where "phone" = $1`,
      values: [phone],
    })
    expect((await enter(phone, code)).status).toBe(422)
  })

  it('is sent five times a day, also under concurrency, and further requests get the same response', async () => {
    const phone = newPhone()
    await card({ phone })
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(phone)))
    expect(new Set(asked.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    await clinic.context.jobs.drain()
    expect(sms.messages.filter(({ to }) => to === phone)).toHaveLength(5)
  })

  it('is stored only as a hash, and in no job', async () => {
    const phone = newPhone()
    await card({ phone })
    const code = await codeFor(phone)
    const kept = await clinic.db.query({
      text: `select p::text as row from portal_codes p where "phone" = $1
        union all select j.data::text from jobs.job j where j.name = 'portal.code'`,
      values: [phone],
    })
    expect(JSON.stringify(kept)).not.toContain(code)
  })

  it('is limited per address', async () => {
    const where = from()
    const all = []
    for (let at = 0; at < 4; at++)
      all.push(...(await Promise.all(Array.from({ length: 6 }, () => ask(newPhone(), where)))))
    expect(all.filter(({ status }) => status === 202)).toHaveLength(20)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await ask(newPhone())).status).toBe(202)
  })
})

describe('the clinic', () => {
  it('makes codes of patients without one waiting for another', async () => {
    const phone = newPhone()
    await card({ phone })
    await clinic.db.tx(async (tx) => {
      await tx.query({ text: `select pg_advisory_xact_lock(hashtextextended('portal codes', 0))` })
      expect(await codeFor(phone)).toMatch(/^\d{6}$/)
    })
  })

  it('sends a limited number of codes per hour, and notifies its administrators once', async () => {
    await clinic.db.query({
      text: `insert into portal_codes ("phone", "address", "hash", "dateExpires")
        select '+70000000000', 'many', 'x', now() from generate_series(1, 600)`,
    })
    try {
      const phones = [newPhone(), newPhone()]
      for (const phone of phones) {
        await card({ phone })
        expect((await ask(phone)).status).toBe(202)
        await clinic.context.jobs.drain()
        expect(codeTo(phone)).toBeUndefined()
      }
      const { items } = good(await desk.get('/notifications?limit=50'))
      expect(items.filter(({ kind }: { kind: string }) => kind === 'portal.codes')).toHaveLength(1)
    } finally {
      await clinic.db.query({ text: `delete from portal_codes where "address" = 'many'` })
    }
    const phone = newPhone()
    await card({ phone })
    expect(await codeFor(phone)).toMatch(/^\d{6}$/)
  })
})

describe('a phone of several patients', () => {
  it('asks for the birthday and opens the matching card only', async () => {
    const phone = newPhone()
    await card({ phone, birthday: '01.02.1980' })
    const { id } = await card({ phone, name: 'Анна', birthday: '03.04.1985' })
    const code = await codeFor(phone)
    const first = await enter(phone, code)
    expect([first.status, first.body[0].field]).toEqual([422, 'birthday'])
    const wrong = await enter(phone, code, '1999-09-09')
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'birthday'])
    expect(good(await enter(phone, code, '1985-04-03')).person.id).toBe(id)
  })

  it('does not choose between two with the same birthday', async () => {
    const phone = newPhone()
    await card({ phone })
    await card({ phone, name: 'Павел' })
    expect((await enter(phone, await codeFor(phone), '1980-02-01')).body[0]).toMatchObject({ field: 'birthday' })
  })
})

describe('a session', () => {
  it('ends by signing out, inactivity, its term, and with the portal', async () => {
    const one = await signedIn()
    expect((await one.get('/portal/me')).status).toBe(200)
    const age = (text: string) =>
      clinic.db.query({ text: `update portal_sessions set ${text} where "idCustomer" = $1`, values: [one.id] })
    await age(`"dateSeen" = now() - interval '8 days'`)
    expect((await one.get('/portal/me')).status).toBe(401)
    await age(`"dateSeen" = now(), "dateExpires" = now() - interval '1 second'`)
    expect((await one.get('/portal/me')).status).toBe(401)
    await age(`"dateExpires" = now() + interval '1 day'`)
    good(await desk.put('/settings/common', { portalActive: false }))
    expect((await one.get('/portal/me')).status).toBe(401)
    good(await desk.put('/settings/common', { portalActive: true }))
    expect((await one.get('/portal/me')).status).toBe(200)
    expect((await clinic.anonymous.delete('/portal/session', undefined, one.options)).status).toBe(204)
    expect((await one.get('/portal/me')).status).toBe(401)
  })

  it('ends with a change of the phone, the death of the patient, and a request of either side', async () => {
    const one = await signedIn()
    good(await desk.put(`/customers/${one.id}`, { phone: newPhone() }))
    expect((await one.get('/portal/me')).status).toBe(401)
    const dead = await signedIn()
    good(await desk.put(`/customers/${dead.id}`, { dateDeath: '2020-01-01' }))
    expect((await dead.get('/portal/me')).status).toBe(401)
    const [ended, left, other] = [await signedIn(), await signedIn(), await signedIn()]
    const { url } = good(await desk.post(`/customers/${ended.id}/portal-link`), 201)
    expect(good(await desk.post(`/customers/${ended.id}/portal-sign-out`))).toEqual({ sessions: 1, links: 1 })
    expect((await ended.get('/portal/me')).status).toBe(401)
    expect((await clinic.anonymous.post('/portal/link', { token: url.split('#link=')[1] }, from())).status).toBe(410)
    const { items } = good(await desk.get(`/access-log?idCustomer=${ended.id}&limit=20`))
    expect(items.map(({ basis }: { basis: string }) => basis)).toContain(
      'Завершены все сеансы пациента в личном кабинете',
    )
    const elsewhere = cookieOf(await enter(left.phone, await codeFor(left.phone))) as string
    expect((await clinic.anonymous.delete('/portal/sessions', undefined, left.options)).status).toBe(204)
    const cookies = { ordinator_patient: elsewhere }
    expect((await clinic.anonymous.get('/portal/me', { cookies })).status).toBe(401)
    expect((await other.get('/portal/me')).status).toBe(200)
  })

  it('records its reads in the journal', async () => {
    const one = await signedIn()
    good(await one.get('/portal/visits'))
    const { items } = good(await desk.get(`/access-log?idCustomer=${one.id}&limit=20`))
    const said = items.map(({ basis }: { basis: string }) => basis).join('\n')
    expect(said).toContain('Пациент вошёл в личный кабинет')
    expect(said).toContain('Пациент в личном кабинете: визиты')
  })
})

describe('goods', () => {
  it('are shown with their prices to signed-in patients, unless hidden', async () => {
    const one = await signedIn()
    expect(good(await one.get('/portal/me')).hasGoods).toBe(false)
    const make = async (body: object) =>
      good(await desk.post('/services', { serviceCategory: 1, priceService: 390, activeShop: true, ...body }), 201).id
    const id = await make({ nameService: 'Термометр электронный' })
    await make({ nameService: 'Термометр для палат', activeShop: false })
    expect(good(await one.get('/portal/me')).hasGoods).toBe(true)
    const answer = good(await one.get('/portal/goods?q=термометр'))
    expect(answer).toMatchObject({ isMore: false, items: [{ id, name: 'Термометр электронный', stock: [] }] })
    expect(good(await one.get('/portal/goods?q=нет такого'))).toEqual({ items: [], isMore: false })
    const { items } = good(await clinic.anonymous.get('/portal/booking/services?q=термометр'))
    expect(items).toEqual([])
  })
})

describe('the family', () => {
  const year = Number(dayIn('Europe/Moscow', Date.now()).slice(0, 4))

  it('contains only persons one signs for', async () => {
    const mother = await signedIn({ name: 'Мария' })
    const child = await card({ name: 'Лев', birthday: `01.01.${year - 7}`, snils: '112-233-445 95' })
    const grown = await card({ name: 'Олег', birthday: `01.01.${year - 30}` })
    const silent = await card({ name: 'Юна', birthday: `01.01.${year - 7}` })
    const ended = await card({ name: 'Иван', birthday: `01.01.${year - 50}` })
    const relate = (idCustomer: number, more: object) =>
      desk.post('/customers/relations', {
        idCustomer,
        idRelative: mother.id,
        relation: 'mother',
        signs: 'yes',
        ...more,
      })
    good(await relate(child.id, {}), 201)
    good(await relate(grown.id, {}), 201)
    good(await relate(silent.id, { signs: 'no' }), 201)
    good(await relate(ended.id, { relation: 'proxy', dateTo: `${year - 1}-01-01` }), 201)
    const { family } = good(await mother.get('/portal/me'))
    expect(family.map(({ id }: { id: number }) => id)).toEqual([child.id])
    expect(good(await mother.get(`/portal/data?patient=${child.id}`))).toMatchObject({
      fio: 'Орлов Лев',
      snils: '112-233-445 95',
    })
    for (const { id } of [grown, silent, ended])
      expect((await mother.get(`/portal/data?patient=${id}`)).status).toBe(404)
    const ways = { messenger: true, sms: false, email: true }
    const say = (id: number) => clinic.anonymous.call('PUT', `/portal/ways?patient=${id}`, ways, mother.options)
    good(await say(child.id), 204)
    expect(good(await mother.get(`/portal/data?patient=${child.id}`)).ways).toEqual(ways)
    expect((await say(grown.id)).status).toBe(404)
    expect(good(await desk.get(`/customers/${grown.id}`))).toMatchObject({ noSms: false })
  })
})

describe('sessions of a patient', () => {
  it('are visible to the patient and can be ended one by one; those of others cannot', async () => {
    const one = await signedIn()
    const other = await signedIn()
    const second = cookieOf(await enter(one.phone, await codeFor(one.phone))) as string
    const list = async () => good(await one.get('/portal/sign-ins')).items as { id: number; isCurrent: boolean }[]
    expect((await list()).map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true])
    const [there] = (await list()).filter(({ isCurrent }) => !isCurrent)
    const end = (options: object) =>
      clinic.anonymous.call('DELETE', `/portal/sign-ins/${there?.id}`, undefined, options)
    expect((await end(other.options)).status).toBe(404)
    good(await end(one.options), 204)
    expect((await clinic.anonymous.get('/portal/me', { cookies: { ordinator_patient: second } })).status).toBe(401)
    expect((await one.get('/portal/me')).status).toBe(200)
    expect(await list()).toHaveLength(1)
  })
})

describe('a personal link', () => {
  it("opened from its maker's address raises an alert, from elsewhere it does not", async () => {
    const links = async (surname: string) =>
      (good(await desk.get('/access-log/alerts')).items as { kind: string; what: string }[]).filter(
        ({ kind, what }) => kind === 'link' && what.startsWith(surname),
      )
    for (const [surname, isSame] of [
      ['Тутошнин', true],
      ['Тамошнин', false],
    ] as const) {
      const { id } = await card({ surname })
      const maker = from()
      const { url } = good(await desk.post(`/customers/${id}/portal-link`, undefined, maker), 201)
      const where = isSame ? maker : from()
      good(await clinic.anonymous.post('/portal/link', { token: url.split('#link=')[1] }, where))
      expect([surname, (await links(surname)).length]).toEqual([surname, isSame ? 1 : 0])
    }
  })

  const tokenOf = (url: string) => url.split('#link=')[1] as string
  const make = async (id: number) => tokenOf(good(await desk.post(`/customers/${id}/portal-link`), 201).url)
  const open = (token: string, birthday?: string) =>
    clinic.anonymous.post('/portal/link', { token, ...(birthday && { birthday }) }, from())

  it('opens on one device, without the birthday with no medical data', async () => {
    const { id } = await card()
    const token = await make(id)
    const answer = await open(token)
    expect(good(answer)).toMatchObject({ person: { id }, isProven: false })
    expect((await open(token)).status).toBe(410)
    const { items } = good(await desk.get(`/access-log?idCustomer=${id}&limit=20`))
    const said = items.map(({ basis }: { basis: string }) => basis).join('\n')
    expect(said).toMatch(/по личной ссылке, её дал: \S/)
    const options = { cookies: { ordinator_patient: cookieOf(answer) as string } }
    expect((await clinic.anonymous.get('/portal/visits', options)).status).toBe(200)
    const refused = await clinic.anonymous.get('/portal/data', options)
    expect([refused.status, refused.body.code]).toEqual([403, 'birthday'])
  })

  it('without the birthday shows nothing of the family', async () => {
    const { id } = await card()
    const child = await card({
      name: 'Лев',
      birthday: `01.01.${Number(dayIn('Europe/Moscow', Date.now()).slice(0, 4)) - 7}`,
    })
    const relation = { idCustomer: child.id, idRelative: id, relation: 'mother', signs: 'yes' }
    good(await desk.post('/customers/relations', relation), 201)
    const visits = async (birthday?: string) => {
      const cookies = { ordinator_patient: cookieOf(await open(await make(id), birthday)) as string }
      return (await clinic.anonymous.get(`/portal/visits?patient=${child.id}`, { cookies })).status
    }
    expect([await visits(), await visits('1980-02-01')]).toEqual([404, 200])
  })

  it('with the birthday opens all, and allows five wrong ones', async () => {
    const { id } = await card()
    const opened = await open(await make(id), '1980-02-01')
    expect(good(opened)).toMatchObject({ isProven: true })
    // The staff know the birthday too: medical documents stay closed.
    const refusal = await clinic.anonymous.get('/portal/papers', {
      cookies: { ordinator_patient: cookieOf(opened) as string },
    })
    expect([refusal.status, refusal.body.code]).toEqual([403, 'link'])
    const token = await make(id)
    for (let at = 0; at < 5; at++) expect((await open(token, '1990-01-01')).status).toBe(422)
    expect((await open(token, '1980-02-01')).status).toBe(410)
  })

  it('ends with the next one and after a day, and its session with it', async () => {
    const { id } = await card()
    const first = await make(id)
    const second = await make(id)
    expect((await open(first)).status).toBe(410)
    const answer = await open(second, '1980-02-01')
    const { cookies } = { cookies: { ordinator_patient: cookieOf(answer) as string } }
    const [row] = await clinic.db.query<{ hours: number }>({
      text: `select round(extract(epoch from "dateExpires" - now()) / 3600)::int as hours from portal_sessions
        where "idCustomer" = $1 order by id desc limit 1`,
      values: [id],
    })
    expect(row?.hours).toBe(24)
    expect((await clinic.anonymous.get('/portal/me', { cookies })).status).toBe(200)
  })
})

/** Calls that require the patients' sign-in. */
const closed: readonly Call[] = everyCall.filter(
  ({ path, method, access }) =>
    path.startsWith('/portal/') &&
    access === 'public' &&
    // Booking works without sign-in; its calls that need one are tested separately.
    !path.startsWith('/portal/booking') &&
    // A signed link identifies the visit it opens.
    ![
      '/portal/start',
      '/portal/code',
      '/portal/demo-code',
      '/portal/link',
      '/portal/visit-link',
      '/portal/visit-link/view',
      '/portal/score-link',
      '/portal/score-link/view',
      '/portal/score-link/head',
    ].includes(path) &&
    !(path === '/portal/session' && method === 'POST'),
)
const addressOf = ({ path }: Call) => path.replaceAll(/:\w+/g, '1')
const refusal = expect.toSatisfy((status: number) => status >= 400 && status < 500)

/** A body that the declaration accepts as far as it is simple: an answer, a reason, a code, a time. */
const bodyOf = ({ path }: Call): object =>
  path.endsWith('/answer')
    ? { answer: 'cancel' }
    : path.endsWith('/move')
      ? { day: plusDays(dayIn('Europe/Moscow', Date.now()), 30), start: '11:00' }
      : path.endsWith('/sign')
        ? { code: '000000' }
        : {}

/** Versions of what a patient has. */
const traceOf = (idCustomer: number) =>
  clinic.db.query({
    text: `select a."id", a."visitStatus", a."localStart", a."_version" from appointments a where a."idCustomer" = $1
      union all select s."id", 'session', s."dateExpires"::text, 0 from portal_sessions s where s."idCustomer" = $1 order by 1, 2`,
    values: [idCustomer],
  })

describe('two separate sign-ins', () => {
  it('a patient reaches nothing of the staff: no call and no record', async () => {
    const { options } = await signedIn()
    const staff = everyCall.filter(({ access }) => access !== 'public')
    expect(staff.length).toBeGreaterThan(100)
    for (const call of staff) {
      const { status } = await clinic.anonymous.call(call.method, addressOf(call), undefined, options)
      expect([call.method, call.path, status]).toEqual([call.method, call.path, 401])
    }
    for (const { entity } of clinic.context.registry.definitions)
      for (const path of [`/${entity.path}`, `/${entity.path}/1`, `/${entity.path}/export?format=csv`]) {
        const { status } = await clinic.anonymous.get(path, options)
        // A path shared with a visitor's call uses that call's authentication.
        expect([path, status === 401 || status === 404]).toEqual([path, true])
      }
    const { cookie } = await signedIn()
    expect((await clinic.withToken(cookie).get('/users')).status).toBe(401)
  })

  it("the staff's sign-in opens nothing of a patient", async () => {
    const token = (await desk.token()) as string
    expect(closed.length).toBeGreaterThan(3)
    for (const call of closed) {
      const { status } = await desk.call(call.method, addressOf(call))
      expect([call.path, status]).toEqual([call.path, 401])
      const posed = await clinic.anonymous.call(call.method, addressOf(call), undefined, {
        cookies: { ordinator_patient: token.slice(0, 43) },
      })
      expect([call.path, posed.status]).toEqual([call.path, 401])
    }
  })

  it('patients cannot reach each other by any call with an id', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    // What the other has: visits, devices, sign-ins, requests, dialogues, papers. Ids of all kinds are tried in all calls.
    const { book } = await world()
    const visit = good(await book('10:00', { idCustomer: other.id }), 201)
    const request = { kind: 'access', details: 'Что вы обо мне знаете' }
    await clinic.anonymous.post('/portal/requests', request, other.options)
    const owned = await clinic.db.query<{ table: string; id: number }>({
      text: `select c.relname as table, (xpath('/row/id/text()', query_to_xml(format(
          'select max(id) as id from %I where "idCustomer" = ${other.id}', c.relname), false, true, '')))[1]::text::int as id
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'idCustomer'
          join pg_attribute i on i.attrelid = c.oid and i.attname = 'id'
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`,
    })
    const ids = [...new Set([visit.id, other.id, ...owned.flatMap(({ id }) => id ?? [])])]
    expect(ids.length).toBeGreaterThan(2)
    const before = await traceOf(other.id)
    for (const call of closed.filter(({ path }) => path.includes(':')))
      for (const id of ids)
        for (const kind of ['examinations', 'consents', 'plans', 'contracts', 'results']) {
          const path = call.path.replace(/:kind/, kind).replaceAll(/:\w+/g, String(id))
          const body = call.method === 'GET' ? undefined : bodyOf(call)
          const { status } = await clinic.anonymous.call(call.method, path, body, one.options)
          expect([call.method, path, status], JSON.stringify(body)).toEqual([call.method, path, refusal])
          if (!call.path.includes(':kind')) break
        }
    expect(await traceOf(other.id)).toEqual(before)
    for (const call of closed.filter(
      ({ path, query, method }) =>
        method === 'GET' && !path.includes(':') && query instanceof z.ZodObject && 'patient' in query.shape,
    )) {
      const mine = await one.get(`${addressOf(call)}?patient=${one.id}`)
      const theirs = await one.get(`${addressOf(call)}?patient=${other.id}`)
      expect([call.path, mine.status, theirs.status]).toEqual([call.path, 200, 404])
    }
  })
})

let worlds = 0
/** A branch with a doctor who has a shift in a month. */
async function world() {
  const at = ++worlds
  const day = plusDays(dayIn('Europe/Moscow', Date.now()), 30)
  const post = async (path: string, body: object) => good(await desk.post(path, body), 201).id as number
  const idFilial = await post('/filials', { nameFilial: `Филиал ${at}`, timeZone: 'Europe/Moscow' })
  const idService = await post('/services', { nameService: `Приём ${at}`, priceService: 1000 })
  await post('/service-durations', { idService, minutes: 30 })
  const { id: idUser } = await addPerson(clinic.context, `doctor${at}`)
  await post('/service-performers', { idService, idUser })
  const shift = { type: 'shift', idUser, idFilial, localDate: day, localFrom: '09:00', localTo: '12:00' }
  await post('/staff-events', shift)
  const book = (localStart: string, { idCustomer }: { idCustomer: number }) =>
    desk.post('/appointments/book', {
      idCustomer,
      idFilial,
      localDate: day,
      coupons: [{ idUser, localStart, services: [{ idService }] }],
    })
  return { book }
}

describe('a visit', () => {
  const answer = (one: Awaited<ReturnType<typeof signedIn>>, id: number, action: string) =>
    clinic.anonymous.post(`/portal/visits/${id}/answer`, { action }, one.options)

  it('is confirmed and cancelled by its patient, and by no one else', async () => {
    const { book } = await world()
    const [one, other] = [await signedIn(), await signedIn()]
    const { id } = good(await book('09:00', { idCustomer: one.id }), 201)
    const told = good(await one.get('/portal/visits')).ahead
    expect(told).toMatchObject([
      { id, localStart: '09:00', status: 'booked', mayConfirm: true, mayCancel: true, cost: 1000 },
    ])
    expect(good(await other.get('/portal/visits'))).toEqual({ ahead: [], past: [] })
    for (const action of ['confirm', 'cancel']) expect((await answer(other, id, action)).status).toBe(404)
    expect(good(await answer(one, id, 'confirm')).status).toBe('confirmed')
    expect((await answer(one, id, 'confirm')).status).toBe(409)
    expect(good(await answer(one, id, 'cancel')).status).toBe('cancelled')
    expect(good(await desk.get(`/appointments/${id}`))).toMatchObject({
      visitStatus: 'cancelled',
      cancelledBy: 'patient',
    })
    // The time is free again.
    expect((await book('09:00', { idCustomer: other.id })).status).toBe(201)
  })

  it('is not cancelled if the desk has changed it meanwhile', async () => {
    const { book } = await world()
    const one = await signedIn()
    const { id } = good(await book('09:30', { idCustomer: one.id }), 201)
    const going = await clinic.db.tx(async (tx) => {
      await tx.query({
        text: `update appointments set "visitStatus" = 'arrived', "_version" = "_version" + 1 where id = $1`,
        values: [id],
      })
      const asked = answer(one, id, 'cancel')
      // Until it waits for the row's lock.
      await expect
        .poll(
          async () => {
            const [row] = await clinic.db.query<{ count: number }>({
              text: `select count(*)::int as count from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'`,
            })
            return row?.count
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(0)
      return { asked }
    })
    const { status, body } = await going.asked
    expect([status, body.code, Object.keys(body).includes('visitStatus')]).toEqual([409, 'changed', false])
    expect(good(await desk.get(`/appointments/${id}`)).visitStatus).toBe('arrived')
  })

  it("is cancelled within the clinic's hours, if enabled", async () => {
    const { book } = await world()
    const one = await signedIn()
    const { id } = good(await book('10:00', { idCustomer: one.id }), 201)
    // It is thirty days ahead.
    await clinic.db.query({
      text: `update appointments set "dateFrom" = now() + interval '11 hours', "dateTo" = now() + interval '12 hours' where id = $1`,
      values: [id],
    })
    const late = await answer(one, id, 'cancel')
    expect([late.status, late.body.code]).toEqual([409, 'late'])
    good(await desk.put('/settings/common', { portalCancelHours: 10, portalActions: ['confirm'] }))
    expect((await answer(one, id, 'cancel')).status).toBe(409)
    good(await desk.put('/settings/common', { portalActions: ['confirm', 'cancel'] }))
    expect(good(await answer(one, id, 'cancel')).status).toBe('cancelled')
  })

  it('in a link session without the birthday shows a time and no service', async () => {
    const { book } = await world()
    const { id } = await card()
    good(await book('11:00', { idCustomer: id }), 201)
    const token = good(await desk.post(`/customers/${id}/portal-link`), 201).url.split('#link=')[1]
    const opened = await clinic.anonymous.post('/portal/link', { token }, from())
    const options = { cookies: { ordinator_patient: cookieOf(opened) as string } }
    const [visit] = good(await clinic.anonymous.get('/portal/visits', options)).ahead
    expect(visit).toMatchObject({ localStart: '11:00', services: null, cost: null })
  })
})
