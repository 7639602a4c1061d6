/** The way of a first administrator, step by step. */
import { schemes } from '@ordinator/model/identifiers'
import { expect, type Locator, type Page } from 'playwright/test'
import type { EmptyClinic } from './emptyClinic.ts'
import type { Hand } from './hand.ts'
import { TOKEN_KEY } from './support.ts'

const OWN = 'Синий чайник у окна 2026'
const INN = schemes.inn.sample(7)
const STAFF = [
  'ФИО\tРоль\tДолжность\tСпециальность',
  'Терапевтова Анна Петровна\tВрач\tВрач-терапевт\tТерапевт',
  'Регистраторова Инна Олеговна\tРегистратор\tАдминистратор\t',
].join('\n')
const PRICES = [
  'Название\tКод\tЦена',
  'Приём (осмотр, консультация) врача-терапевта первичный\tОП-001\t2000',
  'Приём (осмотр, консультация) врача-терапевта повторный\tОП-002\t1500',
].join('\n')

/** Performs all steps, for the test and for manual measurements. */
export async function firstWeek(page: Page, hand: Hand, { url, password }: Pick<EmptyClinic, 'url' | 'password'>) {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true })
  const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name })
  /** The link in the top bar of every page of a new clinic. */
  const back = async () => {
    await hand.press(page.getByRole('region', { name: 'Верхняя панель' }).getByRole('link', { name: 'С чего начать' }))
    await expect(page.getByRole('heading', { level: 1, name: 'С чего начать' })).toBeVisible()
  }
  const write = async (field: Locator, words: string) => {
    await hand.enter(field)
    await hand.type(words)
  }

  await page.goto(`${url}/app/login`)
  await write(page.getByLabel('Логин'), 'admin')
  await write(page.getByLabel('Пароль', { exact: true }), password)
  await hand.key('Enter')
  await expect(page.getByRole('heading', { name: 'Задайте свой пароль' })).toBeVisible()
  await write(page.getByLabel('Новый пароль', { exact: true }), OWN)
  await write(page.getByLabel('Новый пароль ещё раз'), OWN)
  await hand.key('Enter')

  await hand.press(link('Настроить клинику').or(link('Продолжить настройку')))
  await hand.press(button(/^Общая практика/))
  await hand.press(dialog('Набор «Общая практика»').getByRole('button', { name: 'Добавить набор' }))
  await expect(button(/^Общая практика.*Добавлен/)).toBeVisible()

  await hand.press(link('Завести организацию'))
  const organization = dialog('Новая организация')
  await write(organization.getByLabel('Краткое название'), 'Клиника на Садовой')
  await write(organization.getByLabel('ИНН'), INN)
  await hand.press(organization.getByRole('button', { name: 'Создать' }))
  await expect(dialog('Клиника на Садовой')).toBeVisible()
  await hand.key('Escape')

  await back()
  await hand.press(link('Добавить филиал'))
  await write(page.getByRole('textbox', { name: 'Название', exact: true }), 'На Садовой')
  await write(page.getByRole('textbox', { name: 'Кабинеты', exact: true }), '101, Процедурный')
  await hand.press(button('Создать'))
  await expect(page.getByRole('heading', { level: 1, name: 'На Садовой' })).toBeVisible()
  const zone = earlyZone()
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: zone }).format()
  await alwaysOpen(page, zone)

  await back()
  await hand.press(link('К сотрудникам'))
  await paste(page, hand, STAFF)

  await back()
  await hand.press(link(/^К услугам$|^Открыть: Услуги/))
  await paste(page, hand, PRICES, 'Обновлять услуги')

  await back()
  await hand.press(link('Заполнить смены'))
  await hand.press(button('Заполнить период'))
  const filling = dialog('Заполнить период сменами')
  await write(filling.getByRole('combobox', { name: 'Сотрудники' }), 'Терапевтова')
  await hand.press(page.getByRole('option', { name: /Терапевтова/ }))
  for (const [label, time] of [
    ['Начало', '00:00'],
    ['Конец', '24:00'],
  ] as const) {
    await hand.enter(filling.getByLabel(label))
    await page.keyboard.press('Control+a')
    await hand.type(time)
  }
  const weekend = { Sat: 'сб', Sun: 'вс' }[weekday]
  if (weekend) await hand.press(filling.getByText(weekend, { exact: true }))
  await hand.press(filling.getByRole('button', { name: 'Заполнить', exact: true }))
  await expect(filling).toBeHidden()

  await back()
  await hand.press(link('Добавить кассу'))
  const desk = dialog('Новая касса')
  await write(desk.getByRole('textbox', { name: 'Название', exact: true }), 'Касса')
  await expect(desk.getByRole('combobox', { name: 'Организация' })).toHaveValue('Клиника на Садовой')
  await expect(desk.getByRole('combobox', { name: 'Филиал' })).toHaveValue('На Садовой')
  await hand.press(desk.getByRole('button', { name: 'Создать' }))
  await expect(dialog(/^Касса$/)).toBeVisible()
  await hand.key('Escape')

  await back()
  await hand.press(link('Записать себя'))
  const booking = dialog('Запись на приём')
  await expect(booking.getByRole('combobox', { name: 'Пациент' })).toBeFocused()
  await hand.type('+7 922 555-01-01 Новикова Ольга')
  await hand.press(page.getByRole('option', { name: /^Добавить/ }))
  await expect(booking.getByRole('textbox', { name: 'Телефон' })).toBeFocused()
  await hand.key('Enter')
  await expect(booking.getByRole('combobox', { name: 'Услуги' })).toBeFocused()
  await hand.type('терапевта первичный')
  await expect(page.getByRole('option', { name: /терапевта первичный/ })).toBeVisible()
  await hand.key('Control+Enter')
  await hand.press(booking.getByRole('button', { name: /\d\d:\d\d, Терапевтова/ }).first())
  await hand.press(booking.getByRole('button', { name: 'Записать', exact: true }))
  await expect(booking.getByText(/Вы записаны/)).toBeVisible()
  await hand.key('Escape')

  await hand.press(link('Касса'))
  await hand.press(button('Открыть смену'))
  await expect(button('Принять оплату')).toBeEnabled()
  await hand.press(link('Лист дня'))
  await hand.press(page.getByRole('row', { name: /Новикова/ }))
  const visit = dialog(/Запись №/)
  await hand.press(visit.getByRole('button', { name: 'Пришёл', exact: true }))
  await hand.press(visit.getByRole('button', { name: 'Начать приём', exact: true }))
  await hand.press(visit.getByRole('button', { name: /^Услуга:/ }))
  await hand.press(page.getByRole('menuitem', { name: 'Оказана' }))
  await expect(visit.getByText('оказана', { exact: true })).toBeVisible()
  await hand.press(visit.getByRole('button', { name: 'Завершить приём', exact: true }))
  await hand.press(visit.getByRole('button', { name: 'Принять оплату' }))
  await hand.press(dialog('Принять оплату').getByRole('button', { name: /^Принять / }))
  await expect(visit.getByText('оплачена', { exact: true })).toBeVisible()
  const printed = page.waitForResponse((answer) => answer.url().includes('/pdf?record='))
  await hand.press(visit.getByRole('button', { name: 'Печать' }))
  await hand.press(page.getByRole('menuitem', { name: 'Акт об оказанных услугах' }))
  expect((await printed).headers()['content-type']).toBe('application/pdf')
}

/** Imports a pasted table: the steps of the import dialog. */
async function paste(page: Page, hand: Hand, table: string, option?: string): Promise<void> {
  const open = page.getByRole('dialog', { name: /^Импорт/ })
  await hand.press(page.getByRole('button', { name: 'Импорт', exact: true }))
  await hand.press(open.getByRole('button', { name: 'Вставить таблицу' }))
  await hand.enter(open.getByLabel('Строки таблицы'))
  // One chord, Ctrl+V; a test has no shared clipboard.
  hand.steps++
  await page.keyboard.insertText(table)
  await hand.press(open.getByRole('button', { name: 'Проверить таблицу' }))
  if (option) await hand.press(open.getByRole('checkbox', { name: new RegExp(option) }))
  await hand.press(open.getByRole('button', { name: 'Проверить', exact: true }))
  await hand.press(open.getByRole('button', { name: /^Импортировать|^Загрузить|^Начать/ }))
  await hand.press(open.getByRole('button', { name: 'Закрыть', exact: true }).last())
  await expect(open).toBeHidden()
}

/** A zone whose day is not over: the visit is booked and held today, and late in the evening no time is left. */
const earlyZone = (): string => {
  const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Moscow' }).format()
  return Number(hour) < 22 ? 'Europe/Moscow' : 'Asia/Yekaterinburg'
}

/** Removes the working hours of the only branch, as a new one is closed on Sundays, and sets its time zone. */
async function alwaysOpen(page: Page, timeZone: string): Promise<void> {
  const change = { workingHours: null, timeZone }
  const status = await page.evaluate(
    async ([key, body]) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem(key)}` }
      return (await fetch('/filials/1', { method: 'PUT', headers, body })).status
    },
    [TOKEN_KEY, JSON.stringify(change)] as const,
  )
  expect(status).toBe(200)
}
