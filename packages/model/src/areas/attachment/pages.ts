import type { Page } from '../../page.ts'

/** The screens of the area; `pages.ts` of the model joins them to the list. */
export const attachmentPages = [] as const satisfies readonly Page[]

/** What «?» tells about them, by the key of the page. */
export const attachmentHelp = {} as const satisfies Readonly<Record<string, readonly string[]>>
