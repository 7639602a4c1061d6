/** A report on paper: A4 landscape, its filter, its table. */

import type { Letterhead } from '#platform/letterhead.ts'
import { fact, fits, GREY, leftOf, type Pdf, pdfOf, rule, SMALL, widthOf } from '#platform/pdf.ts'
import type { TextTable } from './file.ts'

interface ReportPaper extends TextTable {
  title: string
  hint: string
  facts: [label: string, value: string][]
  head: Letterhead
}

const SIDE = 32
const PAD = 3
const GAP = 6
const SIZE = 8

export const draw = ({ title, hint, facts, head, columns, rows, note }: ReportPaper) =>
  pdfOf(
    {
      title,
      clinicName: head.name,
      sheet: { size: [841.89, 595.28], margins: { top: SIDE, left: SIDE, right: SIDE, bottom: SIDE + 16 } },
    },
    (doc) => {
      if (head.name) doc.font('regular').fontSize(SMALL).fillColor(GREY).text(head.name)
      doc.font('bold').fontSize(15).fillColor('black').text(title)
      doc.font('regular').fontSize(SMALL).fillColor(GREY).text(hint).moveDown(0.5)
      for (const [label, value] of facts) fact(doc, label, value)
      doc.moveDown(0.5)
      drawWide(doc, columns, rows)
      if (note) doc.moveDown(0.5).font('regular').fontSize(SMALL).fillColor(GREY).text(note, leftOf(doc))
    },
  )

/** The first column is twice as wide as the others. */
function drawWide(doc: Pdf, columns: TextTable['columns'], rows: TextTable['rows']): void {
  const unit = (widthOf(doc) - GAP * (columns.length - 1)) / (columns.length + 1)
  const place = columns.map(({ right }, at) => ({
    x: leftOf(doc) + (at === 0 ? 0 : (at + 1) * unit + at * GAP),
    width: at === 0 ? 2 * unit : unit,
    align: right ? ('right' as const) : ('left' as const),
  }))
  const row = (cells: readonly string[], font: 'bold' | 'regular', colour: string) => {
    doc.font(font).fontSize(SIZE)
    const height = Math.max(
      ...place.map(({ width, align }, at) => doc.heightOfString(cells[at] ?? '', { width, align })),
    )
    if (!fits(doc, height + 2 * PAD)) {
      doc.addPage()
      if (colour !== GREY) heads()
      doc.font(font).fontSize(SIZE)
    }
    const top = doc.y + PAD
    doc.fillColor(colour)
    for (const [at, { x, width, align }] of place.entries()) doc.text(cells[at] ?? '', x, top, { width, align })
    doc.x = leftOf(doc)
    doc.y = top + height + PAD
    rule(doc)
  }
  const heads = () =>
    row(
      columns.map(({ title }) => title),
      'bold',
      GREY,
    )
  heads()
  for (const { cells, bold } of rows) row(cells, bold ? 'bold' : 'regular', 'black')
}
