import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, keptByBrowser, phone, test, title } from './support.ts'

const step = (key: string, name: string, ...answers: [string, string | null][]) => ({
  key,
  title: name,
  text: `Говорим: ${name}`,
  answers: answers.map(([text, next]) => ({ text, next })),
})

const make = (clinic: Clinic, body: object): Promise<{ id: number }> => clinic.call('POST', '/old-scripts', body)
const enter = async (page: Page, clinic: Clinic, address: string) => {
  await clinic.enter(page)
  await page.goto(`/app/${address}`)
}
const list = (page: Page) => page.getByRole('list', { name: 'Шаги разговора' })
const map = (page: Page) => page.getByRole('group', { name: 'Шаги на карте' })

test('groups are made, ordered and deleted; scripts are sorted into them, copied, switched off', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/409 \(Conflict\).*\/script-groups\//)
  const mark = randomUUID().slice(0, 8)
  const { id } = await make(clinic, { name: `Звонок ${mark}`, params: { steps: [step('a', 'Начало')] } })
  await enter(page, clinic, 'scripts')
  await expect(title(page, 'Скрипты')).toBeVisible()
  const tree = page.getByRole('navigation', { name: 'Дерево групп скриптов' })
  const group = (name: string) => tree.getByRole('button', { name: new RegExp(`^${name} ${mark}`) })
  for (const name of ['Первая', 'Вторая']) {
    await tree.getByRole('button', { name: 'Новая группа' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Название' }).fill(`${name} ${mark}`)
    await page.keyboard.press('Control+Enter')
    await expect(group(name)).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const order = () => tree.getByRole('listitem').filter({ hasText: mark }).allInnerTexts()
  const begins = (name: string) => expect.poll(async () => (await order())[0]).toContain(name)
  await begins('Первая')
  await group('Вторая').focus()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await begins('Вторая')
  await tree.getByRole('button', { name: `Действия: Вторая ${mark}` }).click()
  await page.getByRole('menuitem', { name: 'Ниже' }).click()
  await begins('Первая')

  await page.getByRole('searchbox').or(page.getByPlaceholder('Поиск: название')).fill(mark)
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: mark })
  await expect(rows).toHaveCount(1)
  await rows.getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'В группу' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Вторая ${mark}` })
    .click()
  await expect(group('Вторая')).toContainText('1')
  await group('Первая').click()
  await expect(rows).toHaveCount(0)
  await group('Вторая').click()
  await expect(page).toHaveURL(/group=\d+/)
  await expect(rows).toHaveCount(1)
  await rows.getByRole('switch').click()
  await expect.poll(async () => (await clinic.call('GET', `/old-scripts/${id}`)).active).toBe(false)
  await rows.getByRole('button', { name: 'Действия' }).click()
  await page.getByRole('menuitem', { name: 'Дублировать' }).click()
  await expect(rows).toHaveCount(2)

  await tree.getByRole('button', { name: `Действия: Вторая ${mark}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Удалить можно только пустую группу' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await tree.getByRole('button', { name: `Действия: Первая ${mark}` }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(group('Первая')).toBeHidden()
  await page
    .getByRole('alert')
    .filter({ hasText: /Группа скриптов.* удалена/ })
    .getByRole('button', { name: 'Отменить' })
    .click()
  await expect(group('Первая')).toBeVisible()
  await phone(page)
  await page.getByRole('button', { name: `Вторая ${mark}` }).click()
  await expect(page.getByRole('dialog').getByRole('navigation', { name: 'Дерево групп скриптов' })).toBeVisible()
  await fits(page)
})

test('a script in use shows where, and is deleted only after a question', async ({ page, clinic }) => {
  const mark = randomUUID().slice(0, 8)
  const { id } = await make(clinic, { name: `Возражение ${mark}` })
  const funnel = await clinic.call('POST', '/sales-management/funnels', { name: `Воронка ${mark}` })
  await clinic.call('POST', '/sales-management/funnel-scripts', { idFunnel: funnel.id, idScript: id })
  // A narrow list hides its last columns.
  await page.setViewportSize({ width: 1700, height: 800 })
  await enter(page, clinic, `scripts?q=${mark}`)
  const row = page.getByRole('table').getByRole('row').filter({ hasText: mark })
  await row.getByRole('button', { name: /^Воронки/ }).click()
  await expect(page.getByRole('link', { name: `Воронка ${mark}` })).toBeVisible()
  await page.keyboard.press('Escape')
  const remove = async () => {
    await row.getByRole('button', { name: /^Действия/ }).click()
    await page.getByRole('menuitem', { name: 'Удалить' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Скрипт используется' })
  await remove()
  await expect(question).toContainText(`1 воронка («Воронка ${mark}»)`)
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(row).toBeVisible()
  await remove()
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(row).toBeVisible()
})

test('a script is built, checked, tried and saved', async ({ page, clinic }) => {
  const name = `Запись ${randomUUID().slice(0, 8)}`
  await enter(page, clinic, 'new-scripts')
  await page.getByRole('textbox', { name: 'Название', exact: true }).fill(name)
  const add = page.getByRole('button', { name: 'Добавить шаг' })
  await add.click()
  await page.getByRole('textbox', { name: 'Название шага' }).fill('Приветствие')
  await expect(page.getByText('11 / 255')).toBeVisible()
  await page.getByRole('textbox', { name: 'Что сказать' }).fill('Добрый день!')
  await expect(page.getByText('12 / 5000')).toBeVisible()
  // An answer with a step made for it at once.
  await page.getByRole('button', { name: 'Добавить ответ' }).click()
  await expect(page.getByRole('textbox', { name: 'Ответ 1' })).toBeFocused()
  await page.keyboard.type('Нужен врач')
  await page.getByRole('combobox', { name: 'Куда ведёт ответ 1' }).click()
  await page.getByRole('option', { name: '+ Новый шаг' }).click()
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('combobox', { name: 'Куда ведёт ответ 1' })).toHaveValue('2. Нужен врач')
  await expect(page.getByText('Ко всем шагам можно прийти')).toBeVisible()
  // A step that is not reachable and has no way out.
  await add.click()
  await page.getByRole('textbox', { name: 'Название шага' }).fill('По кругу')
  await page.getByRole('button', { name: 'Добавить ответ' }).click()
  await page.keyboard.type('Ещё раз')
  await page.getByRole('combobox', { name: 'Куда ведёт ответ 1' }).click()
  await page.getByRole('option', { name: '3. По кругу' }).click()
  const findings = page.getByRole('status').filter({ hasText: 'Сюда не ведёт' })
  await expect(findings).toContainText('Отсюда разговор не закончить')
  await expect(list(page).getByRole('listitem').nth(2)).toContainText('недостижим')
  // The map: arrow keys move along it, a click opens.
  await map(page)
    .getByRole('button', { name: /^1\. Приветствие/ })
    .click()
  await page.keyboard.press('ArrowDown')
  await expect(map(page).getByRole('button', { name: /^2\. Нужен врач/ })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Название шага' })).toHaveValue('Нужен врач')
  // Order: keys, and the menu.
  await list(page)
    .getByRole('button', { name: /По кругу/ })
    .first()
    .click()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect(list(page).getByRole('listitem').nth(1)).toContainText('По кругу')
  await list(page).getByRole('button', { name: 'Действия: По кругу' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  // Run as an operator does, before it is saved.
  await page.getByRole('button', { name: 'Проверить разговор' }).click()
  const walk = page.getByRole('dialog', { name: 'Проверка разговора' })
  await expect(walk.getByText('Добрый день!')).toBeVisible()
  await walk.getByRole('button', { name: 'Нужен врач' }).click()
  await expect(walk.getByRole('heading', { name: 'Нужен врач' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(walk).toBeHidden()
  await page.getByRole('textbox', { name: 'Название шага' }).press('Control+Enter')
  await expect(title(page, name)).toBeVisible()
  await expect(page).toHaveURL(/scripts\/\d+/)
  await page.reload()
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await phone(page)
  await fits(page)
})

test('typed text is kept, and another user’s save is not overwritten', async ({ page, clinic, complaints }) => {
  complaints.allow(/409 \(Conflict\).*\/old-scripts\//)
  const { id } = await make(clinic, {
    name: 'Два редактора',
    params: { steps: [step('a', 'Начало', ['Да', 'b']), step('b', 'Конец')] },
  })
  await enter(page, clinic, `scripts/${id}`)
  const field = page.getByRole('textbox', { name: 'Название шага' })
  await field.fill('Моё начало')
  await page.getByRole('button', { name: 'Все скрипты' }).click()
  const question = page.getByRole('dialog', { name: 'Изменения не сохранены' })
  await question.getByRole('button', { name: 'Остаться' }).click()
  await keptByBrowser(page, 'Моё начало')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText('Восстановлено несохранённое')).toBeVisible()
  await expect(field).toHaveValue('Моё начало')
  await clinic.call('PUT', `/old-scripts/${id}`, { params: { steps: [step('a', 'Чужое начало')] } })
  await expect(page.getByText('Запись изменили, пока вы её правите')).toBeVisible()
  await field.press('Control+Enter')
  const conflict = page.getByRole('dialog', { name: 'Запись уже изменили' })
  await conflict.getByRole('button', { name: 'Сохранить выбранное' }).click()
  await expect
    .poll(async () => (await clinic.call('GET', `/old-scripts/${id}`)).params.steps[0].title)
    .toBe('Моё начало')
})

test('200 steps are edited', async ({ page, clinic }) => {
  const steps = Array.from({ length: 200 }, (_, i) =>
    step(
      `s${i}`,
      `Шаг ${i}`,
      ...([1, 2, 3].map((j) => [`Ответ ${j}`, `s${(i * 3 + j) % 200}`]) as [string, string][]),
      ['Конец', null],
    ),
  )
  const { id } = await make(clinic, { name: 'Большой', params: { steps } })
  await enter(page, clinic, `scripts/${id}`)
  const field = page.getByRole('textbox', { name: 'Название шага' })
  await expect(field).toBeVisible()
  await expect(page.getByRole('button', { name: 'Добавить шаг' })).toBeDisabled()
  await field.focus()
  await page.keyboard.type(' и ещё двадцать букв')
  await expect(field).toHaveValue('Шаг 0 и ещё двадцать букв')
  await map(page)
    .getByRole('button', { name: /^2\. Шаг 1$/ })
    .or(map(page).getByTitle('2. Шаг 1', { exact: true }))
    .first()
    .click()
  await expect(field).toHaveValue('Шаг 1')
})

test('a user who may not edit scripts sees why', async ({ page, clinic }) => {
  await clinic.enter(page, 'Кладовщик')
  for (const address of ['scripts', 'new-scripts', 'scripts/1']) {
    await page.goto(`/app/${address}`)
    await expect(page).toHaveURL(/\/error\/403/)
  }
})
