import { dayIn } from '@ordinator/model/zone'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ElnSimulator, startElnSimulator } from '#testing/elnSimulator.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let fund: ElnSimulator
let desk: Caller
let chief: Caller
let idFilial: number
let idArea: number
let idDoctor: number

const today = dayIn('Europe/Moscow', Date.now())

beforeAll(async () => {
  fund = await startElnSimulator()
  clinic = await testApp({
    env: { TFOMS_URL: `${fund.url}/tfoms` },
    prepare: async (app) => {
      await addPerson(app, 'desk', ['check_applications', 'viewCustomers', 'editCustomers'])
      await addPerson(app, 'chief', ['mainSettings', 'editShopContent', 'viewCustomers'])
      idDoctor = (await addPerson(app, 'doctor', ['viewCustomers'])).id
    },
  })
  desk = clinic.as('desk')
  chief = clinic.as('chief')
  idFilial = good(
    await chief.post('/filials', { nameFilial: 'Первый', shortFilialName: 'П', filialCode: 'П1' }),
    201,
  ).id
  idArea = good(
    await chief.post('/attachment/areas', { name: '№ 1', kind: 'therapy', idFilial, idUser: idDoctor, norm: 2 }),
    201,
  ).id
  good(
    await chief.post('/attachment/streets', { idArea, street: 'ул. Ленина', houseFrom: 1, houseTo: 57, side: 'odd' }),
    201,
  )
  await set({ attachmentFields: ['phone'], attachmentDocuments: [], tfomsCode: '630001' })
})
afterAll(async () => {
  await clinic.close()
  await fund.close()
})
beforeEach(() => {
  fund.mood = 'works'
  fund.delay = 0
})

const set = async (values: object) => good(await chief.put('/settings/common', values))
let count = 0
const person = (more: object = {}) => ({
  ...{ surname: `Заявителев${count++}`, name: 'Пётр', birthday: '01.02.1980', gender: 'male', phone: '+79275551234' },
  ...{ street: 'Ленина', house: '5', idFilial },
  ...more,
})
const file = async (more: object = {}) => good(await desk.post('/attachment/applications', person(more)), 201)
const act = (id: number, step: string, body: object = {}) => desk.post(`/attachment/applications/${id}/${step}`, body)
const stateOf = async (id: number) => good(await desk.get(`/attachment/applications/${id}/state`))
const read = async (id: number) => good(await desk.get(`/attachment/applications/${id}`))
const fields = ({ status, body }: Answer) => [
  status,
  ...(Array.isArray(body) ? body.map((one) => one.field) : [body.code]),
]
async function approved(more: object = {}) {
  const { id } = await file(more)
  good(await act(id, 'check'))
  good(await act(id, 'card'))
  good(await act(id, 'approve'))
  return id as number
}
async function later() {
  await clinic.db.query({ text: `update outbox set "dateDue" = now()` })
  await clinic.db.query({ text: 'delete from outbox_lanes' })
  await clinic.context.outbox.run('tfoms')
}

it('finds the area of an address, and the due date by the calendar', async () => {
  const one = await file()
  expect([one.idArea, one.status]).toEqual([idArea, 'new'])
  expect(Date.parse(one.dueAt)).toBeGreaterThan(Date.now() + 86_400_000)
  expect((await file({ house: '6' })).idArea).toBeNull()
  expect(fields(await desk.post('/attachment/applications', person({ birthday: '01.02.2999' })))).toEqual([
    422,
    'birthday',
  ])
  expect((await chief.get('/attachment/applications')).status).toBe(403)
})

describe('an application', () => {
  it('is compared with its card, and copies chosen values into it', async () => {
    const card = good(
      await desk.post('/customers', {
        surname: 'Сравнимый',
        name: 'Олег',
        birthday: '03.04.1970',
        snils: '112-233-445 95',
        phone: '+79270000000',
      }),
      201,
    )
    const { id } = await file({
      surname: 'Сравнимый',
      name: 'Олег',
      birthday: '03.04.1970',
      snils: '112-233-445 95',
      enp: '7757910848000014',
    })
    const { cards, differences, checks } = await stateOf(id)
    expect(cards).toMatchObject([{ id: card.id, by: 'СНИЛС' }])
    const differing = differences.filter(({ differs }: { differs: boolean }) => differs)
    expect(differing.map(({ field }: { field: string }) => field).sort()).toEqual([
      'enp',
      'gender',
      'house',
      'phone',
      'street',
    ])
    expect(
      checks.filter(({ level }: { level: string }) => level === 'warning').map(({ key }: { key: string }) => key),
    ).toEqual(['enp'])
    good(await act(id, 'card', { idCustomer: card.id, fields: ['phone', 'enp'] }))
    const now = good(await desk.get(`/customers/${card.id}?expand=policies`))
    expect([now.phone, now.policies.map(({ number }: { number: string }) => number)]).toEqual([
      '+79275551234',
      ['7757910848000014'],
    ])
    expect(fields(await act(id, 'card', { fields: ['secretLevel'] }))).toEqual([422, 'fields'])
  })

  it('follows its steps: more data requested, approved with its area, attached; the area fills up', async () => {
    const { id } = await file()
    expect((await act(id, 'approve')).status).toBe(409)
    good(await act(id, 'check'))
    expect(fields(await act(id, 'approve'))).toEqual([422, 'idCustomer'])
    const before = await read(id)
    good(await act(id, 'ask', { question: 'Пришлите полис' }))
    expect((await act(id, 'approve')).status).toBe(409)
    const answered = good(await act(id, 'answer', { answer: 'Вот он' }))
    expect(answered.status).toBe('check')
    expect(Date.parse(answered.dueAt)).toBeGreaterThanOrEqual(Date.parse(before.dueAt))
    good(await act(id, 'card'))
    const done = good(await act(id, 'approve'))
    expect([done.status, done.idDoctor, done.attachedFrom]).toEqual(['approved', idDoctor, today])
    expect((await desk.put(`/attachment/applications/${id}`, { phone: '+79270000001' })).status).toBe(409)
    good(await act(id, 'attach'))
    const [kept] = good(await desk.get(`/attachment/attachments?filter[idApplication]=${id}`)).items
    expect([kept.idArea, kept.dateFrom, kept.dateTo]).toEqual([idArea, today, null])
    expect((await act(id, 'withdraw', { reason: 'Поздно' })).status).toBe(409)
    await act(await approved(), 'attach')
    const full = await file({ basis: 'choice', house: '6' })
    await desk.put(`/attachment/applications/${full.id}`, { idArea })
    good(await act(full.id, 'check'))
    good(await act(full.id, 'card'))
    expect((await stateOf(full.id)).checks.find(({ key }: { key: string }) => key === 'load')).toMatchObject({
      level: 'error',
      words: 'Участок: 2 из 2',
    })
    expect(fields(await act(full.id, 'approve'))).toEqual([422, 'despite'])
    expect(fields(await act(full.id, 'refuse', { reason: 'Просто так' }))).toEqual([422, 'reason'])
    expect(good(await act(full.id, 'refuse', { reason: 'Вне территории обслуживания' })).status).toBe('refused')
    good(await chief.put(`/attachment/areas/${idArea}`, { norm: 100 }))
    expect(good(await desk.get('/attachment/figures')).areas[0]).toMatchObject({ attached: 2, norm: 100 })
  })

  it('of the same person is reported as a duplicate, and a child is not accepted by a therapist', async () => {
    const same = person({ snils: '100-028-889 00' })
    const first = good(await desk.post('/attachment/applications', same), 201)
    const again = good(await desk.post('/attachment/applications', { ...same, birthday: '01.02.2016' }), 201)
    const { checks } = await stateOf(again.id)
    const wrong = checks
      .filter(({ level }: { level: string }) => level === 'error')
      .map(({ key }: { key: string }) => key)
    expect(wrong).toEqual(['age', 'duplicate'])
    expect(checks.find(({ key }: { key: string }) => key === 'duplicate').words).toContain(first.number)
  })
})

describe('ТФОМС', () => {
  it('reports the missing settings while it is off', async () => {
    const id = await approved()
    const { status, body } = await act(id, 'send')
    expect([status, body.message]).toEqual([
      409,
      'Обмен с ТФОМС не подключён: прикрепите без него или включите в настройках прикрепления',
    ])
    good(await act(id, 'withdraw', { reason: 'Передумал' }))
    await set({ tfomsMode: 'test' })
  })

  it('accepts a package, and attaches by its protocol', async () => {
    const id = await approved()
    fund.delay = 1
    good(await act(id, 'send'))
    await later()
    expect((await read(id)).status).toBe('sent')
    await later()
    expect((await read(id)).status).toBe('sent')
    await later()
    const now = await read(id)
    expect([now.status, now.externalId]).toEqual(['attached', expect.stringMatching(/^T-/)])
  })

  it('returns all data errors for correction, and refuses finally by the norm of the area', async () => {
    const id = await approved()
    fund.mood = 'flk'
    good(await act(id, 'send'))
    await later()
    await later()
    const back = await read(id)
    expect([back.status, back.protocol]).toEqual(['approved', 'FLK_1: Не указан документ\nFLK_7: Неверный код участка'])
    fund.mood = 'norm'
    good(await act(id, 'send'))
    await later()
    await later()
    expect(await read(id)).toMatchObject({ status: 'refused', decisionReason: 'Норма участка заполнена' })
  })

  it('gets a package once, even with a lost reply', async () => {
    const id = await approved()
    fund.mood = 'lost'
    const before = fund.packages.size
    good(await act(id, 'send'))
    await later()
    fund.mood = 'works'
    await later()
    await later()
    expect([fund.packages.size, (await read(id)).status]).toEqual([before + 1, 'attached'])
  })
})

describe('the form of the site', () => {
  const form = (more: Record<string, string | Blob> = {}) => {
    const data = new FormData()
    const filled = {
      surname: 'Сайтов',
      name: 'Иван',
      birthday: '1985-05-06',
      phone: '8 927 555 12 99',
      street: 'Ленина',
      house: '7',
      idFilial: String(idFilial),
    }
    for (const [name, value] of Object.entries({ ...filled, ...more })) data.append(name, value as string)
    return data
  }
  const post = (data: FormData) => clinic.anonymous.post('/site/attachment', data)

  it('is missing until the clinic enables it', async () => {
    good(await chief.put('/client/theme/1', { isActive: true }))
    const status = async () => (await clinic.anonymous.get('/site/attachment')).status
    await expect.poll(status, { timeout: 60_000 }).toBe(404)
    expect((await post(form())).status).toBe(404)
  })

  it('accepts an application with its files, with the consent', async () => {
    const policy = good(
      await chief.post('/client/policies', {
        kind: 'consent',
        text: '<p>Согласен</p>',
        dateFrom: '2026-01-01',
        isPublished: true,
      }),
      201,
    )
    await set({ attachmentOpen: true, attachmentDocuments: ['oms'] })
    await expect
      .poll(async () => (await clinic.anonymous.get('/site/attachment')).status, { timeout: 60_000 })
      .toBe(200)
    expect((await clinic.anonymous.get('/site/attachment')).text).toContain('multipart/form-data')
    const refused = await post(form())
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Отметьте согласие')])
    expect(refused.text).toContain('value="Сайтов"')
    const consent = String(policy.id)
    expect((await post(form({ consent }))).text).toContain('файл «Полис ОМС»')
    const pdf = new File([Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')], 'полис.pdf', {
      type: 'application/pdf',
    })
    expect((await post(form({ consent, snils: '112', file_oms: pdf }))).text).toContain('СНИЛС')
    expect((await post(form({ consent, file_oms: new File(['MZ'], 'полис.exe') }))).status).toBe(422)
    const taken = await post(form({ consent, file_oms: pdf }))
    expect([taken.status, taken.text]).toEqual([200, expect.stringContaining('Заявление принято')])
    const [one] = good(await desk.get('/attachment/applications?filter[surname]=Сайтов&expand=files')).items
    expect([one.source, one.phone, one.birthday, one.idArea]).toEqual(['site', '+79275551299', '06.05.1985', idArea])
    expect(one.files).toHaveLength(1)
    expect(one.files[0].kind).toBe('oms')
  })
})
