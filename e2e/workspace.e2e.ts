import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, type Person, phone, signIn, test, title } from './support.ts'

/** A workspace around its board: members, the invitation link, relations, materials, settings that affect everything at once. */
const T = '/tasks-management'

interface Board {
  id: number
  name: string
  idColumnNew: number
  idColumnCompleted: number
}

async function owned(page: Page, clinic: Clinic, name: string) {
  const owner = await clinic.person({ roles: ['Руководитель'] })
  const call = clinic.as(await signIn(page, owner))
  const board: Board = await call('POST', `${T}/boards`, { name })
  return { owner, call, board }
}

const open = async (page: Page, board: Board) => {
  await page.goto(`/app/tasks?board=${board.id}`)
  await expect(title(page, board.name)).toBeVisible()
}

const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('an invited person comes in by the link, and a wrong link shows an error', async ({
  page,
  clinic,
  complaints,
  visitor,
}) => {
  const { board } = await owned(page, clinic, 'По приглашению')
  await open(page, board)
  await menu(page, 'Пригласить по ссылке')
  const link = page.getByRole('textbox', { name: 'Ссылка' })
  await expect(link).toHaveValue(/\/app\/tasks\/invitation\?board=\d+&token=[\w-]{32}$/)
  const address = new URL(await link.inputValue())
  const guest = await visitor()
  const who: Person = await clinic.person({ roles: ['Руководитель'] })
  await signIn(guest, who)
  complaints.allow(/status of 404/)
  await guest.goto(`/app/tasks/invitation?board=${board.id}&token=wrong`)
  await expect(title(guest, 'Приглашение недействительно')).toBeVisible()
  await guest.goto(address.pathname + address.search)
  await expect(title(guest, 'Приглашение в рабочее пространство')).toBeVisible()
  await expect(guest.getByText('По приглашению')).toBeVisible()
  const owner = guest.getByText('Владелец:').getByRole('link')
  const waited = owner.evaluate(
    (link) =>
      new Promise<number>((resolve) => {
        let since = 0
        link.addEventListener('pointerenter', () => (since = performance.now()), { once: true })
        new MutationObserver(() => {
          if (document.querySelector('[role=tooltip]')) resolve(performance.now() - since)
        }).observe(document.body, { childList: true, subtree: true })
      }),
  )
  await owner.hover()
  await expect(guest.getByRole('tooltip')).toContainText('В сети')
  const tip = await waited
  expect(tip, 'nobody who passes by is stopped').toBeGreaterThanOrEqual(95)
  expect(tip, 'who asks does not wait').toBeLessThan(1000)
  await expect(guest.getByRole('tooltip')).toHaveCSS('max-width', '468px')
  await phone(guest)
  await fits(guest)
  await guest.getByRole('button', { name: 'Вступить' }).click()
  await expect(title(guest, 'По приглашению')).toBeVisible()
  // An existing member is led straight to the board.
  await guest.goto(address.pathname + address.search)
  await expect(title(guest, 'По приглашению')).toBeVisible()
  // The online state is requested for every user on the screen.
  const asked = page.waitForRequest((request) => {
    const isAsked = new URL(request.url()).pathname === '/users/is-online'
    return isAsked && (request.postDataJSON() as { users: number[] }).users.includes(who.id)
  })
  await open(page, board)
  await asked
})

test('a group is added with the rights of a preset, and a member is removed and restored', async ({ page, clinic }) => {
  const { board, call } = await owned(page, clinic, 'Группа')
  await clinic.person({ roles: ['Кладовщик'] })
  await open(page, board)
  await menu(page, 'Участники')
  await page.getByRole('button', { name: 'Добавить группу' }).click()
  const dialog = page.getByRole('dialog', { name: 'Добавить группу' })
  await dialog.getByRole('checkbox', { name: /Кладовщик/ }).check()
  await dialog.getByText('Наблюдатель', { exact: true }).click()
  await dialog.getByRole('button', { name: /^Добавить \d+ сотрудник/ }).click()
  await expect(page.getByText(/Добавлено: \d+/)).toBeVisible()
  const { items } = await call('GET', `${T}/members?filter[idBoard]=${board.id}&sort=-id&limit=100`)
  expect(items[0]).toMatchObject({ permissionToViewTasks: 'all', permissionToEditTasks: 'none', canCreateTask: false })
  const drawer = page.getByRole('dialog', { name: /участник/ })
  await expect(drawer.getByRole('listitem')).toHaveCount(items.length)
  const last = drawer.getByRole('listitem').last()
  await last.getByRole('button', { expanded: false }).click()
  await last.getByText('Исполнитель', { exact: true }).click()
  const changed = async () => (await call('GET', `${T}/members/${items[0].id}`)).canCreateTask
  await expect.poll(changed).toBe(true)
  await last.getByRole('button', { name: /^Исключить/ }).click()
  await expect(drawer.getByRole('listitem')).toHaveCount(items.length - 1)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(drawer.getByRole('listitem')).toHaveCount(items.length)
})

test('materials, relations and the limit of a column', async ({ page, clinic }) => {
  const { board, call } = await owned(page, clinic, 'Материалы и связи')
  const other: Board = await call('POST', `${T}/boards`, { name: 'Соседнее' })
  for (const name of ['Раз', 'Два']) await call('POST', `${T}/tasks`, { name, idColumn: board.idColumnNew })
  await open(page, board)

  await page.getByRole('button', { name: 'Материалы пространства' }).click()
  const panel = page.getByRole('dialog', { name: 'Материалы' })
  await panel.getByRole('button', { name: 'Добавить ссылку' }).click()
  await panel.getByLabel('Ссылка').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(panel.getByText(/Ссылка должна начинаться/)).toBeVisible()
  await panel.getByLabel('Ссылка').fill('https://clinic.ru/reglament')
  await panel.getByLabel('Название').fill('Регламент')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('link', { name: 'Регламент' })).toHaveAttribute('href', 'https://clinic.ru/reglament')
  const file = { name: 'памятка.txt', mimeType: 'text/plain', buffer: Buffer.from('Памятка') }
  await panel.locator('input[type=file]').setInputFiles(file)
  await expect(panel.getByRole('button', { name: 'Скачать «памятка.txt»' })).toBeVisible()
  await panel.getByRole('button', { name: 'Удалить «Регламент»' }).click()
  await expect(panel.getByRole('link', { name: 'Регламент' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(panel.getByRole('link', { name: 'Регламент' })).toBeVisible()
  await page.keyboard.press('Escape')

  await menu(page, 'Связанные пространства')
  const relations = page.getByRole('dialog', { name: 'Связанные пространства' })
  await relations.getByRole('combobox', { name: 'Добавить связь' }).click()
  await page.getByRole('option', { name: 'Соседнее' }).click()
  await relations.getByRole('combobox', { name: 'Колонка для задач в «Соседнее»' }).click()
  await page.getByRole('option', { name: 'В работе' }).click()
  const stored = async () => (await call('GET', `${T}/relations?filter[idBoard]=${board.id}`)).items[0]
  await expect.poll(stored).toMatchObject({ idRelationBoard: other.id, nameColumn: 'В работе' })
  await relations.getByRole('button', { name: 'Закрыть' }).click()

  await page.getByRole('button', { name: 'Действия с колонкой «Новые»' }).click()
  await page.getByRole('menuitem', { name: 'Предел задач…' }).click()
  await page.getByLabel('Предел задач').fill('три')
  await page.keyboard.press('Enter')
  // Letters are kept and refused with a message, and nothing is saved.
  await expect(page.getByText('Поле должно быть числом')).toBeVisible()
  await expect(page.getByLabel('Предел задач')).toHaveValue('три')
  await page.getByLabel('Предел задач').fill('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: /Новые.*предел 1, превышен/ })).toBeVisible()
})

test('completed tasks go to the archive and back; the workspace is cleared and transferred', async ({
  page,
  clinic,
}) => {
  const { board, call } = await owned(page, clinic, 'Целиком')
  const heir = await clinic.person({ roles: ['Руководитель'], surname: 'Наследников' })
  await call('POST', `${T}/members`, { idBoard: board.id, idUser: heir.id })
  const task = await call('POST', `${T}/tasks`, { name: 'Готовая задача', idColumn: board.idColumnNew })
  await call('POST', `${T}/tasks`, { name: 'Начатая задача', idColumn: board.idColumnNew })
  await call('PUT', `${T}/tasks/${task.id}`, { isCompleted: true })
  await open(page, board)
  const done = page.locator('[data-card]').filter({ hasText: 'Готовая задача' })
  await expect(done).toBeVisible()
  await menu(page, 'В архив завершённые')
  await expect(done).toHaveCount(0)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(done).toBeVisible()

  await menu(page, 'Очистить пространство')
  const question = page.getByRole('dialog', { name: 'Очистить пространство?' })
  await expect(question.getByText(/уйдут 2\sзадачи/)).toBeVisible()
  await question.getByRole('button', { name: 'Убрать 2 задачи' }).click()
  await expect(page.locator('[data-card]')).toHaveCount(0)

  await menu(page, 'Передать пространство')
  const transfer = page.getByRole('dialog', { name: 'Передать пространство' })
  await transfer.getByRole('combobox', { name: 'Новый владелец' }).click()
  await page.getByRole('option', { name: /Наследников/ }).click()
  await transfer.getByRole('button', { name: /^Передать/ }).click()
  const owner = async () => (await call('GET', `${T}/boards/${board.id}`)).idUser
  await expect.poll(owner).toBe(heir.id)
  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await expect(page.getByRole('menuitem', { name: 'Удалить пространство' })).toHaveCount(0)
})
