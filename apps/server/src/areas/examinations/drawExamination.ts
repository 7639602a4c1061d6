/** A printed examination. */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import { type Examination, examinationStatuses } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import {
  diagnosisWords,
  prescriptionWords,
  type ReadLine,
  readSections,
} from '@ordinator/model/areas/examinations/paper'
import { partOf } from '@ordinator/model/areas/examinations/parts'
import type { Row } from '@ordinator/model/entity'
import { formatDateTime, formatDay } from '@ordinator/model/format'
import { drawTitle, housePaper, type Letterhead, openImage } from '#platform/letterhead.ts'
import { markedDrawing } from '#platform/markedPicture.ts'
import { facts, fits, GREY, leftOf, type Pdf, rule, SMALL, widthOf, words } from '#platform/pdf.ts'
import { drawBlocks } from '#platform/pdfBlocks.ts'
import { drawSignature } from '#platform/pdfTable.ts'
import { blocksOf } from '#platform/richBlocks.ts'
import { escaped } from '#records/sanitize.ts'

export type Patient = Pick<Row<typeof Customer>, 'fio' | 'birthday' | 'cardNumber'>
export interface ExaminationPaper {
  examination: Row<typeof Examination>
  form: ExaminationForm
  doctor: string
  post: string | null
  /** Null: the printing user has no access to patients. */
  patient: Patient | null
  head: Letterhead
  timeZone: string
  /** The clinic's own pictures of its form, PNG by name. */
  pictures: Readonly<Record<string, Uint8Array>>
}

type Marked = NonNullable<ReadLine['drawing']> & Pick<ReadLine, 'label'>

export const draw = ({ examination, form, doctor, post, patient, head, timeZone, pictures }: ExaminationPaper) =>
  housePaper({ title: examination.name, head }, (doc) => {
    const isSigned = examination.status === 'signed'
    drawTitle(doc, examination.name, {
      align: 'center',
      under: isSigned ? [] : [`${examinationStatuses[examination.status]}: не является подписанным документом`],
    })
    facts(doc, [
      ['Пациент', patient ? [patient.fio, patient.birthday].filter(Boolean).join(', ') : ''],
      ['Карта', patient?.cardNumber ?? ''],
      ['Дата осмотра', formatDay(examination.date)],
      ['Врач', [doctor, post].filter(Boolean).join(', ')],
      [`Версия ${examination.number}`, examination.correction ? `Исправление: ${examination.correction}` : ''],
    ])
    doc.moveDown(0.5)
    rule(doc)
    doc.moveDown(0.5)
    for (const part of partsOf(examination, form))
      if (typeof part === 'string') drawBlocks(doc, blocksOf(part))
      else drawMarked(doc, part, pictures)
    signature(doc, examination, doctor, timeZone)
  })

/** Content drafted by a language model is marked on paper too. */
const ASSISTED = ' (сформировано ИИ)'

/** The contents: rich text, with marked pictures in between. */
function partsOf(examination: Row<typeof Examination>, form: ExaminationForm): (string | Marked)[] {
  const list = (title: string, lines: readonly string[], tag: 'ul' | 'ol') =>
    lines.length ? `<h3>${title}</h3><${tag}>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</${tag}>` : ''
  const isAssisted = (part: string) => examination.assisted?.[part] !== undefined
  const line = ({ key, label, text, html, mark, drawing }: ReadLine): (string | Marked)[] => {
    const name = `<strong>${escaped(label)}${isAssisted(partOf(key)) ? ASSISTED : ''}:</strong>`
    if (html !== undefined) return [`<p>${name}</p>${html}`]
    const words = escaped(text).replaceAll('\n', '<br>')
    if (drawing) return [{ ...drawing, label }, `<p>${words}</p>`]
    return [`<p>${name} ${words}${mark ? (mark === 'high' ? ' (выше нормы)' : ' (ниже нормы)') : ''}</p>`]
  }
  const sections = readSections(readyForm(form), examination.values).flatMap(({ title, lines }) => [
    `<h3>${escaped(title)}</h3>`,
    ...lines.flatMap(line),
  ])
  const ends = [
    list(`Диагноз${isAssisted('diagnoses') ? ASSISTED : ''}`, examination.diagnoses.map(diagnosisWords), 'ul'),
    list('Назначения', examination.prescriptions.map(prescriptionWords), 'ol'),
    list(
      `Рекомендации${isAssisted('recommendations') ? ASSISTED : ''}`,
      examination.recommendations.filter(Boolean),
      'ul',
    ),
  ]
  return joined([...sections, ...ends])
}

/** Joins adjacent texts, so that paragraph spacing is kept. */
const joined = (parts: readonly (string | Marked)[]): (string | Marked)[] =>
  parts.reduce<(string | Marked)[]>((all, part) => {
    const last = all.at(-1)
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else all.push(part)
    return all
  }, [])

/** Points for a picture's name above it, with spacing. */
const NAME = 32

/** A picture with numbered marks; their texts follow. */
function drawMarked(doc: Pdf, { label, ...marked }: Marked, pictures: ExaminationPaper['pictures']): void {
  const bytes = pictures[marked.picture]
  const image = bytes && openImage(doc, bytes)
  const drawing = markedDrawing(
    marked,
    image && { ...sizeOf(image), place: (to, x, y, size) => void to.image(image, x, y, size) },
    widthOf(doc),
  )
  const name = blocksOf(`<p><strong>${escaped(label)}:</strong></p>`)
  if (drawing && !fits(doc, drawing.height + NAME)) doc.addPage()
  doc.y += drawing ? 5 : 0
  drawBlocks(doc, name)
  // Without the picture only the texts of its marks are printed.
  if (!drawing) return
  const top = doc.y + 4
  drawing.draw(doc, leftOf(doc), top)
  doc.x = leftOf(doc)
  doc.y = top + drawing.height + 4
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height })

function signature(doc: Pdf, { dateSigned }: Row<typeof Examination>, doctor: string, timeZone: string): void {
  if (!fits(doc, 100)) doc.addPage()
  doc.moveDown(1.5)
  if (dateSigned) {
    doc.font('regular').fontSize(SMALL).fillColor(GREY)
    words(doc, `Подписано в системе: ${doctor}, ${formatDateTime(dateSigned, timeZone)}`)
  }
  drawSignature(doc, `Подпись врача: ${doctor}`)
}
