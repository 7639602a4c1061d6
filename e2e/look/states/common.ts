/** The type of states, and shared helpers. */
import { expect, type Page } from 'playwright/test'
import type { World } from '../world.ts'

export interface State {
  /** Unique on its page; the page itself has none. */
  name?: string
  /** URL under the server's root, `/app` for the web; absent: the page's own path. */
  at?(world: World): string
  /** Opens the state; ends when its content is visible. */
  open?(page: Page, world: World): Promise<unknown>
  /** As a user with read-only rights, instead of all rights. */
  reads?: true
  /** Only at one width: a drawer of the phone, a popover that closes when the window changes. */
  only?: 'wide' | 'narrow'
  /** Expected console messages. */
  allow?: RegExp
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', { name }).last()

export const shows = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

export const menu = async (page: Page, name: string | RegExp, item: string) => {
  await button(page, name).first().click()
  await page.getByRole('menuitem', { name: item }).first().click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

export const tab = async (page: Page, name: string | RegExp) => {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tabpanel').first()).toBeVisible()
}

export const cards = (page: Page) => expect(page.locator('[data-card]').first()).toBeVisible()

export const filial = ({ filial }: World) => `/app/settings/filial/update/${filial}`

export const CSV = (lines: string) => ({ name: 'файл.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })

/** A generated registry: the list, and the drawer of a new record. */
export const registry: readonly State[] = [
  {},
  {
    name: 'новая запись',
    async open(page) {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('n')
      // The first field, or the first required one: a text field or a select.
      await expect(dialog(page).locator('form :is(input, textarea, [contenteditable]):focus')).toBeVisible()
    },
  },
]

/** A registry whose form begins with something other than a text field. */
export const registryOfChoice: readonly State[] = [
  {},
  {
    name: 'новая запись',
    async open(page) {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('n')
      await expect(dialog(page).getByRole('button', { name: 'Создать' })).toBeVisible()
    },
  },
]
