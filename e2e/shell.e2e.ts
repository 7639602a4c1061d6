import { opened, readSizes, weights } from '../bench/pageWeights.ts'
import { menu } from './shellMenu.ts'
import { expect, signIn, test, title } from './support.ts'

/** Bytes after gzip that an area may add to what every page loads. */
const AREA_LIMIT = 3_000

test('what a page loads before it is drawn is below its ceiling, and no area adds more to all pages than its pages and rights', () => {
  const built = readSizes()
  const found = weights(built, readSizes('portal.json'))
  expect(found.filter(({ size, ceiling }) => size > ceiling)).toEqual([])
  expect(Object.entries(built.areas).filter(([, size]) => size > AREA_LIMIT)).toEqual([])
})

test('bytes and requests of an idle page are below their ceilings', async ({ visitor, clinic }) => {
  const { files } = readSizes()
  const sizes: string[] = []
  for (const { path, ceiling, requests } of opened) {
    const page = await visitor()
    // Of an address that is read again, as another test has changed something, the first request counts.
    const asked = new Set<string>()
    const loaded = new Set<string>()
    page.on('request', (request) => {
      const { pathname, search, protocol } = new URL(request.url())
      // Fonts and pictures are kept for months, and block nothing.
      if (!protocol.startsWith('http') || ['font', 'image', 'manifest'].includes(request.resourceType())) return
      asked.add(`${request.method()} ${pathname}${search}`)
      const name = pathname.replace('/web/app/', '')
      if (files[name]) loaded.add(name)
    })
    if (path !== '/app/login') await clinic.enter(page)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    const size = [...loaded].reduce((sum, name) => sum + (files[name]?.size ?? 0), 0)
    if (size > ceiling || asked.size > requests.ceiling)
      sizes.push(`${path}: ${size} bytes of ${ceiling}, ${asked.size} requests of ${requests.ceiling}`)
    await page.context().close()
  }
  expect(sizes).toEqual([])
})

test('a failed read is reported, a refused one opens the page «no access»', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of (500|403) .*\/roles\?/)
  await clinic.enter(page)
  await page.goto('/app')
  await page.route('**/roles?*', (route) =>
    route.fulfill({ status: 500, json: { name: 'Error', message: 'Сервер устал', status: 500 } }),
  )
  await page.goto('/app/roles')
  await expect(page.getByRole('alert').filter({ hasText: 'Ошибка при загрузке данных' }).first()).toContainText(
    'Сервер устал',
  )
  await page.unroute('**/roles?*')
  await page.route('**/roles?*', (route) =>
    route.fulfill({ status: 403, json: { name: 'Forbidden', message: 'Роли закрыты', status: 403 } }),
  )
  await page.goto('/app/roles')
  await expect(page).toHaveURL(/\/error\/403\?errorText=/)
  await expect(page.getByText('Роли закрыты').first()).toBeVisible()
})

test('without an older CRM its addresses lead to our replacement pages', async ({ page, clinic }) => {
  await clinic.enter(page)
  for (const [there, here] of [
    ['customers/1', /\/app\/customers\/edit\?id=1$/],
    ['services/1', /\/app\/service\/view\?id=1$/],
    ['schedule', /\/app\/calendar/],
    ['warehouse/groups', /\/app\/services/],
    ['warehouse/contractors', /\/app\/settings\/organizations/],
  ] as const) {
    await page.goto(`/app/${there}`)
    await expect(page).toHaveURL(here)
  }
})

test('with an older CRM beside, its addresses open there in a new tab', async ({ page, context, clinic }) => {
  await clinic.enter(page)
  await context.route('https://old.clinic.test/**', (route) => route.fulfill({ contentType: 'text/html', body: 'CRM' }))
  await page.route('**/common/get-account', async (route) => {
    const response = await route.fetch()
    // The response for a page that has been left is not needed.
    const account = await response.json().catch(() => undefined)
    if (!account) return
    account.common.settings.oldCrmUrl = 'https://old.clinic.test/crm/'
    await route.fulfill({ response, json: account })
  })
  await page.goto('/app')
  // Other tests of the same person may have left it expanded.
  const section = menu(page).getByRole('button', { name: 'Клиника' })
  if ((await section.getAttribute('aria-expanded')) !== 'true') await section.click()
  const link = menu(page).getByRole('link', { name: 'Сотрудники' })
  await expect(link).toHaveAttribute('href', 'https://old.clinic.test/crm/users')
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(opened).toHaveURL('https://old.clinic.test/crm/users')
  await page.goto('/app/roles')
  // A link of a page: the page itself stays.
  await expect(title(page, 'Роли и права')).toBeVisible()
  const [inside] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      history.pushState({}, '', '/app/users/5')
      dispatchEvent(new PopStateEvent('popstate'))
    }),
  ])
  await expect(inside).toHaveURL('https://old.clinic.test/crm/users/view?id=5')
  await expect(title(page, 'Роли и права')).toBeVisible()
  // Pages the old system lacks (the rights in this product) stay reachable.
  await page.getByRole('navigation', { name: 'Сотрудники' }).getByRole('link', { name: 'Учётные записи' }).click()
  await expect(title(page, 'Учётные записи')).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/app\/settings\/staff\/\d+/)
  await page.getByRole('tab', { name: 'Роли и права' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Роли и права' })).toBeVisible()
  // A tab of the new system opens there.
  await page.goto('/app/customers/7')
  await expect(page).toHaveURL('https://old.clinic.test/crm/customers/view?id=7')
})

test('? shows the keys of the page', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/users')
  await expect(title(page, 'Сотрудники')).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('complementary', { name: /^Справка/ })
  for (const label of ['Поиск и команды', 'Новый сотрудник', 'Поиск в списке'])
    await expect(sheet.getByText(label)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('the theme is switched in the menu of the user and kept', async ({ page, clinic }) => {
  await signIn(page, await clinic.person())
  await page.goto('/app/profile')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Меню пользователя/ }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  const look = (name: string) => expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', name)
  await look('light')
  await choose('Тёмное оформление')
  await look('dark')
  await page.reload()
  await look('dark')
  await choose('Светлое оформление')
  await look('light')
})

test('without network a toast is shown, and the app stays', async ({ page, context, clinic, complaints }) => {
  await clinic.enter(page)
  await page.goto('/app/profile?tab=security')
  await expect(page.getByText('Этот сеанс')).toBeVisible()
  complaints.allow(/ERR_INTERNET_DISCONNECTED|ChunkError/)
  await context.setOffline(true)
  const dot = page.getByRole('status', { name: 'Нет подключения к Интернету' })
  await expect(dot).toBeVisible()
  await page.getByLabel('Текущий пароль').fill('прежний')
  await page.getByLabel('Новый пароль', { exact: true }).fill('совсем новый')
  await page.getByLabel('Новый пароль ещё раз').fill('совсем новый')
  await page.getByRole('button', { name: 'Сменить пароль' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Нет подключения к Интернету' })
  await expect(toast).toContainText('Проверьте подключение к Интернету')

  // A chunk that cannot be loaded does not replace the page by the browser's own error.
  for (const name of ['Текущий пароль', 'Новый пароль', 'Новый пароль ещё раз'])
    await page.getByLabel(name, { exact: true }).fill('')
  await menu(page).getByRole('link', { name: 'Лист дня' }).click()
  await expect(title(page, 'Нет подключения к Интернету')).toBeVisible()
  await expect(menu(page)).toBeVisible()
  await context.setOffline(false)
  await expect(dot).toBeHidden()
  await expect(title(page, 'Лист дня')).toBeVisible()
})

test('a code chunk missing on the server: one automatic reload, then the button', async ({
  page,
  clinic,
  complaints,
}) => {
  await clinic.enter(page)
  await page.goto('/app')
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  complaints.allow(/ERR_FAILED .*DaySheetPage|ChunkError/)
  let asked = 0
  await page.route(/assets\/DaySheetPage[^/]*\.js/, (route) => {
    asked++
    return route.abort()
  })
  let loads = 0
  page.on('load', () => loads++)
  const link = page.getByRole('link', { name: 'Лист дня' })
  // Hovering the link preloads its page; a failed preload must not reload a page in use.
  // Once or twice: the loading itself may join the request of the preload hint, and the browser keeps the failure.
  await expect(async () => {
    await title(page, 'Рабочий стол').hover()
    await link.hover()
    expect(asked).toBeGreaterThan(0)
  }).toPass()
  await page.keyboard.press('?')
  const sheet = page.getByRole('complementary', { name: /^Справка/ })
  await expect(sheet.getByRole('heading', { name: 'Справка: Рабочий стол' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  expect(loads).toBe(0)
  await link.click()
  await expect(title(page, 'Вышла новая версия, обновите страницу')).toBeVisible()
  expect(loads).toBe(1)
  await expect(page).toHaveURL('/app/calendar/day-sheet')
  await page.unroute(/assets\/DaySheetPage[^/]*\.js/)
  await page.getByRole('button', { name: 'Обновить страницу' }).click()
  await expect(title(page, 'Лист дня')).toBeVisible()
})

test('the keyboard alone reaches the menu, the bar and the page', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app')
  await expect(page.getByRole('region', { name: 'Новости' })).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Перейти к содержанию' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  const passed: string[] = []
  while (!passed.at(-1)?.includes('Меню пользователя') && passed.length < 100) {
    await page.keyboard.press('Tab')
    passed.push(
      await page.evaluate(() => document.activeElement?.textContent || document.activeElement?.ariaLabel || ''),
    )
  }
  const wanted = ['Лист дня', 'Клиника', 'Свернуть меню', 'Поиск и команды', 'Справка', 'Меню пользователя']
  const order = wanted.map((name) => passed.findIndex((text) => text.includes(name)))
  expect(order, passed.join(' | ')).toEqual(order.toSorted((a, b) => a - b))
  expect(order, passed.join(' | ')).not.toContain(-1)

  await page.keyboard.press('Alt+h')
  await skip.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.getElementById('main')?.contains(document.activeElement))).toBe(true)

  await menu(page).getByRole('link', { name: 'Лист дня' }).focus()
  await page.keyboard.press('Enter')
  await expect(title(page, 'Лист дня')).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('«?» shows how to work on the page, and the tour is offered once', async ({ page, clinic }) => {
  await signIn(page, await clinic.person())
  await page.goto('/app')
  const offer = page.getByRole('region', { name: 'Первые шаги' })
  await offer.getByRole('button', { name: 'Показать' }).click()
  const tour = page.getByRole('dialog', { name: 'Разделы слева' })
  await expect(tour).toContainText('1 из 5')
  await expect(tour.getByRole('button', { name: 'Далее' })).toBeFocused()
  for (let n = 0; n < 4; n++) await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Справка — клавиша/ })).toContainText('5 из 5')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(offer).toBeHidden()
  await page.reload()
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Новости' })).toBeVisible()
  await expect(offer).toBeHidden()
  await page.keyboard.press('?')
  const help = page.getByRole('complementary', { name: 'Справка: Рабочий стол' })
  await expect(help).toContainText('нажмите на число')
  await expect(help).toContainText('Поиск и команды')
})

test('a number of the desktop, of the menu and of the list is the same', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Полный доступ'] })
  await signIn(page, person)
  const late = new Date(Date.now() - 3_600_000).toISOString()
  const board = await clinic.call('POST', '/tasks-management/boards', { name: `Числа ${Date.now()}` })
  const { idColumnNew } = await clinic.call('GET', `/tasks-management/boards/${board.id}`)
  const member = await clinic.call('POST', '/tasks-management/members', {
    idBoard: board.id,
    idUser: person.id,
    permissionToViewTasks: 'all',
  })
  for (const more of [{}, {}, { isWaitCheck: true }, { isCompleted: true }]) {
    const { id } = await clinic.call('POST', '/tasks-management/tasks', { name: 'Просроченная', idColumn: idColumnNew })
    await clinic.call('POST', '/tasks-management/executors', { idTask: id, idMember: member.id })
    await clinic.call('PUT', `/tasks-management/tasks/${id}`, { dateEnd: late, ...more })
  }
  await page.goto('/app')
  const number = page.getByRole('navigation', { name: 'Что ждёт вас' }).getByRole('link', { name: 'Просрочено задач' })
  await expect(number).toHaveText(/^2/)
  await expect(page.getByRole('region', { name: 'Просрочено' })).toContainText('2')
  // A folded section shows the counters of its pages.
  const section = menu(page).getByRole('button', { name: 'Задачи' })
  if ((await section.getAttribute('aria-expanded')) === 'true') await section.click()
  await expect(section).toHaveAttribute('title', 'Ждёт вас: 2')
  await number.click()
  await expect(title(page, 'Мои задачи')).toBeVisible()
  await expect(page.getByRole('button', { name: /Просрочено/ })).toContainText('2')
})

test('a missing page of a section shows what there is instead; the section itself opens', async ({ page, clinic }) => {
  await clinic.enter(page)
  for (const [section, name, words] of [
    ['warehouse', 'Склад', 'Такой страницы склада здесь нет'],
    ['reports', 'Отчёты', 'Такого отчёта здесь нет'],
  ] as const) {
    await page.goto(`/app/${section}/receipts/5`)
    await expect(page).toHaveURL(/\/error\/404/)
    await expect(page.getByText(words)).toBeVisible()
    await page.goto(`/app/${section}`)
    await expect(title(page, name)).toBeVisible()
  }
})

test('a tab of an earlier version goes on, shows a notice of the new one, and keeps unsaved input', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  await page.goto('/app/customers')
  await expect(title(page, 'Клиенты')).toBeVisible()
  await page.route('**/customers/similar*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-app-version': '2099.1.1' } })
  })
  await page.keyboard.press('n')
  const surname = page.getByRole('dialog', { name: 'Новый клиент' }).getByLabel('Фамилия')
  await surname.fill('Начатая')
  const notice = page.getByText('Ординатор обновился')
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Обновить', exact: true }).click()
  await expect(notice).toBeHidden()
  await expect(title(page, 'Клиенты')).toBeVisible()
  await page.keyboard.press('n')
  await expect(surname).toHaveValue('Начатая')
})
