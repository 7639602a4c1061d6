import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { newPhone } from '#testing/online.ts'
import { clinic, desk, heldOf, number, openOutsideClinic, seller, someone, world } from './testing/outsideClinic.ts'

openOutsideClinic()

const visitsOf = async (idCustomer: number) =>
  good(await desk.get(`/appointments?filter[idCustomer]=${idCustomer}&sort=id`)).items

describe('the open booking call', () => {
  it('shows what the channel sells, and books it once for each number', async () => {
    const { idFilial, idService, idUser, day } = await world.make()
    const one = await seller(idFilial)
    const { services, branch } = good(await one.get('v1/services'))
    expect([branch.id, services.map(({ id }: { id: number }) => id)]).toEqual([idFilial, [idService]])
    const { slots } = good(await one.get(`v1/schedule?service=${idService}&from=${day}`))
    expect(slots.map(({ start }: { start: string }) => start)).toEqual(['09:00', '09:30', '10:00', '10:30'])
    expect(slots[0]).toEqual({
      service: idService,
      doctor: idUser,
      date: day,
      start: '09:00',
      minutes: 30,
      price: 1000,
    })

    const id = number()
    const wish = { id, service: idService, doctor: idUser, date: day, start: '09:30', patient: someone(), price: 1000 }
    const booked = good(await one.post('v1/appointments', wish), 201)
    expect(booked).toEqual({ id, state: 'booked', doctor: idUser, date: day, start: '09:30', price: 1000 })
    expect(good(await one.post('v1/appointments', wish))).toEqual(booked)
    const { idCustomer, question } = await heldOf(id)
    expect(question).toBeNull()
    expect(await visitsOf(idCustomer)).toEqual([
      expect.objectContaining({ channel: 'aggregator', localStart: '09:30' }),
    ])

    const late = await one.post('v1/appointments', { ...wish, id: number(), patient: someone() })
    expect([late.status, late.body]).toEqual([409, expect.objectContaining({ code: 'taken' })])
    expect(late.body.nearest.map(({ start }: { start: string }) => start)).toEqual(
      expect.arrayContaining(['09:00', '10:00']),
    )
    const dearer = await one.post('v1/appointments', {
      ...wish,
      id: number(),
      start: '10:00',
      patient: someone(),
      price: 900,
    })
    expect([dearer.status, dearer.body]).toEqual([409, expect.objectContaining({ code: 'price', price: 1000 })])
  })

  it('lets one of eight rivals have the time: sellers, the desk and a repeat of each', async () => {
    const { idFilial, idService, idUser, day } = await world.make()
    const sellers = [await seller(idFilial), await seller(idFilial), await seller(idFilial, { kind: 'medflex' })]
    const idCustomer = await world.post('/customers', { surname: 'Стойкин', name: 'Илья' })
    const wish = () => ({
      id: number(),
      service: idService,
      doctor: idUser,
      date: day,
      start: '10:00',
      patient: someone(),
    })
    const [first, second] = [wish(), wish()]
    const atDesk = {
      idCustomer,
      idFilial,
      localDate: day,
      coupons: [{ idUser, localStart: '10:00', services: [{ idService, qty: 1 }] }],
    }
    const flex = {
      claim_id: number(),
      doctor: { id: idUser },
      appointment: { dt_start: `${day} 10:00` },
      client: { first_name: 'Анна', last_name: 'Котова', mobile_phone: newPhone() },
    }
    const [one, two, three] = sellers as [(typeof sellers)[number], (typeof sellers)[number], (typeof sellers)[number]]
    await Promise.all([
      ...[first, first].map((body) => one.post('v1/appointments', body)),
      ...[second, second].map((body) => two.post('v1/appointments', body)),
      ...[1, 2].map(() => desk.post('/appointments/book', atDesk)),
      ...[flex, flex].map((body) => three.post('medflex/book', body)),
    ])
    const { items } = good(await desk.get(`/appointments?filter[idFilial]=${idFilial}`))
    expect(items).toHaveLength(1)
    const bookings = [await one.get(`v1/appointments/${first.id}`), await two.get(`v1/appointments/${second.id}`)]
    const flexed = await three.post('medflex/status', { claim_id: flex.claim_id })
    const booked =
      bookings.filter(({ body }) => body.state === 'booked').length +
      Number(flexed.body.claim_status === 'successfully')
    expect(booked).toBe(items[0].channel === 'aggregator' ? 1 : 0)
  })

  it('never rewrites a card: another name at the phone is a new card and a question', async () => {
    const { idFilial, idService, idUser, idDoctors, day } = await world.make({ doctors: 2 })
    const one = await seller(idFilial)
    const phone = newPhone()
    const old = await world.post('/customers', { surname: 'Орлов', name: 'Пётр', birthday: '01.02.1980', phone })
    const book = async (start: string, patient: object) => {
      const id = number()
      good(
        await one.post('v1/appointments', { id, service: idService, doctor: idUser, date: day, start, patient }),
        201,
      )
      return heldOf(id)
    }
    expect(await book('09:00', { surname: 'Орлов', name: 'Пётр', birthday: '1980-02-01', phone })).toMatchObject({
      idCustomer: old,
      question: null,
    })
    const wife = await book('09:30', { surname: 'Орлова', name: 'Мария', birthday: '1982-03-04', phone })
    expect(wife.idCustomer).not.toBe(old)
    expect(wife.question).toMatch(/другая карта/)
    expect(good(await desk.get(`/customers/${old}`))).toMatchObject({ surname: 'Орлов', birthday: '01.02.1980' })
    // The same patient cannot be in two places at once.
    const patient = { surname: 'Орлов', name: 'Пётр', birthday: '1980-02-01', phone }
    const wish = { id: number(), service: idService, doctor: idDoctors[1], date: day, start: '09:00', patient }
    const twice = await one.post('v1/appointments', wish)
    expect([twice.status, twice.body.code]).toEqual([409, 'patient'])
    expect(await visitsOf(old)).toHaveLength(1)
  })

  it('shows the state of the visit, whoever has changed it', async () => {
    const { idFilial, idService, idUser, day } = await world.make()
    const one = await seller(idFilial)
    const book = async (start: string) => {
      const id = number()
      good(
        await one.post('v1/appointments', {
          id,
          service: idService,
          doctor: idUser,
          date: day,
          start,
          patient: someone(),
        }),
        201,
      )
      return { id, idAppointment: (await heldOf(id)).idAppointment as number }
    }
    const stateOf = async (id: string) => good(await one.get(`v1/appointments/${id}`))
    const [left, moved, dropped] = [await book('09:00'), await book('09:30'), await book('10:00')]
    expect(good(await one.post(`v1/appointments/${left.id}/confirm`)).state).toBe('confirmed')
    expect(good(await desk.get(`/appointments/${left.idAppointment}`)).visitStatus).toBe('confirmed')
    for (const _ of [1, 2]) expect(good(await one.post(`v1/appointments/${left.id}/cancel`)).state).toBe('cancelled')
    expect(good(await desk.get(`/appointments/${left.idAppointment}`)).visitStatus).toBe('cancelled')
    expect((await one.post(`v1/appointments/${left.id}/confirm`)).status).toBe(409)
    good(
      await desk.post(`/appointments/${moved.idAppointment}/move`, {
        idUser,
        localDate: day,
        localStart: '10:30',
        reason: 'Попросил',
      }),
    )
    expect(await stateOf(moved.id)).toMatchObject({ state: 'booked', start: '10:30' })
    good(
      await desk.post(`/appointments/${dropped.idAppointment}/status`, { status: 'cancelled', cancelReason: 'time' }),
    )
    expect(await stateOf(dropped.id)).toMatchObject({ state: 'cancelled' })
    expect((await one.get('v1/appointments/nobody')).status).toBe(404)
    // Another seller does not see it.
    expect((await (await seller(idFilial)).get(`v1/appointments/${moved.id}`)).status).toBe(404)
  })

  it('is limited to the doctors, days and hours of the channel, and stops with it', async () => {
    const { idFilial, idService, idUser, idDoctors, day } = await world.make({ doctors: 2 })
    const one = await seller(idFilial, { idUsers: [idDoctors[1]], showPrice: false })
    const { slots } = good(await one.get(`v1/schedule?service=${idService}&from=${day}`))
    expect(new Set(slots.map(({ doctor }: { doctor: number }) => doctor))).toEqual(new Set([idDoctors[1]]))
    expect(slots[0].price).toBeNull()
    const wish = { id: number(), service: idService, doctor: idUser, date: day, start: '09:00', patient: someone() }
    expect((await one.post('v1/appointments', wish)).body.code).toBe('closed')
    expect(await heldOf(wish.id)).toMatchObject({ state: 'refused', reason: expect.stringMatching(/не записывает/) })
    // The same number may ask again for what there is.
    expect(good(await one.post('v1/appointments', { ...wish, doctor: idDoctors[1] }), 201).state).toBe('booked')
    good(await desk.put(`/booking-channels/${one.id}`, { horizonDays: 5 }))
    expect(good(await one.get(`v1/schedule?service=${idService}&from=${day}`)).slots).toEqual([])
    expect(
      (await one.post('v1/appointments', { ...wish, id: number(), doctor: idDoctors[1], start: '10:00' })).body.code,
    ).toBe('closed')
    good(await desk.put(`/booking-channels/${one.id}`, { active: false }))
    expect((await one.get('v1/services')).status).toBe(403)
    good(await desk.put(`/booking-channels/${one.id}`, { active: true }))
    good(await desk.post(`/booking-channels/${one.id}/revoke`), 204)
    expect((await one.get('v1/services')).status).toBe(401)
    expect((await clinic.anonymous.get('/booking/v1/services')).status).toBe(401)
  })

  it('names the wrong field in Russian', async () => {
    const { idFilial, idService, idUser, day } = await world.make()
    const one = await seller(idFilial)
    const wish = {
      id: number(),
      service: idService,
      doctor: idUser,
      date: day,
      start: '9',
      patient: { ...someone(), phone: 'нет' },
    }
    const answer = await one.post('v1/appointments', wish)
    expect([answer.status, answer.body.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['start', 'patient.phone'],
    ])
  })
})

describe('МедФлекс', () => {
  it('answers with its codes inside 200', async () => {
    const { idFilial, idUser, day } = await world.make()
    const one = await seller(idFilial, { kind: 'medflex' })
    const claim_id = number()
    const client = {
      first_name: 'Анна',
      second_name: null,
      last_name: 'Котова',
      mobile_phone: newPhone(),
      birthday: null,
    }
    const wish = {
      claim_id,
      doctor: { id: idUser, specialty: 'Терапевт' },
      appointment: {
        dt_start: `${day} 09:00`,
        dt_end: `${day} 09:30`,
        price: 1000,
        is_online: false,
        comment: 'Впервые',
      },
      client,
    }
    const post = async (act: string, body: object = {}) => good(await one.post(`medflex/${act}`, body))
    expect(await post('health')).toEqual({ status_code: 204 })
    expect(await post('book', wish)).toEqual({ status_code: 204, claim_id })
    expect(await post('book', wish)).toEqual({ status_code: 204, claim_id })
    expect(
      await post('book', { ...wish, claim_id: number(), client: { ...client, mobile_phone: newPhone() } }),
    ).toMatchObject({ status_code: 423 })
    expect(await post('book', { ...wish, claim_id: number(), client: { ...client, last_name: '' } })).toMatchObject({
      status_code: 400,
    })
    expect(await post('book', { ...wish, claim_id: number(), doctor: { id: 999_999 } })).toMatchObject({
      status_code: 404,
    })
    expect(await post('status', { claim_id })).toEqual({ status_code: 204, claim_id, claim_status: 'successfully' })
    expect(await post('update', { claim_id, appointment: { dt_start: `${day} 10:00` } })).toMatchObject({
      status_code: 204,
    })
    expect(good(await desk.get(`/appointments/${(await heldOf(claim_id)).idAppointment}`)).localStart).toBe('10:00')
    expect(await post('cancel', { claim_id })).toMatchObject({ status_code: 204 })
    expect(await post('status', { claim_id })).toMatchObject({ claim_status: 'cancelled' })
    expect(await post('status', { claim_id: 'nobody' })).toMatchObject({ status_code: 404 })
  })
})

describe('reviews of a file', () => {
  it('come once, whatever file has them, with errors at their rows', async () => {
    const { idFilial } = await world.make()
    const { nameFilial } = good(await desk.get(`/filials/${idFilial}`))
    const { take, preview, revert } = importFiles(clinic, 'reviews')
    const head = 'Площадка;Филиал;Дата отзыва;Автор;Звёзд;Текст отзыва;ID отзыва;Ответ компании'
    const rows = [
      `2ГИС;${nameFilial};28.11.2026 14:30;Сергей;2;Долго ждал;g-1;`,
      `Яндекс Карты;${nameFilial};29.11.2026;Анна К.;5;;;Спасибо!`,
    ]
    const reviews = async () =>
      good(await desk.get(`/reviews?filter[idFilial]=${idFilial}&sort=dateReview`)).items.map(
        ({ site, author, score, text, state }: Record<string, unknown>) => [site, author, score, text, state],
      )
    const run = await take(desk, csv(head, ...rows))
    expect(run).toMatchObject({ state: 'done', created: 2 })
    const first = [
      ['gis', 'Сергей', 2, 'Долго ждал', 'new'],
      ['yandex', 'Анна К.', 5, null, 'answered'],
    ]
    expect(await reviews()).toEqual(first)
    // A later file has the same ones, in another order and without numbers, and one more.
    await take(
      desk,
      csv(head, ...rows.toReversed(), `2ГИС;${nameFilial};30.11.2026 10:00;Ким;4;Хорошо;g-2;`, rows[0] ?? ''),
    )
    expect(await reviews()).toEqual([...first, ['gis', 'Ким', 4, 'Хорошо', 'new']])
    const { errors } = good(
      await preview(
        desk,
        csv(head, `Афиша;${nameFilial};29.11.2026;А;5;;;`, `Zoon;Нигде;вчера;Б;9;;;`, `Zoon;;29.11.2026;В;9;;;`),
      ),
    )
    expect(errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
      [1, 'Откуда'],
      [2, 'Филиал'],
      [2, 'Когда написан'],
      [3, 'Филиал'],
    ])
    await revert(desk, run)
    expect(await reviews()).toEqual([['gis', 'Ким', 4, 'Хорошо', 'new']])
  })
})

describe('the list of a seller', () => {
  it('is matched by code and name once, sent under its own names, and not sold where switched off', async () => {
    const { idFilial, idService, idUser } = await world.make()
    good(await desk.put(`/services/${idService}`, { medicalCode: 'B01.047.001' }))
    const one = await seller(idFilial, { idServices: [idService] })
    const path = `/booking-channels/${one.id}/matches`
    const { fio } = good(await desk.get(`/users/${idUser}`))
    const add = (kind: string, text: string) => desk.post(`${path}/lists`, { kind, text })
    expect(good(await add('service', 'Терапевт;B01.047.001\nМассаж'))).toEqual({ added: 2 })
    good(await add('doctor', `${fio}\nНезнакомцев Иван`))
    expect(good(await add('service', 'терапевт\nМассаж'))).toEqual({ added: 0 })
    const { items } = good(await desk.get(path))
    const offered = Object.fromEntries(
      items.map(({ outerName, suggestion }: { outerName: string; suggestion: { id: number } | null }) => [
        outerName,
        suggestion?.id ?? null,
      ]),
    )
    expect(offered).toEqual({ Терапевт: idService, Массаж: null, [fio]: idUser, 'Незнакомцев Иван': null })
    expect(good(await desk.get(`/booking-channels/${one.id}/offer`)).lacks.join()).toContain('Не сопоставлено 4')
    expect(good(await desk.post(`${path}/confirm`, {}))).toEqual({ matched: 2, left: 2 })
    expect(good(await desk.post(`${path}/confirm`, {}))).toEqual({ matched: 0, left: 2 })
    expect(good(await one.get('v1/services')).services).toMatchObject([{ id: idService, name: 'Терапевт' }])
    // Not sold through it, by a line of the list.
    const line = items.find(({ outerName }: { outerName: string }) => outerName === 'Терапевт')
    good(await desk.put(`/booking-channels/matches/${line.id}`, { state: 'left' }))
    expect(good(await one.get('v1/services')).services).toEqual([])
    good(await desk.put(`/booking-channels/matches/${line.id}`, { state: 'matched' }))
    expect(good(await one.get('v1/services')).services).toHaveLength(1)
    expect((await clinic.anonymous.get(path)).status).toBe(401)
  })
})
