import { randomUUID } from 'node:crypto'
import { expect, test, title } from './support.ts'

/** A discount is created, described in a sentence, tried out and switched on. */
test('a discount is made, described in a sentence, tried on a basket, switched on and found', async ({
  page,
  clinic,
}) => {
  const mark = `${Date.now()}`
  const name = `Утренняя ${mark}`
  const service = `Приём ${mark}`
  await clinic.enter(page)
  await clinic.call('POST', '/services', { nameService: service, priceService: 2000 })
  await page.goto('/app/discounts')
  await expect(title(page, 'Скидки')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/discount\/create$/)
  await expect(page.getByRole('textbox', { name: /^Название/ })).toBeFocused()
  await page.keyboard.type(name)
  await page.getByRole('textbox', { name: 'Размер' }).fill('15')
  const summary = page.getByRole('note', { name: 'Что делает скидка' })
  await expect(summary).toHaveText('15 %')
  for (const day of ['Суббота', 'Воскресенье']) await page.getByRole('checkbox', { name: day }).press('Space')
  await page.getByRole('textbox', { name: 'Не больше', exact: true }).fill('200')
  await expect(summary).toHaveText(/^15 % по выходным, не больше 200\s₽$/)
  // A kind without a size hides the field; switching back requires it again.
  await page.getByRole('combobox', { name: 'Вид' }).click()
  await page.getByRole('option', { name: 'N+1' }).click()
  await expect(page.getByRole('textbox', { name: 'Размер' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Оплачивается, шт.' }).fill('2')
  await expect(summary).toContainText('Каждая 3-я в подарок')
  await page.getByRole('combobox', { name: 'Вид' }).click()
  await page.getByRole('option', { name: 'Процент' }).click()
  await expect(page.getByRole('textbox', { name: 'Размер' })).toHaveValue(/15/)
  await page.keyboard.press('Control+Enter')
  await expect(title(page, name)).toBeVisible()
  await expect(page.getByText('Черновик').first()).toBeVisible()

  // A draft is tried alone: it applies on a Saturday, up to its maximum, but not on a Monday.
  await page.getByRole('tab', { name: 'Проверить' }).click()
  await page.getByRole('combobox', { name: 'Услуга 1' }).fill(service)
  await page.getByRole('option', { name: service }).click()
  const day = page.getByRole('textbox', { name: 'День' })
  const result = page.getByRole('region', { name: 'Что получится' })
  await day.fill('28.11.2026')
  await expect(result).toContainText(/15 %, не больше 200,00\s₽/)
  await expect(result).toContainText(/1\s800,00\s₽/)
  await day.fill('30.11.2026')
  await expect(result).toContainText('Не в этот день недели')

  await page.getByRole('button', { name: 'Включить' }).click()
  await expect(page.getByText('Скидка включена')).toBeVisible()
  // A reversible action offers undo; the last one asks first.
  await page.getByRole('button', { name: 'Выключить' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).click()
  await expect(page.getByRole('button', { name: 'Выключить' })).toBeVisible()
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Убрать в архив…' }).click()
  await expect(page.getByRole('dialog', { name: 'Убрать скидку в архив?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Выключить' })).toBeVisible()
  await page
    .getByRole('button', { name: 'К списку: Скидки' })
    .or(page.getByRole('link', { name: 'К списку: Скидки' }))
    .first()
    .click()
  await page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/^Поиск/))
    .first()
    .fill(mark)
  await expect(page.getByRole('row', { name: new RegExp(`${name}.*Действует`) })).toBeVisible()
})

test('a discount that was given shows all of its fields, though none can be changed', async ({ page, clinic }) => {
  const mark = `${Date.now()}`
  await clinic.enter(page)
  const { id: idService } = await clinic.call('POST', '/services', {
    nameService: `УЗИ ${mark}`,
    priceService: 3000,
    anyPerformer: true,
  })
  const { id: idFilial } = await clinic.call('POST', '/filials', { nameFilial: `Скидочный ${mark}` })
  const rule = { name: `Открытие ${mark}`, kind: 'percent', value: 10, filials: [idFilial] }
  const { id } = await clinic.call('POST', '/discounts', rule)
  await clinic.call('PUT', `/discounts/${id}`, { status: 'active' })
  const given = await clinic.call('POST', '/discounts/apply', {
    key: randomUUID(),
    idFilial,
    lines: [{ idService }],
  })
  await page.goto(`/app/discounts/uses?open=${given.uses[0]}`)
  const panel = page.getByRole('dialog')
  const fact = (name: string) => panel.locator(`dt:text-is("${name}") + dd`).first()
  await expect(fact('Скидка')).toContainText(`Открытие ${mark}`)
  await expect(fact('Услуга')).toContainText(`УЗИ ${mark}`)
  await expect(fact('Филиал')).toContainText(`Скидочный ${mark}`)
  await expect(panel.getByRole('button', { name: 'Сохранить' })).toHaveCount(0)
})
