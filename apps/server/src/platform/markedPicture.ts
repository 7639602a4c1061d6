/** A picture with numbered marks: in a PDF, and as SVG for the screen. */
import { isOwnPicture, type PictureName } from '@ordinator/model/areas/examinations/form'
import { OUTLINE, type OutlinePart, outlines } from '@ordinator/model/areas/examinations/outlines'
import type { MarkedPicture } from '@ordinator/model/areas/prints/marked'
import { GREY, type Pdf } from './pdf.ts'
import type { Drawing } from './pdfBlocks.ts'

/** Maximum size of a picture on a page, in points. */
const ROOM = { width: 260, height: 230 } as const
const MARK = { radius: 6.5, color: '#c92a2a' } as const

/** A picture uploaded by the clinic: its size, and how to place it. */
export interface OwnPicture {
  width: number
  height: number
  place(doc: Pdf, x: number, y: number, size: { width: number; height: number }): void
}

/**
 * @param own the clinic's own picture, if it exists
 * @returns undefined when the picture is lost: only the texts of its marks remain
 */
export function markedDrawing(
  { picture, marks }: MarkedPicture,
  own: OwnPicture | undefined,
  room: number,
): Drawing | undefined {
  const parts = outlineOf(picture)
  if (!parts && !own) return undefined
  const { width: wide, height: high } = own ?? OUTLINE
  const scale = Math.min(Math.min(ROOM.width, room) / wide, ROOM.height / high)
  const size = { width: wide * scale, height: high * scale }
  return {
    ...size,
    draw(doc, left, top) {
      if (own) own.place(doc, left, top, size)
      else drawOutline(doc, parts as readonly OutlinePart[], { left, top, scale })
      for (const [at, { x, y }] of marks.entries())
        drawMark(doc, at + 1, left + (x / 100) * size.width, top + (y / 100) * size.height)
      doc.fillColor('black')
    },
  }
}

const outlineOf = (picture: string): readonly OutlinePart[] | undefined =>
  isOwnPicture(picture) ? undefined : (outlines[picture as PictureName] ?? outlines.body)

function drawMark(doc: Pdf, number: number, x: number, y: number): void {
  doc.circle(x, y, MARK.radius).fill(MARK.color)
  doc.font('bold').fontSize(8).fillColor('white')
  doc.text(String(number), x - MARK.radius, y - 4, { width: 2 * MARK.radius, align: 'center', lineBreak: false })
}

function drawOutline(
  doc: Pdf,
  parts: readonly OutlinePart[],
  { left, top, scale }: { left: number; top: number; scale: number },
): void {
  doc.save().translate(left, top).scale(scale).lineWidth(OUTLINE.line).strokeColor(GREY)
  for (const { shift = 0, ...part } of parts) {
    doc.save().translate(shift, 0)
    if ('d' in part) doc.path(part.d).stroke()
    else doc.circle(part.cx, part.cy, part.r).stroke()
    doc.restore()
  }
  doc.restore()
}

/** @param own PNG of the clinic's own picture with its size @returns a data URL, or undefined when it is lost */
export function markedSvg(
  { picture, marks }: MarkedPicture,
  own: { width: number; height: number; bytes: Uint8Array } | undefined,
): string | undefined {
  const parts = outlineOf(picture)
  if (!parts && !own) return undefined
  const { width, height } = own ?? OUTLINE
  const unit = width / OUTLINE.width
  const ground = own
    ? `<image href="data:image/png;base64,${Buffer.from(own.bytes).toString('base64')}" width="${width}" height="${height}"/>`
    : (parts as readonly OutlinePart[]).map(partSvg).join('')
  const numbers = marks.map(({ x, y }, at) => {
    const [left, top] = [(x / 100) * width, (y / 100) * height]
    return `<circle cx="${left}" cy="${top}" r="${3 * unit}" fill="${MARK.color}"/><text x="${left}" y="${top + 1.3 * unit}" font-size="${3.6 * unit}" font-family="sans-serif" font-weight="bold" text-anchor="middle" fill="#fff">${at + 1}</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${ground}${numbers.join('')}</svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

function partSvg({ shift = 0, ...part }: OutlinePart): string {
  const look = `transform="translate(${shift} 0)" fill="none" stroke="${GREY}" stroke-width="${OUTLINE.line}"`
  return 'd' in part
    ? `<path d="${part.d}" ${look}/>`
    : `<circle cx="${part.cx}" cy="${part.cy}" r="${part.r}" ${look}/>`
}
