import { expect, test } from './support.ts'

/** The contact centre as a whole: a conversation ends by one key or with a dated step, a shift is handed over and taken back. */

test('a chat ends with a dated step, which is on the board, and then by one key with an outcome', async ({
  page,
  clinic,
}) => {
  const chat = await clinic.call('POST', '/live-assist', { name: `Вера ${Date.now()}` })
  await clinic.enter(page)
  await page.goto(`/app/live-assist?chat=${chat.id}`)
  await page.getByRole('button', { name: 'Забрать' }).click()
  await page.getByRole('button', { name: 'Завершить', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Чем закончился разговор?' })
  await dialog.getByRole('button', { name: 'Завершить' }).click()
  await expect(dialog.getByText('Выберите итог или укажите следующий шаг')).toBeVisible()
  await dialog.getByText('Следующий шаг', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Что будет сделано' }).fill('Прислать договор')
  await dialog.getByRole('button', { name: 'Завершить' }).click()
  await expect(dialog.getByText('Когда это сделать?')).toBeVisible()
  await page.keyboard.press('Escape')

  const later = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await clinic.call('POST', `/live-assist/${chat.id}/complete`, {
    nextStep: 'Прислать договор',
    dateNextStep: later,
  })
  await page.goto('/app/journal/promises')
  const line = page.getByRole('listitem').filter({ hasText: chat.name })
  await expect(line).toContainText('Прислать договор')
  await line.getByRole('link', { name: 'Следующий шаг' }).click()
  await page.getByRole('button', { name: 'Ещё действия с чатом' }).click()
  await page.getByRole('menuitem', { name: 'Изменить итог…' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByText('Итог', { exact: true }).first().click()
  await expect(dialog.getByRole('radio', { name: /Записан на приём/ })).toBeVisible()
  await page.keyboard.press('1')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Записан на приём')).toBeVisible()
  await page.goto('/app/journal/promises')
  await expect(page.getByRole('heading', { name: 'Никто не забыт' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: chat.name })).toHaveCount(0)
  await page.goto(`/app/live-assist?chat=${chat.id}`)
  await expect(page.getByRole('button', { name: 'Вернуть', exact: true })).toBeVisible()
  // One key creates an appeal, whose card opens in the panel.
  await page.keyboard.press('o')
  const appeal = page.getByRole('dialog', { name: /^Обращение №/ })
  await expect(appeal.getByText('Чат', { exact: true }).first()).toBeVisible()
  await expect(appeal.getByLabel('Имя обратившегося')).toHaveValue(chat.name)
})
