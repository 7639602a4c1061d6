/** A printed plan with its estimate: A4, with places for both signatures. */
import type { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { monthText } from '@ordinator/model/areas/plans/rules'
import type { Row } from '@ordinator/model/entity'
import { formatDate, formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { drawTitle, housePaper, type Letterhead } from '#platform/letterhead.ts'
import { facts, fits, NORMAL, type Pdf, SMALL, words } from '#platform/pdf.ts'
import { drawSignatures, drawSums, drawTable, type PdfColumn } from '#platform/pdfTable.ts'

export interface Line {
  stage: string
  zone: string | null
  plannedMonth: string | null
  idStage: number
  name: string
  unit: string | null
  qty: number
  price: number | null
  discount: number
  total: number
}

export interface PlanPaper {
  plan: Row<typeof TreatmentPlan>
  lines: readonly Line[]
  /** Decimal texts from SQL. */
  sums: { gross: string; discount: string; total: string }
  doctor: string | null
  patient: { fio: string; birthday: string | null }
  signedBy: string
  head: Letterhead
  timeZone: string
}

export const draw = ({ plan, lines, sums, doctor, patient, signedBy, head, timeZone }: PlanPaper) =>
  housePaper({ title: `План лечения: ${plan.name}`, head }, (doc) => {
    drawTitle(doc, 'План лечения и смета', {
      under: [
        [plan.name, plan.variant].filter(Boolean).join(' · '),
        `№ ${plan.id} от ${formatDate(plan.dateCreate, timeZone)}`,
      ],
    })
    facts(doc, [
      ['Пациент', [patient.fio, patient.birthday && `${patient.birthday} г. р.`].filter(Boolean).join(', ')],
      ['Врач', doctor ?? ''],
      ['Диагноз', [plan.icd10, plan.diagnosis].filter(Boolean).join(' ')],
      ['Цены действуют', plan.validTo ? `по ${formatDay(plan.validTo)}` : ''],
    ])
    doc.moveDown(1)
    drawTable(doc, columns, withStages(lines))
    drawSums(doc, [
      ...(Number(sums.discount) > 0
        ? ([
            ['Стоимость', formatMoney(sums.gross)],
            ['Скидка', formatMoney(sums.discount)],
          ] as const)
        : []),
      ['Итого', formatMoney(sums.total)],
    ])
    terms(doc, plan.note, plan.validTo)
    if (plan.dateAgreed !== null && plan.signMethod === 'sms')
      signedWords(doc, `Подписано ${formatDate(plan.dateAgreed, timeZone)}, кодом из СМС: ${signedBy}`)
    drawSignatures(doc, [
      ['Врач', doctor ?? ''],
      ['Пациент', signedBy],
    ])
  })

const columns: readonly PdfColumn<Line>[] = [
  { title: '№', width: 22, align: 'left', text: (_line, n) => String(n) },
  { title: 'Услуга', width: 0, align: 'left', text: ({ name }) => name },
  {
    title: 'Кол-во',
    width: 56,
    align: 'right',
    text: ({ qty, unit }) => [formatNumber(qty), unit].filter(Boolean).join(' '),
  },
  { title: 'Цена, ₽', width: 74, align: 'right', text: ({ price }) => formatNumber(price ?? 0, 2) },
  {
    title: 'Скидка, ₽',
    width: 64,
    align: 'right',
    text: ({ discount }) => (discount ? formatNumber(discount, 2) : '—'),
  },
  { title: 'Сумма, ₽', width: 78, align: 'right', text: ({ total }) => formatNumber(total, 2) },
]

/** The services with a heading above each stage. */
function withStages(lines: readonly Line[]): (Line | { heading: string })[] {
  return lines.flatMap((line, at) => {
    const { stage, zone, plannedMonth, idStage } = line
    if (lines[at - 1]?.idStage === idStage) return [line]
    const heading = [stage, zone, plannedMonth && monthText(plannedMonth)].filter(Boolean).join(' · ')
    return [{ heading }, line]
  })
}

function terms(doc: Pdf, note: string | null, validTo: string | null): void {
  const phrases = [
    note,
    validTo && `Цены сметы не меняются, если услуги оказаны по ${formatDay(validTo)} включительно.`,
  ].filter(Boolean)
  if (phrases.length === 0) return
  doc.font('regular').fontSize(NORMAL).fillColor('black').moveDown(1)
  for (const text of phrases) words(doc, text as string).moveDown(0.4)
}

function signedWords(doc: Pdf, text: string): void {
  if (!fits(doc, 30)) doc.addPage()
  doc.font('bold').fontSize(SMALL).fillColor('black').moveDown(1)
  words(doc, text)
}
