/** What counts (`areas/counted`), over HTTP: a cancelled visit, a deleted one and a refused service count nowhere. */
import { expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  complete,
  consent,
  desk,
  insure,
  keeper,
  openPayersClinic,
  payer,
  today,
  year,
} from './testing/payersClinic.ts'

openPayersClinic()

const sold = async (idService: number) => {
  const { months } = good(await keeper.get(`/services/${idService}/sales`))
  return months.at(-1)
}

it('a cancelled visit gives its place in a guarantee letter back', async () => {
  const one = await payer({ letter: 'always' })
  const who = await insure(one)
  const letter = { idCustomer: who, idInsurer: one.idPayer, number: 'Г-7', dateFrom: today, dateTo: `${year}-12-31` }
  const { id } = good(await keeper.post('/guarantee-letters', { ...letter, limit: 1000 }), 201)
  const service = [{ idService: desk.idService, qty: 1 }]
  const insurer = async (visit: number) => {
    const [line] = await desk.linesOf(visit)
    return good(await keeper.get(`/coupon-services/${line?.id}`)).insurer
  }
  const first = good(await desk.book(who, service), 201)
  expect(await insurer(first.id)).toBe(1000)
  good(await desk.to(first.id, 'cancelled', { cancelReason: 'ill' }))
  expect(good(await keeper.get(`/guarantee-letters/${id}`)).used).toBe(0)
  const second = good(await desk.book(who, service), 201)
  expect(await insurer(second.id)).toBe(1000)
  expect(good(await keeper.get(`/guarantee-letters/${id}`)).used).toBe(1000)
})

it('a service done in a visit that is cancelled afterwards is neither claimed nor sold', async () => {
  const one = await payer()
  const who = await insure(one)
  const before = await sold(desk.idService)
  const visit = await desk.visit([1], { idCustomer: who })
  good(await desk.done(visit.lines[0] as number), 204)
  expect(await sold(desk.idService)).toMatchObject({ qty: before.qty + 1 })
  const registry = good(await keeper.post('/payer-registries/collect', { idContract: one.idContract, month: today }))
  expect(registry.lines).toBe(1)
  await complete(one.idContract)
  await consent(who)
  good(await desk.to(visit.id, 'cancelled', { cancelReason: 'clinic' }))
  const send = await keeper.post(`/payer-registries/${registry.id}/send`, {})
  expect([send.status, send.body.code]).toEqual([409, 'stale'])
  expect(await sold(desk.idService)).toEqual(before)
})

it('a refused service is named neither on the calendar nor in the visit', async () => {
  const { id: idOther } = good(await keeper.post('/services', { nameService: 'Снимок', priceService: 500 }), 201)
  good(await keeper.post('/service-performers', { idService: idOther, idUser: desk.idUser }), 201)
  const { id } = good(
    await desk.book(await insure(await payer()), [
      { idService: desk.idService, qty: 1 },
      { idService: idOther, qty: 1 },
    ]),
    201,
  )
  const names = async () => {
    const { visits } = good(await keeper.get(`/appointments/day?idFilial=${desk.idFilial}&date=${today}`))
    const onGrid = visits.find((one: { idAppointment: number }) => one.idAppointment === id).services
    return [good(await keeper.get(`/appointments/${id}`)).services, onGrid]
  }
  for (const name of await names()) expect(name).toMatch(/^Приём \d+, Снимок$/)
  good(await desk.refuse((await desk.linesOf(id))[1]?.id as number), 204)
  for (const name of await names()) expect(name).toMatch(/^Приём \d+$/)
})
