import { PICTURE } from './look/worldOffice.ts'
import { expect, test, title } from './support.ts'

/** A branch is created, mostly by keyboard: its week, its rooms, its photos in order. */
test('a branch is made with its week, a room and photographs, and shows when it is open', async ({
  page,
  clinic,
  complaints,
}) => {
  const name = `Филиал на Лесной ${Date.now()}`
  await clinic.enter(page)
  await page.goto('/app/settings/filials')
  await expect(title(page, 'Филиалы')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/settings\/filials\/create$/)
  // The focus starts at the first field.
  await expect(page.getByRole('textbox', { name: /^Название/ })).toBeFocused()
  await page.keyboard.type(name)

  // Monday's hours are typed freely and copied to all days; Sunday is removed again.
  await page.getByLabel('Понедельник, с').fill('9')
  await page.getByLabel('Понедельник, до').fill('8')
  await expect(page.getByText('Конец работы должен быть позже начала')).toBeVisible()
  await page.getByLabel('Понедельник, до').fill('1830')
  await page.getByRole('button', { name: 'Понедельник: скопировать часы' }).press('Enter')
  await page.getByRole('menuitem', { name: 'На все дни' }).press('Enter')
  await expect(page.getByText('ежедневно 09:00–18:30')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Воскресенье' }).press('Space')
  await expect(page.getByText('пн–сб 09:00–18:30, вс выходной')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Филиал создан')).toBeVisible()
  await expect(page).toHaveURL(/settings\/filial\/update\/\d+$/)
  await expect(title(page, name)).toBeVisible()

  // A room, and a second one with its name: refused at the name.
  complaints.allow(/status of 422/)
  await page.getByRole('tab', { name: 'Кабинеты' }).click()
  for (const at of [0, 1]) {
    await page.getByRole('button', { name: 'Новый кабинет' }).press('Enter')
    await expect(page.getByLabel('Название')).toBeFocused()
    await page.keyboard.type('Процедурная')
    await page.keyboard.press('Control+Enter')
    if (at === 0)
      await expect(page.getByRole('region', { name: 'Кабинеты' }).getByRole('list')).toContainText('Процедурная')
    if (at === 0) await expect(page.getByRole('button', { name: 'Новый кабинет' })).toBeFocused()
  }
  await expect(page.getByText('Такое значение уже есть')).toBeVisible()
  await page.getByRole('button', { name: 'Отмена' }).click()

  // Two photos: the second is moved first by keyboard, and stays there.
  await page.getByRole('tab', { name: 'Фотографии' }).click()
  const shots = page.getByRole('list', { name: 'Фотографии' }).getByRole('listitem').locator('img')
  for (const at of [1, 2]) {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Добавить изображение' }).click()
    await (await choosing).setFiles({ name: `${at}.png`, mimeType: 'image/png', buffer: PICTURE })
    await expect(shots).toHaveCount(at)
  }
  const order = () => shots.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  const [first, second] = await order()
  await page.getByRole('button', { name: 'Открыть фотографию 2' }).press('Control+Shift+ArrowLeft')
  await expect.poll(order).toEqual([second, first])
  await page.reload()
  await expect.poll(order).toEqual([second, first])

  // The list shows its hours.
  await page.getByRole('link', { name: 'К списку: Филиалы' }).click()
  await page.getByRole('main').getByRole('searchbox').fill(name)
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('пн–сб 09:00–18:30')
})

/** The default warehouse of a branch is set in the warehouse settings, shown and reset. */
test('a branch gets a warehouse of its own by default', async ({ page, clinic }) => {
  const serial = Date.now()
  const { id } = await clinic.call('POST', '/filials', { nameFilial: `Филиал со складом ${serial}` })
  await clinic.call('POST', '/warehouses', { name: `Чужой ${serial}`, idFilial: 1 })
  await clinic.enter(page)
  await page.goto(`/app/settings/filial/update/${id}?tab=warehouses`)
  await page.getByRole('button', { name: 'Новый склад' }).click()
  await page.keyboard.type(`Главный ${serial}`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Склады' }).getByRole('list')).toContainText(`Главный ${serial}`)

  await page.goto('/app/settings/warehouse')
  const chosen = page.getByRole('combobox', { name: `Филиал со складом ${serial}` })
  await chosen.click()
  await expect(page.getByRole('option')).toHaveText([`Главный ${serial}`])
  await page.getByRole('option').click()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Настройки сохранены')).toBeVisible()
  await page.reload()
  await expect(chosen).toHaveValue(`Главный ${serial}`)

  // The author of the setting, and the reset.
  await page.goto('/app/settings?view=changes')
  await expect(page.getByText('Склад филиала').first()).toBeVisible()
})

test('the data of a sold branch are collected, announced and downloaded', async ({ page, clinic }) => {
  await clinic.enter(page)
  await page.goto('/app/settings/filials')
  await page.getByRole('main').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/settings\/filial\/update\/\d+$/)
  // Until the code of the card has come, the list stands, with a menu of the same name.
  await expect(title(page, 'Филиалы')).toBeHidden()
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Передать данные филиала…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Передать данные филиала/ })
  await dialog.getByRole('radio', { name: 'Всех, кто был в этом филиале' }).check()
  await dialog.getByRole('button', { name: 'Собрать данные' }).click()
  const line = dialog.getByRole('list', { name: 'Передачи' }).getByRole('listitem').first()
  await expect(line).toContainText('Готова', { timeout: 120_000 })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    line.getByRole('button', { name: /^Скачать Передача/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Передача — .+\.zip$/)
})

test('a menu of a card that is opened while its parts still load stays open', async ({ page, clinic }) => {
  await clinic.enter(page)
  const first = async (path: string): Promise<number> => (await clinic.call('GET', `/${path}?limit=1`)).items[0].id
  const [branch, patient] = [await first('filials'), await first('customers')]
  for (const [address, own, menu, item] of [
    [`settings/filial/update/${branch}`, `/filials/${branch}`, 'Другие действия', 'Удалить филиал'],
    [`customers/edit?id=${patient}`, `/customers/${patient}`, 'Действия с картой', 'Удалить карту'],
  ] as const) {
    let arrive = () => {}
    const late = new Promise<void>((resolve) => {
      arrive = resolve
    })
    // The record comes at once, all that the page reads besides only later.
    await page.route('**', async (route) => {
      const { pathname } = new URL(route.request().url())
      if (route.request().resourceType() === 'fetch' && pathname !== own && !pathname.startsWith('/common/')) await late
      await route.fallback()
    })
    await page.goto(`/app/${address}`)
    const button = page.getByRole('button', { name: menu })
    await button.click()
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible()
    await button.evaluate((element) => element.setAttribute('data-same', ''))
    arrive()
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('menuitem', { name: item })).toBeVisible()
    await expect(button).toHaveAttribute('data-same')
    await page.unroute('**')
  }
})
