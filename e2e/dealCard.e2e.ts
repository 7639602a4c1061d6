import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, test, title } from './support.ts'

/** The open deal, its offers and scripts; incoming requests; figures with the deals behind them. */

const S = '/sales-management'
const REFUSED = /status of (409|422)/
let count = 0

interface Made {
  idFunnel: number
  stages: { id: number; name: string }[]
  idLead: number
}

/** A funnel of this test with one deal in its first stage. */
async function deal(clinic: Clinic, more: object = {}, funnel: object = {}): Promise<Made> {
  const name = `Карточка ${Date.now()}-${count++}`
  const { id: idFunnel } = await clinic.call('POST', `${S}/funnels`, { name, ...funnel })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=20`)
  const { id: idLead } = await clinic.call('POST', `${S}/leads`, { title: 'Осмотр', idStage: stages[0].id, ...more })
  return { idFunnel, stages, idLead }
}

const phoneOfOwn = (): string => `+7900${String(Date.now()).slice(-5)}${String(count++ % 100).padStart(2, '0')}`

async function open(page: Page, clinic: Clinic, { idFunnel, idLead }: Made): Promise<Locator> {
  await clinic.enter(page)
  await page.goto(`/app/deals?funnel=${idFunnel}&lead=${idLead}`)
  const dialog = page.getByRole('dialog', { name: /^Сделка/ })
  await expect(dialog.getByLabel('Название сделки')).toBeVisible()
  return dialog
}

test('a deal saves itself, moves by its bar and shows it in words', async ({ page, clinic, complaints }) => {
  complaints.allow(REFUSED)
  const made = await deal(clinic, {}, { canCompleteDealsWithoutOffers: false })
  const dialog = await open(page, clinic, made)
  await dialog.getByLabel('Название сделки').fill('Осмотр и анализы')
  await expect(dialog.getByText('Сохранено')).toBeVisible()
  expect((await clinic.call('GET', `${S}/leads/${made.idLead}`)).title).toBe('Осмотр и анализы')

  // No deal is won by accident, nor without a sum unnoticed.
  const done = dialog.getByRole('button', { name: 'Перевести на этап «Успешно»' })
  await done.hover()
  await expect(dialog.getByText('→ Успешно')).toBeVisible()
  await done.click()
  const won = page.getByRole('dialog', { name: /→ Успешно/ })
  await won.getByLabel('Сумма сделки').fill('')
  await expect(won.getByText(/У сделки нет суммы/)).toBeVisible()
  await won.getByLabel('Сумма сделки').fill('10%')
  await won.getByRole('button', { name: 'Завершить сделку' }).click()
  await expect(won.getByText('Поле должно быть числом')).toBeVisible()
  await won.getByLabel('Сумма сделки').fill('1 500,50 руб')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Сделка не может быть завершена', { exact: true })).toBeVisible()
  const toWork = dialog.getByRole('button', { name: 'Перевести на этап «В работе»' })
  await toWork.click()
  await expect(dialog.getByRole('button', { name: 'В работе, сейчас' })).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).click()
  await expect(dialog.getByRole('button', { name: 'Новая, сейчас' })).toBeVisible()
  await toWork.click()
  await expect(dialog.getByRole('button', { name: 'В работе, сейчас' })).toBeVisible()

  await dialog.getByRole('button', { name: 'Перевести на этап «Отказ»' }).click()
  const loss = page.getByRole('dialog', { name: /→ Отказ/ })
  await expect(loss.getByLabel('Причина отказа')).toBeFocused()
  await loss.getByRole('button', { name: 'Отметить отказ' }).click()
  await expect(loss.getByText('Поясните причину отказа')).toBeVisible()
  await loss.getByRole('button', { name: 'Отмена' }).click()
  await expect(dialog.getByRole('button', { name: 'В работе, сейчас' })).toBeVisible()

  await dialog.getByRole('tab', { name: 'Журнал' }).click()
  await expect(dialog.getByText('Перемещена: Новая → В работе').first()).toBeVisible()
  await expect(dialog.getByText(/\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d/).first()).toBeVisible()
})

test('a contact that is in another deal is reported, and comments are there', async ({ page, clinic }) => {
  const number = phoneOfOwn()
  const other = await deal(clinic, { title: 'Другая сделка' })
  const card = { surname: `Ленточкин${number.slice(-5)}`, phone: phoneOfOwn() }
  const { id: idCustomer } = await clinic.call('POST', '/customers', card)
  await clinic.call('POST', `${S}/contacts`, { idLead: other.idLead, surname: 'Проверкин', phone: number, idCustomer })
  const dialog = await open(page, clinic, await deal(clinic))
  await dialog.getByRole('button', { name: 'Контакт', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Фамилия' }).fill('Проверкин')
  await dialog.getByRole('textbox', { name: 'Телефон', exact: true }).fill(`8${number.slice(2)}`)
  await expect(dialog.getByRole('link', { name: 'Другая сделка' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Добавить', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Изменить контакт: Проверкин' })).toBeVisible()

  const comments = dialog.getByRole('region', { name: /^Комментарии/ })
  await comments.getByLabel('Новый комментарий').click()
  await page.keyboard.type('Позвонить после обеда')
  await comments.getByRole('button', { name: 'Отправить' }).click()
  await expect(comments.locator('[data-comment]').getByText('Позвонить после обеда')).toBeVisible()
  await phone(page)
  await fits(page)

  // The timeline of the deal's patient is shown in the side bar.
  await page.goto(`/app/deals?funnel=${other.idFunnel}&lead=${other.idLead}`)
  const thread = page.getByRole('region', { name: 'Лента клиента' })
  await expect(thread.getByRole('link', { name: card.surname })).toBeVisible()
  await thread.getByRole('button', { name: `Показать ленту: ${card.surname}` }).click()
  await expect(thread.getByText('Карта заведена')).toBeVisible()
  await expect(thread.getByText('Другая сделка')).toBeVisible()
  await fits(page)
})

test('an offer counts its services, asks for reasons and is printed', async ({ page, clinic }) => {
  const nameService = `Приём проверочный ${Date.now()}`
  await clinic.call('POST', '/services', { nameService, priceService: 1200.5 })
  const dialog = await open(page, clinic, await deal(clinic))
  await dialog.getByRole('tab', { name: /^Предложения/ }).click()
  await dialog.getByRole('button', { name: 'Новое предложение' }).click()
  await dialog.getByLabel('Добавить услугу').fill(nameService)
  await page.getByRole('option', { name: new RegExp(nameService) }).click()
  const line = dialog.getByRole('listitem', { name: nameService })
  await expect(line).toContainText('1 200,50 ₽')
  // The next service can be typed at once.
  await expect(dialog.getByLabel('Добавить услугу')).toBeFocused()
  await line.getByLabel('Количество').fill('2')
  await line.getByLabel('Скидка').fill('1')
  await line.getByLabel('Цена').focus()
  await expect(line).toContainText('2 400,00 ₽')
  await expect(dialog.getByRole('region', { name: 'Предложение «Предложение 1»' }).locator('header')).toContainText(
    '2 400,00 ₽',
  )
  await line
    .getByLabel(/^Статус/)
    .first()
    .click()
  await page.getByRole('option', { name: 'Отменена' }).click()
  await expect(line.getByLabel(/^Причина/).first()).toBeVisible()

  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'PDF' }).click()
  expect((await file).suggestedFilename()).toBe('Предложение 1.pdf')
})

test('a script is followed beside the deal', async ({ page, clinic }) => {
  const made = await deal(clinic)
  const steps = [
    { key: 'a', title: 'Начало', text: 'Здравствуйте!', answers: [{ text: 'Хочу записаться', next: 'b' }] },
    { key: 'b', title: 'Запись', text: 'На какой день?', answers: [{ text: 'На завтра', next: null }] },
  ]
  const { id: idScript } = await clinic.call('POST', '/old-scripts', {
    name: `Запись ${Date.now()}`,
    params: { steps },
  })
  await clinic.call('POST', `${S}/funnel-scripts`, { idFunnel: made.idFunnel, idScript })
  const dialog = await open(page, clinic, made)
  await dialog.getByText('Скрипты разговора').click()
  await dialog.getByRole('button', { name: 'Хочу записаться' }).click()
  await expect(dialog.getByRole('heading', { name: 'Запись' })).toBeFocused()
  await dialog.getByRole('button', { name: 'На завтра' }).click()
  await expect(dialog.getByRole('heading', { name: 'Разговор окончен' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Назад' }).click()
  await expect(dialog.getByText('На какой день?')).toBeVisible()
})

test('a request becomes a deal, and comes back when that is undone', async ({ page, clinic }) => {
  const who = `Заявителев ${Date.now()}`
  const { idFunnel } = await deal(clinic)
  const { key } = await clinic.call('POST', `${S}/intakes`, { name: who, kind: 'form', idFunnel })
  await clinic.ask('POST', `/intake/${key}`, { name: who, phone: phoneOfOwn(), message: 'Запишите на завтра' })
  await clinic.enter(page)
  await page.goto('/app/deals/requests')
  await expect(title(page, 'Неразобранное')).toBeVisible()
  await page.getByRole('button', { name: `Разобрать: ${who}` }).click()
  await page.getByRole('button', { name: 'Создать сделку' }).click()
  await expect(page.getByText(`Заявка принята: ${who}`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Разобрать: ${who}` })).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^(Разобрать|Свернуть): ${who}`) })).toBeVisible()
  await expect(page.getByText('Запишите на завтра').first()).toBeVisible()
})

test('a figure of a funnel opens the deals behind it', async ({ page, clinic }) => {
  const { idFunnel, idLead } = await deal(clinic, { title: 'За цифрой', price: 5000 })
  await clinic.enter(page)
  await page.goto(`/app/deals/analytics?funnel=${idFunnel}`)
  await page.getByRole('link', { name: 'В работе сейчас: 1, показать сделки' }).click()
  const panel = page.getByRole('dialog', { name: 'В работе сейчас' })
  await expect(panel.getByRole('link', { name: 'За цифрой' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await phone(page)
  await fits(page)
  await page.goto(`/app/deals/${idLead}/analytics`)
  await expect(title(page, 'За цифрой')).toBeVisible()
})

test('a task of the deal is made in a chosen workspace', async ({ page, clinic }) => {
  const name = `Задачи сделок ${Date.now()}`
  const board = await clinic.call('POST', '/tasks-management/boards', { name })
  expect(board.idColumnNew).toBeGreaterThan(0)
  const dialog = await open(page, clinic, await deal(clinic))
  await dialog.getByRole('button', { name: 'Задача', exact: true }).click()
  const form = dialog.getByRole('form', { name: 'Новая задача сделки' })
  await form.getByRole('textbox', { name: 'Задача' }).fill('Подготовить договор')
  await form.getByRole('combobox', { name: 'Пространство' }).fill(name)
  await page.getByRole('option', { name }).click()
  await form.getByRole('button', { name: 'Создать задачу' }).click()
  await expect(dialog.getByRole('link', { name: 'Подготовить договор' })).toBeVisible()
})
