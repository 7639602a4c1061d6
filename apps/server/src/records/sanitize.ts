import type { Entity } from '@ordinator/model/entity'
import sanitizeHtml from 'sanitize-html'
import type { Values } from './write.ts'

/** What rich text may hold; everything else is dropped before it is stored. */
const allowList: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'mark',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'a',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'sub',
    'sup',
    'label',
    'input',
    'div',
  ],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ul: ['data-type'],
    li: ['data-type', 'data-checked'],
    span: ['data-type', 'data-id', 'data-label'],
    input: [{ name: 'type', values: ['checkbox'] }, 'checked', 'disabled'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'ftp'],
  // Pictures are stored by us and never hot-linked, so only our own addresses stay.
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer', target: '_blank' }) },
}

export const sanitize = (html: string): string => (/[<&]/.test(html) ? sanitizeHtml(html, allowList) : html)

/** Cleans the rich texts among the values, in place. */
export function sanitizeValues(entity: Entity, values: Values): void {
  for (const [field, value] of Object.entries(values)) {
    if (entity.fields[field]?.kind === 'richText' && typeof value === 'string') values[field] = sanitize(value)
  }
}
