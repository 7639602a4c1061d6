/** An examination on paper. */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import { type Examination, examinationStatuses } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { diagnosisWords, prescriptionWords, readSections } from '@ordinator/model/areas/examinations/paper'
import type { Row } from '@ordinator/model/entity'
import { formatDateTime, formatDay } from '@ordinator/model/format'
import { housePaper, type Letterhead } from '../../platform/letterhead.ts'
import { fact, fits, GREY, MARGIN, type Pdf, rule, SMALL, widthOf } from '../../platform/pdf.ts'
import { drawBlocks } from '../../platform/pdfBlocks.ts'
import { blocksOf } from '../../platform/richBlocks.ts'
import { escaped } from '../../records/sanitize.ts'

export type Patient = Pick<Row<typeof Customer>, 'fio' | 'birthday' | 'cardNumber'>
export interface ExaminationPaper {
  examination: Row<typeof Examination>
  form: ExaminationForm
  doctor: string
  post: string | null
  /** Null: whoever prints does not see patients. */
  patient: Patient | null
  head: Letterhead
  timeZone: string
}

export const draw = ({ examination, form, doctor, post, patient, head, timeZone }: ExaminationPaper) =>
  housePaper({ title: examination.name, head }, (doc) => {
    doc.font('bold').fontSize(15).fillColor('black').text(examination.name, { align: 'center' }).moveDown(0.6)
    if (examination.status !== 'signed') {
      doc.font('regular').fontSize(SMALL).fillColor(GREY)
      doc
        .text(`${examinationStatuses[examination.status]}: не является подписанным документом`, { align: 'center' })
        .moveDown(0.6)
    }
    if (patient) {
      fact(doc, 'Пациент', [patient.fio, patient.birthday].filter(Boolean).join(', '))
      fact(doc, 'Карта', patient.cardNumber ?? '')
    }
    fact(doc, 'Дата осмотра', formatDay(examination.date))
    fact(doc, 'Врач', [doctor, post].filter(Boolean).join(', '))
    if (examination.correction) fact(doc, `Версия ${examination.number}`, `Исправление: ${examination.correction}`)
    doc.moveDown(0.5)
    rule(doc)
    doc.moveDown(0.5)
    drawBlocks(doc, blocksOf(htmlOf(examination, form)))
    signature(doc, examination, doctor, timeZone)
  })

/** The contents as rich text: for paper, and for whatever takes rich text. */
function htmlOf(examination: Row<typeof Examination>, form: ExaminationForm): string {
  const list = (title: string, lines: readonly string[], tag: 'ul' | 'ol') =>
    lines.length ? `<h3>${title}</h3><${tag}>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</${tag}>` : ''
  const sections = readSections(readyForm(form), examination.values).map(
    ({ title, lines }) =>
      `<h3>${escaped(title)}</h3>${lines
        .map(({ label, text, html, mark }) =>
          html === undefined
            ? `<p><strong>${escaped(label)}:</strong> ${escaped(text).replaceAll('\n', '<br>')}${mark ? (mark === 'high' ? ' (выше нормы)' : ' (ниже нормы)') : ''}</p>`
            : `<p><strong>${escaped(label)}:</strong></p>${html}`,
        )
        .join('')}`,
  )
  return [
    ...sections,
    list('Диагноз', examination.diagnoses.map(diagnosisWords), 'ul'),
    list('Назначения', examination.prescriptions.map(prescriptionWords), 'ol'),
    list('Рекомендации', examination.recommendations.filter(Boolean), 'ul'),
  ].join('')
}

function signature(doc: Pdf, { dateSigned }: Row<typeof Examination>, doctor: string, timeZone: string): void {
  if (!fits(doc, 70)) doc.addPage()
  doc.moveDown(1.5)
  if (dateSigned) {
    doc.font('regular').fontSize(SMALL).fillColor(GREY)
    doc.text(`Подписано в системе: ${doctor}, ${formatDateTime(dateSigned, timeZone)}`, MARGIN, doc.y)
  }
  const top = doc.y + 36
  const width = widthOf(doc)
  doc
    .moveTo(MARGIN, top)
    .lineTo(MARGIN + width * 0.6, top)
    .lineWidth(0.5)
    .strokeColor(GREY)
    .stroke()
  doc.font('regular').fontSize(SMALL).fillColor(GREY)
  doc.text(`Подпись врача: ${doctor}`, MARGIN, top + 4, { width: width * 0.6 })
  doc.x = MARGIN
}
