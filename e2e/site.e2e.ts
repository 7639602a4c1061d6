import { request } from 'playwright/test'
import { violations } from './look/axe.ts'
import { SMS_PORT } from './ports.ts'
import { expect, fits, test } from './support.ts'

/** The code of the latest message to a phone, from the gateway started by `server.mjs`. */
async function codeTo(to: string): Promise<string | undefined> {
  const api = await request.newContext()
  const { messages } = await (await api.get(`http://127.0.0.1:${SMS_PORT}/messages`)).json()
  await api.dispose()
  const last = messages.filter((one: { to: string }) => one.to === to).at(-1)
  return /Код для входа: (\d{6})/.exec(last?.text ?? '')?.[1]
}

const SERVICE = 'Приём (осмотр, консультация) врача-терапевта первичный'

test('a new visitor is booked in six steps from the home page, on a phone', async ({ visitor }) => {
  const page = await visitor()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/site')
  let steps = 0
  const step = async (act: Promise<unknown>) => {
    await act
    steps++
  }
  await fits(page)
  await step(page.getByRole('link', { name: 'Записаться', exact: true }).first().click())
  await expect(page.getByRole('heading', { name: 'Запись на приём' })).toBeVisible()
  await fits(page)
  await step(page.locator('.card h3 a').first().click())
  await expect(page.getByRole('heading', { level: 1, name: /^Запись: / })).toBeVisible()
  expect(await violations(page, 'light')).toEqual([])
  await fits(page)
  // On a later day: the patient cannot move a visit of the next hours.
  const times = page.locator('.times a')
  const time = times.nth((await times.count()) - 3)
  const clock = (await time.innerText()).trim()
  await step(time.click())
  await expect(page.getByText('Время держится за вами')).toBeVisible()
  const to = `+7918${Date.now().toString().slice(-7)}`
  await page.getByLabel('Ваш телефон').fill(to)
  expect(await violations(page, 'light')).toEqual([])
  await step(page.getByRole('button', { name: 'Получить код' }).click())
  await expect.poll(() => codeTo(to)).toMatch(/^\d{6}$/)
  await page.getByLabel('Код из сообщения').fill((await codeTo(to)) as string)
  await step(page.getByRole('button', { name: 'Продолжить' }).click())
  await page.getByLabel('Фамилия').fill('Посетителева')
  await page.getByLabel('Имя', { exact: true }).fill('Вера')
  await page.getByLabel('Дата рождения').fill('1991-03-04')
  await page.getByLabel('Согласен на').check()
  expect(await violations(page, 'light')).toEqual([])
  expect(await violations(page, 'dark')).toEqual([])
  await fits(page)
  await step(page.getByRole('button', { name: 'Записаться' }).click())
  await expect(page.getByRole('heading', { name: 'Вы записаны' })).toBeVisible()
  expect(steps).toBeLessThanOrEqual(6)
  await page.getByRole('link', { name: 'Мои визиты', exact: true }).click()
  await expect(page.getByText(clock).first()).toBeVisible()
  // And moved to another time by the patient.
  await page.getByRole('button', { name: 'Перенести' }).click()
  const free = page.locator('.times .time').last()
  const next = (await free.innerText()).trim()
  await free.click()
  await expect(page.locator('.card strong').filter({ hasText: next })).toBeVisible()
  await page.getByRole('link', { name: 'Счёт' }).click()
  await page.getByRole('button', { name: /^Оплатить / }).click()
  await expect(page.getByText('Проведена')).toBeVisible()
  await fits(page)
  expect(await violations(page, 'light')).toEqual([])
  expect(await violations(page, 'dark')).toEqual([])
})

test('without a script a visitor gets from the home page to a free time', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL as string, locale: 'ru-RU' })
  const page = await context.newPage()
  await page.goto('/site')
  await page.getByRole('link', { name: 'Записаться', exact: true }).first().click()
  await page.getByRole('link', { name: SERVICE }).first().click()
  await expect(page.locator('.times a').first()).toHaveAttribute(
    'href',
    /^\/portal#book=\d+\.\d+\.\d+\.[\d-]{10}\.\d\d:\d\d$/,
  )
  const doctor = page.getByLabel('Врач')
  await doctor.selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Показать время' }).click()
  await expect(page).toHaveURL(/doctor=\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Запись')
  await context.close()
})
