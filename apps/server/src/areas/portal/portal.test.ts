import { dayIn } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  ask,
  card,
  clinic,
  codeFor,
  codeTo,
  cookieOf,
  desk,
  enter,
  from,
  newPhone,
  openPortalClinic,
  signedIn,
  sms,
} from './testing/portalClinic.ts'

openPortalClinic()

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
    const warnings = sms.messages.filter(({ to, text }) => to === phone && text.includes('указан другой телефон'))
    expect(warnings).toHaveLength(1)
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
    const bases = items.map(({ basis }: { basis: string }) => basis).join('\n')
    expect(bases).toContain('Пациент вошёл в личный кабинет')
    expect(bases).toContain('Пациент в личном кабинете: визиты')
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
