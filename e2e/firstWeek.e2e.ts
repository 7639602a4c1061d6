import { expect, test } from 'playwright/test'
import { type EmptyClinic, emptyClinic } from './emptyClinic.ts'
import { firstWeek } from './firstWeek.ts'
import { Hand } from './hand.ts'

/**
 * The first week of a clinic: from the first sign-in on an empty database to the first visit that is booked, done, paid
 * and printed, by mouse, with tables pasted. It counts the steps; docs/tests.md says what a step is.
 */
const MOST = 90
let clinic: EmptyClinic
test.beforeAll(async () => {
  test.setTimeout(10 * 60_000)
  clinic = await emptyClinic()
})
test.afterAll(() => clinic?.close())

test('an empty clinic books, holds, charges and prints its first visit', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 1000 })
  const hand = new Hand(page, 'mouse')
  await firstWeek(page, hand, clinic)
  test.info().annotations.push({ type: 'steps', description: `the first week: ${hand.steps} steps` })
  console.log(`the first week, mouse: ${hand.steps} steps`)
  expect(hand.steps).toBeLessThanOrEqual(MOST)
})
