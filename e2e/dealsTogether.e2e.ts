import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, phone, signIn, test } from './support.ts'

/** Deals changed in bulk, by two users at once, by automatic rules, and viewed by read-only users. */

const S = '/sales-management'
let count = 0

interface Made {
  idFunnel: number
  stages: { id: number; name: string }[]
  /** Ids of the deals, in their order on the board. */
  deals: number[]
}

async function funnelWith(clinic: Clinic, titles: readonly string[], more: object = {}): Promise<Made> {
  const name = `Вместе ${Date.now()}-${count++}`
  const { id: idFunnel } = await clinic.call('POST', `${S}/funnels`, { name, ...more })
  const { items: stages } = await clinic.call('GET', `${S}/stages?filter[idFunnel]=${idFunnel}&sort=order&limit=20`)
  const deals: number[] = []
  // Each new deal is placed before the first.
  for (const title of [...titles].reverse())
    deals.unshift((await clinic.call('POST', `${S}/leads`, { title, idStage: stages[0].id, price: 1000 })).id)
  return { idFunnel, stages, deals }
}

async function enter(page: Page, clinic: Clinic, path: string): Promise<void> {
  await clinic.enter(page)
  await page.goto(path)
}

const board = ({ idFunnel }: Made) => `/app/deals?funnel=${idFunnel}`
const column = (on: Page, stage: { id: number } | undefined): Locator => on.locator(`[data-column="${stage?.id}"]`)
const card = (on: Page, name: string): Locator => on.locator('[data-card]').filter({ hasText: name })

test('deals are selected and changed together, and that is undone', async ({ page, clinic }) => {
  const made = await funnelWith(clinic, ['Первая', 'Вторая', 'Третья'])
  await enter(page, clinic, board(made))
  await card(page, 'Первая').focus()
  await page.keyboard.press('x')
  await card(page, 'Третья').click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: 'Действия с выбранными' })
  await expect(bar).toContainText('Выбрано: 2')
  await bar.getByRole('button', { name: 'Этап' }).click()
  await page.getByRole('menuitem', { name: 'В работе' }).click()
  await expect(column(page, made.stages[1]).locator('[data-card]')).toHaveCount(2)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(column(page, made.stages[0]).locator('[data-card]')).toHaveCount(3)

  await bar.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.locator('[data-card]')).toHaveCount(1)
  await expect(bar).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page.locator('[data-card]')).toHaveCount(3)
})

test('of several deals those move that may; the others stay selected, with the reason', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of (409|422)/)
  const made = await funnelWith(clinic, ['С предложением', 'Пустая'], { canCompleteDealsWithoutOffers: false })
  await clinic.call('POST', `${S}/offers`, { idLead: made.deals[0], name: 'Осмотр' })
  await enter(page, clinic, board(made))
  await card(page, 'С предложением').focus()
  await page.keyboard.press('x')
  await card(page, 'Пустая').click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: 'Действия с выбранными' })
  await bar.getByRole('button', { name: 'Этап' }).click()
  await page.getByRole('menuitem', { name: 'Успешно' }).click()
  await expect(page.getByText('Перемещено на «Успешно»: 1 из 2')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Без изменений: 1 из 2' })).toContainText('«Пустая»:')
  await expect(card(page, 'Пустая')).toBeVisible()
  await expect(bar).toContainText('Выбрано')
  await page.keyboard.press('Control+z')
  await expect(column(page, made.stages[0]).locator('[data-card]')).toHaveCount(2)
})

test('the marks of a deal change live with its offers', async ({ page, clinic }) => {
  const made = await funnelWith(clinic, ['Ждёт предложения'], { canCompleteDealsWithoutOffers: false })
  await enter(page, clinic, board(made))
  const deal = card(page, 'Ждёт предложения')
  await expect(deal.getByTitle('Пока не может быть завершена')).toBeVisible()
  await clinic.call('POST', `${S}/offers`, { idLead: made.deals[0], name: 'Осмотр' })
  await expect(deal.getByTitle('Предложений: 1')).toBeVisible()
  await expect(deal.getByTitle('Пока не может быть завершена')).toBeHidden()
})

test('two people move one deal at once, and see one order', async ({ page, clinic, visitor, complaints }) => {
  // The neighbour named in a move may be gone by then: the move is refused and the deal stays in place.
  complaints.allow(/status of (409|422)/)
  const made = await funnelWith(clinic, ['Спорная', 'Соседняя'])
  for (const idStage of [made.stages[1]?.id, made.stages[2]?.id])
    await clinic.call('POST', `${S}/leads`, { title: `Стоит ${idStage}`, idStage })
  const other = await visitor()
  await enter(page, clinic, board(made))
  await enter(other, clinic, board(made))
  for (const one of [page, other]) await expect(one.locator('[data-card]')).toHaveCount(4)
  await card(page, 'Спорная').focus()
  await card(other, 'Спорная').focus()
  await Promise.all([page.keyboard.press('Control+Shift+ArrowRight'), other.keyboard.press('Control+Shift+ArrowDown')])
  await Promise.all([page.keyboard.press('Control+Shift+ArrowRight'), other.keyboard.press('Control+Shift+ArrowRight')])
  const orders = (on: Page) =>
    on
      .locator('[data-column]')
      .evaluateAll((columns) =>
        columns.map((one) =>
          [...one.querySelectorAll<HTMLElement>('li[data-index]')]
            .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
            .map((row) => row.querySelector<HTMLElement>('[data-card]')?.dataset.card),
        ),
      )
  const saved = async () => {
    const { items } = await clinic.call(
      'GET',
      `${S}/leads?filter[stage.idFunnel]=${made.idFunnel}&sort=order&limit=20&fields=idStage`,
    )
    return made.stages.map(({ id }) =>
      items.filter((one: { idStage: number }) => one.idStage === id).map((one: { id: number }) => String(one.id)),
    )
  }
  await expect
    .poll(async () => {
      const [mine, theirs, server] = [await orders(page), await orders(other), await saved()]
      return JSON.stringify(mine) === JSON.stringify(server) && JSON.stringify(theirs) === JSON.stringify(server)
    })
    .toBe(true)
})

test('an archived stage is restored with its deals', async ({ page, clinic }) => {
  const made = await funnelWith(clinic, ['Первая', 'Вторая'])
  await enter(page, clinic, `/app/funnels/${made.idFunnel}`)
  await page.getByRole('button', { name: 'Действия: Новая' }).click()
  await page.getByRole('menuitem', { name: 'Убрать этап…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Убрать этап «Новая»?' })
  await expect(dialog.getByText('2 сделки перейдут на этап')).toBeVisible()
  await dialog.getByRole('button', { name: 'Убрать этап' }).click()
  await expect(page.getByRole('button', { name: 'Действия: Новая' })).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page.getByRole('button', { name: 'Действия: Новая' })).toBeVisible()
  await page.goto(board(made))
  await expect(column(page, made.stages[0]).locator('[data-card]')).toHaveText([/Первая/, /Вторая/])
})

test('a reader of deals sees no control that would be refused', async ({ page, clinic }) => {
  const made = await funnelWith(clinic, ['Чужая'])
  const looker = await clinic.person()
  const { id: idRole } = await clinic.call('POST', '/roles', {
    name: `Смотрит сделки ${Date.now()}`,
    permissions: ['viewSalesManagement'],
  })
  await clinic.call('POST', '/user-roles', { idUser: looker.id, idRole })
  await signIn(page, looker)
  await page.goto(board(made))
  await expect(card(page, 'Чужая')).toBeVisible()
  await expect(page.getByRole('button', { name: /Новая сделка|Добавить сделку/ })).toHaveCount(0)
  await card(page, 'Чужая').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Control+Shift+ArrowRight')
  await expect(page.getByRole('toolbar', { name: 'Действия с выбранными' })).toHaveCount(0)
  await expect(column(page, made.stages[0]).locator('[data-card]')).toHaveCount(1)

  await page.goto(`${board(made)}&lead=${made.deals[0]}`)
  const dialog = page.getByRole('dialog', { name: /^Сделка/ })
  await expect(dialog.getByLabel('Название сделки')).toHaveAttribute('readonly')
  await expect(dialog.getByRole('button', { name: /Действия со сделкой|^Контакт|^Прикрепить$/ })).toHaveCount(0)

  await page.goto(`/app/funnels/${made.idFunnel}`)
  await expect(page.getByRole('list', { name: 'Этапы' })).toContainText('Успешно')
  await expect(page.getByRole('button', { name: /^Действия: / })).toHaveCount(0)
  await page.goto('/app/deals/requests')
  await expect(page.getByRole('heading', { level: 1, name: 'Неразобранное' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Разобрать|Приём заявок/ })).toHaveCount(0)
  await phone(page)
  await fits(page)
})

test('a public form becomes a deal, and the actions of its stage are in the log', async ({ page, clinic, visitor }) => {
  const made = await funnelWith(clinic, [])
  const seller = await clinic.person({ surname: 'Назначенцев' })
  await clinic.call('POST', `${S}/stage-actions`, {
    idStage: made.stages[1]?.id,
    type: 'responsible',
    idUser: seller.id,
  })
  const who = `Формов ${Date.now()}`
  const { key } = await clinic.call('POST', `${S}/intakes`, { name: who, kind: 'form', idFunnel: made.idFunnel })
  const site = await visitor()
  await site.goto(`${clinic.url}/intake/${key}/form?utm_source=yandex`)
  await site.getByLabel('Имя').fill(who)
  await site.getByLabel('Телефон').fill(`+7901${String(Date.now()).slice(-7)}`)
  await site.getByRole('button').click()
  await expect(site.getByRole('button')).toHaveCount(0)

  await enter(page, clinic, '/app/deals/requests')
  await page.getByRole('button', { name: `Разобрать: ${who}` }).click()
  await page.getByRole('button', { name: 'Создать сделку' }).click()
  await expect(page.getByText(`Заявка принята: ${who}`)).toBeVisible()
  await page.goto(board(made))
  await card(page, who).focus()
  await page.keyboard.press('Control+Shift+ArrowRight')
  await expect(column(page, made.stages[1]).getByRole('group', { name: /^Ответственные: .*Назначенцев/ })).toBeVisible()
  await card(page, who).click()
  await page.getByRole('tab', { name: 'Журнал' }).click()
  await expect(page.getByText(/Назначен ответственный: Назначенцев/)).toBeVisible()
})
