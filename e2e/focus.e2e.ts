import type { Page } from 'playwright/test'
import { makeWorld, type World } from './look/world.ts'
import { expect, holdsFocus, test, toast } from './support.ts'

/** The focus is never lost, in all areas. */

interface Place {
  name: string
  at(world: World): string
  /** Opens it by keyboard only, up to the element that takes the focus. */
  act(page: Page, world: World): Promise<void>
  /** The act is complete. */
  done(page: Page, world: World): Promise<void>
}

/** Opens a menu by keyboard and chooses an item. */
const byKeys = async (page: Page, name: string | RegExp, item: string) => {
  await page.getByRole('button', { name }).first().press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}
const gone = (page: Page, text: string | RegExp) => expect(toast(page, text)).toBeVisible()

const places: readonly Place[] = [
  {
    name: 'a policy is deleted',
    at: ({ customer }) => `/app/customers/edit?id=${customer}&tab=documents`,
    act: (page) =>
      page
        .getByRole('region', { name: /олис/ })
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'a representative is deleted',
    at: ({ customer }) => `/app/customers/edit?id=${customer}&tab=relations`,
    act: (page) =>
      page
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'the only tag is taken off',
    at: ({ customer }) => `/app/customers/edit?id=${customer}`,
    act: (page) => page.getByRole('button', { name: 'Убрать метку «Постоянный»' }).press('Enter'),
    done: (page) => gone(page, 'Метка снята'),
  },
  {
    name: 'a service leaves a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => byKeys(page, /^Действия: Приём врача/, 'Убрать из плана'),
    done: (page) => gone(page, 'Убрано из плана'),
  },
  {
    name: 'a stage leaves a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => byKeys(page, 'Действия: Снять боль', 'Удалить этап'),
    done: (page) => gone(page, 'Этап «Снять боль» удалён'),
  },
  {
    name: 'a stage is added to a plan',
    at: ({ plans }) => `/app/customer-plans/${plans.draft}`,
    act: (page) => page.getByRole('button', { name: 'Добавить этап' }).press('Enter'),
    done: (page) => expect(page.getByRole('button', { name: /^Действия: Этап \d/ })).toBeVisible(),
  },
  {
    name: 'the only room of a branch is deleted',
    at: ({ filial }) => `/app/settings/filial/update/${filial}?tab=rooms`,
    act: (page) => page.getByRole('button', { name: 'Удалить: Процедурная' }).press('Enter'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'rules of a service are deleted one by one',
    at: ({ service }) => `/app/service/duration?id=${service}`,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Удалить: / })
        .first()
        .press('Enter')
      await gone(page, /удал/i)
      await holdsFocus(page)
      await page.keyboard.press('Enter')
    },
    done: (page) => expect(page.getByText('Длительность не указана').or(page.getByRole('dialog'))).toBeVisible(),
  },
  {
    name: 'an appeal is deleted in its panel',
    at: ({ appeal }) => `/app/journal/appeals?open=${appeal}`,
    act: (page) => byKeys(page, 'Действия с обращением', 'Удалить'),
    done: (page) => gone(page, /Обращение № \d+ удалено/),
  },
  {
    name: 'a record is deleted in the panel of its registry',
    at: ({ channel }) => `/app/settings/channels?open=${channel}`,
    act: (page) => byKeys(page, 'Действия с записью', 'Удалить'),
    done: (page) => gone(page, /удал/i),
  },
  {
    name: 'a field of a form is deleted',
    at: ({ examinationTemplate }) => `/app/settings/examination-templates/${examinationTemplate}?tab=form`,
    act: (page) => byKeys(page, 'Действия: Зубы', 'Удалить поле'),
    done: (page) => gone(page, 'Поле «Зубы» удалено'),
  },
  {
    name: 'a block of the site is deleted',
    at: ({ clientPage }) => `/app/settings/client/pages/${clientPage}`,
    act: (page) => byKeys(page, /^Действия: Текст/, 'Удалить блок'),
    done: (page) => gone(page, /^Блок .* удалён/),
  },
  {
    name: 'a note is written in a chat',
    at: ({ chat }) => `/app/live-assist?chat=${chat}`,
    async act(page) {
      await page.getByText('Заметка', { exact: true }).click()
      const note = page.getByRole('textbox', { name: 'Заметка для коллег' })
      await note.fill('Перезвонить завтра')
      await note.press('Enter')
    },
    done: (page) => expect(page.getByRole('log').getByText('Перезвонить завтра')).toBeVisible(),
  },
  {
    name: 'a report of the desk is closed',
    at: ({ cashDesk }) => `/app/cash?desk=${cashDesk}`,
    async act(page) {
      await byKeys(page, 'Смена', 'X-отчёт')
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
    },
    done: (page) => expect(page.getByRole('dialog')).toHaveCount(0),
  },
  {
    name: 'a visit is looked at and left',
    at: ({ filial, day }) => `/app/calendar/day-sheet?filial=${filial}&day=${day}`,
    async act(page) {
      await page.getByRole('rowheader').getByRole('button').first().press('Enter')
      await expect(page.getByRole('dialog', { name: /^Запись №/ })).toBeVisible()
      await page.keyboard.press('Escape')
    },
    done: (page) => expect(page.getByRole('dialog')).toHaveCount(0),
  },
]

test('whatever is removed or added in the newer areas, the focus is not lost', async ({ page, clinic }) => {
  const { person, token } = await clinic.enter(page)
  const world = await makeWorld(clinic, person, token)
  for (const { name, at, act, done } of places)
    await test.step(name, async () => {
      await page.goto(at(world))
      await act(page, world)
      await done(page, world)
      await holdsFocus(page)
    })
})

test('a new record begins in its first required field, of whatever kind it is', async ({ page, clinic }) => {
  await clinic.enter(page)
  for (const address of ['discounts/approvals', 'calendar/waiting-list', 'services/price-lists']) {
    await page.goto(`/app/${address}?open=new`)
    const required = page.getByRole('dialog').locator('form :is([required], [aria-required="true"]):focus')
    await expect(required, address).toBeVisible()
  }
})
