import { Call } from '@ordinator/model/areas/calls/call'
import { phoneOf } from '@ordinator/model/phone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { good } from './testing/deals.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

const list = async (path: string) => good(await clinic.as('admin').get(path)).items

it('offers of the demo deals use the catalogue and its prices', async () => {
  const lines: { price: number; service: { nameService: string; priceService: number; active: boolean } }[] =
    await list('/sales-management/offer-services?limit=500&expand=service')
  expect(lines.length).toBeGreaterThan(40)
  for (const { price, service } of lines)
    expect([service.nameService, price, service.active]).toEqual([service.nameService, service.priceService, true])
})

it('demo deals have calls by the numbers of their contacts, in the last three months', async () => {
  const links: { idEntity: number; lead: { contacts: { phone: string }[] } }[] = await list(
    '/sales-management/entities?limit=500&filter[type]=call&expand=lead.contacts',
  )
  expect(links.length).toBeGreaterThan(20)
  const linked = await list(`/${Call.path}?limit=500&filter[id][in]=${links.map(({ idEntity }) => idEntity).join()}`)
  const longAgo = Date.now() - 100 * 86_400_000
  for (const { dateCreate, dateEnd, duration } of linked) {
    expect(Date.parse(dateCreate)).toBeGreaterThan(longAgo)
    expect(Date.parse(dateEnd)).toBeLessThanOrEqual(Date.now())
    expect(duration).toBeGreaterThanOrEqual(0)
  }
  const byId = new Map(linked.map((call: { id: number; contactPhone: string }) => [call.id, call.contactPhone]))
  for (const { idEntity, lead } of links)
    expect(lead.contacts.map(({ phone }) => phoneOf(phone))).toContain(byId.get(idEntity))
})
