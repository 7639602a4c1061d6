import { CODE_TRIES, CODES_AN_HOUR } from '@ordinator/model/areas/consents/calls'
import { statusOf } from '@ordinator/model/areas/consents/rules'
import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let clinic: Clinic
let desk: Caller
let reader: Caller
let stranger: Caller
let templates: { pd: number; ads: number }

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url },
    prepare: async (app) => {
      await addPerson(app, 'desk', ['viewCustomers', 'editCustomers', 'mainSettings', 'viewAccessLog'])
      await addPerson(app, 'reader', ['viewCustomers'])
      await addPerson(app, 'stranger', ['viewServices'])
    },
  })
  desk = clinic.as('desk')
  reader = clinic.as('reader')
  stranger = clinic.as('stranger')
  templates = { pd: await template({ isDefault: true }), ads: await template({ type: 'ads', months: 12 }) }
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

let serial = 0
async function template(body: object = {}): Promise<number> {
  const made = good(await desk.post('/consents/templates', { name: `Бумага ${++serial}`, type: 'pd', ...body }), 201)
  await version(made.id)
  return made.id
}
const version = async (idTemplate: number, body: object = {}) =>
  good(
    await desk.post('/consents/versions', {
      idTemplate,
      dateFrom: '2020-01-01',
      purpose: 'Ведение карты',
      text: '<p>Я, {фио}, {адрес}, даю согласие: {цель}. {подписывает}</p>',
      ...body,
    }),
    201,
  )
const patient = async (body: object = {}) =>
  good(
    await desk.post('/customers', {
      surname: 'Орлова',
      name: 'Анна',
      birthday: '01.02.1980',
      phone: `8912${String(++serial).padStart(7, '0')}`,
      ...body,
    }),
    201,
  )
const latest = async (idTemplate: number) =>
  good(await desk.get(`/consents/versions?filter[idTemplate]=${idTemplate}`)).items[0].id
const draft = async (idCustomer: number, body: object = {}, idTemplate = templates.pd) =>
  good(await desk.post('/consents', { idCustomer, idVersion: await latest(idTemplate), ...body }), 201)
const read = async (id: number) => good(await desk.get(`/consents/${id}`))
const codeOf = (): string => /Код подписи: (\d{6})/.exec(sms.messages.at(-1)?.text ?? '')?.[1] ?? ''
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a template', () => {
  it('is changed only by a new version, numbered by the server', async () => {
    const id = await template()
    const [first] = good(await desk.get(`/consents/versions?filter[idTemplate]=${id}`)).items
    expect(first).toMatchObject({ number: 1, dateFrom: '2020-01-01' })
    for (const body of [{ text: '<p>Другое</p>' }, { dateFrom: '2021-01-01' }])
      expect((await desk.put(`/consents/versions/${first.id}`, body)).status).toBe(403)
    expect((await desk.delete(`/consents/versions/${first.id}`)).status).toBe(403)
    const numbers = await Promise.all([1, 2, 3].map(() => version(id, { dateFrom: '2024-01-01' })))
    expect(numbers.map(({ number }) => number).sort()).toEqual([2, 3, 4])
    await version(id, { dateFrom: '2999-01-01' })
    expect(good(await desk.get(`/consents/templates/${id}`)).version).toBe(4)
  })

  it('rejects unknown placeholders, and writes without the right', async () => {
    const refused = await desk.post('/consents/versions', {
      idTemplate: templates.pd,
      dateFrom: '2020-01-01',
      purpose: 'Цель',
      text: '<p>{паспорт}</p>',
    })
    expect(refused.status).toBe(422)
    expect(refused.body[0]).toMatchObject({ field: 'text', message: expect.stringContaining('{паспорт}') })
    expect((await reader.post('/consents/templates', { name: 'Моя', type: 'pd' })).status).toBe(403)
  })

  it('reports a character that cannot be printed', async () => {
    const refused = await desk.post('/consents/versions', {
      idTemplate: templates.pd,
      dateFrom: '2020-01-01',
      purpose: 'Цель',
      text: '<p>☐ согласен 漢</p>',
    })
    expect(refused.status).toBe(422)
    expect(refused.body).toEqual([{ field: 'text', message: 'Этих знаков нет в шрифте бумаг: «漢»' }])
  })
})

describe('on paper', () => {
  it('is signed with the text, the day and the data of that moment', async () => {
    const { id: idCustomer } = await patient({ address: 'Казань, <b>Мира</b> 5' })
    const { id, ...made } = await draft(idCustomer)
    expect(made).toMatchObject({ status: 'draft', type: 'pd', purpose: 'Ведение карты', signedAt: null })
    expect(good(await desk.get(`/consents/${id}/text`)).html).toContain(
      'Орлова Анна, Казань, &lt;b&gt;Мира&lt;/b&gt; 5',
    )
    const paper = await desk.get(`/consents/${id}/print`)
    expect([paper.status, paper.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const signed = good(await desk.post(`/consents/${id}/sign`, { signedOn: '2026-01-15' }))
    expect(signed).toMatchObject({ status: 'signed', signMethod: 'paper', validTo: null })
    expect(Date.parse(signed.signedAt)).toBe(Date.parse('2026-01-15T12:00:00+03:00'))
    good(await desk.put(`/customers/${idCustomer}`, { surname: 'Петрова', address: 'Москва' }))
    expect(good(await desk.get(`/consents/${id}/text`)).html).toContain('Орлова Анна, Казань')
    expect((await desk.post(`/consents/${id}/sign`, {})).status).toBe(409)
    const changed = await desk.put(`/consents/${id}`, { validTo: '2030-01-01' })
    expect([changed.status, changed.body[0]?.field]).toEqual([422, 'validTo'])
    expect((await desk.delete(`/consents/${id}`)).status).toBe(409)
    const journal = good(await desk.get(`/access-log?idCustomer=${idCustomer}&limit=100`)).items
    for (const action of ['sign', 'print', 'view', 'create'])
      expect(
        journal.some((line: { action: string; idEntity: number }) => line.action === action && line.idEntity === id),
      ).toBe(true)
  })

  it('accepts a scan, at once or later, and no future day', async () => {
    const { id: idCustomer } = await patient()
    const form = new FormData()
    form.set('file', new Blob(['%PDF-1.4\n%%EOF']), 'скан.pdf')
    const file = good(await desk.post('/customers/files', form), 201)
    const one = await draft(idCustomer)
    expect((await desk.post(`/consents/${one.id}/sign`, { signedOn: '2999-01-01' })).body[0]).toMatchObject({
      field: 'signedOn',
    })
    expect(good(await desk.post(`/consents/${one.id}/sign`, { idFile: file.id })).idFile).toBe(file.id)
    const other = await draft(idCustomer)
    good(await desk.post(`/consents/${other.id}/sign`, {}))
    expect(good(await desk.put(`/consents/${other.id}`, { idFile: file.id })).idFile).toBe(file.id)
  })

  it('expires after its months, and the list agrees with the rule', async () => {
    const { id: idCustomer } = await patient()
    const body = { channels: ['sms'] }
    const old = await draft(idCustomer, body, templates.ads)
    expect(good(await desk.post(`/consents/${old.id}/sign`, { signedOn: '2024-03-01' }))).toMatchObject({
      validTo: '2025-02-28',
      status: 'expired',
    })
    const fresh = await draft(idCustomer, body, templates.ads)
    good(await desk.post(`/consents/${fresh.id}/sign`, {}))
    const third = await draft(idCustomer, body, templates.ads)
    good(await desk.post(`/consents/${third.id}/sign`, {}))
    good(await desk.post(`/consents/${third.id}/revoke`, { reason: 'Передумала' }))
    await draft(idCustomer, body, templates.ads)
    const { items } = good(await desk.get(`/consents?filter[idCustomer]=${idCustomer}&sort=id`))
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['expired', 'signed', 'revoked', 'draft'])
    const today = dayIn('Europe/Moscow', Date.now())
    for (const item of items) expect(statusOf(item, today)).toBe(item.status)
    const inForce = good(await desk.get(`/consents?filter[idCustomer]=${idCustomer}&filter[status]=signed`)).items
    expect(inForce.map(({ id }: { id: number }) => id)).toEqual([fresh.id])
  })

  it('for advertising names the channels', async () => {
    const { id: idCustomer } = await patient()
    const refused = await desk.post('/consents', { idCustomer, idVersion: await latest(templates.ads) })
    expect([refused.status, refused.body[0]?.field]).toEqual([422, 'channels'])
  })
})

describe('of a child', () => {
  it('is signed by an authorized representative of the card, who is recorded', async () => {
    const { id: idCustomer } = await patient({ birthday: '01.01.2020', phone: null })
    const { id: idRelative } = await patient({ surname: 'Орлова', name: 'Мария', phone: '89120009999' })
    const relation = (body: object = {}) =>
      desk.post('/customers/relations', { idCustomer, relation: 'mother', idRelative, signs: 'yes', ...body })
    const { id } = await draft(idCustomer)
    const alone = await desk.post(`/consents/${id}/sign`, {})
    expect(alone.body[0]).toMatchObject({ field: 'idRelation', message: expect.stringContaining('нет 15 лет') })
    const silent = good(await relation({ signs: 'no' }), 201)
    good(await desk.put(`/consents/${id}`, { idRelation: silent.id }))
    expect((await desk.post(`/consents/${id}/sign`, {})).body[0]?.message).toContain('не подписывает')
    const mother = good(await relation({ document: 'Свидетельство II-ЕР 123456' }), 201)
    good(await desk.put(`/consents/${id}`, { idRelation: mother.id }))
    // The code is sent to the signer.
    good(await desk.post(`/consents/${id}/code`))
    expect(sms.messages.at(-1)?.to).toBe('+79120009999')
    expect(good(await desk.post(`/consents/${id}/confirm`, { code: codeOf() }))).toMatchObject({
      status: 'signed',
      signMethod: 'sms',
      representative: {
        fio: 'Орлова Мария',
        relation: 'Мать',
        document: 'Свидетельство II-ЕР 123456',
        idCustomer: idRelative,
      },
    })
    const { id: idOther } = await patient()
    const foreign = await desk.post('/consents', {
      idCustomer: idOther,
      idVersion: await latest(templates.pd),
      idRelation: mother.id,
    })
    expect(foreign.body[0]).toMatchObject({ field: 'idRelation', message: expect.stringContaining('другого клиента') })
  })
})

it('is signed alone from the age set by the clinic', async () => {
  const age = (ownConsentAge: number) => desk.put('/settings/common', { ownConsentAge })
  const { id: idCustomer } = await patient({ birthday: `01.01.${new Date().getFullYear() - 16}` })
  const { id } = await draft(idCustomer)
  good(await age(18))
  const refused = await desk.post(`/consents/${id}/sign`, {})
  expect(refused.body[0]).toMatchObject({ field: 'idRelation', message: expect.stringContaining('нет 18 лет') })
  good(await age(15))
  expect(good(await desk.post(`/consents/${id}/sign`, {})).status).toBe('signed')
})

describe('by a code', () => {
  it('is signed once by the code of the message', async () => {
    const { id: idCustomer, phone } = await patient()
    const { id } = await draft(idCustomer)
    const state = good(await desk.post(`/consents/${id}/code`))
    expect(state).toMatchObject({ isOn: true, sent: { triesLeft: CODE_TRIES, delivery: 'delivered' } })
    expect(state.phone).not.toContain(phone.slice(3, 7))
    const wrong = await desk.post(`/consents/${id}/confirm`, { code: another(codeOf()) })
    expect(wrong.body[0]).toMatchObject({ field: 'code', message: expect.stringContaining(String(CODE_TRIES - 1)) })
    const code = codeOf()
    const both = await Promise.all(
      [1, 2].map(() => desk.post(`/consents/${id}/confirm`, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await read(id)).toMatchObject({ status: 'signed', signMethod: 'sms' })
  })

  it('the code itself is stored nowhere', async () => {
    const { id: idCustomer } = await patient()
    const { id } = await draft(idCustomer)
    good(await desk.post(`/consents/${id}/code`))
    const [kept] = await clinic.db.query<{ row: string }>({
      text: `select c::text as row from consent_codes c where "idConsent" = $1`,
      values: [id],
    })
    expect(kept?.row).not.toContain(codeOf())
    expect((await desk.get(`/consents/${id}`)).text).not.toContain(codeOf())
  })

  it('allows five attempts, after which the right code fails too', async () => {
    const { id: idCustomer } = await patient()
    const { id } = await draft(idCustomer)
    good(await desk.post(`/consents/${id}/code`))
    for (let n = 0; n < CODE_TRIES; n++)
      expect((await desk.post(`/consents/${id}/confirm`, { code: another(codeOf()) })).status).toBe(422)
    const late = await desk.post(`/consents/${id}/confirm`, { code: codeOf() })
    expect([late.status, late.body[0]?.message]).toEqual([422, expect.stringContaining('Попытки кончились')])
    good(await desk.post(`/consents/${id}/code`))
    good(await desk.post(`/consents/${id}/confirm`, { code: codeOf() }))
  })

  it('expires after ten minutes, with another code, and when the document changes', async () => {
    const { id: idCustomer } = await patient()
    const { id } = await draft(idCustomer)
    const confirm = (code: string) => desk.post(`/consents/${id}/confirm`, { code })
    expect((await confirm('123456')).status).toBe(422)
    good(await desk.post(`/consents/${id}/code`))
    await clinic.db.query({
      text: `update consent_codes set "dateExpires" = now() where "idConsent" = $1`,
      values: [id],
    })
    expect((await confirm(codeOf())).body[0]?.message).toContain('устарел')
    good(await desk.post(`/consents/${id}/code`))
    const first = codeOf()
    good(await desk.post(`/consents/${id}/code`))
    if (first !== codeOf()) expect((await confirm(first)).status).toBe(422)
    good(await desk.put(`/consents/${id}`, { validTo: '2999-01-01' }))
    expect((await confirm(codeOf())).body[0]?.message).toContain('изменились')
  })

  it('is sent a limited number of times per hour to one phone, for all documents', async () => {
    const { id: idCustomer } = await patient()
    const [a, b] = [await draft(idCustomer), await draft(idCustomer)]
    const before = sms.messages.length
    const answers = await Promise.all(
      Array.from({ length: CODES_AN_HOUR + 3 }, (_, n) => desk.post(`/consents/${n % 2 ? a.id : b.id}/code`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CODES_AN_HOUR)
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(sms.messages.length - before).toBe(CODES_AN_HOUR)
  })

  it.each([
    ['refuses', 'failed'],
    ['broken', 'unknown'],
    ['fails', 'failed'],
  ] as const)('reports the delivery when the gateway %s', async (mood, delivery) => {
    const { id: idCustomer } = await patient()
    const { id } = await draft(idCustomer)
    sms.mood = mood
    try {
      expect(good(await desk.post(`/consents/${id}/code`)).sent.delivery).toBe(delivery)
      expect(good(await desk.get(`/consents/${id}/code`)).sent.delivery).toBe(delivery)
    } finally {
      sms.mood = 'delivers'
    }
  })

  it('is refused for a card without a phone', async () => {
    const { id: idCustomer } = await patient({ phone: null })
    const { id } = await draft(idCustomer)
    expect((await desk.post(`/consents/${id}/code`)).body[0]).toMatchObject({ field: 'phone' })
  })
})

describe('revoked', () => {
  it('has the time and reason, once', async () => {
    const { id: idCustomer } = await patient()
    const { id } = await draft(idCustomer)
    expect((await desk.post(`/consents/${id}/revoke`, { reason: 'Рано' })).status).toBe(409)
    good(await desk.post(`/consents/${id}/sign`, {}))
    expect((await desk.post(`/consents/${id}/revoke`, { reason: '  ' })).body[0]).toMatchObject({ field: 'reason' })
    expect(good(await desk.post(`/consents/${id}/revoke`, { reason: 'Письмо клиента' }))).toMatchObject({
      status: 'revoked',
      revokeReason: 'Письмо клиента',
    })
    expect((await desk.post(`/consents/${id}/revoke`, { reason: 'Ещё раз' })).status).toBe(409)
  })
})

it('is refused by every call without the right', async () => {
  const { id: idCustomer } = await patient()
  const { id } = await draft(idCustomer)
  const reads = [`/consents/${id}`, `/consents/${id}/text`, `/consents/${id}/print`, '/consents']
  const writes = [
    ['sign', {}],
    ['code', undefined],
    ['confirm', { code: '1' }],
    ['revoke', { reason: 'Нет' }],
  ] as const
  for (const url of reads) {
    expect((await stranger.get(url)).status, url).toBe(403)
    expect((await reader.get(url)).status, url).toBe(200)
  }
  for (const who of [stranger, reader])
    for (const [verb, body] of writes) expect((await who.post(`/consents/${id}/${verb}`, body)).status, verb).toBe(403)
  good(await desk.delete(`/customers/${idCustomer}?sure=1`), 204)
  for (const url of reads.slice(0, 3)) expect((await desk.get(url)).status, url).toBe(404)
  for (const [verb, body] of writes) expect((await desk.post(`/consents/${id}/${verb}`, body)).status, verb).toBe(404)
})

it('reports that messages are not connected, and signs on paper', async () => {
  const other = await testApp({
    prepare: (app) => addPerson(app, 'desk', ['viewCustomers', 'editCustomers', 'mainSettings']),
  })
  try {
    const own = other.as('desk')
    const idTemplate = good(await own.post('/consents/templates', { name: 'Бумага', type: 'pd' }), 201).id
    const text = { idTemplate, dateFrom: '2020-01-01', purpose: 'Цель', text: '<p>{фио}</p>' }
    const idVersion = good(await own.post('/consents/versions', text), 201).id
    const idCustomer = good(await own.post('/customers', { surname: 'Орлова', phone: '89120001122' }), 201).id
    const { id } = good(await own.post('/consents', { idCustomer, idVersion }), 201)
    expect(good(await own.get(`/consents/${id}/code`)).isOn).toBe(false)
    expect((await own.post(`/consents/${id}/code`)).status).toBe(409)
    good(await own.post(`/consents/${id}/sign`, {}))
  } finally {
    await other.close()
  }
})
