/** Layout of a filled-in template on paper: sheet, headers and footers, copies, pictures and codes. */

import { type Bars, barsOf } from '#platform/barcodes.ts'
import { onPages, type Pdf, pageNumber, pdfOf, type Sheet, SMALL, Unprintable } from '#platform/pdf.ts'
import { type Drawing, drawBlocks, type PaperLook } from '#platform/pdfBlocks.ts'
import { drawSignatures } from '#platform/pdfTable.ts'
import { type Block, type Picture, pagesOf } from '#platform/richBlocks.ts'
import { marksDrawing } from './drawMarks.ts'
import { openedIn, sizeOf } from './images.ts'

type Blocks = readonly (Block | Picture)[]

/** Points between the text and a header or footer; and the height of page numbers. */
const GAP = 8
const NUMBERS = 14
/** Maximum share of a page's height for a header or footer. */
const MOST_EDGE = 0.35
const MAX_PAGES = 400
/** Maximum points of the side of a QR code, and of the width and height of bars. */
const QR = 78
const BARS: readonly [number, number] = [190, 46]
const PICTURE_HEIGHT = 220
/** Maximum size of a finished document. */
const MAX_BYTES = 50 * 1024 * 1024

/** Layout settings of a document. */
export interface PrintLook {
  title: string
  clinicName: string
  sheet: Sheet
  size: number
  copies: number
  hasPageNumbers: boolean
  /** Signers, at the end. */
  signs: [side: string, fio: string][]
  /** Colour of headings, `#rrggbb`; empty: black. */
  color?: string
  /** Pictures of the text, by their addresses in it. */
  pictures: Record<string, Uint8Array>
}

export async function drawPaper(
  words: { body: string; header: string; footer: string },
  { title, clinicName, sheet, size, copies, hasPageNumbers, signs, pictures, color }: PrintLook,
  own: Readonly<Record<string, Uint8Array>> = {},
  maxBytes = MAX_BYTES,
): Promise<Buffer> {
  const [body, header, footer] = [pagesOf(words.body), pagesOf(words.header), pagesOf(words.footer)]
  const codes = await codesOf([...body, ...header, ...footer])
  const look: PaperLook = {
    size,
    ...(color && { headings: color }),
    picture: (picture, width) => drawingOf(picture, width, codes, pictures, own),
  }
  const edge: PaperLook = { ...look, size: Math.max(6, size - 1.5) }
  const [above, below] = [await heightOf(header, sheet, edge), await heightOf(footer, sheet, edge)]
  const { margins } = sheet
  const inner: Sheet = {
    size: sheet.size,
    margins: {
      ...margins,
      top: margins.top + (above && above + GAP),
      bottom: margins.bottom + (below && below + GAP) + (hasPageNumbers ? NUMBERS : 0),
    },
  }
  const ranges: { start: number; count: number }[] = []
  return pdfOf(
    { title, clinicName, sheet: inner },
    (doc) => {
      let bytes = 0
      doc.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes)
          doc.destroy(new Unprintable('Документ слишком велик: уменьшите рисунки, повторы или экземпляры'))
      })
      doc.on('pageAdded', () => {
        if (doc.bufferedPageRange().count > MAX_PAGES)
          throw new Unprintable(`В документе больше ${MAX_PAGES} страниц: уменьшите повторы или экземпляры`)
      })
      for (let copy = 0; copy < copies; copy++) {
        if (copy > 0) doc.addPage()
        const start = doc.bufferedPageRange().count - 1
        drawBlocks(doc, body, look)
        if (signs.length) drawSignatures(doc, signs)
        ranges.push({ start, count: doc.bufferedPageRange().count - start })
      }
    },
    (doc) => {
      for (const range of ranges)
        onPages(doc, range, (n) => {
          at(doc, margins.top, header, edge)
          const foot = sheet.size[1] - margins.bottom - (hasPageNumbers ? NUMBERS : 0)
          at(doc, foot - below, footer, edge)
          if (hasPageNumbers && range.count > 1)
            pageNumber(doc, n, range.count, sheet.size[1] - margins.bottom - SMALL - 2)
        })
    },
  )
}

function at(doc: Pdf, y: number, blocks: Blocks, look: PaperLook): void {
  doc.x = doc.page.margins.left
  doc.y = y
  drawBlocks(doc, blocks, look)
}

/** Height of a header or footer, measured by a trial rendering. */
async function heightOf(blocks: Blocks, sheet: Sheet, look: PaperLook): Promise<number> {
  if (blocks.length === 0) return 0
  let height = 0
  await pdfOf({ title: '', clinicName: '', sheet }, (doc) => {
    const top = doc.y
    drawBlocks(doc, blocks, look)
    height = doc.bufferedPageRange().count > 1 ? Number.POSITIVE_INFINITY : doc.y - top
  })
  if (height > sheet.size[1] * MOST_EDGE)
    throw new Unprintable('Колонтитул слишком высок: текста на странице не останется')
  return height
}

const codeKey = ({ code, alt }: Picture) => `${code} ${alt}`

async function codesOf(blocks: Blocks): Promise<Map<string, Bars>> {
  const found = blocks.flatMap((block): Picture[] => {
    if (block.kind === 'picture') return [block]
    if (block.kind !== 'table') return []
    return block.rows.flat().flatMap(({ picture }) => (picture ? [picture] : []))
  })
  const codes = new Map<string, Bars>()
  for (const one of found) {
    if (!one.code || codes.has(codeKey(one))) continue
    const bars = await barsOf(one.code, one.alt)
    if (bars) codes.set(codeKey(one), bars)
  }
  return codes
}

function drawingOf(
  picture: Picture,
  width: number,
  codes: ReadonlyMap<string, Bars>,
  pictures: Record<string, Uint8Array>,
  own: Readonly<Record<string, Uint8Array>>,
): Drawing | undefined {
  if (picture.code) {
    const bars = codes.get(codeKey(picture))
    return bars ? barsDrawing(bars, width) : textDrawing(picture.alt, width)
  }
  const bytes = pictures[picture.src]
  return bytes ? imageDrawing(picture.src, bytes, width) : marksDrawing(picture.src, own, width)
}

/** A value that the code cannot encode is printed as text. */
const textDrawing = (text: string, width: number): Drawing => ({
  width,
  height: SMALL + 4,
  draw: (doc, x, y) =>
    void doc
      .font('regular')
      .fontSize(SMALL)
      .fillColor('black')
      .text(text, x, y, { width, height: SMALL + 4, ellipsis: true }),
})

function barsDrawing({ width: modules, height: rows, cells, under }: Bars, room: number): Drawing {
  const isSquare = rows > 1
  const width = Math.min(room, isSquare ? QR : BARS[0])
  const height = isSquare ? width : BARS[1] - (under ? 10 : 0)
  const [wide, high] = [width / modules, height / rows]
  return {
    width,
    height: height + (under ? 10 : 0),
    draw(doc, x, y) {
      for (const [column, row, length] of cells) doc.rect(x + column * wide, y + row * high, length * wide, high)
      doc.fillColor('black').fill()
      if (under)
        doc
          .font('regular')
          .fontSize(7)
          .text(under, x, y + height + 1, { width, align: 'center', lineBreak: false })
    },
  }
}

function imageDrawing(src: string, bytes: Uint8Array, room: number): Drawing | undefined {
  const measured = sizeOf(bytes)
  if (!measured) return undefined
  // 0.5: one point per pixel at 144 dpi.
  const scale = Math.min(0.5, room / measured.width, PICTURE_HEIGHT / measured.height)
  const [width, height] = [measured.width * scale, measured.height * scale]
  return { width, height, draw: (doc, x, y) => void doc.image(openedIn(doc, src, bytes), x, y, { width, height }) }
}
