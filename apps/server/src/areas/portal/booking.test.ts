import { formatMoney } from '@ordinator/model/format'
import { beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { dayAfter, newPhone } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { clinic, desk, idConsent, openBookingClinic, person, sms, world } from './testing/bookingClinic.ts'

openBookingClinic()

const visitsOf = async (idCustomer: number) =>
  good(await desk.get(`/appointments?filter[idCustomer]=${idCustomer}&sort=id`)).items

describe('free times', () => {
  it('include only what the clinic has opened to patients', async () => {
    const { idService, idUser, idFilial, times } = await world.make({ to: '10:00' })
    expect((await times()).map(({ localStart }) => localStart)).toEqual(['09:00', '09:30'])
    const closing: [string, object, object][] = [
      [`/services/${idService}`, { activeShop: false }, { activeShop: true }],
      [`/users/${idUser}`, { isOnSite: false }, { isOnSite: true }],
      [`/filials/${idFilial}`, { activeForShop: false }, { activeForShop: true }],
    ]
    for (const [path, shut, open] of closing) {
      good(await desk.put(path, shut))
      const answer = await clinic.anonymous.get(`/portal/booking/times?service=${idService}`)
      expect([path, answer.status === 404 || answer.body.items.length === 0]).toEqual([path, true])
      good(await desk.put(path, open))
    }
    expect(await times()).toHaveLength(2)
    const [{ id }] = good(await desk.get(`/service-durations?filter[idService]=${idService}`)).items
    good(await desk.put(`/service-durations/${id}`, { online: false }))
    expect(await times()).toEqual([])
  })

  it('respect the days and hours of the settings, and the zones of a shift', async () => {
    const far = await world.make({ day: dayAfter(40) })
    expect(await far.times()).toEqual([])
    good(await desk.put('/settings/common', { bookingDays: 45 }))
    expect(await far.times(`&from=${far.day}`)).toHaveLength(4)
    good(await desk.put('/settings/common', { bookingDays: 30 }))
    const near = await world.make({ day: dayAfter(5) })
    good(await desk.put('/settings/common', { bookingLeadHours: 168 }))
    expect(await near.times()).toEqual([])
    const shown = await near.choice('09:00')
    expect((await world.device().post('/portal/booking', shown)).body.code).toBe('taken')
    good(await desk.put('/settings/common', { bookingLeadHours: 2 }))
    const zones = (all: object[]) => ({ shift: { zones: all } })
    const online = await world.make(zones([{ from: '09:30', to: '10:30', kind: 'online' }]))
    expect((await online.times()).map(({ localStart }) => localStart)).toEqual(['09:30', '10:00'])
    const urgent = await world.make(zones([{ from: '09:00', to: '10:30', kind: 'urgent' }]))
    expect((await urgent.times()).map(({ localStart }) => localStart)).toEqual(['10:30'])
  })

  it('show no price that the clinic hides', async () => {
    const { times } = await world.make({ service: { hidePrice: true } })
    expect((await times())[0]?.price).toBeNull()
    expect((await (await world.make()).times())[0]?.price).toBe(1000)
  })
})

describe('the price', () => {
  const discount = async (idFilial: number, more: object): Promise<void> => {
    const keeper = clinic.as('discounter')
    const { id } = good(await keeper.post('/discounts', { kind: 'percent', filials: [idFilial], ...more }), 201)
    good(await keeper.put(`/discounts/${id}`, { status: 'active' }))
  }
  beforeAll(async () => {
    await addPerson(clinic.context, 'discounter', ['viewDiscounts', 'editDiscounts'])
    await addPerson(clinic.context, 'writer', ['editShopContent'])
  })

  it('includes the applicable discounts with reasons, in the list, at booking, and on the site', async () => {
    const { choice, idFilial, idService, times } = await world.make({ to: '10:00' })
    await discount(idFilial, { name: 'Первый визит', value: 3, onlyFirstVisit: true })
    await discount(idFilial, { name: 'После половины десятого', value: 10, timeFrom: '09:30' })
    const slots = await times()
    expect(slots).toMatchObject([
      {
        localStart: '09:00',
        ...{ price: 970, fullPrice: 1000, why: [`Первый визит: −${formatMoney(30)}`] },
      },
      // Only the larger one: these do not add up.
      { localStart: '09:30', price: 900, fullPrice: 1000, why: [`После половины десятого: −${formatMoney(100)}`] },
    ])
    const one = world.device()
    for (const { localStart, ...shown } of slots) {
      const held = good(await one.post('/portal/booking', choice(localStart)), 201)
      expect([held.price, held.fullPrice, held.why]).toEqual([shown.price, shown.fullPrice, shown.why])
      good(await one.delete('/portal/booking'), 204)
    }
    good(await clinic.as('writer').put('/client/theme/1', { isActive: true }))
    const { text } = await clinic.anonymous.get(`/site/book/${idService}`)
    expect(text).toContain(`Первый визит: −${formatMoney(30)}`)
  })

  it('is for the patient of the visit: a known or a new one', async () => {
    const { choice, idFilial, times } = await world.make()
    await discount(idFilial, { name: 'Первый визит', value: 10, onlyFirstVisit: true })
    const patient = await world.patient()
    const { idUser } = choice('09:00') as { idUser?: number }
    await clinic.db.query({
      text: `insert into appointments ("idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "visitStatus")
        select $1, $2, coalesce($3, (select min("id") from users)), current_date - 10, '10:00', now() - interval '10 days', now() - interval '10 days' + interval '30 minutes', 'completed'`,
      values: [patient.id, idFilial, idUser ?? null],
    })
    const [anyone] = await times()
    expect(anyone).toMatchObject({ price: 900, fullPrice: 1000 })
    const [own] = good(await patient.get(`/portal/booking/times?service=${choice('09:00').service}`)).items
    expect(own).toMatchObject({ price: 1000, fullPrice: null, why: [] })
    expect(good(await patient.post('/portal/booking', choice('09:00')), 201)).toMatchObject({ price: 1000 })
    expect(good(await patient.get('/portal/booking?patient=0')).booking).toMatchObject({ price: 900, fullPrice: 1000 })
    expect(good(await patient.get(`/portal/booking?patient=${patient.id}`)).booking).toMatchObject({ price: 1000 })
    expect((await patient.get('/portal/booking?patient=999999')).status).toBe(404)
  })
})

describe('a booking', () => {
  it('of a patient with no-shows who needs a prepayment is left to the desk', async () => {
    const own = { kind: 'own', shortName: 'ООО «Онлайн»', inn: '7707083893', kpp: '770701001' }
    const { id: idOwn } = good(await desk.post('/organizations', own), 201)
    const { choice, idFilial, idUser } = await world.make()
    const patient = await world.patient()
    await clinic.db.query({
      text: `insert into appointments ("idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "visitStatus")
        select $1, $2, $3, current_date - 10, '10:00', now() - interval '10 days', now() - interval '10 days' + interval '30 minutes', 'noShow'`,
      values: [patient.id, idFilial, idUser],
    })
    good(await patient.post('/portal/booking', choice('09:00')), 201)
    good(await desk.put('/settings/common', { noShowDemand: 1 }))
    const refused = await patient.post('/portal/booking/book')
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'prepay',
      'Записаться можно после предоплаты: позвоните в клинику',
    ])
    expect((await visitsOf(patient.id)).filter(({ channel }: { channel: string }) => channel === 'site')).toEqual([])
    good(await desk.put('/settings/common', { noShowDemand: 0 }))
    good(await patient.post('/portal/booking/book'), 201)
    good(await desk.delete(`/organizations/${idOwn}`), 204)
  })

  it('of a new patient: hold, code, consent, one visit, notice to the desk', async () => {
    const { choice, idFilial, times } = await world.make()
    const clerk = await addPerson(clinic.context, `clerk${idFilial}`, ['viewCalendar'])
    good(await desk.post('/filials/desks', { idFilial, idUser: clerk.id }), 201)
    const one = world.device()
    const held = good(await one.post('/portal/booking', choice('09:30')), 201)
    expect(held).toMatchObject({
      localStart: '09:30',
      price: 1000,
      mayBeNew: true,
      idConsent,
      phone: null,
      idVisit: null,
    })
    expect((await times()).map(({ localStart }) => localStart)).not.toContain('09:30')
    expect((await one.post('/portal/booking/book', { person, consent: idConsent })).status).toBe(401)
    const phone = newPhone()
    expect(good(await world.confirm(one, phone))).toEqual({ me: null })
    const unread = await one.post('/portal/booking/book', { person })
    expect([unread.status, unread.body[0].field]).toEqual([422, 'consent'])
    const both = await Promise.all([1, 2].map(() => one.post('/portal/booking/book', { person, consent: idConsent })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const [{ idVisit }] = both.map(({ body }) => body)
    expect(new Set(both.map(({ body }) => body.idVisit)).size).toBe(1)
    const visit = good(await desk.get(`/appointments/${idVisit}`))
    expect(visit).toMatchObject({ visitStatus: 'booked', channel: 'site', localStart: '09:30', idAuthor: null })
    expect(good(await desk.get(`/customers/${visit.idCustomer}`))).toMatchObject({
      surname: 'Новикова',
      birthday: '06.05.1990',
      phone,
    })
    // The patient is signed in after booking.
    expect(good(await one.get('/portal/visits')).ahead).toMatchObject([{ id: idVisit, mayMove: true }])
    const notices = good(await clinic.as(`clerk${idFilial}`).get('/notifications?filter[kind]=visitReply.told')).items
    expect(notices).toMatchObject([{ title: 'Пациент записался онлайн', idEntity: idVisit }])
    expect(JSON.stringify(notices)).not.toContain('Новикова')
    expect(good(await desk.get(`/client/acceptances?filter[phone]=${encodeURIComponent(phone)}`)).items).toMatchObject([
      { idPolicy: idConsent, name: 'Новикова Ольга' },
    ])
    expect((await one.post('/portal/booking/book', { person, consent: idConsent })).body.idVisit).toBe(idVisit)
  })

  it('of a new patient uses the current consent text, and requires a valid birthday', async () => {
    const { choice } = await world.make()
    const one = world.device()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    good(await world.confirm(one, newPhone()))
    const refused = async (body: object) =>
      (await one.post('/portal/booking/book', { person, consent: idConsent, ...body })).body
    expect(await refused({ consent: idConsent + 1_000 })).toEqual([
      { field: 'consent', message: 'Текст согласия изменился: прочитайте его и отметьте ещё раз' },
    ])
    for (const birthday of [dayAfter(2), `${Number(dayAfter(0).slice(0, 4)) - 122}-01-01`])
      expect(await refused({ person: { ...person, birthday } })).toEqual([
        { field: 'person.birthday', message: 'Проверьте дату рождения' },
      ])
    const { idVisit } = good(await one.post('/portal/booking/book', { person, consent: idConsent }), 201)
    const { idCustomer } = good(await desk.get(`/appointments/${idVisit}`))
    await clinic.context.journal.settle()
    const { items } = good(await desk.get(`/access-log?idCustomer=${idCustomer}&limit=20`))
    expect(items.map(({ action, basis }: { action: string; basis: string }) => [action, basis])).toContainEqual([
      'create',
      'Новый пациент записался онлайн',
    ])
  })

  it('is forgotten when dropped, and stays known when booked', async () => {
    const { choice } = await world.make()
    const one = world.device()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    good(await one.delete('/portal/booking'), 204)
    // The cookie may stay on the device: it opens nothing.
    expect(good(await one.get('/portal/booking'))).toEqual({ booking: null })
    expect((await one.post('/portal/booking/book')).body.code).toBe('none')
    const patient = await world.patient()
    good(await patient.post('/portal/booking', choice('09:00')), 201)
    const { idVisit } = good(await patient.post('/portal/booking/book'), 201)
    good(await patient.delete('/portal/booking'), 204)
    expect(good(await patient.get('/portal/booking')).booking).toMatchObject({ idVisit })
  })

  it('is refused in a link session without the birthday', async () => {
    const { choice } = await world.make()
    const id = await world.post('/customers', { surname: 'Ларин', name: 'Лев', birthday: '01.02.1980' })
    const link = async (start: string, birthday?: string) => {
      const token = good(await desk.post(`/customers/${id}/portal-link`), 201).url.split('#link=')[1]
      const one = world.device()
      good(await one.post('/portal/link', { token, ...(birthday && { birthday }) }))
      good(await one.post('/portal/booking', choice(start)), 201)
      return one.post('/portal/booking/book')
    }
    expect(await link('09:30')).toMatchObject({
      status: 403,
      body: { code: 'birthday', message: 'По ссылке без даты рождения записаться нельзя: войдите кодом' },
    })
    expect((await link('10:00', '1980-02-01')).status).toBe(201)
  })

  it("uses the patient's own card, that of the represented one, and never a stranger's", async () => {
    const { choice } = await world.make()
    const [one, other] = [await world.patient(), await world.patient()]
    const child = await world.post('/customers', { surname: 'Орлова', name: 'Юля', birthday: '01.02.2020' })
    good(
      await desk.post('/customers/relations', {
        idCustomer: child,
        idRelative: one.id,
        relation: 'mother',
        signs: 'yes',
      }),
      201,
    )
    good(await one.post('/portal/booking', choice('09:00')), 201)
    expect((await one.post('/portal/booking/book', { patient: other.id })).status).toBe(404)
    good(await one.post('/portal/booking/book', { patient: child }), 201)
    expect(await visitsOf(child)).toHaveLength(1)
    good(await one.post('/portal/booking', choice('09:30')), 201)
    good(await one.post('/portal/booking/book'), 201)
    expect(await visitsOf(one.id)).toMatchObject([{ localStart: '09:30' }])
    expect(await visitsOf(other.id)).toEqual([])
  })

  it('by a known name and phone creates no second card, and a shared phone asks for the birthday', async () => {
    const { choice } = await world.make()
    const phone = newPhone()
    const first = await world.post('/customers', { surname: 'Седов', name: 'Илья', birthday: '03.03.1985', phone })
    await world.post('/customers', { surname: 'Седова', name: 'Вера', birthday: '04.04.1986', phone })
    const one = world.device()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    const asked = await world.confirm(one, phone)
    expect([asked.status, asked.body[0].field]).toEqual([422, 'birthday'])
    const code = world.codeTo(phone) as string
    expect(good(await one.post('/portal/booking/phone', { phone, code, isNew: true })).me).toBeNull()
    const known = { surname: 'седов', name: 'ИЛЬЯ', birthday: '1985-03-03' }
    const { idVisit } = good(await one.post('/portal/booking/book', { person: known, consent: idConsent }), 201)
    expect(good(await desk.get(`/appointments/${idVisit}`)).idCustomer).toBe(first)
    // The same name and birthday with another phone is another's card: it stays hidden.
    const two = world.device()
    good(await two.post('/portal/booking', choice('09:30')), 201)
    good(await world.confirm(two, newPhone()))
    const made = good(await two.post('/portal/booking/book', { person: known, consent: idConsent }), 201)
    expect(good(await desk.get(`/appointments/${made.idVisit}`)).idCustomer).not.toBe(first)
  })

  it('of two patients for one time succeeds for one, the other gets the nearest times', async () => {
    const { choice } = await world.make({ doctors: 1 })
    const devices = [world.device(), world.device()]
    const answers = await Promise.all(devices.map((one) => one.post('/portal/booking', choice('09:30'))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const late = answers.find(({ status }) => status === 409)?.body
    expect(late.code).toBe('taken')
    expect(late.alternatives.map(({ localStart }: { localStart: string }) => localStart)).toContain('09:00')
    expect(JSON.stringify(late.alternatives)).not.toContain('idRoom')
  })

  it('of an expired hold taken by another is refused with the nearest times', async () => {
    const { choice, idFilial, idUser, idService, day } = await world.make()
    const [one, other] = [await world.patient(), await world.patient()]
    good(await one.post('/portal/booking', choice('09:00')), 201)
    await clinic.db.query({
      text: `update appointments_holds set "expiresAt" = now() - interval '1 second' where "idUser" = $1`,
      values: [idUser],
    })
    await clinic.db.query({
      text: `update visit_occupancy set "expiresAt" = now() - interval '1 second' where "resource" = $1`,
      values: [idUser],
    })
    const body = {
      idCustomer: other.id,
      idFilial,
      localDate: day,
      coupons: [{ idUser, localStart: '09:00', services: [{ idService }] }],
    }
    good(await desk.post('/appointments/book', body), 201)
    const late = await one.post('/portal/booking/book')
    expect([late.status, late.body.code]).toEqual([409, 'taken'])
    expect(late.body.alternatives[0].localStart).toBe('09:30')
    expect(await visitsOf(one.id)).toEqual([])
  })

  it('of a closed service, a past day or another doctor is refused', async () => {
    const { choice, idService } = await world.make()
    const other = await world.make()
    const one = await world.patient()
    for (const wrong of [
      { day: dayAfter(-1) },
      { doctor: other.idUser },
      { start: '14:00' },
      { service: other.idService },
      { filial: 999_999 },
    ])
      expect((await one.post('/portal/booking', choice('09:00', wrong))).status).toBe(409)
    for (const wrong of [{ day: '2026-02-30' }, { start: '25:00' }, { service: 'x' }, { doctor: -1 }])
      expect((await one.post('/portal/booking', choice('09:00', wrong))).status).toBe(422)
    good(await one.post('/portal/booking', choice('09:00')), 201)
    good(await desk.put(`/services/${idService}`, { activeShop: false }))
    expect((await one.post('/portal/booking/book')).status).toBe(409)
    expect(await visitsOf(one.id)).toEqual([])
  })

  it('is refused while the clinic has disabled it', async () => {
    const { choice, idService } = await world.make()
    const one = await world.patient()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    good(await desk.put('/settings/common', { portalActions: ['confirm'] }))
    expect((await one.post('/portal/booking/book')).body.code).toBe('off')
    expect((await clinic.anonymous.get(`/portal/booking/times?service=${idService}`)).body.code).toBe('off')
    good(await desk.put('/settings/common', { portalActions: ['confirm', 'cancel', 'chat', 'book', 'move', 'pay'] }))
  })

  it('can be disabled for new patients only', async () => {
    const { choice } = await world.make()
    good(await desk.put('/settings/common', { bookingNew: false }))
    const one = world.device()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    const phone = newPhone()
    expect((await world.confirm(one, phone)).status).toBe(422)
    expect(sms.messages.filter(({ to }) => to === phone)).toEqual([])
    good(await desk.put('/settings/common', { bookingNew: true }))
  })
})
