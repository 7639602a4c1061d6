import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'

/** URL schemes allowed in links, besides own paths. */
export const linkSchemes = ['http', 'https', 'ftp', 'mailto', 'tel']

/** A stored file of this server, or a smaller copy of it. */
export const ownPicture = /^\/files\/\d{1,15}(\/(small|medium|large))?$/

/** Allowed elements and attributes of rich text: those the screens render (apps/web/src/records/RichText.tsx). */
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

/** Everything else is removed before storing. */
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
    // Keeps blocks of other editors separate.
    div: 'p',
    table: (tagName, { 'data-lines': lines }) => ({
      tagName,
      attribs: lines === 'none' ? { 'data-lines': lines } : ({} as Record<string, string>),
    }),
  },
  // Only pictures stored by this server are allowed.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !ownPicture.test(attribs.src ?? ''),
}

/** Misplaced elements (a cell in a cell) are closed differently when parsed again: repeat until stable. */
const TURNS = 5

/** Plain paragraphs, the most common text: cleaning would return them unchanged. */
const plain = /^(?:<p>[^<>&\0]*<\/p>)+$/

/** Cleans a text; cleaning it again changes nothing. */
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

/** Escapes plain text for HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] as string)

/** Maximum nesting: cleaning, rendering and printing recurse per level. */
const MAX_NESTING = 700

/** `<b>`: a shorter text cannot have too many. */
const SHORTEST_TAG = 3

/** True when the nesting is too deep. Parsed like the cleaner: a stray end tag closes nothing. */
function isTooDeep(html: string): boolean {
  if (html.length <= MAX_NESTING * SHORTEST_TAG) return false
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

/** Each costs as much as a hundred letters and is stored as five characters: no valid text has so many. */
const MAX_AMPERSANDS = 40_000

/** True when cleaning would take long, for an unusual text. */
export function hasTooManySigns(html: string): boolean {
  let signs = 0
  for (let at = html.indexOf('&'); at >= 0; at = html.indexOf('&', at + 1)) if (++signs > MAX_AMPERSANDS) return true
  return false
}

/** Reason to refuse a text before cleaning, whatever its source; undefined: none. */
export function whyNotCleaned(html: string): string | undefined {
  if (isTooDeep(html)) return 'В тексте слишком много вложенных элементов'
  return hasTooManySigns(html) ? 'В тексте слишком много знаков «&»' : undefined
}
