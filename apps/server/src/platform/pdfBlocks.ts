/** Rich text on the pages of a PDF. */
import { fits, GREY, leftOf, NORMAL, type Pdf, type PdfFont, RULE, SMALL, widthOf } from './pdf.ts'
import type { Block, Cell, Paragraph, Picture, Run, Table } from './richBlocks.ts'

/** Points. */
const INDENT = 16
const MARKER = 14
/** Offset from the top of the line as a share of the font size; that of plain text is 1.02. */
const BASELINE = { sup: 0.69, sub: 1.17 } as const
const PAD = 4
const LINK = '#0b7285'
/** Font sizes of headings, below the titles of steps. */
const sizes = [12, 11.5, 11, 10.5]
/** Headings are centred down to this level. */
const CENTRED = 2
/** Maximum nesting of lists that fits the page width. */
const MAX_DEPTH = 8

/** Differences from the default layout. */
export interface PaperLook {
  /** Font size of the text, in points. */
  size: number
  /** Colour of headings; default black. */
  headings?: string
  /** Size of a picture within this width; undefined: the picture is missing. */
  picture(picture: Picture, width: number): Drawing | undefined
}

export interface Drawing {
  width: number
  height: number
  draw(doc: Pdf, x: number, y: number): void
}

/** @param look of a document laid out by its author: centred titles, columns sized by their content */
export function drawBlocks(doc: Pdf, blocks: readonly (Block | Picture)[], look?: PaperLook): void {
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'picture') picture(doc, look?.picture(block, widthOf(doc)))
    else if (block.kind === 'paragraph') {
      const last = blocks[at - 1]
      const isTight = block.place !== undefined && last?.kind === 'paragraph' && last.place !== undefined
      if (at > 0) doc.y += isTight ? 2 : 5
      paragraph(doc, block, look)
    } else if (block.kind === 'table') table(doc, block, look)
    else line(doc)
    doc.x = leftOf(doc)
  }
}

function picture(doc: Pdf, drawing: Drawing | undefined): void {
  if (!drawing) return
  doc.y += 4
  if (!fits(doc, drawing.height)) doc.addPage()
  const top = doc.y
  drawing.draw(doc, leftOf(doc), top)
  doc.y = top + drawing.height + 4
}

function paragraph(doc: Pdf, block: Paragraph, look: PaperLook | undefined): void {
  const { runs, level, place, isQuote, isCode } = block
  const by = (look?.size ?? NORMAL) / NORMAL
  const size = (level ? (sizes[level - 1] as number) : isCode ? SMALL : NORMAL) * by
  const depth = place ? Math.min(place.depth, MAX_DEPTH) : 0
  const x = leftOf(doc) + (place ? depth * INDENT + MARKER : 0) + (isQuote ? INDENT : 0)
  const width = leftOf(doc) + widthOf(doc) - x
  const align = look && level && level <= CENTRED ? ('center' as const) : ('left' as const)
  doc.fontSize(size)
  if (!fits(doc, size * (level ? 3 : 1.3))) doc.addPage()
  const top = doc.y
  const page = doc.page
  if (place?.n) {
    const marker = place.ordered ? `${place.n}.` : depth % 2 ? '–' : '•'
    doc
      .font('regular')
      .fillColor('black')
      .text(marker, x - MARKER, top, { width: MARKER + 8, lineBreak: false })
  }
  const colour = isQuote ? GREY : (level && look?.headings) || 'black'
  for (const [n, line] of linesOf(runs).entries()) {
    // Text after a line break starts at the same left edge.
    if (line.length === 0) doc.fontSize(size).moveDown()
    for (const [at, run] of line.entries()) {
      doc.font(fontOf(run, level !== undefined)).fontSize(run.raise ? size * 0.7 : size)
      doc.fillColor(run.href ? LINK : colour)
      const style = {
        align,
        continued: at < line.length - 1,
        link: run.href ?? null,
        underline: run.underline || run.href !== undefined,
        strike: run.strike ?? false,
        // Set each time: a continued text keeps the options of the previous one.
        baseline: run.raise ? -size * BASELINE[run.raise] : ('top' as const),
      }
      if (at === 0) doc.text(run.text, x, n === 0 ? top : doc.y, { ...style, width })
      else doc.text(run.text, style)
    }
  }
  if (isQuote && doc.page === page)
    doc
      .moveTo(leftOf(doc) + 4, top)
      .lineTo(leftOf(doc) + 4, doc.y)
      .lineWidth(2)
      .strokeColor(RULE)
      .stroke()
}

/** Splits runs into lines: pdfkit ignores a line break between continued texts. */
function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]]
  for (const run of runs)
    for (const [at, text] of run.text.split('\n').entries()) {
      if (at > 0) lines.push([])
      if (text !== '') lines.at(-1)?.push({ ...run, text })
    }
  // A trailing break starts no line.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop()
  return lines
}

function fontOf({ bold, italic }: Run, isHeading: boolean): PdfFont {
  if (bold || isHeading) return italic ? 'boldItalic' : 'bold'
  return italic ? 'italic' : 'regular'
}

function table(doc: Pdf, { rows, isBare }: Table, look: PaperLook | undefined): void {
  const columns = rows[0]?.length ?? 0
  if (columns === 0) return
  const size = look ? look.size * (SMALL / NORMAL) : SMALL
  const widths = look ? widthsOf(rows, widthOf(doc), size) : Array<number>(columns).fill(widthOf(doc) / columns)
  const [first] = rows
  const head = look && first?.every(({ isHead }) => isHead) ? first : undefined
  const laid = { widths, size, hasHead: head !== undefined, isBare: isBare === true }
  doc.y += 6
  for (const row of rows) {
    if (tableRow(doc, row, laid, look)) continue
    doc.addPage()
    if (head && row !== head) tableRow(doc, head, laid, look)
    if (tableRow(doc, row, laid, look)) continue
    // Too tall for any page: draw its cells one below the other.
    for (const { text, isHead } of row)
      doc
        .font(isHead ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor('black')
        .text(text, leftOf(doc), doc.y, { width: widthOf(doc) })
  }
  doc.y += 2
}

/** @returns false when the page has no room for it */
function tableRow(
  doc: Pdf,
  row: readonly Cell[],
  { widths, size, hasHead, isBare }: { widths: readonly number[]; size: number; hasHead: boolean; isBare: boolean },
  look: PaperLook | undefined,
): boolean {
  const font = ({ isHead, isBold }: Cell) => doc.font(isHead || (look && isBold) ? 'bold' : 'regular').fontSize(size)
  // Without borders no padding is needed: cells start at the text's edge.
  const [left, gap] = isBare ? [0, PAD / 2] : [PAD, PAD]
  const cells = row.map((cell, at) => {
    const width = (widths[at] as number) - 2 * PAD
    const drawing = cell.picture && look?.picture(cell.picture, width)
    const room = drawing ? drawing.height + (cell.text ? PAD : 0) : 0
    const text = cell.text || !drawing ? font(cell).heightOfString(cell.text || ' ', { width }) : 0
    return { cell, width, drawing, room, high: room + text + 2 * gap }
  })
  const high = Math.max(...cells.map((one) => one.high))
  if (!fits(doc, high)) return false
  const top = doc.y
  let x = leftOf(doc)
  for (const [at, { cell, width, drawing, room }] of cells.entries()) {
    drawing?.draw(doc, x + left, top + gap)
    const align = hasHead && !cell.isHead && SUM.test(cell.text) ? ('right' as const) : ('left' as const)
    font(cell)
      .fillColor('black')
      .text(cell.text, x + left, top + gap + room, { width, align })
    if (!isBare)
      doc
        .rect(x, top, widths[at] as number, high)
        .lineWidth(0.5)
        .strokeColor(RULE)
        .stroke()
    x += widths[at] as number
  }
  doc.y = top + high
  return true
}

/** A number or an amount, but not an account or document number: right-aligned in a column with a head. */
const SUM = /^[−+-]?(\d{1,4}|\d{1,3}([\s\u00a0]\d{3})+)(,\d+)?([\s\u00a0]?(₽|%))?$/
/** Average character width as a share of the font size; maximum width of a column as a share of the table. */
const SIGN = 0.56
const MOST = 0.7
/** Size of a picture in a cell, in points. */
const PICTURE = 90

/** Column widths by content, as far as there is room; each at least its longest word, if these fit. */
function widthsOf(rows: readonly (readonly Cell[])[], whole: number, size: number): number[] {
  const sign = size * SIGN
  const columns = (rows[0] ?? []).map((_, at) => {
    let [least, natural] = [sign, sign]
    for (const row of rows) {
      const { text, picture: held } = row[at] as Cell
      if (held) natural = Math.max(natural, PICTURE)
      for (const line of text.split('\n')) natural = Math.max(natural, line.length * sign)
      for (const word of text.split(/[\s-]+/)) least = Math.max(least, word.length * sign)
    }
    const most = whole * MOST
    return { least: Math.min(least + 2 * PAD, most), natural: Math.min(natural + 2 * PAD, most) }
  })
  const sum = (of: 'least' | 'natural') => columns.reduce((all, one) => all + one[of], 0)
  const [least, natural] = [sum('least'), sum('natural')]
  if (natural <= whole) return columns.map((one) => (one.natural / natural) * whole)
  if (least >= whole) return columns.map((one) => (one.least / least) * whole)
  const share = (whole - least) / (natural - least)
  return columns.map((one) => one.least + Math.max(0, one.natural - one.least) * share)
}

function line(doc: Pdf): void {
  doc.y += 6
  doc
    .moveTo(leftOf(doc), doc.y)
    .lineTo(leftOf(doc) + widthOf(doc), doc.y)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke()
  doc.y += 2
}
