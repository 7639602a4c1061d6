import { randomUUID } from 'node:crypto'
import { expect, test } from './support.ts'

/** From a template to a signed examination and its print, without a pause between. */

test('a created record opens: from a template to a signed examination, its correction and its print', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 8)
  const patient = await clinic.call('POST', '/customers', { surname: `Быстрый${mark}`, name: 'Осмотр' })
  const template = await clinic.call('POST', '/examination-templates', { name: `Скорый ${mark}`, isShared: true })
  await clinic.call('POST', '/print-templates', {
    name: `Бланк ${mark}`,
    entity: 'examinations',
    body: '<p>{{ для каждого раздела }}</p><p>{{ для каждого поля осмотра }}</p><p>{{ Вопрос }}: {{ Ответ }}</p><p>{{ конец }}</p><p>{{ конец }}</p>',
  })
  await clinic.enter(page)

  // A section, then fields: a new field is named at once, and its type is chosen by search.
  await page.goto(`/app/settings/examination-templates/${template.id}?tab=form`)
  await page.getByRole('button', { name: 'Добавить раздел' }).click()
  await expect(page.getByRole('textbox', { name: 'Название раздела 1' })).toBeFocused()
  await page.keyboard.type('Статус')
  for (const [type, name] of [
    ['Текст', 'Жалобы'],
    ['Рисунок', 'Схема'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Добавить поле: Статус' }).click()
    await page.keyboard.type(type)
    await expect(page.getByRole('option', { name: new RegExp(`^${type}`) }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Название', exact: true })).toBeFocused()
    await page.keyboard.type(name)
  }
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено: версия 2')).toBeVisible()

  const begin = async () => {
    await page.goto(`/app/customers/edit?id=${patient.id}&tab=examinations`)
    await page.getByRole('button', { name: 'Новый осмотр' }).click()
    const dialog = page.getByRole('dialog', { name: 'Новый осмотр' })
    // Text typed before the focus arrives would be lost.
    await expect(dialog.locator(':focus')).toHaveCount(1)
    return dialog
  }
  const fresh = await begin()
  await fresh.getByRole('combobox', { name: 'Шаблон' }).fill(mark)
  await page.getByRole('option', { name: `Скорый ${mark}` }).click()
  await fresh.getByRole('button', { name: 'Начать' }).click()
  await page.getByRole('textbox', { name: 'Жалобы' }).fill('Изжога')
  await page.getByRole('img', { name: 'Тело', exact: true }).click({ position: { x: 60, y: 90 } })
  await expect(page.getByRole('textbox', { name: 'Метка 1' })).toBeFocused()
  await page.keyboard.type('Боль')
  // Code K29.7 typed in the other keyboard layout.
  await page.getByRole('combobox', { name: 'Добавить диагноз' }).fill('Л29ю7')
  await page.getByRole('option', { name: /^K29\.7/ }).click()
  await page.getByRole('button', { name: 'Добавить назначение' }).click()
  await page.keyboard.type('Омепразол')
  await page.getByRole('button', { name: 'Добавить рекомендацию' }).click()
  await page.keyboard.type('Диета')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Контроль через месяц')
  await expect(page.getByRole('textbox', { name: 'Рекомендация 2' })).toHaveValue('Контроль через месяц')
  await expect(page.getByText('Сохранено', { exact: true })).toBeVisible()

  // A file still uploading would find the examination finished.
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/examinations/uploads*', async (route) => {
    await held
    await route.continue()
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Прикрепить' }).click()
  await (await chooser).setFiles({ name: 'снимок.txt', mimeType: 'text/plain', buffer: Buffer.from('Снимок') })
  await page.getByRole('button', { name: 'Завершить' }).click()
  await expect(page.getByText('Дождитесь, пока загрузятся файлы')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Вложения 1' })).toBeVisible()

  const signIt = async () => {
    await page.getByRole('button', { name: 'Завершить' }).click()
    await page.getByRole('button', { name: 'Подписать' }).click()
    await page.getByRole('dialog', { name: 'Подписать осмотр?' }).getByRole('button', { name: 'Подписать' }).click()
    await expect(page.getByRole('button', { name: 'Исправить…' })).toBeVisible()
  }
  await signIt()
  await page.getByRole('button', { name: 'Исправить…' }).click()
  await page.keyboard.type('Не та жалоба')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Не та жалоба')).toBeVisible()
  await page.getByRole('textbox', { name: 'Жалобы' }).fill('Боль после еды')
  await expect(page.getByText('Сохранено', { exact: true })).toBeVisible()
  await signIt()
  await expect(page.getByText('1. Боль')).toBeVisible()

  const printed = page.waitForResponse((answer) => answer.url().includes('/pdf?record='))
  await page.getByRole('button', { name: 'Печать по шаблону' }).click()
  await page.getByRole('menuitem', { name: `Бланк ${mark}` }).click()
  const paper = await printed
  expect([paper.status(), paper.headers()['content-type']]).toEqual([200, 'application/pdf'])

  // The next examination starts with the same template.
  await expect((await begin()).getByRole('combobox', { name: 'Шаблон' })).toHaveValue(`Скорый ${mark}`)
  // A late response must not disturb typing.
  const reached = Promise.withResolvers<void>()
  await page.route(/\/examinations\?.*fields=idTemplate/, async (route) => {
    await reached.promise
    await route.continue()
  })
  const late = (await begin()).getByRole('combobox', { name: 'Шаблон' })
  await late.fill('Ско')
  const usual = page.waitForResponse(/\/examinations\?.*fields=idTemplate/)
  reached.resolve()
  await usual
  await page.getByRole('option', { name: `Скорый ${mark}` }).hover()
  await expect(late).toHaveValue('Ско')
})
