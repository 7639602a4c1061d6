/** Processing of requests from outside: accept, link, reject, and undo. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { deals, good } from './testing/deals.ts'
import { type Intake, intakeClinic, type Request } from './testing/intakeClinic.ts'

const S = '/sales-management'
const { clinic, desk, makeIntake, form, funnel, nobody, oneOf, reader, seller } = await intakeClinic()
afterAll(() => clinic.close())

describe('a request', () => {
  let intake: Intake
  beforeAll(async () => {
    intake = await makeIntake('form', { idFunnel: funnel.id })
  })
  const come = async (fields: Record<string, string>): Promise<Request> => {
    good(await form(intake, fields))
    return oneOf(intake)
  }
  const act = (id: number, what: string, body: object = {}, caller = seller) =>
    caller.post(`${S}/requests/${id}/${what}`, body)

  it('notifies the people who process it', async () => {
    const waiting = async () => good(await seller.get('/common/badges')).dealRequests ?? 0
    const before = await waiting()
    const { id } = await come({ name: 'Вера', phone: '9005550001' })
    expect(await waiting()).toBe(before + 1)
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

  it('when accepted becomes a deal with a contact in the funnel of its intake', async () => {
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

  it('accepted by two concurrently creates one deal', async () => {
    const { id } = await come({ name: 'Оба', phone: '9005550003' })
    const answers = await Promise.all([act(id, 'accept'), act(id, 'accept', {}, desk)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await deals(seller).list('leads?filter[contacts.phone]=%2B79005550003')).toHaveLength(1)
  })

  it('uses the given stage, title and person', async () => {
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

  it('is linked to the customer if exactly one visible customer has its phone', async () => {
    const customer = (surname: string, body: object) => desk.post('/customers', { surname, ...body })
    const { id: idCustomer } = good(await customer('Один', { phoneMother: '8 900 555 00 06' }), 201)
    const first = await come({ phone: '+7 (900) 555-00-06' })
    const contactsOf = async (idLead: number) => deals(desk).list(`contacts?filter[idLead]=${idLead}`)
    const matches = good(await desk.get(`${S}/requests/${first.id}/matches`))
    expect(matches.customers.map((one: { id: number }) => one.id)).toEqual([idCustomer])
    const { idLead } = good(await act(first.id, 'accept', {}, desk))
    expect(await contactsOf(idLead)).toMatchObject([{ idCustomer }])
    // Now the deal is found as well; without access to customers only the deal is found.
    const second = await come({ phone: '89005550006' })
    const offered = good(await seller.get(`${S}/requests/${second.id}/matches`))
    expect([offered.leads.map((one: { id: number }) => one.id), offered.customers]).toEqual([[idLead], []])
    good(await customer('Два', { phone: '9005550006' }), 201)
    expect(await contactsOf(good(await act(second.id, 'accept', {}, desk)).idLead)).toMatchObject([
      { idCustomer: null },
    ])
  })

  it('linked to a deal adds its contact once, and its message', async () => {
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

  it('when rejected has a reason, and can be reopened', async () => {
    const { id } = await come({ phone: '9005550009' })
    expect((await act(id, 'reject', { reason: ' ' })).status).toBe(422)
    expect(good(await act(id, 'reject', { reason: 'Спам' }))).toMatchObject({ state: 'rejected', reason: 'Спам' })
    const back = good(await act(id, 'reopen'))
    expect(back).toMatchObject({ state: 'new', reason: null, idUser: null, dateSorted: null })
    expect((await act(id, 'reopen')).body.code).toBe('notSorted')
  })

  it('is reopened from a deal: an untouched one is deleted, one in work stays', async () => {
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

  it('is reopened from a linked deal, which loses its additions and nothing else', async () => {
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

  it('is processed with the right to edit deals, and read by users who see deals', async () => {
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
