/** A report on paper: A4 landscape, its filter, its table. */
import { drawTitle, type Letterhead } from '#platform/letterhead.ts'
import { facts, GREY, leftOf, type Pdf, pdfOf, SMALL, widthOf } from '#platform/pdf.ts'
import { drawTable, type PdfColumn, TABLE_GAP } from '#platform/pdfTable.ts'
import type { TextTable } from './file.ts'

interface ReportPaper extends TextTable {
  title: string
  hint: string
  facts: [label: string, value: string][]
  head: Letterhead
}

const SIDE = 32

export const draw = ({ title, hint, facts: filter, head, columns, rows, note }: ReportPaper) =>
  pdfOf(
    {
      title,
      clinicName: head.name,
      sheet: { size: [841.89, 595.28], margins: { top: SIDE, left: SIDE, right: SIDE, bottom: SIDE + 16 } },
    },
    (doc) => {
      if (head.name) doc.font('regular').fontSize(SMALL).fillColor(GREY).text(head.name)
      drawTitle(doc, title, { under: [hint] })
      facts(doc, filter)
      doc.moveDown(0.5)
      drawTable(doc, columnsOf(doc, columns), rows, { size: 8, titleSize: 8, pad: 3, isBold: ({ bold }) => bold })
      if (note) doc.moveDown(0.5).font('regular').fontSize(SMALL).fillColor(GREY).text(note, leftOf(doc))
    },
  )

/** Columns of one width, the first of two. */
function columnsOf(doc: Pdf, columns: TextTable['columns']): PdfColumn<TextTable['rows'][number]>[] {
  const unit = (widthOf(doc) - TABLE_GAP * (columns.length - 1)) / (columns.length + 1)
  return columns.map(({ title, right }, at) => ({
    title,
    width: at === 0 ? 2 * unit : unit,
    align: right ? 'right' : 'left',
    text: ({ cells }) => cells[at] ?? '',
  }))
}
