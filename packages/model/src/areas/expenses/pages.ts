import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const expensesPages = [] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const expensesHelp = {} as const satisfies Readonly<Record<string, readonly string[]>>
