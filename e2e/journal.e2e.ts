import { expect, test, title } from './support.ts'

/** The journals of calls and appeals: a recording is played, an appeal is created by one key and closed with an outcome. */

test('a recorded call is played, becomes an appeal by one key, and the appeal is closed with an outcome', async ({
  page,
  clinic,
}) => {
  const { items } = await clinic.call('GET', '/calls?filter[hasRecord]=1&filter[callType]=1&limit=200&fields=id')
  const call = items[Math.floor(Math.random() * items.length)].id
  await clinic.enter(page)
  await page.goto(`/app/calls?open=${call}`)
  await expect(page).toHaveURL(/journal\/calls\?open=/)
  const panel = page.getByRole('dialog', { name: `Звонок № ${call}` })
  const place = panel.getByRole('slider', { name: 'Место в записи' })
  // The waveform shows loudness: silence and speech differ in height.
  await expect(place.locator('rect').first()).toBeAttached()
  const bars = await place.locator('rect').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(bars.length).toBeGreaterThan(20)
  expect(new Set(bars.map(Math.round)).size).toBeGreaterThan(3)
  await panel.getByRole('button', { name: 'Слушать' }).click()
  await expect(panel.getByRole('button', { name: 'Пауза' })).toBeVisible()
  await panel.getByRole('button', { name: 'Пауза' }).click()
  await place.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(place).toHaveAttribute('aria-valuenow', '5')

  await page.keyboard.press('o')
  const appeal = page.getByRole('dialog', { name: /^Обращение №/ })
  // The words of the specification, in its panel of 600 px.
  for (const empty of ['Записи не назначены', 'Сделки не назначены', 'Задачи не назначены'])
    await expect(appeal.getByText(empty)).toBeVisible()
  expect((await appeal.boundingBox())?.width).toBe(600)
  const id = Number(new URL(page.url()).searchParams.get('open'))
  // The demo data may have closed this one already.
  await clinic.call('PUT', `/appeals/${id}`, { status: 'open' })
  await expect(appeal.getByRole('button', { name: 'Закрыть…' })).toBeVisible()

  const { name: board } = await clinic.call('POST', '/tasks-management/boards', { name: `Обращения ${Date.now()}` })
  await page.keyboard.press('t')
  const task = page.getByRole('dialog', { name: 'Задача из обращения' })
  await task.getByLabel('Задача').fill(`Ответить по звонку ${call}`)
  await task.getByLabel('Пространство').fill(board)
  await page.getByRole('option', { name: board }).click()
  await task.getByRole('button', { name: 'Создать задачу' }).click()
  await expect(task).toBeHidden()
  const made = appeal.getByRole('region', { name: 'Задачи' }).getByRole('link', { name: `Ответить по звонку ${call}` })
  await expect(made).toBeVisible()
  await expect(made).toHaveAttribute('href', /tasks\?board=/)

  await page.keyboard.press('e')
  const closing = page.getByRole('dialog', { name: 'Закрыть обращение' })
  await closing.getByText('Следующий шаг').click()
  await closing.getByRole('button', { name: 'Закрыть обращение' }).click()
  await expect(closing.getByText('Что будет сделано?')).toBeVisible()
  await closing.getByText('Итог', { exact: true }).first().click()
  await closing.getByRole('combobox', { name: 'Итог' }).click()
  await page.getByRole('option', { name: 'Записан' }).click()
  await closing.getByRole('button', { name: 'Закрыть обращение' }).click()
  await expect(closing).toBeHidden()
  await expect(appeal.getByText(/^Итог: Записан. Закрыто/)).toBeVisible()
  await appeal.getByRole('button', { name: 'Открыть полностью' }).click()
  await expect(title(page, `Обращение № ${id}`)).toBeVisible()
  await page.goto(`/app/appeals/${id}`)
  await expect(page).toHaveURL(new RegExp(`journal/appeals/${id}$`))
})

test('an operator cannot listen to conversations of others, makes an appeal of the call and a deal of the appeal', async ({
  page,
  clinic,
}) => {
  const { items } = await clinic.call('GET', '/calls?filter[hasRecord]=1&filter[callType]=2&limit=200&fields=id')
  const call = items[Math.floor(Math.random() * items.length)].id
  await clinic.enter(page, 'Оператор колл-центра')
  await page.goto(`/app/journal/calls?open=${call}`)
  const panel = page.getByRole('dialog', { name: `Звонок № ${call}` })
  await expect(panel.getByText('Слушать можно только свои разговоры')).toBeVisible()
  // Without an own extension the call is offered to the computer's calling app.
  await expect(panel.getByRole('link', { name: 'Позвонить' })).toHaveAttribute('href', /^tel:\+7/)
  await panel.getByRole('button', { name: 'Обращение' }).click()
  const appeal = page.getByRole('dialog', { name: /^Обращение №/ })
  await expect(appeal.getByText('Сделки не назначены')).toBeVisible()
  await appeal.getByRole('button', { name: 'Сделка' }).click()
  await expect(page.getByRole('dialog', { name: /^Сделка/ }).getByLabel('Название сделки')).toBeVisible()
})

test('a call is written by hand, opens, and is brought back after it was deleted', async ({ page, clinic }) => {
  await clinic.enter(page, 'Оператор колл-центра')
  await page.goto('/app/journal/calls')
  await page.getByRole('button', { name: 'Новый звонок' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый звонок' })
  const phone = `909${String(Date.now()).slice(-7)}`
  await dialog.getByLabel('Телефон').fill(`8 ${phone}`)
  await page.keyboard.press('Control+Enter')
  const panel = page.getByRole('dialog', { name: /^Звонок № \d+$/ })
  await expect(panel.getByText('Вручную', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Действия со звонком' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(panel).toBeHidden()
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).click()
  await expect
    .poll(async () => (await clinic.call('GET', `/calls?filter[contactPhone]=%2B7${phone}`)).items.length)
    .toBe(1)
})
