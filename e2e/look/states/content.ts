/** Regulations, scripts and news. */
import type { PageKey } from '@ordinator/model/pages'
import { expect, type Route } from 'playwright/test'
import type { World } from '../world.ts'
import { button, dialog, menu, type State, shows, tab } from './common.ts'

const regulation =
  (which: keyof World['regulations'], more = '') =>
  (world: World) =>
    `/app/regulations?id=${world.regulations[which]}${more}`

/** The version that a save names is an older one than the record's. */
function older(route: Route): Promise<void> {
  const request = route.request()
  if (request.method() === 'GET') return route.fallback()
  const body = request.postDataJSON() as { _version: number }
  return route.continue({ postData: JSON.stringify({ ...body, _version: body._version - 1 }) })
}

export const content = {
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
        await shows(page, 'Название обязательно для заполнения')
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
        await shows(page, /Нужна ссылка, которая начинается/)
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
    { name: 'для чтения', at: regulation('active'), reads: true, open: (page) => shows(page, 'Надеть перчатки') },
    { name: 'отклонённый', at: regulation('refused'), open: (page) => shows(page, 'Нет порядка') },
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
        await shows(page, 'Выберите ответ')
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
    { at: ({ script }) => `/app/scripts/${script}`, open: (page) => shows(page, /недостижим/) },
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
} satisfies Partial<Record<PageKey, readonly State[]>>
