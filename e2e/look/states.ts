/**
 * What the walk looks at: each page of the model's list, and the dialogs and states that stand on it. A page whose
 * address needs nothing is looked at by itself; a new dialog is one line here.
 */
import type { PageKey } from '@ordinator/model/pages'
import { expect, type Page, type Route } from 'playwright/test'
import { PICTURE, type World } from './world.ts'

export interface State {
  /** Unique on its page; the page itself has none. */
  name?: string
  /** Under the server's address, `/app` for the web; without it the page's own path. */
  at?(world: World): string
  /** From the opened page to the state; ends when what is to be looked at is seen. */
  open?(page: Page, world: World): Promise<unknown>
  /** Of who only reads, instead of who may do everything. */
  reads?: true
  /** Stands on one width only: a drawer of the phone, a popover that closes when the window changes. */
  only?: 'wide' | 'narrow'
  /** What the state does on purpose and the console tells of. */
  allow?: RegExp
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', { name }).last()
const seen = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()
const menu = async (page: Page, name: string | RegExp, item: string) => {
  await button(page, name).first().click()
  await page.getByRole('menuitem', { name: item }).first().click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}
const tab = async (page: Page, name: string | RegExp) => {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tabpanel').first()).toBeVisible()
}

const board = ({ board }: World) => `/app/tasks?board=${board}`
const task = (world: World) => `${board(world)}&assignedColumn=${world.card}`
const cards = (page: Page) => expect(page.locator('[data-card]').first()).toBeVisible()
const SPACE = 'Действия с пространством'
const deals = ({ funnel }: World) => `/app/deals?funnel=${funnel}`
const deal = (world: World) => `${deals(world)}&lead=${world.lead}`
const openDeal = (page: Page) => expect(dialog(page, /^Сделка/).getByLabel('Название сделки')).toBeVisible()
const discount = ({ discount }: World) => `/app/discount/update/${discount}`
const chat = ({ chat }: World) => `/app/live-assist?chat=${chat}`
const cash = ({ cashDesk }: World) => `/app/cash?desk=${cashDesk}`
const schedule =
  (more = '') =>
  ({ filial, day }: World) =>
    `/app/calendar?filial=${filial}&day=${day}${more}`
const filial = ({ filial }: World) => `/app/settings/filial/update/${filial}`
const regulation =
  (which: keyof World['regulations'], more = '') =>
  (world: World) =>
    `/app/regulations?id=${world.regulations[which]}${more}`
const service =
  (child: string) =>
  ({ service: id }: World) =>
    `/app/service/${child}?id=${id}`
const CSV = (lines: string) => ({ name: 'файл.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })

/** A registry that follows from its entity: the list, and the drawer of a new record. */
const registry: readonly State[] = [
  {},
  {
    name: 'новая запись',
    async open(page) {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('n')
      await expect(dialog(page).getByRole('textbox').first()).toBeFocused()
    },
  },
]

/** One whose form begins with something else than a text. */
const registryOfChoice: readonly State[] = [
  {},
  {
    name: 'новая запись',
    async open(page) {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('n')
      await expect(dialog(page).getByRole('button', { name: 'Создать' })).toBeVisible()
    },
  },
]

export const states: Record<PageKey, readonly State[]> = {
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
        await button(page, /^Меню$/).click()
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
        await seen(page, 'Этот сеанс')
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
        await page.route(/assets\/RolesPage[^/]*\.js/, (route) => route.abort())
        await page.getByRole('link', { name: 'Роли и права' }).click()
        await expect(page.getByRole('heading', { level: 1, name: /новая версия/ })).toBeVisible()
      },
    },
  ],
  tasks: [
    {},
    { name: 'доска', at: board, open: cards },
    { name: 'список', at: (world) => `${board(world)}&view=list`, open: rows },
    { name: 'таблица', at: (world) => `${board(world)}&view=table`, open: (page) => seen(page, 'Без даты') },
    { name: 'календарь', at: (world) => `${board(world)}&view=calendar`, open: (page) => seen(page, 'Без даты') },
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
        // The other's save comes between: the answer of the server to ours is what it is about.
        let isBetween = false
        await page.route('**/tasks-management/tasks/*', async (route) => {
          if (route.request().method() !== 'PUT' || isBetween) return route.fallback()
          isBetween = true
          await route.fetch({ postData: JSON.stringify({ name: 'Обзвонить пациентов завтра' }) })
          await route.continue()
        })
        await page.getByRole('textbox', { name: 'Название задачи' }).fill('Обзвонить всех пациентов')
        await seen(page, 'Запись уже изменили')
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
        await expect(dialog(page, /^Справка/)).toBeVisible()
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
        await seen(page, 'С ошибками: 1')
      },
    },
  ],
  myTasks: [{}],
  invitation: [{ at: ({ invitation }) => invitation }],
  deals: [
    { at: deals, open: cards },
    { name: 'список', at: (world) => `${deals(world)}&view=list`, open: (page) => seen(page, 'Анализы') },
    { name: 'таблица', at: (world) => `${deals(world)}&view=table`, open: (page) => seen(page, 'Анализы') },
    {
      name: 'выбранные',
      at: deals,
      only: 'wide',
      async open(page) {
        await page.locator('[data-card]').first().focus()
        await page.keyboard.press('x')
        await expect(page.getByRole('toolbar', { name: 'Действия с выбранными' })).toBeVisible()
      },
    },
    { name: 'сделка', at: deal, open: openDeal },
    { name: 'сделка для чтения', at: deal, reads: true, open: openDeal },
    {
      name: 'звонки',
      at: deal,
      async open(page) {
        const calls = page.getByRole('region', { name: 'Звонки с этого номера' })
        await calls
          .getByRole('button', { name: /^Связать/ })
          .first()
          .scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'предложение',
      at: deal,
      async open(page) {
        await tab(page, /^Предложения/)
        await expect(page.getByRole('listitem', { name: /^Приём осмотра/ })).toBeVisible()
      },
    },
    {
      name: 'журнал',
      at: deal,
      async open(page) {
        await tab(page, 'Журнал')
        await seen(page, /\d\d:\d\d:\d\d/)
      },
    },
    {
      name: 'отказ',
      at: deal,
      async open(page) {
        await button(page, 'Перевести на этап «Отказ»').click()
        await dialog(page, /→ Отказ/)
          .getByRole('button', { name: 'Отметить отказ' })
          .click()
        await seen(page, 'Поясните причину отказа')
      },
    },
    {
      name: 'импорт: столбцы и проверка',
      at: deals,
      async open(page) {
        await menu(page, 'Действия с воронкой', 'Импорт…')
        const file = CSV('Название;Этап;Бюджет\r\nПервая;В работе;1 234,50\r\nВторая;Нигде;много\r\n')
        await dialog(page).locator('input[type=file]').setInputFiles(file)
        await dialog(page).getByRole('button', { name: 'Проверить' }).click()
        await seen(page, /такого этапа нет в воронке/)
      },
    },
  ],
  funnels: [{}],
  salesSources: registry,
  calendar: [
    // A doctor sees the own day, which is another.
    {
      at: schedule(),
      open: (page) => expect(page.locator('[data-item]').or(page.getByText('Нет смен')).first()).toBeVisible(),
    },
    {
      name: 'запись в панели',
      at: (world) => schedule(`&visit=${world.visit}`)(world),
      open: (page) => expect(dialog(page, /^Запись №/).getByText('История')).toBeVisible(),
    },
    {
      name: 'действия с записью',
      at: schedule(),
      async open(page) {
        await page.locator('[data-item]').first().focus()
        await page.keyboard.press('s')
        await expect(page.getByRole('menuitem', { name: 'Открыть запись' })).toBeVisible()
      },
    },
    {
      name: 'новая запись',
      at: schedule('&book=1'),
      open: (page) => expect(dialog(page, 'Запись на приём').getByRole('combobox', { name: 'Пациент' })).toBeFocused(),
    },
    {
      name: 'кабинеты',
      at: schedule('&by=rooms'),
      open: (page) => expect(page.locator('[data-item]').first()).toBeVisible(),
    },
    {
      name: 'неделя врача',
      at: schedule('&view=week'),
      open: (page) => expect(page.locator('[data-grid]')).toBeVisible(),
    },
    { name: 'загрузка', at: schedule('&view=month'), open: (page) => seen(page, 'Месяц') },
    { name: 'смены', at: schedule('&view=shifts'), open: (page) => seen(page, '09:00–15:00') },
    {
      name: 'смена',
      at: schedule('&view=shifts'),
      async open(page) {
        await button(page, /^Смена 09:00–15:00/).click()
        await expect(dialog(page, 'Изменить: смена').getByLabel('До')).toBeVisible()
      },
    },
    {
      name: 'заполнение периода',
      at: schedule('&view=shifts'),
      async open(page) {
        await button(page, 'Заполнить период').click()
        await expect(dialog(page, 'Заполнить период сменами').getByLabel('Начало')).toBeVisible()
      },
    },
  ],
  daySheet: [
    {
      at: ({ filial, day }) => `/app/calendar/day-sheet?filial=${filial}&day=${day}`,
      // Who does not work at this branch on that day is told so.
      open: (page) => expect(page.locator('[data-row]').or(page.getByText('Нет смен')).first()).toBeVisible(),
    },
  ],
  waitingList: [
    {},
    {
      name: 'новая запись',
      async open(page) {
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.keyboard.press('n')
        await expect(dialog(page).getByRole('textbox').first()).toBeVisible()
      },
    },
    {
      name: 'свободное время',
      at: ({ filial, day, doctor }) =>
        `/app/calendar/waiting-list?filial=${filial}&user=${doctor}&day=${day}&start=11:00&minutes=30`,
      open: (page) => seen(page, /^Свободно:/),
    },
  ],
  customers: registry,
  customer: [
    { at: ({ customer }) => `/app/customers/edit?id=${customer}` },
    {
      name: 'подпись согласия',
      at: ({ customer }) => `/app/customers/edit?id=${customer}&tab=consents`,
      async open(page) {
        await button(page, /^Подписать: /).click()
        await expect(dialog(page).getByRole('region', { name: 'Текст' })).toContainText('Осмотров')
      },
    },
    ...['Лента', 'Записи', 'Документы', 'Адреса', 'Представители', 'Счёт', 'Согласия', 'Файлы', 'История'].map(
      (name): State => ({
        name: name.toLowerCase(),
        at: ({ customer }) => `/app/customers/edit?id=${customer}`,
        open: (page) => tab(page, name),
      }),
    ),
  ],
  calls: [
    {},
    {
      name: 'звонок с записью',
      at: ({ call }) => `/app/journal/calls?open=${call}`,
      open: (page) => expect(dialog(page, /^Звонок/).getByRole('slider', { name: 'Место в записи' })).toBeVisible(),
    },
  ],
  appeals: [
    ...registry,
    {
      name: 'обращение',
      at: ({ appeal }) => `/app/journal/appeals?open=${appeal}`,
      open: (page) => expect(dialog(page, /^Обращение/).getByText('Сделки не назначены')).toBeVisible(),
    },
    {
      name: 'закрытие',
      at: ({ appeal }) => `/app/journal/appeals?open=${appeal}`,
      async open(page) {
        await button(page, 'Закрыть…').click()
        await expect(dialog(page, 'Закрыть обращение')).toBeVisible()
      },
    },
  ],
  appealCauses: registry,
  appeal: [{ at: ({ appeal }) => `/app/journal/appeals/${appeal}`, open: (page) => seen(page, 'Задачи не назначены') }],
  liveAssist: [
    { at: chat, open: (page) => seen(page, 'Спасибо') },
    { name: 'список', only: 'narrow', open: (page) => seen(page, 'Спасибо') },
    {
      name: 'быстрые ответы',
      at: chat,
      async open(page) {
        await page.getByRole('textbox', { name: 'Ответ посетителю' }).fill('/')
        await expect(page.getByRole('listbox', { name: 'Быстрые ответы' })).toBeVisible()
      },
    },
    {
      name: 'итог',
      at: chat,
      async open(page) {
        await button(page, 'Завершить').click()
        await expect(dialog(page, 'Чем закончился разговор?')).toBeVisible()
      },
    },
    { name: 'передача', at: chat, open: (page) => menu(page, 'Ещё действия с чатом', 'Передать…') },
  ],
  chatJournal: [{}],
  suggestions: registry,
  domainmap: registry,
  cash: [
    { at: cash, open: (page, { mark }) => seen(page, `Осмотров ${mark}`) },
    {
      name: 'оплата',
      at: cash,
      async open(page) {
        await button(page, 'Принять оплату').click()
        await expect(dialog(page, 'Принять оплату')).toBeVisible()
      },
    },
    { name: 'возврат', at: cash, open: (page) => menu(page, /^Действия с платежом/, 'Вернуть…') },
    { name: 'X-отчёт', at: cash, open: (page) => menu(page, 'Смена', 'X-отчёт') },
    { name: 'закрытие смены', at: cash, open: (page) => menu(page, 'Смена', 'Закрыть смену…') },
  ],
  cashDesks: registry,
  consentTemplates: [
    ...registry,
    {
      name: 'версии',
      async open(page) {
        await page.getByRole('row', { name: /Согласие на рекламу/ }).click()
        await tab(page, 'Текст и версии')
        await button(page, 'Новая версия').click()
        await expect(page.getByRole('textbox', { name: 'Текст' })).toBeVisible()
      },
    },
  ],
  customerSources: registry,
  duplicates: [
    { open: (page, { mark }) => expect(page.getByRole('article', { name: new RegExp(mark) }).first()).toBeVisible() },
  ],
  patientRequests: registryOfChoice,
  incidents: registryOfChoice,
  accessLog: [{ open: (page) => seen(page, 'Просмотр') }],
  lossReasons: registry,
  serviceReasons: registry,
  companies: registry,
  services: [
    {},
    {
      name: 'изменение цен',
      async open(page) {
        await button(page, 'Изменить цены').click()
        await expect(dialog(page).getByRole('region', { name: 'Какими станут цены' })).toBeVisible()
      },
    },
    {
      name: 'новая услуга',
      async open(page) {
        await button(page, 'Новая услуга').click()
        await expect(dialog(page, 'Новая услуга').getByRole('textbox').first()).toBeFocused()
      },
    },
  ],
  discounts: [{}],
  newDiscount: [
    {},
    {
      name: 'с ошибками',
      async open(page) {
        await button(page, 'Создать').click()
        await seen(page, 'Обязательное поле')
      },
    },
    {
      name: 'накопительная',
      async open(page) {
        await page.getByRole('combobox', { name: 'Вид' }).click()
        await page.getByRole('option', { name: 'Накопительная' }).click()
        await button(page, 'Добавить ступень').click()
        await seen(page, /^3 %/)
      },
    },
  ],
  discount: [
    { at: discount },
    ...['Проверить', 'Коды', 'Применения', 'История'].map(
      (name): State => ({ name: name.toLowerCase(), at: discount, open: (page) => tab(page, name) }),
    ),
    {
      name: 'выпуск кодов',
      at: (world) => `${discount(world)}?tab=codes`,
      async open(page) {
        await button(page, 'Выпустить много').click()
        await expect(dialog(page, 'Выпустить коды')).toBeVisible()
      },
    },
    {
      name: 'новый код',
      at: (world) => `${discount(world)}?tab=codes`,
      async open(page) {
        await button(page, 'Новый код').click()
        await expect(dialog(page, 'Новый код')).toBeVisible()
      },
    },
  ],
  discountCheck: [{}],
  discountUses: [{}],
  discountApprovals: [
    {},
    {
      name: 'новая запись',
      at: () => '/app/discounts/approvals?open=new',
      open: (page) => expect(dialog(page).getByLabel('Основание')).toBeVisible(),
    },
  ],
  priceLists: registry,
  serviceTypes: registry,
  service: [{ at: service('view') }, { name: 'не выбрана' }],
  serviceEdit: [{ at: service('edit') }],
  serviceUsers: [{ at: service('users') }],
  servicePrices: [
    { at: service('prices') },
    {
      name: 'новая цена',
      at: service('prices'),
      async open(page) {
        await button(page, 'Новая цена').click()
        await expect(dialog(page, 'Новая цена')).toBeVisible()
      },
    },
  ],
  serviceDuration: [{ at: service('duration') }],
  funnel: [
    { at: ({ funnel }) => `/app/funnels/${funnel}` },
    { name: 'для чтения', at: ({ funnel }) => `/app/funnels/${funnel}`, reads: true },
    {
      name: 'правила этапа',
      at: ({ funnel }) => `/app/funnels/${funnel}`,
      async open(page) {
        await button(page, 'Правила этапа «В работе»').click()
        await expect(dialog(page, /Правила этапа/)).toBeVisible()
      },
    },
    {
      name: 'убрать этап',
      at: ({ funnel }) => `/app/funnels/${funnel}`,
      async open(page) {
        await menu(page, 'Действия: Новая', 'Убрать этап…')
        await expect(dialog(page, 'Убрать этап «Новая»?')).toBeVisible()
      },
    },
  ],
  dealRequests: [
    {},
    {
      name: 'заявка',
      async open(page, { request }) {
        await button(page, `Разобрать: ${request}`).click()
        await expect(button(page, 'Создать сделку')).toBeVisible()
      },
    },
    { name: 'форма на сайте', at: ({ form }) => form, open: (page) => expect(page.getByLabel('Имя')).toBeVisible() },
  ],
  funnelAnalytics: [{ at: ({ funnel }) => `/app/deals/analytics?funnel=${funnel}` }],
  dealAnalytics: [{ at: ({ lead }) => `/app/deals/${lead}/analytics` }],
  regulations: [
    {},
    { name: 'мои', at: () => '/app/regulations?list=mine' },
    {
      name: 'список не загрузился',
      allow: /status of 503/,
      async open(page) {
        await page.route(/\/regulations(\?|\/model\/get-user)/, (route) =>
          route.request().resourceType() === 'fetch'
            ? route.fulfill({ status: 503, json: { name: 'Unavailable', message: 'Перезапуск', status: 503 } })
            : route.fallback(),
        )
        await page.reload()
        await expect(button(page, 'Повторить')).toBeVisible()
      },
    },
    {
      name: 'редактор с ошибками',
      at: () => '/app/regulations?mode=create',
      async open(page) {
        await button(page, 'Добавить шаг').click()
        await page.keyboard.press('Control+Enter')
        await seen(page, 'Название обязательно для заполнения')
      },
    },
    {
      name: 'картинка по ссылке',
      at: regulation('draft', '&mode=edit'),
      allow: /status of 422/,
      async open(page) {
        await button(page, /^Развернуть: Подписать/).click()
        await button(page, 'По ссылке').first().click()
        const ask = dialog(page, 'Картинка по ссылке')
        await ask.getByRole('textbox', { name: 'Введите URL изображения' }).fill('ftp://clinic.ru/plan.png')
        await ask.getByRole('button', { name: 'Добавить' }).click()
        await seen(page, /Нужна ссылка, которая начинается/)
      },
    },
    {
      name: 'уже изменили',
      at: regulation('draft', '&mode=edit'),
      allow: /status of 409/,
      async open(page) {
        await page.route('**/regulations/model/update?*', older)
        await page.getByRole('textbox', { name: 'Название', exact: true }).fill('Моё название')
        await page.keyboard.press('Control+Enter')
        await expect(dialog(page, 'Регламент уже изменили')).toBeVisible()
      },
    },
    { name: 'черновик', at: regulation('draft'), open: (page) => expect(dialog(page)).toBeVisible() },
    { name: 'для чтения', at: regulation('active'), reads: true, open: (page) => seen(page, 'Надеть перчатки') },
    { name: 'отклонённый', at: regulation('refused'), open: (page) => seen(page, 'Нет порядка') },
    {
      name: 'день вступления',
      at: regulation('approved'),
      async open(page) {
        await menu(page, 'Действия с регламентом', 'Назначить день вступления')
        await expect(dialog(page, 'Когда вступит в силу')).toBeVisible()
      },
    },
    {
      name: 'сроки',
      at: regulation('active'),
      async open(page) {
        await menu(page, 'Действия с регламентом', 'Изменить сроки')
        await expect(dialog(page, 'Сроки регламента')).toBeVisible()
      },
    },
    { name: 'версии', at: regulation('versions'), open: (page) => tab(page, 'Версии') },
    { name: 'нарушения', at: regulation('versions'), open: (page) => tab(page, 'Нарушения') },
    { name: 'выполнения', at: regulation('versions'), open: (page) => tab(page, 'Выполнения') },
    { name: 'ознакомление', at: regulation('active'), open: (page) => tab(page, 'Ознакомление') },
    {
      name: 'тест',
      at: regulation('toRead'),
      async open(page) {
        await button(page, 'Пройти тест').click()
        const test = dialog(page, /^Тест/)
        await test.getByRole('button', { name: 'Проверить' }).click()
        await seen(page, 'Выберите ответ')
      },
    },
    {
      name: 'выполнение',
      at: (world) => `${regulation('active')(world)}&run=${world.run}`,
      open: (page) => expect(dialog(page, 'Выполнение регламента')).toContainText('Подготовить место'),
    },
    {
      name: 'завершённое выполнение',
      at: (world) => `${regulation('versions')(world)}&run=${world.finishedRun}`,
      open: (page) => expect(dialog(page, 'Выполнение регламента').getByText('Завершён')).toBeVisible(),
    },
    {
      name: 'импорт из DOCX',
      at: () => '/app/regulations?mode=create',
      async open(page) {
        await button(page, 'Импорт из DOCX').click()
        await expect(dialog(page, 'Импорт из DOCX')).toBeVisible()
      },
    },
  ],
  scripts: [
    {},
    {
      name: 'группы на телефоне',
      only: 'narrow',
      async open(page) {
        await button(page, /^Все /).first().click()
        await expect(dialog(page).getByRole('navigation', { name: 'Дерево групп скриптов' })).toBeVisible()
      },
    },
    {
      name: 'где используется',
      at: ({ mark }) => `/app/scripts?q=${mark}`,
      only: 'wide',
      async open(page) {
        await button(page, /^Воронки/)
          .first()
          .click()
        await expect(page.getByRole('link', { name: /^Осмотр / }).first()).toBeVisible()
      },
    },
  ],
  script: [
    { at: ({ script }) => `/app/scripts/${script}`, open: (page) => seen(page, /недостижим/) },
    {
      name: 'проверка разговора',
      at: ({ script }) => `/app/scripts/${script}`,
      async open(page) {
        await button(page, 'Проверить разговор').click()
        await expect(dialog(page, 'Проверка разговора')).toBeVisible()
      },
    },
  ],
  newScript: [{}],
  news: [
    {},
    { name: 'лента', at: () => '/app/news?view=feed' },
    {
      name: 'приём новостей',
      async open(page) {
        await button(page, 'Приём новостей').click()
        await expect(dialog(page)).toBeVisible()
      },
    },
    {
      name: 'новая новость',
      async open(page) {
        await button(page, 'Добавить новость').click()
        await expect(dialog(page).getByRole('textbox', { name: 'Заголовок' })).toBeVisible()
      },
    },
  ],
  newsItem: [
    { at: ({ newsItem }) => `/app/news/${newsItem}` },
    { name: 'правка', at: ({ newsItem }) => `/app/news/${newsItem}?edit=1` },
  ],
  users: [
    {},
    {
      name: 'новый сотрудник',
      async open(page) {
        await button(page, 'Новый сотрудник').click()
        const form = dialog(page, 'Новый сотрудник')
        await form.getByRole('button', { name: 'Добавить и получить пароль' }).click()
        await seen(page, 'Обязательное поле')
      },
    },
  ],
  user: [
    { at: ({ colleague }) => `/app/users/${colleague.id}` },
    ...['История', 'Сеансы', 'Роли и права', 'Почему доступно'].map(
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
        await seen(page, 'Пароли не совпадают')
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
  mainSettings: [{}],
  filials: [{}],
  newFilial: [
    {},
    {
      name: 'с ошибками',
      async open(page) {
        await page.getByLabel('Понедельник, до').fill('7')
        await button(page, 'Создать').click()
        await seen(page, 'Обязательное поле')
      },
    },
  ],
  filial: [
    { at: filial },
    ...['Кабинеты', 'Особые дни', 'Регистратура', 'Фотографии', 'История'].map(
      (name): State => ({ name: name.toLowerCase(), at: filial, open: (page) => tab(page, name) }),
    ),
    {
      name: 'токен отзывов',
      at: filial,
      async open(page) {
        await button(page, /: Токен сервиса отзывов/).click()
        await expect(dialog(page, 'Токен сервиса отзывов')).toBeVisible()
      },
    },
  ],
  organizations: [
    ...registry,
    ...['Данные', 'Счета', 'Подписанты', 'Программы ДМС'].map(
      (name): State => ({
        name: `организация, ${name.toLowerCase()}`,
        async open(page, { mark }) {
          await page.getByRole('link', { name: `Опора ${mark}` }).click()
          await tab(page, name)
        },
      }),
    ),
  ],
  workingCalendar: registryOfChoice,
  sequences: [
    ...registry,
    {
      name: 'нумерация',
      async open(page, { mark }) {
        await page.getByRole('link', { name: `Осмотры ${mark}` }).click()
        await expect(dialog(page, /^Осмотры/)).toBeVisible()
      },
    },
    {
      name: 'следующие номера',
      async open(page, { mark }) {
        await page.getByRole('link', { name: `Осмотры ${mark}` }).click()
        await tab(page, 'Следующие номера')
      },
    },
  ],
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
}

/** The version that a save names is an older one than the record's. */
function older(route: Route): Promise<void> {
  const request = route.request()
  if (request.method() === 'GET') return route.fallback()
  const body = request.postDataJSON() as { _version: number }
  return route.continue({ postData: JSON.stringify({ ...body, _version: body._version - 1 }) })
}

async function rows(page: Page): Promise<void> {
  await expect(page.locator('[data-row]').first()).toBeVisible()
}

async function openTask(page: Page): Promise<void> {
  await expect(dialog(page, /Обзвонить пациентов/).getByRole('heading', { name: 'Комментарии' })).toBeVisible()
  await seen(page, 'Слово о деле')
}
