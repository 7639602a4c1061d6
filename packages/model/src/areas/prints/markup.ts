/** Parses rich text markup to nodes. Tolerant: anything that is not markup is text. Pure. */

export interface MarkupElement {
  tag: string
  /** Raw attributes, with a leading space. */
  attributes: string
  inner: Markup[]
}
export type Markup = { text: string } | MarkupElement

/** Maximum depth; deeper nodes are appended at it. */
const MAX_DEPTH = 60
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>|[^<]+|</gi
export const empty: ReadonlySet<string> = new Set(['br', 'hr', 'img'])

export function readMarkup(html: string): Markup[] {
  const root: Markup[] = []
  const open: MarkupElement[] = []
  const here = () => open.at(-1)?.inner ?? root
  for (const [whole, closing, name, attributes = ''] of html.matchAll(TOKEN)) {
    const tag = name?.toLowerCase()
    if (!tag) here().push({ text: decoded(whole) })
    else if (closing) {
      const at = open.findLastIndex((one) => one.tag === tag)
      if (at >= 0) open.length = at
    } else {
      const element = { tag, attributes: unclosed(attributes), inner: [] }
      here().push(element)
      if (!empty.has(tag) && open.length < MAX_DEPTH) open.push(element)
    }
  }
  return root
}

/** Attributes without the slash of an empty element. */
function unclosed(attributes: string): string {
  const own = attributes.trimEnd()
  return own.endsWith('/') ? own.slice(0, -1).trimEnd() : own
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Decodes entities of a text without elements. */
const decoded = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name) return signs[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

const written: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Encodes a text as markup. */
export const encoded = (text: string): string => text.replace(/[&<>"]/g, (sign) => written[sign] as string)
