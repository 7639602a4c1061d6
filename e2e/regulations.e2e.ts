import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, signIn, test, title, toast } from './support.ts'

const stage = (name: string, patch = {}) => ({ title: name, description: '<p>Проверить документы</p>', ...patch })

/** A regulation of this test, in the drafts. */
const make = (clinic: Clinic, body: object) => clinic.call('POST', '/regulations/model/create', body)

/** Toasts are at the top right: beside the dialog, not over its title. */
const WIDE = { width: 1760, height: 900 }

const opened = (page: Page) => page.getByRole('dialog')
test('the list is filtered, opened and cleared of what is chosen', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 409 .*\/regulations/)
  const mark = `Порядок-${randomUUID().slice(0, 8)}`
  const made: { id: number }[] = []
  for (const [at, type] of ['Инструкция', 'Стандарт', 'Стандарт'].entries())
    made.push(
      await make(clinic, { name: `${mark} ${at}`, description: 'Где действует', type, stages: [stage('Первый')] }),
    )
  const go = (id: number | undefined, to: string) =>
    clinic.call('POST', `/regulations/model/transition?id=${id}`, { to, ...(to === 'template' && { reason: 'Рано' }) })
  await go(made[2]?.id, 'review')
  await clinic.enter(page)
  await page.goto('/app/regulations')
  await expect(title(page, 'Регламенты')).toBeVisible()
  await expect(page.getByText('Управление и просмотр регламентов организации')).toBeVisible()
  const clear = page.getByRole('button', { name: 'Очистить фильтры' })
  await expect(clear).toBeHidden()
  await page.getByRole('searchbox', { name: 'Поиск по названию' }).fill(mark)
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: mark })
  await expect(rows).toHaveCount(3)
  await expect(page).toHaveURL(/search=/)
  await expect(page.getByRole('columnheader', { name: 'Название' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('combobox', { name: 'Классификация' }).click()
  await page.getByRole('option', { name: 'Стандарт' }).click()
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Удалить' }).click()
  const question = page.getByRole('dialog', { name: 'Подтвердите действие' })
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('toolbar').getByRole('button', { name: 'Удалить' }).click()
  await question.getByRole('button', { name: 'Удалить' }).click()
  // One that cannot be deleted does not block the others, and shows the reason; alone it shows it before the click.
  const why = 'Регламент на проверке: сначала верните его в черновики'
  await expect(toast(page, 'Удалено 1 из 2')).toBeVisible()
  await expect(toast(page, `Ошибка при удалении: ${why}`)).toBeVisible()
  await expect(rows).toHaveCount(1)
  const bin = rows.getByRole('button', { name: 'Удалить' })
  await expect(bin).toBeDisabled()
  await expect(bin).toHaveAttribute('title', why)
  await go(made[2]?.id, 'template')
  await bin.click()
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(toast(page, 'Удалено 1 регламент(ов)')).toBeVisible()
  await expect(page.getByText('Регламенты не найдены')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Создать первый регламент' })).toBeVisible()
  await clear.click()
  await expect(clear).toBeHidden()
  await expect(page).not.toHaveURL(/search=/)
  await phone(page)
  await fits(page)
})

test('a regulation is not saved without its names', async ({ page, clinic }) => {
  await page.setViewportSize(WIDE)
  await clinic.enter(page)
  await page.goto('/app/regulations')
  await page.getByRole('button', { name: 'Создать', exact: true }).click()
  const form = opened(page)
  await form.getByRole('button', { name: 'Создать', exact: true }).click()
  await expect(form.getByText('Название обязательно для заполнения')).toBeVisible()
  await expect(toast(page, 'Название регламента обязательно для заполнения')).toBeVisible()
  const field = form.getByRole('textbox', { name: 'Название', exact: true })
  await expect(field).toBeFocused()
  await field.fill('Приём пациента')
  await expect(form.getByText('14 / 255')).toBeVisible()
  await form.getByRole('textbox', { name: 'Описание' }).fill('Порядок встречи')
  await expect(form.getByText('15 / 1000')).toBeVisible()
  await form.getByRole('button', { name: 'Добавить шаг' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText('Название шага обязательно')).toBeVisible()
  await expect(toast(page, 'Название шага 1 обязательно для заполнения')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Название шага 1' })).toBeFocused()
})

test('a regulation is made of steps in their order, with a picture', async ({ page, clinic }) => {
  await page.setViewportSize(WIDE)
  const name = `Приём пациента ${randomUUID().slice(0, 8)}`
  await clinic.enter(page)
  await page.goto('/app/regulations?mode=create')
  const form = opened(page)
  await form.getByRole('textbox', { name: 'Название', exact: true }).fill(name)
  const add = form.getByRole('button', { name: 'Добавить шаг' })
  await add.click()
  await form.getByRole('textbox', { name: 'Название шага 1' }).fill('Встретить')
  await form.getByRole('textbox', { name: 'Время, мин' }).fill('15')
  await form.getByRole('button', { name: 'Свернуть: Встретить' }).click()
  await add.click()
  await form.getByRole('textbox', { name: 'Время, мин' }).fill('50')
  await expect(form.getByText('2 шага, всего 1 ч 5 мин')).toBeVisible()
  await form.getByRole('textbox', { name: 'Название шага 2' }).fill('Проводить')
  // By the keyboard up, by the menu down again.
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect(form.getByRole('textbox', { name: 'Название шага 1' })).toHaveValue('Проводить')
  await form.getByRole('button', { name: 'Действия: Проводить' }).click()
  await page.getByRole('menuitem', { name: 'Ниже' }).click()
  await expect(form.getByRole('textbox', { name: 'Название шага 2' })).toHaveValue('Проводить')

  const chooser = page.waitForEvent('filechooser')
  await form.getByRole('group', { name: 'Картинки' }).getByRole('button', { name: 'Загрузить' }).click()
  await (await chooser).setFiles({ name: 'схема.png', mimeType: 'image/png', buffer: PICTURE })
  await form.getByRole('textbox', { name: 'Подпись картинки 1' }).fill('Схема прохода')
  await form.getByRole('button', { name: 'По ссылке' }).click()
  await expect(page.getByRole('textbox', { name: 'Введите URL изображения' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Введите URL изображения' })).toBeHidden()

  await add.click()
  await form.getByRole('button', { name: 'Действия: Шаг 3' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(page.getByText('Вы уверены, что хотите удалить этот шаг?')).toBeVisible()
  await page.getByRole('dialog', { name: 'Подтвердите действие' }).getByRole('button', { name: 'Удалить' }).click()
  await expect(form.getByText('2 шага, всего 1 ч 5 мин')).toBeVisible()
  await form.getByRole('button', { name: 'Создать', exact: true }).click()
  await expect(toast(page, 'Регламент успешно создан')).toBeVisible()

  const view = opened(page)
  await expect(view.getByRole('heading', { name })).toBeVisible()
  const steps = view.getByRole('list', { name: 'Шаги' }).getByRole('heading')
  await expect(steps).toHaveText(['Встретить', 'Проводить'])
  await view.getByRole('button', { name: 'Посмотреть: Схема прохода' }).click()
  await expect(page.getByRole('dialog').last()).toContainText('Схема прохода')
  await page.keyboard.press('Escape')
})

test('a regulation changes its status: refused with a reason, approved, in force', async ({
  page,
  clinic,
  visitor,
}) => {
  await page.setViewportSize(WIDE)
  const reviewer = await clinic.person({ roles: ['Полный доступ'] })
  const name = `Хранение вакцин ${randomUUID().slice(0, 8)}`
  const { id } = await make(clinic, { name, stages: [stage('Принять вакцину'), stage('Проверить температуру')] })
  await clinic.call('POST', '/regulations/reviewers', { idRegulation: id, idUser: reviewer.id, kind: 'reviewer' })
  await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}`)
  await opened(page).getByRole('button', { name: 'Отправить на проверку' }).click()
  await expect(opened(page).getByText('На проверке')).toBeVisible()

  const theirs = await visitor({ viewport: WIDE })
  await signIn(theirs, reviewer)
  await theirs.goto('/app/regulations?list=mine')
  await theirs.getByRole('region', { name: 'Ждут вашего решения' }).getByRole('link', { name }).click()
  await opened(theirs).getByRole('button', { name: 'Отклонить' }).click()
  const reason = theirs.getByRole('dialog', { name: 'Отклонить регламент' })
  await reason.getByRole('button', { name: 'Отклонить' }).click()
  await expect(reason.getByText('Обязательное поле')).toBeVisible()
  await reason.getByRole('textbox', { name: 'Причина отклонения' }).fill('Нет порядка при отключении света')
  await reason.getByRole('button', { name: 'Отклонить' }).click()
  await expect(opened(page).getByText('Нет порядка при отключении света').first()).toBeVisible()

  await opened(page).getByRole('button', { name: 'Изменить' }).click()
  await opened(page).getByRole('button', { name: 'Добавить шаг' }).click()
  await opened(page).getByRole('textbox', { name: 'Название шага 3' }).fill('Перевезти при отключении света')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Регламент успешно обновлен')).toBeVisible()
  await opened(page).getByRole('button', { name: 'Отправить на проверку' }).click()
  await opened(theirs).getByRole('button', { name: 'Согласовать' }).click()
  await theirs
    .getByRole('dialog', { name: 'Согласовать регламент' })
    .getByRole('button', { name: 'Согласовать' })
    .click()
  await opened(page).getByRole('button', { name: 'Ввести в действие' }).click()
  await expect(opened(page).getByText('Активный', { exact: true }).first()).toBeVisible()
})

test('a regulation in force gets a new version, and the two are compared', async ({ page, clinic }) => {
  await page.setViewportSize(WIDE)
  const { id } = await make(clinic, { name: `Выдача справок ${randomUUID().slice(0, 8)}`, stages: [stage('Принять')] })
  for (const to of ['review', 'approved', 'active'])
    await clinic.call('POST', `/regulations/model/transition?id=${id}`, { to })
  await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}`)
  await opened(page).getByRole('button', { name: 'Новая версия' }).click()
  const first = opened(page).getByRole('textbox', { name: 'Название шага 1' })
  await first.fill('Принять и записать в журнал')
  await page.keyboard.press('Control+Enter')
  await opened(page).getByRole('tab', { name: 'Версии' }).click()
  await opened(page).getByRole('button', { name: 'Сравнить' }).click()
  const difference = opened(page).getByRole('region', { name: 'Сравнение версий' })
  await expect(difference.locator('ins').first()).toContainText('журнал')
})

test('two users who edit one regulation choose the final text', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 409/)
  const name = `Сдача смены ${randomUUID().slice(0, 8)}`
  const { id, _version } = await make(clinic, { name, stages: [stage('Передать ключи')] })
  await clinic.enter(page)
  await page.goto(`/app/regulations?id=${id}&mode=edit`)
  await opened(page).getByRole('textbox', { name: 'Название шага 1' }).fill('Передать ключи и журнал')
  await clinic.call('POST', `/regulations/model/update?id=${id}`, { name: `${name} (ночь)`, stages: [], _version })
  await page.keyboard.press('Control+Enter')
  const choice = page.getByRole('dialog', { name: 'Регламент уже изменили' })
  await expect(choice).toContainText('название')
  await choice.getByRole('button', { name: 'Сохранить моё' }).click()
  await expect(toast(page, 'Регламент успешно обновлен')).toBeVisible()
  await expect(opened(page).getByRole('heading', { name: 'Передать ключи и журнал' })).toBeVisible()
})

test('unsaved text is restored; a reader has no edit controls', async ({ page, clinic, visitor }) => {
  const mark = randomUUID().slice(0, 8)
  const { id } = await make(clinic, {
    name: `Уборка ${mark}`,
    stages: [stage('Взять инвентарь', { status: 'critical' })],
  })
  for (const to of ['review', 'approved', 'active'])
    await clinic.call('POST', `/regulations/model/transition?id=${id}`, { to })
  await clinic.enter(page)
  await page.goto('/app/regulations?mode=create')
  await opened(page).getByRole('textbox', { name: 'Название', exact: true }).fill(`Черновик ${mark}`)
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog', { name: 'Изменения не сохранены' })
    .getByRole('button', { name: 'Закрыть' })
    .last()
    .click()
  await expect(opened(page)).toBeHidden()
  await page.getByRole('button', { name: 'Создать', exact: true }).click()
  await expect(opened(page).getByRole('textbox', { name: 'Название', exact: true })).toHaveValue(`Черновик ${mark}`)
  await opened(page).getByRole('button', { name: 'Отбросить' }).click()
  await expect(opened(page).getByRole('textbox', { name: 'Название', exact: true })).toHaveValue('')

  const reader = await visitor()
  await clinic.enter(reader, 'Кладовщик')
  await reader.goto(`/app/regulations?search=${mark}`)
  await expect(reader.getByRole('link', { name: `Уборка ${mark}` })).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Создать', exact: true })).toBeHidden()
  await expect(reader.getByRole('button', { name: /^(Изменить|Удалить) «/ })).toHaveCount(0)
  await expect(reader.getByRole('checkbox')).toHaveCount(0)
  await reader.getByRole('link', { name: `Уборка ${mark}` }).click()
  await expect(opened(reader).getByRole('heading', { name: 'Взять инвентарь' })).toBeVisible()
  await expect(opened(reader).getByText('Критичный')).toBeVisible()
  await expect(opened(reader).getByRole('button', { name: /Изменить|Новая версия|архив/ })).toHaveCount(0)
})

/** One red pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
