/** Converts rich text to blocks for documents: paragraphs, list items, tables. */
import { type AnyNode, type Element, isTag, isText } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'

export interface Run {
  text: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  strike?: boolean
  mark?: boolean
  code?: boolean
  raise?: 'sub' | 'sup'
  href?: string
}

export interface ListPlace {
  /** The same for all items of one list. */
  list: number
  ordered: boolean
  /** From 0. */
  depth: number
  /** From 1; 0: continues the item above. */
  n: number
}

export interface Paragraph {
  kind: 'paragraph'
  runs: Run[]
  /** Heading level, from 1 to 4. */
  level?: number
  place?: ListPlace
  isQuote?: boolean
  isCode?: boolean
}

export interface Cell {
  text: string
  isHead: boolean
  /** All of its text is bold. */
  isBold?: true
  picture?: Picture
}

/** Every row has the same number of cells; the content of a spanning cell is in the first one. */
export interface Table {
  kind: 'table'
  rows: Cell[][]
  /** Without borders. */
  isBare?: true
}

/** A picture by its address, or a code that encodes `alt`. */
export interface Picture {
  kind: 'picture'
  src: string
  alt: string
  code?: string
}

export type Block = Paragraph | Table | { kind: 'rule' }

/** Maximum cells of a table: spans of a hostile text would make millions. */
const MAX_CELLS = 5_000

/** @param html sanitised */
export const blocksOf = (html: string | null): Block[] => read(html, false) as Block[]

/** The same with the pictures in the text. */
export const pagesOf = (html: string | null): (Block | Picture)[] => read(html, true)

function read(html: string | null, pictures: boolean): (Block | Picture)[] {
  const blocks: (Block | Picture)[] = []
  if (!html) return blocks
  let lists = 0
  let open: Paragraph | undefined

  const begin = (frame: Frame): Paragraph => {
    const { level, place, isQuote, isCode } = frame
    open = {
      kind: 'paragraph',
      runs: [],
      ...(level && { level }),
      ...(isQuote && { isQuote }),
      ...(isCode && { isCode }),
    }
    if (place) {
      open.place = { ...place }
      place.n = 0
    }
    blocks.push(open)
    return open
  }
  const end = () => {
    open = undefined
  }
  const say = (text: string, frame: Frame) => {
    const shown = frame.isCode ? text : text.replace(/[^\S\u00a0]+/g, ' ')
    if (!open && shown.trim() === '') return
    const { runs } = open ?? begin(frame)
    runs.push({ text: runs.length === 0 && !frame.isCode ? shown.trimStart() : shown, ...frame.look })
  }
  const list = (node: Element, frame: Frame) => {
    const depth = frame.depth + 1
    const number = ++lists
    let n = 0
    for (const item of node.children.filter(isTag)) {
      n += 1
      const place = { list: number, ordered: node.name === 'ol', depth, n }
      end()
      each(item.children, { ...frame, depth, place })
      end()
    }
  }
  const each = (nodes: readonly AnyNode[], frame: Frame) => {
    for (const node of nodes) {
      if (isText(node)) say(node.data, frame)
      else if (isTag(node)) tag(node, frame)
    }
  }
  const tag = (node: Element, frame: Frame) => {
    const { name, children } = node
    if (name === 'img') {
      if (!pictures) return
      end()
      blocks.push(pictureOf(node))
      return
    }
    if (name === 'br') return void open?.runs.push({ text: '\n', ...frame.look })
    const look = looks[name]
    if (look) return each(children, { ...frame, look: { ...frame.look, ...look } })
    if (name === 'a' || name === 'span') {
      const href = node.attribs.href
      return each(
        children,
        href && /^(https?|mailto|tel):/i.test(href) ? { ...frame, look: { ...frame.look, href } } : frame,
      )
    }
    end()
    if (name === 'ul' || name === 'ol') list(node, frame)
    else if (name === 'hr') blocks.push({ kind: 'rule' })
    else if (name === 'table') blocks.push(tableOf(node, pictures))
    else if (/^h[1-4]$/.test(name)) each(children, { ...frame, level: Number(name[1]) })
    else if (name === 'blockquote') each(children, { ...frame, isQuote: true })
    else if (name === 'pre') each(children, { ...frame, isCode: true })
    else each(children, frame)
    end()
  }
  each(parseDocument(html).children, { depth: -1, look: {} })
  return blocks
}

/** Context passed down to nested nodes. */
interface Frame {
  depth: number
  look: Omit<Run, 'text'>
  level?: number
  place?: ListPlace
  isQuote?: boolean
  isCode?: boolean
}

const looks: Readonly<Record<string, Omit<Run, 'text'>>> = {
  strong: { bold: true },
  b: { bold: true },
  em: { italic: true },
  i: { italic: true },
  u: { underline: true },
  s: { strike: true },
  mark: { mark: true },
  code: { code: true },
  sub: { raise: 'sub' },
  sup: { raise: 'sup' },
}

function tableOf(table: Element, pictures: boolean): Table {
  const rows: Table['rows'] = []
  const taken = new Map<number, number>()
  for (const line of linesOf(table)) {
    const row: Table['rows'][number] = []
    const skip = () => {
      for (let left = taken.get(row.length) ?? 0; left > 0; left = taken.get(row.length) ?? 0) {
        taken.set(row.length, left - 1)
        row.push({ text: '', isHead: false })
      }
    }
    for (const cell of line.children.filter(isTag)) {
      skip()
      const [wide, high] = [spanOf(cell.attribs.colspan), spanOf(cell.attribs.rowspan)]
      for (let n = 0; n < wide; n++) {
        if (high > 1) taken.set(row.length, high - 1)
        row.push(n === 0 ? cellOf(cell, pictures) : { text: '', isHead: cell.name === 'th' })
      }
    }
    skip()
    rows.push(row)
    if (rows.length * Math.max(...rows.map(({ length }) => length)) > MAX_CELLS) break
  }
  const width = Math.max(0, ...rows.map(({ length }) => length))
  for (const row of rows) while (row.length < width) row.push({ text: '', isHead: false })
  return { kind: 'table', rows, ...(table.attribs['data-lines'] === 'none' && { isBare: true }) }
}

function cellOf(cell: Element, pictures: boolean): Cell {
  const held = pictures ? DomUtils.findOne(({ name }) => name === 'img', cell.children) : null
  const words = DomUtils.find((node) => isText(node) && node.data.trim() !== '', cell.children, true, 50)
  const isBold = words.length > 0 && words.every((node) => isWithin(node, cell, boldTags))
  return {
    text: cellText(cell),
    isHead: cell.name === 'th',
    ...(isBold && { isBold }),
    ...(held && { picture: pictureOf(held) }),
  }
}

const boldTags: ReadonlySet<string> = new Set(['strong', 'b'])

function isWithin(node: AnyNode, top: Element, tags: ReadonlySet<string>): boolean {
  for (let now = node.parent; now && now !== top; now = now.parent) if (isTag(now) && tags.has(now.name)) return true
  return false
}

const pictureOf = ({ attribs }: Element): Picture => ({
  kind: 'picture',
  src: attribs.src ?? '',
  alt: attribs.alt ?? '',
  ...(attribs['data-code'] && { code: attribs['data-code'] }),
})

const linesOf = (table: Element): Element[] =>
  table.children.filter(isTag).flatMap((one) => (one.name === 'tr' ? [one] : one.children.filter(isTag)))

const spanOf = (value: string | undefined): number => Math.min(20, Math.max(1, Number.parseInt(value ?? '', 10) || 1))

/** Paragraphs of a cell, one per line. */
const cellText = (cell: Element): string =>
  (cell.children.some((one) => isTag(one) && isBlock.test(one.name)) ? cell.children.map(wordsOf) : [wordsOf(cell)])
    .flatMap((text) => text.split(BREAK))
    .map((text) => text.replace(/[^\S\u00a0]+/g, ' ').trim())
    .filter(Boolean)
    .join('\n')

/** Does not occur in the text of HTML. */
const BREAK = '\0'

function wordsOf(node: AnyNode): string {
  if (isText(node)) return node.data
  if (!isTag(node)) return ''
  return node.name === 'br' ? BREAK : node.children.map(wordsOf).join('')
}

const isBlock = /^(p|ul|ol|h[1-4]|pre|blockquote)$/
