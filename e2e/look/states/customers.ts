/** Customers and what is kept of them. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import { button, dialog, registry, registryOfChoice, type State, seen, tab } from './common.ts'

export const customers = {
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
} satisfies Partial<Record<PageKey, readonly State[]>>
