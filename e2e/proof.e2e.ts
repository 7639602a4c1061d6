/**
 * The password prompt before sensitive operations. Test users have just signed in, so the server asks for nothing: its
 * refusal is simulated here until the server has accepted the password. `auth/grave.test.ts` tests the server's refusals.
 */
import type { Page } from 'playwright/test'
import { expect, type Person, signIn, test, toast } from './support.ts'

const refused = /status of (403|422) \(.*\/(auth\/proof|users\/export)/

/** Refuses each export of employees until `/auth/proof` has returned 204. @returns the number of export requests */
async function hourOld(page: Page): Promise<() => { asked: number; proofs: number[] }> {
  let asked = 0
  const proofs: number[] = []
  await page.route('**/auth/proof', async (route) => {
    const response = await route.fetch()
    proofs.push(response.status())
    await route.fulfill({ response })
  })
  await page.route('**/users/export*', async (route) => {
    asked++
    if (proofs.includes(204)) return route.continue()
    await route.fulfill({ status: 403, json: { status: 403, code: 'proof', message: 'Подтвердите паролем' } })
  })
  return () => ({ asked, proofs })
}

async function enterUsers(page: Page, person: Person) {
  await signIn(page, person)
  await page.goto('/app/users')
  await page.getByRole('button', { name: 'Выгрузить' }).click()
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Подтвердите паролем' })

test('asks, refuses a wrong password, and continues the request after the right one', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(refused)
  const person = await clinic.person({ roles: ['Полный доступ'] })
  const counts = await hourOld(page)
  await enterUsers(page, person)
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Таблица CSV' }).click()

  const field = question(page).getByLabel('Пароль', { exact: true })
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question(page).getByText('Обязательное поле')).toBeVisible()
  await field.fill('не тот пароль')
  await page.keyboard.press('Enter')
  await expect(question(page).getByText('Неверный пароль')).toBeVisible()
  await expect(field).toBeFocused()
  expect(counts()).toMatchObject({ asked: 1, proofs: [422] })

  await field.fill(person.password)
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/^Список сотрудников .+\.csv$/)
  await expect(question(page)).toBeHidden()
  expect(counts()).toEqual({ asked: 2, proofs: [422, 204] })
})

test('two that ask at once share one question; a cancelled question is reported, and nothing is done', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(refused)
  const person = await clinic.person({ roles: ['Полный доступ'] })
  const counts = await hourOld(page)
  await enterUsers(page, person)
  // Both before anything is drawn.
  const twice = () =>
    page.getByRole('menuitem', { name: 'Таблица CSV' }).evaluate((item: HTMLElement) => {
      item.click()
      item.click()
    })
  await twice()
  await expect(question(page)).toHaveCount(1)
  await expect.poll(() => counts().asked).toBe(2)
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(toast(page, 'Подтвердите паролем')).toBeVisible()
  expect(counts()).toEqual({ asked: 2, proofs: [] })

  await page.getByRole('button', { name: 'Выгрузить' }).click()
  const files: string[] = []
  page.on('download', (file) => files.push(file.suggestedFilename()))
  await twice()
  await expect(question(page)).toHaveCount(1)
  await question(page).getByLabel('Пароль', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await expect(question(page)).toBeHidden()
  await expect.poll(() => files.length).toBe(2)
  expect(counts().proofs).toEqual([204])
})
