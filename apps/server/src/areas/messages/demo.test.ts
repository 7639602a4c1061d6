import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('has two months of delivered and failed messages, and prepared documents', async () => {
  const admin = clinic.as('admin')
  const many = async (path: string, filter = '') =>
    good(await admin.get(`/${path}?count=1&limit=1${filter}`))._meta.totalCount
  // Also a mailing, only to patients with consent to advertising by SMS.
  const mailed = good(await admin.get('/messages?limit=100&filter[event]=custom')).items
  expect(mailed.length).toBeGreaterThan(10)
  expect(new Set(mailed.map(({ status }: { status: string }) => status))).toEqual(new Set(['delivered', 'failed']))
  const ids = mailed.map(({ idCustomer }: { idCustomer: number }) => idCustomer)
  const agreed = good(
    await admin.get(`/consents?limit=500&filter[type]=ads&filter[status]=signed&filter[idCustomer][in]=${ids}`),
  ).items.filter(({ channels }: { channels: string[] }) => channels.includes('sms'))
  expect(new Set(agreed.map(({ idCustomer }: { idCustomer: number }) => idCustomer))).toEqual(new Set(ids))
  expect(await many('messages')).toBe(150 + mailed.length)
  const [delivered, failed] = [
    await many('messages', '&filter[status]=delivered'),
    await many('messages', '&filter[status]=failed'),
  ]
  expect(delivered).toBeGreaterThan(60)
  expect(failed).toBeGreaterThan(8)
  expect(failed + delivered).toBeLessThan(150 + mailed.length)
  // None is pending: the demo clinic sends nothing.
  expect(await many('messages', '&filter[status]=queued')).toBe(0)
  const { items } = good(await admin.get('/messages?limit=200&fields=text,reason,status,dateCreate&sort=dateCreate'))
  for (const { text } of items) expect(text).not.toMatch(/[{}[\]]/)
  const [first] = items
  expect(Date.now() - Date.parse(first.dateCreate)).toBeGreaterThan(40 * 86_400_000)
  expect(await many('print-templates')).toBe(37)
  // Messages of sealed cards are in no list, so they are counted in the database.
  const made = await clinic.db.one({
    text: `select count(*)::int as n from examinations where not "deleted"`,
    values: [],
  })
  expect(made).toEqual({ n: 400 })
  expect(await many('examination-templates')).toBe(8)
  const { items: forms } = good(await admin.get('/examination-templates?limit=20&fields=idSpeciality'))
  expect(new Set(forms.map(({ idSpeciality }: { idSpeciality: number }) => idSpeciality)).size).toBe(8)
  const days = await clinic.db.one<{ first: number; last: number }>({
    text: `select current_date - min("date") as first, current_date - max("date") as last from examinations`,
    values: [],
  })
  expect(days?.first).toBeGreaterThan(50)
  expect(days?.first).toBeLessThan(75)
  expect(days?.last).toBeLessThan(5)
})
