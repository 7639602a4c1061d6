import { Fragment, type Schema, Slice } from '@tiptap/pm/model'

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, pre, blockquote'

/**
 * Lines of a pasted text with a table: a row is a line, its cells are separated by tabs.
 * @returns undefined when there is no table
 */
export function pastedLines(html: string): string[] | undefined {
  if (!/<table[\s>]/i.test(html)) return undefined
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  if (!body.querySelector('tr')) return undefined
  const plain = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
  const lines = [...body.querySelectorAll(`tr, ${BLOCKS}`)]
    .filter((one) => one.tagName === 'TR' || (!one.closest('table') && !one.querySelector(`tr, ${BLOCKS}`)))
    .map((one) => (one instanceof HTMLTableRowElement ? [...one.cells].map(plain).join('\t') : plain(one)))
  return lines.filter((line) => line.trim() !== '')
}

/** The same as paragraphs, for an editor without tables; an editor with tables uses the HTML itself. */
export function pastedRows(schema: Schema, html: string): Slice | undefined {
  const { table, paragraph } = schema.nodes
  const lines = table || !paragraph ? undefined : pastedLines(html)
  if (!lines || !paragraph) return undefined
  return new Slice(Fragment.from(lines.map((line) => paragraph.create(null, schema.text(line)))), 1, 1)
}
