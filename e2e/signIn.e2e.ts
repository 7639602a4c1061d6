import type { Page } from 'playwright/test'
import { expect, fillLogin, fits, type Person, phone, signIn, TOKEN_KEY, test, title } from './support.ts'

const stored = () => localStorage.length
/** The websocket is authenticated with the token in the storage. */
const connected = (page: Page) => page.getByRole('status', { name: /^Соединение установлено/ })
const atLogin = /\/app\/login(\?|$)/
/** The login's responses to a wrong password and to too many attempts. */
const refusedLogin = /status of 4(01|29) \(.*\/auth\/login$/

test('the form shows what is missing and what is wrong', async ({ page, clinic, complaints }) => {
  const person = await clinic.person()
  await page.goto('/app/login')
  await expect(page).toHaveTitle('Вход · Ординатор')
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
  await expect(page.getByText('Обязательное поле')).toHaveCount(2)
  await expect(page.getByLabel('Логин')).toBeFocused()
  complaints.allow(refusedLogin)
  await fillLogin(page, { ...person, password: 'не тот' })
  await expect(page.getByRole('alert')).toHaveText('Неверный логин или пароль')
  await phone(page)
  await fits(page)
})

test('after sign-in the requested page opens; sign-out ends the session', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Полный доступ'] })
  await page.goto('/app/users?q=Громов&state=all')
  await expect(page).toHaveURL(/\/app\/login\?redirect=/)
  await fillLogin(page, person)
  await expect(title(page, 'Сотрудники')).toBeVisible()
  const { pathname, searchParams } = new URL(page.url())
  expect([pathname, ...searchParams]).toEqual(['/app/users', ['q', 'Громов'], ['state', 'all']])
  await expect(page).toHaveTitle('Сотрудники · Ординатор')
  await expect(page.getByRole('link', { name: /Громов Виктор Павлович/ })).toBeVisible()

  await expect(connected(page)).toBeVisible()
  const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY)
  await page.getByRole('button', { name: /^Меню пользователя/ }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(atLogin)
  expect(await page.evaluate(stored)).toBe(0)
  expect((await clinic.ask('GET', '/auth/sessions', undefined, token as string)).status).toBe(401)
  await page.goto('/app/users')
  await expect(page).toHaveURL(atLogin)
})

test('a second session warns, and ends the first when asked to', async ({ page, clinic, visitor }) => {
  const person = await clinic.person()
  await signIn(page, person)
  await page.goto('/app/profile')
  await expect(title(page, person.fio)).toBeVisible()
  await expect(connected(page)).toBeVisible()

  const second = await visitor()
  await second.goto('/app/login')
  await fillLogin(second, person)
  const warning = second.getByRole('dialog', { name: 'Открыт другой сеанс' })
  await expect(warning).toBeVisible()
  await warning.getByRole('button', { name: 'Отмена' }).click()
  await expect(warning).toBeHidden()
  await expect(second.getByRole('textbox', { name: 'Пароль' })).toBeFocused()
  await expect(second).toHaveURL(atLogin)
  await expect(title(page, person.fio)).toBeVisible()

  await second.getByRole('button', { name: 'Войти', exact: true }).click()
  await warning.getByRole('button', { name: 'Войти и завершить другой сеанс' }).click()
  await expect(title(second, 'Рабочий стол')).toBeVisible()
  await expect(page).toHaveURL(atLogin)
  expect(await page.evaluate(stored)).toBe(0)
})

test('many calls with an expired token share one refresh', async ({ page, clinic, complaints }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  await signIn(page, person)
  await page.goto('/app/profile')
  await expect(title(page, person.fio)).toBeVisible()
  await expect(connected(page)).toBeVisible()

  const spoiled = await spoilToken(page)
  complaints.allow(/status of 401/)
  const answers: { call: string; status: number }[] = []
  let refusals = 0
  let enough = () => {}
  const many = new Promise<void>((resolve) => (enough = resolve))
  page.on('response', (response) => {
    const status = response.status()
    const { pathname, search } = new URL(response.url())
    if (response.request().resourceType() === 'fetch') answers.push({ call: pathname + search, status })
    if (status === 401 && ++refusals === 4) enough()
  })
  // The refresh is held until many calls have been refused.
  await page.route('**/auth/refresh-token', async (route) => {
    await many
    await route.continue()
  })
  await page.getByRole('link', { name: 'Рабочий стол' }).click()
  await expect(page.getByText('Срочных задач нет')).toBeVisible()
  await expect(page.getByText('Отметьте пространство звездой')).toBeVisible()

  const refreshes = answers.filter(({ call }) => call.endsWith('/auth/refresh-token'))
  expect(refreshes.map(({ status }) => status)).toEqual([200])
  const refused = answers.filter(({ status }) => status === 401).map(({ call }) => call)
  expect(refused.length).toBeGreaterThanOrEqual(4)
  // Each at least once more: changes of other users meanwhile cause further reads, also before the refresh.
  for (const call of new Set(refused)) {
    const statuses = answers.filter((one) => one.call === call).map(({ status }) => status)
    expect(statuses.join(' '), call).toMatch(/^401( 401)*( 200)+$/)
    const again = statuses.filter((status) => status === 200).length
    expect(again, call).toBeGreaterThanOrEqual(statuses.length - again)
  }
  expect(await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY)).not.toBe(spoiled)
})

test('a refused refresh signs out and clears what was stored', async ({ page, clinic, complaints }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  await signIn(page, person)
  await page.goto('/app/profile?tab=security')
  await expect(page.getByText('Этот сеанс')).toBeVisible()
  await expect(connected(page)).toBeVisible()
  complaints.allow(/status of 401/)
  await spoilToken(page)
  await page.context().clearCookies()
  // A read of the page itself may be refused before the click.
  await Promise.race([page.getByRole('link', { name: 'Рабочий стол' }).click(), page.waitForURL(atLogin)])
  await expect(page).toHaveURL(atLogin)
  await expect(page.getByLabel('Логин')).toBeVisible()
  expect(await page.evaluate(stored)).toBe(0)
})

test('the sign-in is synchronised with the older CRM by cookies', async ({ page, clinic, baseURL }) => {
  const person = await clinic.person()
  const url = baseURL as string
  const put = (name: string, value: number) => page.context().addCookies([{ name, value: String(value), url }])
  const cookie = async (name: string) => (await page.context().cookies(url)).find((one) => one.name === name)?.value
  // By the default names, until others are set.
  await signIn(page, person)
  await page.goto('/app/profile')
  await expect(title(page, person.fio)).toBeVisible()
  await expect(connected(page)).toBeVisible()
  await expect.poll(() => cookie('ordinator_user')).toBe(String(person.id))
  const dialog = page.getByRole('dialog', { name: 'Выполнен вход под другой учётной записью' })
  await put('crm_user', person.id + 1)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Выйти' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Отмена' }).click()
  await expect(dialog).toBeHidden()
  await put('crm_user', person.id + 2)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(atLogin)
  await expect.poll(() => cookie('ordinator_user')).toBeUndefined()

  await put('crm_user', person.id)
  await fillLogin(page, person)
  await expect(title(page, /Рабочий стол|Проверкин/)).toBeVisible()
  await expect(connected(page)).toBeVisible()
  await put('crm_logout', 1)
  await expect(page).toHaveURL(atLogin)
  await expect.poll(() => cookie('crm_logout')).toBeUndefined()
  await expect(dialog).toBeHidden()
})

test('too many wrong passwords: the form shows how long to wait', async ({ page, clinic, complaints }) => {
  const person = await clinic.person()
  for (let i = 0; i < 5; i++) {
    const { status } = await clinic.ask('POST', '/auth/login', { login: person.login, password: 'не тот' })
    expect(status).toBe(401)
  }
  complaints.allow(refusedLogin)
  await page.goto('/app/login')
  await fillLogin(page, person)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText(/^Слишком много попыток входа\.Попробуйте/)
  await expect(alert).toContainText(/Попробуйте через\s\d+\sсекунд/)
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeDisabled()
})

test('an unknown address keeps the menu of a signed-in user', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/no/such/page')
  await expect(title(page, 'Страница не найдена')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Поиск и команды' })).toBeVisible()
})

test('pages of errors open without sign-in', async ({ page }) => {
  await page.goto('/app/error/403?errorText=Нужно право «Склад»')
  await expect(title(page, 'Нет доступа')).toBeVisible()
  await expect(page.getByText('Нужно право «Склад»')).toBeVisible()
  await page.goto('/app/no/such/page')
  await expect(page).toHaveURL('/app/error/404')
  await expect(title(page, 'Страница не найдена')).toBeVisible()
  await page.goto('/app/error/500')
  await expect(title(page, 'Ошибка на сервере')).toBeVisible()
  await expect(page).toHaveTitle('Ошибка на сервере · Ординатор')
  await page.getByRole('link', { name: 'На рабочий стол' }).click()
  await expect(page).toHaveURL(atLogin)
})

test('a page that is not allowed, old addresses, the bare layout', async ({ page, clinic }) => {
  const person: Person = await clinic.person({ roles: ['Кладовщик'] })
  await signIn(page, person)
  await page.goto('/app/users')
  await expect(page).toHaveURL(/\/app\/error\/403\?errorText=/)
  await expect(page.getByText('нужно право «Сотрудники, роли и права»')).toBeVisible()
  for (const old of ['dashboard', 'home']) {
    await page.goto(`/app/${old}`)
    await expect(title(page, 'Рабочий стол')).toBeVisible()
    await expect(page).toHaveURL(/\/app\/?$/)
  }
  await expect(page).toHaveTitle('Рабочий стол · Ординатор')
  await expect(page.getByRole('navigation', { name: 'Разделы' })).toBeVisible()
  await page.goto('/app/profile?layout=default')
  await expect(title(page, person.fio)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Разделы' })).toBeHidden()
})

/** The token in the storage is no longer accepted by the server. */
function spoilToken(page: Page): Promise<string> {
  return page.evaluate((key) => {
    const [head, body, signature = ''] = (localStorage.getItem(key) ?? '').split('.')
    const spoiled = [head, body, [...signature].reverse().join('')].join('.')
    localStorage.setItem(key, spoiled)
    return spoiled
  }, TOKEN_KEY)
}
