/** A table in a PDF document, with totals below it and places for signatures. */
import { fits, GREY, leftOf, MARGIN, NORMAL, type Pdf, rule, SMALL, widthOf } from './pdf.ts'

/** Points. */
const ROW_PAD = 4
const GAP = 6
const SUM = 124

export interface PdfColumn<T> {
  title: string
  /** Points; 0: the remaining width. */
  width: number
  align: 'left' | 'right'
  text(line: T, n: number): string
}

/** @param lines rows, or headings over the rows that follow; numbering continues across headings */
export function drawTable<T>(
  doc: Pdf,
  columns: readonly PdfColumn<T>[],
  lines: readonly (T | { heading: string })[],
): void {
  const place = placed(doc, columns)
  const row = (texts: readonly string[], font: string, size: number, colour: string) => {
    doc.font(font).fontSize(size)
    const height = Math.max(...place.map(({ width, align }, i) => doc.heightOfString(texts[i] ?? '', { width, align })))
    if (!fits(doc, height + 2 * ROW_PAD)) {
      doc.addPage()
      if (font === 'regular') titles()
      doc.font(font).fontSize(size)
    }
    const top = doc.y + ROW_PAD
    doc.fillColor(colour)
    for (const [i, { x, width, align }] of place.entries()) doc.text(texts[i] ?? '', x, top, { width, align })
    doc.y = top + height + ROW_PAD
    doc.x = MARGIN
    rule(doc)
  }
  const titles = () =>
    row(
      columns.map(({ title }) => title),
      'bold',
      SMALL,
      GREY,
    )
  /** Keeps a heading on one page with at least the first row below it. */
  const heading = (text: string) => {
    doc.font('bold').fontSize(NORMAL)
    const height = doc.heightOfString(text, { width: widthOf(doc) })
    if (!fits(doc, height + 40)) {
      doc.addPage()
      titles()
      doc.font('bold').fontSize(NORMAL)
    }
    doc.fillColor('black').text(text, MARGIN, doc.y + 2 * ROW_PAD, { width: widthOf(doc) })
    doc.y += ROW_PAD
    doc.x = MARGIN
    rule(doc)
  }
  titles()
  let n = 0
  for (const line of lines) {
    if (isHeading(line)) {
      heading(line.heading)
      continue
    }
    n++
    row(
      columns.map(({ text }) => text(line, n)),
      'regular',
      NORMAL,
      'black',
    )
  }
}

const isHeading = <T>(line: T | { heading: string }): line is { heading: string } =>
  typeof line === 'object' && line !== null && Object.keys(line).length === 1 && 'heading' in line

function placed<T>(
  doc: Pdf,
  columns: readonly PdfColumn<T>[],
): { x: number; width: number; align: 'left' | 'right' }[] {
  const fixed = columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1)
  let x = MARGIN
  return columns.map(({ width, align }) => {
    const own = width || widthOf(doc) - fixed
    const here = { x, width: own, align }
    x += own + GAP
    return here
  })
}

/** Totals at the right, the last one in bold. */
export function drawSums(doc: Pdf, rows: readonly (readonly [label: string, value: string])[]): void {
  if (!fits(doc, 18 * rows.length + 8)) doc.addPage()
  doc.y += 8
  const width = widthOf(doc)
  for (const [at, [label, value]] of rows.entries()) {
    const isLast = at === rows.length - 1
    const top = doc.y
    doc
      .font(isLast ? 'bold' : 'regular')
      .fontSize(isLast ? 12 : NORMAL)
      .fillColor('black')
    doc.text(label, MARGIN, top, { width: width - SUM - 6, align: 'right' })
    doc.text(value, MARGIN + width - SUM, top, { width: SUM, align: 'right' })
    doc.y += 3
  }
  doc.x = MARGIN
}

/** Signature lines of two sides; both lines stay on one page. */
export function drawSignatures(doc: Pdf, sides: readonly (readonly [side: string, fio: string])[]): void {
  if (!fits(doc, 90)) doc.addPage()
  const width = (widthOf(doc) - 40) / 2
  const top = doc.y + 44
  for (const [at, [side, fio]] of sides.entries()) {
    const x = leftOf(doc) + at * (width + 40)
    doc
      .moveTo(x, top)
      .lineTo(x + width, top)
      .lineWidth(0.5)
      .strokeColor(GREY)
      .stroke()
    doc.font('regular').fontSize(SMALL).fillColor(GREY)
    doc.text(`${side}${fio ? `: ${fio}` : ''}`, x, top + 4, { width: width - 70 })
    doc.text('подпись, дата', x, top + 4, { width, align: 'right' })
  }
  doc.x = leftOf(doc)
}
