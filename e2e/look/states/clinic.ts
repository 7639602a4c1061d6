/** The catalogue, branches and their settings. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import type { World } from '../world.ts'
import { button, dialog, filial, registry, registryOfChoice, type State, shows, tab } from './common.ts'

const service =
  (child: string) =>
  ({ service: id }: World) =>
    `/app/service/${child}?id=${id}`

const printTemplate = ({ printTemplate: id }: World) => `/app/settings/print-templates/${id}`

export const clinic = {
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
  filials: [{}],
  newFilial: [
    {},
    {
      name: 'с ошибками',
      async open(page) {
        await page.getByLabel('Понедельник, до').fill('7')
        await button(page, 'Создать').click()
        await shows(page, 'Обязательное поле')
      },
    },
  ],
  filial: [
    { at: filial },
    ...['Кабинеты', 'Оборудование', 'Особые дни', 'Регистратура', 'Фотографии', 'История'].map(
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
    {
      name: 'передача',
      at: filial,
      async open(page) {
        await button(page, 'Другие действия').click()
        await page.getByRole('menuitem', { name: 'Передать данные филиала…' }).click()
        await expect(dialog(page, /^Передать данные филиала/)).toBeVisible()
      },
    },
  ],
  organizations: [
    ...registry,
    ...['Данные', 'Счета', 'Подписанты', 'Программы ДМС'].map(
      (name): State => ({
        name: `организация, ${name.toLowerCase()}`,
        at: ({ mark }) => `/app/settings/organizations?q=${mark}`,
        async open(page, { mark }) {
          await page.getByRole('link', { name: `Опора ${mark}` }).click()
          await tab(page, name)
        },
      }),
    ),
  ],
  workingCalendar: registryOfChoice,
  printTemplate: [
    { at: printTemplate },
    {
      name: 'переменные',
      at: printTemplate,
      only: 'wide',
      async open(page) {
        await expect(page.getByRole('region', { name: 'Образец' }).getByRole('table')).toBeVisible()
        await button(page, 'Переменная: вставить').nth(1).click()
        await expect(page.getByRole('textbox', { name: 'Найти переменную' })).toBeFocused()
      },
    },
    {
      name: 'версии текста',
      at: printTemplate,
      async open(page) {
        await tab(page, 'Версии текста')
        await expect(page.getByRole('region', { name: 'Версия' })).toBeVisible()
      },
    },
  ],
  webhooks: [
    ...registry,
    {
      name: 'доставка',
      at: ({ webhook }) => `/app/settings/webhooks?open=${webhook}&tab=delivery`,
      open: (page) => expect(dialog(page).getByRole('button', { name: 'Проверить' })).toBeVisible(),
    },
  ],
  integrations: [{}],
  exchangeJournal: [{}],
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
} satisfies Partial<Record<PageKey, readonly State[]>>
