/** HTML that is escaped by construction: whatever stands in a template and was not made by one is text. */
import { createHash } from 'node:crypto'

export interface Html {
  readonly html: string
}
type Part = Html | string | number | null | undefined | false | readonly Part[]

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] as string)

function said(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(said).join('')
}

/** Attributes stand in double quotes in the template; addresses go through `safeAddress` of `addresses.ts` first. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: strings.reduce((all, text, at) => all + said(parts[at - 1]) + text),
})

/** Markup that was cleaned when it was stored. */
export const cleaned = (markup: string): Html => ({ html: markup })

/** Lines of a plain text. */
export const lines = (text: string): Html => ({ html: escaped(text.trim()).replace(/\n/g, '<br>') })

/** Data for machines within a page: nothing in it ends the element that it stands in. */
export const dataOf = (data: unknown): Html => ({
  html: `<script type="application/ld+json">${JSON.stringify(data).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)}</script>`,
})

/** What a policy of contents knows an element in the page by. */
export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
