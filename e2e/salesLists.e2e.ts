import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, test, title } from './support.ts'

/** Option lists of deals, deals without a stage, and a lost connection that puts a card back. */

const S = '/sales-management'
let count = 0

async function deal(clinic: Clinic, title: string): Promise<{ idFunnel: number; idLead: number; stages: number[] }> {
  const { id: idFunnel } = await clinic.call('POST', `${S}/funnels`, { name: `Списки ${Date.now()}-${count++}` })
  const { items } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=20`)
  const stages = items.map(({ id }: { id: number }) => id) as number[]
  const { id: idLead } = await clinic.call('POST', `${S}/leads`, { title, idStage: stages[0], price: 1234.5 })
  return { idFunnel, idLead, stages }
}

async function enter(page: Page, clinic: Clinic, path: string): Promise<void> {
  await clinic.enter(page)
  await page.goto(path)
}

const active = (on: Page): Locator => on.getByRole('group', { name: 'Этапы сделки' }).locator('button[data-active]')

test('a source is made, renamed and taken away in the lists of sales', async ({ page, clinic }) => {
  const name = `Выставка ${Date.now()}`
  await enter(page, clinic, '/app/funnels')
  await page.getByRole('link', { name: 'Справочники', exact: true }).click()
  await expect(title(page, 'Источники')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: name })
  const fresh = page.getByRole('dialog', { name: 'Новый источник' })
  await page.keyboard.press('n')
  await fresh.getByLabel('Название').fill(name)
  await fresh.getByLabel('UTM-метка').fill('expo')
  await fresh.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByText('Источник создан')).toBeVisible()
  await expect(fresh).toBeHidden()
  await expect(row).toContainText('expo')

  // What was created is open. It opens by its address; its history shows the change; after deletion it can be restored.
  const opened = page.getByRole('dialog', { name })
  await expect(opened).toBeVisible()
  await expect(page).toHaveURL(/open=\d+/)
  await page.reload()
  await opened.getByLabel('Название').fill(`${name} 2`)
  await opened.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Источник сохранён')).toBeVisible()
  await opened.getByRole('tab', { name: 'История' }).click()
  await expect(opened.getByRole('tabpanel').getByText(`${name} 2`)).toBeVisible()
  await opened.getByRole('button', { name: 'Действия с записью' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(page.getByText(`Источник «${name} 2» удалён`)).toBeVisible()
  await expect(opened).toBeHidden()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Удалённые' }).click()
  await page.getByRole('button', { name: `Восстановить: ${name} 2` }).click()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'К списку' }).click()
  await expect(row).toBeVisible()

  await page.getByRole('link', { name: 'Причины отказа' }).click()
  await expect(page.getByRole('button', { name: 'Новая причина отказа' }).first()).toBeVisible()
  await phone(page)
  await fits(page)
})

test('a reason that is not in the list is added where a loss is entered', async ({ page, clinic }) => {
  const { idFunnel, idLead, stages } = await deal(clinic, 'Уходит')
  const reason = `Переехал ${Date.now()}`
  await enter(page, clinic, `/app/deals?funnel=${idFunnel}&lead=${idLead}`)
  await page.getByRole('button', { name: 'Перевести на этап «Отказ»' }).click()
  const loss = page.getByRole('dialog', { name: /→ Отказ/ })
  await loss.getByRole('combobox', { name: 'Причина отказа' }).fill(reason)
  await page.getByRole('option', { name: `Добавить «${reason}»` }).click()
  await expect(loss.getByRole('combobox', { name: 'Причина отказа' })).toHaveValue(reason)
  await loss.getByLabel('Пояснение').fill('В другой город')
  await loss.getByRole('button', { name: 'Отметить отказ' }).click()
  await expect(page.getByRole('button', { name: 'Отказ, сейчас' })).toBeVisible()
  // Stages up to the current one are active, of any type.
  await expect(active(page)).toHaveCount(stages.length)
  const { lossReason } = await clinic.call('GET', `${S}/leads/${idLead}?expand=lossReason`)
  expect(lossReason.name).toBe(reason)
})

test('a deal without a stage starts from its bar', async ({ page, clinic }) => {
  const { idFunnel, idLead } = await deal(clinic, 'Не начатая')
  await clinic.call('PUT', `${S}/leads/${idLead}`, { idStage: null })
  await enter(page, clinic, `/app/deals?funnel=${idFunnel}&lead=${idLead}`)
  const dialog = page.getByRole('dialog', { name: 'Сделка «Не начатая»' })
  await expect(dialog.getByText('Не начато').first()).toBeVisible()
  await expect(active(page)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Перевести на этап «В работе»' }).click()
  await expect(dialog.getByRole('button', { name: 'В работе, сейчас' })).toBeVisible()
  await expect(active(page)).toHaveCount(2)
})

test('errors in a contact are shown in the words of the specification', async ({ page, clinic }) => {
  const { idFunnel, idLead } = await deal(clinic, 'С контактом')
  await enter(page, clinic, `/app/deals?funnel=${idFunnel}&lead=${idLead}`)
  await page.getByRole('button', { name: 'Контакт', exact: true }).click()
  const form = page.locator('form').filter({ has: page.getByLabel('Отчество') })
  await form.getByLabel('Дата рождения').fill('31.02.1990')
  await form.getByLabel('Телефон').fill('123')
  await form.getByLabel('Электронная почта').fill('анна')
  await form.getByLabel('Фамилия').focus()
  await form.getByRole('button', { name: 'Добавить' }).click()
  await expect(form.getByText('Не корректный номер телефона', { exact: true })).toBeVisible()
  await expect(form.getByText('Не корректный формат электронной почты', { exact: true })).toBeVisible()
  await expect(form.getByText('Не корректный формат даты рождения (ДД.ММ.ГГГГ)', { exact: true })).toBeVisible()
  // All three may be empty.
  for (const label of ['Дата рождения', 'Телефон', 'Электронная почта']) await form.getByLabel(label).fill('')
  await form.getByLabel('Фамилия').fill('Тестова')
  await form.getByRole('button', { name: 'Добавить' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('dialog').getByText('Тестова', { exact: true })).toBeVisible()
})

test('a card comes back when the connection is lost, with one notice', async ({ page, clinic, complaints }) => {
  complaints.allow(/ERR_CONNECTION_REFUSED/)
  const { idFunnel, idLead, stages } = await deal(clinic, 'Остаётся')
  await enter(page, clinic, `/app/deals?funnel=${idFunnel}`)
  const column = (at: number) => page.locator(`[data-column="${stages[at]}"] [data-card="${idLead}"]`)
  await expect(column(0)).toBeVisible()
  await page.route(`**${S}/leads/**`, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort('connectionrefused'),
  )
  await column(0).focus()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await expect(page.getByText('Нет подключения к Интернету')).toBeVisible()
  await expect(column(0)).toBeVisible()
  await expect(page.getByText('Проверьте подключение к Интернету')).toHaveCount(1)
})
