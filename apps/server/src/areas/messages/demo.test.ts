import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '../../testing/good.ts'
import { type Clinic, testApp } from '../../testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('has two months of messages that came and that did not, and the papers that a clinic takes ready', async () => {
  const admin = clinic.as('admin')
  const many = async (path: string, filter = '') =>
    good(await admin.get(`/${path}?count=1&limit=1${filter}`))._meta.totalCount
  expect(await many('messages')).toBe(150)
  const [delivered, failed] = [
    await many('messages', '&filter[status]=delivered'),
    await many('messages', '&filter[status]=failed'),
  ]
  expect(delivered).toBeGreaterThan(60)
  expect(failed).toBeGreaterThan(8)
  expect(failed + delivered).toBeLessThan(150)
  // None is yet to go out: the demo clinic writes to nobody.
  expect(await many('messages', '&filter[status]=queued')).toBe(0)
  const { items } = good(await admin.get('/messages?limit=200&fields=text,reason,status,dateCreate&sort=dateCreate'))
  for (const { text } of items) expect(text).not.toMatch(/[{}[\]]/)
  const [first] = items
  expect(Date.now() - Date.parse(first.dateCreate)).toBeGreaterThan(40 * 86_400_000)
  expect(await many('print-templates')).toBe(14)
  // One of them is of a sealed card, which nobody is listed: so they are counted where they stand.
  const made = await clinic.db.one({
    text: `select count(*)::int as n from examinations where not "deleted"`,
    values: [],
  })
  expect(made).toEqual({ n: 400 })
  expect(await many('examination-templates')).toBe(8)
})
