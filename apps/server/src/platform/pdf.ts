/** Shared parts of PDF documents: fonts with Cyrillic, labelled values, page numbers. */
import PDFDocument from 'pdfkit'
import { addFonts } from './pdfFonts.ts'

/** Points: 1/72 of an inch. */
const MARGIN = 42
export const SMALL = 8.5
export const NORMAL = 10
export const GREY = '#5c6670'
export const RULE = '#c9d0d6'
const LABEL = 92

/** Reason why a document cannot be drawn, shown to the user. */
export class Unprintable extends Error {}

export type Pdf = InstanceType<typeof PDFDocument>
export type { PdfFont } from './pdfFonts.ts'

/** Sheet size in points; absent: A4 with the default margins. */
export interface Sheet {
  size: [number, number]
  margins: { top: number; left: number; right: number; bottom: number }
}

const usual = {
  size: 'A4',
  margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + 16 },
} as const

/** A document with the content of `draw`. @param finish draws on all pages at the end; absent: page numbers */
export async function pdfOf(
  { title, clinicName, sheet }: { title: string; clinicName: string; sheet?: Sheet },
  draw: (doc: Pdf) => void | Promise<void>,
  finish: (doc: Pdf) => void = numberPages,
): Promise<Buffer> {
  const doc = new PDFDocument({
    ...(sheet ?? usual),
    bufferPages: true,
    lang: 'ru',
    info: { Title: title, ...(clinicName ? { Author: clinicName } : {}) },
    displayTitle: true,
  })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  addFonts(doc)
  await draw(doc)
  finish(doc)
  doc.end()
  return whole
}

export const leftOf = (doc: Pdf): number => doc.page.margins.left
export const widthOf = (doc: Pdf): number => doc.page.width - doc.page.margins.left - doc.page.margins.right

/** True when this height still fits on the page. */
export const fits = (doc: Pdf, height: number): boolean => doc.y + height <= doc.page.height - doc.page.margins.bottom

/** A label with its value beside it; nothing for an empty value. */
function fact(doc: Pdf, label: string, value: string): void {
  if (!value) return
  const [left, top] = [leftOf(doc), doc.y]
  doc.font('regular').fontSize(NORMAL).fillColor(GREY).text(label, left, top, { width: LABEL })
  const under = doc.y
  doc.fillColor('black').text(value, left + LABEL + 4, top, { width: widthOf(doc) - LABEL - 4 })
  doc.x = left
  // Not when the value has continued on the next page.
  if (doc.y > top) doc.y = Math.max(doc.y, under)
}

/** Labelled values, one below the other. */
export function facts(doc: Pdf, lines: readonly (readonly [label: string, value: string])[]): void {
  for (const [label, value] of lines) fact(doc, label, value)
}

/** A paragraph across the page, in the font of the document. */
export const words = (doc: Pdf, text: string, down = 0): Pdf =>
  doc.text(text, leftOf(doc), doc.y + down, { width: widthOf(doc) })

/** A thin rule across the page. */
export function rule(doc: Pdf): void {
  doc
    .moveTo(leftOf(doc), doc.y)
    .lineTo(leftOf(doc) + widthOf(doc), doc.y)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke()
}

/** Draws on each page outside its margins, where a text would otherwise start a new page. */
export function onPages(doc: Pdf, { start, count }: { start: number; count: number }, draw: (n: number) => void): void {
  for (let n = start; n < start + count; n++) {
    doc.switchToPage(n)
    const { bottom } = doc.page.margins
    doc.page.margins.bottom = 0
    draw(n - start + 1)
    doc.page.margins.bottom = bottom
  }
}

function numberPages(doc: Pdf): void {
  const range = doc.bufferedPageRange()
  if (range.count < 2) return
  onPages(doc, range, (n) => pageNumber(doc, n, range.count, doc.page.height - MARGIN))
}

/** «2 из 5», right-aligned. */
export function pageNumber(doc: Pdf, n: number, count: number, y: number): void {
  doc.font('regular').fontSize(SMALL).fillColor(GREY)
  doc.text(`${n} из ${count}`, leftOf(doc), y, { width: widthOf(doc), align: 'right' })
}
