/** Customers and their records. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import { button, dialog, registry, registryOfChoice, type State, shows, tab } from './common.ts'

export const customers = {
  customers: [
    ...registry,
    {
      name: 'написать выбранным',
      only: 'wide',
      async open(page) {
        await page
          .getByRole('checkbox', { name: /^Выбрать/ })
          .last()
          .check()
        await button(page, 'Написать…').click()
        await expect(dialog(page, /^Написать/).getByRole('combobox', { name: 'Шаблон рассылки' })).toBeVisible()
      },
    },
  ],
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
    ...[
      'Лента',
      'Записи',
      'Осмотры',
      'Документы',
      'Адреса',
      'Представители',
      'Счёт',
      'Согласия',
      'Файлы',
      'История',
    ].map(
      (name): State => ({
        name: name.toLowerCase(),
        at: ({ customer }) => `/app/customers/edit?id=${customer}`,
        open: (page) => tab(page, name),
      }),
    ),
  ],
  examinations: [
    {},
    {
      name: 'новый осмотр',
      async open(page) {
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.keyboard.press('n')
        await expect(dialog(page, 'Новый осмотр').getByRole('combobox', { name: 'Шаблон' })).toBeVisible()
      },
    },
  ],
  examination: [
    {
      at: ({ finishedExamination }) => `/app/examinations/${finishedExamination}`,
      open: (page) => shows(page, 'Жалоб нет'),
    },
    {
      name: 'черновик',
      at: ({ examination }) => `/app/examinations/${examination}`,
      open: (page) => expect(page.getByRole('region', { name: 'Диагнозы' })).toContainText('R51'),
    },
    {
      name: 'словарь',
      at: ({ examination }) => `/app/examinations/${examination}`,
      async open(page) {
        await button(page, 'Словарь: Жалобы').click()
        await expect(button(page, 'Активных жалоб не предъявляет')).toBeVisible()
      },
    },
  ],
  examinationTemplate: [
    { at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}` },
    {
      name: 'поля',
      at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
      async open(page) {
        await button(page, /^Пульс в час/).click()
        await expect(page.getByRole('textbox', { name: 'Формула', exact: true })).toBeVisible()
      },
    },
    {
      name: 'как увидит врач',
      at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
      async open(page) {
        await page.getByText('Как увидит врач').click()
        await shows(page, 'ничего не записывается')
      },
    },
    {
      name: 'версии',
      at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=versions`,
      open: (page) => shows(page, 'Версия 1'),
    },
  ],
  dictionaries: [
    ...registry,
    {
      name: 'термины',
      async open(page) {
        await page.getByRole('row', { name: /МКБ-10/ }).click()
        await tab(page, 'Термины')
        await shows(page, 'С программой приходят все рубрики МКБ-10')
      },
    },
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
  duplicates: [
    { open: (page, { mark }) => expect(page.getByRole('article', { name: new RegExp(mark) }).first()).toBeVisible() },
  ],
  patientRequests: registryOfChoice,
  incidents: registryOfChoice,
  accessLog: [{ open: (page) => shows(page, 'Просмотр') }],
} satisfies Partial<Record<PageKey, readonly State[]>>
