import type { Slot } from '@ordinator/model/areas/visits/calls'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { clinic, DAY, errors, openVisitsClinic, placesOf, registry, world, worlds } from './testing/visitsClinic.ts'
import { dayAfter } from './testing/world.ts'

openVisitsClinic()

describe('booking', () => {
  it('gives the time to one, and the nearest times to the other (example 1)', async () => {
    const { idFilial, idDoctors, book } = await world({ doctors: 2 })
    good(await book('09:00'), 201)
    const rivals = await Promise.all([book('10:00'), book('10:00')])
    expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409])
    const late = rivals.find(({ status }) => status === 409)?.body
    expect(late).toMatchObject({ code: 'taken', field: 'localStart', message: 'Это время уже занято' })
    const [one, two] = idDoctors
    expect(placesOf(late.alternatives)).toEqual([
      [two, '10:00'],
      [one, '09:30'],
      [one, '10:30'],
    ])
    const day = good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
    expect(day.visits.map((one: { localStart: string }) => one.localStart)).toEqual(['09:00', '10:00'])
  })
})

describe('the nearest times', () => {
  it('begin at round minutes, even if free time begins between them', async () => {
    const { book } = await world({ minutes: 30 })
    good(await book('09:00', {}, { minutes: 67 }), 201)
    const { body } = await book('10:00')
    expect(body.alternatives.map(({ localStart }: Slot) => localStart)).toEqual(['10:10'])
  })
})

describe('an invalid booking', () => {
  it('is reported at its field', async () => {
    const { book, idDoctors, idService } = await world()
    const today = dayAfter(0)
    expect(errors(await book('10:00', { localDate: dayAfter(-3) }))).toEqual([422, 'localDate', 'Этот день уже прошёл'])
    expect(errors(await book('10:00', { localDate: '2027-02-29' }))).toEqual([422, 'localDate', 'Нужна дата'])
    expect(errors(await book('10:00', { localDate: dayAfter(900) }))[1]).toBe('localDate')
    expect(errors(await book('23:45'))).toEqual([422, 'localStart', 'Визит не может переходить через полночь'])
    expect(errors(await book('24:00'))[0]).toBe(422)
    expect(errors(await book('10:00', {}, { minutes: 0 }))).toEqual([
      422,
      'coupons.0.minutes',
      'Длительность больше нуля',
    ])
    expect(errors(await book('10:00', { idFilial: 999_999 }))[1]).toBe('idFilial')
    expect(errors(await book('10:00', { idCustomer: 999_999 }))[1]).toBe('idCustomer')
    expect(errors(await book('10:00', {}, { idUser: 999_999 }))[1]).toBe('idUser')
    expect(errors(await book('10:00', {}, { services: [] }))[2]).toBe('Выберите услугу')
    const { id: stranger } = await worlds.doctor()
    expect(errors(await book('10:00', {}, { idUser: stranger }))).toEqual([
      422,
      'idUser',
      'Этот врач не выполняет услугу в этом филиале',
    ])
    expect(errors(await book('00:00', { localDate: today }))[1]).toBe('localStart')
    const outside = await book('12:00')
    expect([outside.status, outside.body.code, outside.body.message]).toEqual([
      409,
      'outside',
      'Это время вне смены врача',
    ])
    expect(outside.body.alternatives[0]).toMatchObject({ idUser: idDoctors[0], localStart: '11:30' })
    const over = clinic.as('over')
    expect((await book('12:00', { outside: true })).status).toBe(409)
    good(await book('12:00', { outside: true }, {}, over), 201)
    good(await book('10:00', { localDate: dayAfter(-3), outside: true }, { services: [{ idService }] }, over), 201)
  })

  it("is past by the branch's time zone, wherever the request comes from", async () => {
    // The zones are 25 hours apart: when one is at today, the other is past it, at any hour.
    const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    const there = dayIn(late, Date.now())
    const ahead = await world({ timeZone: early })
    expect(errors(await ahead.book('23:00', { localDate: there }))).toEqual([422, 'localDate', 'Этот день уже прошёл'])
    const behind = await world({ timeZone: late })
    expect(errors(await behind.book('23:00', { localDate: there }))[1]).not.toBe('localDate')
    const gone = await behind.book('23:00', { localDate: plusDays(there, -1) })
    expect(errors(gone)).toEqual([422, 'localDate', 'Этот день уже прошёл'])
  })

  it('leaves no partial writes', async () => {
    const { book, idCustomer } = await world()
    good(await book('10:00'), 201)
    expect((await book('10:15')).status).toBe(409)
    const [count] = await clinic.db.query<{ a: number; c: number; h: number }>({
      text: `select (select count(*) from appointments where "idCustomer" = $1)::int as a,
        (select count(*) from coupons c join appointments a on a."id" = c."idAppointment" where a."idCustomer" = $1)::int as c,
        (select count(*) from history where "path" = 'appointments' and "idEntity" in
          (select "id" from appointments where "idCustomer" = $1))::int as h`,
      values: [idCustomer],
    })
    expect(count).toEqual({ a: 1, c: 1, h: 1 })
  })
})

describe('buffers', () => {
  it('keep the room for cleaning and let the doctor continue elsewhere (example 2)', async () => {
    const { idDoctors, book, idFilial } = await world({ doctors: 2, rooms: [{ cleaning: 10 }, {}] })
    const [one, two] = idDoctors
    good(await book('10:00'), 201)
    const { rooms } = good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
    const [cleaned, free] = rooms.map(({ id }: { id: number }) => id)
    // Another doctor in the room that is being cleaned.
    expect((await book('10:30', {}, { idUser: two, idRoom: cleaned })).body).toMatchObject({
      message: 'Кабинет в это время занят',
    })
    good(await book('10:40', {}, { idUser: two, idRoom: cleaned }), 201)
    good(await book('10:30', {}, { idUser: one, idRoom: free }), 201)
  })

  it("keep a break after the doctor's visit", async () => {
    const { book } = await world({ minutes: 20, breakAfter: 10 })
    good(await book('10:00'), 201)
    expect((await book('10:20')).body.alternatives.map(({ localStart }: Slot) => localStart).slice(0, 2)).toEqual([
      '10:30',
      '09:30',
    ])
    good(await book('10:30'), 201)
  })
})

describe('a no-show', () => {
  it('is shown at the next booking, with advice', async () => {
    const { book } = await world()
    const adviceAt = async (start: string): Promise<string[]> =>
      good(await book(start, { dryRun: true }), 201).warnings.map((text: string) => text.replaceAll('\u00a0', ' '))
    expect(await adviceAt('09:00')).toEqual([])
    const ids: number[] = []
    for (const start of ['09:00', '09:30', '10:00']) ids.push(good(await book(start), 201).id)
    const missed = async (count: number) => {
      await clinic.db.query({
        text: `update appointments set "visitStatus" = 'noShow', "dateFrom" = now() - interval '30 days' where "id" = any ($1)`,
        values: [ids.slice(0, count)],
      })
      return adviceAt('11:00')
    }
    expect(await missed(1)).toEqual(['За год не пришёл 1 раз'])
    expect(await missed(2)).toEqual(['За год не пришёл 2 раза: позвоните накануне'])
    expect(await missed(3)).toEqual(['За год не пришёл 3 раза: попросите предоплату'])
  })
})

describe('overbooking', () => {
  it('needs a right of its own, once (example 4)', async () => {
    const { book, idFilial } = await world({ rooms: [{}] })
    const over = clinic.as('over')
    good(await book('10:00'), 201)
    expect((await book('10:00', { overbook: true })).status).toBe(403)
    good(await book('10:00', { overbook: true }, {}, over), 201)
    expect((await book('10:00', { overbook: true }, {}, over)).status).toBe(409)
    const { visits } = good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
    expect(visits.map((one: { overbooked: boolean }) => one.overbooked)).toEqual([false, true])
  })
})

describe('a hold', () => {
  it('keeps the time for its owner until it expires (example 3)', async () => {
    const { book, idDoctors, idFilial } = await world()
    const over = clinic.as('over')
    const body = { idUser: idDoctors[0], idFilial, localDate: DAY, localStart: '10:00', minutes: 30 }
    const held = good(await registry.post('/appointments/holds', body), 201)
    const holds = good(await over.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`)).holds
    expect(holds).toMatchObject([{ id: held.id, localStart: '10:00', mine: false, author: 'registry Т.' }])
    expect((await over.post('/appointments/holds', body)).status).toBe(409)
    expect((await book('10:00', {}, {}, over)).status).toBe(409)
    expect((await over.post(`/appointments/holds/${held.id}/prolong`)).status).toBe(403)
    expect((await over.delete(`/appointments/holds/${held.id}`)).status).toBe(403)
    expect((await book('10:00', { idHold: held.id, dryRun: true })).status).toBe(201)
    // Moves the hold three minutes back.
    const runOut = (id: number) =>
      clinic.db.query({
        text: `with h as (update appointments_holds set "expiresAt" = now() - interval '1 second' where "id" = $1)
          update visit_occupancy set "expiresAt" = now() - interval '1 second' where "idHold" = $1`,
        values: [id],
      })
    await runOut(held.id)
    good(await book('10:00', {}, {}, over), 201)
    expect((await book('10:00', { idHold: held.id })).status).toBe(409)
    const mine = good(await registry.post('/appointments/holds', { ...body, localStart: '11:00' }), 201)
    const longer = good(await registry.post(`/appointments/holds/${mine.id}/prolong`))
    expect(Date.parse(longer.expiresAt)).toBeGreaterThanOrEqual(Date.parse(mine.expiresAt))
    expect(good(await book('11:00', { idHold: mine.id }), 201)).toMatchObject({
      localStart: '11:00',
      visitStatus: 'booked',
    })
    expect((await registry.get(`/appointments/holds/${mine.id}`)).status).toBe(404)
    const freed = good(await registry.post('/appointments/holds', { ...body, localStart: '09:00' }), 201)
    expect((await registry.delete(`/appointments/holds/${freed.id}`)).status).toBe(204)
    good(await book('09:00', {}, {}, over), 201)
  })
})

describe('an own hold', () => {
  it('does not block its owner: in free times, in a booking without it, in another choice', async () => {
    const { book, idDoctors, idFilial, idService } = await world()
    const body = { idUser: idDoctors[0], idFilial, localDate: DAY, localStart: '10:00', minutes: 30 }
    const over = clinic.as('over')
    const free = async (who: Caller) => {
      const asked = `/appointments/slots?idService=${idService}&idFilial=${idFilial}&from=${DAY}&to=${DAY}`
      return good<{ items: Slot[] }>(await who.get(asked)).items.map(({ localStart }) => localStart)
    }
    good(await registry.post('/appointments/holds', body), 201)
    expect(await free(registry)).toContain('10:00')
    expect(await free(over)).not.toContain('10:00')
    expect((await book('10:00', { dryRun: true })).status).toBe(201)
    const other = good(await registry.post('/appointments/holds', { ...body, localStart: '10:15' }), 201)
    const { holds } = good(await over.get(`/appointments/day?idFilial=${idFilial}&date=${DAY}`))
    expect(holds).toMatchObject([{ id: other.id, localStart: '10:15' }])
    good(await book('10:00'), 201)
    expect((await registry.get(`/appointments/holds/${other.id}`)).status).toBe(404)
  })
})

it('a dry run, single or as a series, uses no visit number', async () => {
  const made = await world()
  const first = good(await made.book('09:00'), 201)
  good(await made.book('10:00', { dryRun: true }), 201)
  const { localDate, ...visit } = made.body('11:00') as Record<string, unknown>
  good(
    await registry.post('/appointments/series', { ...visit, days: [{ localDate, localStart: '11:00' }], dryRun: true }),
  )
  expect(good(await made.book('11:00'), 201).id).toBe(first.id + 1)
})

it('a booking that loses its time to a rival uses no visit number', async () => {
  const made = await world()
  const rivals = await Promise.all([1, 2, 3].map(() => made.book('09:00')))
  const [first] = rivals.filter(({ status }) => status === 201).map(({ body }) => body)
  expect(rivals.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect((await made.book('09:00')).body.code).toBe('taken')
  expect(good(await made.book('11:00'), 201).id).toBe(first.id + 1)
})
