/** The schedule, the cash desk and discounts. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import type { World } from '../world.ts'
import { button, dialog, menu, type State, shows, tab } from './common.ts'

const discount = ({ discount }: World) => `/app/discount/update/${discount}`

const plan =
  (which: keyof World['plans']) =>
  ({ plans }: World) =>
    `/app/customer-plans/${plans[which]}`

const cash = ({ cashDesk }: World) => `/app/cash?desk=${cashDesk}`

const schedule =
  (more = '') =>
  ({ filial, day }: World) =>
    `/app/calendar?filial=${filial}&day=${day}${more}`

export const day = {
  calendar: [
    // A doctor sees only the own day.
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
      name: 'исполнители услуги',
      at: (world) => schedule(`&visit=${world.visit}`)(world),
      async open(page) {
        await menu(page, /^Услуга: /, 'Исполнители и доли…')
        const asked = dialog(page, /^Исполнители: /)
        await asked.getByRole('button', { name: 'Добавить исполнителя' }).click()
        await expect(asked.getByRole('button', { name: 'Поровну' })).toBeVisible()
      },
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
      name: 'группа в панели',
      at: schedule(),
      async open(page) {
        await page.getByRole('button', { name: /Школа здоровья.*1 из 8/ }).click()
        await expect(dialog(page, 'Групповой приём').getByText('Занято мест: 1 из 8')).toBeVisible()
      },
    },
    {
      name: 'расписание в телефоне',
      at: schedule(),
      async open(page) {
        await button(page, 'Моё расписание в телефоне').click()
        await expect(
          dialog(page, 'Моё расписание в телефоне').getByRole('button', { name: 'Получить адрес' }),
        ).toBeVisible()
      },
    },
    {
      name: 'слои',
      at: schedule(),
      async open(page) {
        await button(page, 'Вид сетки').click()
        await expect(page.getByText('Отпуска и больничные')).toBeVisible()
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
    { name: 'загрузка', at: schedule('&view=month'), open: (page) => shows(page, 'Месяц') },
    { name: 'смены', at: schedule('&view=shifts'), open: (page) => shows(page, '09:00–15:00') },
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
      // A doctor without a shift at this branch gets a message.
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
      open: (page) => shows(page, /^Свободно:/),
    },
  ],
  cash: [
    { at: cash, open: (page, { mark }) => shows(page, `Осмотров ${mark}`) },
    {
      name: 'оплата',
      at: cash,
      async open(page) {
        await button(page, 'Принять оплату').click()
        await expect(dialog(page, 'Принять оплату')).toBeVisible()
      },
    },
    {
      name: 'возврат',
      at: cash,
      async open(page) {
        // The newest row is a refund, which is not refunded again.
        await button(page, /^Действия с платежом/)
          .last()
          .click()
        await page.getByRole('menuitem', { name: 'Вернуть…' }).click()
        await expect(dialog(page)).toBeVisible()
      },
    },
    { name: 'X-отчёт', at: cash, open: (page) => menu(page, 'Смена', 'X-отчёт') },
    { name: 'продажа сертификата', at: cash, open: (page) => menu(page, 'Смена', 'Продать сертификат…') },
    { name: 'чек коррекции', at: cash, open: (page) => menu(page, 'Смена', 'Чек коррекции…') },
    { name: 'закрытие смены', at: cash, open: (page) => menu(page, 'Смена', 'Закрыть смену…') },
  ],
  discounts: [{}],
  newDiscount: [
    {},
    {
      name: 'с ошибками',
      async open(page) {
        await button(page, 'Создать').click()
        await shows(page, 'Обязательное поле')
      },
    },
    {
      name: 'накопительная',
      async open(page) {
        await page.getByRole('combobox', { name: 'Вид' }).click()
        await page.getByRole('option', { name: 'Накопительная' }).click()
        await button(page, 'Добавить ступень').click()
        await shows(page, /^3 %/)
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
  customerPlan: [
    {
      // A doctor sees only plans of own patients.
      at: plan('draft'),
      open: (page) => expect(page.getByText(/Вернуть подвижность|запись не найдена/).first()).toBeVisible(),
    },
    {
      name: 'согласование',
      at: plan('draft'),
      async open(page) {
        await button(page, 'Согласовать').click()
        await expect(dialog(page, 'Согласование плана').getByLabel('Дата подписи')).toBeVisible()
      },
    },
    {
      name: 'отказ',
      at: plan('agreed'),
      async open(page) {
        await menu(page, 'Другие действия', 'Пациент отказался…')
        await expect(dialog(page, 'Отказ от плана').getByLabel('Пояснение')).toBeVisible()
      },
    },
    { name: 'согласованный', at: plan('agreed'), open: (page) => shows(page, 'Запланирована') },
    {
      name: 'что записать',
      at: plan('agreed'),
      async open(page) {
        await button(page, 'Записать: Снять боль').click()
        await expect(dialog(page, 'Что записать на один визит').getByRole('checkbox')).toBeVisible()
      },
    },
  ],
  discountCheck: [{}],
  discountUses: [{}],
  bonusPrograms: [
    {},
    {
      name: 'новая программа',
      at: () => '/app/discounts/bonuses?open=new',
      open: (page) => expect(dialog(page).getByLabel('Начислять, %')).toBeVisible(),
    },
  ],
  discountApprovals: [
    {},
    {
      name: 'новая запись',
      at: () => '/app/discounts/approvals?open=new',
      open: (page) => expect(dialog(page).getByLabel('Основание')).toBeVisible(),
    },
  ],
} satisfies Partial<Record<PageKey, readonly State[]>>
