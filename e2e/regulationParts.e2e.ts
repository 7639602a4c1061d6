import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { expect, fits, phone, test, toast } from './support.ts'

/** Regulations beyond the main path: refusals, a phone, parts of a step, days and terms. */

/** Toasts are at the top right: beside the dialog, not over its title. */
const WIDE = { width: 1760, height: 900 }
/** One red pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

const opened = (page: Page) => page.getByRole('dialog')
test('a list that does not load shows why and is loaded again', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 503/)
  await clinic.enter(page)
  let broken = true
  const refusal = { name: 'Unavailable', message: 'База данных перезапускается', status: 503 }
  await page.route(/\/regulations(\?|\/model\/get-user)/, (route) =>
    broken && route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 503, json: refusal })
      : route.fallback(),
  )
  await page.goto('/app/regulations')
  const message = toast(page, 'Ошибка при загрузке данных: База данных перезапускается')
  await expect(message).toBeVisible()
  await expect(message).toBeHidden()
  await page.getByText('Мои', { exact: true }).click()
  await expect(message).toBeVisible()
  const again = page.getByRole('button', { name: 'Повторить' })
  await expect(again).toBeVisible()
  broken = false
  // Other tests may have assigned reading to everybody: then the list exists already.
  const read = page.getByText('Регламентов для вас нет').or(page.getByText('Нужно ознакомиться')).first()
  await Promise.race([again.click(), read.waitFor()])
  await expect(read).toBeVisible()
  await page.getByText('Все', { exact: true }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test('on a phone each card has its actions', async ({ page, clinic }) => {
  const name = `Обход ${randomUUID().slice(0, 8)}`
  await clinic.call('POST', '/regulations/model/create', { name, stages: [{ title: 'Первый' }] })
  await clinic.enter(page)
  await phone(page)
  await page.goto(`/app/regulations?search=${encodeURIComponent(name)}`)
  await expect(page.getByRole('button', { name: `Изменить «${name}»` })).toBeVisible()
  await fits(page)
  await page.getByRole('button', { name: `Удалить «${name}»` }).click()
  await page.getByRole('dialog', { name: 'Подтвердите действие' }).getByRole('button', { name: 'Удалить' }).click()
  await expect(toast(page, 'Удалено 1 регламент(ов)')).toBeVisible()
  await expect(page.getByText('Регламенты не найдены')).toBeVisible()
})

test('a step is dragged, holds a document and a picture by its address', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 422/)
  await page.setViewportSize(WIDE)
  const { id } = await clinic.call('POST', '/regulations/model/create', {
    name: `Уборка ${randomUUID().slice(0, 8)}`,
    stages: [{ title: 'Первый' }, { title: 'Второй' }, { title: 'Третий' }],
  })
  const { token } = await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}&mode=edit`)
  const form = opened(page)
  const steps = form.getByRole('list', { name: 'Шаги' }).getByRole('listitem')
  const grip = steps.nth(2).locator('[aria-hidden]').first()
  await grip.dragTo(steps.nth(0), { targetPosition: { x: 200, y: 4 } })
  await expect(form.getByRole('textbox', { name: 'Название шага 1' })).toHaveValue('Третий')
  await expect(form.getByRole('textbox', { name: 'Название шага 3' })).toHaveValue('Второй')

  await form.getByRole('button', { name: 'Развернуть: Третий' }).click()
  const chooser = page.waitForEvent('filechooser')
  await form.getByRole('group', { name: 'Документы' }).getByRole('button', { name: 'Прикрепить' }).click()
  await (await chooser).setFiles({ name: 'журнал.txt', mimeType: 'text/plain', buffer: Buffer.from('Журнал уборки') })
  await expect(form.getByRole('link', { name: 'журнал' })).toBeVisible()

  await form.getByRole('button', { name: 'По ссылке' }).click()
  const ask = page.getByRole('dialog', { name: 'Картинка по ссылке' })
  const address = ask.getByRole('textbox', { name: 'Введите URL изображения' })
  const add = ask.getByRole('button', { name: 'Добавить' })
  for (const [url, refusal] of [
    ['ftp://clinic.ru/plan.png', 'Нужна ссылка, которая начинается с http:// или https://'],
    ['http://127.0.0.1/plan.png', 'Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя'],
  ] as const) {
    await address.fill(url)
    await add.click()
    await expect(ask.getByText(refusal)).toBeVisible()
  }
  // The tests have no outside network: the response is that of an upload.
  const stored = await page.request.post('/regulations/files', {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { file: { name: 'план.png', mimeType: 'image/png', buffer: PICTURE } },
  })
  await page.route('**/regulations/files/by-url', async (route) =>
    route.fulfill({ status: 201, json: await stored.json() }),
  )
  await address.fill('https://clinic.ru/plan.png')
  await add.click()
  await expect(form.getByRole('textbox', { name: 'Подпись картинки 1' })).toBeVisible()
  await expect(form.getByRole('button', { name: 'По ссылке' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Регламент успешно обновлен')).toBeVisible()
  await expect(opened(page).getByRole('list', { name: 'Шаги' }).getByRole('heading')).toHaveText([
    'Третий',
    'Первый',
    'Второй',
  ])
  await expect(opened(page).getByRole('link', { name: 'журнал' })).toBeVisible()
  await expect(opened(page).getByRole('button', { name: 'Посмотреть: Третий: картинка 1' })).toBeVisible()
})

test('the start day is set; terms of a regulation in force change without a new version', async ({ page, clinic }) => {
  await page.setViewportSize(WIDE)
  const { id } = await clinic.call('POST', '/regulations/model/create', {
    name: `Сдача смены ${randomUUID().slice(0, 8)}`,
    stages: [{ title: 'Передать ключи' }],
  })
  const go = (to: string) => clinic.call('POST', `/regulations/model/transition?id=${id}`, { to })
  for (const to of ['review', 'approved']) await go(to)
  await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}`)
  const menu = page.getByRole('button', { name: 'Действия с регламентом' })
  const choose = async (item: string) => {
    await menu.click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Назначить день вступления')
  const day = page.getByRole('dialog', { name: 'Когда вступит в силу' })
  await day.getByRole('button', { name: 'Назначить' }).click()
  await expect(day.getByText('Обязательное поле')).toBeVisible()
  const field = day.getByRole('textbox', { name: 'Вступает в силу' })
  await field.fill('01.01.2020')
  await day.getByRole('button', { name: 'Назначить' }).click()
  await expect(day.getByText('Нужен день позже сегодняшнего')).toBeVisible()
  await field.fill('01.02.2099')
  await day.getByRole('button', { name: 'Назначить' }).click()
  await expect(toast(page, 'Вступит в силу 01.02.2099')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ввести в действие', exact: true })).toBeHidden()

  await choose('Ввести в действие сейчас')
  await expect(opened(page).getByText('Активный', { exact: true }).first()).toBeVisible()
  await choose('Изменить сроки')
  const terms = page.getByRole('dialog', { name: 'Сроки регламента' })
  await terms.getByRole('textbox', { name: 'Дней на ознакомление' }).fill('3')
  await terms.getByRole('textbox', { name: 'Пересмотр, мес.' }).fill('6')
  await terms.getByRole('button', { name: 'Сохранить' }).click()
  await expect(terms).toBeHidden()
  const side = opened(page).getByRole('complementary', { name: 'Свойства регламента' })
  await expect(side).toContainText('3 дня на чтение')
  await expect(side).toContainText('раз в 6 месяцев')
  await expect(side).toContainText('Пересмотр')
})
