/** A printed consent: its text, and the place for the signature. */
import { housePaper, type Letterhead } from '#platform/letterhead.ts'
import { fits, GREY, MARGIN, type Pdf, SMALL, widthOf } from '#platform/pdf.ts'
import { drawBlocks } from '#platform/pdfBlocks.ts'
import { blocksOf } from '#platform/richBlocks.ts'

interface ConsentPaper {
  name: string
  head: Letterhead
  /** The text, filled in. */
  html: string
  /** Full name. */
  signer: string
}

export const draw = ({ name, head, html, signer }: ConsentPaper) =>
  housePaper({ title: name, head }, (doc) => {
    doc.font('bold').fontSize(15).fillColor('black').text(name, { align: 'center' }).moveDown(1)
    drawBlocks(doc, blocksOf(html))
    signature(doc, signer)
  })

/** The place for the signature, on one page with text. */
function signature(doc: Pdf, fio: string): void {
  if (!fits(doc, 80)) doc.addPage()
  const top = doc.y + 44
  const width = widthOf(doc)
  doc
    .moveTo(MARGIN, top)
    .lineTo(MARGIN + width * 0.6, top)
    .lineWidth(0.5)
    .strokeColor(GREY)
    .stroke()
  doc
    .moveTo(MARGIN + width * 0.7, top)
    .lineTo(MARGIN + width, top)
    .stroke()
  doc.font('regular').fontSize(SMALL).fillColor(GREY)
  doc.text(`Подпись: ${fio}`, MARGIN, top + 4, { width: width * 0.6 })
  doc.text('Дата', MARGIN + width * 0.7, top + 4, { width: width * 0.3 })
  doc.x = MARGIN
}
