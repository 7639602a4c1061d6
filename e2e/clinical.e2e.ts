import { randomUUID } from 'node:crypto'
import { expect, fits, phone, test, title } from './support.ts'

/** Clinical recommendations: imported from a file, chosen in an examination by its diagnosis, answered, shown in reports. */
test('a recommendation comes from a file, is chosen by the diagnosis and answered; both reports have it', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 6)
  const name = `Острый бронхит ${mark}`
  const [first, second] = [`Осмотр терапевта ${mark}`, `Контроль ${mark}`]
  await clinic.enter(page)
  await page.goto('/app/clinical-recommendations')
  await page.getByRole('button', { name: 'Загрузить из файла' }).click()
  const dialog = page.getByRole('dialog', { name: /Клинические рекомендации/ })
  const rows = [
    'Номер;Название;МКБ-10;Критерий;Вид;УУР',
    `${mark}_1;${name};J20–J22;${first};Диагностика;A`,
    `${mark}_1;${name};J20–J22;${second};Наблюдение;B`,
    `${mark}_2;Без кода;неизвестно;Критерий;Лечение;`,
  ]
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'кр.csv', mimeType: 'text/csv', buffer: Buffer.from(`${rows.join('\r\n')}\r\n`) })
  await dialog.getByRole('button', { name: 'Проверить' }).click()
  await expect(dialog.getByText('С ошибками: 1')).toBeVisible()
  await dialog.getByRole('button', { name: 'Пропустить ошибки и загрузить 2' }).click()
  await expect(dialog.getByText('Импорт завершён')).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(page.getByText(name).first()).toBeVisible()

  const patient = await clinic.call('POST', '/customers', { surname: `Кашляющий${mark}`, name: 'Илья' })
  await clinic.call('POST', '/examination-templates', {
    name: `Приём ${mark}`,
    isShared: true,
    form: { sections: [{ title: 'Опрос', fields: [{ key: 'жалобы', label: 'Жалобы', type: 'text' }] }] },
  })
  await page.goto(`/app/customers/edit?id=${patient.id}&tab=examinations`)
  await page.getByRole('button', { name: 'Новый осмотр' }).click()
  const fresh = page.getByRole('dialog', { name: 'Новый осмотр' })
  const templates = fresh.getByRole('combobox', { name: 'Шаблон' })
  await expect(async () => {
    await templates.fill(mark)
    await expect(templates).toHaveValue(mark, { timeout: 500 })
  }).toPass()
  await page.getByRole('option', { name: `Приём ${mark}` }).click()
  await fresh.getByRole('button', { name: 'Начать' }).click()
  await expect(title(page, `Приём ${mark}`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Добавить диагноз' }).fill('J20.9')
  await page.getByRole('option', { name: /^J20\.9/ }).click()

  // The recommendation of the diagnosis is in its own group.
  const block = page.getByRole('region', { name: 'Клинические рекомендации' })
  await expect(block.getByText('По диагнозу J20.9 подходят первые в списке')).toBeVisible()
  await block.getByRole('combobox', { name: 'Добавить рекомендацию' }).click()
  await page
    .getByRole('group', { name: 'По диагнозу J20.9' })
    .or(page.getByText('По диагнозу J20.9', { exact: true }))
    .first()
    .waitFor()
  await page.getByRole('option', { name: `${name} (КР ${mark}_1)` }).click()
  await expect(block.getByText('Отвечено 0 из 2')).toBeVisible()
  await block
    .getByRole('radiogroup', { name: `${first}: выполнен` })
    .getByText('Да', { exact: true })
    .click()
  await expect(block.getByText('Отвечено 1 из 2')).toBeVisible()
  // An unmet criterion needs a reason.
  await block
    .getByRole('radiogroup', { name: `${second}: выполнен` })
    .getByText('Нет', { exact: true })
    .click()
  await expect(block.getByText('Напишите причину отступления')).toBeVisible()
  const reason = block.getByRole('textbox', { name: `${second}: причина` })
  await reason.fill('Пациент уехал')
  await reason.blur()
  await expect(block.getByText('Отвечено 2 из 2')).toBeVisible()
  await phone(page)
  await fits(page)
  await page.setViewportSize({ width: 1366, height: 800 })

  const days = 'from=2020-01-01&until=2036-01-01'
  const { items } = await clinic.call('GET', `/clinical-recommendations?filter[number]=${mark}_1`)
  const is = `recommendation:${items[0].id}`
  const general = await clinic.call('GET', `/reports/clinical-recommendations/general?${days}&is=${is}`)
  expect(general.total.values).toMatchObject({ cases: 1, chosen: 1, applicable: 2, met: 1, kept: 0.5 })
  const detail = await clinic.call('GET', `/reports/clinical-recommendations/detail?${days}&is=${is}`)
  expect(detail.total.values).toMatchObject({ answers: 2, applicable: 2, met: 1, kept: 0.5 })
})
