/** Calls, appeals and chats. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import type { World } from '../world.ts'
import { button, dialog, menu, registry, type State, seen } from './common.ts'

const chat = ({ chat }: World) => `/app/live-assist?chat=${chat}`

export const contact = {
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
    {
      name: 'смена',
      at: () => '/app/live-assist?shift=1',
      open: (page) => expect(page.getByRole('table', { name: 'Операторы' })).toBeVisible(),
    },
    {
      name: 'о посетителе',
      only: 'narrow',
      at: chat,
      async open(page) {
        await button(page, 'О посетителе').click()
        await expect(dialog(page, 'О посетителе')).toBeVisible()
      },
    },
    { name: 'передача', at: chat, open: (page) => menu(page, 'Ещё действия с чатом', 'Передать…') },
  ],
  chatJournal: [{}],
  suggestions: registry,
  domainmap: registry,
} satisfies Partial<Record<PageKey, readonly State[]>>
