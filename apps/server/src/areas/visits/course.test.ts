import { dayIn } from '@ordinator/model/zone'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  clinic,
  DAY,
  errors,
  keeper,
  openVisitsClinic,
  placesOf,
  registry,
  world,
  worlds,
} from './testing/visitsClinic.ts'
import { dayAfter } from './testing/world.ts'

openVisitsClinic()

describe('the statuses of a visit', () => {
  const to = (id: number, status: string, more: object = {}, by = registry) =>
    by.post(`/appointments/${id}/status`, { status, ...more })

  it('follow the table, with time and person of each step', async () => {
    const { book, idDoctors } = await world()
    const { id } = good(await book('10:00'), 201)
    expect((await to(id, 'completed')).body).toMatchObject({
      code: 'transition',
      message: 'Из состояния «Записан» нельзя перейти в «Завершён»',
    })
    expect((await to(id, 'arrived')).body.message).toBe('Это можно отметить только в день визита')
    expect((await to(id, 'noShow')).body.message).toBe('День визита ещё не наступил')
    expect(good(await to(id, 'confirmed')).dateConfirmed).not.toBeNull()
    expect(errors(await to(id, 'cancelled'))).toEqual([422, 'cancelReason', 'Выберите причину отмены'])
    const gone = good(await to(id, 'cancelled', { cancelReason: 'ill', cancelNote: 'Грипп' }))
    expect(gone).toMatchObject({ visitStatus: 'cancelled', cancelReason: 'ill', cancelledBy: 'patient' })
    const { items } = good(await registry.get(`/appointments/changes?filter[idAppointment]=${id}&expand=author`))
    expect(items.map((one: Record<string, unknown>) => [one.fromStatus, one.toStatus, one.reason])).toEqual([
      ['booked', 'confirmed', null],
      ['confirmed', 'cancelled', 'Грипп'],
    ])
    // Another visit takes the time: no restore is possible.
    good(await book('10:00'), 201)
    expect((await to(id, 'booked')).body.code).toBe('taken')
    expect(idDoctors).toHaveLength(1)
  })

  it('are changed on its day by the desk and by the doctor', async () => {
    const { idFilial, idService, idCustomer } = await world({ shifts: false })
    const { id: idUser, login } = await worlds.doctor(['viewCalendar'])
    await worlds.post('service-performers', { idService, idUser })
    const zone = 'Europe/Moscow'
    const today = dayIn(zone, Date.now())
    await worlds.shift(idUser, idFilial, { localDate: today, localFrom: '00:00', localTo: '24:00' })
    const over = clinic.as('over')
    const coupons = [{ idUser, localStart: '12:00', services: [{ idService }, { idService, qty: 1.5 }] }]
    const { id } = good(await over.post('/appointments/book', { idCustomer, idFilial, localDate: today, coupons }), 201)
    const own = clinic.as(login)
    expect((await to(id, 'arrived', {}, own)).status).toBe(409)
    expect(good(await to(id, 'noShow')).visitStatus).toBe('noShow')
    const dayVisits = async () =>
      good(await registry.get(`/appointments/day?idFilial=${idFilial}&date=${today}`)).visits
    expect(await dayVisits()).toMatchObject([{ visitStatus: 'noShow', noShows: 1 }])
    good(await to(id, 'arrived'))
    const lines = good(await own.get(`/coupon-services?filter[coupon.idAppointment]=${id}&sort=id`)).items
    expect(lines.map((line: { finalCost: number }) => line.finalCost)).toEqual([1000, 1500])
    expect(
      (await own.post(`/coupon-services/${lines[1].id}/done`, { completed: false, cancelled: true })).body[0].field,
    ).toBe('refusalReason')
    good(
      await own.post(`/coupon-services/${lines[1].id}/done`, {
        completed: false,
        cancelled: true,
        refusalReason: 'Дорого',
      }),
      204,
    )
    good(await to(id, 'inProgress', {}, own))
    const { _version } = good(await to(id, 'completed', {}, own))
    const [coupon] = good(await own.get(`/coupons?filter[idAppointment]=${id}`)).items
    expect(coupon).toMatchObject({ status: 'completed', finalCost: 1000, finalCostWithBonuses: 1000 })
    expect((await to(id, 'inProgress', {}, own)).status).toBe(409)
    expect((await to(id, 'inProgress', { _version: _version - 1 }, over)).body).toMatchObject({ id, _version })
    good(await to(id, 'inProgress', {}, over))
  })

  it('moves with its coupons, to another time, day and doctor', async () => {
    const { book, idDoctors, idFilial } = await world({ doctors: 2 })
    const [one, two] = idDoctors
    const visit = good(await book('10:00'), 201)
    const taken = good(await book('11:00'), 201)
    const move = (body: object) =>
      registry.post(`/appointments/${visit.id}/move`, { localDate: DAY, localStart: '10:00', ...body })
    good(await registry.post(`/appointments/${visit.id}/status`, { status: 'confirmed' }))
    const refused = await move({ localStart: '11:15' })
    expect([refused.status, placesOf(refused.body.alternatives)]).toEqual([
      409,
      [
        [two, '11:15'],
        [one, '11:30'],
        [one, '10:30'],
      ],
    ])
    // The refused booking has freed nothing.
    expect((await book('10:00')).status).toBe(409)
    const moved = good(await move({ localStart: '11:15', idUser: two, minutes: 45, reason: 'Попросила' }))
    expect(moved).toMatchObject({ id: visit.id, visitStatus: 'booked', localStart: '11:15', idUser: two })
    good(await book('10:00'), 201)
    const { items } = good(await registry.get(`/appointments/moves?filter[idAppointment]=${visit.id}`))
    expect(items).toMatchObject([
      { fromStart: '10:00', toStart: '11:15', idUserFrom: one, idUserTo: two, reason: 'Попросила' },
    ])
    const [coupon] = good(await registry.get(`/coupons?filter[idAppointment]=${visit.id}&expand=services`)).items
    expect(coupon).toMatchObject({ minutes: 45, idUser: two, services: [{ price: 1000 }] })
    expect((await move({ localStart: '11:20', _version: 1 })).status).toBe(409)
    expect(idFilial + taken.id).toBeGreaterThan(0)
  })

  it('keeps its place when resized, and cannot be moved once it is over', async () => {
    const { book } = await world()
    const visit = good(await book('10:00'), 201)
    const move = (body: object) =>
      registry.post(`/appointments/${visit.id}/move`, { localDate: DAY, localStart: '10:00', ...body })
    expect(good(await move({ minutes: 60 })).localStart).toBe('10:00')
    expect((await book('10:30')).status).toBe(409)
    good(await registry.post(`/appointments/${visit.id}/status`, { status: 'cancelled', cancelReason: 'time' }))
    expect((await move({})).body.code).toBe('transition')
    good(await book('10:30'), 201)
  })
})

describe('a declined line', () => {
  it('requires a reason, costs nothing, and can be restored without one', async () => {
    const { book, idService } = await world()
    const visit = good(await book('09:00', {}, { services: [{ idService }, { idService, qty: 2 }] }), 201)
    const lines = async () =>
      good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${visit.id}&sort=id`)).items
    const [one] = await lines()
    const mark = (body: object, by = registry) => by.post(`/coupon-services/${one.id}/done`, body)
    const refusal = { completed: false, cancelled: true, refusalReason: 'Сделал в другом месте' }
    expect((await mark({ completed: true })).body.message).toBe(
      'Услуги отмечают, когда пациент пришёл и пока приём не завершён',
    )
    await clinic.db.query({
      text: `update appointments set "visitStatus" = 'arrived' where "id" = $1`,
      values: [visit.id],
    })
    for (const refusalReason of [undefined, '', '   '])
      expect(errors(await mark({ ...refusal, refusalReason }))).toEqual([
        422,
        'refusalReason',
        'Укажите причину отказа',
      ])
    expect(errors(await mark({ ...refusal, completed: true }))[1]).toBe('cancelled')
    expect((await lines())[0]).toMatchObject({ cancelled: false, refusalReason: null })
    good(await mark(refusal), 204)
    expect((await lines())[0]).toMatchObject({
      cancelled: true,
      completed: false,
      refusalReason: 'Сделал в другом месте',
    })
    const cost = async () => good(await keeper.get(`/coupons?filter[idAppointment]=${visit.id}`)).items[0].finalCost
    expect(await cost()).toBe(2000)
    good(await mark({ completed: false }), 204)
    expect((await lines())[0]).toMatchObject({ cancelled: false, refusalReason: null })
    expect(await cost()).toBe(3000)
  })
})

describe('a series of ten massages', () => {
  const ten = (start: string) =>
    Array.from({ length: 10 }, (_, at) => ({ localDate: dayAfter(30 + at), localStart: start }))
  const course = async () => {
    const made = await world()
    for (let at = 1; at < 10; at++)
      await worlds.shift(made.idDoctors[0] as number, made.idFilial, { localDate: dayAfter(30 + at) })
    const { localDate: _, ...visit } = made.body('09:00') as Record<string, unknown>
    const series = (start: string, more: object = {}) =>
      registry.post('/appointments/series', { ...visit, days: ten(start), ...more })
    const own = async () =>
      good(await registry.get(`/appointments?filter[idCustomer]=${made.idCustomer}&sort=localDate&limit=50`)).items
    return { ...made, series, own }
  }

  it('is booked at once, all ten in one series', async () => {
    const { series, own } = await course()
    const tried = good(await series('10:00', { dryRun: true }))
    expect(tried.items.map(({ ok }: { ok: boolean }) => ok)).toEqual(Array(10).fill(true))
    expect(await own()).toEqual([])
    const { ids } = good(await series('10:00'))
    expect(ids).toHaveLength(10)
    const made = await own()
    expect(made.map((one: any) => [one.localDate, one.localStart, one.visitStatus, one.idSeries])).toEqual(
      ten('10:00').map(({ localDate, localStart }) => [localDate, localStart, 'booked', ids[0]]),
    )
  })

  it('with two taken times names them with the nearest, and books none', async () => {
    const { series, own, book, idDoctors } = await course()
    const other = { idCustomer: await worlds.patient() }
    for (const at of [3, 7]) good(await book('10:00', { ...other, localDate: dayAfter(30 + at) }), 201)
    const tried = good(await series('10:00', { dryRun: true }))
    const failed = tried.items.filter(({ ok }: { ok: boolean }) => !ok)
    expect(failed.map((one: any) => [one.localDate, one.localStart, one.message])).toEqual(
      [3, 7].map((at) => [dayAfter(30 + at), '10:00', 'Это время уже занято']),
    )
    for (const one of failed)
      expect(one.alternatives[0]).toMatchObject({ idUser: idDoctors[0], localDate: one.localDate })
    const refused = await series('10:00')
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'taken',
      `${dayAfter(33).split('-').toReversed().join('.')} 10:00: Это время уже занято`,
    ])
    expect(await own()).toEqual([])
    // With the nearest times instead, the whole series is booked.
    const days = ten('10:00').map((day) => {
      const instead = failed.find((one: any) => one.localDate === day.localDate)?.alternatives[0]
      return instead ? { localDate: instead.localDate, localStart: instead.localStart } : day
    })
    expect(good(await series('10:00', { days })).ids).toHaveLength(10)
    expect(await own()).toHaveLength(10)
  })

  it('is refused with a day twice, without a day and beyond sixty', async () => {
    const { series } = await course()
    const [day] = ten('10:00')
    expect(errors(await series('', { days: [day, day] }))).toEqual([422, 'days', 'Один и тот же день указан дважды'])
    expect((await series('', { days: [] })).status).toBe(422)
    expect(
      (
        await series('', {
          days: Array.from({ length: 61 }, (_, at) => ({ localDate: dayAfter(30 + at), localStart: '10:00' })),
        })
      ).status,
    ).toBe(422)
  })
})

describe('a line with several performers', () => {
  it('is shared to the hundredth, and never beyond the whole, also concurrently', async () => {
    const { book } = await worlds.make()
    const { id } = good(await book('09:00'), 201)
    const [{ id: idCouponService }] = good(
      await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}`),
    ).items
    const add = async (share: number) => {
      const { id: idUser } = await worlds.doctor()
      return keeper.post('/coupon-services/performers', { idCouponService, idUser, share })
    }
    const first = good(await add(33.34), 201)
    const both = await Promise.all([add(60), add(60)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
    expect((await add(6.67)).body).toEqual([
      { field: 'share', message: 'Вместе исполнители получают не больше 100 %: осталось 6.66' },
    ])
    good(await add(6.66), 201)
    const more = await keeper.put(`/coupon-services/performers/${first.id}`, { share: 33.35 })
    expect([more.status, more.body[0].field]).toEqual([422, 'share'])
    good(await keeper.put(`/coupon-services/performers/${first.id}`, { share: 10 }))
    expect((await add(24)).status).toBe(422)
  })
})

describe('a chain and a series', () => {
  it('take all of their times or none', async () => {
    const { book, body, idDoctors, idService, idCustomer } = await world({ doctors: 2 })
    const [one, two] = idDoctors
    const line = [{ idService }]
    const chain = {
      coupons: [
        { idUser: one, localStart: '09:00', services: line },
        { idUser: two, localStart: '09:30', services: line },
      ],
    }
    const visit = good(await book('09:00', chain), 201)
    expect(visit).toMatchObject({ localStart: '09:00', idUser: one, warnings: [] })
    const later = await registry.post(`/appointments/${visit.id}/move`, { localDate: DAY, localStart: '10:00' })
    expect(good(later).localStart).toBe('10:00')
    const stands = good(await registry.get(`/coupons?filter[idAppointment]=${visit.id}&sort=dateFrom`)).items
    expect(stands.map((coupon: { localStart: string }) => coupon.localStart)).toEqual(['10:00', '10:30'])
    // The second doctor is busy: the first one stays free.
    expect(
      (
        await book('10:00', {
          coupons: [
            { idUser: one, localStart: '11:00', services: line },
            { idUser: two, localStart: '10:30', services: line },
          ],
        })
      ).status,
    ).toBe(409)
    good(await book('11:00'), 201)

    const { localDate: _, ...rest } = body('09:00')
    const days = [DAY, dayAfter(31), dayAfter(32)].map((localDate) => ({ localDate, localStart: '09:00' }))
    await worlds.shift(one as number, (rest as { idFilial: number }).idFilial, { localDate: dayAfter(31) })
    const tried = good(await registry.post('/appointments/series', { ...rest, days, dryRun: true }))
    expect(tried.items.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false])
    expect(tried.items[2].alternatives.length).toBeGreaterThan(0)
    expect((await registry.post('/appointments/series', { ...rest, days })).status).toBe(409)
    const own = () => registry.get(`/appointments?filter[idCustomer]=${idCustomer}&filter[localStart]=09:00`)
    expect(good(await own()).items).toEqual([])
    const done = good(await registry.post('/appointments/series', { ...rest, days: days.slice(0, 2) }))
    expect(done.ids).toHaveLength(2)
    const made = good(await own()).items
    expect(made.map(({ idSeries }: { idSeries: number }) => idSeries)).toEqual([done.ids[0], done.ids[0]])
  })
})
