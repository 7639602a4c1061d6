import type { Page } from 'playwright/test'
import { type Clinic, expect, signIn, test, title } from './support.ts'

const S = '/sales-management'

interface CallOfClinic {
  id: number
  contactPhone: string
  duration: number
}

/** A deal whose contact has the number of a demo call, in another format. */
async function dealWithCall(clinic: Clinic): Promise<{ idFunnel: number; idLead: number; call: CallOfClinic }> {
  const { items } = await clinic.call('GET', '/calls?filter[callType]=1&filter[idCustomer][null]=0&limit=200')
  const call: CallOfClinic = items[Math.floor(Math.random() * items.length)]
  const { id: idFunnel } = await clinic.call('POST', `${S}/funnels`, { name: `Звонки ${Date.now()}` })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=1`)
  const { id: idLead } = await clinic.call('POST', `${S}/leads`, { title: 'По звонку', idStage: stages[0].id })
  const digits = call.contactPhone.slice(2)
  const phone = `8 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6, 8)}-${digits.slice(8)}`
  await clinic.call('POST', `${S}/contacts`, { idLead, name: 'Ольга', phone })
  return { idFunnel, idLead, call }
}

async function open(page: Page, { idFunnel, idLead }: { idFunnel: number; idLead: number }) {
  await page.goto(`/app/deals?funnel=${idFunnel}&lead=${idLead}`)
  const dialog = page.getByRole('dialog', { name: /^Сделка/ })
  await expect(dialog.getByLabel('Название сделки')).toBeVisible()
  return dialog
}

test('a call by the number of a contact is linked to the deal, found by its number, removed', async ({
  page,
  clinic,
}) => {
  const made = await dealWithCall(clinic)
  await clinic.enter(page, 'Оператор колл-центра')
  const dialog = await open(page, made)
  const calls = dialog.getByRole('region', { name: /^Звонки( \d+)?$/ })
  const suggested = dialog.getByRole('region', { name: 'Звонки с этого номера' })
  const first = suggested.getByRole('button', { name: /^Связать/ }).first()
  const label = (await first.getAttribute('aria-label')) as string
  await first.click()
  await expect(calls.getByRole('heading', { name: 'Звонки 1' })).toBeVisible()
  const linked = calls.getByRole('listitem').first()
  await expect(linked).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/)
  await expect(suggested.getByRole('button', { name: label })).toBeHidden()

  await linked.getByRole('button', { name: /^Убрать связь/ }).click()
  await expect(calls.getByRole('heading', { name: 'Звонки', exact: true })).toBeVisible()
  await calls.getByRole('combobox', { name: /^Связать со звонком/ }).fill(made.call.contactPhone.slice(-7))
  await page.getByRole('option').first().click()
  await expect(calls.getByRole('heading', { name: 'Звонки 1' })).toBeVisible()

  await dialog.getByRole('tab', { name: 'Журнал' }).click()
  await expect(dialog.getByText(/^Добавлена связь: Звонок № \d+/).first()).toBeVisible()
})

test('without the right to see calls only their number is shown', async ({ page, clinic }) => {
  const made = await dealWithCall(clinic)
  await clinic.call('POST', `${S}/entities`, { idLead: made.idLead, type: 'call', idEntity: made.call.id })
  const person = await clinic.person()
  for (const permission of ['viewSalesManagement', 'editSalesManagement'])
    await clinic.call('POST', '/user-permissions', { idUser: person.id, permission, reason: 'Проверка' })
  await signIn(page, person)
  const dialog = await open(page, made)
  await expect(dialog.getByText('1 звонок, у вас нет права их смотреть')).toBeVisible()
  await expect(dialog.getByText('Ольга')).toBeVisible()
  await expect(dialog.getByText('Звонки с этого номера')).toBeHidden()
})

test('the settings of the clinic are changed with the right to them, with errors at their fields', async ({
  page,
  visitor,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 422/)
  const { person } = await clinic.enter(page)
  await page.goto('/app/settings/main')
  await expect(title(page, 'Основные')).toBeVisible()
  const name = `Клиника ${Date.now()}`
  const { clinicName: before } = await clinic.call('GET', '/settings/common')
  try {
    await page.getByLabel('Название клиники').fill(name)
    await page.getByLabel('Адрес прежней CRM').fill('crm')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByText('Не корректный адрес ссылки')).toBeVisible()
    expect((await clinic.call('GET', '/settings/common')).clinicName).toBe(before)
    await page.getByLabel('Адрес прежней CRM').fill('')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect.poll(async () => (await clinic.call('GET', '/settings/common')).clinicName).toBe(name)
    await expect(page.getByRole('button', { name: 'Отменить изменения' })).toBeHidden()
    // The author of the setting is shown beside it as a link, with a tooltip about the person.
    await page.getByRole('main').locator(`a[href$="/profile/${person.id}"]`).first().hover()
    await expect(page.getByRole('tooltip')).toContainText('В сети')
  } finally {
    await clinic.call('PUT', '/settings/common', { clinicName: before })
  }
  const other = await visitor()
  await clinic.enter(other, 'Кладовщик')
  await other.goto('/app/settings/main')
  await expect(other).toHaveURL(/\/error\/403/)
})
