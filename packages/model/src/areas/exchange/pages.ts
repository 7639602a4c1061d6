import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const exchangePages = [] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const exchangeHelp = {} as const satisfies Readonly<Record<string, readonly string[]>>
