/** A table in a PDF document, with totals below it and places for signatures. */
import { fits, GREY, leftOf, NORMAL, type Pdf, rule, SMALL, widthOf, words } from './pdf.ts'

/** Points between columns. */
export const TABLE_GAP = 6
/** Points of a total. */
const SUM = 124

/** Differences from the usual look of a table. */
interface TableLook<T> {
  /** Font sizes, in points. */
  size?: number
  titleSize?: number
  /** Points above and below a row. */
  pad?: number
  /** Least height of a row, in points: space to write by hand. */
  least?: number
  /** A row in bold: totals. */
  isBold?: (line: T) => boolean
}

export interface PdfColumn<T> {
  title: string
  /** Points; 0: the remaining width. */
  width: number
  align: 'left' | 'right'
  text(line: T, n: number): string
}

/**
 * A table across the page; its titles are repeated on each page.
 * @param lines rows, or headings over the rows that follow; numbering continues across headings
 */
export function drawTable<T>(
  doc: Pdf,
  columns: readonly PdfColumn<T>[],
  lines: readonly (T | { heading: string })[],
  { size = NORMAL, titleSize = SMALL, pad = 4, least = 0, isBold }: TableLook<T> = {},
): void {
  const place = placed(doc, columns)
  const row = (texts: readonly string[], font: string, points: number, isTitle: boolean) => {
    doc.font(font).fontSize(points)
    const own = Math.max(...place.map(({ width, align }, i) => doc.heightOfString(texts[i] ?? '', { width, align })))
    const height = Math.max(least, own + 2 * pad)
    if (!fits(doc, height)) {
      doc.addPage()
      if (!isTitle) titles()
      doc.font(font).fontSize(points)
    }
    const top = doc.y
    doc.fillColor(isTitle ? GREY : 'black')
    for (const [i, { x, width, align }] of place.entries()) doc.text(texts[i] ?? '', x, top + pad, { width, align })
    doc.y = top + height
    doc.x = leftOf(doc)
    rule(doc)
  }
  const titles = () =>
    row(
      columns.map(({ title }) => title),
      'bold',
      titleSize,
      true,
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
    words(doc.fillColor('black'), text, 2 * pad)
    doc.y += pad
    doc.x = leftOf(doc)
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
      isBold?.(line) ? 'bold' : 'regular',
      size,
      false,
    )
  }
}

const isHeading = <T>(line: T | { heading: string }): line is { heading: string } =>
  typeof line === 'object' && line !== null && Object.keys(line).length === 1 && 'heading' in line

function placed<T>(
  doc: Pdf,
  columns: readonly PdfColumn<T>[],
): { x: number; width: number; align: 'left' | 'right' }[] {
  const fixed = columns.reduce((sum, { width }) => sum + width, 0) + TABLE_GAP * (columns.length - 1)
  let x = leftOf(doc)
  return columns.map(({ width, align }) => {
    const own = width || widthOf(doc) - fixed
    const here = { x, width: own, align }
    x += own + TABLE_GAP
    return here
  })
}

/** Totals at the right, the last one in bold. */
export function drawSums(doc: Pdf, rows: readonly (readonly [label: string, value: string])[]): void {
  if (!fits(doc, 18 * rows.length + 8)) doc.addPage()
  doc.y += 8
  const [left, width] = [leftOf(doc), widthOf(doc)]
  for (const [at, [label, value]] of rows.entries()) {
    const isLast = at === rows.length - 1
    const top = doc.y
    doc
      .font(isLast ? 'bold' : 'regular')
      .fontSize(isLast ? 12 : NORMAL)
      .fillColor('black')
    doc.text(label, left, top, { width: width - SUM - 6, align: 'right' })
    doc.text(value, left + width - SUM, top, { width: SUM, align: 'right' })
    doc.y += 3
  }
  doc.x = left
}

/** Signature lines of two sides; both lines stay on one page. */
export function drawSignatures(doc: Pdf, sides: readonly (readonly [side: string, fio: string])[]): void {
  if (!fits(doc, 90)) doc.addPage()
  const width = (widthOf(doc) - 40) / 2
  signHere(
    doc,
    sides.map(([side, fio], at) => ({
      at: at * (width + 40),
      width,
      text: `${side}${fio ? `: ${fio}` : ''}`,
      right: 'подпись, дата',
    })),
  )
}

/** A place to sign, and to date the signature when `dated`; on one page with text. */
export function drawSignature(doc: Pdf, text: string, { dated = false } = {}): void {
  if (!fits(doc, 80)) doc.addPage()
  const width = widthOf(doc)
  signHere(doc, [
    { at: 0, width: width * 0.6, text },
    ...(dated ? [{ at: width * 0.7, width: width * 0.3, text: 'Дата' }] : []),
  ])
}

/** Lines to write on, with words below them. */
function signHere(doc: Pdf, places: readonly { at: number; width: number; text: string; right?: string }[]): void {
  const [left, top] = [leftOf(doc), doc.y + 44]
  for (const { at, width, text, right } of places) {
    const x = left + at
    doc
      .moveTo(x, top)
      .lineTo(x + width, top)
      .lineWidth(0.5)
      .strokeColor(GREY)
      .stroke()
    doc.font('regular').fontSize(SMALL).fillColor(GREY)
    doc.text(text, x, top + 4, { width: right ? width - 70 : width })
    if (right) doc.text(right, x, top + 4, { width, align: 'right' })
  }
  doc.x = left
}
