import { expect, fits, phone, test, title } from './support.ts'

/** A service is created in its group, priced for now and later, and the group's prices are changed and reverted. */

test('a service gets its prices and its time, and the prices of its group change and come back', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 422 .*\/service-prices\//)
  const mark = `${Date.now()}`
  const group = await clinic.call('POST', '/services-groups', { nameServiceGroup: `Ортодонтия ${mark}` })
  await clinic.call('POST', '/services', { nameService: `Слепок ${mark}`, priceService: 333, idGroup: group.id })
  await clinic.call('POST', '/price-lists', { name: `Друзьям ${mark}`, kind: 'promo' })
  await clinic.enter(page)

  // In the group selected in the tree.
  await page.goto('/app/services')
  await page
    .getByRole('button', { name: `Ортодонтия ${mark}` })
    .first()
    .click()
  await expect(page.getByRole('row').filter({ hasText: `Слепок ${mark}` })).toBeVisible()
  await page.keyboard.press('n')
  const fresh = page.getByRole('dialog', { name: 'Новая услуга' })
  await fresh.getByLabel('Название').fill(`Брекеты ${mark}`)
  await fresh.getByLabel('Цена').fill('1000')
  await fresh.getByRole('button', { name: 'Создать' }).click()
  await expect(title(page, `Брекеты ${mark}`)).toBeVisible()
  await expect(page).toHaveURL(/service\/view\?id=\d+/)
  await expect(page.getByText(`Ортодонтия ${mark}`, { exact: true })).toBeVisible()

  // A price of a list from a given day; the next price ends it.
  const pages = page.getByRole('navigation', { name: 'Страницы услуги' })
  await pages.getByRole('link', { name: 'Цены' }).click()
  const list = page.getByRole('region', { name: `Друзьям ${mark}` })
  for (const [price, day] of [
    ['900', '01.01.2026'],
    ['950,50', '01.01.2031'],
  ] as const) {
    await page.getByRole('button', { name: 'Новая цена' }).click()
    const dialog = page.getByRole('dialog', { name: 'Новая цена' })
    await dialog.getByRole('combobox', { name: 'Прайс-лист' }).click()
    await page.getByRole('option', { name: `Друзьям ${mark}` }).click()
    await dialog.getByLabel(/^Цена/).fill(price)
    await dialog.getByLabel('Действует с').fill(day)
    await dialog.getByRole('button', { name: 'Добавить' }).click()
    await expect(dialog).toBeHidden()
  }
  await expect(list.getByRole('row').first()).toContainText(/с 01.01.2031.*950,50/)
  await expect(list.getByRole('row').last()).toContainText(/с 01.01.2026 по 31.12.2030Сейчас.*900,00/)
  // An overlap is refused at its field.
  await list.getByRole('button', { name: /^Изменить цену с 01.01.2026/ }).click()
  const change = page.getByRole('dialog', { name: 'Цена' })
  await change.getByLabel('По', { exact: true }).fill('05.01.2031')
  await change.getByRole('button', { name: 'Сохранить' }).click()
  await expect(change.getByText('На эти дни уже есть запись: с 01.01.2031')).toBeVisible()
  await page.keyboard.press('Escape')
  const leave = page.getByRole('button', { name: 'Уйти' })
  if (await leave.isVisible()) await leave.click()

  await pages.getByRole('link', { name: 'Длительность' }).click()
  await page.getByRole('button', { name: 'Новое правило' }).click()
  await page.getByRole('textbox', { name: /^Минут/ }).fill('45')
  await page.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByRole('list', { name: 'Правила длительности' })).toContainText('45 минут')

  // All prices of the group, with preview and revert.
  await page.goto(`/app/services?group=${group.id}`)
  await page.getByRole('button', { name: 'Изменить цены' }).click()
  const prices = page.getByRole('dialog', { name: `Изменить цены: группа «Ортодонтия ${mark}»` })
  await prices.getByRole('combobox', { name: 'Какие цены' }).click()
  await page.getByRole('option', { name: 'Цены самих услуг' }).click()
  await prices.getByLabel('На сколько').fill('7')
  const line = (name: string) => prices.getByRole('row').filter({ hasText: `${name} ${mark}` })
  await expect(line('Слепок')).toContainText(/333,00.*360,00/)
  await expect(line('Брекеты')).toContainText(/1.000,00.*1.070,00/)
  await prices.getByRole('button', { name: 'Изменить 2 цены' }).click()
  await expect(prices).toBeHidden()
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${name} ${mark}` })
  await expect(row('Слепок')).toContainText('360,00')
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(row('Слепок')).toContainText('333,00')
  await expect(row('Брекеты')).toContainText('45')

  // The search finds it from any page; on a phone nothing is wider than the screen.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Поиск и команды' }).fill(`Брекеты ${mark}`)
  await page.getByRole('option', { name: new RegExp(`Брекеты ${mark}`) }).click()
  await expect(title(page, `Брекеты ${mark}`)).toBeVisible()
  await phone(page)
  await fits(page)
  await page.goto('/app/services')
  await page.getByRole('button', { name: 'Все группы' }).click()
  await page
    .getByRole('dialog', { name: 'Группы услуг' })
    .getByRole('button', { name: `Ортодонтия ${mark}` })
    .first()
    .click()
  await expect(page.getByText(`Слепок ${mark}`)).toBeVisible()
  await fits(page)
})

test('what goes into a service is written beside it and is on its card', async ({ page, clinic }) => {
  const mark = `${Date.now()}`
  const { id } = await clinic.call('POST', '/services', { nameService: `Перевязка ${mark}`, priceService: 850 })
  const product = (nameService: string) =>
    clinic.call('POST', '/services', { nameService, serviceCategory: 1, unit: 'шт.', priceService: 65 })
  await product(`Бинт ${mark}`)
  await clinic.enter(page)
  await page.goto(`/app/service/edit?id=${id}`)
  await page.getByRole('button', { name: 'Добавить материал' }).click()
  const material = page.getByRole('combobox', { name: 'Материал' })
  await material.fill(`Бинт ${mark}`)
  await page.getByRole('option', { name: `Бинт ${mark}` }).click()
  await page.getByLabel('Количество').fill('2,5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2,5 шт.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Страницы услуги' }).getByRole('link', { name: 'Карточка' }).click()
  const materials = page.getByRole('region', { name: 'Расходные материалы' })
  await expect(materials.getByRole('row')).toHaveText(/Бинт .*2,5 шт\./)
  await expect(page.getByRole('region', { name: 'Продажи за 12 месяцев' })).toContainText('За год услугу не оказывали')
  await phone(page)
  await fits(page)
})

test('on a phone the filters of a list are behind one button, and active ones are shown below', async ({
  clinic,
  page,
}) => {
  await clinic.call('POST', '/services', { nameService: 'Бинт телефонный', serviceCategory: 1 })
  await clinic.call('POST', '/services', { nameService: 'Приём телефонный', serviceCategory: 0 })
  await phone(page)
  await clinic.enter(page)
  await page.goto('/app/services')
  await page.getByRole('searchbox', { name: 'Поиск' }).fill('телефонный')
  await expect(page.getByText('Приём телефонный')).toBeVisible()
  await page.getByRole('button', { name: 'Отбор' }).click()
  await page.getByRole('dialog', { name: 'Отбор' }).getByText('Товары', { exact: true }).click()
  await page.getByRole('button', { name: 'Готово' }).click()
  await expect(page.getByText('Приём телефонный')).toBeHidden()
  await fits(page)
  await page.getByRole('button', { name: 'Убрать: Товары' }).click()
  await expect(page.getByText('Приём телефонный')).toBeVisible()
})
