import { randomUUID } from 'node:crypto'
import { expect, test, title } from './support.ts'

const unique = () => Math.random().toString(36).slice(2, 8)

test('the palette finds a page by the keyboard, in the wrong layout too', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app')
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Поиск и команды' })
  await expect(field).toBeFocused()
  await page.keyboard.type('роли')
  await expect(page.getByRole('option').first()).toContainText('Роли и права')
  await page.keyboard.press('Enter')
  await expect(title(page, 'Роли и права')).toBeVisible()
  await expect(field).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type('ghjabkm')
  await expect(page.getByRole('option', { selected: true })).toContainText('Мой профиль')
  await field.fill('жщфъ')
  await expect(page.getByText('Совпадений не найдено')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(title(page, 'Роли и права')).toBeVisible()
})

const makings = [
  ['создать задачу', 'Новая задача', 'Новая задача'],
  ['новая сделка', 'Новая сделка', 'Новая сделка'],
  ['запись', 'Новая запись', 'Запись на приём'],
  ['клиента', 'Новый клиент', 'Новый клиент'],
  ['оплата', 'Принять оплату', 'Принять оплату'],
  ['новое обращение', 'Новое обращение', 'Новое обращение'],
  ['создать регламент', 'Новый регламент', 'Новый регламент'],
  ['новость', 'Новая новость', 'Новая новость'],
  ['новую роль', 'Новая роль', 'Новая роль'],
] as const

test('Ctrl+K creates from anywhere every permitted record, by usual words', async ({ page, clinic }) => {
  await clinic.enter(page)
  // Payments need an open shift: of the first desk.
  const { items } = await clinic.call('GET', '/cash-desks?filter[active]=1&limit=1')
  await clinic.call('POST', '/cash-shifts/open', { key: randomUUID(), idDesk: items[0].id }).catch(() => undefined)
  const field = page.getByRole('combobox', { name: 'Поиск и команды' })
  await page.goto('/app/roles')
  await expect(title(page, 'Роли и права')).toBeVisible()
  for (const [words, label, opens] of makings) {
    await page.keyboard.press('Control+k')
    await field.fill(words)
    await expect(page.getByRole('option', { selected: true }), words).toContainText(label)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog').filter({ hasText: opens })
    await expect(dialog, words).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog, words).toBeHidden()
  }
  // In the order of use, before anything is typed; setup pages are listed only after they were used.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Новая роль' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Новый вебхук' })).toHaveCount(0)
  // Texts are left-aligned.
  const lefts = await page
    .getByRole('option')
    .evaluateAll((all) => all.map((one) => Math.round(one.firstElementChild?.getBoundingClientRect().left ?? 0)))
  expect(new Set(lefts).size).toBe(1)
})

test('Ctrl+K finds records by their words and phones, opens them, and lists them afterwards', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  const name = `Стерилизатор ${unique()}`
  const board = await clinic.call('POST', '/tasks-management/boards', { name: `Поиск ${unique()}` })
  await clinic.call('POST', '/tasks-management/tasks', { name, idColumn: board.idColumnNew })
  const person = await clinic.person()
  await clinic.call('PUT', `/users/${person.id}`, { phone: '+79120004455' })
  await page.goto('/app/users')
  await expect(title(page, 'Сотрудники')).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Поиск и команды' })
  await field.fill(name.toLowerCase())
  const found = page.getByRole('option').filter({ hasText: name })
  await expect(found).toContainText(`${board.name} · Новые`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(name))
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ordinator:recent'))).toContain(name)

  await page.goto('/app/users')
  await expect(title(page, 'Сотрудники')).toBeVisible()
  await page.keyboard.press('Control+k')
  await field.fill('8 912 000-44-55')
  const known = page.getByRole('option').filter({ hasText: person.fio.split(' ')[0] })
  await expect(known).toContainText('+7 (912) 000-44-55')
  // The distinguishing part is cut at the end of the line; on a phone it is shown completely below the name.
  const places = () =>
    known.evaluate((one) => {
      const [line, hint, label] = [one, one.lastElementChild, one.lastElementChild?.previousElementSibling].map(
        (part) => part?.getBoundingClientRect(),
      ) as [DOMRect, DOMRect, DOMRect]
      return { toEdge: Math.round(line.right - hint.right), isBeneath: hint.top >= label.bottom - 1 }
    })
  const wide = await places()
  expect(wide).toEqual({ toEdge: expect.any(Number), isBeneath: false })
  expect(wide.toEdge).toBeLessThanOrEqual(16)
  const size = page.viewportSize() as { width: number; height: number }
  await page.setViewportSize({ width: 390, height: 800 })
  expect((await places()).isBeneath).toBe(true)
  const cut = await known.evaluate((one) => [...one.children].some((part) => part.scrollWidth > part.clientWidth + 1))
  expect(cut).toBe(false)
  await page.setViewportSize(size)
  await field.fill('')
  await expect(page.getByRole('option').first()).toContainText(name)

  // Enter waits for the results, even when the response is slow.
  await page.route('**/search?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.keyboard.type(name.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await page.unroute('**/search?*')
  // Also when Enter is pressed before the response.
  await page.goto('/app/users')
  await expect(title(page, 'Сотрудники')).toBeVisible()
  for (const key of ['Control+k', 'h', 'j', 'k', 'b', 'Enter']) await page.keyboard.press(key)
  await expect(title(page, 'Роли и права')).toBeVisible()
  await page.goto('/app/users')
  await expect(title(page, 'Сотрудники')).toBeVisible()
  await page.keyboard.press('Control+k')

  // Records can be created from every page.
  await field.fill('новая зад')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Новая задача' })
  await expect(dialog.getByLabel('Название')).toBeFocused()
  await page.keyboard.type(`Заказ ${name}`)
  await dialog.getByLabel('Рабочее пространство').fill(board.name)
  await page.getByRole('option', { name: board.name }).click()
  await dialog.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByText('Задача создана')).toBeVisible()
  const made = await clinic.call('GET', `/tasks-management/tasks?filter[name]=${encodeURIComponent(`Заказ ${name}`)}`)
  expect(made.items).toHaveLength(1)
})
