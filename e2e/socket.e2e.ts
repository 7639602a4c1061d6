import type { Page } from 'playwright/test'
import { expect, fits, phone, test, title } from './support.ts'

const state = (page: Page) => page.getByRole('definition').filter({ has: page.getByRole('status') })
const log = (page: Page) => page.getByRole('list', { name: /^Последние сообщения/ })
const send = (page: Page) => page.getByRole('button', { name: 'Отправить' }).click()

test.beforeEach(async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/socket')
  await expect(title(page, 'Проверка сокета')).toBeVisible()
  await expect(state(page)).toHaveText('Открыто')
})

test('ping, a subscription, and an event that the interface makes', async ({ page, clinic }) => {
  await page.getByRole('switch', { name: 'Без ping и pong' }).uncheck()
  await send(page)
  await expect(log(page).getByText('system / pong').first()).toBeVisible()
  await expect(page.getByText(/^\d+ мс$/)).toBeVisible()

  await page.getByRole('textbox', { name: 'Данные' }).fill('{ "path": ')
  await send(page)
  await expect(page.getByText('Это не JSON: проверьте кавычки и запятые')).toBeVisible()
  await page.getByRole('textbox', { name: 'Данные' }).fill('{ "path": "users" }')
  await page.getByRole('combobox', { name: 'Действие' }).fill('addListener')
  const before = await log(page).getByText('system / addListener').count()
  await send(page)
  await expect(log(page).getByText('system / addListener')).toHaveCount(before + 2)

  const { id } = await clinic.person()
  const post = `Должность ${id}`
  await clinic.call('PUT', `/users/${id}`, { post })
  const event = log(page).getByRole('listitem').filter({ hasText: 'users / update' }).first()
  await expect(event).toBeVisible()
  await page.getByRole('searchbox', { name: 'Найти в журнале' }).fill(`"id":${id}`)
  await event.getByText('users / update').click()
  await expect(event).toContainText('"post"')
})

test('the connection is closed and opened; the server shows its figures', async ({ page }) => {
  const figure = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell')
  await expect(figure('Подключений')).toHaveText(/^[1-9]/)
  await expect(figure('Сотрудников')).toHaveText(/^[1-9]/)
  await page.getByRole('button', { name: 'Отключить' }).click()
  await expect(state(page)).toHaveText('Закрыто')
  await expect(page.getByRole('status', { name: /^Нет соединения/ })).toBeVisible()
  await page.getByRole('button', { name: 'Подключить', exact: true }).click()
  await expect(state(page)).toHaveText('Открыто')
  await page.getByRole('button', { name: 'Переподключить' }).click()
  await expect(state(page)).toHaveText('Открыто')
  await phone(page)
  await fits(page)
})
