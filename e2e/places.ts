import type { Page } from 'playwright/test'
import type { World } from './look/world.ts'

/** URLs of these records, and the steps after opening. */
export const task = ({ board, card }: World) => `/app/tasks?board=${board}&assignedColumn=${card}`
export const cash = ({ cashDesk }: World) => `/app/cash?desk=${cashDesk}`
export const chat = ({ chat: id }: World) => `/app/live-assist?chat=${id}`

/** Presses controls one after another. */
export async function press(page: Page, names: readonly (string | RegExp)[] = []): Promise<void> {
  for (const name of names)
    await page.getByRole('button', { name }).or(page.getByRole('menuitem', { name })).first().click()
}
