/** Labels of tubes: 58 × 40 mm, one per page, for a roll printer. */
import { type Pdf, pdfOf } from '#platform/pdf.ts'

export interface Label {
  barcode: string
  patient: string
  birthday: string
  container: string
  tests: string
  date: string
  cito: boolean
  /** Dark modules of Code 128: column, row, length; `width` modules in all. */
  bars: readonly (readonly [column: number, row: number, length: number])[]
  width: number
}

/** Points: 58 × 40 mm. */
const SIZE: [number, number] = [164.4, 113.4]
const PAD = 6
const BARS = 40

export const draw = (labels: readonly Label[]) =>
  pdfOf(
    {
      title: 'Этикетки пробирок',
      clinicName: '',
      sheet: { size: SIZE, margins: { top: PAD, left: PAD, right: PAD, bottom: PAD } },
    },
    (doc) => {
      for (const [at, label] of labels.entries()) {
        if (at) doc.addPage()
        drawLabel(doc, label)
      }
    },
    () => {},
  )

function drawLabel(doc: Pdf, { barcode, patient, birthday, container, tests, date, cito, bars, width }: Label): void {
  const wide = SIZE[0] - 2 * PAD
  const line = (text: string, font: 'bold' | 'regular', size: number, y: number, height: number) =>
    doc
      .font(font)
      .fontSize(size)
      .fillColor('black')
      .text(text, PAD, y, { width: wide, height, ellipsis: true, lineBreak: height > size * 2 })
  line(patient, 'bold', 9, PAD, 11)
  line([birthday, date, cito ? 'CITO' : ''].filter(Boolean).join('   '), 'regular', 7.5, PAD + 12, 9)
  // A quiet zone of ten modules on either side.
  const module = wide / (width + 20)
  for (const [column, , length] of bars)
    doc.rect(PAD + (column + 10) * module, PAD + 23, length * module, BARS).fill('black')
  doc
    .font('regular')
    .fontSize(8)
    .text(barcode, PAD, PAD + 23 + BARS + 1, { width: wide, align: 'center' })
  line(container, 'bold', 7.5, PAD + 23 + BARS + 12, 9)
  line(tests, 'regular', 6.5, PAD + 23 + BARS + 22, 16)
}
