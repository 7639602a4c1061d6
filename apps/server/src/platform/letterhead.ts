/** What stands at the head of every paper that the house draws by itself: whose it is. */
import { GREY, leftOf, NORMAL, type Pdf, pdfOf, rule, SMALL, widthOf } from './pdf.ts'

export interface Letterhead {
  name: string
  /** Requisites, a line each. */
  lines: readonly string[]
  /** PNG. */
  logo: Uint8Array | null
  /** Of the name, `#rrggbb`; empty: grey. */
  color: string
}

/** Points: what the logo has at most. */
const LOGO = { width: 120, height: 44 } as const
const GAP = 12

/** A paper of the house: what `draw` puts under its head. */
export const housePaper = (
  { title, head }: { title: string; head: Letterhead },
  draw: (doc: Pdf) => void | Promise<void>,
): Promise<Buffer> =>
  pdfOf({ title, clinicName: head.name }, (doc) => {
    drawLetterhead(doc, head)
    return draw(doc)
  })

/** Draws the head at the top of the first page; nothing where the clinic has told nothing of itself. */
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

/** A picture as pdfkit has read it: its library of types does not have this. */
type Opened = Parameters<Pdf['image']>[0] & { width: number; height: number }
/** @throws where the bytes are no picture */
export const openImage = (doc: Pdf, bytes: Uint8Array): Opened =>
  (doc as Pdf & { openImage(bytes: Buffer): Opened }).openImage(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  )
