import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let clinic: Clinic
let desk: Caller
let answers: Caller
let operator: Caller
let world: ReturnType<typeof onlineWorld>
let idTemplate: number
let idDoctor: number
let idVersion: number
let idAds: number

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
    prepare: async (app) => {
      idDoctor = (
        await addPerson(app, 'desk', [
          ...deskRights,
          'editMessageTemplates',
          'viewExaminations',
          'editExaminations',
          'examinationTemplatesSettings',
          'viewPlans',
          'editPlans',
          'agreePlans',
        ])
      ).id
      await addPerson(app, 'answers', ['onlineChat', 'viewCustomers', 'viewExaminations', 'viewTasksManagement'])
      await addPerson(app, 'operator', ['onlineChat', 'viewCustomers'])
    },
  })
  answers = clinic.as('answers')
  operator = clinic.as('operator')
  desk = clinic.as('desk')
  good(await desk.put('/settings/common', { portalActive: true }))
  world = onlineWorld(clinic, desk, sms)
  const version = async (type: 'pd' | 'ads'): Promise<number> => {
    const { id } = good(await desk.post('/consents/templates', { name: `Бумага ${type}`, type }), 201)
    const body = { idTemplate: id, dateFrom: '2020-01-01', purpose: 'Ведение карты', text: '<p>Я, {фио}, согласен</p>' }
    return good(await desk.post('/consents/versions', body), 201).id
  }
  idVersion = await version('pd')
  idAds = await version('ads')
  const form = { sections: [{ title: 'Осмотр', fields: [{ key: 'жалобы', label: 'Жалобы', type: 'text' }] }] }
  const template = { name: 'Приём', isShared: true, forPatient: true, form }
  idTemplate = good(await desk.post('/examination-templates', template), 201).id
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

const words = async (answer: Answer) => {
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  return (await extractText(await getDocumentProxy(new Uint8Array(answer.bytes)), { mergePages: true })).text
}

type Patient = Awaited<ReturnType<typeof world.patient>>
const list = async (one: Patient, query = ''): Promise<{ kind: string; id: number; note: string | null }[]> =>
  good(await one.get(`/portal/papers${query}`)).items

async function examination(idCustomer: number) {
  const { id } = good(await desk.post('/examinations', { idCustomer, idTemplate }), 201)
  const step = async (path: string, body: object) => good(await desk.post(`/examinations/${id}/${path}`, body))
  const { _version } = await step('save', { changes: { 'values.жалобы': 'Кашель третий день' }, base: {} })
  const finished = await step('finish', { _version })
  return { id: id as number, sign: () => step('sign', { _version: finished._version }) }
}

it('shows signed examinations only; none of a template closed to patients', async () => {
  const one = await world.patient()
  const { id, sign } = await examination(one.id)
  expect(await list(one)).toEqual([])
  expect((await one.get(`/portal/papers/examination/${id}`)).status).toBe(404)
  await sign()
  expect(await list(one)).toMatchObject([{ kind: 'examination', id, name: 'Приём', doctor: expect.any(String) }])
  const text = await words(await one.get(`/portal/papers/examination/${id}`))
  expect(text).toContain('Кашель третий день')
  expect(text).toContain('Пётр')
  const printed = await clinic.db.query<{ action: string }>({
    text: `select "action" from access_log where "entityType" = 'examinations' and "idCustomer" = $1 and "idEntity" = $2
      and "basis" like 'Пациент в личном кабинете%'`,
    values: [one.id, id],
  })
  expect(printed).toEqual([{ action: 'print' }])
  good(await desk.put(`/examination-templates/${idTemplate}`, { forPatient: false }))
  expect(await list(one)).toEqual([])
  expect((await one.get(`/portal/papers/examination/${id}`)).status).toBe(404)
  good(await desk.put(`/examination-templates/${idTemplate}`, { forPatient: true }))
})

it('announces a signed readable document once, and not a correction', async () => {
  const text = 'Заключение готово: откройте личный кабинет'
  good(await desk.put('/settings/common', { messageHours: { start: '00:00', end: '23:59' } }))
  good(await desk.post('/message-templates', { name: 'Результат', event: 'resultReady', text, active: true }), 201)
  const one = await world.patient()
  const { id, sign } = await examination(one.id)
  const run = async () => {
    for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
  }
  const came = () => sms.messages.filter((message) => message.to === one.phone && message.text === text).length
  await run()
  expect(came()).toBe(0)
  await sign()
  await run()
  await run()
  expect(came()).toBe(1)
  const next = good(await desk.post(`/examinations/${id}/correct`, { reason: 'Описка' }), 201)
  const finished = good(await desk.post(`/examinations/${next.id}/finish`, { _version: next._version }))
  good(await desk.post(`/examinations/${next.id}/sign`, { _version: finished._version }))
  await run()
  expect(came()).toBe(1)
})

it('shows the corrected version that is in force', async () => {
  const one = await world.patient()
  const { id, sign } = await examination(one.id)
  await sign()
  const next = good(await desk.post(`/examinations/${id}/correct`, { reason: 'Уточнено' }), 201)
  expect((await list(one)).map((paper) => paper.id)).toEqual([id])
  const { _version } = good(
    await desk.post(`/examinations/${next.id}/save`, {
      changes: { 'values.жалобы': 'Кашель' },
      base: { 'values.жалобы': 'Кашель третий день' },
    }),
  )
  const finished = good(await desk.post(`/examinations/${next.id}/finish`, { _version }))
  good(await desk.post(`/examinations/${next.id}/sign`, { _version: finished._version }))
  expect((await list(one)).map((paper) => paper.id)).toEqual([next.id])
})

it('shows a plan once it is offered', async () => {
  const one = await world.patient()
  const { id, _version } = good(
    await desk.post('/customer-plans', { name: 'Лечение кариеса', idCustomer: one.id, idDoctor }),
    201,
  )
  expect(await list(one)).toEqual([])
  await clinic.db.query({ text: 'update customer_plans set "dateOffered" = now() where "id" = $1', values: [id] })
  expect(await list(one)).toMatchObject([{ kind: 'plan', id, note: 'Предложен' }])
  expect(await words(await one.get(`/portal/papers/plan/${id}`))).toContain('Лечение кариеса')
  expect(_version).toBeGreaterThan(0)
})

it('is refused to a stranger, by another kind, and after a sign-out; a representative may read', async () => {
  const parent = await world.patient()
  const child = await world.patient({ birthday: '01.02.2020' })
  const stranger = await world.patient()
  const { id, sign } = await examination(child.id)
  await sign()
  for (const one of [stranger, parent]) {
    expect((await one.get(`/portal/papers/examination/${id}`)).status).toBe(404)
    expect((await one.get(`/portal/papers/examination/${id}?patient=${child.id}`)).status).toBe(404)
    expect((await one.get(`/portal/papers?patient=${child.id}`)).status).toBe(404)
  }
  expect((await child.get(`/portal/papers/plan/${id}`)).status).toBe(404)
  expect((await child.get(`/portal/papers/secret/${id}`)).status).toBeGreaterThanOrEqual(400)
  good(
    await desk.post('/customers/relations', {
      idCustomer: child.id,
      idRelative: parent.id,
      relation: 'mother',
      signs: 'yes',
    }),
    201,
  )
  expect((await list(parent, `?patient=${child.id}`)).map((paper) => paper.id)).toEqual([id])
  expect(await words(await parent.get(`/portal/papers/examination/${id}?patient=${child.id}`))).toContain('Кашель')
  await child.delete('/portal/session')
  expect((await child.get('/portal/papers')).status).toBe(401)
})

it('a clinic that shows no documents shows none', async () => {
  const one = await world.patient()
  good(await desk.put('/settings/common', { portalActions: ['confirm'] }))
  expect((await one.get('/portal/papers')).body).toMatchObject({ code: 'off' })
  good(await desk.put('/settings/common', { portalActions: ['papers'] }))
  expect(await list(one)).toEqual([])
})

describe('by the code of a message', () => {
  beforeAll(async () => void good(await desk.put('/settings/common', { portalActions: ['papers', 'sign'] })))

  const codeTo = (phone: string) =>
    /Код подписи: (\d{6})/.exec(sms.messages.filter(({ to }) => to === phone).at(-1)?.text ?? '')?.[1]

  it('agrees a plan, once, by the person who received the code', async () => {
    const one = await world.patient()
    const plan = good(await desk.post('/customer-plans', { name: 'Лечение', idCustomer: one.id, idDoctor }), 201)
    const stage = good(await desk.post('/customer-plans/stages', { idPlan: plan.id, name: 'Первый' }), 201)
    const { idService } = await world.make()
    good(await desk.post('/customer-plans/items', { idStage: stage.id, idService }), 201)
    // A plan is not visible before its offer.
    expect((await one.post(`/portal/papers/plan/${plan.id}/code`, {})).status).toBe(404)
    good(await desk.post(`/customer-plans/${plan.id}/offer`, {}))
    expect(await list(one)).toMatchObject([{ kind: 'plan', maySign: true, note: 'Предложен' }])
    const stranger = await world.patient()
    expect((await stranger.post(`/portal/papers/plan/${plan.id}/code`, {})).status).toBe(404)
    expect(good(await one.post(`/portal/papers/plan/${plan.id}/code`, {})).phone).toMatch(/^\+7 ··· \d{4}$/)
    const wrong = await one.post(`/portal/papers/plan/${plan.id}/sign`, { code: '000000' })
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'code'])
    const code = codeTo(one.phone)
    expect((await stranger.post(`/portal/papers/plan/${plan.id}/sign`, { code })).status).toBe(404)
    good(await one.post(`/portal/papers/plan/${plan.id}/sign`, { code }), 204)
    expect(await list(one)).toMatchObject([{ kind: 'plan', maySign: false, note: 'Согласован' }])
    expect(good(await desk.get(`/customer-plans/${plan.id}`))).toMatchObject({ status: 'agreed', signMethod: 'sms' })
    expect((await one.post(`/portal/papers/plan/${plan.id}/sign`, { code })).status).toBe(409)
  })

  it('nothing, where the clinic requires the desk', async () => {
    const one = await world.patient()
    const { id } = good(await desk.post('/consents', { idCustomer: one.id, idVersion }), 201)
    expect(await list(one)).toMatchObject([{ kind: 'consent', id, maySign: true, note: 'Ждёт подписи' }])
    const portalActions = ['papers', 'chat']
    good(await desk.put('/settings/common', { portalActions }))
    expect(await list(one)).toMatchObject([{ id, maySign: false }])
    expect((await one.post(`/portal/papers/consent/${id}/code`, {})).status).toBe(409)
    good(await desk.put('/settings/common', { portalActions: [...portalActions, 'sign'] }))
    good(await one.post(`/portal/papers/consent/${id}/code`, {}))
    good(await one.post(`/portal/papers/consent/${id}/sign`, { code: codeTo(one.phone) }), 204)
    // A consent to advertising can be revoked without the clinic.
    expect((await one.post(`/portal/consents/${id}/revoke`, {})).status).toBe(404)
    const ads = good(await desk.post('/consents', { idCustomer: one.id, idVersion: idAds, channels: ['sms'] }), 201)
    good(await desk.post(`/consents/${ads.id}/sign`, {}))
    expect(await list(one)).toContainEqual(expect.objectContaining({ id: ads.id, mayRevoke: true }))
    good(await one.post(`/portal/consents/${ads.id}/revoke`, {}), 204)
    expect(good(await desk.get(`/consents/${ads.id}`))).toMatchObject({ status: 'revoked' })
    expect((await one.post(`/portal/consents/${ads.id}/revoke`, {})).status).toBe(409)
  })
})

describe('a request about own data', () => {
  it('is registered with its due day, once, and its answer is shown; administrators are notified', async () => {
    const one = await world.patient()
    const body = { kind: 'access', text: 'Какие мои данные у вас есть?' }
    const [first, again] = await Promise.all([one.post('/portal/requests', body), one.post('/portal/requests', body)])
    expect(good(first, 201)).toEqual(good(again, 201))
    const { id, dateDue } = first.body
    expect(good(await desk.get(`/consents/requests/${id}`))).toMatchObject({
      idCustomer: one.id,
      channel: 'portal',
      status: 'open',
      dateDue,
    })
    const notices = good(await desk.get('/notifications?filter[kind]=request.portal')).items
    expect(notices.map((line: { idEntity: number }) => line.idEntity)).toContain(id)
    const today = good(await desk.get(`/consents/requests/${id}`)).dateReceived
    good(await desk.put(`/consents/requests/${id}`, { dateAnswered: today, answer: 'ФИО и телефон' }))
    const { items } = good(await one.get('/portal/requests'))
    expect(items).toMatchObject([
      { id, kind: 'Какие данные обрабатываются', status: 'Отвечен', answer: 'ФИО и телефон' },
    ])
    const stranger = await world.patient()
    expect(good(await stranger.get('/portal/requests')).items).toEqual([])
    expect((await stranger.get(`/portal/requests?patient=${one.id}`)).status).toBe(404)
  })

  it('is validated at its fields, and at most five are open at once', async () => {
    const one = await world.patient()
    const wrong = await one.post('/portal/requests', { kind: 'access', text: ' ' })
    expect([wrong.status, wrong.body[0].field]).toEqual([422, 'text'])
    for (let n = 0; n < 5; n++) good(await one.post('/portal/requests', { kind: 'other', text: `Вопрос ${n}` }), 201)
    const sixth = await one.post('/portal/requests', { kind: 'other', text: 'Ещё один' })
    expect([sixth.status, sixth.body.code]).toEqual([409, 'tooMany'])
  })
})

describe('a dialogue with a patient', () => {
  it("shows operators the contents of the patient's portal, within their rights", async () => {
    const one = await world.patient()
    const { id, sign } = await examination(one.id)
    good(await one.post('/portal/dialog', { clientId: 'dialogue-1', text: 'Пришлите заключение' }), 201)
    const { items } = good(await answers.get(`/service-online?filter[idCustomer]=${one.id}`))
    const things = async (by: Caller) => good(await by.get(`/service-online/${items[0].id}/things`))
    expect(await things(answers)).toEqual({ papers: [], unpaid: null })
    await sign()
    expect(await things(answers)).toMatchObject({ papers: [{ kind: 'examination', id, name: 'Приём' }] })
    // Without the right to examinations none are listed.
    expect(await things(operator)).toEqual({ papers: [], unpaid: null })
    expect((await desk.get(`/service-online/${items[0].id}/things`)).status).toBe(403)
  })

  it("attaches a visible document of the patient as a file, with the right; no one else's", async () => {
    const one = await world.patient()
    const stranger = await world.patient()
    const { id, sign } = await examination(one.id)
    good(await one.post('/portal/dialog', { clientId: 'dialogue-3', text: 'Пришлите заключение' }), 201)
    good(await stranger.post('/portal/dialog', { clientId: 'dialogue-4', text: 'И мне' }), 201)
    const of = async (idCustomer: number) =>
      good(await answers.get(`/service-online?filter[idCustomer]=${idCustomer}`)).items[0].id
    const [own, foreign] = [await of(one.id), await of(stranger.id)]
    const attach = (idDialog: number, by: Caller = answers) =>
      by.post(`/service-online/${idDialog}/papers`, { kind: 'examination', id })
    expect((await attach(own)).status).toBe(404)
    await sign()
    const file = good(await attach(own), 201)
    expect(file.name).toMatch(/\.pdf$/)
    good(
      await answers.post(`/service-online/${own}/messages`, { clientId: 'with-a-paper', text: '', files: [file.id] }),
      201,
    )
    const { lines } = good(await one.get('/portal/dialog'))
    expect(lines.at(-1).files).toMatchObject([{ id: file.id, name: file.name }])
    expect(await words(await one.get(`/portal/dialog/files/${file.id}`))).toContain('Кашель')
    expect((await stranger.get(`/portal/dialog/files/${file.id}`)).status).toBe(404)
    // By a guessed id: another's document, or the own dialogue without the right to examinations.
    expect((await attach(foreign)).status).toBe(404)
    expect((await attach(own, operator)).status).toBe(403)
    expect((await attach(own, desk)).status).toBe(403)
    expect((await attach(own + 1_000)).status).toBe(404)
  })

  it('becomes a task, with the patient among its customers', async () => {
    const one = await world.patient()
    good(await one.post('/portal/dialog', { clientId: 'dialogue-2', text: 'Перезвоните' }), 201)
    const { items } = good(await answers.get(`/service-online?filter[idCustomer]=${one.id}`))
    const board = good(await answers.post('/tasks-management/boards', { name: 'Регистратура' }), 201)
    const make = (body: object) => answers.post(`/service-online/${items[0].id}/task`, body)
    expect((await make({ name: ' ', idBoard: board.id })).status).toBe(422)
    const { id } = good(await make({ name: 'Перезвонить', idBoard: board.id }), 201)
    const task = good(await answers.get(`/tasks-management/tasks/${id}?expand=customersCount`))
    expect(task).toMatchObject({ name: 'Перезвонить', customersCount: 1 })
  })
})
