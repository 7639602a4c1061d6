import { type APIRequestContext, type Browser, expect, type Locator, type Page, test } from 'playwright/test'

/** Boards of tasks: the main paths by pointer, keyboard and link; two browsers; a phone. One user, one session. */
test.describe.configure({ mode: 'serial' })

const USER = 'manager'

let token = ''
let idBoard = 0
let columns: { id: number; name: string }[] = []
let page: Page
const errors: string[] = []

async function call<T>(request: APIRequestContext, method: string, path: string, data?: unknown): Promise<T> {
  const answer = await request.fetch(path, { method, data, headers: { Authorization: `Bearer ${token}` } })
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return answer.status() === 204 ? (undefined as T) : ((await answer.json()) as T)
}

async function open(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: test.info().project.use.baseURL, ...options })
  await context.addInitScript((value) => localStorage.setItem('ordinator:token', value), token)
  const opened = await context.newPage()
  opened.on('console', (message) => {
    // The browser logs each expected error response to the console.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  opened.on('pageerror', (error) => errors.push(error.message))
  return opened
}

const column = (on: Page, at: number): Locator => on.locator(`[data-column="${columns[at]?.id}"]`)
const card = (on: Page, name: string): Locator => on.locator('[data-card]').filter({ hasText: name })

/** Names in a column from top to bottom, in their order on the screen. */
const names = (on: Page, at: number): Promise<string[]> =>
  column(on, at)
    .locator('[data-card]')
    .evaluateAll((cards) =>
      cards
        .map((c) => ({ top: c.getBoundingClientRect().top, name: (c as HTMLElement).innerText.split('\n')[0] ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map((c) => c.name),
    )

const shows = (on: Page, at: number, wanted: string[]) => expect.poll(() => names(on, at)).toEqual(wanted)

async function stored(request: APIRequestContext, at: number): Promise<string[]> {
  const query = `filter[idColumn]=${columns[at]?.id}&filter[isArchive]=0&sort=order&expand=task&limit=100`
  const { items } = await call<{ items: { task: { name: string } }[] }>(
    request,
    'GET',
    `/tasks-management/assigned?${query}`,
  )
  return items.map((item) => item.task.name)
}
const keeps = (request: APIRequestContext, at: number, wanted: string[]) =>
  expect.poll(() => stored(request, at)).toEqual(wanted)

test.beforeAll(async ({ browser, request }) => {
  const answer = await request.post('/auth/login', {
    data: { login: USER, password: 'demo', rememberMe: false, forceLogin: true },
  })
  token = ((await answer.json()) as { accessToken: string }).accessToken
  page = await open(browser)
})

test.afterAll(async () => {
  await page?.context().close()
})

test('a workspace is created with columns to begin with', async ({ request }) => {
  await page.goto('/app/tasks')
  await page.getByRole('button', { name: 'Новое пространство' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Название').fill('я'.repeat(65))
  await expect(dialog.getByText('Количество символов не должно превышать 64')).toBeVisible()
  await dialog.getByLabel('Название').fill('Проверка доски')
  await dialog.getByRole('button', { name: 'Создать' }).click()
  await expect(page).toHaveURL(/board=\d+/)
  await expect(page.getByRole('heading', { level: 1, name: 'Проверка доски' })).toBeVisible()
  idBoard = Number(new URL(page.url()).searchParams.get('board'))
  const query = `filter[idBoard]=${idBoard}&sort=order`
  columns = (await call<{ items: typeof columns }>(request, 'GET', `/tasks-management/columns?${query}`)).items
  expect(columns.length).toBeGreaterThan(2)
})

test('a column is added, renamed and moved', async ({ request }) => {
  await page.getByRole('button', { name: 'Добавить колонку' }).click()
  await page.getByLabel('Название новой колонки').fill('Потом')
  await page.keyboard.press('Enter')
  const menu = page.getByRole('button', { name: 'Действия с колонкой «Потом»' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Сдвинуть влево' }).click()
  const order = async () =>
    (
      await call<{ items: { name: string }[] }>(
        request,
        'GET',
        `/tasks-management/columns?filter[idBoard]=${idBoard}&sort=order`,
      )
    ).items.map((c) => c.name)
  await expect.poll(async () => (await order()).at(-2)).toBe('Потом')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Переименовать' }).click()
  await page.getByLabel('Название колонки', { exact: true }).fill('Когда-нибудь')
  await page.keyboard.press('Enter')
  await expect.poll(order).toContain('Когда-нибудь')
})

test('tasks are added one after another, and a draft outlives Escape', async ({ request }) => {
  const add = page.getByRole('button', { name: `Добавить задачу в «${columns[0]?.name}»` })
  await add.click()
  for (const name of ['Третья', 'Вторая', 'Первая']) {
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(card(page, name)).toBeVisible()
  }
  await page.keyboard.type('недописанное')
  await page.keyboard.press('Escape')
  await add.click()
  const field = page.getByPlaceholder('Название задачи')
  await expect(field).toHaveValue('недописанное')
  await field.fill('')
  await page.keyboard.press('Escape')
  await shows(page, 0, ['Первая', 'Вторая', 'Третья'])
  await keeps(request, 0, ['Первая', 'Вторая', 'Третья'])

  await add.click()
  await page.route('**/tasks-management/tasks', (route) =>
    route.fulfill({ status: 422, json: [{ field: 'name', message: 'Так назвать нельзя' }] }),
  )
  await field.fill('Плохая')
  await field.press('Enter')
  const failed = page.getByRole('alert').filter({ hasText: 'Ошибка создания задачи' })
  await expect(failed).toContainText('Так назвать нельзя')
  await page.unroute('**/tasks-management/tasks')
  await field.fill('')
  await page.keyboard.press('Escape')

  // The member's own settings: loaded first, opened afterwards.
  const me = await call<{ user: { identity: { id: number } } }>(request, 'POST', '/common/get-account')
  const { items } = await call<{ items: { id: number }[] }>(
    request,
    'GET',
    `/tasks-management/members?filter[idBoard]=${idBoard}&filter[idUser]=${me.user.identity.id}`,
  )
  const own = (on: boolean) =>
    call(request, 'PUT', `/tasks-management/members/${items[0]?.id}`, { isConfirmCreate: on, openAfterCreate: on })
  await own(true)
  await add.click()
  await field.fill('Обдуманная')
  await field.press('Enter')
  const question = page.getByRole('dialog', { name: 'Подтвердите действие' })
  await expect(question).toContainText('Создать задачу «Обдуманная»?')
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(field).toHaveValue('Обдуманная')
  await field.press('Enter')
  await question.getByRole('button', { name: 'Создать' }).click()
  const made = page.getByRole('dialog', { name: 'Задача «Обдуманная»' })
  await expect(made).toBeVisible()
  await own(false)
  const card0 = await call<{ items: { idTask: number }[] }>(
    request,
    'GET',
    `/tasks-management/assigned?filter[task.name]=${encodeURIComponent('Обдуманная')}&filter[idColumn]=${columns[0]?.id}`,
  )
  await page.keyboard.press('Escape')
  await expect(made).toBeHidden()
  await call(request, 'DELETE', `/tasks-management/tasks/${card0.items[0]?.idTask}`)
  await shows(page, 0, ['Первая', 'Вторая', 'Третья'])
  await page.keyboard.press('Escape')
})

test('a dragged card moves in the second browser, and Ctrl+Z brings it back', async ({ browser, request }) => {
  const other = await open(browser)
  await other.goto(`/app/tasks?board=${idBoard}`)
  await expect(card(other, 'Вторая')).toBeVisible()
  await expect(other.getByRole('status', { name: /^Соединение установлено/ })).toBeVisible()
  const saved = page.waitForResponse((answer) => /\/assigned\/\d+\/move$/.test(answer.url()))
  await card(page, 'Вторая').dragTo(column(page, 1).locator('[data-list]'))
  await shows(page, 1, ['Вторая'])
  await saved
  await shows(other, 1, ['Вторая'])
  await keeps(request, 1, ['Вторая'])
  await expect(page.getByText(`Перемещено в «${columns[1]?.name}»`)).toBeVisible()
  await page.keyboard.press('Control+z')
  await shows(page, 0, ['Первая', 'Вторая', 'Третья'])
  await keeps(request, 0, ['Первая', 'Вторая', 'Третья'])
  await shows(other, 0, ['Первая', 'Вторая', 'Третья'])
  await other.context().close()
})

test('a card is moved by keys, at once by Ctrl+Shift, and by the menu', async ({ request }) => {
  await card(page, 'Первая').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await shows(page, 1, ['Первая'])
  expect(await stored(request, 1), 'nothing is saved while it is in the air').toEqual([])
  await page.keyboard.press('Escape')
  await shows(page, 0, ['Первая', 'Вторая', 'Третья'])
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await keeps(request, 0, ['Вторая', 'Первая', 'Третья'])
  await expect(card(page, 'Первая')).toBeFocused()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await page.keyboard.press('Control+Shift+ArrowRight')
  await keeps(request, 2, ['Первая'])
  await expect(card(page, 'Первая')).toBeFocused()
  await card(page, 'Первая').hover()
  await page.getByRole('button', { name: 'Действия с задачей «Первая»' }).click()
  await page.getByRole('menuitem', { name: 'Переместить…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Переместить задачу' })
  await dialog.getByRole('combobox', { name: 'Колонка' }).click()
  await page.getByRole('option', { name: columns[0]?.name, exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Место' }).click()
  await page.getByRole('option', { name: 'В конец' }).click()
  await dialog.getByRole('button', { name: 'Переместить' }).click()
  await keeps(request, 0, ['Вторая', 'Третья', 'Первая'])
})

test('a refused move goes back and shows the reason', async () => {
  await page.route('**/assigned/*/move', (route) =>
    route.fulfill({ status: 422, json: [{ field: 'idColumn', message: 'Эту задачу нельзя завершить' }] }),
  )
  await card(page, 'Вторая').dragTo(column(page, 2).locator('[data-list]'))
  await expect(page.getByText('Эту задачу нельзя завершить')).toBeVisible()
  await shows(page, 0, ['Вторая', 'Третья', 'Первая'])
  await page.unroute('**/assigned/*/move')
})

test('single keys: importance, name, archive and back', async ({ request }) => {
  const task = async (name: string) =>
    (
      await call<{ items: { importance: number }[] }>(
        request,
        'GET',
        `/tasks-management/tasks?filter[name]=${encodeURIComponent(name)}&filter[assigned.column.idBoard]=${idBoard}`,
      )
    ).items[0]
  await card(page, 'Третья').focus()
  await page.keyboard.press('7')
  await expect.poll(async () => (await task('Третья'))?.importance).toBe(7)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Название задачи' }).fill('Третья, важная')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await task('Третья, важная'))?.importance).toBe(7)
  await expect(card(page, 'Третья, важная')).toBeFocused()
  await page.keyboard.press('c')
  await shows(page, 0, ['Вторая', 'Первая'])
  await expect(page.getByText('Задача в архиве')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(card(page, 'Третья, важная')).toBeVisible()
})

test('the card saves by itself, loses nothing on Escape, and its link opens it', async ({ request }) => {
  await card(page, 'Вторая').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/assignedColumn=\d+/)
  const link = page.url()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Название задачи' }).fill('Вторая, уточнённая')
  await expect(dialog.getByText('Сохранено', { exact: true })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Описание' }).click()
  await page.keyboard.type('Слова, которые нельзя потерять')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).not.toHaveURL(/assignedColumn/)
  await expect(card(page, 'Вторая, уточнённая')).toBeFocused()
  const saved = async () => {
    const query = `filter[name]=${encodeURIComponent('Вторая, уточнённая')}&filter[assigned.column.idBoard]=${idBoard}`
    return (await call<{ items: { description: string }[] }>(request, 'GET', `/tasks-management/tasks?${query}`))
      .items[0]?.description
  }
  await expect.poll(saved).toContain('Слова, которые нельзя потерять')
  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.goForward()
  await expect(dialog).toBeHidden()
  await page.goto(link)
  await expect(dialog.getByRole('textbox', { name: 'Описание' })).toContainText('Слова, которые нельзя потерять')
  await page.goto(`/app/tasks?board=${idBoard}&assignedColumn=999999999`)
  await expect(page.getByText('Задача не найдена')).toBeVisible()
})

test('a stale text is not written over another one', async ({ request }) => {
  await page.goto(`/app/tasks?board=${idBoard}`)
  await card(page, 'Первая').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog').first()
  await dialog.getByRole('textbox', { name: 'Название задачи' }).waitFor()
  const { items } = await call<{ items: { id: number }[] }>(
    request,
    'GET',
    `/tasks-management/tasks?filter[name]=${encodeURIComponent('Первая')}&filter[assigned.column.idBoard]=${idBoard}`,
  )
  // The other user's save comes while typing: the test is about the response to the own save.
  await page.route(
    `**/tasks-management/tasks/${items[0]?.id}`,
    async (route) => {
      await call(request, 'PUT', `/tasks-management/tasks/${items[0]?.id}`, { name: 'Первая у другого' })
      await route.continue()
    },
    { times: 1 },
  )
  await dialog.getByRole('textbox', { name: 'Название задачи' }).fill('Первая у меня')
  await expect(page.getByText('Запись уже изменили')).toBeVisible()
  await expect(page.getByText('Первая у другого').last()).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить выбранное' }).click()
  await expect.poll(() => stored(request, 0)).toContain('Первая у меня')
  await page.keyboard.press('Escape')
})

test('on a phone a column fills the screen and the tabs lead to the others', async ({ browser }) => {
  const phone = await open(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await phone.goto(`/app/tasks?board=${idBoard}`)
  await expect(card(phone, 'Первая у меня')).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const tab = phone.getByRole('navigation', { name: 'Колонки' }).getByRole('button', { name: columns[2]?.name })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-current', 'true')
  await expect(column(phone, 2)).toBeInViewport({ ratio: 0.9 })
  await phone.getByRole('navigation', { name: 'Колонки' }).getByRole('button').first().click()
  await card(phone, 'Первая у меня').click()
  await expect(phone.getByRole('dialog')).toBeInViewport({ ratio: 0.99 })
  await phone.context().close()
})

test('no error was written to the console', () => {
  expect(errors).toEqual([])
})
