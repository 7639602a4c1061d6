import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { newPhone } from '#testing/online.ts'
import { outboxDue } from '#testing/outboxDue.ts'
import {
  clinic,
  desk,
  heldOf,
  number,
  openOutsideClinic,
  seller,
  sellers,
  someone,
  world,
} from './testing/outsideClinic.ts'

openOutsideClinic()

describe('what sellers are sent', () => {
  const jobs = () => clinic.context.jobs
  /** A channel with the key of its seller; its messages alone are sent. */
  async function channelOf(idFilial: number, kind: string, more: object = {}) {
    const one = await seller(idFilial, { kind, sellerKey: 'key-of-seller', leadHours: 0, ...more })
    const send = async () => {
      await outboxDue(clinic.db)
      await clinic.context.outbox.run(`sellers:${one.id}`)
    }
    return {
      ...one,
      send,
      push: async () => {
        await jobs().run('outside.push')
        await send()
      },
      pull: async () => {
        await jobs().run('outside.pull')
        await send()
      },
      state: async () => good(await desk.get(`/booking-channels/${one.id}`)),
      off: () => desk.put(`/booking-channels/${one.id}`, { active: false }),
    }
  }
  const at = (day: string, clock: string) => new Date(`${day}T${clock}:00+03:00`).toISOString()
  const bookAtDesk = async (
    place: { idFilial: number; idUser: number; idService: number; day: string },
    localStart: string,
  ) => {
    const { idFilial, idUser, idService, day } = place
    const idCustomer = await world.post('/customers', { surname: 'Стойкин', name: 'Илья' })
    const coupons = [{ idUser, localStart, services: [{ idService, qty: 1 }] }]
    return good(await desk.post('/appointments/book', { idCustomer, idFilial, localDate: day, coupons }), 201)
      .id as number
  }
  const sentSince = (count: number) => sellers.sent.slice(count).map(({ path }) => path)

  it('is the schedule and the services of МедФлекс, then each change alone, and nothing again', async () => {
    const place = await world.make({ doctors: 2 })
    const { idFilial, idUser, day } = place
    const flex = await channelOf(idFilial, 'medflex')
    expect(await flex.state()).toMatchObject({ hasSellerKey: true, pushState: 'waits' })
    const { doctors, services, lacks } = good(await desk.get(`/booking-channels/${flex.id}/offer`))
    expect([doctors.length, services.length, doctors[0].free]).toEqual([2, 1, 4])
    expect(lacks).toEqual([
      expect.stringMatching(/^Без специальности 2\sврача/),
      expect.stringMatching(/^Без кода 804н 1\s/),
    ])
    await flex.push()
    expect(sellers.sent.map(({ authorization }) => authorization)).toEqual(
      expect.arrayContaining(['Token key-of-seller']),
    )
    const free = () =>
      (sellers.cells.get(`${idFilial} ${idUser}`) ?? []).flatMap((cell) => (cell.free ? cell.time_start : []))
    expect(free()).toEqual(['09:00', '09:30', '10:00', '10:30'])
    expect(await flex.state()).toMatchObject({ pushState: 'works', pushError: null })
    let count = sellers.sent.length
    await flex.push()
    expect(sentSince(count)).toEqual([])
    // A visit is sent as one day of one doctor; its move and its cancellation too.
    const id = await bookAtDesk(place, '09:30')
    await flex.push()
    expect([sentSince(count), free()]).toEqual([['/v2/occupied_doctor_schedule_slot/'], ['09:00', '10:00', '10:30']])
    good(
      await desk.post(`/appointments/${id}/move`, { idUser, localDate: day, localStart: '10:30', reason: 'Попросил' }),
    )
    await flex.push()
    expect(free()).toEqual(['09:00', '09:30', '10:00'])
    // An absence takes the times away: the grid is another one.
    count = sellers.sent.length
    good(
      await desk.post('/staff-events', {
        type: 'sick',
        idUser,
        idFilial,
        localDate: day,
        localFrom: '09:00',
        localTo: '10:00',
      }),
      201,
    )
    await flex.push()
    expect(sentSince(count)).toContain('/v2/doctors/send_schedule/')
    expect(free()).toEqual(['10:00'])
    await flex.off()
  })

  it('loses nothing in an outage, and repeats nothing', async () => {
    const place = await world.make()
    const { idFilial, idUser } = place
    const flex = await channelOf(idFilial, 'medflex')
    await flex.push()
    const free = () =>
      (sellers.cells.get(`${idFilial} ${idUser}`) ?? []).flatMap((cell) => (cell.free ? cell.time_start : []))
    for (const fault of ['refused', 'lost', 'fails', 'busy', 'stranger'] as const) {
      sellers.fault = fault
      await bookAtDesk(place, free()[0] as string)
      await flex.push()
      expect(await flex.state()).toMatchObject({ pushState: 'fails', pushError: expect.any(String) })
      // The next changes of the outage are sent with the first of them.
      if (fault === 'refused') await bookAtDesk(place, free()[1] as string)
      sellers.fault = undefined
      const count = sellers.sent.length
      await flex.send()
      await flex.push()
      expect(sentSince(count).length).toBeLessThanOrEqual(1)
      expect(await flex.state()).toMatchObject({ pushState: 'works', pushError: null })
      if (free().length < 2) break
    }
    expect(free()).toEqual(['10:30'])
    await flex.off()
  })

  it('a refusal of the seller is shown in its words, and tried later', async () => {
    const { idFilial } = await world.make()
    const flex = await channelOf(idFilial, 'medflex')
    sellers.mood = 'refuses'
    await flex.push()
    expect(await flex.state()).toMatchObject({
      pushState: 'fails',
      pushError: expect.stringMatching(/неизвестный филиал/),
    })
    sellers.mood = 'takes'
    await flex.push()
    expect(await flex.state()).toMatchObject({ pushState: 'fails' })
    await clinic.db.query(sql`update booking_pushes set "dateFailed" = now() - interval '11 minutes'`)
    await flex.push()
    expect(await flex.state()).toMatchObject({ pushState: 'works', pushError: null })
    await flex.off()
  })

  it('lets one of eight patients of НаПоправку have the time, and answers the others why', async () => {
    const place = await world.make()
    const { idFilial, idUser, day } = place
    const rta = await channelOf(idFilial, 'napopravku')
    await rta.push()
    expect(sellers.slots.get(`${idFilial} ${idUser}`)).toEqual(
      ['09:00', '09:30', '10:00', '10:30'].map((clock) => `${day} ${clock}`),
    )
    const wish = { clinic: `${idFilial}`, doctor: `${idUser}`, start: at(day, '10:00') }
    const rivals = Array.from({ length: 8 }, (_, one) =>
      sellers.book({ ...wish, phone: newPhone(), uuid: `${idFilial}-${one}` }),
    )
    const wrong = sellers.book({ ...wish, doctor: '999999', phone: newPhone(), uuid: `${idFilial}-wrong` })
    const empty = sellers.book({ ...wish, surname: '', phone: newPhone(), uuid: `${idFilial}-empty` })
    // Their answer is late, the connection breaks after it: asked again, nothing is decided again.
    sellers.fault = 'lost'
    await jobs().run('outside.pull')
    await rta.send()
    sellers.fault = undefined
    await rta.pull()
    await rta.send()
    const successes = rivals.map(({ answers }) => answers.map(({ success }) => success))
    expect(successes.filter(([first]) => first)).toEqual([expect.toSatisfy((all: boolean[]) => all.every(Boolean))])
    for (const { answers } of rivals.filter((one) => !one.answers[0]?.success))
      expect(answers[0]?.message).toMatch(/время уже заняли/)
    expect([wrong.answers[0]?.message, empty.answers[0]?.message]).toEqual([
      expect.stringMatching(/врача на площадке нет/),
      'Не хватает фамилии',
    ])
    expect(good(await desk.get(`/appointments?filter[idFilial]=${idFilial}`)).items).toMatchObject([
      { localStart: '10:00', channel: 'aggregator' },
    ])
    // A patient takes it back there.
    const winner = rivals.find(({ answers }) => answers[0]?.success) as (typeof rivals)[number]
    Object.assign(winner, { isCancelled: true, isReceived: false })
    await rta.pull()
    expect(await heldOf(winner.uuid)).toMatchObject({ state: 'cancelled' })
    await rta.push()
    expect(sellers.slots.get(`${idFilial} ${idUser}`)).toContain(`${day} 10:00`)
    await rta.off()
  })

  it('has one visit at one time, whichever of three sellers and the desk comes first', async () => {
    const place = await world.make()
    const { idFilial, idService, idUser, day } = place
    const [flex, rta, open] = [
      await channelOf(idFilial, 'medflex'),
      await channelOf(idFilial, 'napopravku'),
      await seller(idFilial),
    ]
    await flex.push()
    await rta.send()
    const wish = { clinic: `${idFilial}`, doctor: `${idUser}`, start: at(day, '09:30') }
    const theirs = [1, 2, 3].map((one) => sellers.book({ ...wish, phone: newPhone(), uuid: `${idFilial}-${one}` }))
    const codes = await Promise.all([
      rta.pull().then(() => 0),
      ...[1, 2, 3].map(() =>
        flex
          .post('medflex/book', {
            ...{ claim_id: number(), doctor: { id: idUser }, appointment: { dt_start: `${day} 09:30` } },
            client: { first_name: 'Анна', last_name: 'Котова', mobile_phone: newPhone() },
          })
          .then(({ body }) => body.status_code as number),
      ),
      open
        .post('v1/appointments', {
          ...{ id: number(), service: idService, doctor: idUser, date: day, start: '09:30', patient: someone() },
        })
        .then(({ status }) => status),
      bookAtDesk(place, '09:30').then(
        () => 201,
        () => 409,
      ),
    ])
    const { items } = good(await desk.get(`/appointments?filter[idFilial]=${idFilial}`))
    expect(items).toHaveLength(1)
    const won = codes.filter((code) => code === 201 || code === 204).length
    expect(won + theirs.filter(({ answers }) => answers[0]?.success).length).toBe(1)
    expect(codes.slice(1).every((code) => [201, 204, 409, 423].includes(code))).toBe(true)
    // The journal has every refusal with its reason.
    const bookings2 = good(await desk.get(`/outside-bookings?filter[idChannel]=${flex.id}`)).items
    for (const { state, reason } of bookings2) if (state === 'refused') expect(reason).toMatch(/время/)
    await Promise.all([flex.off(), rta.off()])
  })

  it('is a feed of Яндекс by a contract alone, and each booking after its click is confirmed once', async () => {
    const { idFilial, idService, idUser, day } = await world.make()
    good(await desk.put('/settings/common', { portalActive: true, friendReward: 500 }))
    await world.consent()
    const yandex = await channelOf(idFilial, 'yandex')
    const feed = () => clinic.anonymous.get(`/booking/yandex/${yandex.id}/feed.xml`)
    expect((await feed()).status).toBe(404)
    good(await desk.put(`/booking-channels/${yandex.id}`, { isAgreed: true }))
    expect((await feed()).text).toContain(`<clinic id="${idFilial}">`)
    expect(await yandex.state()).toMatchObject({ pushState: 'works' })
    const one = world.device()
    const choice = { service: idService, doctor: idUser, filial: idFilial, day, start: '09:00', click: 'ya-click-1' }
    good(await one.post('/portal/booking', choice), 201)
    const phone = newPhone()
    await world.confirm(one, phone)
    const { booking } = good(await one.get('/portal/booking'))
    const person = { surname: 'Новикова', name: 'Ольга', birthday: '1990-05-06' }
    const { idVisit } = good(await one.post('/portal/booking/book', { person, consent: booking.idConsent }), 201)
    await yandex.send()
    await yandex.send()
    expect(sellers.orders).toEqual([{ token: 'key-of-seller', ya_token: 'ya-click-1' }])
    expect(good(await desk.get(`/appointments/${idVisit}`)).channel).toBe('aggregator')
    expect(await heldOf(`${idVisit}`)).toMatchObject({ idAppointment: idVisit })
    // The visit as a file for the phone: without the name and the service.
    const file = (await one.get('/portal/booking/calendar')).text
    expect(file).toMatch(/BEGIN:VEVENT[\s\S]*DTSTART;TZID=Europe\/Moscow:\d{8}T090000/)
    expect(file).not.toMatch(/Новикова|Осмотр/)
    // The patient's room has the visit, its file, and the code for friends, by which a new card comes.
    expect((await one.get(`/portal/visits/${idVisit}/calendar`)).text).toBe(file)
    const { code, url, reward } = good(await one.get('/portal/friends'))
    expect([url.endsWith(`/portal?friend=${code}`), reward]).toEqual([true, 500])
    expect((await one.get('/portal/friends/qr')).text).toMatch(/^<svg/)
    const two = world.device()
    good(await two.post('/portal/booking', { ...choice, start: '10:00', click: undefined, friend: code }), 201)
    await world.confirm(two, newPhone())
    good(
      await two.post('/portal/booking/book', {
        ...{ person: { ...person, name: 'Вера' }, consent: booking.idConsent },
      }),
      201,
    )
    expect(good(await one.get('/portal/friends')).friends).toMatchObject([{ state: 'Ждёт первого оплаченного визита' }])
    await yandex.send()
    expect(sellers.orders).toHaveLength(1)
  })

  it('keeps the key of a seller secret, and forgets it with the kind', async () => {
    const { idFilial } = await world.make()
    const { id, state } = await channelOf(idFilial, 'medflex')
    expect(JSON.stringify(await state())).not.toContain('key-of-seller')
    expect(JSON.stringify(good(await desk.get(`/booking-channels/${id}/history`)))).not.toContain('key-of-seller')
    good(await desk.put(`/booking-channels/${id}`, { kind: 'napopravku' }))
    expect(await state()).toMatchObject({ hasSellerKey: false, pushState: 'off' })
  })
})
