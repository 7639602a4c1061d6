import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, type Person, phone, signIn, test } from './support.ts'

/** Import of tasks from a table and of a board from JSON, through the dialog; each test has its own user and board. */
async function owned(clinic: Clinic, page: Page): Promise<{ me: Person; idBoard: number; token: string }> {
  const me = await clinic.person({ roles: ['Полный доступ'] })
  const token = await signIn(page, me)
  const { body } = await clinic.ask('POST', '/tasks-management/boards', { name: 'Для импорта' }, token)
  return { me, idBoard: body.id, token }
}

async function openDialog(page: Page, idBoard: number) {
  await page.goto(`/app/tasks?board=${idBoard}`)
  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await page.getByRole('menuitem', { name: 'Импорт…' }).click()
  return page.getByRole('dialog', { name: /Импорт задач/ })
}

const choose = (page: Page, name: string, text: string) =>
  page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a table is mapped, checked, imported and undone', async ({ clinic, page }) => {
  const { idBoard, token } = await owned(clinic, page)
  const dialog = await openDialog(page, idBoard)
  await expect(dialog.getByText('CSV или XLSX до 10 000 строк')).toBeVisible()
  await choose(
    page,
    'дела.csv',
    'Что сделать;Важность;Колонка\r\nПервое дело;5;Новые\r\nВторое дело;11;\r\nТретье дело;;Архив\r\n',
  )
  await expect(dialog.getByText('Выберите колонку')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Проверить' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Колонка файла для поля «Название»' }).click()
  await page.getByRole('option', { name: 'Что сделать' }).click()
  await expect(dialog.getByText('Первое дело · Второе дело · Третье дело')).toBeVisible()
  await dialog.getByLabel('Создавать колонки доски, которых ещё нет').check()
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText('С ошибками: 1')).toBeVisible()
  await expect(dialog.getByText('Важность: Нужно целое число от 1 до 10').first()).toBeVisible()
  await expect(dialog.getByText('Первое дело')).toBeHidden()
  await dialog.getByLabel('Только с ошибками').uncheck()
  await expect(dialog.getByText('Архив (новая)')).toBeVisible()
  await dialog.getByRole('button', { name: 'Пропустить ошибки и загрузить 2' }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await expect(dialog.getByText('Создано строк: 2')).toBeVisible()
  await expect(page.locator('[data-card]').filter({ hasText: 'Третье дело' })).toBeAttached()
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Скачать CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('Ошибки импорта.csv')
  await dialog.getByRole('button', { name: 'Отменить импорт' }).click()
  await expect(dialog.getByText('Импорт отменён: созданное — в корзине')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page.locator('[data-card]')).toHaveCount(0)
  const { body } = await clinic.ask('GET', `/tasks-management/columns?filter[idBoard]=${idBoard}`, undefined, token)
  expect(body.items.map((column: { name: string }) => column.name)).not.toContain('Архив')
})

test('a file that is no table is refused with a message; the history has the undo; it works on a phone', async ({
  clinic,
  page,
  complaints,
}) => {
  complaints.allow(/status of 422/)
  const { idBoard } = await owned(clinic, page)
  await phone(page)
  let dialog = await openDialog(page, idBoard)
  await choose(page, 'дела.csv', 'Название\r\n')
  await expect(dialog.getByRole('alert')).toContainText('В файле нет ни одной строки под заголовком')
  await choose(page, 'дела.csv', 'Название;Срок\r\nОдно дело;05.12.2026\r\n')
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await fits(page)
  await dialog.getByRole('button', { name: /^Загрузить 1/ }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  dialog = await openDialog(page, idBoard)
  const history = dialog.getByRole('region', { name: 'Прошлые импорты' })
  await expect(history.getByText('Завершён: 1')).toBeVisible()
  await history.getByRole('button', { name: 'Отменить импорт' }).click()
  await expect(history.getByText('Отменён', { exact: true })).toBeVisible()
})

test('a board from JSON becomes a workspace; a workspace goes into a file', async ({ clinic, page }) => {
  const { idBoard, token } = await owned(clinic, page)
  await page.goto('/app/tasks')
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Импорт доски из JSON…' }).click()
  const name = `Доска ${idBoard}`
  const board = {
    name,
    lists: [{ id: 'a', name: 'Сделать', pos: 1 }],
    cards: [{ id: 'c', idList: 'a', name: 'Карточка', pos: 1, labels: [{ name: 'Важно', color: 'red' }] }],
  }
  await choose(page, 'board.json', JSON.stringify(board))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Рабочее пространство')).toBeVisible()
  await dialog.getByRole('button', { name: /^Загрузить 2/ }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page.locator('[data-card]').filter({ hasText: 'Карточка' })).toBeVisible()
  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Экспорт в CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^Задачи .*\.csv$/)
  expect(token).toBeTruthy()
})

test('an import that changed patients is undone to their former values, and lists later changes', async ({
  clinic,
  page,
}) => {
  const mark = String(Date.now()).slice(-6)
  const surname = `Возвратова${mark}`
  const card = (name: string, nameCity: string) =>
    clinic.call('POST', '/customers', { surname, name, birthday: '01.02.1985', nameCity })
  const kept = await card('Ада', 'Тверь')
  const free = await card('Яна', 'Ржев')
  await clinic.enter(page)
  await page.goto('/app/customers')
  await page.getByRole('button', { name: 'Импорт', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /Импорт клиентов/ })
  await choose(
    page,
    'клиенты.csv',
    `ФИО;Дата рождения;Город;Место работы\r\n${surname} Ада;01.02.85;Псков;Завод\r\n${surname} Яна;01.02.1985 г.;Псков;Завод\r\n${surname} Новая;;Псков;\r\n`,
  )
  await dialog.getByRole('radio', { name: 'Обновить карту' }).check()
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText(`Похожа карта «${surname} Ада»: она изменится`)).toBeVisible()
  await dialog.getByRole('button', { name: /загрузить 3|Загрузить 3/i }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await clinic.call('PUT', `/customers/${kept.id}`, { nameCity: 'Клин' })
  await dialog.getByRole('button', { name: 'Отменить импорт' }).click()
  await expect(dialog.getByText('изменённое — как было')).toBeVisible()
  await expect(dialog.getByText(/Осталось записей: 1/)).toBeVisible()
  await expect(dialog.getByRole('cell', { name: /Ада.*изменено после импорта: Город/ })).toBeVisible()
  expect(await clinic.call('GET', `/customers/${free.id}`)).toMatchObject({ nameCity: 'Ржев', work: null })
  expect(await clinic.call('GET', `/customers/${kept.id}`)).toMatchObject({ nameCity: 'Клин', work: null })
})
