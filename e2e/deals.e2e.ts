import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, test, title } from './support.ts'

/** Deals on their board: typing, moves by the rules of the stages, filters, other views; funnels and their order. */

interface Stage {
  id: number
  name: string
  idType: number
}

interface Made {
  idFunnel: number
  stages: Stage[]
}

const REFUSED = /status of (409|422)/
let count = 0

/** A funnel of this test, with deals in its first stage. */
async function funnelWith(clinic: Clinic, deals: readonly string[], more: object = {}): Promise<Made> {
  const name = `Проверка ${Date.now()}-${count++}`
  const { id: idFunnel } = await clinic.call('POST', '/sales-management/funnels', { name, ...more })
  const { items: stages } = await clinic.call(
    'GET',
    `/sales-management/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=20`,
  )
  // Each new deal is placed before the first.
  for (const title of [...deals].reverse())
    await clinic.call('POST', '/sales-management/leads', { title, idStage: stages[0].id, price: 1000.5 })
  return { idFunnel, stages }
}

async function enter(page: Page, clinic: Clinic): Promise<void> {
  await clinic.enter(page)
}

const column = (on: Page, stage: Stage | undefined): Locator => on.locator(`[data-column="${stage?.id}"]`)
const card = (on: Page, name: string): Locator => on.locator('[data-card]').filter({ hasText: name })

test('a deal is created, moves by keys, and the sums of the columns change', async ({ page, clinic }) => {
  const { idFunnel, stages } = await funnelWith(clinic, ['Осмотр', 'Анализы'])
  await enter(page, clinic)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await expect(column(page, stages[0]).locator('[data-card]')).toHaveCount(2)
  await expect(column(page, stages[0])).toContainText('2 001,00 ₽')

  await page.getByRole('button', { name: 'Добавить сделку на этап «Новая»' }).click()
  await page.getByLabel('Новая сделка на этапе «Новая»').fill('Прививка')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Прививка')).toBeVisible()
  await page.keyboard.press('Escape')

  await card(page, 'Осмотр').focus()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await expect(column(page, stages[1]).locator('[data-card]')).toHaveCount(1)
  await expect(column(page, stages[1])).toContainText('1 000,50 ₽')
  await expect(column(page, stages[0])).toContainText('1 000,50 ₽')
  await page.reload()
  await expect(column(page, stages[1]).locator('[data-card]')).toHaveText(/Осмотр/)
  await phone(page)
  await fits(page)
})

test('a done stage refuses a deal without an offer, and the card goes back', async ({ page, clinic, complaints }) => {
  complaints.allow(REFUSED)
  const { idFunnel, stages } = await funnelWith(clinic, ['Без предложения'], { canCompleteDealsWithoutOffers: false })
  await enter(page, clinic)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await moveTo(page, 'Без предложения', 'Успешно')
  await page.getByRole('button', { name: /^Завершить/ }).click()
  await expect(page.getByText('Сделка не может быть завершена', { exact: true })).toBeVisible()
  await expect(column(page, stages[0]).locator('[data-card]')).toHaveCount(1)
  await expect(column(page, stages[3]).locator('[data-card]')).toHaveCount(0)
})

test('a loss asks for the reason; cancelled, the deal stays', async ({ page, clinic }) => {
  const { idFunnel, stages } = await funnelWith(clinic, ['Передумали'])
  await enter(page, clinic)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await moveTo(page, 'Передумали', 'Отказ')
  const dialog = page.getByRole('dialog', { name: /Передумали/ })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Отмена' }).click()
  await expect(column(page, stages[0]).locator('[data-card]')).toHaveCount(1)

  await moveTo(page, 'Передумали', 'Отказ')
  await dialog.getByLabel('Причина отказа').click()
  await page.getByRole('option').first().click()
  await dialog.getByLabel('Пояснение').fill('Ушли в другую клинику')
  await dialog.getByRole('button', { name: 'Отметить отказ' }).click()
  await expect(column(page, stages[4]).locator('[data-card]')).toHaveCount(1)
})

test('required fields of a stage are asked for, and the move continues', async ({ page, clinic, complaints }) => {
  complaints.allow(REFUSED)
  const { idFunnel, stages } = await funnelWith(clinic, ['Нужен шаг'])
  await clinic.call('PUT', `/sales-management/stages/${stages[1]?.id}`, { requiredFields: ['nextStep'] })
  await enter(page, clinic)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await moveTo(page, 'Нужен шаг', 'В работе')
  await page.getByRole('dialog').getByLabel('Следующий шаг').fill('Позвонить')
  await page.keyboard.press('Enter')
  await expect(column(page, stages[1]).locator('[data-card]')).toHaveText(/Позвонить/)
})

test('two people see the same board; filters, list and table show the same deals', async ({
  page,
  clinic,
  visitor,
}) => {
  const { idFunnel, stages } = await funnelWith(clinic, ['Первая', 'Вторая'])
  await enter(page, clinic)
  const other = await visitor()
  await enter(other, clinic)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await other.goto(`/app/deals?funnel=${idFunnel}`)
  await expect(card(other, 'Вторая')).toBeVisible()
  await card(page, 'Вторая').focus()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await expect(column(other, stages[1]).locator('[data-card]')).toHaveText(/Вторая/)

  await page.getByLabel('Поиск сделки').fill('перв')
  await expect(page.locator('[data-card]')).toHaveCount(1)
  await expect(page.getByText('1 сделка на 1 000,50 ₽')).toBeVisible()
  await page.getByRole('button', { name: 'Список', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Первая' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Вторая' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Таблица', exact: true }).click()
  await expect(page.getByRole('row', { name: /Первая/ })).toBeVisible()
})

test('a funnel is made, its stages are ordered by keys and saved at once', async ({ page, clinic }) => {
  await enter(page, clinic)
  await page.goto('/app/funnels')
  await expect(title(page, 'Воронки')).toBeVisible()
  await page.getByRole('button', { name: 'Новая воронка' }).click()
  const name = `Воронка ${Date.now()}`
  await page.getByRole('dialog').getByLabel('Название').fill(name)
  await page.getByRole('button', { name: 'Создать', exact: true }).click()
  const stages = page.getByRole('list', { name: 'Этапы' }).getByRole('button', { name: /^Действия: / })
  await expect(stages).toHaveCount(5)
  await page.getByRole('button', { name: 'Действия: В работе' }).focus()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect(stages.first()).toHaveAccessibleName('Действия: В работе')
  await page.reload()
  await expect(stages.first()).toHaveAccessibleName('Действия: В работе')
  await page.getByRole('button', { name: 'Правила этапа «В работе»' }).click()
  await expect(page.getByRole('dialog', { name: /Правила этапа/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await phone(page)
  await fits(page)
})

/** By the menu of the card: the stage by choice. */
async function moveTo(page: Page, deal: string, stage: string): Promise<void> {
  await card(page, deal).hover()
  await page.getByRole('button', { name: `Действия со сделкой «${deal}»` }).click()
  await page.getByRole('menuitem', { name: 'Переместить…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Переместить сделку' })
  await dialog.getByRole('combobox', { name: 'Этап' }).or(dialog.getByLabel('Этап')).first().click()
  await page.getByRole('option', { name: stage, exact: true }).click()
  await dialog.getByRole('button', { name: 'Переместить' }).click()
}
