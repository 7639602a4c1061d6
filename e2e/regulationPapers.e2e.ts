import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, fits, phone, test, title } from './support.ts'

const steps = [
  { title: 'Встретить', description: '<p>Поздороваться и <strong>улыбнуться</strong></p>' },
  { title: 'Проводить', description: '<ul><li><p>До кабинета</p></li></ul>' },
  { title: 'Проститься', description: null },
]

test('a regulation is printed, saved as a document, and made anew from it', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 422/)
  const name = `Приём ${randomUUID().slice(0, 8)}`
  const { id } = await clinic.call('POST', '/regulations/model/create', {
    name,
    description: 'О приёме',
    stages: steps,
  })
  await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}`)
  const menu = page.getByRole('button', { name: 'Действия с регламентом' })
  await menu.click()
  const print = page.getByRole('menuitem', { name: 'Печать', exact: true })
  await expect(print).toHaveAttribute('target', '_blank')
  const paper = await page.request.get((await print.getAttribute('href')) ?? '')
  expect(paper.headers()['content-type']).toBe('application/pdf')
  await expect(page.getByRole('menuitem', { name: 'Печать с листом ознакомления' })).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Скачать DOCX' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`${name}.docx`)

  await page.goto('/app/regulations?mode=create')
  await expect(title(page, 'Регламенты')).toBeAttached()
  await page.getByRole('button', { name: 'Импорт из DOCX' }).click()
  const dialog = page.getByRole('dialog', { name: 'Импорт из DOCX' })
  const file = dialog.locator('input[type=file]')
  await file.setInputFiles({ name: 'а.docx', mimeType: 'application/zip', buffer: Buffer.from('не документ') })
  await expect(dialog.getByRole('alert')).toHaveText('Файл не похож на документ Word: нужен DOCX')
  await file.setInputFiles({
    name: 'а.docx',
    mimeType: 'application/octet-stream',
    buffer: await readFile(await saved.path()),
  })
  await expect(dialog.getByRole('checkbox', { name: 'Все шаги: выбрано 3 из 3' })).toBeChecked()
  await phone(page)
  await fits(page)
  await dialog.getByRole('checkbox', { name: 'Проститься' }).uncheck()
  await dialog.getByRole('button', { name: 'Добавить в регламент: 2 шага' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(name)
  await page.getByRole('button', { name: 'Создать', exact: true }).last().click()
  await expect(page).toHaveURL(/[?&]id=\d+/)
  await expect(page.getByText('Встретить').first()).toBeVisible()
  await expect(page.getByText('Проститься')).toHaveCount(0)
})
