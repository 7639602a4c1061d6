import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { png } from './picture.ts'
import { expect, fillLogin, fits, phone, test, title } from './support.ts'

const atLogin = /\/app\/login(\?|$)/
const menu = (page: Page) => page.getByRole('navigation', { name: 'Разделы' }).getByRole('link')
/** A storekeeper's pages, in order. */
const ofStorekeeper = [
  'Рабочий стол',
  'Задачи',
  'Мои задачи',
  'Склад',
  'Товары и остатки',
  'Складские документы',
  'Инвентаризация',
  'Партии',
  'МДЛП',
  'Температура и влажность',
  'Мои расчётные листы',
  'Остатки товаров',
  'Регламенты',
  'Новости',
  'Услуги и товары',
]
/** On plain http browsers have no clipboard API: the older command copies; where that fails too, the text is shown. */
async function copiesWithoutHttps(page: Page, button: Locator, text: string) {
  await page.context().grantPermissions(['clipboard-read'])
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
  await button.click()
  const pressed = page.getByRole('button', { name: 'Скопировано' })
  await expect(pressed).toBeFocused()
  await expect(pressed).toBeHidden()
  const copied = await page.evaluate(() => {
    Reflect.deleteProperty(navigator, 'clipboard')
    return navigator.clipboard.readText()
  })
  expect(copied).toContain(text)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await button.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Скопируйте вручную' })
  await expect(toast).toContainText(text)
  await toast.getByRole('button', { name: 'Закрыть' }).click()
}
const unique = () => Math.random().toString(36).slice(2, 8)

test('a new employee signs in, gets rights, and is blocked', async ({ page, visitor, clinic, complaints }) => {
  // A request in progress while its right is revoked is refused.
  complaints.allow(/status of 403/)
  const login = `e2e-new-${unique()}`
  await clinic.enter(page)
  await page.goto('/app/users')
  await page.getByRole('button', { name: 'Новый сотрудник' }).click()
  const form = page.getByRole('dialog', { name: 'Новый сотрудник' })
  await form.getByLabel('Фамилия').fill('Новикова')
  await form.getByLabel('Имя').fill('Вера')
  // Proposed from the name; cleared, it is required.
  await expect(form.getByLabel('Логин')).toHaveValue(/novikova/)
  await form.getByLabel('Логин').fill('')
  await form.getByRole('button', { name: 'Добавить и получить пароль' }).click()
  await expect(form.getByLabel('Логин')).toHaveAccessibleDescription(/Обязательное поле/)
  await form.getByLabel('Логин').fill(login)
  await form.getByRole('combobox', { name: 'Роли' }).click()
  await page.getByRole('option', { name: 'Кладовщик' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Добавить и получить пароль' }).click()

  const shown = page.getByRole('dialog', { name: 'Новый пароль' })
  await expect(shown).toContainText(login)
  const password = (await shown.getByRole('definition').last().textContent()) as string
  expect(password.length).toBeGreaterThanOrEqual(8)
  await copiesWithoutHttps(page, shown.getByRole('button', { name: 'Скопировать логин и пароль' }), password)
  await shown.getByRole('button', { name: 'Готово' }).click()
  await expect(title(page, 'Новикова Вера')).toBeVisible()
  await expect(page.getByText(password)).toHaveCount(0)

  const theirs = await visitor()
  await theirs.goto('/app/login')
  await fillLogin(theirs, { login, password })
  // No page opens before the user sets an own password.
  await expect(title(theirs, 'Задайте свой пароль')).toBeVisible()
  await expect(menu(theirs)).toHaveCount(0)
  await theirs.goto('/app/profile?tab=security')
  await expect(title(theirs, 'Задайте свой пароль')).toBeVisible()
  await phone(theirs)
  await fits(theirs)
  await expect(theirs.getByLabel('Временный пароль')).toBeFocused()
  const own = `Пароль ${unique()} ${unique()}`
  await theirs.getByLabel('Временный пароль').fill(password)
  await theirs.getByLabel('Новый пароль', { exact: true }).fill(own)
  await theirs.getByLabel('Новый пароль ещё раз').fill(own)
  await theirs.keyboard.press('Enter')
  await expect(title(theirs, 'Новикова Вера')).toBeVisible()
  await theirs.setViewportSize({ width: 1366, height: 800 })
  await expect(menu(theirs)).toHaveText(ofStorekeeper)

  await page.getByRole('tab', { name: 'Почему доступно' }).click()
  const screens = page.getByRole('region', { name: 'Экраны' })
  const line = screens.getByRole('listitem').filter({ hasText: /^Роли и права/ })
  await expect(line.getByRole('img', { name: 'Закрыто' })).toBeVisible()
  await expect(line).toContainText('Сотрудники, роли и права')
  // A role that would grant access is offered.
  await line.getByRole('button', { name: 'Полный доступ' }).click()
  await expect(page.getByText('Роль «Полный доступ» выдана')).toBeVisible()
  await expect(line.getByRole('img', { name: 'Доступно' })).toBeVisible()
  await expect(menu(theirs)).toContainText(['Лист дня'])
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(line.getByRole('img', { name: 'Закрыто' })).toBeVisible()
  await expect(menu(theirs)).toHaveText(ofStorekeeper)

  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Закрыть вход' }).click()
  await expect(page.getByText('Вход закрыт, сеансы завершены')).toBeVisible()
  await expect(theirs).toHaveURL(atLogin)
})

test('the portrait of an employee is on the site for as long as the employee does', async ({ page, clinic }) => {
  const mark = `Портретова-${Date.now()}`
  const { id } = await clinic.call('POST', '/users', { login: mark.toLowerCase(), surname: mark, isOnSite: true })
  await clinic.enter(page)
  await page.goto(`/app/users/${id}?tab=site`)
  await page.locator('input[type=file]').setInputFiles({ name: 'я.png', mimeType: 'image/png', buffer: png(700, 700) })
  await expect(page.getByText('Фотография обновлена')).toBeVisible()
  const { idSitePhoto } = await clinic.call('GET', `/users/${id}`)
  const statusOf = async () => (await fetch(`${clinic.url}/site/media/${idSitePhoto}/medium`)).status
  expect(await statusOf()).toBe(200)
  await page.getByRole('tabpanel', { name: 'На сайте' }).getByRole('button', { name: 'Изменить фотографию' }).click()
  await page.getByRole('menuitem', { name: 'Удалить фотографию' }).click()
  await expect.poll(statusOf).toBe(404)
  await page.getByRole('alert').filter({ hasText: 'Фотография удалена' }).getByRole('button').first().click()
  await expect.poll(statusOf).toBe(200)
})

test('a new password is shown once and the old one is void', async ({ page, clinic }) => {
  const person = await clinic.person()
  await clinic.enter(page)
  await page.goto(`/app/users/${person.id}`)
  await page.getByRole('button', { name: 'Новый пароль' }).click()
  await page
    .getByRole('dialog', { name: 'Выдать новый пароль?' })
    .getByRole('button', { name: 'Выдать пароль' })
    .click()
  const shown = page.getByRole('dialog', { name: 'Новый пароль' })
  const password = (await shown.getByRole('definition').last().textContent()) as string
  await shown.getByRole('button', { name: 'Готово' }).click()
  await expect(shown).toBeHidden()
  await expect(page.getByText(password)).toHaveCount(0)
  const { login } = person
  expect((await clinic.ask('POST', '/auth/login', { login, password: person.password })).status).toBe(401)
  expect(await clinic.token({ login, password })).toBeTruthy()
})

test('the data of an employee: errors, saving, history, deleting with an undo', async ({ page, clinic }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  await clinic.enter(page)
  await page.goto(`/app/users/${person.id}`)
  const mail = page.getByLabel('Электронная почта')
  const save = page.getByRole('button', { name: 'Сохранить' })
  await mail.fill('не почта')
  await save.click()
  await expect(mail).toHaveAccessibleDescription(/Не корректный формат электронной почты/)
  await mail.fill('vera@mail.example')
  await page.getByLabel('Должность').fill('Заведующая складом')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Данные сохранены')).toBeVisible()
  await expect(page.getByText(`Заведующая складом · логин ${person.login}`)).toBeVisible()
  for (const tab of ['История', 'Сеансы', 'Роли и права', 'Данные']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
    if (tab === 'История') await expect(page.getByRole('tabpanel').getByText('Заведующая складом')).toBeVisible()
    if (tab === 'Роли и права') await expect(page.getByRole('checkbox', { name: /^Кладовщик/ })).toBeChecked()
  }
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Удалить сотрудника' }).click()
  await expect(title(page, 'Сотрудники')).toBeVisible()
  expect((await clinic.ask('POST', '/auth/login', person)).status).toBe(401)
  await page.getByRole('button', { name: 'Отменить' }).click()
  const found = () => clinic.call('GET', `/users/${person.id}`).then(Boolean, () => false)
  await expect.poll(found).toBe(true)
  expect((await clinic.ask('POST', '/auth/login', person)).status).toBe(200)
})

test('a role: made, ticked, given, changed, deleted and restored', async ({ page, clinic }) => {
  const name = `Роль ${unique()}`
  const person = await clinic.person()
  await clinic.enter(page)
  await page.goto('/app/roles')
  await page.getByRole('button', { name: 'Новая роль' }).click()
  const editor = page.getByRole('dialog', { name: 'Новая роль' })
  await editor.getByLabel('Название').fill(name)
  await editor.getByRole('checkbox', { name: 'Новости: просмотр' }).check()
  await editor.getByRole('checkbox', { name: 'Задачи', exact: true }).check()
  await editor.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByText('Роль создана')).toBeVisible()
  const line = page.getByRole('row').filter({ hasText: name })
  await expect(line).toContainText('0 сотрудников · 3 права')
  await expect(page).toHaveURL(/role=\d+/)
  const id = Number(new URL(page.url()).searchParams.get('role'))
  const { permissions } = await clinic.call('GET', `/roles/${id}`)
  expect(permissions.toSorted()).toEqual(['bypassTaskRights', 'displayTableNews', 'viewTasksManagement'])

  await clinic.call('POST', '/user-roles', { idUser: person.id, idRole: id })
  const opened = page.getByRole('dialog', { name })
  await expect(opened.getByRole('link', { name: person.fio.split(' ')[0] })).toBeVisible()
  await opened.getByRole('searchbox', { name: 'Найти право' }).fill('остатки')
  await opened.getByRole('checkbox', { name: 'Остатки' }).check()
  await opened.getByRole('button', { name: 'Сохранить' }).click()
  await expect(line).toContainText('1 сотрудник · 4 права')

  await page.getByRole('button', { name: 'Действия с записью' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(page.getByText(`Роль «${name}» удалена`)).toBeVisible()
  await expect(line).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(line).toContainText('1 сотрудник · 4 права')
})

test('the list: search, filter, sort and Back are in the address', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/users')
  const rows = page.getByRole('table').getByRole('rowheader')
  await expect(rows.first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Поиск' }).fill('clinic.example')
  await expect(page).toHaveURL(/q=clinic\.example/)
  await expect(rows).toHaveCount(50)
  await page.getByPlaceholder('Любая роль').click()
  await page.getByRole('option', { name: 'Кладовщик' }).click()
  await expect(page).toHaveURL(/role=\d+/)
  await expect(rows.first()).toContainText('Громов Виктор Павлович')
  const few = await rows.count()
  expect(few).toBeLessThan(50)
  await page.getByRole('button', { name: 'Логин' }).click()
  await expect(page).toHaveURL(/sort=login/)
  await page.getByRole('button', { name: 'Логин' }).click()
  await expect(page).toHaveURL(/sort=-login/)
  await expect(page.getByRole('columnheader', { name: 'Логин' })).toHaveAttribute('aria-sort', 'descending')

  await page.reload()
  await expect(rows).toHaveCount(few)
  await expect(page.getByRole('searchbox', { name: 'Поиск' })).toHaveValue('clinic.example')
  await page.goBack()
  await expect(page).toHaveURL(/sort=login/)
  await page.goBack()
  await expect(page).not.toHaveURL(/sort=/)
  await page.goBack()
  await expect(page).not.toHaveURL(/role=/)
  await expect(rows).toHaveCount(50)

  // A condition of the filter, and the export of the result.
  await page.getByRole('button', { name: 'Фильтр' }).click()
  const filter = page.getByRole('dialog', { name: 'Фильтр' })
  await filter.getByRole('textbox', { name: 'Значение' }).fill('Громов')
  await filter.getByRole('button', { name: 'Применить' }).click()
  await expect(rows).toHaveCount(1)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Выгрузить' }).click()
  await page.getByRole('menuitem', { name: 'Таблица CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^Список сотрудников .+\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Громов')
})

test('on a phone the list is of cards, and a role opens', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/users?q=clinic.example')
  await expect(page.getByRole('link', { name: /Громов Виктор Павлович/ })).toBeVisible()
  await phone(page)
  await expect(page.getByRole('table')).toBeHidden()
  await fits(page)
  await page.goto('/app/roles')
  await page.getByRole('link', { name: /^Кладовщик/ }).click()
  await expect(page.getByRole('dialog', { name: 'Кладовщик' })).toBeVisible()
  await fits(page)
})
