import { expect, test } from 'vitest'
import { pageHelp } from './pageHelp.ts'
import { type Page, type PageKey, pages } from './pages.ts'

/** Nothing but the state of the connection, in words of its own. */
const plain: readonly PageKey[] = ['socket']

test('«?» says of every page of the menu how one works on it', () => {
  const inMenu: readonly Page[] = pages.filter((page: Page) => page.menu)
  const silent = inMenu.map(({ key }) => key as PageKey).filter((key) => !pageHelp[key]?.length && !plain.includes(key))
  expect(silent).toEqual([])
})
