/** The plan and its estimate on paper: A4, with places for the signatures of both. */
import { planCalls } from '@ordinator/model/areas/plans/calls'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { MAX_ITEMS, MAX_STAGES, monthText } from '@ordinator/model/areas/plans/rules'
import { formatDate, formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { disposition } from '../../platform/disposition.ts'
import { fact, fits, GREY, MARGIN, NORMAL, type Pdf, pdfOf, SMALL, widthOf } from '../../platform/pdf.ts'
import { drawSignatures, drawSums, drawTable, type PdfColumn } from '../../platform/pdfTable.ts'
import { journalActor } from '../../records/journal.ts'
import { operation } from '../../records/operation.ts'
import { signerFacts } from '../consents/index.ts'
import { readCommonSettings } from '../settings/index.ts'
import { itemsOf } from './progress.ts'

interface Line {
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

export const print = operation(planCalls.print, async ({ app, records, actor, params, reply }) => {
  const plan = await records.row(TreatmentPlan, params.id)
  const lines = await app.db.query<Line>(sql`
    select s."name" as stage, s."zone", s."plannedMonth"::text as "plannedMonth", s."id" as "idStage", v."nameService" as name,
      v."unit", i."qty", i."price"::float8 as price, i."discount"::float8 as discount, i."total"::float8 as total
    from ${itemsOf(plan.id)} i join customer_plans_stages s on s."id" = i."idStage" join services v on v."id" = i."idService"
    where not i."cancelled" order by s."order", s."id", i."order", i."id" limit ${MAX_ITEMS + MAX_STAGES}`)
  const sums = await app.db.one<{ gross: string; discount: string; total: string }>(sql`
    select coalesce(sum(coalesce(i."price", 0) * i."qty"), 0)::text as gross, coalesce(sum(i."discount"), 0)::text as discount,
      coalesce(sum(i."total"), 0)::text as total from ${itemsOf(plan.id)} i where not i."cancelled"`)
  const people = await app.db.one<{ doctor: string | null; filial: string | null; address: string | null }>(sql`
    select nullif(concat_ws(' ', u."surname", u."name", u."middleName"), '') as doctor, f."nameFilial" as filial,
      coalesce(f."filialAddressFact", f."filialAddress") as address
    from users u left join filials f on f."id" = ${plan.idFilial} where u."id" = ${plan.idDoctor}`)
  const signer = await signerFacts(app.db, plan)
  const { clinicName, timeZone } = await readCommonSettings(app.db)
  const signedBy = plan.representative?.fio ?? signer.representative?.fio ?? signer.fio
  const bytes = await pdfOf({ title: `План лечения: ${plan.name}`, clinicName }, (doc) => {
    const clinic = [clinicName, people?.filial, people?.address].filter(Boolean).join(' · ')
    if (clinic) doc.font('bold').fontSize(NORMAL).fillColor(GREY).text(clinic).moveDown(1)
    doc.font('bold').fontSize(17).fillColor('black').text('План лечения и смета')
    doc.fontSize(12).text([plan.name, plan.variant].filter(Boolean).join(' · '))
    doc.font('regular').fontSize(NORMAL).fillColor(GREY)
    doc.text(`№ ${plan.id} от ${formatDate(plan.dateCreate, timeZone)}`).moveDown(0.8)
    fact(doc, 'Пациент', [signer.fio, signer.birthday && `${signer.birthday} г. р.`].filter(Boolean).join(', '))
    fact(doc, 'Врач', people?.doctor ?? '')
    fact(doc, 'Диагноз', [plan.icd10, plan.diagnosis].filter(Boolean).join(' '))
    if (plan.validTo) fact(doc, 'Цены действуют', `по ${formatDay(plan.validTo)}`)
    doc.moveDown(1)
    drawTable(doc, columns, withStages(lines))
    if (sums)
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
      ['Врач', people?.doctor ?? ''],
      ['Пациент', signedBy],
    ])
  })
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: TreatmentPlan.path,
    idEntity: plan.id,
    idCustomer: plan.idCustomer,
  })
  return reply
    .type('application/pdf')
    .header('content-disposition', disposition('inline', `План лечения ${plan.id}.pdf`))
    .header('cache-control', 'private, no-store')
    .send(bytes)
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

/** The services with a heading over each stage. */
function withStages(lines: readonly Line[]): (Line | { heading: string })[] {
  return lines.flatMap((line, at) => {
    const { stage, zone, plannedMonth, idStage } = line
    if (lines[at - 1]?.idStage === idStage) return [line]
    const heading = [stage, zone, plannedMonth && monthText(plannedMonth)].filter(Boolean).join(' · ')
    return [{ heading }, line]
  })
}

function terms(doc: Pdf, note: string | null, validTo: string | null): void {
  const words = [
    note,
    validTo && `Цены сметы не меняются, если услуги оказаны по ${formatDay(validTo)} включительно.`,
  ].filter(Boolean)
  if (words.length === 0) return
  doc.font('regular').fontSize(NORMAL).fillColor('black').moveDown(1)
  for (const text of words) doc.text(text as string, MARGIN, doc.y, { width: widthOf(doc) }).moveDown(0.4)
}

function signedWords(doc: Pdf, words: string): void {
  if (!fits(doc, 30)) doc.addPage()
  doc.font('bold').fontSize(SMALL).fillColor('black').moveDown(1)
  doc.text(words, MARGIN, doc.y, { width: widthOf(doc) })
}
