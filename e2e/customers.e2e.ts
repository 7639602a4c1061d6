import { png } from './picture.ts'
import { expect, test, title } from './support.ts'

/** A patient is created by keyboard; a duplicate card is detected, merged and split; the access journal shows the views. */

test('a patient is made, found by the phone, merged with a second card and unmerged', async ({ page, clinic }) => {
  const mark = Date.now().toString().slice(-7)
  const surname = `Двойникова${mark}`
  await clinic.call('POST', '/customers', {
    surname,
    name: 'Анна',
    birthday: '03.04.1985',
    phone: `+7916${mark}`,
    email: `a${mark}@example.ru`,
  })
  await clinic.enter(page)
  // The address without a card is that of a new one.
  await page.goto('/app/customers/edit')
  await expect(page.getByRole('dialog', { name: 'Новый клиент' })).toBeVisible()
  await page.goto('/app/customers')
  await expect(title(page, 'Клиенты')).toBeVisible()
  // Escape clears the search.
  await page.getByRole('searchbox', { name: 'Поиск' }).fill('никого нет')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox', { name: 'Поиск' })).toHaveValue('')
  await page.getByRole('searchbox', { name: 'Поиск' }).blur()
  await expect(title(page, 'Клиенты')).toBeVisible()
  await page.keyboard.press('n')
  const fresh = page.getByRole('dialog', { name: 'Новый клиент' })
  await expect(fresh.getByLabel('Фамилия')).toBeFocused()
  await page.keyboard.type(surname)
  await fresh.getByLabel('Имя').fill('Анна')
  await fresh.getByLabel('Дата рождения').fill('03.04.1985')
  await expect(fresh.getByText('Возможно, этот клиент уже есть')).toBeVisible()
  await expect(fresh.getByText('те же ФИО и дата рождения')).toBeVisible()
  await fresh.getByRole('button', { name: 'Создать' }).click()

  // The card opens at its own address, with the other one beside it.
  await expect(page).toHaveURL(/customers\/edit\?id=\d+/)
  await expect(title(page, `${surname} Анна`)).toBeVisible()
  await page.getByRole('button', { name: 'Объединить…' }).click()
  const joining = page.getByRole('dialog', { name: `Объединить карту: ${surname} Анна` })
  await expect(joining.getByRole('radio', { name: 'Телефон: другая карта' })).toBeChecked()
  await joining.getByRole('button', { name: 'Объединить' }).click()
  await expect(page.getByText('Карты объединены')).toBeVisible()
  await expect(page.getByLabel('Телефон', { exact: true })).toHaveValue(/\+7 \(916\)/)
  await page.getByRole('button', { name: 'Разъединить' }).click()
  await expect(page.getByText('Карты разъединены')).toBeVisible()
  await expect(page.getByLabel('Телефон', { exact: true })).toHaveValue('')

  // A Russian number of 10 or 12 digits is doubted beside its field.
  const phone = page.getByLabel('Телефон', { exact: true })
  for (const [written, digits] of [
    ['+7916111223', 10],
    ['+791611122330', 12],
  ] as const) {
    await phone.fill(written)
    await phone.blur()
    await expect(page.getByText(`В российском номере 11 цифр, здесь ${digits}: проверьте`)).toBeVisible()
  }
  await phone.fill('+79161112233')
  await phone.blur()
  await expect(page.getByText('В российском номере 11 цифр')).toBeHidden()
  await phone.fill('')

  // A number with a wrong check digit is refused at its field, with a message.
  await page.getByRole('tab', { name: 'Документы' }).click()
  await page.getByLabel('СНИЛС').pressSequentially('11223344596')
  await expect(page.getByLabel('СНИЛС')).toHaveValue('112-233-445 96')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('контрольное число не сходится')).toBeVisible()
  await page.getByLabel('СНИЛС').fill(snilsOf(`11${mark}`))
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Документы сохранены')).toBeVisible()

  // The strip of tabs follows the user's click and wheel while the first tab is open.
  await page.getByRole('tab').first().click()
  const lastTab = page.getByRole('tab').last()
  await expect(lastTab).not.toBeInViewport({ ratio: 0.9 })
  // One turn is less than the width of the strip, and settings of the clinic add tabs.
  await expect(async () => {
    await page.getByRole('button', { name: /вкладки правее/ }).click({ timeout: 2_000 })
    await expect(lastTab).toBeInViewport({ ratio: 0.9, timeout: 1_000 })
  }).toPass()
  await lastTab.hover()
  await page.mouse.wheel(-2000, 0)
  await expect(lastTab).not.toBeInViewport({ ratio: 0.9 })
  await page.mouse.wheel(2000, 0)
  await expect(lastTab).toBeInViewport({ ratio: 0.9 })

  await page.getByRole('tab', { name: 'Кто смотрел' }).click()
  await expect(page.getByRole('table', { name: 'Журнал доступа' }).getByText('Изменение').first()).toBeVisible()

  await page.keyboard.press('Control+k')
  await page
    .getByRole('combobox', { name: 'Поиск и команды' })
    .fill(`8 916 ${mark.slice(0, 3)}-${mark.slice(3, 5)}-${mark.slice(5)}`)
  await expect(page.getByRole('option').filter({ hasText: surname })).toBeVisible()
})

/** A СНИЛС of these nine digits with its check number: digits by their place from the end, modulo 101. */
function snilsOf(nine: string): string {
  const sum = [...nine].reduce((total, digit, at) => total + Number(digit) * (9 - at), 0)
  return `${nine}${String((sum % 101) % 100).padStart(2, '0')}`
}

test('a table of customers is imported, many are tagged at once, a mother links to her child', async ({
  page,
  clinic,
}) => {
  const mark = Date.now().toString().slice(-7)
  const surname = `Табличная${mark}`
  await clinic.enter(page)
  await page.goto('/app/customers')
  await page.getByRole('button', { name: 'Импорт' }).click()
  const dialog = page.getByRole('dialog', { name: 'Импорт клиентов' })
  const rows = [`${surname} Анна;01.02.1980`, ';31.02.1990', `${surname} Яна;09.09.2015`]
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'клиенты.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['ФИО;Дата рождения', ...rows].join('\n')),
  })
  await expect(dialog.getByRole('radio', { name: 'Пропустить строку' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Обновить карту' }).check()
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText('С ошибками: 1')).toBeVisible()
  await dialog
    .getByRole('button', { name: /без строк с ошибками|Пропустить|Импортировать/ })
    .first()
    .click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()

  await page.goto(`/app/customers?q=${surname}`)
  const cards = page.getByRole('row').filter({ hasText: surname })
  await expect(cards).toHaveCount(2)
  for (const card of await cards.all()) await card.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Метки' }).click()
  await page.getByLabel('Метка: поиск или новая').fill(`Свои ${mark}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Метка добавлена: 2 клиента')).toBeVisible()
  await expect(cards.filter({ hasText: `Свои ${mark}` })).toHaveCount(2)

  const { items } = await clinic.call('GET', `/customers?filter[surname]=${encodeURIComponent(surname)}&sort=name`)
  const [mother, child] = items as { id: number }[]
  await clinic.call('POST', '/customers/relations', {
    idCustomer: child?.id,
    relation: 'mother',
    idRelative: mother?.id,
  })
  await page.goto(`/app/customers/edit?id=${mother?.id}`)
  await page.getByRole('tab', { name: 'Представители' }).click()
  await page
    .getByRole('region', { name: 'Указан в картах' })
    .getByRole('link', { name: `${surname} Яна` })
    .click()
  await expect(title(page, `${surname} Яна`)).toBeVisible()
})

test('a mailing shows whom it reaches, in how many parts and for how much, before it is sent', async ({
  page,
  clinic,
}) => {
  const mark = Date.now().toString().slice(-7)
  const surname = `Рассылкина${mark}`
  await clinic.call('POST', '/customers', { surname, name: 'Анна', phone: `+7923${mark}` })
  await clinic.call('POST', '/customers', { surname, name: 'Вера', phone: `+7924${mark}`, noSms: true })
  const name = `Переезд ${mark}`
  const text = '{имя}, мы переехали на Садовую, 12: ждём вас по новому адресу с понедельника. {клиника}'
  await clinic.call('POST', '/message-templates', { name, event: 'custom', channel: 'sms', text, active: true })
  await clinic.call('PUT', '/settings/common', { smsPrice: 4.2 })
  await clinic.enter(page)
  await page.goto(`/app/customers?q=${surname}`)
  const cards = page.getByRole('row').filter({ hasText: surname })
  await expect(cards).toHaveCount(2)
  for (const card of await cards.all()) await card.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Написать…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Написать 2 клиентам' })
  await dialog.getByRole('combobox', { name: 'Шаблон рассылки' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(dialog.getByRole('status')).toHaveText(
    /^СМС: 1 из 2\sклиентов, не больше 2\sчастей в сообщении, до 8,40/,
  )
  await dialog.getByRole('button', { name: 'Отправить' }).click()
  await expect(page.getByText('Напишем 1 клиенту; написать нечем или нет согласия: 1')).toBeVisible()
})

test('likely duplicates are marked as different, offered again and merged', async ({ page, clinic }) => {
  const mark = Date.now().toString().slice(-7)
  const card = { surname: `Похожев${mark}`, name: 'Лев', birthday: '03.04.1985' }
  await clinic.call('POST', '/customers', card)
  await clinic.call('POST', '/customers', { ...card, phone: `+7917${mark}` })
  await clinic.enter(page)
  await page.goto('/app/customers/duplicates')
  const pair = page.getByRole('article', { name: new RegExp(card.surname) })
  await expect(pair.getByText('те же ФИО и дата рождения')).toBeVisible()
  await pair.getByRole('button', { name: 'Не дубль' }).click()
  await expect(pair).toHaveCount(0)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(pair).toBeVisible()
  await pair
    .getByRole('button', { name: /Оставить эту/ })
    .first()
    .click()
  const joining = page.getByRole('dialog', { name: `Объединить карту: ${card.surname} Лев` })
  await expect(joining.getByText('Телефон', { exact: true })).toBeVisible()
  await joining.getByRole('button', { name: 'Объединить' }).click()
  await expect(page.getByText('Карты объединены')).toBeVisible()
  await expect(pair).toHaveCount(0)
})

test('a card of limited access is opened for a reason, which the journal keeps', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of (403|422) .*\/customers\/\d+(\/open)?$/)
  const mark = Date.now().toString().slice(-7)
  const surname = `Закрытая${mark}`
  const reason = `Перенос приёма ${mark}`
  const body = { surname, phone: `+7917${mark}`, secretLevel: 'vip' }
  const { id } = await clinic.call<{ id: number }>('POST', '/customers', body)
  await clinic.enter(page)
  await page.goto(`/app/customers?q=${surname}`)
  const line = page.getByRole('row').filter({ hasText: surname })
  await expect(line).toContainText('VIP')
  await expect(line).not.toContainText('+7 (917)')

  await page.goto(`/app/customers/edit?id=${id}&tab=thread`)
  await expect(title(page, 'Доступ к карте ограничен')).toBeVisible()
  await expect(page.getByLabel('Причина')).toBeFocused()
  await page.keyboard.type('ой')
  await page.getByRole('button', { name: 'Открыть карту' }).click()
  await expect(page.getByText('Напишите причину словами')).toBeVisible()
  await page.getByLabel('Причина').fill(reason)
  await page.getByRole('button', { name: 'Открыть карту' }).click()
  await expect(title(page, surname)).toBeVisible()
  await expect(page.getByText('Карта заведена')).toBeVisible()
  await page.getByRole('tab', { name: 'Кто смотрел' }).click()
  const journal = page.getByRole('table', { name: 'Журнал доступа' })
  const opened = journal.getByRole('row').filter({ hasText: 'Открытие карты' })
  await expect(opened).toContainText(reason)

  // A photo, and the name as a link to the person wherever it is shown.
  await page.locator('input[type=file]').setInputFiles({ name: 'я.png', mimeType: 'image/png', buffer: png(300, 300) })
  await expect(page.getByText('Фотография обновлена')).toBeVisible()
  await opened.getByRole('link').hover()
  await expect(page.getByRole('tooltip')).toContainText('В сети')
  await opened.getByRole('link').click()
  await expect(page).toHaveURL(/\/app\/profile/)
  await page.goto(`/app/customers/access-log?action=open`)
  await page.getByRole('link', { name: surname }).first().hover()
  const tip = page.getByRole('tooltip')
  await expect(tip).toContainText('+7 (917)')
  await expect(tip.locator('img')).toHaveJSProperty('naturalWidth', 240)
  // A button cannot contain a link, but the tooltip still shows the person.
  await page
    .getByRole('button', { name: /карта с ограниченным доступом/ })
    .first()
    .locator('[data-person]')
    .hover()
  await expect(tip).toContainText('В сети')

  // URLs of the former CRM are those of our cards if none exists.
  await page.goto(`/app/customers/view?id=${id}`)
  await expect(page).toHaveURL(`/app/customers/edit?id=${id}`)
  await expect(title(page, surname)).toBeVisible()
  const other = await clinic.person()
  await page.goto(`/app/users/view?id=${other.id}`)
  await expect(page).toHaveURL(new RegExp(`/app/profile/${other.id}`))
})

test('a patient gets a copy of all data and has them destroyed, by the surname of the card', async ({
  page,
  clinic,
}) => {
  const surname = `Отозванная${Date.now().toString().slice(-6)}`
  const { id } = await clinic.call('POST', '/customers', { surname, name: 'Вера', email: 'v@example.ru' })
  await clinic.enter(page)
  await page.goto(`/app/customers/edit?id=${id}`)
  await page.getByRole('button', { name: 'Действия с картой' }).click()
  await page.getByRole('menuitem', { name: 'Персональные данные…' }).click()
  const dialog = page.getByRole('dialog', { name: `Персональные данные: ${surname} Вера` })
  await expect(dialog.getByText('электронная почта')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Скачать копию' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`Данные — ${surname} Вера.zip`)
  const destroy = dialog.getByRole('button', { name: 'Уничтожить' })
  await dialog.getByLabel('Основание').fill('Заявление № 1 от 30.11.2026')
  await dialog.getByLabel('Фамилия с карты').fill('Другая')
  await expect(destroy).toBeDisabled()
  await dialog.getByLabel('Фамилия с карты').fill(surname)
  await destroy.click()
  await expect(page.getByText('Данные уничтожены')).toBeVisible()
  await expect(title(page, 'Удалённый')).toBeVisible()
})
