/** Rich text on the pages of a PDF. */
import { fits, GREY, MARGIN, NORMAL, type Pdf, type PdfFont, RULE, SMALL, widthOf } from './pdf.ts'
import type { Block, Paragraph, Run, Table } from './richBlocks.ts'

/** Points. */
const INDENT = 16
const MARKER = 14
/** Shares of the size from the line's top; that of a text is 1.02. */
const BASELINE = { sup: 0.69, sub: 1.17 } as const
const PAD = 4
const LINK = '#0b7285'
/** Below the titles of steps. */
const sizes = [12, 11.5, 11, 10.5]
/** Lists go no deeper than the page is wide. */
const MAX_DEPTH = 8

export function drawBlocks(doc: Pdf, blocks: readonly Block[]): void {
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'paragraph') {
      const last = blocks[at - 1]
      const isTight = block.place !== undefined && last?.kind === 'paragraph' && last.place !== undefined
      if (at > 0) doc.y += isTight ? 2 : 5
      paragraph(doc, block)
    } else if (block.kind === 'table') table(doc, block)
    else line(doc)
    doc.x = MARGIN
  }
}

function paragraph(doc: Pdf, block: Paragraph): void {
  const { runs, level, place, isQuote, isCode } = block
  const size = level ? (sizes[level - 1] as number) : isCode ? SMALL : NORMAL
  const depth = place ? Math.min(place.depth, MAX_DEPTH) : 0
  const x = MARGIN + (place ? depth * INDENT + MARKER : 0) + (isQuote ? INDENT : 0)
  const width = MARGIN + widthOf(doc) - x
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
  const colour = isQuote ? GREY : 'black'
  const said = runs.filter(({ text }) => text !== '')
  for (const [at, run] of said.entries()) {
    doc.font(fontOf(run, level !== undefined)).fontSize(run.raise ? size * 0.7 : size)
    doc.fillColor(run.href ? LINK : colour)
    const look = {
      continued: at < said.length - 1,
      link: run.href ?? null,
      underline: run.underline || run.href !== undefined,
      strike: run.strike ?? false,
      // Said each time: a text that is continued keeps what the one before it was told.
      baseline: run.raise ? -size * BASELINE[run.raise] : ('top' as const),
    }
    if (at === 0) doc.text(run.text, x, top, { ...look, width })
    else doc.text(run.text, look)
  }
  if (isQuote && doc.page === page)
    doc
      .moveTo(MARGIN + 4, top)
      .lineTo(MARGIN + 4, doc.y)
      .lineWidth(2)
      .strokeColor(RULE)
      .stroke()
}

function fontOf({ bold, italic }: Run, isHeading: boolean): PdfFont {
  if (bold || isHeading) return italic ? 'boldItalic' : 'bold'
  return italic ? 'italic' : 'regular'
}

function table(doc: Pdf, { rows }: Table): void {
  const columns = rows[0]?.length ?? 0
  if (columns === 0) return
  const width = widthOf(doc) / columns
  doc.y += 6
  doc.fontSize(SMALL)
  for (const row of rows) {
    const font = (isHead: boolean) => doc.font(isHead ? 'bold' : 'regular')
    const high =
      Math.max(...row.map(({ text, isHead }) => font(isHead).heightOfString(text || ' ', { width: width - 2 * PAD }))) +
      2 * PAD
    if (!fits(doc, high)) doc.addPage()
    if (!fits(doc, high)) {
      // Too tall for any page: its cells one below the other.
      for (const { text, isHead } of row)
        font(isHead)
          .fillColor('black')
          .text(text, MARGIN, doc.y, { width: widthOf(doc) })
      continue
    }
    const top = doc.y
    for (const [at, { text, isHead }] of row.entries()) {
      const x = MARGIN + at * width
      font(isHead)
        .fillColor('black')
        .text(text, x + PAD, top + PAD, { width: width - 2 * PAD })
      doc.rect(x, top, width, high).lineWidth(0.5).strokeColor(RULE).stroke()
    }
    doc.y = top + high
  }
  doc.y += 2
}

function line(doc: Pdf): void {
  doc.y += 6
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + widthOf(doc), doc.y)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke()
  doc.y += 2
}
