/** The head of every document the product draws: the clinic's name, requisites and logo. */
import { GREY, leftOf, NORMAL, type Pdf, pdfOf, rule, SMALL, widthOf } from './pdf.ts'

export interface Letterhead {
  name: string
  /** Requisites, one per line. */
  lines: readonly string[]
  /** PNG. */
  logo: Uint8Array | null
  /** Colour of the name, `#rrggbb`; empty: grey. */
  color: string
}

/** Maximum size of the logo, in points. */
const LOGO = { width: 120, height: 44 } as const
const GAP = 12

/** A document with the clinic's head; `draw` fills the rest. */
export const housePaper = (
  { title, head }: { title: string; head: Letterhead },
  draw: (doc: Pdf) => void | Promise<void>,
): Promise<Buffer> =>
  pdfOf({ title, clinicName: head.name }, (doc) => {
    drawLetterhead(doc, head)
    return draw(doc)
  })

/** The title of a document, with lines below it in grey. */
export function drawTitle(
  doc: Pdf,
  title: string,
  { under = [], align = 'left' }: { under?: readonly string[]; align?: 'left' | 'center' } = {},
): void {
  doc.font('bold').fontSize(16).fillColor('black').text(title, { align })
  doc.font('regular').fontSize(NORMAL).fillColor(GREY)
  for (const line of under) doc.text(line, { align })
  doc.moveDown(0.6)
}

/** Draws the head at the top of the first page; nothing when the clinic has filled in none of it. */
function drawLetterhead(doc: Pdf, { name, lines, logo, color }: Letterhead): void {
  if (!name && lines.length === 0 && !logo) return
  const [left, top] = [leftOf(doc), doc.y]
  const picture = logo && openImage(doc, logo)
  const scale = picture ? Math.min(LOGO.width / picture.width, LOGO.height / picture.height) : 0
  const [wide, high] = [(picture?.width ?? 0) * scale, (picture?.height ?? 0) * scale]
  if (picture) doc.image(picture, left, top, { width: wide, height: high })
  const x = left + (picture ? wide + GAP : 0)
  const width = widthOf(doc) - (x - left)
  if (name)
    doc
      .font('bold')
      .fontSize(NORMAL)
      .fillColor(color || GREY)
      .text(name, x, doc.y, { width })
  doc.font('regular').fontSize(SMALL).fillColor(GREY)
  for (const line of lines) doc.text(line, x, doc.y, { width })
  doc.x = left
  doc.y = Math.max(doc.y, top + high) + 4
  if (picture || lines.length) rule(doc)
  doc.y += NORMAL
}

/** An image opened by pdfkit: its type declarations lack these fields. */
type Opened = Parameters<Pdf['image']>[0] & { width: number; height: number }
/** @throws when the bytes are not an image */
export const openImage = (doc: Pdf, bytes: Uint8Array): Opened =>
  (doc as Pdf & { openImage(bytes: Buffer): Opened }).openImage(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  )
