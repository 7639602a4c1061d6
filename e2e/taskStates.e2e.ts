import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, type Person, phone, signIn, test } from './support.ts'

/** States of a task: the open card's actions, keys, a refusal, undo; subtasks and parents; copy and move. */
const T = '/tasks-management'

interface Scene {
  board: Record<string, number>
  task: { id: number }
  card: number
}

/** A workspace of the worker's administrator with an executor who may not edit, and a task assigned to them. */
async function scene(clinic: Clinic, executor: Person, name: string): Promise<Scene> {
  const board = await clinic.call('POST', `${T}/boards`, { name: 'Лицензирование' })
  const member = await clinic.call('POST', `${T}/members`, {
    idBoard: board.id,
    idUser: executor.id,
    permissionToViewTasks: 'all',
    permissionToEditTasks: 'none',
    canManuallyDragTask: true,
  })
  const task = await clinic.call('POST', `${T}/tasks`, { name, idColumn: board.idColumnNew })
  await clinic.call('POST', `${T}/executors`, { idTask: task.id, idMember: member.id })
  const { items } = await clinic.call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  return { board, task, card: items[0].id }
}

const open = (page: Page, { board, card }: Scene) => page.goto(`/app/tasks?board=${board.id}&assignedColumn=${card}`)
const bar = (page: Page) => page.getByRole('region', { name: 'Состояние' })
const column = (page: Page, id: number | undefined) => page.locator(`[data-column="${id}"]`)

test('a task goes from person to person by the verbs of its open card', async ({ page, visitor, clinic }) => {
  const executor = await clinic.person({ roles: ['Врач'] })
  const checker = await clinic.person({ roles: ['Врач'] })
  const it = await scene(clinic, executor, 'Проверить журналы')
  const answers = await clinic.call('POST', `${T}/members`, {
    idBoard: it.board.id,
    idUser: checker.id,
    permissionToViewTasks: 'all',
  })
  await clinic.call('POST', `${T}/responsible`, { idTask: it.task.id, idMember: answers.id })

  await signIn(page, executor)
  await open(page, it)
  await expect(bar(page)).toContainText('Новая')
  await bar(page).getByRole('button', { name: 'Взять в работу' }).click()
  await expect(bar(page)).toContainText('В работе')
  await page.keyboard.press('h')
  await expect(bar(page)).toContainText('На проверке')
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(bar(page)).toContainText('В работе')
  await bar(page).getByRole('button', { name: 'Сдать на проверку' }).click()
  await expect(bar(page)).toContainText('На проверке')
  // An action reserved for others names the role it belongs to.
  await bar(page).getByRole('button', { name: 'Другие действия с состоянием' }).click()
  await page.getByRole('menuitem', { name: 'Принять работу' }).click({ force: true })
  await expect(page.getByText('Принять работу может создатель, ответственный или владелец пространства')).toBeVisible()

  const other = await visitor()
  await signIn(other, checker)
  await open(other, it)
  await bar(other).getByRole('button', { name: 'Другие действия с состоянием' }).click()
  await other.getByRole('menuitem', { name: 'Вернуть на доработку' }).click()
  const dialog = other.getByRole('dialog', { name: 'Вернуть на доработку' })
  await dialog.getByRole('button', { name: 'Вернуть', exact: true }).click()
  await expect(dialog.getByText('Напишите, что нужно исправить')).toBeVisible()
  await dialog.getByLabel('Что исправить').fill('Нет подписи <заведующей>')
  await dialog.getByRole('button', { name: 'Вернуть', exact: true }).click()
  await expect(bar(other)).toContainText('Нужны правки')
  await expect(dialog).toBeHidden()

  await expect(bar(page)).toContainText('Нужны правки')
  await expect(page.getByText('Нет подписи <заведующей>')).toBeVisible()
  await page.keyboard.press('h')
  await expect(bar(page)).toContainText('На проверке')
  await expect(bar(other)).toContainText('На проверке')
  await bar(other).getByRole('button', { name: 'Принять работу' }).click()
  await expect(bar(other)).toContainText('Завершена')
  await other.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await expect(column(other, it.board.idColumnCompleted)).toContainText('Проверить журналы')
})

test('a card is moved by the keys of its state, and a forbidden drop returns', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 403/)
  const executor = await clinic.person({ roles: ['Врач'] })
  const it = await scene(clinic, executor, 'Сверить остатки')
  await signIn(page, executor)
  await page.goto(`/app/tasks?board=${it.board.id}`)
  const face = page.locator(`[data-card="${it.card}"]`)
  await face.focus()
  await page.keyboard.press('s')
  await expect(column(page, it.board.idColumnWork)).toContainText('Сверить остатки')
  await face.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(page.getByText('Завершит задачу тот, кто её проверяет: перенесите её на проверку')).toBeVisible()
  await expect(column(page, it.board.idColumnWork)).toContainText('Сверить остатки')
})

test('subtasks are added, ticked, ordered, opened and unlinked; a copy is added beside', async ({ page, clinic }) => {
  const owner = await clinic.person({ roles: ['Врач'] })
  await signIn(page, owner)
  const token = await clinic.token(owner)
  const call = clinic.as(token)
  const board = await call('POST', `${T}/boards`, { name: 'Приём' })
  const task = await call('POST', `${T}/tasks`, { name: 'Открыть кабинет', idColumn: board.idColumnNew })
  const { items } = await call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  await signIn(page, owner)
  await open(page, { board, task, card: items[0].id })
  const parts = page.getByRole('region', { name: 'Подзадачи' })
  for (const name of ['Мебель', 'Вывеска']) {
    await parts.getByLabel('Новая подзадача').fill(name)
    await page.keyboard.press('Enter')
    await expect(parts.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await parts.getByLabel('Завершена: Мебель').click()
  await expect(parts).toContainText('1 из 2')
  await parts.getByRole('button', { name: 'Вывеска', exact: true }).focus()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect(parts.locator('li').first()).toContainText('Вывеска')
  await phone(page)
  await fits(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await parts.getByRole('button', { name: 'Вывеска', exact: true }).click()
  const parents = page.getByRole('navigation', { name: 'Родительские задачи' })
  await expect(parents).toContainText(/Часть задачи:\s*Открыть кабинет/)
  await parents.getByRole('button').click()
  await parts.getByRole('button', { name: 'Действия с подзадачей «Мебель»' }).click()
  await page.getByRole('menuitem', { name: 'Убрать из подзадач' }).click()
  await expect(parts).toContainText('0 из 1')

  await page.getByRole('button', { name: 'Действия с задачей', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Копировать в…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Копировать задачу' })
  await dialog.getByLabel('Название').fill('Открыть второй кабинет')
  await dialog.getByLabel('С подзадачами').check()
  await dialog.getByRole('button', { name: 'Копировать' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).click()
  await expect(column(page, board.idColumnNew)).toContainText('Открыть второй кабинет')
  await expect(page.locator('[data-card]').filter({ hasText: 'Вывеска' })).toHaveCount(2)
})
