import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('has webhooks without a receiver, and undelivered messages of one', async () => {
  const admin = clinic.as('admin')
  const { items } = good(await admin.get('/webhooks?sort=name'))
  expect(items).toMatchObject([
    { active: false, stopped: 0, offReason: null },
    { active: false, stopped: 2, offReason: 'Не принимал события дольше 3 дней' },
  ])
  expect(good(await admin.get('/exchange/messages?filter[adapter][nin]=egisz&count=1&limit=1'))._meta.totalCount).toBe(
    240,
  )
})
