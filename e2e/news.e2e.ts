import { createHmac, randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, signIn, test, title } from './support.ts'

/** News: written with pictures, listed and filtered, read, reported as unread, imported from outside. */

const REFUSED = /status of (4\d\d|502)/
/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
)
const image = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG })

async function enter(page: Page, clinic: Clinic): Promise<void> {
  await clinic.enter(page)
}

const made = (clinic: Clinic, more: object = {}): Promise<{ id: number; title: string }> =>
  clinic.call('POST', '/news', { title: `Новость ${randomUUID()}`, text: '<p>Ждём всех.</p>', active: true, ...more })

const panel = (page: Page): Locator => page.getByRole('dialog')
const tiles = (page: Page): Locator => page.getByRole('list', { name: 'Изображения' }).getByRole('listitem')

/** Chooses files as the user does, by the tile that adds them. */
async function choose(page: Page, files: ReturnType<typeof image>[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Добавить изображение' }).click()
  await (await chooser).setFiles(files)
}

test('a news item is written with pictures, which are deleted, restored and zoomed', async ({ page, clinic }) => {
  await enter(page, clinic)
  await page.goto('/app/news')
  await page.getByRole('button', { name: 'Добавить новость' }).click()
  const name = `Праздник ${randomUUID()}`
  await panel(page).getByRole('textbox', { name: 'Заголовок' }).fill(name)
  await panel(page).getByRole('switch', { name: 'Активна' }).check()
  await expect(panel(page).getByRole('button', { name: 'Удалить', exact: true })).toHaveCount(0)

  await choose(page, [image('a.png'), image('b.png'), { ...image('c.txt'), mimeType: 'text/plain' }])
  await expect(page.getByText(/«c\.txt»: неподдерживаемый тип файла/)).toBeVisible()
  await expect(tiles(page).filter({ hasText: 'Новое' })).toHaveCount(2)
  await panel(page).getByRole('button', { name: 'Удалить изображение 2' }).click()
  await expect(tiles(page).filter({ hasText: 'Новое' })).toHaveCount(1)
  await choose(page, [image('d.png')])
  await expect(tiles(page).filter({ hasText: 'Новое' })).toHaveCount(2)
  await panel(page).getByRole('textbox', { name: 'Заголовок' }).press('Control+Enter')
  await expect(panel(page).getByRole('heading', { name })).toBeVisible()

  await panel(page).getByRole('button', { name: 'Открыть изображение 1' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Просмотр «Изображение 1»' })
  await expect(lightbox).toBeVisible()
  await page.keyboard.press('+')
  await expect(lightbox.getByRole('button', { name: 'Отдалить' })).toBeEnabled()
  await page.keyboard.press('0')
  await expect(lightbox.getByRole('button', { name: 'Отдалить' })).toBeDisabled()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Просмотр «Изображение 2»' })).toBeVisible()
  await page.keyboard.press('Escape')

  await panel(page).getByRole('button', { name: 'Изменить' }).click()
  await panel(page).getByRole('button', { name: 'Удалить изображение 1' }).click()
  await panel(page).getByRole('button', { name: 'Удалить изображение 2' }).click()
  await expect(tiles(page).filter({ hasText: 'Будет удалено' })).toHaveCount(2)
  await panel(page).getByRole('button', { name: 'Вернуть изображение 1' }).click()
  await panel(page).getByRole('button', { name: 'Сохранить' }).click()
  await expect(panel(page).getByRole('button', { name: /^Открыть изображение/ })).toHaveCount(1)
})

test('a refused picture shows why, and is removed', async ({ page, clinic, complaints }) => {
  complaints.allow(REFUSED)
  const { id } = await made(clinic)
  await enter(page, clinic)
  await page.goto(`/app/news/${id}?edit=1`)
  await choose(page, [{ ...image('обман.png'), buffer: Buffer.from('это не картинка') }])
  const failed = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить изображение' })
  await expect(failed).toContainText('обман.png')
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
  await failed.getByRole('button', { name: 'Убрать «обман.png»' }).click()
  await expect(failed).toHaveCount(0)
  // An error without a message of its own.
  await page.route('**/news/images/files', (route) => route.fulfill({ status: 502, body: '' }))
  await choose(page, [image('шлюз.png')])
  await expect(failed).toContainText('Image upload failed')
  await page.unroute('**/news/images/files')
  await failed.getByRole('button', { name: 'Повторить загрузку «шлюз.png»' }).click()
  await expect(tiles(page).filter({ hasText: 'Новое' })).toHaveCount(1)
})

test('a draft is published by a button of its own', async ({ page, clinic }) => {
  const { id } = await made(clinic, { active: false })
  await enter(page, clinic)
  await page.goto(`/app/news/${id}`)
  await expect(page.getByText('Неактивна')).toBeVisible()
  await page.getByRole('button', { name: 'Опубликовать' }).click()
  await expect(page.getByText('Неактивна')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Опубликовать' })).toBeHidden()
  await expect.poll(async () => (await clinic.call('GET', `/news/${id}`)).active).toBe(true)
})

test('the table and the feed show the filtered items; many are published at once', async ({ page, clinic }) => {
  const word = randomUUID().slice(0, 8)
  await made(clinic, { title: `Первая ${word}`, active: false, source: 'vk' })
  await made(clinic, { title: `Вторая ${word}`, active: false, source: 'telegram', isPinned: true })
  await enter(page, clinic)
  await page.goto('/app/news')
  await expect(title(page, 'Новости')).toBeVisible()
  await page.getByLabel('Поиск новости').fill(word)
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
  await page.getByRole('button', { name: 'Опубликовать' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${word}.*Активна`) })).toHaveCount(2)

  await page.getByRole('button', { name: 'Лента', exact: true }).click()
  const cards = page.getByRole('list', { name: 'Лента новостей' }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toContainText('Вторая')
  await phone(page)
  await fits(page)
  await page.goto(`/app/news?view=feed&q=${word}&source=vk`)
  await expect(cards).toHaveCount(1)
  await expect(page.getByText('Источник: ВКонтакте')).toBeVisible()
})

test('an item is read on the dashboard; those who have not are reminded, and the reminder opens it', async ({
  page,
  clinic,
  visitor,
}) => {
  const reader = await clinic.person({ surname: `Читалкин-${randomUUID().slice(0, 6)}` })
  const { id, title: name } = await made(clinic, { isPinned: true })
  await enter(page, clinic)
  await page.goto(`/app/news?news=${id}`)
  await panel(page).getByRole('button', { name: 'Показать' }).click()
  await expect(panel(page).getByRole('tabpanel')).toContainText(reader.fio.split(' ', 1)[0] as string)
  await panel(page).getByRole('button', { name: 'Напомнить' }).click()
  await expect(page.getByText(/Напомнили: \d+/)).toBeVisible()

  const other = await visitor()
  await signIn(other, reader)
  await other.goto('/app/')
  await other.getByRole('button', { name: /^Уведомления/ }).click()
  await other
    .getByRole('dialog', { name: /Уведомления/ })
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await expect(other).toHaveURL(new RegExp(`news=${id}`))
  const opened = other.getByRole('dialog').filter({ hasText: 'Ждём всех.' })
  await expect(opened).toBeVisible()
  await expect(opened.getByRole('button', { name: 'Открыть полностью' })).toHaveCount(0)
  await expect(opened.getByRole('button', { name: 'Изменить' })).toHaveCount(0)
  // Comments need access to the page of news.
  await expect(opened.getByRole('textbox', { name: 'Новый комментарий' })).toHaveCount(0)

  await page.getByRole('tab', { name: /^Прочитали: [1-9]/ }).click()
  await expect(panel(page).getByRole('tabpanel')).toContainText(reader.fio.split(' ', 1)[0] as string)
  await other.goto('/app/news')
  await expect(other).toHaveURL(/error\/403/)
})

test('a webhook for an outside source: the secret is shown once, a signed post comes in once', async ({
  page,
  clinic,
}) => {
  await enter(page, clinic)
  await page.goto('/app/news')
  await page.getByRole('button', { name: 'Приём новостей' }).click()
  await panel(page).getByRole('button', { name: 'Новый приём' }).click()
  const intakeName = `Приём ${randomUUID().slice(0, 8)}`
  await panel(page).getByLabel('Название').fill(intakeName)
  await panel(page).getByLabel('Источник').click()
  await page.getByRole('option', { name: 'ВКонтакте' }).click()
  await panel(page).getByRole('button', { name: 'Создать', exact: true }).click()
  const item = panel(page).getByRole('listitem').filter({ hasText: intakeName })
  await item.getByRole('button', { name: 'Создать секрет' }).click()
  const secret = await item.getByLabel('Секрет', { exact: true }).inputValue()
  const address = await item.getByRole('textbox', { name: 'Адрес для отправки' }).inputValue()
  await item.getByText('Как отправить новость').click()

  const name = `Снаружи ${randomUUID()}`
  const body = JSON.stringify({ id: randomUUID(), title: name, text: 'Ждём <b>всех</b>' })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const send = () =>
    fetch(clinic.url + new URL(address).pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Signature': `sha256=${signature}` },
      body,
    })
  expect((await send()).status).toBe(200)
  expect(await (await send()).json()).toEqual({ ok: true, repeated: true })
  await page.goto(`/app/news?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(1)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Неактивна')
})
