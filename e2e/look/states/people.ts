/** Employees, their own pages and sign-in. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import { PICTURE } from '../worldOffice.ts'
import { button, dialog, type State, shows, tab } from './common.ts'

export const people = {
  users: [
    {},
    {
      name: 'новый сотрудник',
      async open(page) {
        await button(page, 'Новый сотрудник').click()
        const form = dialog(page, 'Новый сотрудник')
        await form.getByRole('button', { name: 'Добавить и получить пароль' }).click()
        await shows(page, 'Обязательное поле')
      },
    },
  ],
  user: [
    { at: ({ colleague }) => `/app/users/${colleague.id}` },
    ...['История', 'На сайте', 'Сеансы', 'Роли и права', 'Почему доступно'].map(
      (name): State => ({
        name: name.toLowerCase(),
        at: ({ colleague }) => `/app/users/${colleague.id}`,
        open: (page) => tab(page, name),
      }),
    ),
    {
      name: 'новый пароль',
      at: ({ colleague }) => `/app/users/${colleague.id}`,
      async open(page) {
        await button(page, /^Новый пароль$/).click()
        await dialog(page, 'Выдать новый пароль?').getByRole('button', { name: 'Выдать пароль' }).click()
        await expect(dialog(page, 'Новый пароль').getByRole('button', { name: 'Готово' })).toBeVisible()
      },
    },
  ],
  staff: [{}],
  staffAccount: [{ at: ({ colleague }) => `/app/settings/staff/${colleague.id}` }],
  roles: [
    {},
    {
      name: 'роль',
      async open(page) {
        await page.getByRole('link', { name: /^Кладовщик/ }).click()
        await expect(dialog(page, 'Кладовщик')).toBeVisible()
      },
    },
    {
      name: 'новая роль',
      async open(page) {
        await button(page, 'Новая роль').click()
        await expect(dialog(page, 'Новая роль')).toBeVisible()
      },
    },
  ],
  profile: [
    {},
    ...['Уведомления', 'Осмотры'].map((name): State => ({ name: name.toLowerCase(), open: (page) => tab(page, name) })),
    {
      name: 'вход и безопасность с ошибками',
      at: () => '/app/profile?tab=security',
      async open(page) {
        await page.getByLabel('Новый пароль', { exact: true }).fill('Крепкий пароль 5')
        await page.getByLabel('Новый пароль ещё раз').fill('Крепкий пароль 6')
        await button(page, 'Сменить пароль').click()
        await shows(page, 'Пароли не совпадают')
      },
    },
    {
      name: 'кадрирование',
      async open(page) {
        const picture = { name: 'я.png', mimeType: 'image/png', buffer: PICTURE }
        await page.locator('input[type=file]').setInputFiles(picture)
        await expect(dialog(page, 'Фотография').getByRole('slider')).toBeVisible()
      },
    },
  ],
  person: [{ at: ({ colleague }) => `/app/profile/${colleague.id}` }],
  settings: [
    {},
    {
      name: 'поиск',
      async open(page) {
        await page.getByLabel('Поиск по настройкам').fill('пароль')
        await shows(page, 'Пароль не короче, знаков')
      },
    },
    { name: 'изменения', at: () => '/app/settings?view=changes' },
  ],
  start: [
    {},
    {
      name: 'набор',
      async open(page) {
        await page.getByRole('button', { name: /^Стоматология/ }).click()
        await expect(
          dialog(page, 'Набор «Стоматология»').getByText('Лечение пульпита однокорневого зуба'),
        ).toBeVisible()
      },
    },
  ],
  mainSettings: [{}, { name: 'найдено', at: () => '/app/settings/main?setting=allowedAddresses' }],
  company: [{}],
  clientSettings: [{}],
  customersSettings: [{}],
  warehouseSettings: [{}],
  egisz: [{}],
  sosnils: [{}],
  connections: [{}],
  backups: [{}],
  moving: [
    { at: ({ move }) => `/app/moving?move=${move}`, open: (page) => shows(page, 'Долги, авансы и бонусы') },
    {
      name: 'файл',
      at: ({ move }) => `/app/moving?move=${move}`,
      async open(page) {
        await page.getByRole('button', { name: 'Добавить файл: Пациенты' }).click()
        await shows(page, 'Перетащите файл сюда')
      },
    },
    {
      name: 'новый',
      at: ({ move }) => `/app/moving?move=${move}`,
      async open(page) {
        await page.getByRole('button', { name: 'Начать другой переезд' }).click()
        await expect(dialog(page, 'Другой переезд').getByRole('button', { name: 'Начать переезд' })).toBeVisible()
      },
    },
    {
      name: 'профили',
      at: ({ move }) => `/app/moving?move=${move}&tab=profiles`,
      open: (page) => shows(page, 'Не проверено'),
    },
  ],
  training: [{}],
  health: [{}],
  attachmentSettings: [{}],
  socket: [{}],
  login: [
    { at: () => '/app/login' },
    {
      name: 'с ошибками',
      allow: /status of 401/,
      async open(page) {
        await page.getByLabel('Логин').fill('никто')
        await page.getByRole('textbox', { name: 'Пароль' }).fill('не тот')
        await button(page, /^Войти$/).click()
        await expect(page.getByRole('alert')).toHaveText('Неверный логин или пароль')
      },
    },
    {
      name: 'открыт другой сеанс',
      async open(page, { reader }) {
        const { login, password } = reader
        await page.request.post('/auth/login', { data: { login, password, forceLogin: true } })
        await page.context().clearCookies()
        await page.getByLabel('Логин').fill(login)
        await page.getByRole('textbox', { name: 'Пароль' }).fill(password)
        await button(page, /^Войти$/).click()
        await expect(dialog(page, 'Открыт другой сеанс')).toBeVisible()
      },
    },
  ],
  error: [{ at: () => '/app/error/403?errorText=Нужно право «Склад»' }],
} satisfies Partial<Record<PageKey, readonly State[]>>
