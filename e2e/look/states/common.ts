/** What states are, and what their walks share. */
import { expect, type Page } from 'playwright/test'
import type { World } from '../world.ts'

export interface State {
  /** Unique on its page; the page itself has none. */
  name?: string
  /** Under the server's address, `/app` for the web; without it the page's own path. */
  at?(world: World): string
  /** From the opened page to the state; ends when what is to be looked at is seen. */
  open?(page: Page, world: World): Promise<unknown>
  /** Of who only reads, instead of who may do everything. */
  reads?: true
  /** Stands on one width only: a drawer of the phone, a popover that closes when the window changes. */
  only?: 'wide' | 'narrow'
  /** What the state does on purpose and the console tells of. */
  allow?: RegExp
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', { name }).last()

export const seen = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

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

/** A registry that follows from its entity: the list, and the drawer of a new record. */
export const registry: readonly State[] = [
  {},
  {
    name: 'новая запись',
    async open(page) {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('n')
      // The first field, whether one types into it or chooses.
      const fields = dialog(page).getByRole('textbox').or(dialog(page).getByRole('combobox'))
      await expect(fields.first()).toBeFocused()
    },
  },
]

/** One whose form begins with something else than a text. */
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
