import type { Page } from 'playwright/test'
import { menu } from './shellMenu.ts'
import { expect, fits, phone, signIn, test, title } from './support.ts'

test('the menu has the permitted pages, in sections that fold and stay so', async ({ page, visitor, clinic }) => {
  await signIn(page, await clinic.person({ roles: ['Полный доступ'] }))
  await page.goto('/app')
  const section = (name: string) => menu(page).getByRole('button', { name })
  const link = (name: string) => menu(page).getByRole('link', { name, exact: true })
  await expect(section('Приём')).toHaveAttribute('aria-expanded', 'true')
  await expect(link('Лист дня')).toBeVisible()
  await expect(link('Настройки')).toBeVisible()
  await section('Приём').click()
  await expect(link('Лист дня')).toBeHidden()
  await page.reload()
  await expect(section('Приём')).toHaveAttribute('aria-expanded', 'false')
  await page.goto('/app/users')
  // The section of the open page is expanded.
  await expect(link('Сотрудники')).toHaveAttribute('aria-current', 'page')

  const other = await visitor()
  await clinic.enter(other, 'Кладовщик')
  await other.goto('/app/users')
  await expect(other).toHaveURL(/\/error\/403/)
  // A refusal keeps the menu and the search.
  await expect(menu(other).getByRole('link', { name: 'Рабочий стол' })).toBeVisible()
  await expect(menu(other).getByRole('link', { name: 'Расписание' })).toHaveCount(0)
  await expect(other.getByRole('button', { name: 'Поиск и команды' })).toBeVisible()
})

test('a starred place comes first, is moved by keys and follows the person to another machine', async ({
  page,
  visitor,
  clinic,
}) => {
  const person = await clinic.person({ roles: ['Полный доступ'] })
  await signIn(page, person)
  const star = page.getByRole('button', { name: 'В избранное' })
  for (const [path, name] of [
    ['roles', 'Роли и права'],
    ['news', 'Новости'],
  ] as const) {
    await page.goto(`/app/${path}`)
    await expect(title(page, name)).toBeVisible()
    await star.click()
    await expect(page.getByRole('button', { name: 'Убрать из избранного', exact: true })).toBeVisible()
  }
  const starred = (at: Page) => at.getByRole('list', { name: 'Избранное' }).getByRole('link')
  await expect(starred(page)).toHaveText(['Роли и права', 'Новости'])
  await starred(page).last().press('Alt+ArrowUp')
  await expect(starred(page)).toHaveText(['Новости', 'Роли и права'])
  const elsewhere = await visitor()
  await signIn(elsewhere, person)
  await elsewhere.goto('/app')
  await expect(starred(elsewhere)).toHaveText(['Новости', 'Роли и права'])
})

test('the folded menu shows a section by click, and moves through it by arrow keys', async ({ page, clinic }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await clinic.enter(page)
  await page.goto('/app')
  const tile = menu(page).getByRole('button', { name: 'Пациенты' })
  await tile.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('menuitem', { name: 'Клиенты' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(title(page, 'Осмотры')).toBeVisible()
})

test('on a phone the usual places are at the bottom, and the menu is a drawer', async ({ page, clinic }) => {
  await phone(page)
  await clinic.enter(page)
  await page.goto('/app')
  await expect(title(page, 'Рабочий стол')).toBeVisible()
  await expect(menu(page)).toBeHidden()
  const foot = page.getByRole('navigation', { name: 'Главное' })
  await foot.getByRole('link', { name: 'Задачи' }).click()
  await expect(title(page, 'Мои задачи')).toBeVisible()
  await foot.getByRole('button', { name: 'Ещё' }).click()
  const drawer = page.getByRole('dialog', { name: 'Меню' })
  await expect(drawer).toBeVisible()
  // The account stores the folded sections: another test of the same user may have opened this one.
  const section = drawer.getByRole('button', { name: 'Клиника', exact: true })
  if ((await section.getAttribute('aria-expanded')) === 'false') await section.click()
  await drawer.getByRole('link', { name: 'Сотрудники' }).click()
  await expect(title(page, 'Сотрудники')).toBeVisible()
  await expect(drawer).toBeHidden()
  for (const path of ['', 'users', 'roles', 'profile', 'socket', 'tasks']) {
    await page.goto(`/app/${path}`)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await fits(page)
  }
})

test('on a wide screen the menu shows its labels until the person chooses otherwise', async ({ page, clinic }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await signIn(page, await clinic.person())
  await page.goto('/app')
  const unpin = page.getByRole('button', { name: 'Свернуть меню' })
  await unpin.click()
  await expect(page.getByRole('button', { name: 'Закрепить меню' })).toHaveAttribute('aria-pressed', 'false')
  await expect
    .poll(
      async () =>
        (await clinic.call('GET', '/health')) && page.evaluate(() => localStorage.getItem('ordinator:account')),
    )
    .toContain('"menuChosen":true')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Закрепить меню' })).toBeVisible()
  await expect(unpin).toBeHidden()
})
