import { expect, test } from './support.ts'

/** A visitor on the clinic's site, and the operators who answer: all see the same, and one operator has the chat. */
test('a visitor writes from a site, one operator answers, the second is told who has the chat', async ({
  page,
  clinic,
  visitor,
  complaints,
}) => {
  complaints.allow(/status of 409 .*live-assist/)
  const mark = Date.now().toString().slice(-7)
  await clinic.call('POST', '/live-assist/domains', { name: `site${mark}.test` })
  const site = await visitor()
  await site.goto('/live-assist/demo')
  await site.getByRole('button', { name: 'Написать в клинику' }).click()
  const panel = site.frameLocator('iframe')
  await panel.getByRole('textbox', { name: 'Имя' }).fill(`Вера ${mark}`)
  await panel.getByRole('textbox', { name: 'Телефон' }).fill(`+7918${mark}`)
  await panel.getByRole('textbox', { name: 'Вопрос' }).fill(`Есть ли запись ${mark}?`)
  await panel.getByRole('button', { name: 'Отправить' }).click()
  await expect(panel.getByRole('status')).toContainText('Отметьте согласие')
  await panel.getByRole('checkbox').check()
  await panel.getByRole('button', { name: 'Отправить' }).click()
  await expect(panel.getByRole('log')).toContainText(`Есть ли запись ${mark}?`)

  await clinic.enter(page)
  await page.goto('/app/live-assist?tab=unassigned')
  const line = page.getByRole('button', { name: new RegExp(`Вера ${mark}`) })
  await line.click()
  await expect(page.getByRole('log')).toContainText(`Есть ли запись ${mark}?`)
  const second = await visitor()
  await clinic.enter(second, 'Оператор колл-центра')
  await second.goto(page.url().replace(/^https?:\/\/[^/]+/, ''))
  const rival = second.getByRole('textbox', { name: 'Ответ посетителю' })
  await rival.fill(`Опоздавший ответ ${mark}`)

  const answer = page.getByRole('textbox', { name: 'Ответ посетителю' })
  await answer.fill('Да, в пятницу в 17:00')
  await answer.press('Enter')
  await expect(panel.getByRole('log')).toContainText('Да, в пятницу в 17:00')
  await expect(page.getByText('Отвечаете вы')).toBeVisible()
  await expect(second.getByText(/^Отвечает /)).toBeVisible()
  await rival.press('Enter')
  await expect(second.getByRole('alert')).toContainText('Этот чат ведёт')
  await expect(rival).toHaveValue(`Опоздавший ответ ${mark}`)
  await expect(panel.getByRole('log')).not.toContainText('Опоздавший')

  // What is changed and taken back is so at the visitor's too, at once.
  await answer.fill('Второй этаж, кабинет 7')
  await answer.press('Enter')
  await expect(panel.getByRole('log')).toContainText('кабинет 7')
  const about = (text: string, what: string) =>
    page
      .getByRole('article')
      .filter({ hasText: text })
      .getByRole('button', { name: 'Что сделать с сообщением' })
      .click()
      .then(() => page.getByRole('menuitem', { name: what }).click())
  await about('кабинет 7', 'Изменить')
  await page.getByRole('textbox', { name: 'Сообщение', exact: true }).fill('Второй этаж, кабинет 9')
  await page.getByRole('button', { name: 'Изменить', exact: true }).click()
  await expect(panel.getByRole('log')).toContainText('кабинет 9')
  await expect(panel.getByRole('log')).not.toContainText('кабинет 7')
  await page.getByRole('button', { name: 'изменено' }).click()
  await expect(page.getByRole('dialog', { name: 'Прежний текст' })).toContainText('кабинет 7')
  await page.keyboard.press('Escape')
  await about('кабинет 9', 'Удалить')
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(panel.getByRole('log')).toContainText('Сообщение удалено')
  await expect(panel.getByRole('log')).not.toContainText('кабинет 9')

  // The visitor comes back to what was said.
  await site.reload()
  await site.getByRole('button', { name: 'Написать в клинику' }).click()
  await expect(panel.getByRole('log')).toContainText('Да, в пятницу в 17:00')
  await panel.getByLabel('Сообщение').fill('Подходит, спасибо')
  await panel.getByLabel('Сообщение').press('Enter')
  await expect(page.getByRole('log')).toContainText('Подходит, спасибо')
  await page.getByRole('button', { name: 'Завершить' }).click()
  const ending = page.getByRole('dialog', { name: 'Чем закончился разговор?' })
  await ending.getByRole('radio', { name: 'Записан на приём' }).check()
  await ending.getByRole('button', { name: 'Завершить' }).click()
  await panel.getByRole('button', { name: 'Оценка 5 из 5' }).click()
  await expect(panel.getByRole('status')).toContainText('Спасибо за оценку')
})

/** Of the shift, and of who writes where there is no room for it beside. */
test('an operator says that one is there, who supervises sees it and looks into a chat on a narrow screen', async ({
  page,
  clinic,
  visitor,
}) => {
  const mark = Date.now().toString().slice(-7)
  const { id } = await clinic.call('POST', '/live-assist', { name: `Ждущая ${mark}`, phone: `+7919${mark}` })
  const second = await visitor()
  const { person } = await clinic.enter(second, 'Оператор колл-центра')
  await second.goto('/app/live-assist')
  await expect(second.getByRole('button', { name: 'Смена' })).toBeHidden()
  await second.getByRole('button', { name: /^Приём чатов/ }).click()
  await second.getByRole('menuitem', { name: /^Принимаю/ }).click()
  await expect(second.getByRole('button', { name: 'Приём чатов: Принимаю' })).toBeVisible()

  await page.setViewportSize({ width: 1000, height: 800 })
  await clinic.enter(page)
  await page.goto('/app/live-assist')
  await page.getByRole('button', { name: 'Смена' }).click()
  const row = page
    .getByRole('table', { name: 'Операторы' })
    .getByRole('row')
    .filter({ hasText: person.fio.split(' ')[0] })
  await expect(row).toContainText('Принимаю')
  await page.goto(`/app/live-assist?chat=${id}`)
  const about = page.getByRole('button', { name: 'О посетителе' })
  await about.click()
  const drawer = page.getByRole('dialog', { name: 'О посетителе' })
  await expect(drawer).toContainText(`Ждущая ${mark}`)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(about).toBeFocused()
})
