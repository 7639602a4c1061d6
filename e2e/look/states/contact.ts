/** Calls, appeals and chats. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import type { World } from '../world.ts'
import { button, dialog, menu, registry, type State, shows } from './common.ts'

const chat = ({ chat }: World) => `/app/live-assist?chat=${chat}`

/** A call from the server, with a card that has every field. */
const ringing = {
  id: 1_000_000_000,
  state: 'ringing',
  phone: '+79161234567',
  line: '+74951234567',
  filial: 'Клиника на Мира',
  queue: 'Регистратура',
  dateCreate: new Date().toISOString(),
  dateAnswer: null,
  idCustomer: 1,
  needsEnd: false,
  callers: [
    {
      id: 1,
      fio: 'Константинопольская Александра Вениаминовна',
      birthday: '05.03.1980',
      allergies: 'Пенициллин, новокаин',
      debt: 12_500,
      nextVisit: {
        id: 1,
        idFilial: 1,
        localDate: '2026-12-01',
        localStart: '12:30',
        services: 'Приём терапевта, УЗИ брюшной полости',
      },
      deals: [{ id: 1, idFunnel: 1, title: 'МРТ коленного сустава' }],
      lastWords: { at: '2026-11-20T09:30:00.000Z', text: 'Просит перенести приём на вечер' },
    },
  ],
}
const missed = { ...ringing, id: 1_000_000_001, state: 'missed', phone: '+79167654321', idCustomer: null, callers: [] }

export const contact = {
  messages: [{}],
  messageTemplates: [
    {},
    {
      name: 'шаблон',
      async open(page) {
        await page
          .getByRole('row', { name: /Напоминание за сутки/ })
          .first()
          .click()
        await expect(dialog(page, /Напоминание/).getByRole('button', { name: 'СМС себе' })).toBeVisible()
        await shows(page, 'Ждём вас 24.11.2026')
      },
    },
  ],
  calls: [
    {},
    {
      name: 'звонок вручную',
      async open(page) {
        await button(page, 'Новый звонок').click()
        await expect(dialog(page, 'Новый звонок').getByLabel('Телефон')).toBeFocused()
      },
    },
    {
      name: 'звонок с записью',
      at: ({ call }) => `/app/journal/calls?open=${call}`,
      open: (page) => expect(dialog(page, /^Звонок/).getByRole('slider', { name: 'Место в записи' })).toBeVisible(),
    },
    {
      name: 'входящий звонок',
      async open(page) {
        await page.route('**/calls/incoming', (route) => route.fulfill({ json: { items: [ringing, missed] } }))
        await page.reload()
        await shows(page, 'Пенициллин')
        await button(page, 'Чек-лист').click()
        await shows(page, 'Отметьте, что было в разговоре')
      },
    },
  ],
  promises: [{ open: (page) => shows(page, 'Просрочено') }],
  simulator: [{}],
  customerCalls: [
    {
      at: ({ customer }) => `/app/migration/customer-calls?idCustomer=${customer}`,
      open: (page) => shows(page, 'Звонки'),
    },
  ],
  customerChats: [
    {
      at: ({ customer }) => `/app/migration/customer-chats?idCustomer=${customer}`,
      open: (page) => shows(page, 'Чаты'),
    },
  ],
  incomingCall: [
    {
      at: () => '/app/login',
      async open(page) {
        await page.route('**/widgets/incoming-call', (route) =>
          route.request().method() === 'POST' ? route.fulfill({ json: { key: 'k', call: ringing } }) : route.continue(),
        )
        await page.route('**/widgets/incoming-call/look', (route) => route.fulfill({ json: { call: ringing } }))
        await page.goto('/app/widgets/incoming-call#token')
        await shows(page, 'Пенициллин')
      },
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
  appeal: [
    { at: ({ appeal }) => `/app/journal/appeals/${appeal}`, open: (page) => shows(page, 'Задачи не назначены') },
  ],
  liveAssist: [
    { at: chat, open: (page) => shows(page, 'Спасибо') },
    { name: 'список', only: 'narrow', open: (page) => shows(page, 'Спасибо') },
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
    {
      name: 'отбор',
      async open(page) {
        await button(page, 'Отбор').click()
        await shows(page, 'Только те, у кого вышел срок ответа')
      },
    },
    { name: 'передача', at: chat, open: (page) => menu(page, 'Ещё действия с чатом', 'Передать…') },
  ],
  operatorGroups: registry,
  chatJournal: [{}],
  // Patients begin them.
  dialogs: [{}],
  onlineJournal: [{}],
  serviceOnline: [
    { at: () => '/app/service-online?tab=all' },
    {
      name: 'диалог',
      async open(page) {
        await page.goto('/app/service-online?tab=waiting')
        await page.getByRole('list', { name: 'Без ответа' }).getByRole('button').first().click()
        await expect(page.getByRole('log')).toBeVisible()
      },
    },
  ],
  socialsVk: [{}],
  chatChannels: [
    ...registry,
    {
      name: 'связь',
      at: ({ channel }) => `/app/settings/channels?open=${channel}&tab=connection`,
      open: (page) => expect(button(page, 'Проверить связь')).toBeVisible(),
    },
    {
      name: 'связь WhatsApp',
      at: ({ whatsapp }) => `/app/settings/channels?open=${whatsapp}&tab=connection`,
      open: (page) => expect(page.getByText('Прежде чем включать')).toBeVisible(),
    },
  ],
} satisfies Partial<Record<PageKey, readonly State[]>>
