/** A regulation on paper: A4, with its steps and optionally the acknowledgement sheet. */
import { housePaper } from '#platform/letterhead.ts'
import { fact, fits, GREY, MARGIN, NORMAL, type Pdf, rule, SMALL, widthOf } from '#platform/pdf.ts'
import { drawBlocks } from '#platform/pdfBlocks.ts'
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
  doc.font('bold').fontSize(17).fillColor('black').text(name).moveDown(0.4)
  if (description) doc.font('regular').fontSize(NORMAL).fillColor('black').text(description).moveDown(0.6)
  for (const [label, value] of facts) fact(doc, label, value)
  doc.y += 8
  rule(doc)
  if (steps.length === 0)
    doc
      .font('regular')
      .fontSize(NORMAL)
      .fillColor(GREY)
      .text('Шагов нет', MARGIN, doc.y + 10)
  for (const [at, step] of steps.entries()) drawStep(doc, step, at + 1)
  if (sheet) drawSheet(doc, name, sheet)
}

function drawStep(doc: Pdf, { title, facts, html, pictures }: PaperStep, n: number): void {
  doc.y += 14
  doc.font('bold').fontSize(13)
  const heading = `${n}. ${title}`
  if (!fits(doc, doc.heightOfString(heading, { width: widthOf(doc) }) + AFTER_TITLE)) doc.addPage()
  doc.fillColor('black').text(heading, MARGIN, doc.y, { width: widthOf(doc) })
  doc.y += 2
  const short = facts.filter(([, value]) => value.length < 40)
  if (short.length)
    doc
      .font('regular')
      .fontSize(SMALL)
      .fillColor(GREY)
      .text(short.map(([label, value]) => `${label}: ${value}`).join('   ·   '), MARGIN, doc.y, { width: widthOf(doc) })
  doc.y += 4
  drawBlocks(doc, blocksOf(html))
  for (const picture of pictures) drawPicture(doc, picture)
  const long = facts.filter((one) => !short.includes(one))
  if (long.length) doc.y += 4
  for (const [label, value] of long) fact(doc, label, value)
}

function drawPicture(doc: Pdf, { bytes, width, height, caption }: Picture): void {
  if (!bytes) {
    doc.font('italic').fontSize(SMALL).fillColor(GREY)
    doc.text(`Картинка не показана${caption ? `: ${caption}` : ''}`, MARGIN, doc.y + 4, { width: widthOf(doc) })
    return
  }
  // 0.5: one point per pixel at 144 dpi.
  const scale = Math.min(0.5, widthOf(doc) / width, PICTURE_HEIGHT / height)
  doc.font('regular').fontSize(SMALL)
  const under = caption ? doc.heightOfString(caption, { width: widthOf(doc) }) + 4 : 0
  if (!fits(doc, height * scale + under + 8)) doc.addPage()
  const top = doc.y + 4
  doc.image(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), MARGIN, top, {
    width: width * scale,
    height: height * scale,
  })
  doc.y = top + height * scale + 4
  if (caption) doc.fillColor(GREY).text(caption, MARGIN, doc.y, { width: widthOf(doc) })
  doc.x = MARGIN
}

const sheetTitles = ['№', 'Фамилия, имя, отчество', 'Дата', 'Подпись'] as const

function drawSheet(doc: Pdf, name: string, sheet: NonNullable<Paper['sheet']>): void {
  doc.addPage()
  doc
    .font('bold')
    .fontSize(14)
    .fillColor('black')
    .text('Лист ознакомления', MARGIN, doc.y, { width: widthOf(doc) })
  doc.font('regular').fontSize(NORMAL).fillColor(GREY).text(name).moveDown(0.8)
  const widths = [26, widthOf(doc) - 26 - 84 - 130, 84, 130]
  const row = (texts: readonly string[], font: 'bold' | 'regular', size: number, colour: string) => {
    doc.font(font).fontSize(size)
    const place = widths.map((width) => width - 8)
    const high = Math.max(ROW, ...texts.map((text, i) => doc.heightOfString(text, { width: place[i] as number }) + 10))
    if (!fits(doc, high)) {
      doc.addPage()
      if (font === 'regular') titles()
      doc.font(font).fontSize(size)
    }
    const top = doc.y
    doc.fillColor(colour)
    let x = MARGIN
    for (const [i, text] of texts.entries()) {
      doc.text(text, x, top + 7, { width: place[i] as number })
      x += widths[i] as number
    }
    doc.y = top + high
    doc.x = MARGIN
    rule(doc)
  }
  const titles = () => row(sheetTitles, 'bold', SMALL, GREY)
  titles()
  for (const [at, { name, date }] of sheet.entries()) row([String(at + 1), name, date, ''], 'regular', NORMAL, 'black')
}
