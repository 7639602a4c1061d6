/** Messages to the user when the server refuses or fails, on every page: spec §8. */
import type { Page as Declared } from '@ordinator/model/page'
import { pages } from '@ordinator/model/pages'
import type { Page, Route } from 'playwright/test'
import { type Clinic, expect, signIn, test, title } from './support.ts'

/** Forms of new records read nothing until a list is opened. */
const READS_NOTHING = new Set(['discount/create', 'discounts/check', 'new-scripts', 'settings/filials/create'])

/** Each page with something to be about. */
const addresses = (pages as readonly Declared[])
  .filter((one) => !one.public && !READS_NOTHING.has(one.path))
  .map(({ path }) => `/app/${path.replace(/:\w+/g, '2')}?id=2&idCustomer=2`)

/** Every read of a page gets this response; the sign-in and the account do not. */
const answered = (page: Page, status: number, message: () => string) =>
  page.route('**/*', (route: Route) => {
    const request = route.request()
    const isRead = ['fetch', 'xhr'].includes(request.resourceType()) && request.method() === 'GET'
    return isRead && !/^\/(app|web|auth|common)\//.test(new URL(request.url()).pathname)
      ? route.fulfill({ status, json: { name: 'Error', message: message(), status } })
      : route.fallback()
  })

/** A page without reads, from which the others are opened. */
async function stand(page: Page, clinic: Clinic): Promise<void> {
  await clinic.enter(page)
  await page.goto('/app/error/404')
  await expect(page.getByRole('heading').first()).toBeVisible()
}

/** Navigates without reloading the app: there are many pages. */
const walk = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

test('whatever page it is, a refused read opens the page «no access»', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of 403/)
  await stand(page, clinic)
  let message = ''
  await answered(page, 403, () => message)
  const stayed: string[] = []
  for (const address of addresses) {
    message = `Нельзя смотреть: ${address}`
    const isRefused = ({ pathname, searchParams }: URL) =>
      pathname === '/app/error/403' && searchParams.get('errorText') === message
    await walk(page, address)
    await page.waitForURL(isRefused, { timeout: 10_000 }).catch(() => stayed.push(address))
    await walk(page, '/app/error/404')
    await expect(page.getByRole('heading', { name: 'Страница не найдена' })).toBeVisible()
  }
  expect(stayed).toEqual([])
})

for (const part of [0, 1, 2])
  test(`whatever page it is, a failed read is reported: ${part + 1} of 3`, async ({ page, clinic, complaints }) => {
    complaints.allow(/status of 400/)
    await stand(page, clinic)
    let message = ''
    await answered(page, 400, () => message)
    const silent: string[] = []
    for (const address of addresses.filter((_, at) => at % 3 === part)) {
      message = `База отдыхает: ${address}`
      await walk(page, address)
      await expect(page.getByRole('alert').filter({ hasText: message }).first())
        .toBeVisible({ timeout: 10_000 })
        .catch(() => silent.push(address))
      await walk(page, '/app/error/404')
      await expect(page.getByRole('heading', { name: 'Страница не найдена' })).toBeVisible()
      // A toast already shown is not shown again.
      const toasts = page.getByRole('button', { name: 'Закрыть уведомление' })
      await toasts.evaluateAll((all) => {
        for (const one of all) (one as HTMLElement).click()
      })
      await expect(toasts).toHaveCount(0)
    }
    expect(silent).toEqual([])
  })

test('an account, its settings and the choices of a screen: each failure is shown', async ({
  page,
  clinic,
  complaints,
}) => {
  complaints.allow(/status of 500/)
  const toast = (name: string) => page.getByRole('alert').filter({ hasText: name })
  const broken = { status: 500, json: { name: 'Error', message: 'Сервер устал', status: 500 } }
  await signIn(page, await clinic.person({ roles: ['Руководитель'] }))
  await page.goto('/app')
  await expect(title(page, 'Рабочий стол')).toBeVisible()

  await page.route('**/common/get-account', (route) => route.fulfill(broken))
  await page.reload()
  await expect(toast('Не удалось получить аккаунт')).toContainText('Сервер устал')
  await page.unroute('**/common/get-account')

  await page.route('**/common/get-account', async (route) => {
    const response = await route.fetch()
    const account = await response.json().catch(() => undefined)
    if (!account) return
    account.user.settings = {}
    await route.fulfill({ response, json: account })
  })
  await page.reload()
  // The default settings apply: the page opens all the same.
  await expect(toast('Не удалось получить настройки пользователя')).toContainText('Действуют настройки по умолчанию')
  await expect(page.getByRole('navigation', { name: 'Разделы' })).toBeVisible()
  await page.unroute('**/common/get-account')

  await page.route('**/user-settings?*', (route) => route.fulfill(broken))
  await page.goto('/app/news')
  await expect(toast('Не удалось получить настройки пользователя по названию')).toContainText('Сервер устал')
})
