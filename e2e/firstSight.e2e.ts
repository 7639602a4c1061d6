import type { Locator, Page } from 'playwright/test'
import { shiftOf, watch } from './look/sight.ts'
import { NARROW, WIDE } from './look/walk.ts'
import { makeWorld, type World } from './look/world.ts'
import { expect, test } from './support.ts'

/** The first screenful: the main content is visible and nothing jumps. */

/** Cards of the newer areas, and the fields of each that must be visible at once on a phone. */
const cards: readonly { name: string; at(world: World): string; parts(page: Page): readonly Locator[] }[] = [
  {
    name: 'visit',
    at: ({ filial, day, visit }) => `/app/calendar?filial=${filial}&day=${day}&visit=${visit}`,
    parts: (page) => {
      const card = page.getByRole('dialog', { name: /^Запись №/ })
      return [
        card.getByText('Записан', { exact: true }).first(),
        card.getByText(/, 10:00$/),
        card.getByText(/^Осмотров/).first(),
        card.getByText(/^Соседов/).first(),
        card.getByRole('button', { name: 'Подтвердить' }),
      ]
    },
  },
  {
    name: 'appeal',
    at: ({ appeal }) => `/app/journal/appeals/${appeal}`,
    parts: (page) => [
      page.getByText('Открыто', { exact: true }),
      page.getByText(/^срок /),
      page.getByText(/^отвечает /),
      page.getByText(/^Осмотров/).first(),
      page.getByRole('button', { name: 'Закрыть…' }),
    ],
  },
  {
    name: 'chat',
    at: ({ chat }) => `/app/live-assist?chat=${chat}`,
    parts: (page) => [
      page.getByRole('heading', { name: /^Осмотрова/ }),
      page.getByText(/Отвечаете вы/),
      page.getByRole('button', { name: 'Завершить' }),
      page.getByRole('textbox', { name: 'Ответ посетителю' }),
    ],
  },
  {
    name: 'examination',
    at: ({ examination }) => `/app/examinations/${examination}`,
    parts: (page) => [
      page.getByText('Черновик', { exact: true }),
      page.getByText(/^Осмотров/).first(),
      page.getByRole('button', { name: 'Завершить' }),
    ],
  },
  {
    name: 'plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    parts: (page) => [
      page.getByText('Черновик', { exact: true }).first(),
      page.getByText(/^Осмотров/).first(),
      page.getByText(/цены по/),
      page.getByRole('button', { name: 'Согласовать' }),
    ],
  },
  {
    name: 'patient',
    at: ({ customer }) => `/app/customers/edit?id=${customer}`,
    parts: (page) => [
      page.getByRole('heading', { name: /^Осмотров/ }),
      page.getByRole('link', { name: /^\+7/ }).first(),
      page.getByText(/^Долг/),
      page.getByText('Аллергия:'),
      page.getByRole('tab', { name: 'Лента' }),
    ],
  },
  {
    name: 'call',
    at: ({ call }) => `/app/journal/calls?open=${call}`,
    parts: (page) => {
      const card = page.getByRole('dialog', { name: /^Звонок/ })
      return [
        card.getByRole('link', { name: /^\+7/ }).first(),
        card.getByRole('button', { name: /итог/i }),
        card.getByRole('region', { name: 'О звонке' }).getByText('Сотрудник', { exact: true }),
        card.getByRole('region', { name: 'О звонке' }).getByText('Итог', { exact: true }),
      ]
    },
  },
]

test('on a phone state, people, deadline and the main action are within the first screen', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  const deadline = new Date(Date.now() + 86_400_000).toISOString()
  await clinic.call('PUT', `/appeals/${world.appeal}`, { deadline })
  await page.setViewportSize(NARROW)
  for (const { name, at, parts } of cards)
    await test.step(name, async () => {
      await page.goto(at(world))
      for (const part of parts(page)) {
        await expect(part).toBeVisible()
        const box = await part.boundingBox()
        expect((box?.y ?? Infinity) + (box?.height ?? 0), `${part}`).toBeLessThanOrEqual(NARROW.height)
      }
    })
})

/** Pages whose upper parts load separately. */
const moving: readonly ((world: World) => string)[] = [
  () => '/app/',
  () => '/app/reports/revenue',
  () => '/app/tasks/mine',
  ({ customer }) => `/app/customers/edit?id=${customer}`,
  ({ plans }) => `/app/customer-plans/${plans.agreed}`,
  ({ filial, day, visit }) => `/app/calendar/day-sheet?filial=${filial}&day=${day}&visit=${visit}`,
  () => '/app/settings/client/documents',
  () => '/app/journal/service-online/chats',
  ({ service }) => `/app/service/duration?id=${service}`,
  ({ filial, day, doctor }) =>
    `/app/calendar/waiting-list?filial=${filial}&user=${doctor}&day=${day}&start=11:00&minutes=30`,
]

for (const size of [WIDE, NARROW])
  test(`no layout shift while a screen opens, however late its parts load: ${size.width} px`, async ({
    page,
    clinic,
  }) => {
    const { person, token } = await clinic.enter(page)
    const world = await makeWorld(clinic, person, token)
    await watch(page)
    // On a busy machine parts may come after the longest hold, 4 s: what is tried here is not the clock.
    await page.addInitScript(() => {
      const native = window.setTimeout
      window.setTimeout = ((run: TimerHandler, ms?: number, ...rest: unknown[]) =>
        native(run, ms === 4_000 ? 120_000 : ms, ...rest)) as typeof window.setTimeout
    })
    // Responses arrive one by one, as over a slow connection.
    await page.route(
      /similar|ledger|balance|check-list|figures|matches|service-durations|print-templates\?/,
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await route.continue().catch(() => undefined)
      },
    )
    await page.setViewportSize(size)
    for (const at of moving)
      await test.step(at(world), async () => {
        await page.goto(at(world))
        await expect(page.locator('h1').first()).toBeVisible()
        await expect(page.locator('.mantine-Skeleton-root:visible')).toHaveCount(0)
        await page.waitForLoadState('networkidle')
        const { sum, moved } = await shiftOf(page)
        expect(sum, `${at(world)}: ${moved.join('; ')}`).toBeLessThanOrEqual(0.05)
      })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
