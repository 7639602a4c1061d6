import { type Clinic, expect, fits, type Person, phone, signIn, test } from './support.ts'

/** Templates, duplicates and reminders of a board of this test. */

const T = '/tasks-management'

async function board(clinic: Clinic, owner: Person) {
  const made = await clinic.call('POST', `${T}/boards`, { name: 'Отчёты' })
  await clinic.call('POST', `${T}/members`, {
    idBoard: made.id,
    idUser: owner.id,
    permissionToViewTasks: 'all',
    permissionToEditTasks: 'all',
    permissionToDeleteTasks: 'all',
    permissionToEditTemplates: 'all',
    canCreateTask: true,
  })
  const task = await clinic.call('POST', `${T}/tasks`, {
    name: 'Сверка кассы',
    idColumn: made.idColumnNew,
    importance: 8,
  })
  const { items } = await clinic.call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  return { ...made, idCard: items[0].id as number }
}

test('a task becomes a template, and a template a task', async ({ clinic, page }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  const { id, idCard } = await board(clinic, person)
  await signIn(page, person)
  await page.goto(`/app/tasks?board=${id}&assignedColumn=${idCard}`)
  await page.getByRole('button', { name: 'Действия с задачей', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Сохранить как шаблон' }).click()
  await expect(page.getByText('Шаблон «Сверка кассы» сохранён')).toBeVisible()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).first().click()
  // A template is not shown among the cards.
  await expect(page.locator('[data-card]')).toHaveCount(1)

  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await page.getByRole('menuitem', { name: 'Шаблоны' }).click()
  const panel = page.getByRole('dialog', { name: 'Шаблоны' })
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Создать', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Задача из шаблона' })
  await form.getByLabel('Срок').fill('25.12.2026 18:00')
  await form.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByRole('dialog', { name: 'Задача «Сверка кассы»' })).toBeVisible()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).first().click()
  await expect(page.locator('[data-card]')).toHaveCount(2)
})

test('a template is opened, deleted and restored', async ({ clinic, page }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  const { id, idCard } = await board(clinic, person)
  await clinic.call('POST', `${T}/assigned/template`, { ids: [idCard] })
  await signIn(page, person)
  await page.goto(`/app/tasks?board=${id}`)
  const panel = page.getByRole('dialog', { name: 'Шаблоны' })
  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await page.getByRole('menuitem', { name: 'Шаблоны' }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await panel
    .getByRole('button', { name: /Сверка кассы/ })
    .first()
    .click()
  await expect(page.getByText('Это шаблон')).toBeVisible()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).first().click()

  await page.getByRole('button', { name: 'Действия с пространством' }).click()
  await page.getByRole('menuitem', { name: 'Шаблоны' }).click()
  await panel.getByRole('button', { name: 'Удалить шаблон «Сверка кассы»' }).click()
  await expect(panel.getByText('Шаблонов пока нет')).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).last().click()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
})

test('a task is duplicated with another end, and that is undone', async ({ clinic, page }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  const { id, idCard } = await board(clinic, person)
  await signIn(page, person)
  await page.goto(`/app/tasks?board=${id}&assignedColumn=${idCard}`)
  await page.getByRole('button', { name: 'Действия с задачей', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Дублировать…' }).click()
  const form = page.getByRole('dialog', { name: 'Дублировать' })
  await form.getByLabel('Новый срок').fill('26.12.2026 18:00')
  await form.getByRole('button', { name: 'Дублировать' }).click()
  await expect(page.getByText('Продублирована задача «Сверка кассы»')).toBeVisible()
  await page.getByRole('button', { name: 'Закрыть', exact: true }).first().click()
  await expect(page.locator('[data-card]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page.locator('[data-card]')).toHaveCount(1)
})

test('a reminder is set, shows its time, and is removed; on a phone too', async ({ clinic, page }) => {
  const person = await clinic.person({ roles: ['Кладовщик'] })
  const { id, idCard } = await board(clinic, person)
  await signIn(page, person)
  await page.goto(`/app/tasks?board=${id}&assignedColumn=${idCard}`)
  await page.getByRole('button', { name: 'Напомнить' }).click()
  const form = page.getByRole('dialog', { name: 'Напоминание' })
  await form.getByLabel('Когда').fill('31.01.2028 09:00')
  await form
    .getByRole('combobox', { name: 'Повторять' })
    .or(form.getByRole('textbox', { name: 'Повторять' }))
    .click()
  await page.getByRole('option', { name: 'Каждый месяц' }).click()
  await expect(form.getByText('29.02.2028 09:00')).toBeVisible()
  await form.getByRole('button', { name: 'Сохранить' }).click()
  const section = page.getByRole('region', { name: 'Напоминание' })
  await expect(section).toContainText('31.01.2028 09:00')
  await expect(section).toContainText('Каждый месяц')
  await phone(page)
  await fits(page)
  await section.getByRole('button', { name: 'Убрать напоминание' }).click()
  await expect(section.getByRole('button', { name: 'Напомнить' })).toBeVisible()
})
