import type { PortalWorkWanted } from '@ordinator/model/areas/portal/bookingCalls'
import { type PortalWork, solveWork, workResult, zeroBits } from '@ordinator/model/areas/portal/work'
import { describe, expect, it, vi } from 'vitest'
import { good } from '#testing/good.ts'
import { from, newPhone } from '#testing/online.ts'
import { clinic, desk, idConsent, openBookingClinic, person, sms, world } from './testing/bookingClinic.ts'
import { workDone, workWanted } from './work.ts'

openBookingClinic()

/** A nonce that does not solve the challenge. */
async function idleNonce({ challenge, bits, iterations }: PortalWork): Promise<number> {
  for (let nonce = 0; ; nonce++) if (zeroBits(await workResult({ challenge, nonce }, iterations)) < bits) return nonce
}

describe('limits', () => {
  it('a patient has a limited number of open bookings, and not two at one time', async () => {
    const { choice } = await world.make({ doctors: 2, to: '12:00' })
    const one = await world.patient()
    for (const start of ['09:00', '09:30', '10:00']) {
      good(await one.post('/portal/booking', choice(start)), 201)
      good(await one.post('/portal/booking/book'), 201)
    }
    good(await one.post('/portal/booking', choice('10:30')), 201)
    expect((await one.post('/portal/booking/book')).body.code).toBe('many')
    const two = await world.patient()
    const both = await world.make({ doctors: 2 })
    for (const [at, doctor] of both.idDoctors.entries()) {
      good(await two.post('/portal/booking', both.choice('09:00', { doctor })), 201)
      expect((await two.post('/portal/booking/book')).status).toBe(at === 0 ? 201 : 409)
    }
  })

  it('a phone has limited cards and visits per day', async () => {
    const { choice } = await world.make({ doctors: 2, to: '16:00' })
    const phone = newPhone()
    const book = async (start: string, name: string) => {
      const one = world.device()
      good(await one.post('/portal/booking', choice(start)), 201)
      good(await world.confirm(one, phone, { isNew: true }))
      return one.post('/portal/booking/book', { person: { ...person, name }, consent: idConsent })
    }
    const names = ['Анна', 'Вера', 'Дина', 'Зоя', 'Инна']
    for (const [at, name] of names.entries()) {
      // A phone has a limit of codes per day.
      await clinic.db.query({ text: `delete from portal_codes where "phone" = $1`, values: [phone] })
      good(await book(`${String(9 + at).padStart(2, '0')}:00`, name), 201)
    }
    await clinic.db.query({ text: `delete from portal_codes where "phone" = $1`, values: [phone] })
    expect((await book('14:00', 'Лия')).body.message).toBe(
      'С этого номера за сутки записано слишком много визитов: позвоните в клинику',
    )
    await clinic.db.query({
      text: `update portal_bookings set "dateCreate" = now() - interval '2 days' where "phone" = $1`,
      values: [phone],
    })
    await world.post('/customers', { surname: 'Новикова', name: 'Мила', birthday: '06.05.1990', phone })
    await clinic.db.query({ text: `delete from portal_codes where "phone" = $1`, values: [phone] })
    expect((await book('14:30', 'Юлия')).body).toMatchObject({
      code: 'many',
      message: 'На этом номере слишком много пациентов: позвоните в клинику',
    })
  })

  it('an address without a confirmed phone holds two times at once, a device one', async () => {
    const { choice, times } = await world.make({ to: '16:00' })
    const where = from()
    const starts = (await times()).map(({ localStart }) => localStart)
    const answers = []
    for (const start of starts.slice(0, 4))
      answers.push((await world.device(where).post('/portal/booking', choice(start))).status)
    expect(answers).toEqual([201, 201, 429, 429])
    const one = world.device()
    good(await one.post('/portal/booking', choice('15:00')), 201)
    good(await one.post('/portal/booking', choice('15:30')), 201)
    // Free times are cached for some seconds.
    const free = async () => {
      const found = (await times()).map(({ localStart }) => localStart)
      return [found.includes('15:00'), found.includes('15:30')]
    }
    await expect.poll(free).toEqual([true, false])
    good(await one.delete('/portal/booking'), 204)
    await expect.poll(free).toEqual([true, true])
  })

  it('once strangers hold half of the times, each further hold requires proof of work, once', async () => {
    const { choice, times } = await world.make({ to: '12:00' })
    const starts = (await times()).map(({ localStart }) => localStart)
    expect(starts).toHaveLength(6)
    const [first, second, third, fourth, fifth] = starts as [string, string, string, string, string]
    for (const start of [first, second, third]) good(await world.device().post('/portal/booking', choice(start)), 201)
    const where = from()
    const one = world.device(where)
    const asked = await one.post('/portal/booking', choice(fourth))
    expect([asked.status, asked.body.code, asked.body.work.bits]).toEqual([409, 'work', 8])
    const work = await solveWork(asked.body.work)
    const tried = async (body: object, who = one) => (await who.post('/portal/booking', body)).body.code
    // Not for another place, from another address, with less work, or with a foreign signature.
    expect(await tried({ ...choice(fifth), work })).toBe('work')
    expect(await tried({ ...choice(fourth), work }, world.device())).toBe('work')
    const { challenge } = work
    const wrong = await idleNonce(asked.body.work)
    expect(await tried({ ...choice(fourth), work: { challenge, nonce: wrong } })).toBe('work')
    const cheap = challenge.replace(/^(\d+)\.8\./, '$1.0.')
    expect(await tried({ ...choice(fourth), work: { challenge: cheap, nonce: 0 } })).toBe('work')
    expect(await tried({ ...choice(fourth), work: { challenge: 'x', nonce: 0 } })).toBe('work')
    good(await one.post('/portal/booking', { ...choice(fourth), work }), 201)
    // The same work cannot be reused, even though the first hold was dropped.
    good(await one.delete('/portal/booking'), 204)
    expect(await tried({ ...choice(fourth), work }, world.device(where))).toBe('work')
    // A known patient needs no work.
    const patient = await world.patient()
    good(await patient.post('/portal/booking', choice(fourth)), 201)
  })

  it('late proof of work is requested again', async () => {
    const place = { idServices: [1], idUser: 2, idFilial: 3, localDate: '2030-01-02', localStart: '09:00' }
    const { work } = workWanted('secret', place, '10.0.0.1', 1).body as PortalWorkWanted
    const done = await solveWork(work)
    expect(await workDone('secret', place, '10.0.0.1', done)).toMatch(/^[\w-]{16}$/)
    vi.useFakeTimers({ now: Date.now() + 5 * 60_000 + 1, toFake: ['Date'] })
    expect(await workDone('secret', place, '10.0.0.1', done)).toBeUndefined()
    vi.useRealTimers()
  })

  it('the desk takes a time held by a stranger, who is notified, and none held with a confirmed phone', async () => {
    const { choice, idFilial, idUser, idService, day } = await world.make()
    const { id: idCustomer } = await world.patient()
    const book = (localStart: string) =>
      desk.post('/appointments/book', {
        ...{ idCustomer, idFilial, localDate: day },
        coupons: [{ idUser, localStart, services: [{ idService }] }],
      })
    const stranger = world.device()
    good(await stranger.post('/portal/booking', choice('09:00')), 201)
    expect(good(await stranger.post('/portal/booking/prolong'))).toMatchObject({ isOverruled: false })
    good(await book('09:00'), 201)
    expect(good(await stranger.post('/portal/booking/prolong'))).toEqual({ heldUntil: null, isOverruled: true })
    expect(good(await stranger.get('/portal/booking')).booking).toMatchObject({ isOverruled: true, idVisit: null })
    const known = world.device()
    good(await known.post('/portal/booking', choice('09:30')), 201)
    good(await world.confirm(known, newPhone()))
    expect((await book('09:30')).status).toBe(409)
    expect(good(await known.post('/portal/booking/prolong'))).toMatchObject({ isOverruled: false })
  })

  it('the desk takes a group seat held by a stranger if no other is free, and none of a known patient', async () => {
    const { choice, idFilial, idUser, idService, day } = await world.make({ service: { groupSize: 3 } })
    const book = async () =>
      desk.post('/appointments/book', {
        ...{ idCustomer: (await world.patient()).id, idFilial, localDate: day },
        coupons: [{ idUser, localStart: '09:00', services: [{ idService }] }],
      })
    const places = async () =>
      good(
        await desk.get(`/appointments/slots?idService=${idService}&idFilial=${idFilial}&from=${day}&to=${day}`),
      ).items.find(({ localStart }: { localStart: string }) => localStart === '09:00')?.places
    good(await book(), 201)
    const known = world.device()
    good(await known.post('/portal/booking', choice('09:00')), 201)
    good(await world.confirm(known, newPhone()))
    const stranger = world.device()
    good(await stranger.post('/portal/booking', choice('09:00')), 201)
    expect(await places()).toEqual({ taken: 2, capacity: 3 })
    good(await book(), 201)
    expect(good(await stranger.post('/portal/booking/prolong'))).toEqual({ heldUntil: null, isOverruled: true })
    expect(good(await known.post('/portal/booking/prolong'))).toMatchObject({ isOverruled: false })
    const full = await book()
    expect([full.status, full.body.message]).toEqual([409, 'Мест в группе больше нет'])
    expect(good(await known.get('/portal/booking')).booking).toMatchObject({ isOverruled: false })
  })

  it('a stranger takes no group seat from another stranger', async () => {
    const { choice, idFilial, idUser, idService, day } = await world.make({ service: { groupSize: 2 } })
    good(
      await desk.post('/appointments/book', {
        ...{ idCustomer: (await world.patient()).id, idFilial, localDate: day },
        coupons: [{ idUser, localStart: '09:00', services: [{ idService }] }],
      }),
      201,
    )
    const first = world.device()
    good(await first.post('/portal/booking', choice('09:00')), 201)
    expect((await world.device().post('/portal/booking', choice('09:00'))).body.code).toBe('taken')
    expect(good(await first.post('/portal/booking/prolong'))).toMatchObject({ isOverruled: false })
  })

  it('a bot gets a normal response, and a code without a chosen time is refused', async () => {
    const { choice } = await world.make()
    const one = world.device()
    const phone = newPhone()
    expect((await one.post('/portal/booking/code', { phone })).status).toBe(409)
    good(await one.post('/portal/booking', choice('09:00')), 201)
    good(await one.post('/portal/booking/code', { phone, topic: 'http://spam' }), 202)
    await clinic.context.jobs.drain()
    expect(sms.messages.filter(({ to }) => to === phone)).toEqual([])
    // Guessed codes are counted, from any sender.
    good(await world.confirm(one, phone))
    const other = world.device()
    good(await other.post('/portal/booking', choice('10:00')), 201)
    good(await other.post('/portal/booking/code', { phone }), 202)
    await clinic.context.jobs.drain()
    const code = world.codeTo(phone) as string
    const wrong = code === '111111' ? '222222' : '111111'
    for (let at = 0; at < 5; at++)
      expect((await other.post('/portal/booking/phone', { phone, code: wrong })).status).toBe(422)
    expect((await other.post('/portal/booking/phone', { phone, code })).status).toBe(422)
  })

  it('a hold is extended while its patient is active, up to fifteen minutes', async () => {
    const { choice, idUser } = await world.make()
    const unknown = world.device()
    const before = good(await unknown.post('/portal/booking', choice('10:00')), 201).heldUntil
    // The phone is not confirmed.
    expect(good(await unknown.post('/portal/booking/prolong')).heldUntil).toBe(before)
    const one = await world.patient()
    good(await one.post('/portal/booking', choice('09:00')), 201)
    const age = (minutes: number) =>
      clinic.db.query({
        text: `update appointments_holds set "dateCreate" = now() - make_interval(mins => $2) where "idUser" = $1`,
        values: [idUser, minutes],
      })
    await age(2)
    const until = Date.parse(good(await one.post('/portal/booking/prolong')).heldUntil)
    expect(Math.round((until - Date.now()) / 60_000)).toBe(3)
    await age(14)
    const last = Date.parse(good(await one.post('/portal/booking/prolong')).heldUntil)
    expect(Math.round((last - Date.now()) / 60_000)).toBe(1)
  })
})

describe('a visit', () => {
  const booked = async (
    one: Awaited<ReturnType<typeof world.patient>>,
    start: string,
    made: Awaited<ReturnType<typeof world.make>>,
  ) => {
    good(await one.post('/portal/booking', made.choice(start)), 201)
    return good(await one.post('/portal/booking/book'), 201).idVisit as number
  }

  it('is moved by its patient to a free time, and by no one else; the former time is free again', async () => {
    const made = await world.make()
    const [one, other] = [await world.patient(), await world.patient()]
    const id = await booked(one, '09:00', made)
    const to = (start: string) => ({ doctor: made.idUser, day: made.day, start })
    expect((await other.post(`/portal/visits/${id}/move`, to('10:00'))).status).toBe(404)
    expect((await other.get(`/portal/visits/${id}/times`)).status).toBe(404)
    const offered = good(await one.get(`/portal/visits/${id}/times`)).items
    expect(offered.map(({ localStart }: { localStart: string }) => localStart)).toEqual(['09:30', '10:00', '10:30'])
    expect(good(await one.post(`/portal/visits/${id}/move`, to('10:00')))).toEqual({
      localDate: made.day,
      localStart: '10:00',
    })
    expect(good(await desk.get(`/appointments/${id}`))).toMatchObject({ localStart: '10:00', visitStatus: 'booked' })
    expect((await made.times()).map(({ localStart }) => localStart)).toContain('09:00')
    const taken = await booked(other, '09:30', made)
    const late = await one.post(`/portal/visits/${id}/move`, to('09:30'))
    expect([late.status, late.body.code]).toEqual([409, 'taken'])
    expect(late.body.alternatives.length).toBeGreaterThan(0)
    expect(good(await desk.get(`/appointments/${taken}`)).localStart).toBe('09:30')
    const journal = await clinic.db.query<{ basis: string }>({
      text: `select basis from access_log where "idCustomer" = $1`,
      values: [one.id],
    })
    expect(journal.map(({ basis }) => basis)).toEqual(
      expect.arrayContaining(['Пациент записался онлайн', 'Пациент в личном кабинете: перенёс визит']),
    )
  })

  it("can be moved within the clinic's hours, if enabled", async () => {
    const made = await world.make()
    const one = await world.patient()
    const id = await booked(one, '09:00', made)
    const move = () => one.post(`/portal/visits/${id}/move`, { doctor: made.idUser, day: made.day, start: '10:00' })
    await clinic.db.query({
      text: `update appointments set "dateFrom" = now() + interval '11 hours', "dateTo" = now() + interval '12 hours' where id = $1`,
      values: [id],
    })
    expect((await move()).body.code).toBe('late')
    good(await desk.put('/settings/common', { portalMoveHours: 10, portalActions: ['book'] }))
    expect((await move()).body.code).toBe('late')
    good(await desk.put('/settings/common', { portalActions: ['confirm', 'cancel', 'chat', 'book', 'move', 'pay'] }))
    expect((await move()).status).toBe(200)
    good(await desk.put('/settings/common', { portalMoveHours: 12 }))
  })

  it('two patients who move to one time: one succeeds', async () => {
    const made = await world.make()
    const [one, other] = [await world.patient(), await world.patient()]
    const ids = [await booked(one, '09:00', made), await booked(other, '09:30', made)]
    const to = { doctor: made.idUser, day: made.day, start: '10:30' }
    const answers = await Promise.all([one, other].map((who, at) => who.post(`/portal/visits/${ids[at]}/move`, to)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
