import type { Page } from 'playwright/test'
import { type Clinic, expect, type Person, phone, signIn, test } from './support.ts'

/** The views of a workspace: list, table, calendar, lanes, filters, saved views; «Мои задачи». */
const T = '/tasks-management'

interface Space {
  person: Person
  board: { id: number; idColumnNew: number; idColumnWork: number }
  late: number
  member: number
}

/** A user with an own workspace and four tasks in it. */
async function space(clinic: Clinic, page: Page): Promise<Space> {
  const person = await clinic.person({ roles: ['Кладовщик'], surname: 'Видова' })
  const token = await signIn(page, person)
  const ask = clinic.as(token)
  const board = await ask('POST', `${T}/boards`, { name: 'Виды' })
  const task = (name: string, more: object) => ask('POST', `${T}/tasks`, { name, idColumn: board.idColumnNew, ...more })
  const day = (days: number) => {
    const now = new Date()
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 23, 59).toISOString()
  }
  const late = await task('Просроченная', { dateEnd: day(-3), importance: 9 })
  await task('Завтрашняя', { dateEnd: day(1) })
  await task('Без даты', { description: '<p>Проверить огнетушители</p>' })
  const mine = await task('Моя', { dateEnd: day(0) })
  const [member] = (await ask('GET', `${T}/members?filter[idBoard]=${board.id}`)).items
  await ask('POST', `${T}/executors`, { idTask: mine.id, idMember: member.id })
  return { person, board, member: member.id, late: late.id }
}

test('a workspace is shown as a list, a table and a calendar, and Back returns', async ({ clinic, page }) => {
  const { board } = await space(clinic, page)
  await page.goto(`/app/tasks?board=${board.id}`)
  await expect(page.locator('[data-card]').filter({ hasText: 'Просроченная' })).toBeVisible()

  await page.getByRole('button', { name: 'Список', exact: true }).click()
  // The overdue task may have been moved to the overdue column meanwhile.
  await expect(page.locator('[data-row]')).toHaveCount(4)

  await page.keyboard.press('v')
  await expect(page).toHaveURL(/view=table/)
  await expect(page.getByRole('table').getByText('Завтрашняя')).toBeVisible()

  await page.keyboard.press('v')
  await expect(page).toHaveURL(/view=calendar/)
  await expect(page.locator('[data-item]').filter({ hasText: 'Завтрашняя' }).first()).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Задачи без срока' })).toContainText('Без даты')

  await page.goBack()
  await expect(page).toHaveURL(/view=table/)
  await page.goBack()
  await expect(page).toHaveURL(/view=list/)
})

test('filters are in the address, as chips, and in a saved view', async ({ clinic, page }) => {
  const { board } = await space(clinic, page)
  await page.goto(`/app/tasks?board=${board.id}`)
  const card = (name: string) => page.locator('[data-card]').filter({ hasText: name })
  await page.getByRole('searchbox', { name: 'Поиск задачи' }).fill('огнетушит')
  await expect(card('Без даты')).toBeVisible()
  await expect(card('Завтрашняя')).toBeHidden()
  await page.getByRole('button', { name: 'Убрать: Поиск: «огнетушит»' }).click()
  await page.getByRole('button', { name: 'Просроченные', exact: true }).click()
  await expect(card('Завтрашняя')).toBeHidden()
  await expect(card('Просроченная')).toBeVisible()
  await expect(page).toHaveURL(/due=late/)
  await page.getByRole('button', { name: 'Виды' }).click()
  await page.getByRole('menuitem', { name: 'Сохранить как новый вид…' }).click()
  await page.getByRole('dialog').getByLabel('Название').fill('Горит')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Горит', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Сбросить' }).click()
  await expect(card('Завтрашняя')).toBeVisible()
  await page.getByRole('button', { name: /^Горит/ }).click()
  await page.getByRole('menuitem', { name: 'Горит', exact: true }).click()
  await expect(card('Завтрашняя')).toBeHidden()
  await page.getByRole('button', { name: /^Фильтры/ }).click()
  await expect(page.getByRole('combobox', { name: 'Состояние' })).toBeVisible()
})

test('in lanes by importance a card dropped on another lane gets its importance', async ({ clinic, page }) => {
  const { board } = await space(clinic, page)
  await page.goto(`/app/tasks?board=${board.id}&group=importance`)
  const lane = (importance: number) => page.getByRole('region', { name: new RegExp(`Важность ${importance},`) }).first()
  const card = lane(9).locator('[data-card]').filter({ hasText: 'Просроченная' })
  await expect(card).toBeVisible()
  await expect(lane(10).locator(`[data-column="${board.idColumnNew}"] [data-list]`)).toBeVisible()
  // A drag of two moves may end before a busy page has marked the place.
  await expect(async () => {
    if (await card.isVisible()) await card.dragTo(lane(10).locator(`[data-column="${board.idColumnNew}"] [data-list]`))
    await expect(lane(10).locator('[data-card]').filter({ hasText: 'Просроченная' })).toBeVisible({ timeout: 10_000 })
  }).toPass({ timeout: 120_000 })
  await expect(card).toBeHidden()
})

test('several cards are changed at once, and back', async ({ clinic, page }) => {
  const { board } = await space(clinic, page)
  await page.goto(`/app/tasks?board=${board.id}&view=table`)
  await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
  const bar = page.getByRole('toolbar', { name: 'Действия с выбранными' })
  await bar.getByRole('button', { name: 'Важность' }).click()
  await page.getByRole('button', { name: '8, высокая' }).click()
  await expect(page.getByText('Важность изменена: 4 задачи')).toBeVisible()
  await expect(page.getByRole('cell', { name: '8', exact: true })).toHaveCount(4)
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('cell', { name: '8', exact: true })).toHaveCount(0)
  await bar.getByRole('button', { name: 'В шаблоны' }).click()
  await expect(page.getByText('Сохранено в шаблоны: 4 задачи')).toBeVisible()
  const templates = async () =>
    (await clinic.call('GET', `${T}/assigned?filter[task.isTemplate]=true&filter[column.idBoard]=${board.id}`)).items
      .length
  expect(await templates()).toBe(4)
  await page.keyboard.press('Control+z')
  await expect.poll(templates).toBe(0)
})

test('of several cards those go that may, with a message which stay and why', async ({ clinic, page, complaints }) => {
  complaints.allow(/status of 403/)
  const board = await clinic.call('POST', `${T}/boards`, { name: 'Не всё можно' })
  const { person } = await clinic.enter(page, 'Кладовщик')
  await clinic.call('POST', `${T}/members`, {
    idBoard: board.id,
    idUser: person.id,
    permissionToViewTasks: 'all',
    permissionToEditTasks: 'all',
    permissionToDeleteTasks: 'my',
  })
  const [member] = (await clinic.call('GET', `${T}/members?filter[idBoard]=${board.id}&filter[idUser]=${person.id}`))
    .items
  for (const name of ['Чужая', 'Своя']) {
    const { id: idTask } = await clinic.call('POST', `${T}/tasks`, { name, idColumn: board.idColumnNew })
    if (name === 'Своя') await clinic.call('POST', `${T}/executors`, { idTask, idMember: member.id })
  }
  await page.goto(`/app/tasks?board=${board.id}`)
  const card = (name: string) => page.locator('[data-card]').filter({ hasText: name })
  const bar = page.getByRole('toolbar', { name: 'Действия с выбранными' })
  const remove = bar.getByRole('button', { name: 'Удалить' })
  await card('Чужая').focus()
  await page.keyboard.press('x')
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAttribute('title', 'нет права удалять задачу')
  await card('Своя').click({ modifiers: ['Shift'] })
  await expect(remove).toHaveAttribute('title', 'Не изменятся 1 из 2: нет права удалять задачу')
  await remove.click()
  await expect(page.getByText('Удалено: 1 из 2')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Без изменений: 1 из 2' })).toContainText('«Чужая»:')
  await expect(card('Своя')).toBeHidden()
  await expect(card('Чужая')).toBeVisible()
  await expect(bar).toContainText('Выбрано: 1')
  await page.keyboard.press('Control+z')
  await expect(card('Своя')).toBeVisible()
})

test('the calendar moves a task by hand without dragging', async ({ clinic, page }) => {
  const { board } = await space(clinic, page)
  await page.goto(`/app/tasks?board=${board.id}&view=calendar`)
  await page.getByRole('button', { name: 'Назначить срок задаче «Без даты»' }).click()
  const dialog = page.getByRole('dialog', { name: 'Перенести задачу' })
  const today = new Date().toLocaleDateString('ru-RU', { timeZone: 'Europe/Moscow' })
  await dialog.getByLabel('Срок').fill(`${today} 16:00`)
  await dialog.getByRole('button', { name: 'Перенести', exact: true }).click()
  await expect(page.getByRole('complementary', { name: 'Задачи без срока' })).toContainText('У всех задач есть срок')
  // The day is drawn before it is stored; undo refers to the stored one.
  await expect(page.getByRole('alert').getByRole('button', { name: 'Отменить' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('complementary', { name: 'Задачи без срока' })).toContainText('Без даты')
})

test('«Мои задачи» gather the own tasks, and open it in place', async ({ clinic, page }) => {
  const { member, late } = await space(clinic, page)
  await clinic.call('POST', `${T}/executors`, { idTask: late, idMember: member })
  await page.goto('/app/tasks/mine')
  const menu = page.getByRole('navigation', { name: 'Разделы' })
  await expect(menu.getByRole('link', { name: 'Мои задачи' })).toHaveAttribute('title', 'Ждёт вас: 1')
  const link = page.getByRole('link', { name: 'Моя', exact: true })
  await expect(link).toBeVisible()
  await link.click()
  await expect(page.getByRole('dialog', { name: 'Задача «Моя»' })).toBeVisible()
  await expect(page).toHaveURL(/tasks\/mine\?.*assignedColumn=\d+/)
  await page.keyboard.press('Escape')
  await phone(page)
  await expect(link).toBeVisible()
})

test.describe('on a computer of another zone', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('screen, calendar, filters by day and export go by the clock of the profile', async ({ clinic, page }) => {
    const { board, person } = await space(clinic, page)
    await clinic.call('PUT', `/users/${person.id}`, { timeZone: 'Asia/Vladivostok' })
    const token = await clinic.token(person)
    // Half past midnight of the 16th in Vladivostok is the 15th in New York and in Moscow.
    const { status } = await clinic.ask(
      'POST',
      `${T}/tasks`,
      { name: 'Полуночная', idColumn: board.idColumnNew, dateEnd: '2031-07-15T14:30:00Z' },
      token,
    )
    expect(status).toBe(201)
    const exported = await fetch(
      `${clinic.url}${T}/tasks/export?format=csv&fields=name,dateEnd&filter[name]=${encodeURIComponent('Полуночная')}`,
      { headers: { Authorization: `Bearer ${token}` } },
    )
    expect(await exported.text()).toContain('16.07.2031 00:30')

    await signIn(page, person)
    await page.goto(`/app/tasks?board=${board.id}&view=calendar&date=2031-07-16&span=day`)
    const item = page.locator('[data-item]').filter({ hasText: 'Полуночная' }).first()
    await expect(item).toContainText('00:30')
    await page.goto(`/app/tasks?board=${board.id}&view=list&due=period&from=2031-07-16&to=2031-07-16`)
    await expect(page.locator('[data-row]')).toHaveCount(1)
    await page.goto(`/app/tasks?board=${board.id}&view=list&due=period&from=2031-07-15&to=2031-07-15`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[data-row]')).toHaveCount(0)
  })
})
