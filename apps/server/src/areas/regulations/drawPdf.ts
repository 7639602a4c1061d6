/** A regulation on paper: A4, with its steps and optionally the acknowledgement sheet. */
import { drawTitle, housePaper } from '#platform/letterhead.ts'
import { facts as drawFacts, fits, GREY, leftOf, NORMAL, type Pdf, rule, SMALL, widthOf, words } from '#platform/pdf.ts'
import { drawBlocks } from '#platform/pdfBlocks.ts'
import { drawTable, type PdfColumn } from '#platform/pdfTable.ts'
import { blocksOf } from '#platform/richBlocks.ts'
import type { Paper, PaperStep, Picture } from './paper.ts'

/** Points. */
const PICTURE_HEIGHT = 300
const ROW = 24
/** Minimum space after a step title, so that it is not left alone at the bottom of a page. */
const AFTER_TITLE = 48

export const draw = (paper: Paper) =>
  housePaper({ title: paper.name, head: paper.head }, (doc) => drawPaper(doc, paper))

function drawPaper(doc: Pdf, paper: Paper): void {
  const { name, description, facts, steps, sheet } = paper
  drawTitle(doc, name)
  if (description) doc.font('regular').fontSize(NORMAL).fillColor('black').text(description).moveDown(0.6)
  drawFacts(doc, facts)
  doc.y += 8
  rule(doc)
  if (steps.length === 0)
    doc
      .font('regular')
      .fontSize(NORMAL)
      .fillColor(GREY)
      .text('Шагов нет', leftOf(doc), doc.y + 10)
  for (const [at, step] of steps.entries()) drawStep(doc, step, at + 1)
  if (sheet) drawSheet(doc, name, sheet)
}

function drawStep(doc: Pdf, { title, facts, html, pictures }: PaperStep, n: number): void {
  doc.y += 14
  doc.font('bold').fontSize(13)
  const heading = `${n}. ${title}`
  if (!fits(doc, doc.heightOfString(heading, { width: widthOf(doc) }) + AFTER_TITLE)) doc.addPage()
  words(doc.fillColor('black'), heading)
  doc.y += 2
  const short = facts.filter(([, value]) => value.length < 40)
  if (short.length)
    words(
      doc.font('regular').fontSize(SMALL).fillColor(GREY),
      short.map(([label, value]) => `${label}: ${value}`).join('   ·   '),
    )
  doc.y += 4
  drawBlocks(doc, blocksOf(html))
  for (const picture of pictures) drawPicture(doc, picture)
  const long = facts.filter((one) => !short.includes(one))
  if (long.length) doc.y += 4
  drawFacts(doc, long)
}

function drawPicture(doc: Pdf, { bytes, width, height, caption }: Picture): void {
  if (!bytes) {
    doc.font('italic').fontSize(SMALL).fillColor(GREY)
    words(doc, `Картинка не показана${caption ? `: ${caption}` : ''}`, 4)
    return
  }
  // 0.5: one point per pixel at 144 dpi.
  const scale = Math.min(0.5, widthOf(doc) / width, PICTURE_HEIGHT / height)
  doc.font('regular').fontSize(SMALL)
  const under = caption ? doc.heightOfString(caption, { width: widthOf(doc) }) + 4 : 0
  if (!fits(doc, height * scale + under + 8)) doc.addPage()
  const top = doc.y + 4
  doc.image(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), leftOf(doc), top, {
    width: width * scale,
    height: height * scale,
  })
  doc.y = top + height * scale + 4
  if (caption) words(doc.fillColor(GREY), caption)
  doc.x = leftOf(doc)
}

/** The acknowledgement sheet: rows high enough to sign by hand. */
const sheetColumns: readonly PdfColumn<NonNullable<Paper['sheet']>[number]>[] = [
  { title: '№', width: 20, align: 'left', text: (_line, n) => String(n) },
  { title: 'Фамилия, имя, отчество', width: 0, align: 'left', text: ({ name }) => name },
  { title: 'Дата', width: 78, align: 'left', text: ({ date }) => date },
  { title: 'Подпись', width: 124, align: 'left', text: () => '' },
]

function drawSheet(doc: Pdf, name: string, sheet: NonNullable<Paper['sheet']>): void {
  doc.addPage()
  drawTitle(doc, 'Лист ознакомления', { under: [name] })
  drawTable(doc, sheetColumns, sheet, { pad: 5, least: ROW })
}
