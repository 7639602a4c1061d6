import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const exchangePages = [] as const satisfies readonly Page[]
