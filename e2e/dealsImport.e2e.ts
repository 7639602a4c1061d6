import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, test } from './support.ts'

/** Import of deals from a table, through the dialog; each test has its own user and funnel. */
async function funnelOf(clinic: Clinic, page: Page): Promise<{ idFunnel: number; idStage: number }> {
  await clinic.enter(page)
  const name = `Импорт ${Date.now()}`
  const { id: idFunnel } = await clinic.call('POST', '/sales-management/funnels', { name })
  const { items } = await clinic.call('GET', `/sales-management/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=1`)
  return { idFunnel, idStage: items[0].id }
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /Импорт сделок/ })

const choose = (page: Page, text: string) =>
  dialogOf(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'сделки.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

/** A phone that no other test uses. */
const newPhone = () => `+7999${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`

test('deals are checked, those with a known phone are skipped, and all are undone', async ({ clinic, page }) => {
  const { idFunnel, idStage } = await funnelOf(clinic, page)
  const known = newPhone()
  const { id: idLead } = await clinic.call('POST', '/sales-management/leads', { title: 'Открытая', idStage })
  await clinic.call('POST', '/sales-management/contacts', { idLead, phone: known })

  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await page.getByRole('button', { name: 'Действия с воронкой' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Импорт…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await choose(
    page,
    `Название;Этап;Бюджет;Телефон\r\nПервая;В работе;1 234,50;${newPhone()}\r\nВторая;Нигде;много;\r\nТретья;;;${known.replace('+7', '8')}\r\n`,
  )
  await expect(dialog.getByText('Пропускать строки, телефон которых уже есть')).toBeVisible()
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText('Этап: «Нигде»: такого этапа нет в воронке').first()).toBeVisible()
  await expect(dialog.getByText('Сумма: Нужно число рублей: 1234,50').first()).toBeVisible()
  await dialog.getByLabel('Только с ошибками').uncheck()
  const rows = dialog.getByRole('region', { name: 'Строки файла' })
  await expect(rows.getByText('уже есть в открытой сделке «Открытая»')).toBeVisible()
  await dialog.getByRole('button', { name: 'Назад' }).click()
  await dialog.getByLabel('Пропускать строки, телефон которых уже есть').check()
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText('Пропускаются: 1')).toBeVisible()
  await dialog.getByRole('button', { name: 'Пропустить ошибки и загрузить 1' }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await expect(page.locator('[data-card]').filter({ hasText: 'Первая' })).toBeAttached()
  await dialog.getByRole('button', { name: 'Отменить импорт' }).click()
  await expect(dialog.getByText('Импорт отменён: созданное — в корзине')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page.locator('[data-card]')).toHaveText([/Открытая/])
})

test('it works on a phone, and the palette opens it', async ({ clinic, page }) => {
  const { idFunnel } = await funnelOf(clinic, page)
  await phone(page)
  await page.goto(`/app/deals?funnel=${idFunnel}`)
  await expect(page.getByRole('button', { name: 'Действия с воронкой' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Импорт сделок')
  await page
    .getByRole('option', { name: /Импорт сделок/ })
    .or(page.getByRole('button', { name: /Импорт сделок/ }))
    .click()
  await choose(page, `Название;Контакт;Телефон\r\nОдна сделка;Олег;${newPhone()}\r\n`)
  await dialogOf(page).getByRole('button', { name: 'Проверить' }).click()
  await fits(page)
  await dialogOf(page)
    .getByRole('button', { name: /^Загрузить 1/ })
    .click()
  await expect(dialogOf(page).getByText('Импорт завершён')).toBeVisible()
})
