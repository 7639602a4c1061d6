import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, type Person, phone, signIn, test } from './support.ts'

/** The contents of a task: check lists, client lists, polls, links to deals; two browsers, keys, a phone. */

interface World {
  owner: Person
  /** May see the tasks, but neither change them nor see customers. */
  viewer: Person
  link: string
  idTask: number
}

const T = '/tasks-management'

async function world(clinic: Clinic): Promise<World> {
  const [owner, viewer] = [
    await clinic.person({ roles: ['Руководитель'] }),
    await clinic.person({ roles: ['Кладовщик'] }),
  ]
  const token = await clinic.token(owner)
  const make = async (path: string, body: object) => {
    const answer = await clinic.ask('POST', `${T}/${path}`, body, token)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }
  const board = await make('boards', { name: 'Проверка вещей' })
  await make('members', { idBoard: board.id, idUser: viewer.id, permissionToViewTasks: 'all' })
  const task = await make('tasks', { name: 'Обзвонить пациентов', idColumn: board.idColumnNew })
  const { body } = await clinic.ask('GET', `${T}/assigned?filter[idTask]=${task.id}`, undefined, token)
  return { owner, viewer, idTask: task.id, link: `/app/tasks?board=${board.id}&assignedColumn=${body.items[0].id}` }
}

async function open(page: Page, person: Person, link: string): Promise<Locator> {
  await signIn(page, person)
  await page.goto(link)
  const dialog = page.getByRole('dialog', { name: /Обзвонить пациентов/ })
  await expect(dialog.getByRole('heading', { name: 'Комментарии' })).toBeVisible()
  return dialog
}

const items = (card: Locator) => card.getByRole('list', { name: /^Пункты/ }).getByRole('listitem')
const names = (card: Locator) =>
  card
    .getByRole('list', { name: /^Пункты/ })
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))

test('a check list is filled by typing and pasting, ordered by keys, and is updated live in another browser', async ({
  page,
  clinic,
  visitor,
}) => {
  const { owner, viewer, link } = await world(clinic)
  const card = await open(page, owner, link)
  await card.getByRole('button', { name: 'Добавить: чек-лист' }).click()
  await expect(card.getByLabel('Новый пункт: Чек-лист')).toBeFocused()
  // The first line becomes an item at once, the next one follows, and the field's text is not lost.
  await page.keyboard.type('Первый')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Лишний')
  await page.keyboard.press('Escape')
  await expect.poll(() => names(card)).toEqual(['Первый', 'Лишний'])
  await card.getByRole('button', { name: 'Действия с пунктом «Лишний»' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Удалить' }).press('Enter')
  await card.getByRole('button', { name: 'Чек-лист', exact: true }).click()
  await card.getByLabel('Чек-лист: название').fill('Порядок')
  await page.keyboard.press('Enter')
  const add = card.getByLabel('Новый пункт: Порядок')
  await add.evaluate((field) => {
    const data = new DataTransfer()
    data.setData('text/plain', '- Второй\n2. Третий\n\n')
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect.poll(() => names(card)).toEqual(['Первый', 'Второй', 'Третий'])

  const there = await open(await visitor(), viewer, link)
  await expect(there.getByRole('checkbox', { name: 'Второй' })).toBeDisabled()
  await card.getByRole('checkbox', { name: 'Второй' }).click()
  await expect(card.getByRole('checkbox', { name: 'Второй' })).toBeChecked()
  await expect(there.getByRole('checkbox', { name: 'Второй' })).toBeChecked()
  await expect(there.getByText('1/3')).toBeVisible()

  await items(card).filter({ hasText: 'Третий' }).getByRole('button', { name: 'Третий', exact: true }).focus()
  await items(card).filter({ hasText: 'Третий' }).getByRole('checkbox').focus()
  await page.keyboard.press('Control+Shift+ArrowUp')
  await expect.poll(() => names(card)).toEqual(['Первый', 'Третий', 'Второй'])
  await expect.poll(() => names(there)).toEqual(['Первый', 'Третий', 'Второй'])

  await card.getByRole('button', { name: 'Скрыть выполненные' }).click()
  await expect.poll(() => names(card)).toEqual(['Первый', 'Третий'])
  await card.getByRole('button', { name: 'Показать выполненные (1)' }).click()

  const undo = page.getByRole('alert').getByRole('button', { name: 'Отменить' })
  // The undo of the first deletion has expired.
  await expect(undo).toHaveCount(0)
  await card.getByRole('button', { name: 'Действия с пунктом «Первый»' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(items(card)).toHaveCount(2)
  await undo.click()
  await expect(items(card)).toHaveCount(3)

  // Handing in with unchecked items asks first.
  await card.getByRole('button', { name: 'Взять в работу' }).click()
  await card.getByRole('button', { name: /^(Сдать на проверку|Завершить)$/ }).click()
  const asked = page.getByRole('dialog', { name: 'Не выполнено: 2 пункта чек-листа' })
  await asked.getByRole('button', { name: 'Отмена' }).click()
  await expect(card.getByText('В работе', { exact: true }).first()).toBeVisible()

  await card.getByRole('button', { name: 'Действия: Чек-лист «Порядок»' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(items(card)).toHaveCount(0)
  await expect(items(there)).toHaveCount(0)
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).last().click()
  await expect(items(card)).toHaveCount(3)
  await expect(items(there)).toHaveCount(3)
})

test('customers are found, added by phones, and shown only with the right to see them', async ({
  page,
  clinic,
  visitor,
}) => {
  const { owner, viewer, link } = await world(clinic)
  const mark = Date.now().toString().slice(-7)
  for (const [at, surname] of ['Клюквина', 'Морошкина'].entries())
    await clinic.call('POST', '/customers', {
      surname: `${surname}${mark}`,
      name: 'Вера',
      phone: `+7916${mark}`.slice(0, 11) + at,
      birthday: '29.02.1984',
    })
  const card = await open(page, owner, link)
  await card.getByRole('button', { name: 'Добавить: список клиентов' }).click()
  await expect(card.getByLabel('Список клиентов: название')).toBeFocused()
  await page.keyboard.type('Обзвон')
  await page.keyboard.press('Enter')
  await card.getByLabel('Добавить клиента: Обзвон').fill(`клюквина${mark}`)
  await page.getByRole('option', { name: new RegExp(`Клюквина${mark}`) }).click()
  const chip = card.getByRole('listitem').getByRole('link', { name: `Клюквина${mark} В.`, exact: true })
  await chip.hover()
  await expect(page.getByRole('tooltip')).toContainText('29.02.1984')

  await card.getByRole('button', { name: 'Действия: Список клиентов «Обзвон»' }).click()
  await page.getByRole('menuitem', { name: 'Добавить по телефонам…' }).click()
  const phones = page.getByRole('dialog', { name: 'Добавить клиентов по телефонам' })
  const spelled = `8 (916) ${mark.slice(0, 3)}-${mark.slice(3, 6)}`
  await phones.getByLabel('Телефоны').fill(`${spelled}0\n${spelled}1\n+7 900 000-00-01\nне телефон`)
  await phones.getByRole('button', { name: /Найти и добавить/ }).click()
  await expect(phones.getByRole('status')).toContainText('Добавлено: 1')
  await expect(phones.getByRole('status')).toContainText('Уже были в списке: 1')
  await expect(phones.getByRole('status')).toContainText('не телефон')
  await phones.getByRole('button', { name: 'Закрыть' }).last().click()
  await expect(card.getByText('2 клиента')).toBeVisible()

  // The timeline of the task's patient is shown in its side bar, on a phone too.
  const thread = card.getByRole('region', { name: 'Лента клиента' })
  await thread.getByRole('combobox', { name: 'Чья лента' }).click()
  await page.getByRole('option', { name: `Морошкина${mark} Вера` }).click()
  await thread.getByRole('button', { name: `Показать ленту: Морошкина${mark} Вера` }).click()
  await expect(thread.getByText('Карта заведена')).toBeVisible()
  await phone(page)
  await thread.getByText('Карта заведена').scrollIntoViewIfNeeded()
  await fits(page)

  const there = await open(await visitor(), viewer, link)
  await expect(there.getByText('2 клиента')).toBeVisible()
  await expect(there.getByText('у кого есть право смотреть клиентов')).toBeVisible()
  await expect(there.getByText(mark)).toHaveCount(0)
  await expect(there.getByRole('region', { name: 'Лента клиента' })).toHaveCount(0)
})

test('a poll takes one vote of each and shows it at once to the others', async ({ page, clinic, visitor }) => {
  const { owner, viewer, link } = await world(clinic)
  const card = await open(page, owner, link)
  await card.getByRole('button', { name: 'Добавить: опрос' }).click()
  await expect(card.getByLabel('Опрос: название')).toBeFocused()
  await page.keyboard.type('Куда едем?')
  await page.keyboard.press('Enter')
  for (const name of ['Лес', 'Море']) {
    await card.getByLabel('Новый вариант: Куда едем?').fill(name)
    await page.keyboard.press('Enter')
    await expect(card.getByRole('button', { name: new RegExp(`^${name}\\D*0$`) })).toBeVisible()
  }
  const there = await open(await visitor(), viewer, link)
  await there.getByRole('button', { name: /^Лес\D*0$/ }).click()
  await expect(card.getByRole('button', { name: /^Лес\D*1$/ })).toBeVisible()
  await there.getByRole('button', { name: /^Море\D*0$/ }).click()
  await expect(card.getByRole('button', { name: /^Море\D*1$/ })).toBeVisible()
  await expect(card.getByRole('button', { name: /^Лес\D*0$/ })).toBeVisible()
  await expect(there.getByRole('button', { name: /^Море\D*1$/ })).toHaveAttribute('aria-pressed', 'true')

  await card.getByRole('button', { name: 'Действия: Опрос «Куда едем?»' }).click()
  await page.getByRole('menuitem', { name: 'Настройки опроса…' }).click()
  const settings = page.getByRole('dialog', { name: 'Настройки опроса' })
  await settings.getByLabel('Окончание').fill('01.11.2020 10:00')
  await settings.getByRole('button', { name: 'Сохранить' }).click()
  await expect(there.getByText('Опрос завершён')).toBeVisible()
  await expect(there.getByRole('button', { name: /^Лес\D*0$/ })).toBeDisabled()
})

test('a deal is linked by search and unlinked with an undo; all of it on a phone too', async ({ page, clinic }) => {
  const { owner, link } = await world(clinic)
  const name = `Сделка ${Date.now()}`
  await clinic.call('POST', '/sales-management/leads', { title: name, price: 1234.5 })
  await phone(page)
  const card = await open(page, owner, link)
  await card.getByLabel('Связать со сделкой').fill(name)
  await page.getByRole('option', { name: new RegExp(name) }).click()
  const deal = card.getByRole('region', { name: 'Сделки' }).getByRole('listitem')
  await expect(deal).toContainText(name)
  await expect(deal).toContainText('1 234,50 ₽')
  await card.getByRole('button', { name: `Убрать связь: ${name}` }).click()
  await expect(deal).toHaveCount(0)
  await page.getByRole('alert').getByRole('button', { name: 'Отменить' }).click()
  await expect(deal).toHaveCount(1)
  await fits(page)
})
