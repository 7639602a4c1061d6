import { expect, signIn, test, title } from './support.ts'

test('help is beside its page and follows it; its words are found there and by Ctrl+K', async ({ page, clinic }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await clinic.enter(page)
  await page.goto('/app/cash')
  await expect(title(page, 'Касса')).toBeVisible()
  await page.keyboard.press('?')
  const help = page.getByRole('complementary', { name: /^Справка/ })
  await expect(help.getByRole('heading', { name: 'Справка: Касса' })).toBeVisible()
  await expect(help).toContainText('N принимает оплату')
  // It lies beside the page, not over it.
  const [page1, panel] = [await page.locator('#main').boundingBox(), await help.boundingBox()]
  expect((page1?.x ?? 0) + (page1?.width ?? 0)).toBeLessThanOrEqual((panel?.x ?? 0) + 1)
  await help.getByText('Подробнее').click()
  await expect(help).toContainText('Чек коррекции')

  await help.getByRole('searchbox', { name: 'Поиск в справке' }).fill('скидку вручную')
  await help.getByRole('button', { name: /^Скидки/ }).click()
  await expect(page.getByRole('complementary', { name: 'Справка: Скидки' })).toBeVisible()
  await page.getByRole('link', { name: 'Открыть страницу' }).click()
  await expect(title(page, 'Скидки')).toBeVisible()
  await page.keyboard.press('?')
  await expect(help).toBeHidden()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Поиск и команды' }).fill('закрытие с пересчётом')
  await page.getByRole('option', { name: /^Касса/ }).click()
  await expect(page.getByRole('complementary', { name: 'Справка: Касса' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
})

test('on a phone the help opens over the page', async ({ page, clinic }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, await clinic.person({ roles: ['Регистратор'] }))
  await page.goto('/app/customers')
  await expect(title(page, 'Клиенты')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Справка: Клиенты' })).toContainText('N заводит карту')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Справка: Клиенты' })).toBeHidden()
})
