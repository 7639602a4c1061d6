/** HTML escaped by construction: any value in a template that is not Html is text. */
import { createHash } from 'node:crypto'

export interface Html {
  readonly html: string
}
type Part = Html | string | number | null | undefined | false | readonly Part[]

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] as string)

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(textOf).join('')
}

/** Attributes must be in double quotes; addresses must pass `safeAddress` of `addresses.ts` first. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: strings.reduce((all, text, at) => all + textOf(parts[at - 1]) + text),
})

/** Markup sanitised when it was stored. */
export const cleaned = (markup: string): Html => ({ html: markup })

/** Lines of a plain text. */
export const lines = (text: string): Html => ({ html: escaped(text.trim()).replace(/\n/g, '<br>') })

/** Structured data within a page, escaped so that it cannot end its element. */
export const dataOf = (data: unknown): Html => ({
  html: `<script type="application/ld+json">${JSON.stringify(data).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)}</script>`,
})

/** Hash of an inline element for the content security policy. */
export const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
