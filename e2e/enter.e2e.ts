import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { cash, chat, press, task } from './places.ts'
import { expect, holdsFocus, test } from './support.ts'

/** Typed text is accepted: the best match by Enter, a day in words. */

test('Enter takes the top match, the best first; the focus never falls to the page', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const { mark } = world
  const sought = `Павлов${mark}`
  for (const surname of [`${sought}ич`, `Кар${sought}`, sought])
    await clinic.call('POST', '/users', { login: randomUUID(), surname, name: 'Пётр' })
  await page.goto(`/app/deals?funnel=${world.funnel}&lead=${world.lead}`)
  const people = page.getByRole('combobox', { name: 'Добавить ответственного' })
  await people.fill(sought)
  // Before the options are loaded.
  await people.press('Enter')
  await expect(page.getByRole('button', { name: `Снять: ${sought} П.` })).toBeVisible()

  await page.goto(task(world))
  const card = page.getByRole('dialog', { name: /Обзвонить/ })
  const opener = card.getByRole('button', { name: 'Исполнители: изменить' })
  await opener.click()
  const search = page.getByRole('textbox', { name: /Исполнители: поиск/ })
  const colleague = card.getByRole('button', { name: /^Убрать: Соседов/ })
  for (const count of [0, 1]) {
    await search.fill('Сосед')
    await search.press('Enter')
    await expect(search).toHaveValue('')
    await expect(colleague).toHaveCount(count)
  }
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()

  // The focus moves from a removed element to its replacement, or to its container.
  for (const [gone, next] of [
    ['Действия с пунктом «Первый»', 'Действия с пунктом «Второй»'],
    ['Действия с вариантом «Море»', 'Действия с вариантом «Лес»'],
    ['Действия с файлом «Снимок.png»', 'Прикрепить'],
  ] as const) {
    await card.getByRole('button', { name: gone }).press('Enter')
    await page.getByRole('menuitem', { name: 'Удалить' }).press('Enter')
    await expect(card.getByRole('button', { name: next, exact: true })).toBeFocused()
  }
  await colleague.press('Enter')
  await expect(opener).toBeFocused()
  await card.getByRole('button', { name: 'Ответить' }).press('Enter')
  await expect(card.getByRole('textbox', { name: /Ответ/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(card.getByRole('button', { name: 'Ответить' })).toBeFocused()
})

interface Search {
  name: string
  at(world: World): string
  open?: readonly (string | RegExp)[]
  picker: string | RegExp
  /** Sign that the best match was taken; default: the picker's own text. */
  taken?(page: Page, sought: string): Locator
  /** The next element has the focus instead of the picker. */
  leads?: true
}

const searches: readonly Search[] = [
  {
    name: 'новая запись: пациент',
    at: ({ filial, day }) => `/app/calendar?filial=${filial}&day=${day}&book=1`,
    picker: /^Пациент/,
    taken: (page, sought) => page.getByRole('dialog').getByText(`${sought} Пётр`, { exact: true }),
    leads: true,
  },
  { name: 'оплата: клиент', at: cash, open: ['Принять оплату'], picker: /^Клиент/ },
  { name: 'сертификат: кто покупает', at: cash, open: ['Смена', 'Продать сертификат…'], picker: /^Кто покупает/ },
  { name: 'новый осмотр: клиент', at: () => '/app/examinations?open=new', picker: /^Клиент/ },
  { name: 'чат: кому передать', at: chat, open: ['Ещё действия с чатом', 'Передать…'], picker: /^Кому/ },
  {
    name: 'план: услуга',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    picker: /^Добавить услугу: /,
    taken: (page, sought) => page.getByRole('main').getByText(sought, { exact: true }),
  },
]

test('in the newer areas too Enter takes the top match before its options are there, and the focus stays', async ({
  page,
  clinic,
}) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const sought = `Павлов${world.mark}`
  // The best match is not the first by any order of the list.
  for (const word of [`${sought}ич`, `Кар${sought}`, sought]) {
    await clinic.call('POST', '/customers', { surname: word, name: 'Пётр' })
    await clinic.call('POST', '/services', { nameService: word, priceService: 100 })
    const { id } = await clinic.call('POST', '/users', { login: randomUUID(), surname: word, name: 'Пётр' })
    await clinic.call('PUT', `/users/${id}`, { isLiveAssist: true })
  }
  for (const { name, at, open, picker, taken, leads } of searches)
    await test.step(name, async () => {
      await page.goto(at(world))
      await press(page, open)
      const field = page.getByRole('combobox', { name: picker }).last()
      // No match, and no request.
      await field.fill(`Нет${sought}`)
      await field.press('Enter')
      await expect(field).toBeFocused()
      await expect(page.locator('[aria-invalid=true]'), 'a sent form marks its missing fields').toHaveCount(0)
      await field.fill(sought)
      await field.press('Enter')
      if (taken) await expect(taken(page, sought).first()).toBeVisible()
      else await expect(field).toHaveValue(new RegExp(`^${sought} `))
      if (!leads) await expect(field).toBeFocused()
      await holdsFocus(page)
    })

  await test.step('чат: быстрые ответы и упоминания', async () => {
    const { mark } = world
    for (const code of [`да_${mark}_потом`, `да_${mark}`])
      await clinic.call('POST', '/live-assist/suggestions', { name: `Ответ ${code}`, code, text: `Текст ${code}.` })
    await page.goto(chat(world))
    const answer = page.getByRole('textbox', { name: 'Ответ посетителю' })
    await answer.fill(`/да_${mark}`)
    const list = page.getByRole('listbox', { name: 'Быстрые ответы' })
    await expect(list.getByRole('option')).toHaveCount(2)
    await answer.press('Escape')
    await expect(list).toBeHidden()
    await expect(answer).toHaveValue(`/да_${mark}`)
    await expect(answer).toBeFocused()
    await answer.fill('')
    await answer.fill(`/да_${mark}`)
    await expect(list).toBeVisible()
    await answer.press('Enter')
    await expect(answer).toHaveValue(`Текст да_${mark}.`)

    await page.getByText('Заметка', { exact: true }).click()
    const note = page.getByRole('textbox', { name: 'Заметка для коллег' })
    await note.fill('')
    await note.pressSequentially(`Спроси @${sought}`)
    await expect(page.getByRole('listbox', { name: 'Кого упомянуть' }).getByRole('option').first()).toBeVisible()
    await note.press('Enter')
    await expect(note).toHaveValue(`Спроси @${sought} П. `)
    await expect(note).toBeFocused()
    await note.fill('')
  })
})

test('a day is typed in words wherever one is asked for; the calendar is under its field and marks today', async ({
  page,
  clinic,
}) => {
  await clinic.enter(page)
  const dayFromNow = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('ru-RU', { timeZone: 'Europe/Moscow' })
  for (const address of ['calendar/waiting-list?open=new', 'reports/customer-plans?open=new', 'discount/create'])
    await test.step(address, async () => {
      await page.goto(`/app/${address}`)
      const isPage = !address.includes('open=')
      const frame = isPage ? page.getByRole('main') : page.getByRole('dialog')
      const field = frame.getByPlaceholder('ДД.ММ.ГГГГ').first()
      for (const [words, days] of [
        ['завтра', 1],
        ['через неделю', 7],
        ['сегодня', 0],
      ] as const) {
        await field.fill(words)
        await field.blur()
        await expect(field).toHaveValue(dayFromNow(days))
      }
      await field.press('Alt+ArrowDown')
      const today = page.locator('[aria-current="date"]')
      await expect(today).toBeVisible()
      await expect(today).toHaveText(String(Number(dayFromNow(0).slice(0, 2))))
      const [its, popup] = await Promise.all([field.boundingBox(), page.getByRole('table').last().boundingBox()])
      if (!its || !popup) throw new Error('Nothing stands there')
      // Below it, or above where there is no room below; never beside it.
      expect(popup.y > its.y + its.height || popup.y + popup.height < its.y).toBe(true)
      expect(Math.abs(popup.x - its.x)).toBeLessThan(60)
      await page.keyboard.press('Escape')
      await expect(today).toBeHidden()
    })
})
