import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test, title } from './support.ts'

/** An examination: its form is designed, filled in and saved automatically, edited concurrently, finished, signed, corrected. */

const formOf = (fields: object[]) => ({ sections: [{ title: 'Опрос', fields }] })
const weighing = [
  { key: 'жалобы', label: 'Жалобы', type: 'text', required: true, phrases: ['Активных жалоб не предъявляет'] },
  { key: 'рост', label: 'Рост', type: 'number', unit: 'см' },
  { key: 'вес', label: 'Вес', type: 'number', unit: 'кг' },
  { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'вес / (рост / 100) ^ 2', digits: 1, min: 18.5, max: 25 },
  { key: 'диета', label: 'Диета', type: 'text', showIf: { field: 'имт', is: 'more', value: 25 } },
]

test('a doctor fills in an examination, signs it and corrects it', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of (409|422) .*\/(save|finish)/)
  const mark = randomUUID().slice(0, 8)
  const patient = await clinic.call('POST', '/customers', { surname: `Осматриваемый${mark}`, name: 'Илья' })
  await clinic.call('POST', '/examination-templates', { name: `Приём ${mark}`, isShared: true, form: formOf(weighing) })
  await clinic.enter(page)
  await page.goto(`/app/customers/edit?id=${patient.id}&tab=examinations`)
  await page.getByRole('button', { name: 'Новый осмотр' }).click()
  const fresh = page.getByRole('dialog', { name: 'Новый осмотр' })
  // The doctor's last used template may come between.
  const templates = fresh.getByRole('combobox', { name: 'Шаблон' })
  await expect(async () => {
    await templates.fill(mark)
    await expect(templates).toHaveValue(mark, { timeout: 500 })
  }).toPass()
  await page.getByRole('option', { name: `Приём ${mark}` }).click()
  await fresh.getByRole('button', { name: 'Начать' }).click()
  await expect(title(page, `Приём ${mark}`)).toBeVisible()
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))

  // A formula updates at each key, and a condition follows the formula.
  const diet = page.getByRole('textbox', { name: 'Диета' })
  const number = async (name: string, value: string) => {
    const field = page.getByRole('textbox', { name })
    // A number is shown with its unit while its field has no focus.
    await field.focus()
    await expect(field).not.toHaveValue(/м|г/)
    await field.fill(value)
  }
  await number('Рост', '180')
  await number('Вес', '60')
  await expect(page.getByRole('textbox', { name: 'ИМТ' })).toHaveValue('18,5')
  await expect(diet).toHaveCount(0)
  await number('Вес', '90')
  await expect(page.getByRole('textbox', { name: 'ИМТ' })).toHaveValue('27,8')
  await expect(diet).toBeVisible()
  await number('Рост', '0')
  await expect(page.getByPlaceholder('Деление на ноль')).toBeVisible()
  await number('Рост', '180')

  // Required fields are reported in place; the dictionary fills one.
  await page.getByRole('button', { name: 'Завершить' }).click()
  await expect(page.getByText('Заполните: Жалобы').first()).toBeVisible()
  await page.getByRole('button', { name: 'Словарь: Жалобы' }).click()
  await page.getByRole('button', { name: 'Активных жалоб не предъявляет' }).click()
  await expect(page.getByRole('textbox', { name: 'Жалобы' })).toHaveValue('Активных жалоб не предъявляет')

  // A diagnosis is found by words and by a code typed in the other keyboard layout.
  const diagnosis = page.getByRole('combobox', { name: 'Добавить диагноз' })
  await diagnosis.fill('острая инфекция верхних')
  await page.getByRole('option', { name: /^J06\.9/ }).click()
  await diagnosis.fill('Е66')
  await page.getByRole('option', { name: /^E66\.0/ }).click()
  await expect(page.getByRole('combobox', { name: 'Вид диагноза J06.9' })).toHaveValue('Основной')
  await expect(page.getByRole('combobox', { name: 'Вид диагноза E66.0' })).toHaveValue('Сопутствующий')
  await expect(page.getByText('Сохранено', { exact: true })).toBeVisible()

  // Another user writes into the same field: both texts are kept until one is chosen; a reload loses nothing.
  await page.route('**/save', (route) => route.abort())
  await page.getByRole('textbox', { name: 'Жалобы' }).fill('Кашель')
  await clinic.call('POST', `/examinations/${id}/save`, {
    changes: { 'values.жалобы': 'Насморк' },
    base: { 'values.жалобы': 'Активных жалоб не предъявляет' },
  })
  complaints.allow(/ERR_FAILED|Failed to load/)
  await expect(page.getByText('«Жалобы» изменил другой сотрудник')).toBeVisible()
  page.on('dialog', (leaving) => void leaving.accept())
  await page.reload()
  await expect(page.getByText('«Жалобы» изменил другой сотрудник')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Жалобы' })).toHaveValue('Кашель')
  await page.unroute('**/save')
  await page.getByRole('button', { name: 'Оставить моё' }).click()
  await expect(page.getByText('Сохранено', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Завершить' }).click()
  await expect(page.getByText('Осмотр завершён')).toBeVisible()
  // An irreversible action asks first.
  await page.getByRole('button', { name: 'Подписать' }).click()
  const sure = page.getByRole('dialog', { name: 'Подписать осмотр?' })
  await expect(sure).toContainText('Подписанное не меняют')
  await page.keyboard.press('Escape')
  await expect(sure).toBeHidden()
  await page.getByRole('button', { name: 'Подписать' }).click()
  await sure.getByRole('button', { name: 'Подписать' }).click()
  await expect(page.getByText('Осмотр подписан')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Опрос' })).toContainText('27,8')
  await page.getByRole('button', { name: 'Исправить…' }).click()
  const why = page.getByRole('dialog', { name: 'Исправить подписанный осмотр' })
  await why.getByLabel('Причина исправления').fill('Ошибка в весе')
  await why.getByRole('button', { name: 'Исправить' }).click()
  await expect(page.getByText('Ошибка в весе')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Вес' })).toHaveValue(/^90\sкг$/)

  await page.goto(`/app/customers/edit?id=${patient.id}&tab=examinations`)
  const list = page.getByRole('list', { name: 'Осмотры' })
  await expect(list).toContainText('Подписан')
  await expect(list).toContainText('исправление: Ошибка в весе')
})

test('a form is laid down, tried and kept as a version; a handmade file is refused with a message', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 8)
  const made = await clinic.call('POST', '/examination-templates', { name: `Шаблон ${mark}` })
  await clinic.enter(page)
  await page.goto(`/app/settings/examination-templates/${made.id}?tab=form`)
  await page.getByRole('button', { name: 'Добавить раздел' }).click()
  const add = async (type: string, name: string) => {
    await page.getByRole('combobox', { name: 'Добавить поле: Раздел 1' }).fill(type)
    await page.getByRole('option', { name: type, exact: true }).click()
    await page.getByRole('textbox', { name: 'Название', exact: true }).fill(name)
  }
  await add('Число', 'Рост')
  await add('Формула', 'Удвоенный рост')
  const formula = page.getByRole('textbox', { name: 'Формула', exact: true })
  await formula.fill('талия * 2')
  await expect(page.getByText('Нет такого поля: талия').first()).toBeVisible()
  await formula.fill('удвоенный_рост + 1')
  await expect(page.getByText(/^Замкнутый круг/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
  await formula.fill('рост * 2')
  await page.getByText('Как увидит врач').click()
  await page.getByRole('textbox', { name: 'Рост', exact: true }).fill('21')
  await expect(page.getByRole('textbox', { name: 'Удвоенный рост' })).toHaveValue('42')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено: версия 2')).toBeVisible()
  await page.getByRole('tab', { name: 'Версии' }).click()
  await page.getByRole('button', { name: 'Вернуть версию 1' }).click()
  await expect(page.getByText('Форма стала версией 3')).toBeVisible()

  await page.goto('/app/settings/examination-templates')
  const choose = async (text: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Из файла' }).click()
    await (await chooser).setFiles({ name: 'шаблон.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  }
  await choose('{"name":"x"}')
  await expect(page.getByText(/нет строки "format"/)).toBeVisible()
  const form = formOf([{ key: 'а', label: 'Поле', type: 'text' }])
  await choose(JSON.stringify({ format: 'ordinator/examination-template/1', name: `Из файла ${mark}`, form }))
  await expect(title(page, `Из файла ${mark}`)).toBeVisible()
})

test('a key costs the same in a form of two hundred fields', async ({ page, clinic }) => {
  const mark = randomUUID().slice(0, 8)
  const patient = await clinic.call('POST', '/customers', { surname: `Длинный${mark}`, name: 'Осмотр' })
  await clinic.enter(page)
  /** Milliseconds of the page's own work per key, layout included: the median. */
  const costIn = async (count: number): Promise<number> => {
    const fields = Array.from({ length: count }, (_, at) =>
      at % 10 === 9
        ? { key: `ф${at}`, label: `Формула ${at}`, type: 'calc', formula: `п${at - 1} * 2` }
        : { key: `п${at}`, label: `Поле ${at}`, type: at % 2 ? 'text' : 'number' },
    )
    const form = formOf(fields)
    const { id: idTemplate } = await clinic.call('POST', '/examination-templates', { name: `${count} ${mark}`, form })
    const { id } = await clinic.call('POST', '/examinations', { idCustomer: patient.id, idTemplate })
    await page.goto(`/app/examinations/${id}`)
    const field = page.getByRole('textbox', { name: 'Поле 11', exact: true })
    await field.click()
    const costs = await field.evaluate(async (area) => {
      const input = area as HTMLTextAreaElement
      const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
      const found: number[] = []
      for (let at = 0; at < 60; at++) {
        const begun = performance.now()
        set?.call(input, `${input.value}я`)
        input.dispatchEvent(new Event('input', { bubbles: true }))
        void input.offsetHeight
        found.push(performance.now() - begun)
        await new Promise((done) => setTimeout(done, 15))
      }
      return found.sort((a, b) => a - b)
    })
    return costs[30] as number
  }
  // A form that is drawn anew at each key costs ten times as much; a ratio does not depend on the load.
  const [few, many] = [await costIn(20), await costIn(200)]
  expect(many / few, `${few} ms, ${many} ms`).toBeLessThan(4)
})

test('the chart of teeth is one Tab stop, moved through by the arrows', async ({ page, clinic }) => {
  const mark = randomUUID().slice(0, 8)
  const patient = await clinic.call('POST', '/customers', { surname: `Зубов${mark}`, name: 'Пётр' })
  const { id: idTemplate } = await clinic.call('POST', '/examination-templates', {
    name: `Зубы ${mark}`,
    form: formOf([
      { key: 'зубы', label: 'Зубы', type: 'teeth' },
      { key: 'итог', label: 'Итог', type: 'text' },
    ]),
  })
  const { id } = await clinic.call('POST', '/examinations', { idCustomer: patient.id, idTemplate })
  await clinic.enter(page)
  await page.goto(`/app/examinations/${id}`)
  const tooth = (number: number) => page.getByRole('button', { name: new RegExp(`${number}\\s*(не отмечен|кариес)`) })
  await tooth(18).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('checkbox', { name: 'Молочные зубы' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Tab')
  for (const [key, next] of [
    ['ArrowRight', 17],
    ['ArrowDown', 47],
    ['End', 38],
    // Milk teeth are centred; there is nothing beside them.
    ['ArrowDown', 38],
    ['Home', 48],
    ['Control+Home', 18],
  ] as const) {
    await page.keyboard.press(key)
    await expect(tooth(next)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^Кариес/ }).press('Enter')
  await expect(tooth(18)).toBeFocused()
  await expect(tooth(18)).toHaveAttribute('data-state', 'caries')
})

test('a picture of the clinic’s own is put into a form, marked by the doctor, and is in the file', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 8)
  const patient = await clinic.call('POST', '/customers', { surname: `Рисованный${mark}`, name: 'Осмотр' })
  const { id: idTemplate } = await clinic.call('POST', '/examination-templates', {
    name: `С рисунком ${mark}`,
    isShared: true,
    form: formOf([{ key: 'схема', label: 'Схема', type: 'picture', picture: 'body' }]),
  })
  await clinic.enter(page)
  await page.goto(`/app/settings/examination-templates/${idTemplate}?tab=form`)
  await page
    .getByRole('button', { name: /^Схема/ })
    .first()
    .click()
  const choose = async (button: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles(file)
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><ellipse cx="150" cy="100" rx="140" ry="90" fill="none" stroke="#333" stroke-width="4"/><text x="90" y="110">${mark}</text></svg>`
  await choose('Загрузить свой рисунок', { name: 'схема.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
  await expect(page.getByRole('img', { name: 'Свой рисунок' })).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохранено: версия 2')).toBeVisible()

  const { id } = await clinic.call('POST', '/examinations', { idCustomer: patient.id, idTemplate })
  const drawn = page.getByRole('img', { name: 'Схема' })
  const isDrawn = () => drawn.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth)
  await page.goto(`/app/examinations/${id}`)
  await expect.poll(isDrawn).toBe(300)
  await drawn.click({ position: { x: 30, y: 30 } })
  await page.getByRole('textbox', { name: 'Метка 1' }).fill('Родинка')
  await expect
    .poll(async () => (await clinic.call('GET', `/examinations/${id}`)).values.схема?.[0]?.text)
    .toBe('Родинка')

  // A reader sees the position of the mark.
  await page.getByRole('button', { name: 'Завершить' }).click()
  await expect(page.getByText('1. Родинка')).toBeVisible()
  await expect.poll(isDrawn).toBe(300)

  // Export to a file and import: another template with the same picture.
  await page.goto(`/app/settings/examination-templates/${idTemplate}?tab=form`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'В файл' }).click()
  const path = await (await saving).path()
  await page.goto('/app/settings/examination-templates')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Из файла' }).click()
  await (await chooser).setFiles({ name: 'шаблон.json', mimeType: 'application/json', buffer: await readFile(path) })
  await expect(page.getByText('Шаблон загружен')).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`/${idTemplate}\\b`))
  await page.getByText('Как увидит врач').click()
  await expect.poll(isDrawn).toBe(300)
})
