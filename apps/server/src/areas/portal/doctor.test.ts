import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

const PRICE = 1500
let sms: SmsSimulator
let clinic: Clinic
let desk: Caller
let doctor: Caller
let other: Caller
let world: ReturnType<typeof onlineWorld>
let idDesk: number
let idDoctor: number
let idFilial: number
let idOther: number

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
    prepare: async (app) => {
      await addPerson(app, 'desk', [...deskRights, 'viewAllCashDesks', 'refundPayments', 'displayTableServiceOnline'])
      idDoctor = (await addPerson(app, 'doctor', ['onlineChat', 'viewCustomers'], { surname: 'Врачева' })).id
      idOther = (await addPerson(app, 'other', ['onlineChat', 'viewCustomers'])).id
    },
  })
  ;[desk, doctor, other] = ['desk', 'doctor', 'other'].map((login) => clinic.as(login)) as [Caller, Caller, Caller]
  world = onlineWorld(clinic, desk, sms)
  idFilial = await world.post('/filials', { nameFilial: 'Главный', timeZone: 'Europe/Moscow', activeForShop: true })
  const idService = await world.post('/services', { nameService: 'Вопрос врачу', priceService: PRICE })
  good(await desk.put(`/users/${idDoctor}`, { isOnSite: true }))
  await world.post('/service-performers', { idService, idUser: idDoctor, idFilial })
  const idOrganization = await world.post('/organizations', { shortName: 'ООО «Клиника»', kind: 'own' })
  idDesk = await world.post('/cash-desks', {
    name: 'Онлайн',
    idFilial,
    idOrganization,
    kktMode: 'simulator',
    terminalMode: 'simulator',
    isOnline: true,
  })
  good(
    await desk.put('/settings/common', {
      portalActive: true,
      portalActions: ['chat', 'doctor', 'pay'],
      doctorDialogService: idService,
    }),
  )
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})
beforeEach(() => play(null))

type Patient = Awaited<ReturnType<typeof world.patient>>
const play = (fault: string | null) =>
  desk.post(`/cash-desks/${idDesk}/simulate`, { device: 'terminal', fault }).then((answer) => good(answer, 204))
const carryOn = async () => {
  await clinic.context.jobs.run('portal.questions')
  await clinic.context.jobs.drain()
}
const ask = (one: Patient, body: object = {}) =>
  one.post('/portal/doctor-dialogs', { doctor: idDoctor, text: 'Болит колено, что делать?', sum: PRICE, ...body })
const pay = (one: Patient, id: number, key: string = randomUUID()) =>
  one.post(`/portal/doctor-dialogs/${id}/pay`, { key })
const stateOf = async (one: Patient, id: number) =>
  good(await one.get('/portal/doctor-dialogs')).dialogs.find((dialog: { id: number }) => dialog.id === id)
const answer = (id: number, who: Caller = doctor) =>
  who.post(`/service-online/${id}/messages`, { clientId: randomUUID(), text: 'Покой и холод' })

async function paid() {
  const one = await world.patient()
  const { id } = good(await ask(one), 201) as { id: number }
  expect(good(await pay(one, id))).toEqual({ state: 'paid' })
  return { one, id }
}
const past = (id: number, set: string) =>
  clinic.db.query({ text: `update service_online set ${set} where id = $1`, values: [id] })

describe('a question to a doctor', () => {
  it('is offered by doctors who perform the service, at its price', async () => {
    const { offer, dialogs } = good(await (await world.patient()).get('/portal/doctor-dialogs'))
    expect(offer).toMatchObject({ service: 'Вопрос врачу', hours: 24, doctors: [{ id: idDoctor, price: PRICE }] })
    expect(dialogs).toEqual([])
  })

  it('is hidden before payment, then visible to that doctor only', async () => {
    const one = await world.patient()
    const { id } = good(await ask(one), 201) as { id: number }
    expect(await stateOf(one, id)).toMatchObject({ state: 'ordered', sum: PRICE })
    for (const who of [doctor, other]) expect((await who.get(`/service-online/${id}`)).status).toBe(404)
    expect((await one.post(`/portal/dialog?dialog=${id}`, { clientId: randomUUID(), text: 'Ау' })).status).toBe(409)
    good(await pay(one, id))
    expect((await other.get(`/service-online/${id}`)).status).toBe(404)
    expect(good(await doctor.get(`/service-online/${id}`))).toMatchObject({
      paidState: 'paid',
      paidSum: PRICE,
      inCount: 1,
    })
    const { items } = good(await doctor.get('/notifications?sort=-id&limit=1'))
    expect(items).toMatchObject([{ kind: 'dialog.message', idEntity: id, text: null }])
    good(await one.post(`/portal/dialog?dialog=${id}`, { clientId: randomUUID(), text: 'И опухло' }), 201)
    expect(good(await one.get(`/portal/dialog?dialog=${id}`)).lines).toHaveLength(2)
    // The dialogue with the clinic is separate.
    expect(good(await one.get('/portal/dialog')).lines).toEqual([])
  })

  it('when answered, is among the visits and paid from the prepayment', async () => {
    const { one, id } = await paid()
    good(await answer(id), 201)
    expect(await stateOf(one, id)).toMatchObject({ state: 'open', unread: 1 })
    good(await doctor.post(`/service-online/${id}/close`, { reason: 'Дан совет' }))
    await carryOn()
    await carryOn()
    expect(await stateOf(one, id)).toMatchObject({ state: 'closed' })
    const { items } = good(await desk.get(`/appointments?filter[idCustomer]=${one.id}&expand=services`))
    expect(items).toMatchObject([{ visitStatus: 'completed', idUser: idDoctor, idFilial, channel: 'messenger' }])
    expect(good(await one.get('/portal/bills'))).toMatchObject({ debt: 0, advance: 0, lines: [] })
    expect((await one.post(`/portal/dialog?dialog=${id}`, { clientId: randomUUID(), text: 'Ещё' })).status).toBe(409)
    // No time of the doctor was taken.
    expect(
      await clinic.db.query({
        text: `select 1 from visit_occupancy o join coupons c on c.id = o."idCoupon" where c."idAppointment" = $1`,
        values: [items[0].id],
      }),
    ).toEqual([])
  })

  it('without an answer in time is closed and refunded', async () => {
    const { one, id } = await paid()
    await past(id, `"answerBy" = now() - interval '1 minute'`)
    await carryOn()
    expect(await stateOf(one, id)).toMatchObject({ state: 'refundDue' })
    expect(good(await one.get('/portal/bills'))).toMatchObject({ debt: 0, advance: PRICE })
    const { items } = good(await desk.get('/notifications?sort=-id&limit=1'))
    expect(items).toMatchObject([{ kind: 'dialog.refund', idEntity: id }])
    expect((await answer(id)).status).toBe(409)
    const [payment] = good(await desk.get(`/payments?filter[idCustomer]=${one.id}`)).items
    good(
      await desk.post(`/payments/${payment.id}/refund`, {
        key: randomUUID(),
        reason: 'Врач не ответил',
        parts: [{ method: 'card', sum: PRICE }],
      }),
    )
    await carryOn()
    expect(await stateOf(one, id)).toMatchObject({ state: 'refunded' })
  })

  it('closed by the doctor without an answer is refunded too', async () => {
    const { one, id } = await paid()
    good(await doctor.post(`/service-online/${id}/close`, { reason: 'Не мой профиль' }))
    await carryOn()
    expect(await stateOf(one, id)).toMatchObject({ state: 'refundDue' })
  })

  it('ends automatically when the patient is silent after the answer', async () => {
    const { one, id } = await paid()
    good(await answer(id), 201)
    await past(id, `"waitFrom" = now() - interval '73 hours'`)
    await carryOn()
    expect(await stateOf(one, id)).toMatchObject({ state: 'closed' })
    expect(good(await one.get('/portal/bills'))).toMatchObject({ debt: 0, advance: 0 })
  })

  it('is paid once, whatever the terminal does and however often it is requested', async () => {
    const one = await world.patient()
    const { id } = good(await ask(one), 201) as { id: number }
    await play('break')
    expect((await pay(one, id)).status).toBeGreaterThanOrEqual(400)
    await play(null)
    await Promise.all(Array.from({ length: 4 }, () => pay(one, id)))
    good(await pay(one, id))
    expect(await stateOf(one, id)).toMatchObject({ state: 'paid' })
    expect(good(await one.get('/portal/bills'))).toMatchObject({ advance: PRICE })
  })

  it('can be paid again after a declined card', async () => {
    const one = await world.patient()
    const { id } = good(await ask(one), 201) as { id: number }
    await play('decline')
    expect((await pay(one, id)).status).toBe(409)
    await play(null)
    expect(good(await pay(one, id))).toEqual({ state: 'paid' })
  })

  it('is deleted on request while unpaid, and automatically after a day', async () => {
    const one = await world.patient()
    const [first, second] = [good(await ask(one), 201).id, good(await ask(one), 201).id] as [number, number]
    good(await one.delete(`/portal/doctor-dialogs/${first}`), 204)
    await past(second, `"dateCreate" = now() - interval '25 hours'`)
    await carryOn()
    expect(good(await one.get('/portal/doctor-dialogs')).dialogs).toEqual([])
    const { id } = await paid().then((made) => ({ ...made }))
    expect((await one.delete(`/portal/doctor-dialogs/${id}`)).status).toBe(404)
  })

  it('cannot be handed to another doctor', async () => {
    const { id } = await paid()
    expect((await doctor.post(`/service-online/${id}/transfer`, { idUser: idOther })).status).toBe(409)
    expect((await doctor.post(`/service-online/${id}/transfer`, { idUser: null })).status).toBe(409)
  })

  it('belongs to the patient, costs the shown price, and is refused if not offered', async () => {
    const [{ id }, stranger] = [await paid(), await world.patient()]
    for (const path of [`/portal/dialog?dialog=${id}`]) expect((await stranger.get(path)).status).toBe(404)
    expect((await pay(stranger, id)).status).toBe(404)
    expect((await ask(stranger, { sum: 1 })).status).toBe(409)
    expect((await ask(stranger, { doctor: 999_999 })).status).toBe(409)
    expect((await ask(stranger, { text: ' ' })).status).toBe(422)
    good(await desk.put('/settings/common', { portalActions: ['chat', 'pay'] }))
    expect(good(await stranger.get('/portal/doctor-dialogs')).offer).toBeNull()
    expect((await ask(stranger)).status).toBe(409)
    good(await desk.put('/settings/common', { portalActions: ['chat', 'doctor', 'pay'] }))
  })
})
