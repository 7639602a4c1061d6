import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'

/** Addresses that a link may lead to besides the house's own. */
export const linkSchemes = ['http', 'https', 'ftp', 'mailto', 'tel']

/** A stored file of ours, or a smaller copy of it. */
export const ownPicture = /^\/files\/\d{1,15}(\/(small|medium|large))?$/

/** What rich text may hold: the elements that the screens draw (apps/web/src/records/RichText.tsx), with their attributes. */
export const richTextTags: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'p br hr h1 h2 h3 h4 strong b em i u s mark code pre blockquote ul ol li thead tbody tr sub sup'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  table: ['data-lines'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  a: ['href', 'target', 'rel'],
  img: ['src', 'alt', 'width', 'height'],
  span: ['data-type', 'data-id', 'data-label'],
}

/** Everything else is dropped before it is stored. */
const allowList: sanitizeHtml.IOptions = {
  allowedTags: Object.keys(richTextTags),
  allowedAttributes: {
    ...(richTextTags as Record<string, string[]>),
    span: [{ name: 'data-type', multiple: false, values: ['mention'] }, 'data-id', 'data-label'],
  },
  allowedSchemes: linkSchemes,
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer', target: '_blank' }),
    // Blocks of other editors stay apart.
    div: 'p',
    table: (tagName, { 'data-lines': lines }) => ({
      tagName,
      attribs: lines === 'none' ? { 'data-lines': lines } : ({} as Record<string, string>),
    }),
  },
  // Pictures are stored by us and never hot-linked.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !ownPicture.test(attribs.src ?? ''),
}

/** Elements in the wrong place (a cell in a cell) are closed in another way when they are read again: until it stays. */
const TURNS = 5

/** Paragraphs of words, which is most of what is written: the allow-list would give them back as they are. */
const plain = /^(?:<p>[^<>&\0]*<\/p>)+$/

/** What may be kept of a text; cleaning that once more changes nothing. */
export function sanitize(html: string): string {
  if (plain.test(html)) return html
  let clean = html
  for (let turn = 0; turn < TURNS && /[<&]/.test(clean); turn++) {
    const next = sanitizeHtml(clean, allowList)
    if (next === clean) break
    clean = next
  }
  return clean
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A plain text as HTML that says the same. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] as string)

/** Elements within elements: cleaning, drawing and printing take a step down for each. */
const MAX_NESTING = 700

/** Whether it is not worth the cleaning. Read as the cleaning reads it: what closes nothing leads nowhere up. */
function isTooDeep(html: string): boolean {
  let depth = 0
  const parser = new Parser({
    onopentagname() {
      if (++depth > MAX_NESTING) parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(html)
  return depth > MAX_NESTING
}

/** Each costs as much as a hundred letters, and is five when it is stored: so many fit into no text. */
const MAX_AMPERSANDS = 40_000

/** Whether the cleaning would take long for nothing that anybody writes. */
export function hasTooManySigns(html: string): boolean {
  let signs = 0
  for (let at = html.indexOf('&'); at >= 0; at = html.indexOf('&', at + 1)) if (++signs > MAX_AMPERSANDS) return true
  return false
}

/** Why a text is refused before it is cleaned, wherever it comes from; undefined: it is cleaned. */
export function whyNotCleaned(html: string): string | undefined {
  if (isTooDeep(html)) return 'В тексте слишком много вложенных элементов'
  return hasTooManySigns(html) ? 'В тексте слишком много знаков «&»' : undefined
}
