import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, keptByBrowser, type Person, phone, signIn, test } from './support.ts'

/** Comments of a task in two browsers: threads, mentions, drafts, unread marks; its history, versions and watchers. */

const T = '/tasks-management'

interface Room {
  board: number
  card: number
  task: number
}

/** A workspace of this test with a task and two users. */
async function room(clinic: Clinic, people: readonly Person[]): Promise<Room> {
  const board = await clinic.call('POST', `${T}/boards`, { name: 'Обсуждение' })
  for (const { id } of people)
    await clinic.call('POST', `${T}/members`, {
      idBoard: board.id,
      idUser: id,
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'all',
    })
  const task = await clinic.call('POST', `${T}/tasks`, {
    name: 'Кабинет ортопеда',
    idColumn: board.idColumnNew,
    description: '<p>Проверить кушетку</p>',
  })
  const { items } = await clinic.call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  return { board: board.id, card: items[0].id, task: task.id }
}

const open = (page: Page, { board, card }: Room, more = '') =>
  page.goto(`/app/tasks?board=${board}&assignedColumn=${card}${more}`)
const write = (page: Page, label = 'Новый комментарий') => page.getByRole('textbox', { name: label })
const comment = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const say = (clinic: Clinic, { task }: Room, message: string, more: object = {}) =>
  clinic.call('POST', `${T}/comments`, { type: 'task', idEntity: task, message: `<p>${message}</p>`, ...more })

test('two people talk: a mention, an answer, a change, a removal and its undo', async ({ clinic, page, visitor }) => {
  const [anna, boris] = [
    await clinic.person({ roles: ['Кладовщик'], surname: 'Аннина' }),
    await clinic.person({ roles: ['Кладовщик'], surname: 'Борисов' }),
  ]
  const place = await room(clinic, [anna, boris])
  const other = await visitor()
  const asked: number[][] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/users/is-online')) asked.push(request.postDataJSON().users)
  })
  await signIn(page, anna)
  await signIn(other, boris)
  await open(page, place)
  await open(other, place)

  await write(page).click()
  await page.keyboard.type('Кто свободен, @бор')
  await expect(page.getByRole('option', { name: /Борисов/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('?')
  await page.keyboard.press('Control+Enter')
  await expect(comment(page, 'Кто свободен')).toContainText('@Борисов')
  await expect(write(page)).toHaveText('')
  await expect(comment(other, 'Кто свободен')).toBeVisible()

  await comment(other, 'Кто свободен').getByRole('button', { name: 'Ответить' }).click()
  await write(other, 'Ответ').fill('Я свободен')
  await other.getByRole('button', { name: 'Ответить', exact: true }).last().click()
  await expect(comment(page, 'Я свободен')).toBeVisible()
  // The mentioned user is notified and linked; the presence request contains no unnecessary users.
  const author = comment(page, 'Я свободен').getByRole('link', { name: /Борисов/ })
  await author.hover()
  await expect(page.getByRole('tooltip')).toContainText(/Борисов.*В сети/s)
  await expect(author).toHaveAttribute('href', `/app/profile/${boris.id}`)
  await expect.poll(() => asked.flat()).toContain(boris.id)
  expect(asked.filter((users) => users.length === 0)).toEqual([])

  await comment(other, 'Я свободен').getByRole('button', { name: 'Действия с комментарием' }).click()
  await other.getByRole('menuitem', { name: 'Изменить' }).click()
  await write(other, 'Текст комментария').fill('Я свободен после трёх')
  await other.getByRole('button', { name: 'Сохранить' }).click()
  await expect(comment(page, 'после трёх')).toContainText('изменён')
  await comment(page, 'после трёх').getByRole('button', { name: 'Действия с комментарием' }).click()
  await expect(page.getByRole('menuitem', { name: 'Скопировать ссылку' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Изменить' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await comment(page, 'Кто свободен').getByRole('button', { name: 'Действия с комментарием' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Комментарий удалён' })
  await expect(comment(page, 'Кто свободен')).toHaveCount(0)
  await expect(comment(page, 'после трёх')).toBeVisible()
  await toast.getByRole('button', { name: 'Отменить' }).click()
  await expect(comment(page, 'Кто свободен')).toBeVisible()
})

test('typed text is kept, Escape closes nothing, files are sent along', async ({ clinic, page }) => {
  const anna = await clinic.person({ roles: ['Кладовщик'] })
  const place = await room(clinic, [anna])
  await signIn(page, anna)
  await open(page, place)
  await write(page).click()
  await page.keyboard.type('Недописанное слово')
  await page.keyboard.press('Escape')
  await expect(write(page)).toHaveText('Недописанное слово')
  await keptByBrowser(page, 'Недописанное слово')
  await page.reload()
  await expect(write(page)).toHaveText('Недописанное слово')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Прикрепить файл к комментарию' }).click()
  await (await chooser).setFiles({ name: 'записка.txt', mimeType: 'text/plain', buffer: Buffer.from('привет') })
  await expect(page.getByRole('list', { name: 'Файлы комментария' })).toContainText('записка')
  await page.getByRole('button', { name: 'Отправить' }).click()
  await expect(comment(page, 'Недописанное слово').getByRole('link', { name: /записка/ })).toBeVisible()
})

test('new comments are marked until they are read; a link leads to a comment', async ({ clinic, page }) => {
  const anna = await clinic.person({ roles: ['Кладовщик'] })
  const place = await room(clinic, [anna])
  const first = await say(clinic, place, 'Первое слово')
  const create = Array.from({ length: 60 }, (_, n) => ({
    type: 'task',
    idEntity: place.task,
    message: `<p>Слово ${n + 1}</p>`,
  }))
  await clinic.call('POST', `${T}/comments/batch`, { create })
  await signIn(page, anna)
  await page.goto(`/app/tasks?board=${place.board}`)
  const face = page.locator('[data-card]').filter({ hasText: 'Кабинет ортопеда' })
  await expect(face.getByTitle('Комментариев 61, непрочитанных 61')).toBeVisible()
  await open(page, place)
  await expect(page.getByText('Новые', { exact: true }).last()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Показать ранние' })).toBeAttached()
  await expect(page.getByText('Слово 60', { exact: true })).toBeAttached()
  await expect(comment(page, 'Первое слово')).toHaveCount(0)
  await page.getByRole('heading', { name: 'Комментарии' }).scrollIntoViewIfNeeded()
  await expect
    .poll(async () => (await clinic.call('GET', `${T}/tasks/${place.task}?fields=commentsCount`)).commentsCount)
    .toBe(61)
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await expect(face.getByTitle('Комментариев 61', { exact: true })).toBeVisible()
  await open(page, place, `&comment=${first.id}`)
  await expect(comment(page, 'Первое слово')).toBeInViewport()
})

test('the history in words, a version brought back, watching; a phone', async ({ clinic, page }) => {
  const anna = await clinic.person({ roles: ['Кладовщик'] })
  const place = await room(clinic, [anna])
  await clinic.call('PUT', `${T}/tasks/${place.task}`, { description: '<p>Проверить лампу</p>' })
  const list = await clinic.call('POST', `${T}/check-lists`, { idTask: place.task, name: 'Перед приёмом' })
  const item = await clinic.call('POST', `${T}/check-list-items`, { idCheckList: list.id, name: 'Карта' })
  await clinic.call('PUT', `${T}/check-list-items/${item.id}`, { isCheck: true })
  await say(clinic, place, 'Слово о деле')
  await signIn(page, anna)
  await open(page, place)

  await page.getByRole('button', { name: 'Следить' }).click()
  await expect(page.getByRole('button', { name: 'Слежу' })).toBeVisible()
  await expect(comment(page, 'Слово о деле')).toBeVisible()

  await page.getByRole('tab', { name: 'История' }).click()
  await expect(page.getByText('Чек-лист «Перед приёмом»: пункт «Карта» выполнен')).toBeVisible()
  await expect(page.getByText('Комментарий: Слово о деле')).toBeVisible()
  await expect(page.getByText('Задача создана')).toBeVisible()
  await page.getByText('Версии описания').click()
  await expect(page.locator('ins')).toHaveText('лампу')
  await page.getByRole('list', { name: 'Версии' }).getByRole('button').last().click()
  await page.getByRole('button', { name: 'Вернуть эту версию' }).click()
  await expect(page.getByText('Описание возвращено')).toBeVisible()
  expect((await clinic.call('GET', `${T}/tasks/${place.task}`)).description).toBe('<p>Проверить кушетку</p>')
  await phone(page)
  await fits(page)
  await page.getByRole('tab', { name: 'Задача' }).click()
  await expect(write(page)).toBeVisible()
  await fits(page)
})

test('cells of a spreadsheet are pasted as rows', async ({ clinic, page }) => {
  const anna = await clinic.person({ roles: ['Кладовщик'], surname: 'Аннина' })
  const place = await room(clinic, [anna])
  await signIn(page, anna)
  await open(page, place)
  const field = write(page)
  await field.click()
  await field.evaluate((element) => {
    const data = new DataTransfer()
    data.setData('text/html', '<table><tr><td>Услуга</td><td>Цена</td></tr><tr><td>УЗИ</td><td>1500</td></tr></table>')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(field.locator('p')).toHaveText(['Услуга Цена', 'УЗИ 1500'])
})
