import { expect, test } from 'playwright/test'

test('the server of the tests answers', async ({ request, page }) => {
  expect(await (await request.get('/health')).json()).toMatchObject({ status: 'ok' })
  await page.goto('/')
  await expect(page).toHaveURL(/\/app/)
})
