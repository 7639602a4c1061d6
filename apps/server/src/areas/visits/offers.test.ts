/** Booking of services offered in a deal: each links to the other, for users who can see it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { dayAfter, registryRights, worldOf } from './testing/world.ts'

const S = '/sales-management'
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let idStage: number
let idReason: number

beforeAll(async () => {
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [...worldOf.rights, 'editSalesManagement', 'editFunnels'])
      await addPerson(app, 'seller', ['editSalesManagement'])
      await addPerson(app, 'registry', registryRights)
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  const { id } = good(await keeper.post(`${S}/funnels`, { name: 'Воронка' }), 201)
  idStage = good(await keeper.get(`${S}/stages?filter[idFunnel]=${id}`)).items[0].id
  idReason = good(await keeper.post(`${S}/offer-service-reason`, { name: 'Дорого' }), 201).id
})
afterAll(() => clinic.close())

/** A deal of a patient with an offer of these services. */
async function deal(
  idCustomer: number,
  services: readonly { idService: number; idStatus?: number; idReason?: number }[],
) {
  const { id: idLead } = good(await keeper.post(`${S}/leads`, { title: 'Курс', idStage }), 201)
  good(await keeper.post(`${S}/contacts`, { idLead, surname: 'Больной', idCustomer }), 201)
  const { id: idOffer } = good(await keeper.post(`${S}/offers`, { idLead, name: 'Курс' }), 201)
  const lines: number[] = []
  for (const one of services) lines.push(good(await keeper.post(`${S}/offer-services`, { idOffer, ...one }), 201).id)
  return { idLead, idOffer, lines }
}
const linked = async (idOffer: number): Promise<(number | null)[]> =>
  good(await keeper.get(`${S}/offer-services?filter[idOffer]=${idOffer}&sort=id`)).items.map(
    (one: { idCouponService: number | null }) => one.idCouponService,
  )
const linesOf = async (idVisit: number): Promise<number[]> =>
  good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${idVisit}&sort=id`)).items.map(
    (one: { id: number }) => one.id,
  )

it('a booking takes the offered lines of its patient, accepted ones first, each once', async () => {
  const { book, idService, idCustomer } = await worlds.make()
  const { idOffer } = await deal(idCustomer, [
    { idService },
    { idService, idStatus: 1 },
    { idService, idStatus: 2, idReason },
  ])
  const other = await deal(await worlds.patient(), [{ idService }])
  const first = await linesOf(good(await book('09:00'), 201).id)
  expect(await linked(idOffer)).toEqual([null, first[0], null])
  const second = await linesOf(good(await book('09:30'), 201).id)
  expect(await linked(idOffer)).toEqual([second[0], first[0], null])
  // Declined lines and offers to another patient are not linked.
  good(await book('10:00'), 201)
  expect(await linked(idOffer)).toEqual([second[0], first[0], null])
  expect(await linked(other.idOffer)).toEqual([null])
})

it('two concurrent bookings each take a line of their own', async () => {
  const { book, idService, idCustomer, idDoctors } = await worlds.make({ doctors: 2 })
  const { idOffer } = await deal(idCustomer, [{ idService }])
  const both = await Promise.all(idDoctors.map((idUser) => book('09:00', {}, { idUser })))
  const made = (await Promise.all(both.map(async (answer) => linesOf(good(answer, 201).id)))).flat()
  const [taken] = await linked(idOffer)
  expect(made).toContain(taken)
  expect(made).toHaveLength(2)
})

it('a line with a cancelled or declined visit is booked again; a closed deal takes nothing', async () => {
  const { book, idService, idCustomer } = await worlds.make()
  const { idOffer, idLead } = await deal(idCustomer, [{ idService }])
  const visit = good(await book('09:00'), 201)
  const body = { status: 'cancelled', cancelReason: 'time', cancelledBy: 'patient' }
  good(await keeper.post(`/appointments/${visit.id}/status`, body))
  const missed = good(await book('09:30'), 201)
  expect(await linked(idOffer)).toEqual(await linesOf(missed.id))
  await clinic.db.query({
    text: `update appointments set "visitStatus" = 'noShow' where "id" = $1`,
    values: [missed.id],
  })
  const refused = await linesOf(good(await book('10:30'), 201).id)
  expect(await linked(idOffer)).toEqual(refused)
  await clinic.db.query({ text: `update coupon_services set "cancelled" = true where "id" = $1`, values: [refused[0]] })
  const again = await linesOf(good(await book('11:00'), 201).id)
  expect(await linked(idOffer)).toEqual(again)
  good(await keeper.post(`${S}/offer-services`, { idOffer, idService }), 201)
  await clinic.db.query({
    text: `update sales_management_leads set "dateClosed" = now() where "id" = $1`,
    values: [idLead],
  })
  good(await book('10:00'), 201)
  expect(await linked(idOffer)).toEqual([again[0], null])
})

it('links the offer and the visit both ways, for users who can see them', async () => {
  const { book, idService, idCustomer } = await worlds.make()
  const { idOffer, lines } = await deal(idCustomer, [{ idService }])
  const visit = good(await book('09:00'), 201)
  const [line] = await linesOf(visit.id)
  const there = `${S}/offer-services/${lines[0]}?expand=couponService.coupon.appointment`
  expect(good(await keeper.get(there)).couponService).toMatchObject({
    id: line,
    coupon: { appointment: { id: visit.id, localStart: '09:00', localDate: dayAfter(30) } },
  })
  const back = `/coupon-services/${line}?expand=offerServices.offer`
  expect(good(await keeper.get(back)).offerServices).toMatchObject([{ id: lines[0], offer: { id: idOffer } }])
  expect(good(await keeper.get(`/coupon-services?filter[offerServices.idOffer]=${idOffer}`)).items).toMatchObject([
    { id: line },
  ])
  // Sales staff sees no visits, booking staff sees no deals.
  const [seller, registry] = [clinic.as('seller'), clinic.as('registry')]
  expect(good(await seller.get(`${S}/offer-services/${lines[0]}`))).toMatchObject({ idCouponService: line })
  const hidden = await seller.get(there)
  expect(JSON.stringify(hidden.body)).not.toContain('09:00')
  const shut = await registry.get(back)
  expect(JSON.stringify(shut.body)).not.toContain('Курс')
  expect(good(await registry.get(`/coupon-services/${line}`)).id).toBe(line)
  // The link cannot be set by hand.
  good(await seller.put(`${S}/offer-services/${lines[0]}`, { quantity: 2 }))
  const set = await seller.put(`${S}/offer-services/${lines[0]}`, { idCouponService: null })
  expect([set.status, await linked(idOffer)]).toEqual([expect.any(Number), [line]])
  // The log of the deal records it.
  good(await keeper.post(`/appointments/${visit.id}/move`, { localDate: dayAfter(30), localStart: '10:00' }))
  expect(await linked(idOffer)).toEqual([line])
})
