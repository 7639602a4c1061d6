/** The desktop and tasks. */
import type { PageKey } from '@ordinator/model/pages'
import { expect, type Page } from 'playwright/test'
import type { World } from '../world.ts'
import { button, CSV, cards, dialog, menu, type State, shows } from './common.ts'

const board = ({ board }: World) => `/app/tasks?board=${board}`

const task = (world: World) => `${board(world)}&assignedColumn=${world.card}`

const SPACE = 'Действия с пространством'

async function rows(page: Page): Promise<void> {
  await expect(page.locator('[data-row]').first()).toBeVisible()
}

async function openTask(page: Page): Promise<void> {
  await expect(dialog(page, /Обзвонить пациентов/).getByRole('heading', { name: 'Комментарии' })).toBeVisible()
  await shows(page, 'Слово о деле')
}

export const work = {
  search: [
    {},
    {
      name: 'найденное',
      at: () => `/app/search?q=${encodeURIComponent('обзвонить')}`,
      open: (page) => shows(page, 'Обзвонить пациентов'),
    },
  ],
  dashboard: [
    {},
    {
      name: 'задачи',
      open: (page) => expect(page.getByRole('region', { name: 'Скоро' })).toBeVisible(),
    },
    {
      name: 'поиск и команды',
      async open(page) {
        await page.keyboard.press('Control+k')
        await expect(page.getByRole('combobox', { name: 'Поиск и команды' })).toBeFocused()
      },
    },
    {
      name: 'уведомления',
      async open(page) {
        await button(page, /^Уведомления/).click()
        await expect(dialog(page, /Уведомления/)).toBeVisible()
      },
    },
    {
      name: 'меню телефона',
      only: 'narrow',
      async open(page) {
        await button(page, 'Ещё').click()
        await expect(dialog(page, 'Меню')).toBeVisible()
      },
    },
    {
      name: 'другая учётная запись',
      async open(page) {
        await page.route('**/common/get-account', async (route) => {
          const answer = await route.fetch()
          const account = await answer.json()
          await route.fulfill({
            response: answer,
            json: {
              ...account,
              common: {
                ...account.common,
                settings: { ...account.common.settings, cookieNameOther: 'look_other' },
              },
            },
          })
        })
        await page.context().addCookies([{ name: 'look_other', value: '1', url: page.url() }])
        await page.reload()
        await expect(dialog(page, 'Выполнен вход под другой учётной записью')).toBeVisible()
      },
    },
    {
      name: 'новость',
      at: ({ newsItem }) => `/app/?news=${newsItem}`,
      open: (page) => expect(dialog(page).getByText('Ждём всех.')).toBeVisible(),
    },
    {
      name: 'нет сети',
      at: () => '/app/profile?tab=security',
      allow: /ERR_INTERNET_DISCONNECTED/,
      async open(page) {
        await shows(page, 'Этот сеанс')
        await page.context().setOffline(true)
        await page.getByLabel('Текущий пароль').fill('прежний')
        for (const name of ['Новый пароль', 'Новый пароль ещё раз'])
          await page.getByLabel(name, { exact: true }).fill('совсем новый')
        await button(page, 'Сменить пароль').click()
        await expect(page.getByRole('alert').filter({ hasText: 'Нет подключения к Интернету' })).toBeVisible()
      },
    },
    {
      name: 'новая версия',
      at: () => '/app/',
      allow: /ERR_FAILED|ChunkError/,
      async open(page) {
        await page.route(/assets\/DaySheetPage[^/]*\.js/, (route) => route.abort())
        await page.getByRole('link', { name: 'Лист дня' }).click()
        await expect(page.getByRole('heading', { level: 1, name: /новая версия/ })).toBeVisible()
      },
    },
  ],
  tasks: [
    {},
    { name: 'доска', at: board, open: cards },
    { name: 'список', at: (world) => `${board(world)}&view=list`, open: rows },
    { name: 'таблица', at: (world) => `${board(world)}&view=table`, open: (page) => shows(page, 'Без даты') },
    { name: 'календарь', at: (world) => `${board(world)}&view=calendar`, open: (page) => shows(page, 'Без даты') },
    { name: 'дорожки', at: (world) => `${board(world)}&group=importance`, open: cards },
    {
      name: 'фильтры',
      at: (world) => `${board(world)}&due=late`,
      only: 'wide',
      async open(page) {
        await button(page, /^Фильтры/).click()
        await expect(page.getByRole('combobox', { name: 'Состояние' })).toBeVisible()
      },
    },
    {
      name: 'выбранные',
      at: (world) => `${board(world)}&view=table`,
      only: 'wide',
      async open(page) {
        await page.getByRole('checkbox', { name: 'Выбрать все на странице' }).check()
        await expect(page.getByRole('toolbar', { name: 'Действия с выбранными' })).toBeVisible()
      },
    },
    { name: 'задача', at: task, open: openTask },
    {
      name: 'задачу уже изменили',
      at: task,
      allow: /status of 409/,
      async open(page) {
        await openTask(page)
        // The other user's save comes in between: the state is the response to the own save.
        let isBetween = false
        await page.route('**/tasks-management/tasks/*', async (route) => {
          if (route.request().method() !== 'PUT' || isBetween) return route.fallback()
          isBetween = true
          await route.fetch({ postData: JSON.stringify({ name: 'Обзвонить пациентов завтра' }) })
          await route.continue()
        })
        await page.getByRole('textbox', { name: 'Название задачи' }).fill('Обзвонить всех пациентов')
        await shows(page, 'Запись уже изменили')
      },
    },
    {
      name: 'картинка',
      at: task,
      async open(page) {
        await button(page, 'Посмотреть «Снимок.png»').click()
        await expect(dialog(page, /^Просмотр/)).toBeVisible()
      },
    },
    {
      name: 'история и версии',
      at: task,
      async open(page) {
        await openTask(page)
        await page.getByRole('tab', { name: 'История' }).click()
        await page.getByText('Версии описания').click()
        await expect(page.locator('ins')).toHaveText('лампу')
      },
    },
    {
      name: 'напоминание',
      at: task,
      async open(page) {
        await openTask(page)
        await button(page, /^Напомнить$/).click()
        await expect(dialog(page, 'Напоминание')).toBeVisible()
      },
    },
    {
      name: 'клиенты по телефонам',
      at: task,
      async open(page) {
        await openTask(page)
        await menu(page, 'Действия: Список клиентов «Обзвон»', 'Добавить по телефонам…')
        const phones = dialog(page, 'Добавить клиентов по телефонам')
        await phones.getByLabel('Телефоны').fill('+7 900 000-00-01\nне телефон')
        await phones.getByRole('button', { name: /Найти и добавить/ }).click()
        await expect(phones.getByRole('status')).toContainText('не телефон')
      },
    },
    {
      name: 'настройки опроса',
      at: task,
      async open(page) {
        await openTask(page)
        await menu(page, 'Действия: Опрос «Куда едем?»', 'Настройки опроса…')
        await expect(dialog(page, 'Настройки опроса')).toBeVisible()
      },
    },
    {
      name: 'клавиши',
      at: board,
      async open(page) {
        await cards(page)
        await page.keyboard.press('?')
        await expect(page.getByRole('heading', { name: /^Справка/ })).toBeVisible()
      },
    },
    ...(
      [
        ['Шаблоны', 'Шаблоны'],
        ['Участники', /участник/],
        ['Связанные пространства', 'Связанные пространства'],
        ['Передать пространство', 'Передать пространство'],
        ['Импорт…', /Импорт задач/],
      ] as const
    ).map(
      ([item, name]): State => ({
        name: item.toLowerCase().replace('…', ''),
        at: board,
        async open(page) {
          await menu(page, SPACE, item)
          await expect(dialog(page, name)).toBeVisible()
        },
      }),
    ),
    {
      name: 'приглашение по ссылке',
      at: board,
      async open(page) {
        await menu(page, SPACE, 'Пригласить по ссылке')
        await expect(page.getByRole('textbox', { name: 'Ссылка' })).toHaveValue(/token=/)
      },
    },
    {
      name: 'добавить группу',
      at: board,
      async open(page) {
        await menu(page, SPACE, 'Участники')
        await button(page, 'Добавить группу').click()
        await expect(dialog(page, 'Добавить группу').getByRole('checkbox').first()).toBeVisible()
      },
    },
    {
      name: 'материалы',
      at: board,
      async open(page) {
        await button(page, 'Материалы пространства').click()
        await expect(dialog(page, 'Материалы')).toBeVisible()
      },
    },
    {
      name: 'импорт: столбцы и проверка',
      at: board,
      async open(page) {
        await menu(page, SPACE, 'Импорт…')
        const file = CSV('Название;Важность\r\nПервое дело;5\r\nВторое дело;11\r\n')
        await dialog(page).locator('input[type=file]').setInputFiles(file)
        await dialog(page).getByRole('button', { name: 'Проверить' }).click()
        await shows(page, 'С ошибками: 1')
      },
    },
  ],
  myTasks: [{}],
  invitation: [{ at: ({ invitation }) => invitation }],
} satisfies Partial<Record<PageKey, readonly State[]>>
