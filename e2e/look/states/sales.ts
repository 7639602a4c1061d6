/** Deals, funnels and their lists. */
import type { PageKey } from '@ordinator/model/pages'
import { expect, type Page } from 'playwright/test'
import type { World } from '../world.ts'
import { button, CSV, cards, dialog, menu, type State, shows, tab } from './common.ts'

const deals = ({ funnel }: World) => `/app/deals?funnel=${funnel}`

const deal = (world: World) => `${deals(world)}&lead=${world.lead}`

const openDeal = (page: Page) => expect(dialog(page, /^Сделка/).getByLabel('Название сделки')).toBeVisible()

export const sales = {
  deals: [
    { at: deals, open: cards },
    { name: 'список', at: (world) => `${deals(world)}&view=list`, open: (page) => shows(page, 'Анализы') },
    { name: 'таблица', at: (world) => `${deals(world)}&view=table`, open: (page) => shows(page, 'Анализы') },
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
        await shows(page, /\d\d:\d\d:\d\d/)
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
        await shows(page, 'Поясните причину отказа')
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
        await shows(page, /такого этапа нет в воронке/)
      },
    },
  ],
  funnels: [{}],
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
} satisfies Partial<Record<PageKey, readonly State[]>>
